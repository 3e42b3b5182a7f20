//! Local control planes: started once, found again, and never left behind; servers set up from an archive.

#![expect(clippy::unwrap_used, reason = "a test fails by panicking")]
#![expect(clippy::print_stdout, reason = "figures, and what a failed test was about")]

use flate2::Compression;
use flate2::write::GzEncoder;
use opctl::envtest::{Identity, platform};
use serde_json::Value;
use sha2::{Digest, Sha512};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// A state folder of a test's own; what runs in it is stopped in the end.
struct Home(TempDir);

impl Home {
    fn new() -> Self {
        Home(tempfile::tempdir().unwrap())
    }

    /// A home whose control planes can be started: with servers, or the test fails.
    fn with_servers() -> Self {
        static SERVERS: OnceLock<()> = OnceLock::new();
        SERVERS.get_or_init(|| {
            let output = Command::new(env!("CARGO_BIN_EXE_opctl")).args(["envtest", "setup"]).output().unwrap();
            assert!(output.status.success(), "these tests need servers: {}", stderr(&output));
        });
        Home::new()
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_opctl"));
        command.arg("envtest").args(arguments).env("XDG_STATE_HOME", self.0.path()).stdin(Stdio::null());
        command
    }

    /// A command with a store of the test's own, too.
    fn with_own_store(&self, arguments: &[&str]) -> Command {
        let mut command = self.command(arguments);
        command.env("XDG_DATA_HOME", self.0.path().join("data")).env_remove("KUBEBUILDER_ASSETS");
        command
    }

    fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs a command that must succeed; what it prints on stdout.
    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert!(output.status.success(), "{arguments:?}: {}", stderr(&output));
        stdout(&output)
    }

    /// The data of a command's JSON report.
    fn data(&self, arguments: &[&str]) -> Value {
        let report: Value = serde_json::from_str(&self.ok(&[arguments, &["-o", "json"]].concat())).unwrap();
        report["data"].clone()
    }

    /// The processes of a control plane that runs, by their names.
    fn processes(&self) -> Vec<(String, Identity)> {
        let data = self.data(&["status"]);
        let processes = data["processes"].as_object().unwrap_or_else(|| panic!("it does not run: {data}"));
        let identity = |pid: &Value| Identity::of(u32::try_from(pid.as_u64().unwrap()).unwrap());
        processes.iter().map(|(name, pid)| (name.clone(), identity(pid).expect("it runs"))).collect()
    }

    fn folder(&self) -> PathBuf {
        self.0.path().join("opctl/envtest/default")
    }

    fn assert_nothing_is_left(&self, processes: &[(String, Identity)]) {
        for (name, identity) in processes {
            // A supervisor that noticed by itself has removed the folder, and may be about to exit.
            assert!(identity.wait(Duration::from_millis(300)), "{name} is left");
        }
        assert!(!self.folder().exists(), "its folder is left");
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        let _ = self.run(&["stop", "--all"]);
        let _ = self.run(&["stop"]);
        // As the store leaves it, it cannot be removed.
        let entries = fs::read_dir(self.0.path().join("data/kubebuilder-envtest/k8s"));
        for entry in entries.into_iter().flatten().flatten() {
            let mut permissions = entry.metadata().unwrap().permissions();
            std::os::unix::fs::PermissionsExt::set_mode(&mut permissions, 0o755);
            fs::set_permissions(entry.path(), permissions).unwrap();
        }
    }
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn stderr(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).unwrap()
}

fn kill(identity: &Identity) {
    let status = Command::new("kill").args(["-9", &identity.pid.to_string()]).status().unwrap();
    assert!(status.success());
    assert!(identity.wait(Duration::from_secs(5)));
}

