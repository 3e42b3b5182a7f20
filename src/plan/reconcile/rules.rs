//! The rules that differ between commands, and the loop that carries out the decisions about all files.

use super::decision::{Decision, decide};
use super::draft::Draft;
use super::file::{Combined, File};
use crate::Result;

/// The rules that differ between commands: how to merge edited files, and how to treat lines of the user that would
/// be lost.
pub(super) trait Rules {
    /// Merges the changes of opctl's text into the user's text; returns `None` if the file stays unchanged.
    fn merge(&mut self, file: &File<'_>, ours: &str) -> Result<Option<Combined>>;

    /// Returns the text of the user's file without opctl's insertions.
    fn take_out(&mut self, _: &File<'_>, ours: &str) -> Result<String> {
        Ok(ours.to_owned())
    }

    /// Handles a file with lines of the user that would be lost.
    fn contest(&mut self, _: &File<'_>, _: &mut Draft<'_>) {}

    /// Handles a file that stays unchanged.
    fn keep(&mut self, _: &File<'_>, _: &mut Draft<'_>) {}
}

/// Decides about each file, and carries out the decision in the draft.
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
