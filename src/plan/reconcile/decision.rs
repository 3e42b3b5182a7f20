//! The table that maps the state of a file and its newly generated text to a decision, for all commands.

/// The state of a file in the working tree, relative to the text that opctl generated before the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum State {
    /// The file is missing, and opctl has not generated the file before.
    Absent,
    /// The file is missing: the user deleted the file that opctl generated.
    Deleted,
    /// The file already has the text that opctl generates after the command.
    UpToDate,
    /// The file has the text that opctl generated for the project before the command.
    Pristine,
    /// The file has the text that an earlier opctl generated, and this opctl generates another text.
    Stale,
    /// The user edited the file that opctl generated.
    Edited,
    /// The user created the file, and opctl has inserted lines into the file.
    Shared,
    /// The file belongs to the user, and opctl does not know the file.
    Foreign,
    /// Git has left the file unmerged after changes on two branches.
    Conflicted,
}

/// The text that opctl generates for a file after the command, compared with the text before the command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Next {
    /// opctl generates no text.
    Nothing,
    /// opctl generates the same text after the command as before the command.
    Same,
    /// opctl generates another text after the command than before the command.
    Other,
}

/// The decision about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Decision {
    /// Leave the file as it is, whether the file exists or not.
    Keep,
    /// Create the file.
    Create,
    /// Record the hash of the file's present text in the ledger (`.opctl/files.yaml`).
    Record,
    /// Replace the file's text with the text that opctl generates now.
    Replace,
    /// Merge the changes of opctl's text into the user's text.
    Merge,
    /// Remove from the user's file the lines that opctl inserted.
    TakeOut,
    /// Remove the file.
    Remove,
    /// Remove the entry of a missing file from `.opctl/files.yaml`.
    Forget,
    /// Let the rules of the command decide, because lines that the user wrote would be lost: the command fails, keeps
    /// the file or, with `--force`, discards the lines.
    Contest,
}

/// Returns the decision about a file with this state and this newly generated text.
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

    /// The decision table never replaces or removes a file that has lines of the user.
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
