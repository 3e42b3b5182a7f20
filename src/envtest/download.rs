//! Downloads a published archive, computes its checksum on the way, and unpacks it.

use super::index::{Archive, Index};
use super::places::{API_SERVER, ETCD};
use crate::error::file_error;
use crate::report::{Console, Spinner};
use crate::{Error, Result};
use flate2::read::GzDecoder;
use sha2::{Digest, Sha512};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::time::Duration;
use ureq::Agent;
use ureq::tls::{RootCerts, TlsConfig};

/// The reason why a download failed.
#[derive(Debug)]
pub(super) enum Failure {
    /// The server or the network failed; a build from source may be used instead.
    Unreachable(Error),
    /// The archive is wrong or cannot be stored; a build must not be used instead.
    Refused(Error),
}

/// Fetches the index at `url`.
pub(super) fn index(url: &str) -> Result<Index, Failure> {
    let unreachable = |error: &ureq::Error| Failure::Unreachable(unreachable(url, error));
    let mut response = agent().get(url).call().map_err(|error| unreachable(&error))?;
    let text = response.body_mut().read_to_string().map_err(|error| unreachable(&error))?;
    Index::parse(url, &text).map_err(Failure::Refused)
}

/// Downloads `archive` and unpacks it into `filled`, a folder below `staging` that does not exist yet.
pub(super) fn fetch(archive: &Archive, staging: &Path, filled: &Path, console: &Console) -> Result<(), Failure> {
    let spinner = console.spinner("Downloading", &archive.url);
    let packed = staging.join(&archive.name);
    download(archive, &packed, &spinner)?;
    spinner.set_message(format!("{}, unpacking", archive.name));
    unpack(&packed, filled).map_err(Failure::Refused)
}

fn download(archive: &Archive, target: &Path, spinner: &Spinner) -> Result<(), Failure> {
    let mut response =
        agent().get(&archive.url).call().map_err(|error| Failure::Unreachable(unreachable(&archive.url, &error)))?;
    let length = response.body().content_length();
    let refused = |error: &std::io::Error| Failure::Refused(file_error("write", target, error));
    let mut file = File::create(target).map_err(|error| refused(&error))?;
    let mut reader = response.body_mut().as_reader();
    let (mut digest, mut done, mut buffer) = (Sha512::new(), 0u64, vec![0; 128 * 1024]);
    loop {
        let count = reader.read(&mut buffer).map_err(|error| {
            Failure::Unreachable(
                Error::environment(format!("the download of `{}` broke off", archive.url))
                    .caused_by(error)
                    .hint("run the same command again, or build instead: opctl envtest setup --from-source"),
            )
        })?;
        if count == 0 {
            break;
        }
        digest.update(&buffer[..count]);
        file.write_all(&buffer[..count]).map_err(|error| refused(&error))?;
        done += count as u64;
        let of = length.map(|length| format!(" of {}", megabytes(length))).unwrap_or_default();
        spinner.set_message(format!("{}, {}{of}", archive.name, megabytes(done)));
    }
    let computed = hexadecimal(&digest.finalize());
    if computed == archive.sha512 {
        return Ok(());
    }
    let error = Error::environment(format!("the checksum of `{}` is wrong", archive.name))
        .caused_by(format!("{computed} is what came from `{}`", archive.url))
        .caused_by(format!("{} is what the index says", archive.sha512))
        .hint("run the same command again; if it happens again, build instead: opctl envtest setup --from-source");
    Err(Failure::Refused(error))
}

/// Unpacks regular files only, all directly into `filled`: whatever paths the archive has, no file is written
/// elsewhere.
fn unpack(packed: &Path, filled: &Path) -> Result<()> {
    let broken =
        |error: &std::io::Error| Error::environment(format!("`{}` cannot be unpacked", packed.display())).source(error);
    let file = File::open(packed).map_err(|error| file_error("read", packed, &error))?;
    fs::create_dir(filled).map_err(|error| file_error("make the folder", filled, &error))?;
    let mut archive = tar::Archive::new(GzDecoder::new(file));
    for entry in archive.entries().map_err(|error| broken(&error))? {
        let mut entry = entry.map_err(|error| broken(&error))?;
        let path = entry.path().map_err(|error| broken(&error))?.into_owned();
        let (true, Some(name)) = (entry.header().entry_type().is_file(), path.file_name()) else { continue };
        let target = filled.join(name);
        let mut file = File::create(&target).map_err(|error| file_error("write", &target, &error))?;
        // A failure to read the archive is also reported as a failed write here, so that a full disk is reported as
        // such.
        std::io::copy(&mut entry, &mut file).map_err(|error| file_error("write", &target, &error))?;
    }
    for name in [ETCD, API_SERVER] {
        if !filled.join(name).is_file() {
            return Err(Error::environment(format!("the archive holds no `{name}`"))
                .hint("build it instead: opctl envtest setup --from-source"));
        }
    }
    Ok(())
}

fn agent() -> Agent {
    // Use the system's authorities, so that a company's proxy is trusted if the system trusts it.
    let tls = TlsConfig::builder().root_certs(RootCerts::PlatformVerifier).build();
    let config = Agent::config_builder()
        .tls_config(tls)
        .user_agent(concat!("opctl/", env!("CARGO_PKG_VERSION")))
        .timeout_resolve(Some(Duration::from_secs(10)))
        .timeout_connect(Some(Duration::from_secs(15)))
        .timeout_recv_response(Some(Duration::from_secs(30)))
        .timeout_per_read(Some(Duration::from_secs(60)));
    config.build().into()
}

fn unreachable(url: &str, error: &ureq::Error) -> Error {
    Error::environment(format!("`{url}` cannot be fetched")).source(error)
}

fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::new(), |mut text, byte| {
        // Writing to a string cannot fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}

fn megabytes(bytes: u64) -> String {
    format!("{} MB", bytes / 1_000_000)
}

#[cfg(test)]
mod tests {
    use super::*;
    use flate2::Compression;
    use flate2::write::GzEncoder;

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
        let error = unpack(&packed, &folder.path().join("one")).unwrap_err();
        assert_eq!(error.message(), "the archive holds no `kube-apiserver`");
        fs::write(&packed, "not an archive").unwrap();
        assert!(unpack(&packed, &folder.path().join("two")).is_err());
    }
}
