//! Earlier versions of files, from the history of a git repository.

use super::git_command::git;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The largest earlier version that is looked at, in bytes.
const LARGEST: usize = 16 << 20;

/// Searches the versions of the files at `paths`, newest first, for the version of each file that `is_it` accepts.
/// Reads no more of the history than it has to. Without git, or without a repository, nothing is found.
pub fn earlier_versions(
    root: &Path,
    paths: &BTreeSet<String>,
    is_it: &dyn Fn(&str, &str) -> bool,
) -> BTreeMap<String, String> {
    let mut found = BTreeMap::new();
    if !paths.is_empty() {
        // A failure of git only ends the search.
        let _ = search(root, paths, is_it, &mut found);
    }
    found
}

fn search(
    root: &Path,
    paths: &BTreeSet<String>,
    is_it: &dyn Fn(&str, &str) -> bool,
    found: &mut BTreeMap<String, String>,
) -> std::io::Result<()> {
    let log = [
        "log",
        "--full-history",
        "-m",
        "--format=",
        "--raw",
        "--no-abbrev",
        "--no-renames",
        "--no-ext-diff",
        "--no-textconv",
        "--relative",
        "HEAD",
        "--",
    ];
    let mut log = Git::start(root, &log, paths)?;
    let mut objects = Objects::open(root)?;
    let mut seen = BTreeSet::new();
    for line in BufReader::new(log.output()?).lines() {
        let line = line?;
        // A line has two modes, two objects and a letter, then the path.
        let Some((head, path)) = line.split_once('\t') else { continue };
        let Some(object) = head.split(' ').nth(3) else { continue };
        let is_new =
            paths.contains(path) && !found.contains_key(path) && seen.insert((path.to_owned(), object.to_owned()));
        if !is_new || object.bytes().all(|digit| digit == b'0') {
            continue;
        }
        if let Some(text) = objects.text(object)?.filter(|text| is_it(path, text)) {
            found.insert(path.to_owned(), text);
            if found.len() == paths.len() {
                break;
            }
        }
    }
    Ok(())
}

/// A git process that is killed when this value is dropped.
struct Git(Child);

impl Git {
    fn start(root: &Path, arguments: &[&str], paths: &BTreeSet<String>) -> std::io::Result<Self> {
        let mut git = git(root);
        git.args(arguments).args(paths);
        git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        git.spawn().map(Git)
    }

    fn output(&mut self) -> std::io::Result<ChildStdout> {
        self.0.stdout.take().ok_or_else(|| std::io::Error::other("git has no output"))
    }
}

impl Drop for Git {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A `git cat-file --batch`, which is asked for one object after the other.
struct Objects {
    _git: Git,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    fn open(root: &Path) -> std::io::Result<Self> {
        let mut git = Git::start(root, &["cat-file", "--batch"], &BTreeSet::new())?;
        let ask = git.0.stdin.take().ok_or_else(|| std::io::Error::other("git has no input"))?;
        let answers = BufReader::new(git.output()?);
        Ok(Objects { _git: git, ask, answers })
    }

    /// Returns the text of an object; `None` if the object is missing, as in a partial clone, or is not UTF-8.
    fn text(&mut self, object: &str) -> std::io::Result<Option<String>> {
        writeln!(self.ask, "{object}")?;
        self.ask.flush()?;
        let mut head = String::new();
        self.answers.read_line(&mut head)?;
        let Some(size) = head.trim_end().split(' ').nth(2).and_then(|size| size.parse::<usize>().ok()) else {
            return Ok(None);
        };
        // A line end follows the object.
        if size > LARGEST {
            std::io::copy(&mut self.answers.by_ref().take(size as u64 + 1), &mut std::io::sink())?;
            return Ok(None);
        }
        let mut bytes = vec![0; size + 1];
        self.answers.read_exact(&mut bytes)?;
        bytes.truncate(size);
        Ok(String::from_utf8(bytes).ok())
    }
}
