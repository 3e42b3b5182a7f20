//! The rules by which commands differ, and the loop that carries out the decisions about all files.

use super::decision::{Decision, decide};
use super::draft::Draft;
use super::file::{Combined, File};
use crate::Result;

/// The ways in which commands differ: each merges edited files by a rule of its own, and has an answer for lines of the
/// user's that would be lost.
pub(super) trait Rules {
    /// Changes the user's text as opctl's own text changes; `None` if the file stays as it is.
    fn merge(&mut self, file: &File<'_>, ours: &str) -> Result<Option<Combined>>;

    /// Takes the insertions of opctl out of a file of the user's.
    fn take_out(&mut self, _: &File<'_>, ours: &str) -> Result<String> {
        Ok(ours.to_owned())
    }

    /// Decides about a file whose lines would be lost.
    fn contest(&mut self, _: &File<'_>, _: &mut Draft<'_>) {}

    /// Takes note of a file that stays as it is.
    fn keep(&mut self, _: &File<'_>, _: &mut Draft<'_>) {}
}

/// Decides about all files.
///
/// # Errors
/// Fails if a command's rules refuse a merge.
pub(super) fn reconcile(files: Vec<File<'_>>, rules: &mut dyn Rules, draft: &mut Draft<'_>) -> Result<()> {
    draft.relocate(&files);
    for file in files {
        let (text, ours) = (file.after.map_or("", |after| after.text.as_str()), file.ours.unwrap_or_default());
        match decide(file.state, file.next) {
            Decision::Keep => rules.keep(&file, draft),
            Decision::Create | Decision::Replace => draft.generate(&file, text),
            Decision::Record => draft.up_to_date(&file, text),
            Decision::Merge => {
                if let Some(combined) = rules.merge(&file, ours)? {
                    draft.merge(&file, combined);
                }
            }
            Decision::TakeOut => draft.put(&file, &rules.take_out(&file, ours)?),
            Decision::Remove => draft.remove(file.from),
            Decision::Forget => draft.forget(file.from),
            Decision::Contest => rules.contest(&file, draft),
        }
    }
    Ok(())
}
