//! The reasons why a download fails, and texts for its error messages.

use crate::Error;

/// The reason why a download failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server or the network failed; the programs may be built from source instead.
    Unreachable(Error),
    /// The download is wrong or cannot be stored; the programs must not be built from source instead.
    Refused(Error),
}

impl Failure {
    /// Returns the error of the failed download, for callers that never build the programs from source and so need not
    /// tell `Unreachable` and `Refused` apart.
    pub(super) fn into_error(self) -> Error {
        let (Failure::Unreachable(error) | Failure::Refused(error)) = self;
        error
    }
}

/// Returns a URL for messages, without user name and password.
pub(super) fn redact_url(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return url.to_owned() };
    let (authority, path) = rest.split_at(rest.find(['/', '?', '#']).unwrap_or(rest.len()));
    match authority.rsplit_once('@') {
        Some((_, host)) => format!("{scheme}://…@{host}{path}"),
        None => url.to_owned(),
    }
}

/// Returns a number of bytes for messages, in kB or MB.
pub(super) fn size(bytes: u64) -> String {
    if bytes < 1_000_000 { format!("{} kB", bytes / 1_000) } else { format!("{} MB", bytes / 1_000_000) }
}

pub(super) fn cannot_fetch(url: &str) -> Error {
    Error::environment(format!("`{}` cannot be fetched", redact_url(url)))
}

pub(super) fn unreachable_failure(url: &str, why: impl std::fmt::Display) -> Failure {
    Failure::Unreachable(cannot_fetch(url).caused_by(why))
}

pub(super) fn too_large(url: &str, limit: u64) -> Failure {
    let error = Error::environment(format!("`{}` is larger than {}", redact_url(url), size(limit)))
        .caused_by("the original files from the Kubernetes project are smaller, so opctl rejects a file of this size")
        .hint("build the servers from source instead: opctl envtest setup --from-source");
    Failure::Refused(error)
}

pub(super) fn not_allowed(url: &str) -> Error {
    Error::environment(format!("`{}` is not an https URL", redact_url(url)))
        .caused_by("without https, attackers on the network can change the downloads and their checksums")
        .hint("on a network that you trust, add: --allow-http")
}

pub(super) fn downgrade_error(url: &str, to: &str) -> Error {
    Error::environment(format!("`{}` redirects to `{}`", redact_url(url), redact_url(to)))
        .caused_by("opctl follows no redirect to another protocol than https")
        .hint("build the servers from source instead: opctl envtest setup --from-source")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_password_of_a_url_is_shown() {
        for (url, seen) in [
            ("https://ada:secret@example.com/a@b", "https://…@example.com/a@b"),
            ("https://token@example.com", "https://…@example.com"),
            ("https://a:b@c@example.com?x", "https://…@example.com?x"),
            ("https://example.com/a@b", "https://example.com/a@b"),
            ("no URL", "no URL"),
        ] {
            assert_eq!(redact_url(url), seen);
        }
    }
}
