//! Prints lines of logs.

use super::stream::Line;
use crate::Error;
use crate::report::{Console, Outcome, Report};
use serde_json::json;

/// A printer of log lines, which also collects errors.
pub(super) struct Printer<'a> {
    pub(super) console: &'a Console,
    pub(super) container: &'a str,
    /// True if each line begins with the pod's name.
    pub(super) names_pods: bool,
    pub(super) printed: bool,
    pub(super) failures: Vec<Error>,
}

impl<'a> Printer<'a> {
    pub(super) fn new(console: &'a Console, container: &'a str, names_pods: bool) -> Self {
        Printer { console, container, names_pods, printed: false, failures: Vec::new() }
    }

    /// Prints the text of the line and returns `None`; if the line has an error in place of a text, prints nothing and
    /// returns the error.
    pub(super) fn print(&mut self, Line { pod, text }: Line) -> Option<Error> {
        match text {
            Ok(text) if self.console.json() => {
                let data = json!({"pod": pod, "container": self.container, "line": text});
                self.console.report_line(&Report { data: Some(data), ..Report::new("logs", Outcome::Shown) });
            }
            Ok(text) if self.names_pods => self.console.document(&format!("[{pod}] {text}")),
            Ok(text) => self.console.document(&text),
            Err(error) => return Some(error),
        }
        self.printed = true;
        None
    }
}
