//! The times of the runtime's files in projects that tests compile. In a target folder, cargo takes the crate `runtime` of all
//! projects for the same one, and compiles it anew if a file is newer than what it has compiled. So the files have the same
//! time in all projects: that at which the tests first had this runtime.

use super::{kept, tree};
use sha2::{Digest, Sha256};
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::sync::{Once, OnceLock};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

fn source() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("templates/project/runtime/src")
}

/// Sets the times of the runtime's files in a project. Those of a runtime that differs from the generated one stay.
pub(crate) fn settle(project: &Path) {
    let runtime = project.join("runtime/src");
    if !runtime.join("lib.rs").is_file() || hash(&runtime) != *this_runtime().0 {
        return;
    }
    for path in tree(&runtime).into_keys().filter(|path| !path.ends_with('/')) {
        File::options().write(true).open(runtime.join(path)).unwrap().set_modified(this_runtime().1).unwrap();
    }
}

/// Lets cargo compile the runtime anew if it has compiled that of another checkout into the target folder: where a file is
/// outside of its package, as the runtime is for `tests/runtime`, cargo looks for changes in that checkout alone.
pub(crate) fn forget_other_checkout(target: &Path) {
    static FORGOTTEN: Once = Once::new();
    FORGOTTEN.call_once(|| {
        let (this, record) = (env!("CARGO_MANIFEST_DIR"), kept::folder().join("checkout"));
        if fs::read_to_string(&record).is_ok_and(|recorded| recorded == this) {
            return;
        }
        let compiled = fs::read_dir(target.join("debug/.fingerprint")).into_iter().flatten().flatten();
        for entry in compiled.filter(|entry| entry.file_name().to_string_lossy().starts_with("runtime-")) {
            fs::remove_dir_all(entry.path()).unwrap();
        }
        fs::write(record, this).unwrap();
    });
}

/// Returns the hash of the generated runtime, and the time at which the tests first had it since they had another one.
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
