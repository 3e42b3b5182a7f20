//! Objects as the Rust types of their kinds.

use serde::de::{DeserializeOwned, Error};
use std::panic::catch_unwind;

/// Reads an object into its Rust type. A panic of the type counts as an error: kube's `Duration`
/// panics for a text of 10¹⁶ hours, and nobody may end an operator with such an object.
pub fn typed<K: DeserializeOwned>(json: &str) -> serde_json::Result<K> {
    let read = catch_unwind(|| serde_json::from_str(json));
    read.unwrap_or_else(|_| Err(Error::custom("its type panics when it reads it")))
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
