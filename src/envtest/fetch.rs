//! Downloads or copies files with a size limit. Small files are read into memory. Programs and archives are written to
//! files, and their checksums are verified.

use super::checksum::Checksum;
use super::failure::{Failure, size};
use super::location::Location;
use super::partial::{Partial, Partials};
use super::web::{self, Bounds};
use crate::error::file_error;
use crate::report::{Console, Spinner};
use crate::{Error, Result, system};
use std::fs::{File, OpenOptions};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;

/// The maximum number of attempts for a download. opctl makes another attempt only if the last attempt received at
/// least [`PROGRESS`] bytes.
const ATTEMPTS: u32 = 4;
const PROGRESS: u64 = 100_000;
const FILL: &str = "fill the folder again on a machine with network access: opctl envtest setup --download-only DIR";
const TIME: Duration = Duration::from_secs(3600);
const TIME_OF_SMALL: Duration = Duration::from_secs(60);

/// A file with a known checksum.
#[derive(Debug)]
pub(super) struct Item {
    /// The location of the file.
    pub(super) location: Location,
    /// The name that messages show.
    pub(super) name: String,
    /// The checksum that the file must have.
    pub(super) checksum: Checksum,
    /// The location from which the checksum was read, in backticks, for messages.
    pub(super) according_to: String,
    /// The maximum size of the file, in bytes.
    pub(super) limit: u64,
}

/// Reads a file of at most `limit` bytes into memory.
pub(super) fn small(location: &Location, limit: u64, plain_http: bool) -> Result<Vec<u8>, Failure> {
    let mut content = Vec::new();
    match location {
        Location::Url(url) => {
            web::open(url, Bounds { bytes: limit, time: TIME_OF_SMALL, plain_http }, 0)?.read(|piece| {
                content.extend_from_slice(piece);
                Ok(())
            })?;
        }
        Location::File(path) => {
            let mut reader = regular(path, limit)?.take(limit + 1);
            reader.read_to_end(&mut content).map_err(|error| unreadable_failure(path, &error))?;
            if content.len() as u64 > limit {
                return Err(too_large(path, limit));
            }
        }
    }
    Ok(content)
}

/// Downloads or copies `item` to `target`. `partials` contains the incomplete downloads, and must be on the same file
/// system as `target`. If the checksum is wrong, fails and leaves no file.
pub(super) fn download_item(
    item: &Item,
    plain_http: bool,
    partials: &Partials,
    target: &Path,
    console: &Console,
) -> Result<(), Failure> {
    match &item.location {
        Location::Url(url) => {
            let spinner = console.spinner("Downloading", item.location.to_string());
            let partial = partials.open(&item.name, &item.checksum).map_err(Failure::Refused)?;
            download(item, url, plain_http, partial, target, &spinner)
        }
        Location::File(path) => {
            let _spinner = console.spinner("Copying", path.display().to_string());
            copy(item, path, target)
        }
    }
}

fn download(
    item: &Item,
    url: &str,
    plain_http: bool,
    mut partial: Partial,
    target: &Path,
    spinner: &Spinner,
) -> Result<(), Failure> {
    let bounds = Bounds { bytes: item.limit, time: TIME, plain_http };
    let (mut attempts, mut is_resumed) = (1, partial.done > 0);
    // A file that is whole already was not given its name before the process was killed.
    while !is_resumed || partial.wrong_checksum().is_some() {
        let before = partial.done;
        match download_rest(item, url, bounds, &mut partial, spinner) {
            Ok(begin) => is_resumed = begin > 0,
            Err(Failure::Unreachable(_)) if attempts < ATTEMPTS && partial.done >= before.saturating_add(PROGRESS) => {
                attempts += 1;
                is_resumed = true;
                continue;
            }
            // What has come is kept for the next run.
            Err(Failure::Unreachable(error)) if partial.done > 0 => return Err(Failure::Unreachable(error)),
            Err(failure) => {
                partial.remove();
                return Err(failure);
            }
        }
        match partial.wrong_checksum() {
            None => break,
            // What was kept may be wrong, or the file has changed meanwhile.
            Some(_) if is_resumed => {
                partial.begin_again().map_err(Failure::Refused)?;
                is_resumed = false;
            }
            Some(computed) => {
                partial.remove();
                return Err(Failure::Refused(checksum_error(item, &computed)));
            }
        }
    }
    partial.finish(target).map_err(Failure::Refused)
}

