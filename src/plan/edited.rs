//! Applies edits to the text of a file, and creates the errors for edits that fail.

use super::Edit;
use crate::edit::{
    MissingMarker, StillNamed, ensure_lines, insert_at_marker, insert_dependency, insert_feature, insert_module,
    insert_use, remove_entry, remove_line, set_image, set_storage,
};
use crate::error::{Hint, hint};
use crate::model::{IMAGE_PLACEHOLDER, reference_parts};
use crate::{Error, Result, conflict};
use similar::{ChangeTag, TextDiff, TextMerge};

/// Returns the text of the file at `path` after the edit.
///
/// # Errors
/// Fails if the edit cannot be applied, for example because a marker is missing.
pub(super) fn apply_edit(edit: &Edit, text: Option<&str>, path: &str) -> Result<String> {
    let Some(original) = text.or_else(|| makes_file(edit).then_some("")) else { return Err(missing_file(edit, path)) };
    let text = original.replace("\r\n", "\n");
    let edited = match edit {
        Edit::AtMarker { marker, fragment } => insert_at_marker(&text, marker, fragment)
            .map_err(|missing| missing_marker(&missing, path, fragment, original))?,
        Edit::Module { visibility, name } => insert_module(&text, visibility, name),
        Edit::Use { name, line } => insert_use(&text, name, line),
        Edit::Dependency { name, value, force } => {
            insert_dependency(&text, name, value, *force).map_err(|error| no_toml(path, &text, &error))?
        }
        Edit::Feature { dependency, feature } => insert_feature(&text, dependency, feature)
            .map_err(|error| no_toml(path, &text, &error))?
            .ok_or_else(|| missing_crate(path, dependency, feature))?,
        Edit::Merge { base, new } => merge_difference(base, &text, new).ok_or_else(|| both_changed(path, base, new))?,
        Edit::Lines(lines) => ensure_lines(&text, lines),
        Edit::RemoveLine(line) => remove_line(&text, line),
        Edit::RemoveEntry { fragment, path: named } => {
            remove_entry(&text, fragment, named).map_err(|still| still_named(&still, path, named))?
        }
        Edit::Image(image) => {
            set_image(&text, IMAGE_PLACEHOLDER, reference_parts(image)).ok_or_else(|| unknown_images(path, image))?
        }
        Edit::Storage { kind, version, stored } => {
            set_storage(&text, kind, version, *stored).ok_or_else(|| missing_type(path, kind, version, *stored))?
        }
    };
    Ok(with_line_ends_of(original, &edited))
}

/// Returns true if the edit treats a missing file as an empty text. Any other edit needs an existing file.
fn makes_file(edit: &Edit) -> bool {
    match edit {
        Edit::AtMarker { .. }
        | Edit::Merge { .. }
        | Edit::Lines(_)
        | Edit::RemoveLine(_)
        | Edit::RemoveEntry { .. }
        | Edit::Image(_)
        | Edit::Storage { .. } => true,
        Edit::Module { .. } | Edit::Use { .. } | Edit::Dependency { .. } | Edit::Feature { .. } => false,
    }
}

fn missing_file(edit: &Edit, path: &str) -> Error {
    let what = match edit {
        Edit::Module { name, .. } | Edit::Use { name, .. } => {
            format!("opctl adds a line for the module `{name}` to it")
        }
        Edit::Dependency { name, .. } => format!("opctl adds the dependency `{name}` to it"),
        _ => "opctl adds a line to it".to_owned(),
    };
    let hint = hint!("git checkout HEAD -- {path}    # restores the last committed version", path);
    Error::user(format!("`{path}` is missing")).caused_by(what).hint(hint)
}

/// Returns the text `edited` with the line ends of `original`. `edited` has the lines of `original` and further lines:
/// the lines of `original` keep their line ends, and the further lines end like the first line of `original`.
pub fn with_line_ends_of(original: &str, edited: &str) -> String {
    if !original.contains("\r\n") {
        return edited.to_owned();
    }
    let crlf = original.split_inclusive('\n').next().is_some_and(|line| line.ends_with("\r\n"));
    let mut known = original.split_inclusive('\n').peekable();
    let mut text = String::with_capacity(edited.len() + 64);
    for line in edited.split_inclusive('\n') {
        let content = line.trim_end_matches('\n');
        let same = |own: &&str| own.trim_end_matches('\n').trim_end_matches('\r') == content;
        match known.next_if(same) {
            // The last line may have had no line end, and may need one now.
            Some(own) if own.ends_with('\n') || !line.ends_with('\n') => text.push_str(own),
            _ if crlf && line.ends_with('\n') => {
                text.push_str(content);
                text.push_str("\r\n");
            }
            _ => text.push_str(line),
        }
    }
    text
}

fn missing_marker(missing: &MissingMarker, path: &str, fragment: &str, text: &str) -> Error {
    if text.is_empty() {
        return Error::user(format!("`{path}` is missing or empty"))
            .caused_by("opctl adds lines above a marker line in this file")
            .hint(hint!(
                "git checkout {path}    # restores the file; or create the file with these lines, and run the same \
                 command again:\n{fragment}\n{}",
                Hint::snippet(&missing.marker),
                path,
                fragment = Hint::snippet(fragment)
            ));
    }
    Error::user(format!("`{path}` has no line `{}`", missing.marker))
        .caused_by("opctl adds lines above this marker line, but the file does not contain it")
        .hint(hint!(
            "add these lines to `{path}`, at the place where the marker line was, then run the same command \
             again:\n{fragment}\n{}",
            Hint::snippet(&missing.marker),
            path,
            fragment = Hint::snippet(fragment)
        ))
}

