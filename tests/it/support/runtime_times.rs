//! The modification times of the runtime's files in projects that tests compile. In a shared target folder, cargo
//! does not distinguish the crates `runtime` of projects, and recompiles the crate if a file is newer than the
//! compiled crate. So the files have the same time in all projects: the time at which the tests first used this
//! runtime.

use super::{kept, tree};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/project/runtime/src")
}

/// Sets the modification times of the files of a project's runtime to the time that all test projects share, unless
/// this runtime differs from the generated runtime.
pub(crate) fn settle(project: &Path) {
    let runtime = project.join("runtime/src");
    if !runtime.join("lib.rs").is_file() || hash(&runtime) != *this_runtime().0 {
        return;
    }
    for path in tree(&runtime).into_keys().filter(|path| !path.ends_with('/')) {
        File::options().write(true).open(runtime.join(path)).unwrap().set_modified(this_runtime().1).unwrap();
    }
}

/// Makes cargo recompile the runtime if the target folder contains the runtime as compiled from another checkout.
/// Without this, cargo would look for changes only in the other checkout, because the source files of the runtime are
/// outside of the package `tests/runtime`.
pub(crate) fn forget_other_checkout(target: &Path) {
    static FORGOTTEN: Once = Once::new();
    FORGOTTEN.call_once(|| {
        let (this, record) = (env!("CARGO_MANIFEST_DIR"), kept::folder().join("checkout"));
        if fs::read_to_string(&record).is_ok_and(|recorded| recorded == this) {
            return;
        }
        // The lock that cargo holds while it builds: another test may be compiling the runtime.
        let debug = target.join("debug");
        let lock = File::options().write(true).open(debug.join(".cargo-lock"));
        if let Ok(lock) = &lock {
            lock.lock().unwrap();
        }
        let compiled = fs::read_dir(debug.join(".fingerprint")).into_iter().flatten().flatten();
        for entry in compiled.filter(|entry| entry.file_name().to_string_lossy().starts_with("runtime-")) {
            fs::remove_dir_all(entry.path()).unwrap();
        }
        fs::write(record, this).unwrap();
    });
}

/// Returns the hash of the generated runtime, and the time at which the tests first used it after its last change.
fn this_runtime() -> &'static (String, SystemTime) {
    static THIS: OnceLock<(String, SystemTime)> = OnceLock::new();
    THIS.get_or_init(|| {
        let (hash, record) = (hash(&source()), kept::folder().join("runtime"));
        let recorded = fs::read_to_string(&record).unwrap_or_default();
        let seconds = recorded.strip_prefix(&hash).and_then(|seconds| seconds.trim().parse().ok());
        let seconds: u64 = seconds.unwrap_or_else(|| {
            let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap().as_secs();
            fs::write(record, format!("{hash} {now}\n")).unwrap();
            now
        });
        (hash, UNIX_EPOCH + Duration::from_secs(seconds))
    })
}

fn hash(folder: &Path) -> String {
    let mut hash = Sha256::new();
    for (path, content) in tree(folder) {
        hash.update(path);
        hash.update(content.len().to_le_bytes());
        hash.update(content);
    }
    format!("{:x}", hash.finalize())
}
