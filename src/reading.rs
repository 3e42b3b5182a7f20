//! Reads the files that a repository or a user brings: regular files of a limited size, without waiting.
//!
//! Whatever stands in the place of a file, a device, a pipe, or more bytes than any such file has, is refused at once,
//! so that it can neither make opctl wait nor fill the memory. The errors carry an [`error::Refused`](crate::error::Refused),
//! from which [`error::file_error`](crate::error::file_error) makes an error for the user.

use crate::error::Refused;
use crate::syntax;
use crate::system::open_without_waiting;
use std::fs::File;
use std::io::{Read, Result};
use std::path::{Component, Path};

/// The most bytes that opctl reads of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Limit {
    /// A file of settings or a list: `PROJECT`, `Cargo.toml`, a kustomization, a kubeconfig. The list of all files of a
    /// project with a hundred kinds has 0.2 MiB.
    Settings,
    /// A source, a manifest or a lock file: the largest Rust file of k8s-openapi's sources has 1 MiB.
    Source,
    /// Many manifests, or what another program wrote: the CRDs of the Prometheus operator in one file have 5 MiB, those
    /// of Crossplane's provider for AWS have 30 MiB.
    Bundle,
    /// A compiled program: an operator without optimisations and with everything for a debugger has 80 MiB.
    Program,
}

impl Limit {
    /// Returns the number of bytes.
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

/// Reads a file.
///
/// # Errors
/// Fails if the file cannot be read, is not a regular file, or is too large.
pub fn bytes(path: impl AsRef<Path>, limit: Limit) -> Result<Vec<u8>> {
    let (mut file, room) = regular(path.as_ref(), limit)?;
    let mut content = Vec::with_capacity(room);
    file.read_to_end(&mut content)?;
    checked(content, limit)
}

/// Reads a file of any kind, which is a Rust source if its name says so; see [`rust`].
///
/// # Errors
/// Fails like [`bytes`], and if it is a source that is nested too deeply.
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
    checked(content, limit)
}

/// Reads the text of the file at `path`, which is relative to the project at `root`.
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

/// Returns true if `path` goes down from `root` by folders alone. Nearly all do, and to resolve a path asks the system once
/// for each folder from `/` on.
fn is_plainly_below(root: &Path, path: &Path) -> bool {
    let mut full = root.to_owned();
    path.components().all(|component| {
        full.push(component);
        matches!(component, Component::Normal(_))
            && std::fs::symlink_metadata(&full).is_ok_and(|there| !there.is_symlink())
    })
}

/// Reads the text of a Rust source, which is not nested so deeply that it cannot be parsed.
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

/// Reads the text of a file that a user names on the command line or in the environment: also a pipe, such as
/// `<(command)` in a shell, which is waited for.
///
/// # Errors
/// Fails if the file cannot be read, is too large, or is not UTF-8.
pub fn given(path: impl AsRef<Path>, limit: Limit) -> Result<String> {
    let mut content = String::new();
    File::open(path)?.take(limit.bytes() + 1).read_to_string(&mut content)?;
    checked(content, limit)
}

/// Reads the bytes of a file that a user names, like [`given`].
///
/// # Errors
/// Fails if the file cannot be read, or is too large.
pub fn given_bytes(path: impl AsRef<Path>, limit: Limit) -> Result<Vec<u8>> {
    let mut content = Vec::new();
    File::open(path)?.take(limit.bytes() + 1).read_to_end(&mut content)?;
    checked(content, limit)
}

/// Opens a regular file, to be read up to one byte more than the limit. Also returns the room that its content needs.
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

/// Refuses content that is longer than the size of its file, as that of files in `/proc` is, whose size is 0.
fn checked<T: AsRef<[u8]>>(content: T, limit: Limit) -> Result<T> {
    if content.as_ref().len() as u64 > limit.bytes() {
        return Err(Refused::TooLarge(limit.bytes()).into());
    }
    Ok(content)
}
