//! `opctl envtest setup` on a machine without a network, from a folder that another machine has filled.

use super::*;
use crate::support::{Mirror, Trouble, tree};

/// Runs a command without a network and without Go. Returns its output.
fn run(home: &Home, arguments: &[&str]) -> Output {
    home.with_own_store(arguments).env("PATH", "/nowhere").output().unwrap()
}

#[test]
fn a_folder_is_filled_once_and_set_up_from() {
    let (home, mirror) = (Home::new(), Mirror::serve(&["1.29.1", "1.30.7"]));
    let (url, folder) = (mirror.url(), home.0.path().join("programs"));
    let path = folder.to_str().unwrap();
    let fill = |version: &str, more: &[&str]| {
        let output = run(&home, &[&["setup", version, "--mirror", &url, "--download-only", path], more].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let planned = fill("1.30", &["--node", "--dry-run"]);
    assert!(planned.contains("would be in `") && planned.contains("/kubelet.sha256`"), "{planned}");
    assert!(!folder.exists());

    // A download that breaks off is gone on with.
    let kubelet = Mirror::program("1.30.7", "kubelet");
    mirror.trouble(&kubelet, Trouble::Cut(50_000));
    let output = run(&home, &["setup", "1.30", "--mirror", &url, "--download-only", path, "--node"]);
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("was interrupted"), "{}", stderr(&output));
    mirror.mend();
    let filled = fill("1.30", &["--node"]);
    assert!(filled.contains("--from "), "{filled}");
    assert_eq!(mirror.asked(&kubelet), [0, 50_000]);
    fill("1.29", &[]);
    let expected = [
        "envtest-releases.yaml".to_owned(),
        Mirror::archive("1.29.1"),
        Mirror::archive("1.30.7"),
        Mirror::program("1.29.1", "kube-controller-manager"),
        format!("{kubelet}.sha256"),
        kubelet,
    ];
    let files = tree(&folder);
    for path in &expected {
        assert!(files.contains_key(path), "{path} is not in {:?}", files.keys());
    }
    assert_eq!(files.keys().filter(|path| !path.ends_with('/')).count(), 1 + 2 + 2 + 8, "{:?}", files.keys());
    let before = mirror.requests();
    let again = fill("1.30", &["--node"]);
    assert!(again.contains("is already in"), "{again}");
    // The index, and four checksums.
    assert_eq!(mirror.requests(), before + 5);

    let output = run(&home, &["setup", "--from", path, "1.30", "--node"]);
    assert!(output.status.success(), "{}", stderr(&output));
    let store = home.0.path().join("data/kubebuilder-envtest");
    assert!(store.join(format!("k8s/1.30.7-{}/kubelet", platform())).is_file());
    // The folder is one of the folder that `-C` names.
    let output = run(&home, &["-C", home.0.path().to_str().unwrap(), "setup", "--from", "programs", "<=1.29.9"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert!(store.join(format!("k8s/1.29.1-{}/kube-controller-manager", platform())).is_file());
    assert_eq!(mirror.requests(), before + 5, "nothing is fetched");
}

#[test]
fn files_for_another_machine_have_no_programs_that_are_not_published() {
    let (home, mirror) = (Home::new(), Mirror::serve(&["1.30.7"]));
    let folder = home.0.path().join("programs");
    let fill = ["setup", "1.30", "--mirror", &mirror.url(), "--download-only", folder.to_str().unwrap()];
    let output = run(&home, &[&fill[..], &["--os", "darwin", "--arch", "arm64"]].concat());
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("no archive of Kubernetes `1.30` is published for darwin-arm64"));
    for (arguments, told) in [
        (&["setup", "--os", "linux"][..], "--download-only"),
        (&["setup", "--from", "a", "--mirror", "b"], "cannot be used with"),
        (&["setup", "--from", "a", "--download-only", "b"], "cannot be used with"),
        (&["setup", "--from-source", "--mirror", "b"], "cannot be used with"),
    ] {
        let output = run(&home, arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", stderr(&output));
        assert!(stderr(&output).contains(told), "{arguments:?}: {}", stderr(&output));
    }
}
