//! The seal of a journal, which proves that this user's opctl wrote the journal, and for this folder.
//!
//! The seal is an HMAC of the journal's list, of the folder's real path and of the folder's identity on the disk,
//! so that it is not valid in a copy of the folder or after a move. The key is in a file that only the user can
//! read, in opctl's folder in the user's home directory. The first command that needs the key creates it.
//!
//! If opctl cannot store a key, as in a container without a home directory, commands still work, and their journals
//! have no seal. If such a command is killed, the next command does not complete its changes, and tells the user
//! how to continue.

use crate::system::{belongs_to_user, create_private_folders, identity, is_private, open_private, open_regular};
use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use ring::hmac::{self, HMAC_SHA256};
use ring::rand::{SecureRandom, SystemRandom};
use std::fs::{File, OpenOptions};
use std::io::{Error, Read, Result, Write};
use std::path::{Path, PathBuf};

const KEY_FILE: &str = "journal.key";
const KEY_BYTES: usize = 32;

/// Signs journals with the user's key.
#[derive(Clone, Debug)]
pub struct Sealer {
    /// The folder that contains the key; `None` for a user without a home directory.
    folder: Option<PathBuf>,
}

impl Sealer {
    /// Creates a sealer with its key in `folder`, which is opctl's folder in the user's home directory.
    pub fn new(folder: Option<PathBuf>) -> Self {
        Sealer { folder }
    }

    /// Returns the seal of a journal's list, or `None` if opctl cannot store a key.
    pub(super) fn seal(&self, root: &Path, list: &str) -> Option<String> {
        let folder = self.folder.as_deref()?;
        let key = read_key(folder).or_else(|_| create_key(folder)).ok()?;
        Some(BASE64_STANDARD.encode(hmac::sign(&key, &signed_bytes(root, list)?)))
    }

    /// Returns true if `seal` is the valid seal of the list in the project's folder `root`.
    pub(super) fn is_seal(&self, root: &Path, list: &str, seal: &str) -> bool {
        let key = self.folder.as_deref().and_then(|folder| read_key(folder).ok());
        let parts = key.zip(signed_bytes(root, list)).zip(BASE64_STANDARD.decode(seal).ok());
        parts.is_some_and(|((key, sealed), seal)| hmac::verify(&key, &sealed, &seal).is_ok())
    }
}

/// Returns the bytes that a seal signs: the real path and the identity of the folder, and the list.
fn signed_bytes(root: &Path, list: &str) -> Option<Vec<u8>> {
    let real = std::fs::canonicalize(root).ok()?;
    let identity = identity(&std::fs::metadata(&real).ok()?);
    // No path has a zero byte in it.
    Some([real.as_os_str().as_encoded_bytes(), identity.as_bytes(), list.as_bytes()].join(&0))
}

/// Reads the user's key from the file in `folder`.
fn read_key(folder: &Path) -> Result<hmac::Key> {
    key(&mut open_regular(OpenOptions::new().read(true), &folder.join(KEY_FILE))?)
}

fn key(file: &mut File) -> Result<hmac::Key> {
    let metadata = file.metadata()?;
    let mut bytes = Vec::new();
    file.take(KEY_BYTES as u64 + 1).read_to_end(&mut bytes)?;
    if bytes.len() == KEY_BYTES && belongs_to_user(&metadata) && is_private(&metadata) {
        Ok(hmac::Key::new(HMAC_SHA256, &bytes))
    } else {
        Err(Error::other("the key is incomplete, or not private to this user"))
    }
}

/// Creates the user's key in `folder`, or reads the key if another opctl process has just created it.
fn create_key(folder: &Path) -> Result<hmac::Key> {
    create_private_folders(folder)?;
    let path = folder.join(KEY_FILE);
    let mut file = open_private(&path)?;
    file.lock()?;
    if let Ok(key) = key(&mut file) {
        return Ok(key);
    }
    if file.metadata()?.len() >= KEY_BYTES as u64 {
        return Err(Error::other("the file does not contain a valid key"));
    }
    let mut bytes = [0; KEY_BYTES];
    SystemRandom::new().fill(&mut bytes).map_err(|_| Error::other("the system provides no random numbers"))?;
    // A part of a key remains if opctl is killed here.
    file.set_len(0)?;
    std::io::Seek::rewind(&mut file)?;
    file.write_all(&bytes)?;
    read_key(folder)
}

#[cfg(test)]
mod tests {
    use super::{KEY_FILE, Sealer};
    use std::fs;
    use std::path::Path;

    #[test]
    fn a_seal_holds_for_one_user_and_one_folder() {
        let place = tempfile::tempdir().expect("a folder");
        let folder = |name: &str| {
            let path = place.path().join(name);
            fs::create_dir(&path).expect("made");
            path
        };
        let (one, other) = (folder("one"), folder("other"));
        let (ours, theirs) =
            (Sealer::new(Some(place.path().join("home/a/b"))), Sealer::new(Some(place.path().join("home/c"))));
        let seal = ours.seal(&one, "list").expect("a key can be kept");
        assert_eq!(ours.seal(&one, "list").as_ref(), Some(&seal));
        assert!(ours.is_seal(&one, "list", &seal));
        assert!(!ours.is_seal(&one, "tsil", &seal), "another list");
        assert!(!ours.is_seal(&other, "list", &seal), "another folder");
        assert!(!theirs.is_seal(&one, "list", &seal), "a user without a key");
        assert!(theirs.seal(&one, "list").is_some_and(|other| other != seal), "another user");
        for wrong in ["", "x", "AAAA", &seal[1..]] {
            assert!(!ours.is_seal(&one, "list", wrong), "{wrong:?}");
        }
        // Another folder of the same path.
        fs::rename(&one, place.path().join("moved")).expect("moved");
        folder("one");
        assert!(!ours.is_seal(&one, "list", &seal));
        assert!(!ours.is_seal(&place.path().join("moved"), "list", &seal));
    }

    #[test]
    fn without_a_key_there_is_no_seal() {
        let place = tempfile::tempdir().expect("a folder");
        let root = place.path();
        let key = root.join("home").join(KEY_FILE);
        fs::create_dir(root.join("home")).expect("made");
        let sealer = Sealer::new(Some(root.join("home")));
        assert_eq!(Sealer::new(None).seal(root, "list"), None);
        assert_eq!(Sealer::new(Some(Path::new("/proc/none").into())).seal(root, "list"), None);
        // A part of a key is replaced; anything else that stands there stays.
        fs::write(&key, [1; 31]).expect("written");
        crate::system::set_mode(&key, 0o600).expect("private");
        assert!(sealer.seal(root, "list").is_some());
        fs::write(&key, [1; 33]).expect("written");
        assert_eq!(sealer.seal(root, "list"), None);
        fs::write(&key, [1; 32]).expect("written");
        assert!(sealer.seal(root, "list").is_some());
        crate::system::set_mode(&key, 0o644).expect("public");
        assert_eq!(sealer.seal(root, "list"), None);
        fs::remove_file(&key).expect("removed");
        fs::create_dir(&key).expect("made");
        assert_eq!(sealer.seal(root, "list"), None);
    }
}
