//! The names of samples.

use super::children;
use super::controlled::ControllerOfKind;
use crate::model::{Project, Resource};

/// Returns the maximum length of the name of a `resource` object; 0 without a limit. The limit follows from the names
/// of the object's children, which derive from the object's name.
pub(super) fn longest_name(project: &Project, resource: &Resource) -> usize {
    let versions = || project.resources.iter().filter(|other| other.is_of_kind_of(resource));
    let own = [resource].into_iter().chain(versions());
    let mut controlled =
        own.filter_map(|resource| Some(ControllerOfKind { resource, controller: resource.controllers.first()? }));
    controlled.next().map_or(0, |controlled| children::longest_name(&children::owned_children(controlled)))
}

/// Returns `name` followed by `end`. Shortens `name` if the result would exceed `longest`, unless `longest` is 0.
pub(super) fn sample_name(name: &str, end: &str, longest: usize) -> String {
    let room = if longest == 0 { usize::MAX } else { longest.saturating_sub(end.len()) };
    let start: String = name.chars().take(room).collect();
    format!("{}{end}", start.trim_end_matches(['-', '.']))
}

#[cfg(test)]
mod tests {
    use super::sample_name;

    #[test]
    fn a_name_is_as_long_as_the_rule_allows() {
        let long = "a".repeat(60);
        for (name, end, longest, expected) in [
            ("disk", "-sample", 52, "disk-sample"),
            ("disk", "-sample-v1", 0, "disk-sample-v1"),
            (&*long, "-sample", 52, &format!("{}-sample", "a".repeat(45))),
            (&*long, "-sample", 0, &format!("{long}-sample")),
            ("database-sample", "-v1", 12, "database-v1"),
        ] {
            assert_eq!(sample_name(name, end, longest), *expected);
        }
    }
}
