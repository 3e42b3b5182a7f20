//! The commit that a release names: from a git repository, from a package, or none.

#[path = "../../src/build.rs"]
#[allow(dead_code, reason = "cargo calls main")]
mod script;

use crate::support::{apart, temporary, tool};
use script::commit;
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
