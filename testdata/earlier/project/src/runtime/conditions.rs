//! Conditions as Kubernetes' API conventions want them.
use k8s_openapi::apimachinery::pkg::apis::meta::v1::{Condition, Time};
use k8s_openapi::jiff::Timestamp;

/// `reason` is one CamelCase word for programs, `message` is for people.
pub fn new(type_: &str, status: bool, reason: &str, message: &str) -> Condition {
    Condition {
        type_: type_.into(),
        status: if status { "True" } else { "False" }.into(),
        reason: reason.into(),
        message: message.into(),
        observed_generation: None,
        last_transition_time: Time(Timestamp::now()),
    }
}

/// Adds `new`, or puts it in the place of the condition of its type.
///
/// Its time is kept as it was unless `status` flips: a time that moved in every pass would change
/// the object, and so trigger the next pass, forever.
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

/// Whether a condition is there and `True`.
pub fn is_true(conditions: &[Condition], type_: &str) -> bool {
    let mut all = conditions.iter();
    all.any(|c| c.type_ == type_ && c.status == "True")
}

/// Whether a condition is `True` that was not before.
pub fn turns_true(before: &[Condition], after: &[Condition], type_: &str) -> bool {
    is_true(after, type_) && !is_true(before, type_)
}

#[cfg(test)]
mod tests {
    use super::*;

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
