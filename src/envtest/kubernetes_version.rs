//! Versions of Kubernetes, and the expressions that select a version, with the same syntax as in setup-envtest
//! (pkg/versions/parse.go of controller-runtime's tools/setup-envtest).

use crate::error::hint;
use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The version that is built from source by default. The embedded go.mod and go.sum pin its modules.
pub const PINNED: Version = Version { major: 1, minor: 36, patch: 4 };

/// A released version of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Version {
    /// The major version, which is always 1 so far.
    pub major: u32,
    /// The minor version, such as 36 in `1.36.4`.
    pub minor: u32,
    /// The patch version, such as 4 in `1.36.4`.
    pub patch: u32,
}

impl fmt::Display for Version {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}.{}.{}", self.major, self.minor, self.patch)
    }
}

impl Version {
    /// Parses `X.Y.Z`, with or without a leading `v`. Returns `None` for any other text, including pre-releases.
    pub fn parse(text: &str) -> Option<Self> {
        match numbers(text.strip_prefix('v').unwrap_or(text))?[..] {
            [major, minor, patch] => Some(Version { major, minor, patch }),
            _ => None,
        }
    }
}

/// An expression that selects versions of Kubernetes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selector {
    wanted: VersionSelector,
    /// True if the newest published version is wanted, even if another matching version is installed (a trailing `!`).
    pub remote: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum VersionSelector {
    Exactly(Version),
    Line { major: u32, minor: u32, least_patch: u32 },
    Below { limit: Version, inclusive: bool },
    Any,
    AnyOnDisk,
}

impl Default for Selector {
    /// Returns a selector of any patch version of the minor version of [`PINNED`].
    fn default() -> Self {
        Selector::line(PINNED)
    }
}

impl Selector {
    /// Returns a selector of any patch version of the same minor version as `version`.
    pub fn line(version: Version) -> Self {
        let wanted = VersionSelector::Line { major: version.major, minor: version.minor, least_patch: 0 };
        Selector { wanted, remote: false }
    }

    /// Returns a selector of exactly `version`.
    pub fn exactly(version: Version) -> Self {
        Selector { wanted: VersionSelector::Exactly(version), remote: false }
    }

    /// Returns true if only installed versions may be chosen (`latest-on-disk`).
    pub fn on_disk_only(&self) -> bool {
        self.wanted == VersionSelector::AnyOnDisk
    }

    /// Returns the minor version if the expression selects versions within exactly one minor version of Kubernetes 1,
    /// such as 34 for `1.34`, `~1.34.2` and `1.34.2`. Returns `None` for other expressions, such as an upper limit.
    pub fn minor(&self) -> Option<u32> {
        match self.wanted {
            VersionSelector::Exactly(Version { major: 1, minor, .. })
            | VersionSelector::Line { major: 1, minor, .. } => Some(minor),
            _ => None,
        }
    }

    /// Returns true if the selector selects `version`.
    pub fn matches(&self, version: Version) -> bool {
        match self.wanted {
            VersionSelector::Exactly(exact) => version == exact,
            VersionSelector::Line { major, minor, least_patch } => {
                (version.major, version.minor) == (major, minor) && version.patch >= least_patch
            }
            VersionSelector::Below { limit, inclusive } => version < limit || (inclusive && version == limit),
            VersionSelector::Any | VersionSelector::AnyOnDisk => true,
        }
    }

    /// Returns the newest version in `versions` that matches.
    pub fn newest(&self, versions: impl IntoIterator<Item = Version>) -> Option<Version> {
        versions.into_iter().filter(|version| self.matches(*version)).max()
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.wanted {
            VersionSelector::Exactly(version) => write!(formatter, "{version}"),
            VersionSelector::Line { major, minor, least_patch: 0 } => write!(formatter, "{major}.{minor}"),
            VersionSelector::Line { major, minor, least_patch } => write!(formatter, "~{major}.{minor}.{least_patch}"),
            VersionSelector::Below { limit, inclusive } => {
                write!(formatter, "<{}{limit}", if inclusive { "=" } else { "" })
            }
            VersionSelector::Any => formatter.write_str("latest"),
            VersionSelector::AnyOnDisk => formatter.write_str("latest-on-disk"),
        }?;
        if self.remote && self.wanted != VersionSelector::Any { formatter.write_str("!") } else { Ok(()) }
    }
}

impl FromStr for Selector {
    type Err = Error;

