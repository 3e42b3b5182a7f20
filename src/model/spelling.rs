//! Suggests a known word for a misspelt word.

use strsim::{jaro_winkler, normalized_damerau_levenshtein};

/// The minimum similarity at which a hint suggests a word, from 0 to 1: the similarity of `Jb` and `Job` is 0.67, and that
/// of `OP999` and `OP719` is 0.6.
const LEAST: f64 = 0.65;

/// Returns the word most similar to `given`, if a word is similar enough for a hint. Ignores case. Among
/// equally similar words, prefers a word that begins like `given`, then the first one.
pub fn most_like<'a>(given: &str, words: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let given = given.to_lowercase();
    let rated = words.into_iter().map(|word| {
        let lower = word.to_lowercase();
        (normalized_damerau_levenshtein(&given, &lower), jaro_winkler(&given, &lower), word)
    });
    let similar = rated.filter(|(likeness, ..)| *likeness >= LEAST);
    let better = |one: &(f64, f64, _), other: &(f64, f64, _)| one.0.total_cmp(&other.0).then(one.1.total_cmp(&other.1));
    similar.reduce(|best, next| if better(&best, &next).is_lt() { next } else { best }).map(|(.., word)| word)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_word_is_meant_if_one_is_near() {
        for (given, expected) in [
            ("OP4211", Some("OP421")),
            ("op42", Some("OP421")),
            ("OP999", None),
            ("jb", Some("Job")),
            ("installl", Some("install")),
            ("widget", None),
            ("", None),
        ] {
            let words = ["OP411", "OP421", "OP422", "OP719", "OP211", "Job", "Pod", "init", "install", "uninstall"];
            assert_eq!(most_like(given, words), expected, "{given}");
        }
    }
}
