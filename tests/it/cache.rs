//! `opctl cache clean`: the files that it removes, and the files that it keeps.

use crate::support::{Place, text};
use std::fs;
use std::path::PathBuf;

/// The content of `CACHEDIR.TAG` in a folder in which opctl compiles.
pub(crate) const MARK: &str =
    "Signature: 8a477f597d28d172789f06886806bc55\n# opctl compiles here; `opctl cache clean` removes the folder.\n";

/// Writes fake envtest servers of one version into the home directory of `place`. Returns their folder.
fn put(place: &Place, name: &str) -> PathBuf {
    let folder = place.root().with_file_name(format!("home/data/kubebuilder-envtest/k8s/{name}"));
    fs::create_dir_all(&folder).unwrap();
    for program in ["etcd", "kube-apiserver"] {
        fs::write(folder.join(program), vec![0; 1024]).unwrap();
    }
    folder
}

fn platform() -> String {
    let architecture = if cfg!(target_arch = "aarch64") { "arm64" } else { "amd64" };
    format!("{}-{architecture}", if cfg!(target_os = "macos") { "darwin" } else { "linux" })
}

#[test]
fn compiled_types_and_servers_are_removed_when_they_are_asked_for() {
    let place = Place::with_project();
    let types = place.root().join("target/opctl");
    fs::create_dir_all(types.join("target")).unwrap();
    fs::write(types.join("target/a"), vec![0; 2048]).unwrap();
    fs::write(types.join("CACHEDIR.TAG"), MARK).unwrap();
    fs::write(place.root().join("target/mine"), "").unwrap();
    let servers = [put(&place, &format!("1.35.0-{}", platform())), put(&place, &format!("1.36.0-{}", platform()))];
    let before = place.tree();

    let said = place.ok(&["cache", "clean", "--servers", "--dry-run"]);
    assert!(said.contains("6.10 KiB would be freed"), "{said}");
    assert_eq!(place.tree().keys().collect::<Vec<_>>(), before.keys().collect::<Vec<_>>());
    let report = place.json(&["cache", "clean"]);
    assert_eq!((&report["outcome"], &report["data"]["bytes"]), (&"changed".into(), &(2048 + MARK.len()).into()));
    assert!(!types.exists() && place.root().join("target/mine").exists() && servers[0].exists());
    let said = place.ok(&["cache", "clean"]);
    assert!(said.contains("there is nothing to remove"), "{said}");
    let said = place.ok(&["cache", "clean", "--servers"]);
    assert!(said.contains("4.00 KiB freed"), "{said}");
    assert!(servers.iter().all(|folder| !folder.exists()));

    fs::remove_dir_all(place.root()).unwrap();
    fs::create_dir(place.root()).unwrap();
    let output = place.run(&["cache", "clean"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(
        said.contains("error: this folder is not in an opctl project, so opctl has no build cache to remove here"),
        "{said}"
    );
    assert!(said.contains("hint: opctl cache clean --servers"), "{said}");
}
