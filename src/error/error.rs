//! The error type of opctl, and the result type with this error.

use super::category::Category;
use super::hint::Hint;
use crate::finding::Finding;

/// An error with all texts that the user sees. The content is boxed, so that a `Result` stays small.
#[derive(Debug)]
pub struct Error(Box<Parts>);

#[derive(Debug)]
struct Parts {
    category: Category,
    message: String,
    causes: Vec<String>,
    hint: Option<Hint>,
    findings: Vec<Finding>,
}

/// A result with the [`Error`] of this crate.
pub type Result<T, E = Error> = std::result::Result<T, E>;

impl Error {
    fn new(category: Category, message: impl Into<String>) -> Self {
        Error(Box::new(Parts {
            category,
            message: message.into(),
            causes: Vec::new(),
            hint: None,
            findings: Vec::new(),
        }))
    }

    /// Creates an error for a mistake in the project or in a request about the project.
    pub fn user(message: impl Into<String>) -> Self {
        Self::new(Category::User, message)
    }

    /// Creates an error for an invalid command line.
    pub fn usage(message: impl Into<String>) -> Self {
        Self::new(Category::Usage, message)
    }

    /// Creates an error for existing content that differs from the requested content and was not overwritten.
    pub fn conflict(message: impl Into<String>) -> Self {
        Self::new(Category::Conflict, message)
    }

    /// Creates an error for a machine that lacks something or refused an operation.
    pub fn environment(message: impl Into<String>) -> Self {
        Self::new(Category::Environment, message)
    }

    /// Creates an error for a cluster that refused a request or could not be reached.
    pub fn cluster(message: impl Into<String>) -> Self {
        Self::new(Category::Cluster, message)
    }

    /// Creates an error for a defect of opctl itself.
    pub fn bug(message: impl Into<String>) -> Self {
        Self::new(Category::Bug, message)
    }

    /// Creates an error for an interrupt by the user.
    pub fn interrupted(message: impl Into<String>) -> Self {
        Self::new(Category::Interrupted, message)
    }

    /// Sets the hint, which consists of one or more lines to run or to paste.
    #[must_use]
    pub fn hint(mut self, hint: impl Into<Hint>) -> Self {
        self.0.hint = Some(hint.into());
        self
    }

    /// Adds a cause as the next line of the `caused by:` chain. The outermost cause comes first.
    #[must_use]
    pub fn caused_by(mut self, cause: impl std::fmt::Display) -> Self {
        self.0.causes.push(cause.to_string());
        self
    }

    /// Removes the causes, for a caller that shows the causes in other words.
    #[must_use]
    pub fn without_causes(mut self) -> Self {
        self.0.causes.clear();
        self
    }

    /// Adds an error and all its sources as causes to the `caused by:` chain.
    #[must_use]
    pub fn source(mut self, error: &dyn std::error::Error) -> Self {
        let mut next = Some(error);
        while let Some(error) = next {
            let text = error.to_string();
            // Many error types repeat their source's text in their own.
            if !self.0.causes.last().is_some_and(|last| last.contains(&text)) {
                self.0.causes.push(text);
            }
            next = error.source();
        }
        self
    }

    /// Adds the findings of a check to the error. The findings are shown separately, above the error.
    #[must_use]
    pub fn with_findings(mut self, findings: Vec<Finding>) -> Self {
        self.0.findings.extend(findings);
        self
    }

    /// Returns the findings that are shown above the error.
    pub fn findings(&self) -> &[Finding] {
        &self.0.findings
    }

    /// Returns the category of the error, which tells who can fix the error.
    pub fn category(&self) -> Category {
        self.0.category
    }

    /// Returns the message, which is the first line of the error.
    pub fn message(&self) -> &str {
        &self.0.message
    }

    /// Returns the causes, outermost first.
    pub fn causes(&self) -> &[String] {
        &self.0.causes
    }

    /// Returns the text of the hint, if any.
    pub fn hint_text(&self) -> Option<&str> {
        self.0.hint.as_ref().map(Hint::as_str)
    }

    /// Returns the hint for use in another hint; empty if the error has no hint.
    pub fn hint_or_none(&self) -> Hint {
        self.0.hint.clone().unwrap_or_default()
    }
}

impl std::fmt::Display for Error {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0.message)?;
        for cause in &self.0.causes {
            write!(formatter, ": {cause}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}
