//! Reads objects into their Rust types, and calls functions of the author with them.

use serde::de::{DeserializeOwned, Error};
use std::any::type_name;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Deserializes an object into its Rust type. A panic counts as an error, so that no object
/// can end the operator: for example, kube's `Duration` panics for 10¹⁶ hours.
pub fn typed<K: DeserializeOwned>(json: &str) -> serde_json::Result<K> {
    let read = guarded(|| serde_json::from_str(json));
    read.unwrap_or_else(|| Err(Error::custom("its Rust type panics on reading")))
}

/// Calls `function`, which runs code of the author. Returns `None` if this code panics, so
/// that an object that the author did not expect cannot end the operator.
pub fn guarded<T>(function: impl FnOnce() -> T) -> Option<T> {
    catch_unwind(AssertUnwindSafe(function)).ok()
}

/// Calls a function of the author with an object, given as JSON. Returns an empty list if the
/// object does not fit the type, or if the function panics.
pub fn call<K: DeserializeOwned, T>(json: &str, function: impl Fn(&K) -> Vec<T>) -> Vec<T> {
    let Ok(object) = typed::<K>(json) else {
        return Vec::new();
    };
    guarded(|| function(&object)).unwrap_or_else(|| {
        let of = type_name::<K>();
        tracing::error!("a function that a watch calls with a {of} panicked");
        Vec::new()
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::core::Duration;

    #[test]
    fn a_duration_that_is_too_long_is_an_error() {
        assert!(typed::<Duration>("\"1h\"").is_ok());
        assert!(typed::<Duration>("\"9999999999999999h\"").is_err());
    }
}