#[test]
fn a_control_plane_is_served_found_again_and_stopped() {
    let home = Home::with_servers();
    let begun = Instant::now();
    let path = home.ok(&["start"]);
    println!("`opctl envtest start` to a served API: {:.2} s", begun.elapsed().as_secs_f64());
    assert_eq!(path.trim_end(), home.folder().join("kubeconfig").to_str().unwrap());
    assert_eq!(home.ok(&["start"]), path, "starting twice gives the same one");

    let mode = fs::metadata(path.trim_end()).unwrap().permissions();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o600);
    ask(path.trim_end());

    let status = home.data(&["status"]);
    assert_eq!(status["status"], "running");
    assert!(status["version"].as_str().unwrap().starts_with("v1."), "{status}");
    assert!(home.ok(&["list"]).contains(status["server"].as_str().unwrap()));
    let environment = home.ok(&["env"]);
    assert!(environment.contains("export KUBEBUILDER_ASSETS='/"), "{environment}");
    assert!(environment.contains(&format!("export KUBECONFIG='{}'", path.trim_end())), "{environment}");

    let other = home.run(&["start", "--apiserver-arg=--v=3"]);
    assert_eq!(other.status.code(), Some(3), "{}", stderr(&other));
    assert!(stderr(&other).contains("hint: opctl envtest stop --name default"), "{}", stderr(&other));

    let processes = home.processes();
    assert_eq!(processes.len(), 3);
    home.ok(&["stop"]);
    home.assert_nothing_is_left(&processes);
    let again = home.run(&["stop"]);
    assert!(again.status.success() && stderr(&again).contains("does not run"), "{}", stderr(&again));
    assert_eq!(home.data(&["status"])["status"], "stopped");
}

/// Asks the API server whether it is ready, and makes a namespace.
fn ask(kubeconfig: &str) {
    use k8s_openapi::api::core::v1::Namespace;
    use kube::config::{KubeConfigOptions, Kubeconfig};
    use kube::{Api, Client, Config};
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let kubeconfig = Kubeconfig::read_from(kubeconfig).unwrap();
        let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
        let client = Client::try_from(config).unwrap();
        let request = http::Request::get("/readyz").body(Vec::new()).unwrap();
        assert_eq!(client.request_text(request).await.unwrap(), "ok");
        let namespace: Namespace = serde_json::from_value(serde_json::json!({"metadata": {"name": "made"}})).unwrap();
        Api::all(client).create(&kube::api::PostParams::default(), &namespace).await.unwrap();
    });
}

#[test]
fn whichever_process_is_killed_none_is_left_after_the_next_command() {
    let home = Home::with_servers();
    for victim in 0..3 {
        home.ok(&["start"]);
        let processes = home.processes();
        kill(&processes[victim].1);
        // A command that has nothing to do with it.
        home.ok(&["env", "--name", "other"]);
        println!("killed {}", processes[victim].0);
        home.assert_nothing_is_left(&processes);
    }
}

