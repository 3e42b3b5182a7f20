//! The names of markers, and the search for the name that is most similar to a misspelled name.

use super::error::MarkerError;
use strsim::levenshtein;

const PREFIXES: [&str; 2] = ["opctl", "kubebuilder"];
const NAMES: [&str; 5] = ["allow", "rbac", "scaffold", "webhook", "webhookconfiguration"];
/// The names of the markers that this module reads; other modules read the other markers.
const READ_HERE: [&str; 3] = ["rbac", "webhook", "webhookconfiguration"];

/// Returns the prefix of a marker, and the text after the prefix; `None` if the comment is not a marker of opctl or
/// kubebuilder.
pub(super) fn split_prefix(comment: &str) -> Option<(&'static str, &str)> {
    let marker = comment.strip_prefix('+')?;
    PREFIXES.iter().find_map(|prefix| Some((*prefix, marker.strip_prefix(prefix)?.strip_prefix(':')?)))
}

/// Returns the name if this module reads markers of this name, and `None` if the name is not misspelled but this module
/// does not read such markers. `column` is the column of the marker's `+`. Fails if the name is misspelled.
pub(super) fn known_name(prefix: &str, name: &str, column: usize) -> Result<Option<&'static str>, MarkerError> {
    if NAMES.contains(&name) {
        return Ok(READ_HERE.into_iter().find(|known| *known == name));
    }
    let wrong =
        |hint| MarkerError { column: column + 1, message: format!("there is no marker `+{prefix}:{name}`"), hint };
    // kubebuilder has many more markers, for Go types; with its prefix only a misspelled name of opctl's markers is an
    // error.
    match closest(name, &NAMES) {
        Some(meant) => Err(wrong(format!("did you mean `+{prefix}:{meant}:`?"))),
        None if prefix == "opctl" => {
            let [most @ .., last] = NAMES.map(|name| format!("`+opctl:{name}:`"));
            Err(wrong(format!("opctl knows {} and {last}", most.join(", "))))
        }
        None => Ok(None),
    }
}

/// Returns the word in `words` that is most similar to `word`; `None` if no word is similar enough.
pub(crate) fn closest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let near = if word.chars().count() <= 3 { 1 } else { 2 };
    words
        .iter()
        .map(|known| (levenshtein(&word.to_lowercase(), &known.to_lowercase()), *known))
        .min()
        .filter(|(distance, known)| *distance <= near && known.len() > 1)
        .map(|(_, known)| known)
}
