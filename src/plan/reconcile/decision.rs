//! The table by which every command decides about a file.

/// A file in the working tree, compared with the text that opctl generated for it before the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// No file, and opctl generated none.
    Absent,
    /// No file: the user deleted the one that opctl generated.
    Deleted,
    /// The file already has the text that opctl generates after the command.
    UpToDate,
    /// The file is as opctl generates it for the project before the command.
    Pristine,
    /// The file is as an earlier opctl generated it, and this opctl generates another text.
    Stale,
    /// The user edited the file that opctl generated.
    Edited,
    /// The user made the file, and opctl has inserted lines into it.
    Shared,
    /// A file of the user's that opctl does not know.
    Foreign,
    /// Git has not merged the changes of two branches to the file.
    Conflicted,
}

/// The text that opctl generates for the project after the command, compared with the one before.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// No text.
    Nothing,
    /// The same text.
    Same,
    /// Another text.
    Other,
}

/// The decision about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Leave the file, or its absence, as it is.
    Keep,
    /// Create the file.
    Create,
    /// Record the text, which the file has already.
    Record,
    /// Replace the file by the text that opctl generates now.
    Replace,
    /// Change the user's text as opctl's own text changes.
    Merge,
    /// Take what opctl inserted out of a file of the user's.
    TakeOut,
    /// Remove the file.
    Remove,
    /// Remove a missing file from the ledger.
    Forget,
    /// The file has lines of the user's that would be lost: refuse, leave it to the user, or obey `--force`.
    Contest,
}

/// Decides about a file.
pub(super) fn decide(state: State, next: Next) -> Decision {
    match next {
        Next::Nothing => match state {
            State::Absent | State::Deleted => Decision::Forget,
            State::UpToDate | State::Pristine | State::Stale => Decision::Remove,
            State::Edited | State::Conflicted => Decision::Contest,
            State::Shared => Decision::TakeOut,
            State::Foreign => Decision::Keep,
        },
        Next::Same => match state {
            State::Absent => Decision::Create,
            State::UpToDate => Decision::Record,
            State::Deleted | State::Pristine | State::Stale | State::Edited | State::Shared | State::Conflicted => {
                Decision::Keep
            }
            State::Foreign => Decision::Contest,
        },
        Next::Other => match state {
            State::Absent => Decision::Create,
            State::Deleted => Decision::Keep,
            State::UpToDate => Decision::Record,
            State::Pristine => Decision::Replace,
            State::Stale | State::Edited | State::Shared | State::Conflicted => Decision::Merge,
            State::Foreign => Decision::Contest,
        },
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATES: [State; 9] = [
        State::Absent,
        State::Deleted,
        State::UpToDate,
        State::Pristine,
        State::Stale,
        State::Edited,
        State::Shared,
        State::Foreign,
        State::Conflicted,
    ];
    const NEXT: [Next; 3] = [Next::Nothing, Next::Same, Next::Other];

    /// A text of the user's is never replaced or removed by the table: it is kept, merged, or contested.
    #[test]
    fn no_decision_drops_lines_of_the_user() {
        for state in [State::Edited, State::Shared, State::Foreign, State::Conflicted] {
            for next in NEXT {
                let decision = decide(state, next);
                let destroys = [Decision::Create, Decision::Replace, Decision::Remove, Decision::Forget];
                assert!(!destroys.contains(&decision), "{state:?} {next:?}: {decision:?}");
            }
        }
    }

    /// A command that generates the same text as before writes nothing into an existing or a deleted file.
    #[test]
    fn the_same_text_changes_no_file() {
        for state in STATES.into_iter().filter(|state| *state != State::Absent) {
            let decision = decide(state, Next::Same);
            assert!(
                [Decision::Keep, Decision::Record, Decision::Contest].contains(&decision),
                "{state:?}: {decision:?}"
            );
        }
    }

    #[test]
    fn a_file_that_is_not_there_is_neither_replaced_nor_merged() {
        for state in [State::Absent, State::Deleted] {
            for next in NEXT {
                let decision = decide(state, next);
                assert!(
                    [Decision::Keep, Decision::Create, Decision::Forget].contains(&decision),
                    "{state:?} {next:?}: {decision:?}"
                );
            }
        }
    }
}
