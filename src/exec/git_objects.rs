//! Reads many objects of a git repository with one process.

use super::git_command::git;
use std::collections::BTreeSet;
use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Stdio};

/// The largest object that is read, in bytes.
const LARGEST: usize = 16 << 20;

/// A git process that is killed when this value is dropped.
pub(super) struct Git(Child);

impl Git {
    /// Starts git with `arguments`, followed by `paths`.
    pub(super) fn start(root: &Path, arguments: &[&str], paths: &BTreeSet<String>) -> std::io::Result<Self> {
        let mut git = git(root);
        git.args(arguments).args(paths);
        git.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        git.spawn().map(Git)
    }

    /// Takes the stdout pipe of the git process.
    pub(super) fn output(&mut self) -> std::io::Result<ChildStdout> {
        self.0.stdout.take().ok_or_else(|| std::io::Error::other("git has no output"))
    }
}

impl Drop for Git {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// A process `git cat-file --batch`, which returns one object for each request.
pub(super) struct Objects {
    _git: Git,
    ask: ChildStdin,
    answers: BufReader<ChildStdout>,
}

impl Objects {
    /// Starts the git process in `root`.
    pub(super) fn open(root: &Path) -> std::io::Result<Self> {
        let mut git = Git::start(root, &["cat-file", "--batch"], &BTreeSet::new())?;
        let ask = git.0.stdin.take().ok_or_else(|| std::io::Error::other("git has no input"))?;
        let answers = BufReader::new(git.output()?);
        Ok(Objects { _git: git, ask, answers })
    }

    /// Returns the text of an object; `None` if the object is missing, as in a partial clone, or is not UTF-8.
    pub(super) fn text(&mut self, object: &str) -> std::io::Result<Option<String>> {
        Ok(self.bytes(object)?.and_then(|bytes| String::from_utf8(bytes).ok()))
    }

    /// Returns the content of an object; `None` if the object is missing or too large.
    pub(super) fn bytes(&mut self, object: &str) -> std::io::Result<Option<Vec<u8>>> {
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
        Ok(Some(bytes))
    }
}
