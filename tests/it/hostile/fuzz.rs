//! Feeds mutations of real files to the readers, the parser functions that the fuzz targets call. This runs in a
//! process with a memory limit, because a reader may crash the process.

#[path = "../../fuzz/readers.rs"]
mod readers;

use super::mutation::mutate;
use crate::support::{Place, Random, Tree, temporary, text, tool, tree, variable};
use readers::READERS;
use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// The environment variable that tells a child process the name of the reader to test. Likewise, `SECONDS` is the
/// variable for the number of seconds to run, and `CURRENT` the variable for the path of a file to which the child
/// process writes each text before the reader reads the text.
const READER: &str = "OPCTL_FUZZ_READER";
const SECONDS: &str = "OPCTL_FUZZ_SECONDS";
const CURRENT: &str = "OPCTL_FUZZ_CURRENT";
/// The limit of the address space in kilobytes, which includes the test program itself.
const MEMORY: u64 = 3_000_000;
/// The time limit for reading one text, which is enough on a busy machine.
const SLOW: Duration = Duration::from_secs(10);
/// The stack size in bytes. It is large because the program is not optimised. Another test covers deep nesting.
const STACK: usize = 512 << 20;
/// The maximum number of texts that are kept for further mutations: the seeds, and texts with a new outcome.
const KEPT: usize = 300;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Returns the texts from which a reader's fuzz test starts: files below `testdata/golden` that the reader parses, and
/// the reader's files in `testdata/fuzz`.
fn seeds(name: &str) -> Vec<String> {
    let wanted = |path: &str| match name {
        "project" => path.ends_with("/PROJECT"),
        "ledger" => path.ends_with("/.opctl/files.yaml"),
        "markers" => path.contains("/src/controller/") || path.contains("/src/webhook/"),
        "sources" => path.contains("/api/src/"),
        "definitions" => path.contains("/config/crd/bases/"),
        "conflicts" => ["/PROJECT", "/Cargo.lock", "/.opctl/files.yaml"].iter().any(|end| path.ends_with(end)),
        "kustomization" => path.ends_with("/kustomization.yaml"),
        _ => false,
    };
    let golden =
        tree(&root().join("testdata/golden")).into_iter().filter(|(path, _)| !path.ends_with('/') && wanted(path));
    let mut seeds: Vec<String> = golden.map(|(_, bytes)| text(&bytes)).collect();
    if name == "conflicts" {
        let pairs = seeds.windows(2).map(|pair| {
            let [ours, theirs] = [&pair[0], &pair[1]].map(|side| side.lines().take(120).collect::<Vec<_>>().join("\n"));
            format!("<<<<<<< HEAD\n{ours}\n||||||| base\n{ours}\n=======\n{theirs}\n>>>>>>> other\n")
        });
        seeds = pairs.collect();
    }
    seeds.extend(kept(name).into_iter().map(|(_, text)| text));
    seeds
}

/// Returns the paths and texts of the files in `testdata/fuzz/<name>`, inputs for the parser function `name`.
fn kept(name: &str) -> Vec<(String, String)> {
    let folder = root().join("testdata/fuzz").join(name);
    let files = if folder.is_dir() { tree(&folder) } else { Tree::new() };
    let files = files.into_iter().filter(|(path, _)| !path.ends_with('/'));
    files.map(|(path, bytes)| (path, text(&bytes))).collect()
}

#[test]
fn files_that_once_made_a_reader_fail_are_read_without_a_panic() {
    let mut count = 0;
    for (name, reader) in READERS {
        for (path, text) in kept(name) {
            assert!(catch_unwind(|| reader(&text)).is_ok(), "testdata/fuzz/{name}/{path}");
            count += 1;
        }
    }
    assert!(count > 0);
}

/// Returns the value of an environment variable. `None` if the variable is unset or empty.
fn set(name: &str) -> Option<String> {
    variable(name).and_then(|value| value.into_string().ok())
}

