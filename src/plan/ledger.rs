//! `.opctl/files.yaml`: the hashes of the files that opctl generated. A file with a different hash was edited.
//!
//! The ledger has one line per file, so that git merges it with `merge=union`: the lines of both branches stay.
//! After such a merge a path can have several lines, with the hashes of the texts that opctl generated on either
//! branch, and the lines can be in any order.

use crate::error::hint;
use crate::model::{ProjectPath, is_newer};
use crate::{Error, Result, conflict, yaml};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};
use std::collections::{BTreeMap, BTreeSet};

/// The ledger's path below the project's root.
pub const LEDGER_FILE: &str = ".opctl/files.yaml";

const CONFLICT: &str = "conflict";
const HEADER: &str = "# The files that opctl generated, with their SHA-256 hashes: a file with a different hash was \
     edited. Commit this file.\n";

/// The hashes of the files that opctl generated, and the version of opctl.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Ledger {
    /// The version of the opctl that wrote to the project last.
    pub opctl: String,
    /// The hashes of the generated texts, by path: one hash, or one hash for each branch that was merged.
    pub files: BTreeMap<ProjectPath, BTreeSet<String>>,
    /// Files in which `opctl update` has left conflicts.
    pub conflicts: BTreeSet<ProjectPath>,
}

impl Ledger {
    /// Parses the text of `.opctl/files.yaml`.
    ///
    /// # Errors
    /// Fails if the text is not the YAML of a ledger, or if a path in the text is not within the project.
    pub fn parse(text: &str) -> Result<Self> {
        let mut ledger = Ledger::default();
        for (number, line) in text.lines().enumerate() {
            let line = line.trim_end();
            let entry = match line.trim_start() {
                "" | "files:" | "files: {}" => continue,
                comment if comment.starts_with('#') => continue,
                entry => match entry.split_once(": ").filter(|(path, hash)| is_plain(path, hash)) {
                    Some((path, hash)) => Some((path.to_owned(), hash.to_owned())),
                    None => serde_yaml::from_str::<BTreeMap<String, String>>(entry)
                        .ok()
                        .and_then(|map| map.into_iter().next()),
                },
            };
            match entry {
                // Of the versions on two branches, the newer one counts.
                Some((key, version)) if !line.starts_with(' ') && key == "opctl" => {
                    ledger.opctl = newer(ledger.opctl, version);
                }
                Some((key, path)) if !line.starts_with(' ') && key == CONFLICT => {
                    ledger.conflicts.insert(path_at(number + 1, path)?);
                }
                Some((path, hash)) if line.starts_with(' ') && hash.bytes().all(is_hex) => {
                    ledger.files.entry(path_at(number + 1, path)?).or_default().insert(hash);
                }
                _ => return Err(conflict::or(LEDGER_FILE, text, damaged_ledger_error(number + 1, line))),
            }
        }
        if ledger.opctl.is_empty() && ledger.files.is_empty() { Err(damaged_ledger_error(1, "")) } else { Ok(ledger) }
    }

    /// Renders the ledger as the text of `.opctl/files.yaml`.
    pub fn to_text(&self) -> String {
        let mut text = HEADER.to_owned();
        text.push_str(if self.files.is_empty() { "files: {}\n" } else { "files:\n" });
        for (path, hashes) in &self.files {
            for hash in hashes {
                let entry = if is_plain(path, hash) { format!("{path}: {hash}\n") } else { one_line(path, hash) };
                text.push_str(&format!("  {entry}"));
            }
        }
        text.extend(self.conflicts.iter().map(|path| one_line(CONFLICT, path)));
        text + &one_line("opctl", &self.opctl)
    }

    /// Records that opctl generated `content` at `path`.
    pub fn record(&mut self, path: impl Into<ProjectPath>, content: &str) {
        self.record_hash(path, hash(content));
    }

    /// Records that opctl generated a content with this hash at `path`.
    pub fn record_hash(&mut self, path: impl Into<ProjectPath>, hash: String) {
        self.files.insert(path.into(), BTreeSet::from([hash]));
    }

    /// Returns true if `content` is a text that opctl generated at `path`.
    pub fn is_pristine(&self, path: &str, content: &str) -> bool {
        self.files.get(path).is_some_and(|known| known.contains(&hash(content)))
    }

