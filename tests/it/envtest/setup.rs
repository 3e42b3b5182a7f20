//! `opctl envtest setup` with downloads from a mirror.

use super::*;
use crate::support::{Mirror, Trouble, program};

const VERSION: &str = "1.30.7";
const MANAGER: &str = "kube-controller-manager";

impl Home {
    fn store(&self) -> PathBuf {
        self.0.path().join("data/kubebuilder-envtest")
    }

    fn entry(&self) -> PathBuf {
        self.store().join(format!("k8s/{VERSION}-{}", platform()))
    }

    /// Returns an `opctl envtest setup` command for a machine without Go and without other programs.
    fn setup(&self, mirror: &Mirror, more: &[&str]) -> Command {
        let mut command = self.with_own_store(&[&["setup", VERSION], more].concat());
        command.env("OPCTL_ENVTEST_MIRROR", mirror.url()).env("PATH", "/nowhere");
        command
    }

    /// Runs `opctl envtest setup` with the mirror, which must succeed. Returns its stderr.
    #[track_caller]
    fn sets_up(&self, mirror: &Mirror, more: &[&str]) -> String {
        let output = self.setup(mirror, more).output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    }

    /// Runs `opctl envtest setup` with the mirror, which must fail with exit code 4. Returns its stderr.
    #[track_caller]
    fn refuses(&self, mirror: &Mirror, more: &[&str]) -> String {
        let output = self.setup(mirror, more).output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
        stderr(&output)
    }

    /// Returns the names in the store's folder, except `k8s`, which holds the installed versions.
    fn beside_versions(&self) -> Vec<String> {
        let names = fs::read_dir(self.store()).unwrap();
        let names = names.map(|entry| entry.unwrap().file_name().into_string().unwrap());
        names.filter(|name| name != "k8s").collect()
    }
}

fn names(folder: &Path) -> Vec<String> {
    let names = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<_> = names.collect();
    names.sort();
    names
}

#[test]
fn setup_downloads_programs_that_the_archive_lacks_and_needs_no_go() {
    let (home, mirror) = (Home::new(), Mirror::serve(&[VERSION]));
    let planned = home.sets_up(&mirror, &["--dry-run"]);
    assert!(planned.contains(&format!("would download `{}/{}`", mirror.url(), Mirror::archive(VERSION))), "{planned}");
    assert!(planned.contains(&Mirror::program(VERSION, MANAGER)), "{planned}");
    assert_eq!(mirror.requests(), 1, "only the index");

    home.sets_up(&mirror, &[]);
    assert_eq!(names(&home.entry()), ["etcd", "kube-apiserver", MANAGER, "kubectl"]);
    assert_eq!(fs::read_to_string(home.entry().join("kube-apiserver")).unwrap(), "kube-apiserver");
    assert!(fs::read_to_string(home.entry().join(MANAGER)).unwrap().starts_with("kube-controller-manager 1.30.7\n"));
    let mode =
        |path: &Path| std::os::unix::fs::PermissionsExt::mode(&fs::metadata(path).unwrap().permissions()) & 0o777;
    assert_eq!([mode(&home.entry()), mode(&home.entry().join(MANAGER))], [0o555; 2]);
    assert_eq!(home.beside_versions(), ["opctl.lock"]);

    let before = mirror.requests();
    let again = home.sets_up(&mirror, &[]);
    assert!(again.contains("is there already"), "{again}");
    assert_eq!(mirror.requests(), before, "what is there is not fetched again");
    let output = home.setup(&mirror, &["-o", "json"]).output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(report["data"]["controllerManager"], true, "{report}");

    let planned = home.sets_up(&mirror, &["--node", "--dry-run"]);
    assert!(planned.contains("/kubelet`") && !planned.contains("envtest-v"), "{planned}");
    mirror.trouble(&Mirror::program(VERSION, "kube-scheduler"), Trouble::Missing);
    home.refuses(&mirror, &["--node"]);
    mirror.mend();
    home.sets_up(&mirror, &["--node"]);
    assert_eq!(mirror.asked(&Mirror::program(VERSION, "kubelet")), [0], "what came before is kept");
    assert!(["kubelet", "kube-scheduler", "kube-proxy"].iter().all(|name| home.entry().join(name).is_file()));
    assert_eq!(mirror.asked(&Mirror::archive(VERSION)), [0]);
    assert_eq!(mirror.asked(&Mirror::program(VERSION, MANAGER)), [0]);
}