/// Calls the parser function `name` with mutations of its seed texts, for the number of seconds in the environment
/// variable [`SECONDS`].
fn read_mutations(name: &str) {
    let (_, reader) = READERS.into_iter().find(|(known, _)| *known == name).unwrap();
    let seconds: f64 = set(SECONDS).unwrap().parse().unwrap();
    let current = PathBuf::from(variable(CURRENT).unwrap());
    let (mut random, mut pool, mut seen) = (Random(0x9e37_79b9_7f4a_7c15), seeds(name), BTreeSet::new());
    assert!(!pool.is_empty(), "{name} has no seed");
    let (begun, mut count) = (Instant::now(), 0);
    while begun.elapsed().as_secs_f64() < seconds {
        let one = random.below(pool.len());
        let other = random.below(pool.len());
        let text = mutate(&mut random, &pool[one], &pool[other]);
        fs::write(&current, &text).unwrap();
        let at = Instant::now();
        reader(&text);
        assert!(at.elapsed() < SLOW, "it takes {:?}", at.elapsed());
        // Values differ, and say nothing new.
        let outcome: String = readers::outcome(name, &text).split('`').step_by(2).collect();
        let outcome = outcome.replace(|letter: char| letter.is_ascii_digit(), "");
        if pool.len() < KEPT && seen.insert(outcome) {
            pool.push(text);
        }
        // It keeps the text of everything that it parses, for spans.
        proc_macro2::extra::invalidate_current_thread_spans();
        count += 1;
    }
    println!("{name}: {count} texts, {} outcomes", seen.len());
    assert!(count >= 20, "{name}: {count} texts in {seconds} s");
}

#[test]
fn no_mutation_of_a_file_makes_its_reader_fail() {
    if let Some(name) = set(READER) {
        let reading = std::thread::Builder::new().stack_size(STACK).spawn(move || read_mutations(&name)).unwrap();
        assert!(reading.join().is_ok());
        return;
    }
    let folder = temporary();
    // More if the environment asks for it.
    let seconds = set(SECONDS).unwrap_or_else(|| "3".to_owned());
    let test = std::thread::current().name().unwrap().to_owned();
    let only = set("OPCTL_FUZZ_ONLY");
    for (name, _) in READERS.iter().filter(|(name, _)| only.as_deref().is_none_or(|only| only == *name)) {
        let current = folder.path().join(name);
        let mut command = tool("sh");
        command.args(["-c", &format!("ulimit -v {MEMORY}; exec \"$@\""), "sh"]);
        command.arg(std::env::current_exe().unwrap()).args(["--exact", &test, "--nocapture", "--test-threads=1"]);
        command.env(READER, name).env(SECONDS, &seconds).env(CURRENT, &current).env("RUST_BACKTRACE", "0");
        // `timeout` ends a reader that does not end.
        let limit = format!("{}", seconds.parse::<f64>().unwrap() + 120.0);
        let mut timed = tool("timeout");
        timed.args(["-k", "5", &limit]).arg(command.get_program()).args(command.get_args());
        timed.envs(command.get_envs().filter_map(|(key, value)| Some((key, value?))));
        let output = timed.output().unwrap();
        let said = format!("{}\n{}", text(&output.stdout), text(&output.stderr));
        let kept = root().join("target").join(format!("fuzz-{name}"));
        if !output.status.success() {
            fs::copy(&current, &kept).unwrap();
        }
        assert!(
            output.status.success(),
            "{name}: {}\n{said}\nkeep the text with: cp {} testdata/fuzz/{name}/",
            output.status,
            kept.display()
        );
        print!("{}", said.lines().filter(|line| line.contains(" texts, ")).collect::<String>() + "\n");
    }
}

/// A mutated journal in a repository neither crashes a command nor makes it create files outside of the project.
#[test]
fn no_mutation_of_a_journal_makes_a_command_fail_badly() {
    let list = r#"{"entries":[{"path":"README.md","before":"a","after":"b"},{"path":"../x","before":null,"after":"b"},
{"path":"/abs","before":"","after":null}],"folders":["a","a/b"]}"#;
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let place = Place::with_project();
    let above = place.root().parent().unwrap().to_owned();
    let outside = || -> Vec<_> { fs::read_dir(&above).unwrap().map(|entry| entry.unwrap().file_name()).collect() };
    let before = outside();
    for round in 0..40 {
        let journal = place.root().join(".opctl/journal");
        fs::create_dir_all(&journal).unwrap();
        fs::write(journal.join("new-0"), "text").unwrap();
        let name = random.pick(&["plan.json", "undo.json", "done.json"]).to_owned();
        let text = mutate(&mut random, list, list);
        fs::write(journal.join(&name), &text).unwrap();
        let output = place.run(&["update", "--dry-run"]);
        let code = output.status.code();
        assert!(
            code.is_some_and(|code| code <= 5),
            "{round} {name}: {code:?}\n{text}\n{}",
            crate::support::text(&output.stderr)
        );
        assert_eq!(outside(), before, "{round} {name}\n{text}");
        let _ = fs::remove_dir_all(&journal);
    }
}

/// Each reader has a fuzz target that calls it.
#[test]
fn each_reader_is_a_fuzz_target() {
    for (name, _) in READERS {
        let path = root().join(format!("tests/fuzz/fuzz_targets/{name}.rs"));
        let target = fs::read_to_string(Path::new(&path)).unwrap_or_default();
        assert!(target.contains(&format!("readers::check(\"{name}\", bytes)")), "{}", path.display());
    }
}
