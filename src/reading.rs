//! Reads files of a repository or of a user: regular files of a limited size, without waiting for data.
//!
//! A device, a pipe or a file that is larger than its limit is refused at once, so that it can neither block opctl
//! nor fill the memory. The errors contain an [`error::Refused`](crate::error::Refused), from which
//! [`error::file_error`](crate::error::file_error) creates an error for the user.

use crate::error::Refused;
use crate::syntax;
use crate::system::open_without_waiting;
use std::fs::File;
use std::io::{Read, Result};
use std::path::{Component, Path};

/// The maximum size of a file that opctl reads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A file of settings or a list: `PROJECT`, `Cargo.toml`, a kustomization, a kubeconfig. Such a file is far smaller
    /// than the limit: for example, the list of all files of a project with a hundred kinds has 0.2 MiB.
    Settings,
    /// A source, a manifest or a lock file. The largest Rust file in the sources of k8s-openapi has 1 MiB.
    Source,
    /// A file of many manifests, or a file from another program. The file of all CRDs of the Prometheus operator has 5
    /// MiB, the CRDs of Crossplane's provider for AWS have 30 MiB.
    Bundle,
    /// A compiled program. An operator without optimisations and with full debug information has 80 MiB.
    Program,
}

impl Limit {
    /// Returns the limit in bytes.
    pub fn bytes(self) -> u64 {
        let mebibytes = match self {
            Limit::Settings => 4,
            Limit::Source => 16,
            Limit::Bundle => 128,
            Limit::Program => 1024,
        };
        mebibytes << 20
    }
}

/// Reads the bytes of a file.
///
/// # Errors
/// Fails if the file cannot be read, is not a regular file, or is too large.
pub fn bytes(path: impl AsRef<Path>, limit: Limit) -> Result<Vec<u8>> {
    let (mut file, room) = regular(path.as_ref(), limit)?;
    let mut content = Vec::with_capacity(room);
    file.read_to_end(&mut content)?;
    check_size(content, limit)
}

/// Reads the bytes of a file. If the name of the file ends in `.rs`, also checks the nesting of the text; see [`rust`].
///
/// # Errors
/// Fails like [`bytes`], and if the file is a Rust source that is nested too deeply.
pub fn content(path: &Path, limit: Limit) -> Result<Vec<u8>> {
    let content = bytes(path, limit)?;
    match std::str::from_utf8(&content) {
        Ok(text) if path.extension().is_some_and(|extension| extension == "rs") => checked_rust(text)?,
        _ => {}
    }
    Ok(content)
}

/// Reads a file of text.
///
/// # Errors
/// Fails like [`bytes`], and if the file is not UTF-8.
pub fn text(path: impl AsRef<Path>, limit: Limit) -> Result<String> {
    let (mut file, room) = regular(path.as_ref(), limit)?;
    let mut content = String::with_capacity(room);
    file.read_to_string(&mut content)?;
    check_size(content, limit)
}

/// Reads the text file at `path`, which is relative to the project's folder `root`.
///
/// # Errors
/// Fails like [`text`], and if a symlink leads out of the project.
pub fn text_within(root: &Path, path: impl AsRef<Path>, limit: Limit) -> Result<String> {
    stays_within(root, path.as_ref())?;
    text(root.join(path.as_ref()), limit)
}

/// Reads the file at `path`, which is relative to the folder `root`.
///
/// # Errors
/// Fails like [`bytes`], and if a symlink leads out of the folder.
pub fn bytes_within(root: &Path, path: impl AsRef<Path>, limit: Limit) -> Result<Vec<u8>> {
    stays_within(root, path.as_ref())?;
    bytes(root.join(path.as_ref()), limit)
}

fn stays_within(root: &Path, path: &Path) -> Result<()> {
    if !is_plainly_below(root, path) {
        let real = std::fs::canonicalize(root.join(path))?;
        if !real.starts_with(std::fs::canonicalize(root)?) {
            return Err(Refused::Outside(real).into());
        }
    }
    Ok(())
}

/// Returns true if `path` exists and leads down from `root` without symlinks or `..`. This is the case for nearly all
/// paths, and the check is cheaper than resolving the path, which takes a system call for each folder from `/` on.
fn is_plainly_below(root: &Path, path: &Path) -> bool {
    let mut full = root.to_owned();
    path.components().all(|component| {
        full.push(component);
        matches!(component, Component::Normal(_))
            && std::fs::symlink_metadata(&full).is_ok_and(|there| !there.is_symlink())
    })
}

/// Reads the text of a Rust source, and checks that a parser can handle the nesting of the source.
///
/// # Errors
/// Fails like [`text`], and if the text is nested too deeply.
pub fn rust(path: impl AsRef<Path>) -> Result<String> {
    let text = text(path, Limit::Source)?;
    checked_rust(&text)?;
    Ok(text)
}

/// Reads the text of a Rust source of the project at `root`.
///
/// # Errors
/// Fails like [`rust`] and [`text_within`].
pub fn rust_within(root: &Path, path: impl AsRef<Path>) -> Result<String> {
    let text = text_within(root, path, Limit::Source)?;
    checked_rust(&text)?;
    Ok(text)
}

fn checked_rust(text: &str) -> Result<()> {
    match syntax::too_deep_at(text) {
        Some(line) => Err(Refused::TooDeep { line, levels: syntax::LEVELS }.into()),
        None => Ok(()),
    }
}

/// Reads the text of a file that a user names on the command line or in the environment. The file may also be a pipe,
/// such as `<(command)` in a shell; then the read waits for the end of the pipe.
///
/// # Errors
/// Fails if the file cannot be read, is too large, or is not UTF-8.
pub fn read_user_file(path: impl AsRef<Path>, limit: Limit) -> Result<String> {
    let mut content = String::new();
    File::open(path)?.take(limit.bytes() + 1).read_to_string(&mut content)?;
    check_size(content, limit)
}

/// Reads the bytes of a file that a user names, like [`read_user_file`].
///
/// # Errors
/// Fails if the file cannot be read, or is too large.
pub fn read_user_file_bytes(path: impl AsRef<Path>, limit: Limit) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(limit.bytes() + 1).read_to_end(&mut content)?;
    check_size(content, limit)
}

/// Opens a regular file for reading up to one byte more than the limit. Also returns the initial capacity for the
/// buffer that receives the content.
fn regular(path: &Path, limit: Limit) -> Result<(impl Read, usize)> {
    let file = open_without_waiting(path)?;
    let metadata = file.metadata()?;
    // The system itself refuses to read a folder.
    if !metadata.is_file() && !metadata.is_dir() {
        return Err(Refused::NotAFile.into());
    }
    if metadata.len() > limit.bytes() && metadata.is_file() {
        return Err(Refused::TooLarge(limit.bytes()).into());
    }
    // With a byte more, the reader sees the end of the file without asking for room.
    let room = usize::try_from(metadata.len().min(limit.bytes()) + 1).unwrap_or_default();
    Ok((file.take(limit.bytes() + 1), room))
}

/// Fails if the content exceeds the limit. Files in `/proc` have a size of 0, so the file size alone is not enough.
fn check_size<T: AsRef<[u8]>>(content: T, limit: Limit) -> Result<T> {
    if content.as_ref().len() as u64 > limit.bytes() {
        return Err(Refused::TooLarge(limit.bytes()).into());
    }
    Ok(content)
}
