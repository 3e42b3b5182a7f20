//! The result of a validation.

use kube::core::response::StatusCause;
use std::fmt::{self, Display};

/// The API server's limit of characters in a warning. `WARNINGS` limits the warnings in a response.
const CHARACTERS: usize = 256;
const WARNINGS: usize = 16;

/// The errors and warnings of a validation: the object may be stored unless there is an error.
///
/// kubectl shows all errors at once, in the same form as the errors of a schema.
///
/// ```
/// use runtime::webhook::Findings;
///
/// let mut found = Findings::default();
/// assert!(found.is_empty());
/// found
///     .invalid("spec.replicas", 4, "must be odd")
///     .required("spec.tls.secretName", "HTTPS needs a certificate")
///     .forbidden("spec.hosts[1]", "belongs to another namespace")
///     .warn("spec.size is deprecated: use spec.replicas");
/// assert!(!found.is_empty());
/// assert!(found.to_string().starts_with("spec.replicas: Invalid value: 4: must be odd, "));
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Findings {
    errors: Vec<StatusCause>,
    warnings: Vec<String>,
}

impl Findings {
    /// Adds the error that the value of a field, such as `spec.hosts[0]`, is not allowed.
    pub fn invalid(&mut self, field: &str, value: impl Display, why: impl Display) -> &mut Self {
        let message = format!("Invalid value: {value}: {why}");
        self.error("FieldValueInvalid", field, message)
    }

    /// Adds the error that a required field has no value.
    pub fn required(&mut self, field: &str, why: impl Display) -> &mut Self {
        self.error(
            "FieldValueRequired",
            field,
            format!("Required value: {why}"),
        )
    }

    /// Adds the error that a field must not be set or changed.
    pub fn forbidden(&mut self, field: &str, why: impl Display) -> &mut Self {
        self.error("FieldValueForbidden", field, format!("Forbidden: {why}"))
    }

    /// Adds a warning for the user. A warning does not keep the object from being stored. The API
    /// server passes on up to 16 warnings, of up to 256 characters each.
    pub fn warn(&mut self, text: impl Display) -> &mut Self {
        self.warnings.push(text.to_string());
        self
    }

    /// Returns true if there is neither an error nor a warning.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty() && self.warnings.is_empty()
    }

    fn error(&mut self, reason: &str, field: &str, message: String) -> &mut Self {
        self.errors.push(StatusCause {
            reason: reason.to_owned(),
            message,
            field: field.to_owned(),
        });
        self
    }

    /// Returns the findings of `before`, followed by the findings of `self`.
    pub(super) fn after(mut self, mut before: Self) -> Self {
        before.errors.append(&mut self.errors);
        before.warnings.append(&mut self.warnings);
        before
    }

    /// Splits the findings into the errors, and the warnings within the limits of the API server.
    pub(super) fn into_parts(self) -> (Vec<StatusCause>, Vec<String>) {
        let warnings = self.warnings.into_iter().take(WARNINGS);
        (self.errors, warnings.map(shortened).collect())
    }
}

fn shortened(text: String) -> String {
    match text.char_indices().nth(CHARACTERS) {
        None => text,
        Some(_) => text.chars().take(CHARACTERS - 1).chain(['…']).collect(),
    }
}

impl Display for Findings {
    /// Writes the errors, separated by commas.
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        for (at, error) in self.errors.iter().enumerate() {
            let comma = if at == 0 { "" } else { ", " };
            write!(f, "{comma}{}: {}", error.field, error.message)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn warnings_are_those_that_the_api_server_takes() {
        let mut found = Findings::default();
        for _ in 0..20 {
            found.warn("ä".repeat(300));
        }
        let (_, warnings) = found.into_parts();
        assert_eq!(warnings.len(), WARNINGS);
        let most = warnings.iter().map(|text| text.chars().count()).max();
        assert_eq!(most, Some(CHARACTERS));
        assert_eq!(shortened("ä".repeat(256)), "ä".repeat(256));
    }
}
