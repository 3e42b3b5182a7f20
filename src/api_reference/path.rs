//! The paths of objects, written as in YAML or as anchors.

use crate::schema::Step;

/// The steps from a resource to an object in the resource, such as `spec`, `ports[]`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Path(Vec<String>);

impl Path {
    /// Returns the path with one more step.
    pub(super) fn step(&self, step: Step<'_>) -> Self {
        match step {
            Step::Field(name) => Path(self.0.iter().cloned().chain([name.to_owned()]).collect()),
            Step::Item => self.with_suffix("[]"),
            Step::Value => self.with_suffix("{}"),
        }
    }

    fn with_suffix(&self, end: &str) -> Self {
        let mut path = self.clone();
        if let Some(last) = path.0.last_mut() {
            last.push_str(end);
        }
        path
    }

    /// Returns the number of fields on the path.
    pub(super) fn depth(&self) -> usize {
        self.0.len()
    }

    /// Returns an anchor that consists of `base` and the path. Characters that are not allowed in an anchor become `_`.
    pub(super) fn anchor(&self, base: &str) -> String {
        let mut anchor = base.to_owned();
        for (index, step) in self.0.iter().enumerate() {
            anchor.push(if index == 0 { '-' } else { '.' });
            let name = step.trim_end_matches(['[', ']', '{', '}']);
            let plain = |one: char| one.is_ascii_alphanumeric() || one == '-' || one == '_';
            anchor.extend(name.chars().map(|one| if plain(one) { one } else { '_' }));
        }
        anchor
    }

    /// Returns the longest end that all `paths` share, such as `secret.key` for the paths `spec.a.secret.key` and
    /// `spec.b.secret.key`. If the paths do not share even the last step, returns the whole first path.
    pub(super) fn common_suffix(paths: &[&Path]) -> String {
        let Some((first, others)) = paths.split_first() else { return String::new() };
        let both = |other: &&Path| {
            let pairs = first.0.iter().rev().zip(other.0.iter().rev());
            pairs.take_while(|(one, two)| one == two).count()
        };
        let length = others.iter().map(both).min().filter(|length| *length > 0).unwrap_or(first.0.len());
        first.0[first.0.len() - length..].join(".")
    }
}

impl std::fmt::Display for Path {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str(&self.0.join("."))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_anchor_can_stand_in_an_address() {
        let steps = [Step::Field("spec"), Step::Field("größe"), Step::Item, Step::Value, Step::Field("a.b c")];
        let path = steps.into_iter().fold(Path::default(), |path, step| path.step(step));
        assert_eq!(path.to_string(), "spec.größe[]{}.a.b c");
        assert_eq!(path.anchor("example.com-v1-Shop"), "example.com-v1-Shop-spec.gr__e.a_b_c");
        assert_eq!(Path::default().anchor("base"), "base");
    }

    #[test]
    fn several_paths_are_named_by_their_common_end() {
        let path = |names: &[&str]| names.iter().fold(Path::default(), |path, name| path.step(Step::Field(name)));
        let one = path(&["spec", "a", "secret", "key"]);
        let (two, three) = (path(&["spec", "b", "secret", "key"]), path(&["status", "other"]));
        assert_eq!(Path::common_suffix(&[&one, &two]), "secret.key");
        assert_eq!(Path::common_suffix(&[&one, &two, &three]), "spec.a.secret.key");
        assert_eq!(Path::common_suffix(&[&one]), "spec.a.secret.key");
    }
}