#[test]
fn a_start_that_is_killed_is_gone_on_with() {
    let home = Home::with_servers();
    let mut start = home.command(&["start"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    thread::sleep(Duration::from_millis(400));
    start.kill().unwrap();
    start.wait().unwrap();
    home.ok(&["start"]);
    assert_eq!(home.processes().len(), 3);
}

#[test]
fn two_starts_at_once_give_the_same_control_plane() {
    let home = Home::with_servers();
    let starts: Vec<_> = (0..2)
        .map(|_| home.command(&["start"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    let outputs: Vec<_> = starts.into_iter().map(|start| start.wait_with_output().unwrap()).collect();
    for output in &outputs {
        assert!(output.status.success(), "{}", stderr(output));
        assert_eq!(output.stdout, outputs[0].stdout);
    }
    let told: String = outputs.iter().map(stderr).collect();
    assert!(told.contains("runs: ") && told.contains("runs already: "), "{told}");
}

#[test]
fn a_server_that_ends_is_told_with_the_end_of_its_log() {
    let home = Home::with_servers();
    let output = home.run(&["start", "--apiserver-arg=--no-such-flag"]);
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(stdout(&output), "");
    let told = stderr(&output);
    assert!(told.contains("error: `kube-apiserver` ended by itself"), "{told}");
    assert!(told.contains("unknown flag: --no-such-flag") && told.contains("hint: "), "{told}");
    assert!(!home.folder().exists());
}

#[test]
fn a_port_that_was_taken_meanwhile_is_tried_again() {
    let home = Home::new();
    let assets = home.0.path().join("assets");
    fs::create_dir(&assets).unwrap();
    let script = "#!/bin/sh\necho once >> \"$ATTEMPTS\"\necho 'bind: address already in use' >&2\nexit 1\n";
    for name in ["etcd", "kube-apiserver"] {
        fs::write(assets.join(name), script).unwrap();
        fs::set_permissions(assets.join(name), std::os::unix::fs::PermissionsExt::from_mode(0o755)).unwrap();
    }
    let attempts = home.0.path().join("attempts");
    let mut start = home.command(&["start"]);
    let output = start.env("KUBEBUILDER_ASSETS", &assets).env("ATTEMPTS", &attempts).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("caused by: bind: address already in use"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(attempts).unwrap().lines().count(), 5);
    assert!(!home.folder().exists());
}

#[test]
fn a_damaged_state_is_told_and_stop_mends_it() {
    let home = Home::with_servers();
    home.ok(&["start"]);
    let processes = home.processes();
    fs::write(home.folder().join("state.json"), "{").unwrap();
    for command in ["start", "status"] {
        let output = home.run(&[command]);
        assert_eq!(output.status.code(), Some(4), "{command}");
        assert!(stderr(&output).contains("hint: opctl envtest stop --name default"), "{}", stderr(&output));
    }
    home.ok(&["stop"]);
    home.assert_nothing_is_left(&processes);
}

#[test]
fn wrong_names_flags_and_variables_are_refused() {
    let home = Home::new();
    for (arguments, code, told) in [
        (&["start", "--name", "My_Plane"][..], 2, "opctl envtest start --name my-plane"),
        (&["start", "--apiserver-arg=--secure-port=1"], 2, "decided by opctl"),
        (&["start", "--version", "newest"], 2, "is not a Kubernetes version"),
        (&["setup", "1.x"], 2, "hint: opctl envtest setup 1."),
    ] {
        let output = home.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    let output = home.command(&["start"]).env("KUBEBUILDER_ASSETS", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("error: `KUBEBUILDER_ASSETS` names no `etcd`"), "{}", stderr(&output));
}

/// A web server on this machine that lists and serves one archive of small files.
struct Published {
    index: String,
    downloads: Arc<AtomicUsize>,
}

/// Publishes version 1.30.7; `hash` may spoil the checksum, and a slow server sends half and waits.
fn publish(hash: impl Fn(String) -> String, slow: bool) -> Published {
    let mut builder = tar::Builder::new(GzEncoder::new(Vec::new(), Compression::fast()));
    for name in ["etcd", "kube-apiserver", "kubectl"] {
        let mut header = tar::Header::new_gnu();
        header.set_size(name.len() as u64);
        header.set_mode(0o755);
        builder.append_data(&mut header, format!("controller-tools/envtest/{name}"), name.as_bytes()).unwrap();
    }
    let archive = builder.into_inner().unwrap().finish().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let sum = Sha512::digest(&archive).iter().fold(String::new(), |text, byte| format!("{text}{byte:02x}"));
    let name = format!("envtest-v1.30.7-{}.tar.gz", platform());
    let index =
        format!("releases:\n  v1.30.7:\n    {name}:\n      hash: {}\n      selfLink: {base}/{name}\n", hash(sum));
    let downloads = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&downloads);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let wanted_archive = request.contains(".tar.gz");
            let body = if wanted_archive { &archive[..] } else { index.as_bytes() };
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\nConnection: close\r\n\r\n", body.len());
            let half = body.len() / 2;
            // A client that went away is what one test is about.
            let _ = stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(&body[..half]));
            if wanted_archive {
                counter.fetch_add(1, Ordering::SeqCst);
                thread::sleep(Duration::from_millis(if slow { 700 } else { 0 }));
            }
            let _ = stream.write_all(&body[half..]);
        }
    });
    Published { index: format!("{base}/index.yaml"), downloads }
}

#[test]
fn a_download_is_checked_and_kept() {
    let home = Home::new();
    let published = publish(|hash| hash, false);
    let setup = |more: &[&str]| {
        let arguments = [&["setup", "1.30", "--index", &published.index], more].concat();
        home.with_own_store(&arguments).output().unwrap()
    };
    let planned = setup(&["--dry-run"]);
    assert!(planned.status.success() && stderr(&planned).contains("would download"), "{}", stderr(&planned));
    assert_eq!(published.downloads.load(Ordering::SeqCst), 0);

    let done = setup(&[]);
    assert!(done.status.success(), "{}", stderr(&done));
    assert!(stderr(&done).contains("hold no kube-controller-manager"), "{}", stderr(&done));
    let entry = home.0.path().join(format!("data/kubebuilder-envtest/k8s/1.30.7-{}", platform()));
    assert_eq!(fs::read_to_string(entry.join("kube-apiserver")).unwrap(), "kube-apiserver");
    assert_eq!(fs::read_dir(home.0.path().join("data/kubebuilder-envtest/k8s")).unwrap().count(), 1);

    let again = setup(&[]);
    assert!(again.status.success() && stderr(&again).contains("is there already"), "{}", stderr(&again));
    assert_eq!(published.downloads.load(Ordering::SeqCst), 1, "what is there is not fetched again");
    let list = home.with_own_store(&["list"]).output().unwrap();
    assert!(stdout(&list).contains("1.30.7") && stdout(&list).contains("without kube-controller-manager"));
}

#[test]
fn a_download_with_a_wrong_checksum_is_refused() {
    let home = Home::new();
    let published = publish(|hash| hash.replace(['0', '1'], "2"), false);
    let output = home.with_own_store(&["setup", "1.30.7", "--index", &published.index]).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    let told = stderr(&output);
    assert!(told.contains("error: the checksum of `envtest-v1.30.7-") && told.contains("hint: "), "{told}");
    assert_eq!(fs::read_dir(home.0.path().join("data/kubebuilder-envtest/k8s")).unwrap().count(), 0);
}

#[test]
fn a_version_that_is_not_published_is_told_with_those_that_are() {
    let home = Home::new();
    let published = publish(|hash| hash, false);
    let output = home.with_own_store(&["setup", "1.31", "--index", &published.index]).output().unwrap();
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
    // A proxy that nobody listens at is no network, wherever the test runs.
    let mut command = home.with_own_store(&["setup"]);
    let output = command.env("PATH", "/nowhere").env("HTTPS_PROXY", "http://127.0.0.1:1").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(stderr(&output).matches("error: ").count(), 1, "{}", stderr(&output));
    assert!(stderr(&output).contains("hint: connect to the network, or install Go"), "{}", stderr(&output));
}

#[test]
fn two_setups_at_once_download_once_and_a_killed_one_leaves_no_entry() {
    let home = Home::new();
    let published = publish(|hash| hash, true);
    let setup = || {
        let mut command = home.with_own_store(&["setup", "1.30.7", "--index", &published.index]);
        command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap()
    };
    let mut killed = setup();
    while published.downloads.load(Ordering::SeqCst) == 0 {
        assert_eq!(killed.try_wait().unwrap(), None, "it ended before it downloaded");
        thread::sleep(Duration::from_millis(5));
    }
    killed.kill().unwrap();
    killed.wait().unwrap();
    assert_eq!(fs::read_dir(home.0.path().join("data/kubebuilder-envtest/k8s")).unwrap().count(), 0);

    let setups = [setup(), setup()];
    let outputs = setups.map(|setup| setup.wait_with_output().unwrap());
    let told: String = outputs.iter().map(stderr).collect();
    assert!(outputs.iter().all(|output| output.status.success()), "{told}");
    assert!(told.contains("is installed") && told.contains("is there already"), "{told}");
    assert_eq!(published.downloads.load(Ordering::SeqCst), 2, "{told}");
    let left = fs::read_dir(home.0.path().join("data/kubebuilder-envtest")).unwrap();
    let left: Vec<_> = left.map(|entry| entry.unwrap().file_name()).filter(|name| name != "k8s").collect();
    assert_eq!(left, ["opctl.lock"]);
}
