//! Checks that `src/cli/help/errors.md` lists every error in the source with its hints, and that tests provoke all
//! errors but internal ones and those in `NOT_PROVOKED`.

mod provoked;
mod source;

use source::{Made, made};
use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

const CATEGORIES: [(&str, u8, &str); 7] = [
    ("user", 1, "Errors in the project or in the request"),
    ("usage", 2, "Errors on the command line"),
    ("conflict", 3, "Conflicts with existing files or objects"),
    ("environment", 4, "Errors on this machine"),
    ("cluster", 5, "Errors of the cluster"),
    ("bug", 70, "Defects of opctl"),
    ("interrupted", 130, "Interrupted by Ctrl+C"),
];

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns all errors by exit code and message. Equal messages from several places are one error.
fn all() -> BTreeMap<(u8, String), Made> {
    let mut all: BTreeMap<(u8, String), Made> = BTreeMap::new();
    // Errors without a text of their own are left out: they pass on what another program printed.
    for one in made(&root().join("src")).into_iter().filter(|one| one.message != "{}") {
        let code = CATEGORIES.iter().find(|(name, ..)| *name == one.category).unwrap().1;
        let entry = all.entry((code, one.message.clone())).or_insert_with(|| Made { hints: Vec::new(), ..one.clone() });
        for hint in one.hints {
            if !entry.hints.contains(&hint) {
                entry.hints.push(hint);
            }
        }
    }
    all
}

fn topic() -> String {
    let all = all();
    let mut text = String::from(
        "# Errors\n\nEvery error that opctl prints, by exit code; `…` stands for a name, a path or the like. What is wrong in types \
         and\nmarkers is a finding, with a code: `opctl explain` lists those.\n",
    );
    for (_, code, title) in CATEGORIES {
        let _ = write!(text, "\n## {title}: exit code {code}\n");
        for ((_, message), one) in all.iter().filter(|((of, _), _)| *of == code) {
            let _ = write!(text, "\n- {}\n", message.replace("{}", "…"));
            for hint in &one.hints {
                let _ = writeln!(text, "  hint: {}", hint.replace("{}", "…").replace('\n', "\n        "));
            }
        }
    }
    text
}

#[test]
fn the_topic_lists_every_error_of_the_source() {
    let file = root().join("src/cli/help/errors.md");
    snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(
        snapbox::Data::text(topic()),
        snapbox::Data::read_from(Path::new(&file), Some(snapbox::data::DataFormat::Text)).raw(),
    );
}

#[test]
fn a_test_provokes_every_error() {
    let evidence = provoked::Evidence::collect(&root());
    let all = all();
    let mut wrong = Vec::new();
    // Internal errors (70) are left out: a way to provoke one is a bug to fix, not a test to keep.
    for ((code, message), one) in all.iter().filter(|((code, _), _)| *code != 70) {
        let by = evidence.of(message);
        let known = provoked::NOT_PROVOKED.iter().any(|(known, _)| known == message);
        match (by, known) {
            (None, false) => wrong.push(format!("{}: no case and no test provokes ({code}) {message}", one.place)),
            (Some(by), true) => wrong.push(format!("{message}: {by} provokes it, take it off the list")),
            _ => {}
        }
    }
    for (message, _) in provoked::NOT_PROVOKED {
        let there = all.keys().any(|(_, known)| known == message);
        if !there {
            wrong.push(format!("{message}: is not made any more, take it off the list"));
        }
    }
    assert!(wrong.is_empty(), "{}\n{}", wrong.len(), wrong.join("\n"));
}
