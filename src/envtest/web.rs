//! Downloads files within limits for the protocol, the size, the total time and the speed, because neither the
//! server nor the network is trusted.
//!
//! Downloads use https. http is allowed for this machine, and for other machines only if the user requests it: if
//! an index came by http, its checksums prove nothing. A redirect from https to http is always refused.

use super::failure::{Failure, cannot_fetch, downgrade_error, not_allowed, redact_url, too_large, unreachable_failure};
use crate::host::is_this_machine;
use crate::{Error, Result};
use http::Uri;
use std::io::Read;
use std::time::{Duration, Instant};
use ureq::tls::{RootCerts, TlsConfig};
use ureq::{Agent, BodyReader, ResponseExt};

/// The HTTP status of a response if the server cannot send the requested part of a file.
const RANGE_NOT_SATISFIABLE: u16 = 416;
const PARTIAL_CONTENT: u16 = 206;

const REDIRECTS: u32 = 5;
/// The interval in which a server must send at least [`LEAST`] bytes; otherwise the download fails.
const WINDOW: Duration = Duration::from_secs(10);
const LEAST: u64 = 10_000;

/// The limits of a download.
#[derive(Clone, Copy, Debug)]
pub(super) struct Bounds {
    /// The maximum size of the file, in bytes.
    pub(super) bytes: u64,
    /// The maximum time for the whole download, from the name resolution to the last byte.
    pub(super) time: Duration,
    /// True if http is allowed to machines other than this one.
    pub(super) plain_http: bool,
}

/// The body of a response, which is read in pieces.
pub(super) struct Download {
    reader: BodyReader<'static>,
    url: String,
    bounds: Bounds,
    /// The offset in the file of the first byte of the body; 0 if the server sends the whole file despite a range
    /// request.
    pub(super) begin: u64,
    /// The size of the whole file in bytes, if the server announces the size.
    pub(super) length: Option<u64>,
}

/// Requests the bytes from offset `begin` of the file at `url`, and reads the response headers. Requests the whole
/// file if the server cannot send exactly these bytes.
pub(super) fn open(url: &str, bounds: Bounds, begin: u64) -> Result<Download, Failure> {
    match request(url, bounds, begin)? {
        Some(download) => Ok(download),
        // The server has no such rest, or sends another part: the file has changed.
        None => {
            request(url, bounds, 0)?.ok_or_else(|| unreachable_failure(url, "the server sends only part of the file"))
        }
    }
}

/// Requests the file at `url` from offset `begin` to its end. Returns `None` if the server cannot send exactly this
/// range.
fn request(url: &str, bounds: Bounds, begin: u64) -> Result<Option<Download>, Failure> {
    let uri: Uri = url.parse().map_err(|_| Failure::Refused(not_allowed(url)))?;
    if !is_allowed(&uri, bounds) {
        return Err(Failure::Refused(not_allowed(url)));
    }
    let secure = uri.scheme_str() == Some("https");
    let mut request = agent(bounds, secure).get(uri);
    if begin > 0 {
        request = request.header(http::header::RANGE, format!("bytes={begin}-"));
    }
    let response = match request.call() {
        Ok(response) => response,
        Err(ureq::Error::StatusCode(RANGE_NOT_SATISFIABLE)) if begin > 0 => return Ok(None),
        Err(error) => {
            return Err(match error {
                ureq::Error::RequireHttpsOnly(to) => Failure::Refused(downgrade_error(url, &to)),
                ureq::Error::TooManyRedirects => {
                    unreachable_failure(url, format!("the server redirects more than {REDIRECTS} times"))
                }
                ureq::Error::Timeout(_) => unreachable_failure(url, "the server does not respond in time"),
                other => Failure::Unreachable(cannot_fetch(url).source(&other)),
            });
        }
    };
    let passed = response.get_redirect_history().unwrap_or_default();
    if let Some(refused) = passed.iter().find(|passed| !is_allowed(passed, bounds)) {
        return Err(Failure::Refused(downgrade_error(url, &refused.to_string())));
    }
    let begin = if response.status().as_u16() == PARTIAL_CONTENT {
        let range = response.headers().get(http::header::CONTENT_RANGE).and_then(|range| range.to_str().ok());
        if begin == 0 || !range.is_some_and(|range| range.starts_with(&format!("bytes {begin}-"))) {
            return Ok(None);
        }
        begin
    } else {
        0
    };
    let body = response.into_body();
    let length = body.content_length().map(|rest| begin.saturating_add(rest));
    if length.is_some_and(|length| length > bounds.bytes) {
        return Err(too_large(url, bounds.bytes));
    }
    Ok(Some(Download { reader: body.into_reader(), url: url.to_owned(), bounds, begin, length }))
}

