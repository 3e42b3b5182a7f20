//! The plays of an upgrade: each play is a sequence of events around the change to the new version.

use crate::error::{Hint, hint};
use crate::{Error, Result};
use std::fmt;

/// The number of plays that kill the new version: after its first write, after its second write, and so on.
const CRASHES: u8 = 3;

/// A play of an upgrade: a sequence of events to test. `--replay` and `--only` take the name of a play.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Play {
    /// The new CRDs are applied over the old CRDs, and tested with objects that the old CRDs accept.
    Definitions,
    /// The new version takes over the objects that the old version has made.
    Upgrade,
    /// An object is created while no version runs.
    Create,
    /// A field is changed while no version runs.
    Change,
    /// An object is deleted while no version runs.
    Delete,
    /// An object is deleted after the upgrade.
    DeleteAfter,
    /// Both versions run at the same time for a while, as in a rolling update.
    Beside,
    /// The new version is killed after one of its first writes: 1 means the first write.
    Crash(u8),
    /// The old version takes over again, with the new CRDs.
    Back,
    /// An object is deleted after the old version has taken over again.
    DeleteBack,
    /// The old version takes over again, with the old CRDs.
    BackDefinitions,
    /// The new version takes over for the second time, after the rollback.
    Forward,
}

impl Play {
    /// Returns the play with this name. `again`, the command line of the current exploration, is the basis of the
    /// error's hint to list the plays.
    ///
    /// # Errors
    /// Fails if no play has this name.
    pub fn from_name(name: &str, again: &Hint) -> Result<Play> {
        Play::all().into_iter().find(|play| play.to_string() == name).ok_or_else(|| {
            Error::usage(format!(
                "`{name}` is not one of the plays, the sequences of upgrade events that opctl can \
                                  test"
            ))
            .caused_by(Play::names())
            .hint(hint!("{again} --list    # describes the upgrade events that each play tests", again))
        })
    }

    /// Returns a sentence with the names of all plays.
    pub(super) fn names() -> String {
        let names: Vec<_> = Play::all().iter().map(ToString::to_string).collect();
        format!("the plays are `{}`", names.join("`, `"))
    }

    /// Returns all plays, in the order of the variants of [`Play`].
    pub fn all() -> Vec<Play> {
        use Play::{
            Back, BackDefinitions, Beside, Change, Create, Definitions, Delete, DeleteAfter, DeleteBack, Forward,
        };
        let first = [Definitions, Play::Upgrade, Create, Change, Delete, DeleteAfter, Beside];
        let crashes = (1..=CRASHES).map(Play::Crash);
        first.into_iter().chain(crashes).chain([Back, DeleteBack, BackDefinitions, Forward]).collect()
    }

    /// Returns the description of the play for `--list`.
    pub fn description(self) -> &'static str {
        match self {
            Play::Definitions => {
                "the new CRDs are applied over the old CRDs, and are checked with objects that the old CRDs accept"
            }
            Play::Upgrade => "the new version takes over the objects of the old version",
            Play::Create => "an object is created while no version runs",
            Play::Change => "a field is changed while no version runs",
            Play::Delete => "an object is deleted while no version runs",
            Play::DeleteAfter => "an object is deleted after the upgrade",
            Play::Beside => "both versions run for a while, as in a rolling update",
            Play::Crash(_) => "the new version is killed after one of its first writes",
            Play::Back => "the old version takes over again, with the new CRDs",
            Play::DeleteBack => "an object is deleted after the old version has taken over again",
            Play::BackDefinitions => "the old CRDs are applied again",
            Play::Forward => "the new version takes over for the second time",
        }
    }

    /// Returns a phrase for messages that names this sequence of upgrade events, such as "after the upgrade".
    pub(super) fn phrase(self) -> &'static str {
        match self {
            Play::Definitions => "with the new CRDs",
            Play::Upgrade => "after the upgrade",
            Play::Create => "after an object was created during the upgrade",
            Play::Change => "after a field was changed during the upgrade",
            Play::Delete => "after a deletion during the upgrade",
            Play::DeleteAfter => "after a deletion by the new version",
            Play::Beside => "while both versions run",
            Play::Crash(_) => "after a crash of the new version",
            Play::Back => "after the rollback",
            Play::DeleteBack => "after the rollback and a deletion",
            Play::BackDefinitions => "after the rollback to the old CRDs",
            Play::Forward => "after the second upgrade",
        }
    }

    /// Returns true if the old version takes over again from the new version in the play.
    pub(super) fn is_way_back(self) -> bool {
        matches!(self, Play::Back | Play::DeleteBack | Play::BackDefinitions)
    }
}

impl fmt::Display for Play {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Play::Definitions => "crds",
            Play::Upgrade => "upgrade",
            Play::Create => "upgrade@create",
            Play::Change => "upgrade@change",
            Play::Delete => "upgrade@delete",
            Play::DeleteAfter => "delete",
            Play::Beside => "beside",
            Play::Crash(number) => return write!(f, "crash#{number}"),
            Play::Back => "back",
            Play::DeleteBack => "back@delete",
            Play::BackDefinitions => "back@crds",
            Play::Forward => "forward",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_play_is_read_as_it_is_written() {
        let again = Hint::from("opctl explore --from v1.0.0");
        for play in Play::all() {
            assert_eq!(Play::from_name(&play.to_string(), &again).unwrap(), play);
        }
        assert_eq!(Play::all().len(), 14);
        assert!(Play::from_name("crash#9", &again).unwrap_err().causes()[0].contains("`crash#3`"));
    }
}
