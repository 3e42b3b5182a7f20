//! A marker in a comment.

use super::arguments::{self, Argument};
use super::comments::{Comment, line_comments};
use super::error::MarkerError;
use super::marker_names;
use crate::finding::{Finding, Lint};
use std::path::Path;

pub(crate) static UNKNOWN_MARKER: Lint = Lint::error(
    "OP405",
    "a marker with an unknown name",
    "A marker with an unknown name would be silently ignored and have no effect.",
    "// +opctl:rback:groups=apps,resources=deployments,verbs=get",
    "// +opctl:rbac:groups=apps,resources=deployments,verbs=get",
);

/// A marker in a comment, with arguments that are not parsed yet.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct Marker<'a> {
    /// The name after the prefix, such as `rbac`.
    pub(crate) name: &'static str,
    pub(crate) file: &'a Path,
    /// The line number, from 1.
    pub(crate) line: usize,
    /// The column of the `+`, from 1.
    pub(crate) column: usize,
    arguments: &'a str,
    /// The column of the first argument.
    start: usize,
}

impl Marker<'_> {
    /// Parses the arguments of the marker.
    pub(crate) fn arguments(&self) -> Result<Vec<Argument>, MarkerError> {
        arguments::read(self.arguments, self.start)
    }
}

/// Returns the markers of a file that grant rights or declare webhooks, and a finding for each misspelled name.
pub(crate) fn markers<'a>(file: &'a Path, source: &'a str) -> (Vec<Marker<'a>>, Vec<Finding>) {
    let (mut markers, mut findings) = (Vec::new(), Vec::new());
    for comment in line_comments(source) {
        match marker(file, comment) {
            Ok(marker) => markers.extend(marker),
            Err(wrong) => findings.push(wrong.into_finding(&UNKNOWN_MARKER, file, comment.line)),
        }
    }
    (markers, findings)
}

fn marker<'a>(file: &'a Path, comment: Comment<'a>) -> Result<Option<Marker<'a>>, MarkerError> {
    let trimmed = comment.text.trim_start();
    let column = comment.column + comment.text.chars().count() - trimmed.chars().count();
    let Some((prefix, rest)) = marker_names::split_prefix(trimmed) else { return Ok(None) };
    let length = rest.find([':', '=', ' ']).unwrap_or(rest.len());
    let Some(name) = marker_names::known_name(prefix, &rest[..length], column)? else { return Ok(None) };
    let arguments = rest[length..].strip_prefix(':').unwrap_or(&rest[length..]).trim_end();
    let start = column + trimmed.trim_end().chars().count() - arguments.chars().count();
    Ok(Some(Marker { name, file, line: comment.line, column, arguments, start }))
}

#[cfg(test)]
mod tests {
    use super::markers;
    use std::path::Path;

    #[test]
    fn markers_are_found_and_slips_of_the_pen_too() {
        let source = "\
// +opctl:rbac:groups=apps
//+kubebuilder:webhook:path=/a
fn f() { // +opctl:webhookconfiguration:mutating=true,name=a
}
// + opctl:rbac:groups=apps
// about +opctl:rbac:groups=apps
// +kubebuilder:object:root=true
// +opctl:scaffold:imports
// +opctl:rbca:groups=apps
// +kubebuilder:webhok:path=/a
    // +opctl:nonsense:path=/a
";
        let (found, findings) = markers(Path::new("a.rs"), source);
        let found: Vec<_> = found.iter().map(|marker| (marker.name, marker.line, marker.column)).collect();
        assert_eq!(found, [("rbac", 1, 4), ("webhook", 2, 3), ("webhookconfiguration", 3, 13)]);
        let said: Vec<String> =
            findings.iter().map(|finding| format!("{} {} {}", finding.place(), finding.reason, finding.hint)).collect();
        assert_eq!(
            said,
            [
                "a.rs:9:5 there is no marker `+opctl:rbca` did you mean `+opctl:rbac:`?",
                "a.rs:10:5 there is no marker `+kubebuilder:webhok` did you mean `+kubebuilder:webhook:`?",
                "a.rs:11:9 there is no marker `+opctl:nonsense` opctl knows `+opctl:allow:`, `+opctl:rbac:`, \
                 `+opctl:scaffold:`, `+opctl:webhook:` and `+opctl:webhookconfiguration:`",
            ]
        );
    }
}