    /// Returns true if opctl generated the file at `path` on two branches that were merged later.
    pub fn is_merged(&self, path: &str) -> bool {
        self.files.get(path).is_some_and(|known| known.len() > 1)
    }

    /// Merges the ledgers of two git branches: a path that only one branch changed since `base` has the hashes of that
    /// branch, and a path that both branches changed has the hashes of both.
    pub fn merge(base: &Ledger, ours: &Ledger, theirs: &Ledger) -> Ledger {
        let mut files = BTreeMap::new();
        for path in ours.files.keys().chain(theirs.files.keys()) {
            let [base, ours, theirs] = [base, ours, theirs].map(|ledger| ledger.files.get(path));
            let merged = if ours == theirs || base == theirs {
                ours.cloned()
            } else if base == ours {
                theirs.cloned()
            } else {
                Some([ours, theirs].into_iter().flatten().flatten().cloned().collect())
            };
            files.extend(merged.map(|merged| (path.clone(), merged)));
        }
        let conflicts = ours.conflicts.union(&theirs.conflicts).cloned().collect();
        Ledger { opctl: newer(ours.opctl.clone(), theirs.opctl.clone()), files, conflicts }
    }
}

/// Returns true if the path and the hash need no quotes in YAML, which is true for nearly all lines of
/// `.opctl/files.yaml`. Parsing a YAML document for each line would take twenty times as long.
fn is_plain(path: &str, hash: &str) -> bool {
    let known = |byte: u8| byte.is_ascii_alphanumeric() || b"/._-".contains(&byte);
    // A word such as `yes` and a number have neither both a letter in front and a dot, nor a slash.
    let is_text = path.contains('/') && !path.starts_with('-')
        || path.contains('.') && path.starts_with(|first: char| first.is_ascii_alphabetic());
    // Digits alone, or with an `e` among them, are a number.
    is_text && path.bytes().all(known) && hash.bytes().all(is_hex) && hash.contains(['a', 'b', 'c', 'd', 'f'])
}

fn is_hex(byte: u8) -> bool {
    matches!(byte, b'0'..=b'9' | b'a'..=b'f')
}

/// Parses a path in `.opctl/files.yaml`. `line` is the line's number, for the error.
fn path_at(line: usize, path: String) -> Result<ProjectPath> {
    ProjectPath::parse(path).map_err(|error| {
        let error = error.causes().iter().fold(Error::user(format!("`{LEDGER_FILE}` is damaged")), Error::caused_by);
        error.hint(hint!(
            "sed {line}d {file} > {file}.new && mv {file}.new {file}    # removes line {line}",
            line,
            file = LEDGER_FILE
        ))
    })
}

/// Returns an entry of `.opctl/files.yaml` as one line of YAML, because opctl reads that file line by line.
fn one_line(key: &str, value: &str) -> String {
    let entry = yaml::document(&Value::Object(Map::from_iter([(key.to_owned(), Value::from(value))])));
    // Long keys and values take several lines, but for those in double quotes, which JSON has too.
    if entry.lines().count() == 1 { entry } else { format!("{}: {}\n", Value::from(key), Value::from(value)) }
}

/// Returns the newer of two versions.
fn newer(one: String, other: String) -> String {
    if is_newer(&other, &one) { other } else { one }
}

fn damaged_ledger_error(line: usize, text: &str) -> Error {
    Error::user(format!("`{LEDGER_FILE}` is damaged"))
        .caused_by(if text.is_empty() {
            "it is empty".to_owned()
        } else {
            format!("line {line} is neither a path with its hash nor the version of opctl: `{text}`")
        })
        .hint(hint!("git checkout HEAD -- {LEDGER_FILE}    # restores the last committed version", LEDGER_FILE))
}

