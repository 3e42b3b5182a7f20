//! Downloads the files that a setup needs into a folder, for use on a machine without a network or as a mirror.

use super::archives;
use super::extent::Extent;
use super::failure::Failure;
use super::fetch::{self, Item};
use super::index::Index;
use super::kubernetes_version::{Selector, Version};
use super::location::Location;
use super::origin::{INDEX, Origin, program_path};
use super::partial::Partials;
use super::release::{Release, is_published};
use crate::error::file_error;
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::{Result, system};
use std::fs::{self, File, OpenOptions};
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// The name of the subfolder with the files of interrupted downloads and with the lock file, which prevents two opctl
/// processes from downloading into the same folder at once. The subfolder is removed after the last download.
const PARTIAL: &str = ".opctl-partial";

/// Options of `opctl envtest setup --download-only`.
#[derive(Clone, Debug)]
pub struct DownloadOptions {
    /// The version of Kubernetes to download.
    pub selector: Selector,
    /// The programs to download.
    pub extent: Extent,
    /// The source of the programs. `None` means the mirror in `OPCTL_ENVTEST_MIRROR` or, if this environment variable
    /// is not set, the published downloads.
    pub origin: Option<Origin>,
    /// Allow http to machines other than this one.
    pub plain_http: bool,
    /// The operating system and architecture of the programs, such as `linux-amd64`.
    pub platform: String,
    /// The folder to download into, which need not exist.
    pub folder: PathBuf,
    /// Report the files to download, and download nothing.
    pub dry_run: bool,
}

/// The result of a download into a folder, or of its dry run.
#[derive(Clone, Debug)]
pub struct Downloaded {
    /// The version of Kubernetes.
    pub version: Version,
    /// The paths of the version's files, relative to the folder.
    pub files: Vec<String>,
    /// True if at least one file was not in the folder before; always true for a dry run.
    pub is_new: bool,
}

/// Downloads the files of one version into a folder, so that the folder can be used as an [`Origin::Folder`]. Skips
/// files that the folder already contains with the right checksum.
pub fn download_only(options: &DownloadOptions, console: &Console) -> Result<Downloaded> {
    let origin = options.origin.clone().unwrap_or_else(Origin::of_this_process);
    let (platform, plain_http) = (options.platform.as_str(), options.plain_http);
    let found = archives::archives(&origin, platform, plain_http, console).map_err(Failure::into_error)?;
    let archive = archives::newest(&found, &options.selector, platform)?;
    let version = archive.version;
    let programs = if is_published(platform) { options.extent.names() } else { &[] };
    let mut files = vec![INDEX.to_owned(), archive.name.clone()];
    for name in programs {
        let path = program_path(version, platform, name);
        files.extend([format!("{path}.sha256"), path]);
    }
    if options.dry_run {
        return Ok(Downloaded { version, files, is_new: true });
    }
    let filling = Filling::begin(&options.folder, plain_http, console)?;
    let mut is_new = filling.bring(&archives::item(&archive, &origin)?, &archive.name)?;
    let release = Release { origin: &origin, version, platform, plain_http };
    for name in programs {
        let path = program_path(version, platform, name);
        let item = release.item(name).map_err(Failure::into_error)?;
        is_new |= filling.bring(&item, &path)?;
        filling.write(&format!("{path}.sha256"), &format!("{}\n", item.checksum.expected()))?;
    }
    if programs.is_empty() && options.extent != Extent::Servers {
        console.note(format_args!(
            "Kubernetes publishes kube-controller-manager for Linux only: on {platform} it is built with Go"
        ));
    }
    // Last, so that the index lists nothing that is missing.
    let location = Location::File(options.folder.join(INDEX));
    let mut index = match reading::text(options.folder.join(INDEX), Limit::Source) {
        Ok(text) => Index::parse(&location, &text)?,
        Err(error) if error.kind() == ErrorKind::NotFound => Index::default(),
        Err(error) => return Err(file_error("read", &options.folder.join(INDEX), &error)),
    };
    index.add(&archive);
    filling.write(INDEX, &index.text()?)?;
    filling.partials.prune();
    Ok(Downloaded { version, files, is_new })
}

/// The folder to download into, with a lock that prevents other opctl processes from writing to the folder.
struct Filling<'a> {
    folder: &'a Path,
    plain_http: bool,
    partials: Partials,
    console: &'a Console,
    _lock: File,
}

impl<'a> Filling<'a> {
    fn begin(folder: &'a Path, plain_http: bool, console: &'a Console) -> Result<Self> {
        let partial = folder.join(PARTIAL);
        let path = partial.join("lock");
        loop {
            system::create_folders(&partial).map_err(|error| file_error("make the folder", &partial, &error))?;
            let lock = system::open_private(&path).map_err(|error| file_error("write", &path, &error))?;
            if lock.try_lock().is_err() {
                console.status("Waiting", format_args!("for another opctl that fills `{}`", folder.display()));
                lock.lock().map_err(|error| file_error("lock", &path, &error))?;
            }
            // The process that had the lock removes it with its folder.
            if system::is_same_file(&lock, &path) {
                let partials = Partials::in_folder(partial);
                return Ok(Filling { folder, plain_http, partials, console, _lock: lock });
            }
        }
    }

    /// Downloads or copies an item to `path` in the folder. Returns false if the folder already has the right file.
    fn bring(&self, item: &Item, path: &str) -> Result<bool> {
        let target = self.folder.join(path);
        if fetch::is_there(&target, &item.checksum, item.limit) {
            return Ok(false);
        }
        self.make_parent(&target)?;
        fetch::download_item(item, self.plain_http, &self.partials, &target, self.console)
            .map_err(Failure::into_error)?;
        // A web server, too, can read it.
        system::set_mode(&target, 0o644).map_err(|error| file_error("set the mode of", &target, &error))?;
        Ok(true)
    }

    /// Writes a text atomically to `path` in the folder.
    fn write(&self, path: &str, text: &str) -> Result<()> {
        let (target, new) = (self.folder.join(path), self.folder.join(PARTIAL).join("new"));
        self.make_parent(&target)?;
        let file = system::open_or_create(OpenOptions::new().write(true), &new);
        let file = file.and_then(|file| file.set_len(0).map(|()| file));
        let written = file.and_then(|mut file| file.write_all(text.as_bytes()));
        written.and_then(|()| fs::rename(&new, &target)).map_err(|error| file_error("write", &target, &error))
    }

    fn make_parent(&self, target: &Path) -> Result<()> {
        let parent = target.parent().unwrap_or(self.folder);
        system::create_folders(parent).map_err(|error| file_error("make the folder", parent, &error))
    }
}
