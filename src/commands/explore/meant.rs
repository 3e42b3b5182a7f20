//! Reads the findings that `tests/explore.toml` marks as intended. Each entry states a reason and the release from
//! which the upgrade begins; the entry has no effect on upgrades from other releases.

use super::remembered::FILE;
use crate::error::Hint;
use crate::explore::upgrade::Meant;
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::{Error, Result};
use std::path::Path;
use toml_edit::{DocumentMut, Table};

const KEY: &str = "meant";
const EXAMPLE: &str = "[[meant]]\nfinding = \"restarts\"\nobject = \"deployments.apps/web\"\nfrom = \"v1.2.0\"\nreason = \"a fix of the image\"";

/// Returns the findings that `tests/explore.toml` marks as intended for an upgrade from the release `reference`.
/// Entries for upgrades from other releases have expired and are left out: a printed note names each entry.
pub(super) fn read_intended_findings(root: &Path, reference: &str, console: &Console) -> Result<Vec<Meant>> {
    let text = reading::text_within(root, FILE, Limit::Settings).unwrap_or_default();
    let (now, expired): (Vec<_>, Vec<_>) = read(&text)?.into_iter().partition(|(from, _)| from == reference);
    for (from, meant) in expired {
        console.note(format!(
            "the entry for the finding `{}` of the object {} in `{FILE}` has expired: the entry is for upgrades from \
             `{from}`, but this upgrade is from `{reference}`",
            meant.finding, meant.object
        ));
    }
    Ok(now.into_iter().map(|(_, meant)| meant).collect())
}

/// Returns the findings that are marked as intended, each with the release from which the upgrade begins.
fn read(text: &str) -> Result<Vec<(String, Meant)>> {
    let wrong = |why: &str| {
        Error::user(format!("the `{KEY}` entries in `{FILE}` are invalid"))
            .caused_by(why.to_owned())
            .hint(Hint::snippet(format!("an entry has these keys:\n{EXAMPLE}")))
    };
    let document: DocumentMut = text
        .parse()
        .map_err(|error: toml_edit::TomlError| Error::user(format!("`{FILE}` is not TOML")).source(&error))?;
    let Some(item) = document.get(KEY) else { return Ok(Vec::new()) };
    let tables = item.as_array_of_tables().ok_or_else(|| wrong("it is not a list of tables"))?;
    let entry = |table: &Table| {
        let text = |key: &str| {
            let text = table.get(key).and_then(toml_edit::Item::as_str).filter(|text| !text.trim().is_empty());
            text.map(str::to_owned).ok_or_else(|| wrong(&format!("an entry has no `{key}`")))
        };
        let meant = Meant { finding: text("finding")?, object: text("object")?, reason: text("reason")? };
        Ok((text("from")?, meant))
    };
    tables.iter().map(entry).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_has_a_reason_and_a_release() {
        let entries = read(&format!("plans = []\n\n{EXAMPLE}\n")).unwrap();
        let [(from, meant)] = &entries[..] else { panic!("{entries:?}") };
        assert_eq!((from.as_str(), meant.object.as_str()), ("v1.2.0", "deployments.apps/web"));
        assert!(read("plans = []").unwrap().is_empty());
        for (text, why) in [
            ("meant = 1", "it is not a list of tables"),
            ("[[meant]]\nfinding = \"restarts\"\nobject = \"a/b\"\nfrom = \"v1\"", "an entry has no `reason`"),
            (
                "[[meant]]\nfinding = \"restarts\"\nobject = \"a/b\"\nfrom = \"v1\"\nreason = \" \"",
                "an entry has no `reason`",
            ),
        ] {
            let error = read(text).unwrap_err();
            assert_eq!(error.message(), "the `meant` entries in `tests/explore.toml` are invalid");
            assert_eq!(error.causes()[0], why);
        }
        assert_eq!(read("[").unwrap_err().message(), "`tests/explore.toml` is not TOML");
    }
}
