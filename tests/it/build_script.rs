//! Tests two functions of the build script: one finds the commit of a release in a git repository or in a cargo
//! package, the other finds the linker arguments for a small release.

#[path = "../../src/build.rs"]
#[allow(dead_code, reason = "cargo calls main")]
mod script;

use crate::support::{apart, temporary, tool};
use script::{commit, link_arguments};
use std::path::Path;
use std::time::{Duration, SystemTime};

fn git(folder: &Path, arguments: &[&str]) -> String {
    let output = tool("git").args(arguments).current_dir(folder).output().unwrap();
    assert!(output.status.success(), "{arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim().to_owned()
}

#[test]
fn the_commit_is_that_of_the_sources() {
    apart!();
    let folder = temporary();
    let root = folder.path();
    assert_eq!(commit(root), None);

    git(root, &["init", "-q"]);
    std::fs::write(root.join("file"), "one").unwrap();
    git(root, &["add", "file"]);
    git(root, &["commit", "-qm", "one"]);
    let hash = git(root, &["rev-parse", "HEAD"]);
    assert_eq!(commit(root), Some(hash.clone()));
    // As in a clone, where the index does not know the times of the files. Reading the commit must not change the
    // index, or the next build takes the change for a new commit.
    let index = || std::fs::read(root.join(".git/index")).unwrap();
    let (before, earlier) = (index(), SystemTime::now() - Duration::from_secs(3600));
    std::fs::File::options().write(true).open(root.join("file")).unwrap().set_modified(earlier).unwrap();
    assert_eq!(commit(root), Some(hash.clone()));
    assert!(index() == before, "git has written the index");
    std::fs::write(root.join("file"), "two").unwrap();
    assert_eq!(commit(root), Some(format!("{hash} (with changes)")));

    // A package that is unpacked within a repository that does not contain it.
    let package = root.join("package");
    std::fs::create_dir(&package).unwrap();
    assert_eq!(commit(&package), None);
    let written =
        "{\n  \"git\": {\n    \"sha1\": \"0123456789abcdef0123456789abcdef01234567\"\n  },\n  \"path_in_vcs\": \"\"\n}";
    std::fs::write(package.join(".cargo_vcs_info.json"), written).unwrap();
    assert_eq!(commit(&package).as_deref(), Some("0123456789abcdef0123456789abcdef01234567"));
    let dirty = written.replace("\n  },\n", ",\n    \"dirty\": true\n  },\n");
    std::fs::write(package.join(".cargo_vcs_info.json"), dirty).unwrap();
    assert_eq!(commit(&package).as_deref(), Some("0123456789abcdef0123456789abcdef01234567 (with changes)"));
}

/// Returns the linker arguments that the build script chooses on Linux if the user sets the compiler flags `flags`.
/// `folder` is the output folder of the build script.
#[cfg(target_os = "linux")]
fn arguments(folder: &Path, flags: &str) -> Vec<String> {
    let system = format!("{}-unknown-linux-gnu", std::env::consts::ARCH);
    link_arguments(&|name: &str| match name {
        "CARGO_CFG_TARGET_OS" => "linux".to_owned(),
        "HOST" | "TARGET" => system.clone(),
        "OUT_DIR" => folder.display().to_string(),
        "RUSTC" => "rustc".to_owned(),
        "CARGO_ENCODED_RUSTFLAGS" => flags.to_owned(),
        _ => String::new(),
    })
}

#[test]
#[cfg(target_os = "linux")]
fn a_release_is_as_small_as_its_linker_can_make_it() {
    apart!();
    let folder = temporary();
    let all = arguments(folder.path(), "");
    assert!(all.len() >= 3, "{all:?}");
    let program = std::fs::read(folder.path().join("probe")).unwrap();
    let file = elf::ElfBytes::<elf::endian::AnyEndian>::minimal_parse(&program).unwrap();
    let (sections, names) = file.section_headers_with_strtab().unwrap();
    let (sections, names) = (sections.unwrap(), names.unwrap());
    let names: Vec<&str> = sections.iter().map(|one| names.get(one.sh_name as usize).unwrap()).collect();
    assert!(names.contains(&".text") && !names.iter().any(|name| name.starts_with(".eh_frame")), "{names:?}");

    // glibc before 2.36 does not start such a program.
    if all.iter().any(|one| one == "-Wl,-z,pack-relative-relocs") {
        assert!(names.contains(&".relr.dyn"), "{names:?}");
    }

    if cfg!(target_arch = "x86_64") {
        // Without LLVM's linker, it is that of the binutils, which folds no functions.
        let without_folding: Vec<String> = all.iter().filter(|one| *one != "-Wl,--icf=all").cloned().collect();
        assert_eq!(arguments(folder.path(), "-Clinker-features=-lld"), without_folding);
    }
    assert_eq!(arguments(folder.path(), "-Clinker=no-such-linker"), Vec::<String>::new());
}