/// Downloads the bytes of the file that `partial` lacks, or the whole file if the server cannot send only these bytes.
/// Returns the offset in the file at which the download began.
fn download_rest(
    item: &Item,
    url: &str,
    bounds: Bounds,
    partial: &mut Partial,
    spinner: &Spinner,
) -> Result<u64, Failure> {
    let download = web::open(url, bounds, partial.done)?;
    let begin = download.begin;
    if begin != partial.done {
        partial.begin_again().map_err(Failure::Refused)?;
    }
    let of = download.length.map(|length| format!(" of {}", size(length))).unwrap_or_default();
    download.read(|piece| {
        partial.append(piece).map_err(Failure::Refused)?;
        spinner.set_message(format!("{}, {}{of}", item.name, size(partial.done)));
        Ok(())
    })?;
    Ok(begin)
}

fn copy(item: &Item, path: &Path, target: &Path) -> Result<(), Failure> {
    let unwritable = |error: &std::io::Error| Failure::Refused(file_error("write", target, error));
    let mut reader = regular(path, item.limit)?;
    let mut file = system::create_file(target).map_err(|error| unwritable(&error))?;
    let (mut checksum, mut buffer, mut done) = (item.checksum.clone(), vec![0; 128 * 1024], 0);
    loop {
        let count = reader.read(&mut buffer).map_err(|error| unreadable_failure(path, &error))?;
        if count == 0 {
            break;
        }
        done += count as u64;
        // The file may grow while it is read.
        if done > item.limit {
            return Err(too_large(path, item.limit));
        }
        checksum.update(&buffer[..count]);
        file.write_all(&buffer[..count]).map_err(|error| unwritable(&error))?;
    }
    match checksum.wrong_digest() {
        None => Ok(()),
        Some(computed) => {
            let _ = std::fs::remove_file(target);
            Err(Failure::Refused(checksum_error(item, &computed)))
        }
    }
}

/// Returns true if `path` is a regular file of at most `limit` bytes with this checksum.
pub(super) fn is_there(path: &Path, checksum: &Checksum, limit: u64) -> bool {
    let Ok(file) = regular(path, limit) else { return false };
    let (mut checksum, mut buffer, mut reader) = (checksum.clone(), vec![0; 128 * 1024], file.take(limit));
    loop {
        match reader.read(&mut buffer) {
            Ok(0) => return checksum.wrong_digest().is_none(),
            Ok(count) => checksum.update(&buffer[..count]),
            Err(_) => return false,
        }
    }
}

/// Opens a regular file of at most `limit` bytes without blocking.
fn regular(path: &Path, limit: u64) -> Result<File, Failure> {
    let file =
        system::open_regular(OpenOptions::new().read(true), path).map_err(|error| unreadable_failure(path, &error))?;
    match file.metadata() {
        Ok(metadata) if metadata.len() <= limit => Ok(file),
        Ok(_) => Err(too_large(path, limit)),
        Err(error) => Err(unreadable_failure(path, &error)),
    }
}

fn unreadable_failure(path: &Path, error: &std::io::Error) -> Failure {
    let of_link = std::io::Error::other("the path is a symbolic link, but opctl reads only regular files");
    let error = if path.is_symlink() { &of_link } else { error };
    Failure::Unreachable(file_error("read", path, error).hint(FILL))
}

fn too_large(path: &Path, limit: u64) -> Failure {
    let error = Error::environment(format!("`{}` is larger than {}", path.display(), size(limit)))
        .caused_by("the original files from the Kubernetes project are smaller, so opctl rejects a file of this size");
    Failure::Refused(error.hint(FILL))
}

fn checksum_error(item: &Item, computed: &str) -> Error {
    let error = Error::environment(format!("the checksum of `{}` is wrong", item.name))
        .caused_by(format!("the file from `{}` has the checksum {computed}", item.location))
        .caused_by(format!("{} is what {} says", item.checksum.expected(), item.according_to));
    match item.location {
        Location::File(_) => error.hint(FILL),
        Location::Url(_) => error.hint(
            "run the same command again; if it fails again, build the servers from source instead: opctl \
                   envtest setup --from-source",
        ),
    }
}