#[test]
fn an_entry_of_setup_envtest_is_completed() {
    let (home, mirror) = (Home::new(), Mirror::serve(&[VERSION]));
    mirror.trouble(&format!("{}.sha256", Mirror::program(VERSION, MANAGER)), Trouble::Missing);
    let told = home.refuses(&mirror, &[]);
    let program = Mirror::program(VERSION, MANAGER);
    assert!(told.contains(&format!("error: `{}/{program}.sha256` cannot be fetched\n", mirror.url())), "{told}");
    assert!(
        told.contains("caused by: etcd and kube-apiserver are installed, and work without the missing program\n"),
        "{told}"
    );
    assert!(told.contains("\nhint: opctl help testing"), "{told}");
    assert_eq!(names(&home.entry()), ["etcd", "kube-apiserver", "kubectl"]);
    let list = home.with_own_store(&["list"]).output().unwrap();
    assert!(stdout(&list).contains("without kube-controller-manager"), "{}", stdout(&list));

    // A file of the user's in the entry stays.
    fs::set_permissions(home.entry(), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fs::write(home.entry().join("note"), "mine").unwrap();
    mirror.mend();
    let told = home.sets_up(&mirror, &[]);
    assert!(told.contains("is installed"), "{told}");
    assert_eq!(names(&home.entry()), ["etcd", "kube-apiserver", MANAGER, "kubectl", "note"]);
    assert_eq!(mirror.asked(&Mirror::archive(VERSION)), [0], "the archive is not downloaded again");
}

/// A start with `--simulate-nodes` downloads the missing kube-controller-manager, or warns if the download fails.
/// The programs are fakes, so the start itself fails.
#[test]
fn a_start_with_simulated_nodes_downloads_what_it_needs() {
    let (home, mirror) = (Home::new(), Mirror::serve(&[VERSION]));
    let start = |arguments: &[&str]| {
        let mut command = home.with_own_store(&[&["start", "--version", VERSION], arguments].concat());
        let output = command.env("OPCTL_ENVTEST_MIRROR", mirror.url()).env("PATH", "/nowhere").output().unwrap();
        assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
        stderr(&output)
    };
    let told = start(&[]);
    assert!(told.contains("error: the server `etcd` exited unexpectedly"), "{told}");
    assert_eq!(names(&home.entry()), ["etcd", "kube-apiserver", "kubectl"]);
    let manager = Mirror::program(VERSION, MANAGER);
    mirror.trouble(&manager, Trouble::Missing);
    let told = start(&["--simulate-nodes"]);
    let expected = "warning: no nodes are simulated, because `kube-controller-manager` is not installed: `";
    assert!(told.contains(expected) && told.contains("opctl envtest setup"), "{told}");
    mirror.mend();
    let told = start(&["--simulate-nodes"]);
    assert!(!told.contains("warning: "), "{told}");
    assert!(home.entry().join(MANAGER).is_file());
}

#[test]
fn a_download_with_a_wrong_checksum_is_refused() {
    let (home, mirror) = (Home::new(), Mirror::serve(&[VERSION]));
    mirror.trouble(&Mirror::archive(VERSION), Trouble::Is(b"another archive".to_vec()));
    let told = home.refuses(&mirror, &[]);
    assert!(told.contains("error: the checksum of `envtest-v1.30.7-") && told.contains("hint: "), "{told}");
    assert_eq!(names(&home.store().join("k8s")), [""; 0]);
    mirror.mend();
    home.sets_up(&mirror, &[]);
}

#[test]
fn a_version_that_is_not_published_is_told_with_those_that_are() {
    let (home, mirror) = (Home::new(), Mirror::serve(&[VERSION]));
    let mut command = home.with_own_store(&["setup", "1.31", "--mirror", &mirror.url()]);
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let told = stderr(&output);
    assert!(told.contains("no archive of Kubernetes `1.31` is published"), "{told}");
    assert!(told.contains("caused by: the newest are `1.30.7`"), "{told}");
    let nowhere = home.with_own_store(&["setup", "--index", "http://127.0.0.1:1/index.yaml"]).output().unwrap();
    assert_eq!(nowhere.status.code(), Some(4));
    assert!(
        stderr(&nowhere).contains("error: `http://127.0.0.1:1/index.yaml` cannot be fetched"),
        "{}",
        stderr(&nowhere)
    );
}

#[test]
fn without_network_and_without_go_one_error_tells_the_mend() {
    let home = Home::new();
    let mut command = home.with_own_store(&["setup", "--from-source"]);
    let output = command.env("PATH", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("hint: install Go 1."), "{}", stderr(&output));
    // A proxy that nobody listens at stands for a machine without network.
    let mut command = home.with_own_store(&["setup"]);
    let output = command.env("PATH", "/nowhere").env("HTTPS_PROXY", "http://127.0.0.1:1").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(stderr(&output).matches("error: ").count(), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("hint: connect to the network, name a mirror"), "{}", stderr(&output));
}

/// If a download fails, the setup builds only the missing programs and prints the reason. `go` is a script that
/// writes the file that it is asked to build.
#[test]
fn setup_builds_only_missing_programs_if_downloads_fail_and_says_why() {
    let home = Home::new();
    let script = "case \"$1\" in version) echo 'go version go1.99.0 linux/amd64' ;;\n\
                  build) while [ $# -gt 1 ]; do if [ \"$1\" = -o ]; then echo built > \"$2\"; fi; shift; done ;; esac";
    let folder = home.0.path().join("go");
    fs::create_dir(&folder).unwrap();
    program(&folder, "go", script);
    // A proxy that nobody listens at stands for a machine without network.
    let setup = |arguments: &[&str]| {
        let mut command = home.with_own_store(&[&["setup"], arguments].concat());
        let output = command.env("PATH", &folder).env("HTTPS_PROXY", "http://127.0.0.1:1").output().unwrap();
        assert!(output.status.success(), "{}", stderr(&output));
        stderr(&output)
    };
    let told = setup(&[]);
    assert!(
        told.contains("note: `https://raw.githubusercontent.com/") && told.contains("Built etcd (1 of 3)"),
        "{told}"
    );
    assert!(
        told.contains("; building from source with Go instead, which takes some minutes the first time\n"),
        "{told}"
    );
    let entry = home.store().join(format!("k8s/1.36.4-{}", platform()));
    assert_eq!(names(&entry), ["etcd", "kube-apiserver", MANAGER]);

    fs::set_permissions(&entry, std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    fs::remove_file(entry.join(MANAGER)).unwrap();
    fs::remove_file(entry.join("etcd")).unwrap();
    fs::write(entry.join("etcd"), "downloaded").unwrap();
    let told = setup(&[]);
    let program = format!("note: `https://dl.k8s.io/{}.sha256` cannot", Mirror::program("1.36.4", MANAGER));
    assert!(told.contains(&program) && told.contains("Built kube-controller-manager (1 of 1)"), "{told}");
    assert_eq!(fs::read_to_string(entry.join("etcd")).unwrap(), "downloaded");
    let told = setup(&["--node", "--from-source", "--dry-run"]);
    assert!(told.contains("would build `kubelet`, `kube-scheduler`, `kube-proxy` of Kubernetes 1.36.4 from"), "{told}");
}

#[test]
fn a_killed_setup_leaves_no_entry_and_the_next_ones_go_on_with_its_download() {
    let (home, mirror) = (Home::new(), Mirror::serve(&[VERSION]));
    let manager = Mirror::program(VERSION, MANAGER);
    for (path, bytes) in [(Mirror::archive(VERSION), 50), (manager.clone(), 200_000)] {
        mirror.trouble(&path, Trouble::Stalls(bytes));
        let mut killed = home.setup(&mirror, &[]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        let arrived = || {
            let files = fs::read_dir(home.store().join("opctl-partial")).into_iter().flatten().flatten();
            files.filter_map(|file| file.metadata().ok()).any(|metadata| metadata.len() == bytes as u64)
        };
        while !arrived() {
            assert_eq!(killed.try_wait().unwrap(), None, "it ended before it downloaded");
            thread::sleep(Duration::from_millis(5));
        }
        killed.kill().unwrap();
        killed.wait().unwrap();
        if path == manager {
            assert_eq!(names(&home.entry()), ["etcd", "kube-apiserver", "kubectl"]);
        } else {
            assert_eq!(names(&home.store().join("k8s")), [""; 0]);
        }
        mirror.mend();
    }
    mirror.trouble(&manager, Trouble::Pauses(1000));
    let setups =
        [(); 2].map(|()| home.setup(&mirror, &[]).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap());
    let outputs = setups.map(|setup| setup.wait_with_output().unwrap());
    let told: String = outputs.iter().map(stderr).collect();
    assert!(outputs.iter().all(|output| output.status.success()), "{told}");
    assert!(told.contains("is installed") && told.contains("is there already"), "{told}");
    assert_eq!(mirror.asked(&Mirror::archive(VERSION)), [0, 50]);
    assert_eq!(mirror.asked(&manager), [0, 200_000], "only the rest is asked for, and once");
    assert_eq!(names(&home.entry()), ["etcd", "kube-apiserver", MANAGER, "kubectl"]);
    assert_eq!(home.beside_versions(), ["opctl.lock"]);
}

#[test]
fn a_store_that_cannot_be_written_is_told() {
    let (home, mirror) = (Home::new(), Mirror::serve(&[VERSION]));
    // The file system refuses root, too.
    let mut setup = home.setup(&mirror, &[]);
    let output = setup.env("XDG_DATA_HOME", "/proc/data").output().unwrap();
    assert_eq!(output.status.code(), Some(4), "{}", stderr(&output));
    let told = stderr(&output);
    assert!(told.contains("error: cannot write to the store of servers `/proc/data/kubebuilder-envtest`\n"), "{told}");
    assert!(
        told.contains("hint: make the store writable for you, or use another store: export XDG_DATA_HOME="),
        "{told}"
    );
    assert_eq!(mirror.requests(), 0);
}
