//! Status conditions that follow the API conventions of Kubernetes.
//!
//! ```
//! use runtime::conditions;
//!
//! let mut all = Vec::new();
//! let waiting = conditions::new("Ready", false, "Waiting", "1 of 2 replicas are ready");
//! conditions::set(&mut all, Some(1), waiting);
//! let before = all.clone();
//! conditions::set(&mut all, Some(1), conditions::new("Ready", true, "AllReady", ""));
//! assert!(conditions::is_true(&all, "Ready"));
//! assert!(conditions::turns_true(&before, &all, "Ready"));
//! conditions::set(&mut all, Some(1), conditions::unknown("Ready", "NoAnswer", "the service is down"));
//! assert!(!conditions::is_true(&all, "Ready"));
//! assert_eq!(conditions::refusal("exceeded quota: q"), Some("QuotaExceeded"));
//! ```

use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;

/// The maximum number of characters that the API server accepts in the message of a condition.
const MESSAGE: usize = 32_768;

/// Makes a condition. `reason` is one CamelCase word for programs. `message` is a text for people,
/// which is cut to the length that the API server accepts.
pub fn new(type_: &str, status: bool, reason: &str, message: &str) -> Condition {
    Condition {
        type_: type_.into(),
        status: if status { "True" } else { "False" }.into(),
        reason: reason.into(),
        message: message.chars().take(MESSAGE).collect(),
        observed_generation: None,
        last_transition_time: Time(Timestamp::now()),
    }
}

/// Makes a condition whose status is `Unknown`, for example because a service does not answer.
pub fn unknown(type_: &str, reason: &str, message: &str) -> Condition {
    Condition {
        status: "Unknown".into(),
        ..new(type_, false, reason, message)
    }
}

/// Adds `new`, or replaces the condition of the same type.
///
/// `last_transition_time` changes only if `status` changes. A time that changed in every pass would
/// change the object, and so trigger passes forever.
pub fn set(conditions: &mut Vec<Condition>, generation: Option<i64>, mut new: Condition) {
    new.observed_generation = generation;
    match conditions.iter_mut().find(|c| c.type_ == new.type_) {
        Some(old) => {
            if old.status == new.status {
                new.last_transition_time = old.last_transition_time.clone();
            }
            *old = new;
        }
        None => conditions.push(new),
    }
}

/// Texts in error messages of the API server, each with the reason for the refusal. The status code
/// does not distinguish a missing right, a quota and an admission policy: all of them cause a 403.
const REFUSALS: [(&str, &str); 8] = [
    ("ValidatingAdmissionPolicy '", "AdmissionDenied"),
    ("admission webhook \"", "AdmissionDenied"),
    ("violates PodSecurity \"", "AdmissionDenied"),
    ("exceeded quota: ", "QuotaExceeded"),
    ("failed quota: ", "QuotaExceeded"),
    ("for quota: ", "QuotaExceeded"),
    ("forbidden: User \"", "Forbidden"),
    ("Only one reference can have Controller set", "NameTaken"),
];

/// Returns the reason if `message` is a refusal by the API server: `Forbidden`, `QuotaExceeded`,
/// `AdmissionDenied` or `NameTaken`.
pub fn refusal(message: &str) -> Option<&'static str> {
    let mut known = REFUSALS.iter();
    Some(known.find(|(words, _)| message.contains(words))?.1)
}

/// Returns true if the condition of this type exists and is `True`.
pub fn is_true(conditions: &[Condition], type_: &str) -> bool {
    let mut all = conditions.iter();
    all.any(|c| c.type_ == type_ && c.status == "True")
}

/// Returns true if the condition of this type is `True` in `after`, but not `True` in `before`.
pub fn turns_true(before: &[Condition], after: &[Condition], type_: &str) -> bool {
    is_true(after, type_) && !is_true(before, type_)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn refusals_are_told_apart() {
        for (message, expected) in [
            (
                "pods \"a\" is forbidden: exceeded quota: q",
                "QuotaExceeded",
            ),
            ("pods \"a\" is forbidden: User \"b\" cannot", "Forbidden"),
            (
                "pods \"a\" is forbidden: violates PodSecurity \"baseline\"",
                "AdmissionDenied",
            ),
            (
                "admission webhook \"w\" denied it: exceeded quota: q",
                "AdmissionDenied",
            ),
            (
                "Invalid value: Only one reference can have Controller set to true",
                "NameTaken",
            ),
        ] {
            assert_eq!(refusal(message), Some(expected), "{message}");
        }
        assert_eq!(refusal("etcdserver: request timed out"), None);
    }

    #[test]
    fn time_moves_only_when_the_status_flips() {
        let long_ago = Time(Timestamp::UNIX_EPOCH);
        let mut conditions = vec![new("Ready", false, "Starting", "")];
        conditions[0].last_transition_time = long_ago.clone();

        let waiting = new("Ready", false, "Waiting", "1 of 2");
        set(&mut conditions, Some(2), waiting);
        assert_eq!(conditions[0].last_transition_time, long_ago);
        assert_eq!(conditions[0].reason, "Waiting");
        assert_eq!(conditions[0].observed_generation, Some(2));

        set(&mut conditions, Some(2), new("Ready", true, "Done", ""));
        assert!(conditions[0].last_transition_time > long_ago);
        assert!(is_true(&conditions, "Ready"));
        assert_eq!(conditions.len(), 1);
    }
}
