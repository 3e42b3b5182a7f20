//! Unpacks an archive of setup-envtest whose checksum was verified.

use super::failure::size;
use super::places::{API_SERVER, ETCD};
use crate::error::file_error;
use crate::{Error, Result, system};
use flate2::read::GzDecoder;
use std::fs::OpenOptions;
use std::io::Read;
use std::path::Path;

/// The maximum number of bytes to unpack. The largest archive has 100 MB, which unpack to 300 MB.
const UNPACKED: u64 = 1_000_000_000;
/// The maximum number of entries of an archive. The published archives have three files.
const ENTRIES: usize = 100;

/// Unpacks the programs in the archive `packed` into the empty folder `filled`.
pub(super) fn unpack(packed: &Path, filled: &Path) -> Result<()> {
    unpack_at_most(packed, filled, UNPACKED)
}

/// Unpacks only regular files, all directly into `filled`: whatever paths the archive contains, no file is written
/// elsewhere. Fails if the archive unpacks to more than `limit` bytes, skipped entries included.
fn unpack_at_most(packed: &Path, filled: &Path, limit: u64) -> Result<()> {
    let refused =
        |what: String| Error::environment(format!("`{}` cannot be unpacked", packed.display())).caused_by(what);
    let file = system::open_regular(OpenOptions::new().read(true), packed)
        .map_err(|error| file_error("read", packed, &error))?;
    let mut archive = tar::Archive::new(Limited { reader: GzDecoder::new(file), left: limit, limit });
    let entries = archive.entries().map_err(|error| refused(error.to_string()))?;
    // Raw: an extended header, which is read into memory whole, gives a path that no server needs.
    for (number, entry) in entries.raw(true).enumerate() {
        if number == ENTRIES {
            return Err(refused(format!("the archive has more than {ENTRIES} entries")));
        }
        let mut entry = entry.map_err(|error| refused(error.to_string()))?;
        let path = entry.path().map_err(|error| refused(error.to_string()))?.into_owned();
        let (true, Some(name)) = (entry.header().entry_type().is_file(), path.file_name()) else { continue };
        let target = filled.join(name);
        let mut file = system::create_file(&target).map_err(|error| file_error("write", &target, &error))?;
        // A failure to read the archive is also reported as a failed write here, so that a full disk is reported as
        // such.
        std::io::copy(&mut entry, &mut file).map_err(|error| file_error("write", &target, &error))?;
    }
    for name in [ETCD, API_SERVER] {
        if !filled.join(name).is_file() {
            return Err(Error::environment(format!("the archive does not contain `{name}`"))
                .hint("build the servers from source instead: opctl envtest setup --from-source"));
        }
    }
    Ok(())
}

/// A reader that fails after `limit` bytes.
struct Limited<R> {
    reader: R,
    left: u64,
    limit: u64,
}

impl<R: Read> Read for Limited<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        let count = self.reader.read(buffer)?;
        self.left = self.left.checked_sub(count as u64).ok_or_else(|| {
            std::io::Error::other(format!(
                "the archive unpacks to more than {}, the limit for an archive of servers",
                size(self.limit)
            ))
        })?;
        Ok(count)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;
    use std::fs;
    use std::fs::File;

    fn pack(path: &Path, files: &[(&str, &str)]) {
        let mut builder = tar::Builder::new(GzEncoder::new(File::create(path).unwrap(), Compression::fast()));
        for (name, text) in files {
            let mut header = tar::Header::new_gnu();
            header.set_size(text.len() as u64);
            header.set_mode(0o755);
            // Written directly, because the library refuses the paths that an attacker would use.
            header.as_mut_bytes()[..name.len()].copy_from_slice(name.as_bytes());
            header.set_cksum();
            builder.append(&header, text.as_bytes()).unwrap();
        }
        let mut link = tar::Header::new_gnu();
        link.set_entry_type(tar::EntryType::Symlink);
        link.set_size(0);
        builder.append_link(&mut link, "controller-tools/envtest/link", "/etc/passwd").unwrap();
        builder.into_inner().unwrap().finish().unwrap();
    }

    #[test]
    fn only_regular_files_are_unpacked_and_only_into_the_folder() {
        let folder = tempfile::tempdir().unwrap();
        let (packed, filled) = (folder.path().join("a.tar.gz"), folder.path().join("bin"));
        let inside = [("controller-tools/envtest/etcd", "e"), ("../../kube-apiserver", "k"), ("/kubectl", "c")];
        pack(&packed, &inside);
        fs::create_dir(&filled).unwrap();
        unpack(&packed, &filled).unwrap();
        let mut names: Vec<_> = fs::read_dir(&filled).unwrap().map(|file| file.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["etcd", "kube-apiserver", "kubectl"]);
    }

    #[test]
    fn an_archive_without_a_server_or_a_broken_one_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let packed = folder.path().join("a.tar.gz");
        pack(&packed, &[("controller-tools/envtest/etcd", "e")]);
        let filled = folder.path().join("filled");
        fs::create_dir(&filled).unwrap();
        let error = unpack(&packed, &filled).unwrap_err();
        assert_eq!(error.message(), "the archive does not contain `kube-apiserver`");
        fs::write(&packed, "not an archive").unwrap();
        assert!(unpack(&packed, &filled).is_err());
    }

    /// An archive that unpacks to more than the limit is refused, even if the bytes belong to skipped entries.
    #[test]
    fn no_more_than_the_limit_is_unpacked() {
        let folder = tempfile::tempdir().unwrap();
        for kind in
            [tar::EntryType::Regular, tar::EntryType::Symlink, tar::EntryType::GNULongName, tar::EntryType::XHeader]
        {
            let name = format!("{kind:?}");
            let packed = folder.path().join(&name);
            let mut builder = tar::Builder::new(GzEncoder::new(File::create(&packed).unwrap(), Compression::fast()));
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(3_000_000);
            header.as_mut_bytes()[..4].copy_from_slice(b"etcd");
            header.set_cksum();
            builder.append(&header, std::io::repeat(b'0').take(3_000_000)).unwrap();
            builder.into_inner().unwrap().finish().unwrap();
            let filled = folder.path().join(name + "-filled");
            fs::create_dir(&filled).unwrap();
            let error = unpack_at_most(&packed, &filled, 2_000_000).unwrap_err();
            assert!(
                error.causes().iter().any(|cause| cause.contains("more than 2 MB")),
                "{error} {:?}",
                error.causes()
            );
            let written: u64 = fs::read_dir(&filled).unwrap().map(|file| file.unwrap().metadata().unwrap().len()).sum();
            assert!(written <= 2_000_000, "{written}");
        }
    }

    #[test]
    fn an_archive_has_few_entries() {
        let folder = tempfile::tempdir().unwrap();
        let packed = folder.path().join("a.tar.gz");
        let names: Vec<String> = (0..=ENTRIES).map(|number| number.to_string()).collect();
        pack(&packed, &names.iter().map(|name| (name.as_str(), "")).collect::<Vec<_>>());
        let filled = folder.path().join("filled");
        fs::create_dir(&filled).unwrap();
        let error = unpack(&packed, &filled).unwrap_err();
        assert_eq!(error.causes(), ["the archive has more than 100 entries"]);
    }
}
