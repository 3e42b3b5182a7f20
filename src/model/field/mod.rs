//! A field of a spec, as `name:type[?][=default]` says it.

mod parse;

use serde_json::{Map, Value, json};

/// A field of a spec.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    text: String,
    /// The name in JSON.
    pub name: String,
    /// The name in Rust.
    pub rust_name: String,
    /// Its type.
    pub shape: Shape,
    /// True if it may be left out, and has no default.
    pub optional: bool,
    /// The value that the API server fills in.
    pub default: Option<Value>,
}

/// The type of a field.
#[derive(Clone, Debug, PartialEq)]
pub enum Shape {
    /// One value.
    One(Scalar),
    /// Several, and how many.
    List(Scalar, Bounds),
    /// Texts by name.
    Map,
}

/// A single value.
#[derive(Clone, Debug, PartialEq)]
pub enum Scalar {
    /// A text, and its length.
    String(Bounds),
    /// An `i32` or, if wide, an `i64`.
    Integer {
        /// True if it has 64 bits.
        wide: bool,
        /// Its least and greatest value.
        bounds: Bounds,
    },
    /// A number with a fraction.
    Number(Bounds),
    /// True or false.
    Boolean,
    /// An amount as Kubernetes writes it, such as `1Gi`.
    Quantity,
    /// A time span as Go writes it, such as `1m30s`.
    Duration,
    /// One of these words.
    Enum(Vec<String>),
}

/// The least and the greatest, as written.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The least.
    pub min: Option<String>,
    /// The greatest.
    pub max: Option<String>,
}

impl Bounds {
    /// Returns true if there are none.
    pub fn is_empty(&self) -> bool {
        *self == Bounds::default()
    }

    fn number(bound: Option<&String>) -> Option<f64> {
        bound.and_then(|bound| bound.parse().ok())
    }

    fn least(&self) -> Option<f64> {
        Bounds::number(self.min.as_ref())
    }

    fn greatest(&self) -> Option<f64> {
        Bounds::number(self.max.as_ref())
    }

    fn hold(&self, number: f64) -> bool {
        self.least().is_none_or(|least| number >= least) && self.greatest().is_none_or(|greatest| number <= greatest)
    }
}

impl std::fmt::Display for Field {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.text)
    }
}

impl Field {
    /// The default, or a value that fits.
    pub fn sample(&self) -> Value {
        self.default.clone().unwrap_or_else(|| match &self.shape {
            Shape::One(scalar) => scalar.sample(),
            Shape::List(scalar, bounds) => {
                let count = bounds.least().unwrap_or(1.0).max(1.0).min(bounds.greatest().unwrap_or(f64::MAX));
                (0..small(count)).map(|_| scalar.sample()).collect()
            }
            Shape::Map => json!({ "key": "value" }),
        })
    }

    /// Returns true if users must give it.
    pub fn is_required(&self) -> bool {
        !self.optional && self.default.is_none()
    }

    /// The name of the generated `enum`, if it is one of words.
    pub fn enum_name(&self, kind: &str) -> Option<String> {
        use heck::ToUpperCamelCase;
        let (Shape::One(scalar) | Shape::List(scalar, _)) = &self.shape else { return None };
        matches!(scalar, Scalar::Enum(_)).then(|| format!("{kind}{}", self.name.to_upper_camel_case()))
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "it is cut to what a sample may have")]
fn small(number: f64) -> usize {
    number.clamp(0.0, 100.0) as usize
}

impl Scalar {
    fn sample(&self) -> Value {
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

/// The fields that users must give, with values that fit; with `all` the others too.
pub fn sample(fields: &[Field], all: bool) -> Map<String, Value> {
    let given = fields.iter().filter(|field| all || field.is_required());
    given.map(|field| (field.name.clone(), field.sample())).collect()
}