fn unknown_images(path: &str, image: &str) -> Error {
    let lines = set_image("", IMAGE_PLACEHOLDER, reference_parts(image)).unwrap_or_default();
    Error::user(format!("`{path}` has `images` in a form that opctl does not generate"))
        .caused_by(
            "opctl can edit `images` only as a YAML block list, in which each entry begins on a new line with \
                    `-`",
        )
        .hint(hint!("replace `images` in the file with these lines:\n{}", Hint::snippet(lines.trim_end())))
}

fn still_named(still: &StillNamed, path: &str, named: &str) -> Error {
    Error::user(format!("`{path}` refers to `{named}` in a form that opctl does not generate"))
        .caused_by(format!("the line is `{}`", still.line))
        .hint(hint!("remove `{named}` from `{path}` by hand, then run the same command again", named, path))
}

/// Returns the error for a Cargo.toml that is not valid TOML.
pub fn no_toml(path: &str, text: &str, error: &dyn std::fmt::Display) -> Error {
    let otherwise = Error::user(format!("`{path}` is not valid TOML"))
        .caused_by(error)
        .hint("fix the file, or restore it: git checkout Cargo.toml api/Cargo.toml");
    conflict::or(path, text, otherwise)
}

fn missing_type(path: &str, kind: &str, version: &str, stored: bool) -> Error {
    Error::user(format!("`{path}` has no `#[kube(..)]` of `{kind}` in version `{version}`"))
        .caused_by(
            "opctl must set `storage` in the `#[kube(..)]` of each version, because a kind has exactly one \
                    storage version",
        )
        .hint(hint!(
            "put this above the struct of that version, in a file below api/src, then run the same command again:\n\
             #[kube(kind = \"{kind}\", version = \"{version}\", storage = {stored})]",
            kind,
            version,
            stored
        ))
}

fn missing_crate(path: &str, dependency: &str, feature: &str) -> Error {
    Error::user(format!("`{path}` has no dependency `{dependency}` with a feature list that opctl can extend"))
        .caused_by(format!("the operator needs the feature `{feature}` of the dependency"))
        .hint(hint!(
            "put this under `[dependencies]` in `{path}`, then run the same command again:\n\
             {dependency} = {{ path = \"{dependency}\", features = [\"{feature}\"] }}",
            path,
            dependency,
            feature
        ))
}

/// Merges the difference between `base` and `new`, two texts that opctl generated, into the user's text `text`. Returns
/// `None` if the difference conflicts with the user's changes. If `text` is empty, as for a missing file, returns
/// `new`.
fn merge_difference(base: &str, text: &str, new: &str) -> Option<String> {
    if text.is_empty() {
        return Some(new.to_owned());
    }
    let has = |line: &&str| text.lines().any(|own| own.trim() == line.trim());
    let added = added_lines(base, new);
    // The user has inserted the lines by hand, perhaps in another form: opctl itself reads only the markers.
    let markers: Vec<&str> = added.lines().filter(|line| line.contains("+opctl:")).collect();
    if added.lines().all(|line| has(&line)) || (!markers.is_empty() && markers.iter().all(has)) {
        return Some(text.to_owned());
    }
    let merge = TextMerge::from_lines(base, text, new);
    (!merge.is_conflicted()).then(|| merge.to_string())
}

/// Returns the lines of `new` that are not in `base`.
fn added_lines(base: &str, new: &str) -> String {
    let diff = TextDiff::from_lines(base, new);
    let changes = diff.iter_all_changes().filter(|change| change.tag() == ChangeTag::Insert);
    changes.map(|change| change.value().to_owned()).collect()
}

fn both_changed(path: &str, base: &str, new: &str) -> Error {
    let diff = TextDiff::from_lines(base, new).unified_diff().context_radius(1).to_string();
    Error::user(format!("`{path}` was edited where opctl adds lines"))
        .caused_by("the lines around the new lines differ from the lines that opctl generated")
        .hint(hint!(
            "make these changes in `{path}` by hand, then run the same command again:\n{}",
            Hint::snippet(diff.trim_end()),
            path
        ))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn new_lines_are_merged_into_what_the_user_made() {
        let (base, new) = ("a\nb\nc\nd\ne\n", "a\nb\nnew\nc\nd\ne\n");
        for (text, expected) in [
            (base, Some(new)),
            (new, Some(new)),
            ("", Some(new)),
            ("a\nb\nc\nmine\ne\n", Some("a\nb\nnew\nc\nmine\ne\n")),
            // Inserted by hand, at another place.
            ("b\nmine\n    new\n", Some("b\nmine\n    new\n")),
            ("a\nmine\nd\ne\n", None),
        ] {
            assert_eq!(merge_difference(base, text, new).as_deref(), expected, "{text}");
        }
        let marked = "a\n// +opctl:x\nnew\nb\n";
        assert_eq!(merge_difference("a\nb\n", "mine\n// +opctl:x\n", marked).as_deref(), Some("mine\n// +opctl:x\n"));
        assert_eq!(merge_difference("a\nb\n", "mine\nnew\n", marked), None);
        assert_eq!(merge_difference(new, "mine\n", new).as_deref(), Some("mine\n"), "nothing is new");
    }
}
