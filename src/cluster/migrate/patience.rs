//! Decides how a migration reacts to a failed request: wait and retry, skip the object, or stop.

use crate::cluster::RefusedBy;
use std::time::Duration;

/// The number of tries of a request that does not reach the server; the waits between them add up to about 45 seconds.
const TRIES: u32 = 10;

/// The number of times that opctl tries a request that the server rejects because the server is busy. A try fails only
/// after kube's client has sent the request 15 times, with the pauses that `Retry-After` asks for.
const TRIES_OF_BUSY: u32 = 3;

/// The number of tries of a request that fails in the server, for example because a webhook does not answer.
const TRIES_OF_DEFECTS: u32 = 4;

const LONGEST: Duration = Duration::from_secs(10);

/// The consequence of a failed request.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Verdict {
    /// Send the request again after this time.
    Wait(Duration),
    /// The object is gone.
    Gone,
    /// Another client has written the object since opctl read it.
    Changed,
    /// The continue token of the list has expired. The text is a new token, with which the list continues; with `None`,
    /// the
    /// list starts again.
    Expired(Option<String>),
    /// The server refuses to write the object, for this reason; the object stays in the version in which it is stored.
    Refused(String),
    /// The migration cannot continue.
    Stop,
}

/// Returns the consequence of the error of a request that was tried `tries` times.
pub(super) fn verdict(error: &kube::Error, tries: u32) -> Verdict {
    let wait =
        |limit: u32, asked: Option<Duration>| (tries < limit).then(|| Verdict::Wait(asked.unwrap_or(backoff(tries))));
    let kube::Error::Api(status) = error else { return wait(TRIES, None).unwrap_or(Verdict::Stop) };
    // A denial has the status code that the webhook chose, whatever that means for other requests.
    if matches!(RefusedBy::of(&status.message), RefusedBy::Webhook(_) | RefusedBy::Policy(_)) {
        return Verdict::Refused(status.message.clone());
    }
    let details = status.details.as_ref();
    let asked = details.map(|details| u64::from(details.retry_after_seconds)).filter(|seconds| *seconds > 0);
    let asked = asked.map(|seconds| Duration::from_secs(seconds).min(LONGEST));
    let is_object = details.is_some_and(|details| !details.name.is_empty());
    match status.code {
        // A 404 that names no object means that the version is no longer served.
        404 if is_object => Verdict::Gone,
        409 => Verdict::Changed,
        410 => Verdict::Expired(status.metadata.as_ref().and_then(|metadata| metadata.continue_.clone())),
        429 | 503 | 504 => wait(TRIES_OF_BUSY, asked).unwrap_or(Verdict::Stop),
        502 => wait(TRIES, asked).unwrap_or(Verdict::Stop),
        500..=599 => wait(TRIES_OF_DEFECTS, asked).unwrap_or_else(|| Verdict::Refused(status.message.clone())),
        401 | 404 => Verdict::Stop,
        403 if RefusedBy::is_missing_right(error) => Verdict::Stop,
        _ => Verdict::Refused(status.message.clone()),
    }
}

/// Returns the time to wait before the next try, which doubles with every try.
fn backoff(tries: u32) -> Duration {
    Duration::from_millis(100).saturating_mul(1 << tries.min(10)).min(LONGEST)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    fn error(status: Value) -> kube::Error {
        kube::Error::Api(serde_json::from_value(status).unwrap())
    }

    #[test]
    fn failures_are_waited_for_or_judged() {
        let milliseconds = |number| Verdict::Wait(Duration::from_millis(number));
        let denied = "disks.example.com \"a\" is forbidden: User \"jane\" cannot patch resource \"disks\" in API group \"example.com\"";
        for (status, tries, expected) in [
            (json!({"code": 429, "details": {"retryAfterSeconds": 3}}), 1, milliseconds(3000)),
            (json!({"code": 429, "details": {"retryAfterSeconds": 3000}}), 1, milliseconds(10_000)),
            (json!({"code": 429}), 1, milliseconds(200)),
            (json!({"code": 503}), 2, milliseconds(400)),
            (json!({"code": 503}), 3, Verdict::Stop),
            (json!({"code": 502}), 9, milliseconds(10_000)),
            (json!({"code": 502}), 10, Verdict::Stop),
            (json!({"code": 500, "message": "conversion failed"}), 3, milliseconds(800)),
            (json!({"code": 500, "message": "conversion failed"}), 4, Verdict::Refused("conversion failed".to_owned())),
            (json!({"code": 404, "reason": "NotFound", "details": {"name": "a"}}), 1, Verdict::Gone),
            (json!({"code": 404, "message": "404 page not found"}), 1, Verdict::Stop),
            (json!({"code": 409}), 1, Verdict::Changed),
            (json!({"code": 410, "metadata": {"continue": "next"}}), 1, Verdict::Expired(Some("next".to_owned()))),
            (json!({"code": 410}), 1, Verdict::Expired(None)),
            (json!({"code": 401, "message": "Unauthorized"}), 1, Verdict::Stop),
            (json!({"code": 403, "message": denied}), 1, Verdict::Stop),
            (
                json!({"code": 403, "message": "admission webhook \"w\" denied the request: no"}),
                1,
                Verdict::Refused("admission webhook \"w\" denied the request: no".to_owned()),
            ),
            (json!({"code": 422, "message": "invalid"}), 1, Verdict::Refused("invalid".to_owned())),
        ] {
            assert_eq!(verdict(&error(status.clone()), tries), expected, "{status} {tries}");
        }
        for code in [404, 409, 503] {
            let message = "admission webhook \"w\" denied the request: no such tenant";
            let status = json!({"code": code, "message": message, "details": {"name": "a"}});
            assert_eq!(verdict(&error(status), 1), Verdict::Refused(message.to_owned()), "{code}");
        }
        let lost = || kube::Error::Service("connection reset".into());
        assert_eq!(verdict(&lost(), 1), milliseconds(200));
        assert_eq!(verdict(&lost(), 10), Verdict::Stop);
    }
}
