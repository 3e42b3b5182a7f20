//! The type of a field.

use super::bounds::{Bounds, small};
use serde_json::{Value, json};

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// A single value of this scalar type.
    One(Scalar),
    /// A list of values, with the bounds of the list's length.
    List(Scalar, Bounds),
    /// A map from names to strings.
    Map,
}

/// The type of a single value.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A string, with the bounds of its length.
    String(Bounds),
    /// An integer: an `i64` if `wide` is true, and an `i32` otherwise.
    Integer {
        /// True if the integer has 64 bits.
        wide: bool,
        /// The minimum and the maximum of the integer.
        bounds: Bounds,
    },
    /// A number that can have a fraction.
    Number(Bounds),
    /// A boolean: true or false.
    Boolean,
    /// An amount as Kubernetes writes it, such as `1Gi`.
    Quantity,
    /// A time span as Go writes it, such as `1m30s`.
    Duration,
    /// An enumeration of these words.
    Enum(Vec<String>),
}

impl Scalar {
    pub(super) fn sample(&self) -> Value {
        match self {
            Scalar::String(bounds) => {
                let least = small(bounds.least().unwrap_or(0.0));
                let greatest = bounds.greatest().map_or(usize::MAX, small);
                let text: String = "example-".chars().cycle().take(least.max(7).min(greatest)).collect();
                json!(text)
            }
            Scalar::Integer { bounds, .. } | Scalar::Number(bounds) => {
                let (usual, number) = if matches!(self, Scalar::Number(_)) { ("0.5", 0.5) } else { ("1", 1.0) };
                let bound = bounds.min.as_ref().or(bounds.max.as_ref()).filter(|_| !bounds.hold(number));
                let text = bound.map_or(usual, String::as_str);
                serde_json::from_str(text).unwrap_or_default()
            }
            Scalar::Boolean => json!(true),
            Scalar::Quantity => json!("1Gi"),
            Scalar::Duration => json!("30s"),
            Scalar::Enum(words) => json!(words.first()),
        }
    }
}
