//! Packs the templates, sets the variables that `opctl version` shows, and makes a release smaller.

use std::path::{Path, PathBuf};
use std::process::Command;
use std::{fs, io};

fn main() {
    println!("cargo::rerun-if-changed=templates");
    println!("cargo::rerun-if-changed=src/build.rs");
    let variable = |name: &str| std::env::var(name).unwrap_or_default();
    pack(Path::new("templates"), Path::new(&variable("OUT_DIR"))).expect("templates are texts that can be read");
    println!("cargo::rustc-env=OPCTL_TARGET={}", variable("TARGET"));
    if let Some(version) = output(&variable("RUSTC"), &["--version"], Path::new(".")) {
        println!("cargo::rustc-env=OPCTL_RUSTC={}", version.trim_start_matches("rustc "));
    }
    if variable("PROFILE") != "release" {
        return;
    }
    // A development build has no commit: else every commit would compile all of opctl again.
    if let Some(commit) = commit(Path::new(&variable("CARGO_MANIFEST_DIR"))) {
        println!("cargo::rustc-env=OPCTL_COMMIT={commit}");
    }
    for argument in link_arguments(&variable) {
        println!("cargo::rustc-link-arg-bins={argument}");
    }
}

/// Writes a compressed file for each folder of templates, so that a command decompresses only the one or two folders
/// that the command needs. Also writes the list of the folders as Rust code for `src/template/packed.rs`.
fn pack(templates: &Path, to: &Path) -> io::Result<()> {
    let folders = sorted_paths(templates)?;
    let mut list = format!("pub(super) static FOLDERS: [Folder; {}] = [\n", folders.len());
    for folder in folders {
        let mut texts = String::new();
        add_texts(&folder, &folder, &mut texts)?;
        let name = folder.file_name().unwrap_or_default().to_string_lossy();
        fs::write(to.join(format!("{name}.lz4")), lz4_flex::compress_prepend_size(texts.as_bytes()))?;
        list.push_str(&format!("Folder::new({name:?}, include_bytes!({:?})),\n", format!("{name}.lz4")));
    }
    fs::write(to.join("templates.rs"), list + "];\n")
}

/// Adds the path (relative to `root`) and the text of each file in `folder`. A NUL ends each path and each text.
fn add_texts(root: &Path, folder: &Path, to: &mut String) -> io::Result<()> {
    for path in sorted_paths(folder)? {
        if path.is_dir() {
            add_texts(root, &path, to)?;
            continue;
        }
        let name = path.strip_prefix(root).unwrap_or(&path).components();
        let name: Vec<_> = name.map(|part| part.as_os_str().to_string_lossy()).collect();
        for text in [name.join("/"), fs::read_to_string(&path)?] {
            assert!(!text.contains('\0'), "{} contains a NUL", path.display());
            to.push_str(&text);
            to.push('\0');
        }
    }
    Ok(())
}

fn sorted_paths(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let paths = fs::read_dir(folder)?.map(|entry| Ok(entry?.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// A linker script that discards the unwind tables, which a debugger or a panic needs. The tables are a sixth of a
/// release build, which never unwinds (`panic = "abort"`); no cargo profile setting and no linker option removes them.
const DISCARD_UNWIND_TABLES: &str =
    "SECTIONS { /DISCARD/ : { *(.eh_frame) *(.gcc_except_table .gcc_except_table.*) } } INSERT AFTER .comment;\n";

/// Returns linker arguments that make a Linux release smaller: they discard the unwind tables, merge functions with the
/// same code, as the linkers of macOS and Windows do by default, and pack the list of relative relocations. Not every
/// linker supports all arguments: mold, for example, takes no linker script, and glibc before 2.36 does not read packed
/// relocations. So each argument is tried with a small program.
pub(crate) fn link_arguments(variable: &impl Fn(&str) -> String) -> Vec<String> {
    let script = Path::new(&variable("OUT_DIR")).join("discard.ld");
    if variable("CARGO_CFG_TARGET_OS") != "linux" || fs::write(&script, DISCARD_UNWIND_TABLES).is_err() {
        return Vec::new();
    }
    let script = script.display().to_string();
    let tried: [&[&str]; 3] =
        [&["-Wl,--no-eh-frame-hdr", "-T", &script], &["-Wl,--icf=all"], &["-Wl,-z,pack-relative-relocs"]];
    // The glibc of another machine cannot be tried.
    let tried = &tried[..if is_of_this_machine(variable) { 3 } else { 2 }];
    tried.iter().fold(Vec::new(), |known, next| {
        let both: Vec<String> = known.iter().cloned().chain(next.iter().map(|&argument| argument.to_owned())).collect();
        if are_known(&both, variable) { both } else { known }
    })
}

fn is_of_this_machine(variable: &impl Fn(&str) -> String) -> bool {
    variable("HOST") == variable("TARGET")
}

/// Returns true if a program links with these arguments and, if the target is this machine, also runs.
fn are_known(arguments: &[String], variable: &impl Fn(&str) -> String) -> bool {
    let folder = PathBuf::from(variable("OUT_DIR"));
    let [source, program] = ["probe.rs", "probe"].map(|name| folder.join(name));
    let mut rustc = Command::new(variable("RUSTC"));
    rustc.arg(&source).arg("-o").arg(&program).args(["-C", "panic=abort", "--target", &variable("TARGET")]);
    let linker = variable("RUSTC_LINKER");
    if !linker.is_empty() {
        rustc.arg(format!("-Clinker={linker}"));
    }
    rustc.args(variable("CARGO_ENCODED_RUSTFLAGS").split('\u{1f}').filter(|flag| !flag.is_empty()));
    rustc.args(arguments.iter().map(|argument| format!("-Clink-arg={argument}")));
    let ends_well = |mut command: Command| command.output().is_ok_and(|output| output.status.success());
    let links = fs::write(source, "fn main() {}\n").is_ok() && ends_well(rustc);
    links && (!is_of_this_machine(variable) || ends_well(Command::new(program)))
}

/// Returns the commit of the sources in `folder`: from `.cargo_vcs_info.json` in an unpacked cargo package
/// (<https://doc.rust-lang.org/cargo/commands/cargo-package.html>), or from git in a repository.
pub(crate) fn commit(folder: &Path) -> Option<String> {
    let packaged = folder.join(".cargo_vcs_info.json");
    if let Ok(text) = fs::read_to_string(packaged) {
        let hash = text.split("\"sha1\"").nth(1)?.split('"').nth(1)?;
        let dirty = text.contains("\"dirty\": true");
        return Some(describe_commit(hash, dirty));
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
    Some(describe_commit(&hash, !changes.is_empty()))
}

fn describe_commit(hash: &str, dirty: bool) -> String {
    format!("{hash}{}", if dirty { " (with changes)" } else { "" })
}

fn output(program: &str, arguments: &[&str], folder: &Path) -> Option<String> {
    let output = Command::new(program).args(arguments).current_dir(folder).output().ok()?;
    output.status.success().then(|| String::from_utf8_lossy(&output.stdout).trim().to_owned())
}
