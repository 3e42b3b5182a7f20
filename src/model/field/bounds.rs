//! Parses the bounds in parentheses after a type in the text of a field, such as `(1..=9)` in `integer(1..=9)`.

/// The minimum and the maximum of a value or of a length, as text.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Bounds {
    /// The smallest value that the field may have.
    pub min: Option<String>,
    /// The largest value that the field may have.
    pub max: Option<String>,
}

impl Bounds {
    /// Returns true if there is neither a minimum nor a maximum.
    pub fn is_empty(&self) -> bool {
        *self == Bounds::default()
    }

    fn number(bound: Option<&String>) -> Option<f64> {
        bound.and_then(|bound| bound.parse().ok())
    }

    pub(super) fn least(&self) -> Option<f64> {
        Bounds::number(self.min.as_ref())
    }

    pub(super) fn greatest(&self) -> Option<f64> {
        Bounds::number(self.max.as_ref())
    }

    /// Returns the number of items in a sample of a list with these bounds.
    pub(super) fn sample_length(&self) -> usize {
        small(self.least().unwrap_or(1.0).max(1.0).min(self.greatest().unwrap_or(f64::MAX)))
    }

    pub(super) fn hold(&self, number: f64) -> bool {
        self.least().is_none_or(|least| number >= least) && self.greatest().is_none_or(|greatest| number <= greatest)
    }
}

#[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "the number is clamped before the cast")]
pub(super) fn small(number: f64) -> usize {
    number.clamp(0.0, 100.0) as usize
}

/// Returns the arguments in parentheses at the beginning of `text`, if any, and the remaining text.
pub(super) fn arguments(text: &str) -> Result<(Option<&str>, &str), String> {
    let Some(rest) = text.strip_prefix('(') else { return Ok((None, text)) };
    let (given, rest) = rest.split_once(')').ok_or("a `)` is missing")?;
    Ok((Some(given), rest))
}

pub(super) fn integers(given: Option<&str>, least: i64, greatest: i64) -> Result<Bounds, String> {
    bounds(given, &|bound| {
        let number: i64 = bound.parse().ok()?;
        (least..=greatest).contains(&number).then(|| number.to_string())
    })
}

pub(super) fn lengths(given: Option<&str>) -> Result<Bounds, String> {
    bounds(given, &|bound| bound.parse::<u32>().ok().map(|number| number.to_string()))
}

/// Parses bounds such as `1..=9`, `1..` or `..=9`. If `given` is `None`, returns empty bounds. `read` parses the text
/// of
/// one bound, and returns `None` if the text is not valid.
pub(super) fn bounds(given: Option<&str>, read: &dyn Fn(&str) -> Option<String>) -> Result<Bounds, String> {
    let Some(given) = given else { return Ok(Bounds::default()) };
    let form = || format!("`({given})` must be like `(1..=9)`, `(1..)` or `(..=9)`, with numbers that the type allows");
    let (min, max) = given.split_once("..").ok_or_else(form)?;
    let max = match max.strip_prefix('=') {
        Some(max) => Some(max),
        None if max.is_empty() => None,
        None => return Err(format!("`({given})` must include the maximum, as in `({min}..={max})`")),
    };
    let one = |bound: &str| read(bound.trim()).ok_or_else(form);
    let bounds =
        Bounds { min: Some(min).filter(|min| !min.is_empty()).map(one).transpose()?, max: max.map(one).transpose()? };
    if bounds.is_empty() {
        return Err(form());
    }
    match (bounds.least(), bounds.greatest()) {
        (Some(least), Some(greatest)) if least > greatest => Err(format!("no value is within `({given})`")),
        _ => Ok(bounds),
    }
}