/// Returns the hexadecimal SHA-256 of the text with `\n` as line ends, so that a checkout with `\r\n` is not an edit.
pub fn hash(text: &str) -> String {
    let digest = if text.contains('\r') {
        Sha256::digest(text.replace("\r\n", "\n").as_bytes())
    } else {
        Sha256::digest(text.as_bytes())
    };
    format!("{digest:x}")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ledger(opctl: &str, files: &[(&'static str, &[&str])]) -> Ledger {
        let files = files
            .iter()
            .map(|(path, hashes)| (ProjectPath::from(*path), hashes.iter().map(|hash| (*hash).to_owned()).collect()));
        Ledger { opctl: opctl.to_owned(), files: files.collect(), ..Ledger::default() }
    }

    #[test]
    fn ledgers_read_back_as_written() {
        for known in [
            ledger("0.1.0", &[]),
            ledger("0.1.0", &[("a/b.rs", &["1"]), ("an odd: path#.yaml", &["2"]), ("yes", &["3"])]),
            ledger("", &[("a", &["1", "2"])]),
            ledger(
                "0.1.0",
                &[("a/b", &["12", "1e5", "0a1"]), ("-a/b", &["fa"]), (".5", &["fa"]), ("a.b", &["fa", "0"])],
            ),
            Ledger { conflicts: ["a".into(), "no".into()].into(), ..ledger("0.1.0", &[("a", &["1"])]) },
        ] {
            assert_eq!(Ledger::parse(&known.to_text()).expect("valid"), known);
            assert_eq!(Ledger::parse(&known.to_text().replace('\n', "\r\n")).expect("valid"), known);
        }
    }

    #[test]
    fn lines_that_git_put_together_are_read() {
        let text = "# Comment\nfiles:\n  a: 1\n  b: 2\nopctl: 0.9.0\n  a: 3\n  c: 4\nopctl: 0.10.0\n";
        let expected = ledger("0.10.0", &[("a", &["1", "3"]), ("b", &["2"]), ("c", &["4"])]);
        assert_eq!(Ledger::parse(text).expect("valid"), expected);
        assert!(expected.is_merged("a") && !expected.is_merged("b"));
    }

    /// A long path takes a single line in `.opctl/files.yaml` and is read back unchanged, although YAML would use
    /// several lines.
    #[test]
    fn a_path_of_any_length_is_read_back() {
        for path in [format!("a/{}", "b c".repeat(60)), format!("{} \"", "ä".repeat(200))] {
            let path = ProjectPath::parse(path).expect("a path of the project");
            let mut known = ledger("0.1.0", &[]);
            known.files.insert(path.clone(), ["fa".to_owned()].into());
            known.conflicts.insert(path);
            assert_eq!(Ledger::parse(&known.to_text()).expect("valid"), known);
        }
    }

    #[test]
    fn other_texts_are_damaged() {
        for text in [
            "",
            "# only a comment\n",
            "[]",
            "files: []\n",
            "files:\n  a\n",
            "other: 1\n",
            "opctl: [\n",
            "files:\n  a: ../b\n",
        ] {
            let error = Ledger::parse(text).expect_err(text);
            assert_eq!(error.message(), "`.opctl/files.yaml` is damaged", "{text:?}");
        }
        let text = "files:\n<<<<<<< HEAD\n  a: 1\n=======\n  a: 2\n>>>>>>> branch\nopctl: 1\n";
        let error = Ledger::parse(text).expect_err("a conflict");
        assert_eq!(error.message(), "`.opctl/files.yaml` has git conflict markers at line 2");
    }

    #[test]
    fn a_merged_ledger_has_the_changes_of_both_sides() {
        let base = ledger(
            "0.1.0",
            &[("both", &["0"]), ("gone", &["0"]), ("ours", &["0"]), ("same", &["0"]), ("theirs", &["0"])],
        );
        let ours = ledger(
            "0.2.0",
            &[("both", &["1"]), ("new", &["1"]), ("ours", &["1"]), ("same", &["1"]), ("theirs", &["0"])],
        );
        let theirs = ledger(
            "0.1.0",
            &[("both", &["2"]), ("gone", &["0"]), ("ours", &["0"]), ("same", &["1"]), ("theirs", &["2"])],
        );
        let merged = ledger(
            "0.2.0",
            &[("both", &["1", "2"]), ("new", &["1"]), ("ours", &["1"]), ("same", &["1"]), ("theirs", &["2"])],
        );
        assert_eq!(Ledger::merge(&base, &ours, &theirs), merged);
        assert_eq!(Ledger::merge(&base, &theirs, &ours), merged);
    }
}