    fn from_str(text: &str) -> Result<Self> {
        let invalid = || {
            Error::usage(format!("`{text}` is not a Kubernetes version"))
                .caused_by("a version is `X.Y.Z`, `X.Y`, `X.Y.x`, `~X.Y.Z`, `<X.Y`, `latest` or `latest-on-disk`")
                .hint(hint!("opctl envtest setup {PINNED}", PINNED))
        };
        let (body, remote) = match text.strip_suffix('!') {
            Some(body) => (body, true),
            None => (text, false),
        };
        let wanted = match body {
            "latest" => return Ok(Selector { wanted: VersionSelector::Any, remote: true }),
            "latest-on-disk" if !remote => VersionSelector::AnyOnDisk,
            _ => parse_version_selector(body).ok_or_else(invalid)?,
        };
        Ok(Selector { wanted, remote })
    }
}

fn parse_version_selector(text: &str) -> Option<VersionSelector> {
    if let Some(rest) = text.strip_prefix('<') {
        let (rest, inclusive) = match rest.strip_prefix('=') {
            Some(rest) => (rest, true),
            None => (rest, false),
        };
        let limit = match numbers(rest)?[..] {
            [major, minor] => Version { major, minor, patch: 0 },
            [major, minor, patch] => Version { major, minor, patch },
            _ => return None,
        };
        return Some(VersionSelector::Below { limit, inclusive });
    }
    if let Some(rest) = text.strip_prefix('~') {
        let Version { major, minor, patch } = Version::parse(rest)?;
        return Some(VersionSelector::Line { major, minor, least_patch: patch });
    }
    let text = text.strip_prefix('v').unwrap_or(text);
    let line = ["x", "X", "*"].iter().find_map(|any| text.strip_suffix(any)?.strip_suffix('.'));
    match (line, &numbers(line.unwrap_or(text))?[..]) {
        (_, &[major, minor]) => Some(VersionSelector::Line { major, minor, least_patch: 0 }),
        (None, &[major, minor, patch]) => Some(VersionSelector::Exactly(Version { major, minor, patch })),
        _ => None,
    }
}

/// Parses numbers that are separated by dots, such as `1.34.2`. Returns `None` if a part is not a number in canonical
/// form, such as `034`.
fn numbers(text: &str) -> Option<Vec<u32>> {
    let number = |part: &str| part.parse().ok().filter(|number: &u32| number.to_string() == part);
    text.split('.').map(number).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn selector(text: &str) -> Selector {
        text.parse().unwrap()
    }

    #[test]
    fn expressions_select_what_setup_envtest_selects() {
        let published = ["1.35.0", "1.36.0", "1.36.2", "1.34.1", "1.34.0"].map(|text| Version::parse(text).unwrap());
        for (expression, chosen) in [
            ("1.36.0", Some("1.36.0")),
            ("v1.36.0", Some("1.36.0")),
            ("1.36.1", None),
            ("1.36", Some("1.36.2")),
            ("1.34.x", Some("1.34.1")),
            ("1.34.*", Some("1.34.1")),
            ("1.34.X!", Some("1.34.1")),
            ("~1.34.1", Some("1.34.1")),
            ("~1.34.2", None),
            ("<1.36", Some("1.35.0")),
            ("<=1.36", Some("1.36.0")),
            ("<=1.34.0", Some("1.34.0")),
            ("latest", Some("1.36.2")),
            ("latest-on-disk", Some("1.36.2")),
        ] {
            let newest = selector(expression).newest(published).map(|version| version.to_string());
            assert_eq!(newest.as_deref(), chosen, "{expression}");
        }
    }

    #[test]
    fn only_some_expressions_ask_for_what_is_published() {
        assert!(selector("1.36!").remote && selector("latest").remote);
        assert!(!selector("1.36").remote && !selector("latest-on-disk").remote);
        assert!(selector("latest-on-disk").on_disk_only());
        assert!(selector("1.36.4").matches(PINNED));
        assert!(Selector::default().matches(PINNED));
    }

    #[test]
    fn invalid_version_selectors_are_refused() {
        for text in
            ["", "1", "1.36.4.5", "1.036", "1.36.4-rc.1", "newest", "latest-on-disk!", "x.36", "1.x", "~1.36", "1.36 "]
        {
            let error = text.parse::<Selector>().unwrap_err();
            assert_eq!(error.category().exit_code(), 2, "{text}");
        }
    }

    #[test]
    fn a_selector_is_shown_as_it_is_written() {
        for text in ["1.36.4", "1.36", "~1.36.2", "<1.36.0", "<=1.36.1", "latest", "latest-on-disk", "1.36!"] {
            assert_eq!(selector(text).to_string(), text);
        }
    }
}
