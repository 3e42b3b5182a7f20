//! Watches the templates, as `include_dir!` notices a changed template but not an added or removed one, and sets the
//! variables that `opctl version` shows.

use std::path::Path;
use std::process::Command;

fn main() {
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=src/build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    println!("cargo::rustc-env=OPCTL_TARGET={}", variable("TARGET"));
    if let Some(version) = output(&variable("RUSTC"), &["--version"], Path::new(".")) {
        println!("cargo::rustc-env=OPCTL_RUSTC={}", version.trim_start_matches("rustc "));
    }
    // A development build has no commit: else every commit would compile all of opctl again.
    if variable("PROFILE") == "release"
        && let Some(commit) = commit(Path::new(&variable("CARGO_MANIFEST_DIR")))
    {
        println!("cargo::rustc-env=OPCTL_COMMIT={commit}");
    }
}

/// Returns the commit of the sources in `folder`: cargo has recorded the commit of a package
/// (<https://doc.rust-lang.org/cargo/commands/cargo-package.html>), and git knows that of a repository.
pub(crate) fn commit(folder: &Path) -> Option<String> {
    let packaged = folder.join(".cargo_vcs_info.json");
    if let Ok(text) = std::fs::read_to_string(packaged) {
        let hash = text.split("\"sha1\"").nth(1)?.split('"').nth(1)?;
        let dirty = text.contains("\"dirty\": true");
        return Some(described(hash, dirty));
    }
    // A package that was unpacked within another repository does not belong to that repository.
    if !folder.join(".git").exists() {
        return None;
    }
    for file in ["HEAD", "logs/HEAD", "index"] {
        if let Some(path) = output("git", &["rev-parse", "--git-path", file], folder) {
            println!("cargo::rerun-if-changed={}", folder.join(path).display());
        }
    }
    let hash = output("git", &["rev-parse", "HEAD"], folder)?;
    // Without `--no-optional-locks`, git would note in the index that files are unchanged, and the next build would
    // find a newer index and compile everything again.
    let changes = output("git", &["--no-optional-locks", "status", "--porcelain", "--untracked-files=no"], folder)?;
    Some(described(&hash, !changes.is_empty()))
}

fn described(hash: &str, dirty: bool) -> String {
    format!("{hash}{}", if dirty { " (with changes)" } else { "" })
}

fn output(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
