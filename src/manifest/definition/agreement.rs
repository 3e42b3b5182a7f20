//! Checks that the versions of a kind fit into one CRD, for example that all versions have the same scope.

use super::kind_version::{Version, text};
use crate::finding::{Finding, Lint};
use crate::manifest::lint;

pub(crate) static SAME_VERSION: Lint = Lint::error(
    "OP214",
    "two types for the same version of a kind",
    "The server says `must contain unique version names`.",
    "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")] // twice",
    "#[kube(group = \"example.com\", version = \"v2\", kind = \"Foo\")] // the second time",
);

pub(crate) static UNLIKE_NAMES: Lint = Lint::error(
    "OP215",
    "versions of a kind that differ in plural, singular or scope",
    "All versions of a kind share one CRD, with one plural, one singular and one scope.",
    "#[kube(version = \"v1\", kind = \"Foo\", namespaced)]\n#[kube(version = \"v2\", kind = \"Foo\")]",
    "#[kube(version = \"v1\", kind = \"Foo\", namespaced)]\n#[kube(version = \"v2\", kind = \"Foo\", namespaced)]",
);

pub(crate) static NONE_STORED: Lint = Lint::error(
    "OP216",
    "a kind without a storage version",
    "The server says `must have exactly one version marked as storage version`.",
    "#[kube(version = \"v1\", kind = \"Foo\", storage = false)] // the only version",
    "#[kube(version = \"v1\", kind = \"Foo\")]",
);

pub(crate) static SEVERAL_STORED: Lint = Lint::error(
    "OP217",
    "a kind with several storage versions",
    "The server says `must have exactly one version marked as storage version`; by default, kube marks every version.",
    "#[kube(version = \"v1\", kind = \"Foo\")]\n#[kube(version = \"v2\", kind = \"Foo\")]",
    "#[kube(version = \"v1\", kind = \"Foo\", storage = false)]\n#[kube(version = \"v2\", kind = \"Foo\")]",
);

fn version_label(version: &Version) -> String {
    format!("`{}` ({})", version.api_type.path, version.api_type.place())
}

pub(super) fn list(versions: &[&Version]) -> String {
    versions.iter().map(|version| version_label(version)).collect::<Vec<_>>().join(", ")
}

/// Reports versions of a kind that cannot be in one CRD, such as versions with different scopes or with the same name.
pub(super) fn agree(versions: &[Version]) -> Vec<Finding> {
    let mut findings = Vec::new();
    let [first, rest @ ..] = versions else { return findings };
    let kind = &first.api_type.resource.kind;
    for pair in versions.windows(2) {
        if pair[0].api_type.resource.version == pair[1].api_type.resource.version {
            let version = &pair[0].api_type.resource.version;
            let types = list(&[&pair[0], &pair[1]]);
            let reason = format!("`{kind}` has two types for the version `{version}`: {types}");
            let hint = "give one of the types another `version`, or remove it";
            findings.push(lint::of_type(pair[1].api_type, ("version", 0), &SAME_VERSION, reason, hint));
        }
    }
    for (pointer, word, attribute) in [
        ("/spec/names/plural", "plural", "plural = \"..\""),
        ("/spec/names/singular", "singular", "singular = \"..\""),
        ("/spec/scope", "scope", "namespaced"),
    ] {
        if let Some(other) = rest.iter().find(|other| text(&other.crd, pointer) != text(&first.crd, pointer)) {
            let (one, two) = (text(&first.crd, pointer), text(&other.crd, pointer));
            let types = list(&[first, other]);
            let reason = format!("the versions of `{kind}` disagree about the {word}, `{one}` and `{two}`: {types}");
            let hint = format!("write the same `#[kube({attribute})]` on both types, or on neither");
            let name = attribute.split(' ').next().unwrap_or_default();
            findings.push(lint::of_type(other.api_type, (name, 0), &UNLIKE_NAMES, reason, hint));
        }
    }
    let stored: Vec<&Version> = versions.iter().filter(|version| version.api_type.resource.storage).collect();
    match stored.as_slice() {
        [_] => {}
        [] => {
            let types = list(&versions.iter().collect::<Vec<_>>());
            let reason = format!("no version of `{kind}` is the storage version: {types}");
            let hint = "remove `storage = false` from one of the versions";
            findings.push(lint::of_type(first.api_type, ("storage", 0), &NONE_STORED, reason, hint));
        }
        [.., last] => {
            let (count, types) = (stored.len(), list(&stored));
            let reason =
                format!("{count} versions of `{kind}` are marked as the storage version, but only one can be: {types}");
            let hint = "add `storage = false` to the `#[kube(..)]` of all versions but one; kube's default is true";
            findings.push(lint::of_type(last.api_type, ("storage", 0), &SEVERAL_STORED, reason, hint));
        }
    }
    findings
}