impl Download {
    /// Passes each piece of the body to `take`, until the end of the body.
    pub(super) fn read(mut self, mut take: impl FnMut(&[u8]) -> Result<(), Failure>) -> Result<(), Failure> {
        let (mut buffer, mut done, mut pace) = (vec![0; 128 * 1024], self.begin, Pace::new());
        loop {
            let count = self.reader.read(&mut buffer).map_err(|error| self.broke_off(&error))?;
            if count == 0 {
                return Ok(());
            }
            done += count as u64;
            if done > self.bounds.bytes {
                return Err(too_large(&self.url, self.bounds.bytes));
            }
            take(&buffer[..count])?;
            if pace.is_too_slow(count) {
                return Err(unreachable_failure(
                    &self.url,
                    format!("the server sends fewer than {LEAST} bytes in {WINDOW:?}"),
                ));
            }
        }
    }

    fn broke_off(&self, error: &std::io::Error) -> Failure {
        Failure::Unreachable(
            Error::environment(format!("the download of `{}` was interrupted", redact_url(&self.url)))
                .caused_by(error)
                .hint("run the same command again, or build from source: opctl envtest setup --from-source"),
        )
    }
}

/// The start of the current interval of [`WINDOW`], and the number of bytes received since then.
struct Pace {
    begun: Instant,
    bytes: u64,
}

impl Pace {
    fn new() -> Self {
        Pace { begun: Instant::now(), bytes: 0 }
    }

    fn is_too_slow(&mut self, count: usize) -> bool {
        self.bytes += count as u64;
        if self.begun.elapsed() < WINDOW {
            return false;
        }
        std::mem::replace(self, Pace::new()).bytes < LEAST
    }
}

/// Returns true if the scheme and the host of `uri` are allowed.
fn is_allowed(uri: &Uri, bounds: Bounds) -> bool {
    match uri.scheme_str() {
        Some("https") => uri.host().is_some(),
        Some("http") => uri.host().is_some_and(|host| bounds.plain_http || is_this_machine(host)),
        _ => false,
    }
}

fn agent(bounds: Bounds, secure: bool) -> Agent {
    // Use the system's authorities, so that a company's proxy is trusted if the system trusts it.
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .https_only(secure)
        .max_redirects(REDIRECTS)
        .save_redirect_history(true)
        .user_agent(concat!("opctl/", env!("CARGO_PKG_VERSION")))
        .timeout_global(Some(bounds.time))
        .timeout_resolve(Some(Duration::from_secs(10)))
        .timeout_connect(Some(Duration::from_secs(15)))
        .timeout_recv_response(Some(Duration::from_secs(30)))
        .timeout_per_read(Some(Duration::from_secs(30)));
    config.build().into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn http_is_for_this_machine_or_for_those_who_ask() {
        let bounds = |plain_http| Bounds { bytes: 1, time: Duration::from_secs(1), plain_http };
        let allowed = |url: &str, plain| url.parse::<Uri>().is_ok_and(|uri| is_allowed(&uri, bounds(plain)));
        for url in ["https://example.com/i", "http://127.0.0.1:1/i", "http://[::1]:1/i", "http://LOCALHOST/i"] {
            assert!(allowed(url, false), "{url}");
        }
        for url in [
            "http://example.com/i",
            "http://127.0.0.1.example.com/i",
            "http://localhost.example.com",
            "http://10.0.0.1/i",
        ] {
            assert!(!allowed(url, false) && allowed(url, true), "{url}");
        }
        for url in ["file:///etc/passwd", "ftp://example.com/i", "/i", "example.com", "127.0.0.1:1", ""] {
            assert!(!allowed(url, false) && !allowed(url, true), "{url}");
        }
    }
}
