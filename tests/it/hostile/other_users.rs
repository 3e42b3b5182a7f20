//! Attacks by other users of the machine, who can connect to every port and read every file that is not private.

use crate::support::{Plane, temporary, tool};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use ureq::Agent;
use ureq::tls::{Certificate, ClientCert, PrivateKey, TlsConfig};

/// Returns an HTTP client that trusts every server, as an attacker does. The client presents `certificate` if it is
/// given.
fn attacker(certificate: Option<ClientCert>) -> Agent {
    let tls = TlsConfig::builder().disable_verification(true).client_cert(certificate).build();
    let config = Agent::config_builder().tls_config(tls).proxy(None).http_status_as_error(false);
    config.timeout_global(Some(Duration::from_secs(10))).build().into()
}

/// Returns the status code of the response, or `None` if the request gets no response.
fn status(agent: &Agent, url: &str, token: Option<&str>) -> Option<u16> {
    let mut request = agent.get(url);
    if let Some(token) = token {
        request = request.header("Authorization", format!("Bearer {token}"));
    }
    request.call().ok().map(|answer| answer.status().as_u16())
}

/// Checks that only the owner can access the file or folder at `path` and what is below it.
#[track_caller]
fn is_private(path: &Path) {
    let mode = std::fs::symlink_metadata(path).unwrap().permissions().mode() & 0o777;
    assert_eq!(mode & 0o077, 0, "{} has the mode {mode:o}", path.display());
    // What etcd keeps lies in a folder of its own.
    if path.is_dir() && !path.ends_with("etcd") {
        for entry in std::fs::read_dir(path).unwrap() {
            is_private(&entry.unwrap().path());
        }
    }
}

/// Returns an opctl command with the umask 0, so that all users can read each file whose mode opctl does not set.
fn careless(arguments: &[&str]) -> Command {
    let mut command = tool("sh");
    command.args(["-c", "umask 0; exec \"$@\"", "sh", env!("CARGO_BIN_EXE_opctl")]).args(arguments);
    command
}

/// etcd, which stores the secrets of the control plane unencrypted, answers only the API server.
#[test]
fn etcd_answers_the_api_server_alone() {
    let plane = Plane::start();
    let folder = plane.kubeconfig.parent().unwrap();
    let state: Value = serde_json::from_slice(&std::fs::read(folder.join("state.json")).unwrap()).unwrap();
    let etcd = state["processes"].as_array().unwrap().iter().find(|process| process["name"] == "etcd").unwrap();
    let line = std::fs::read(format!("/proc/{}/cmdline", etcd["pid"])).unwrap();
    let line = String::from_utf8(line).unwrap();
    let listens = |flag: &str| line.split('\0').find_map(|argument| argument.strip_prefix(flag)).unwrap().to_owned();
    let (client, peer) = (listens("--listen-client-urls="), listens("--listen-peer-urls="));

    let pem = |name: &str| std::fs::read(folder.join(name)).unwrap();
    let own = Certificate::from_pem(&pem("etcd-client.crt")).unwrap();
    let own = ClientCert::new_with_certs(&[own], PrivateKey::from_pem(&pem("etcd-client.key")).unwrap());
    // A certificate of another authority: that of the API server's users.
    let user = Certificate::from_pem(&pem("apiserver.crt")).unwrap();
    let user = ClientCert::new_with_certs(&[user], PrivateKey::from_pem(&pem("apiserver.key")).unwrap());
    assert_eq!(status(&attacker(Some(own.clone())), &format!("{client}/health"), None), Some(200));
    assert_eq!(status(&attacker(Some(own)), &format!("{peer}/version"), None), Some(200));
    for (url, path) in [(&client, "health"), (&client, "version"), (&peer, "version"), (&peer, "members")] {
        let url = format!("{url}/{path}");
        assert_eq!(status(&attacker(None), &url, None), None, "{url}");
        assert_eq!(status(&attacker(Some(user.clone())), &url, None), None, "{url}");
        let plain = status(&attacker(None), &url.replace("https:", "http:"), None);
        assert!(plain.is_none_or(|status| status == 400), "{url}: {plain:?}");
    }
}

#[test]
fn files_of_a_control_plane_are_private_to_their_owner() {
    let state = temporary();
    let command = |arguments: &[&str]| {
        let mut command = careless(arguments);
        command.env("XDG_STATE_HOME", state.path().join("state"));
        command
    };
    let output = command(&["envtest", "start", "--simulate-nodes"]).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let kubeconfig = PathBuf::from(String::from_utf8(output.stdout).unwrap().trim_end());
    let checked = std::panic::catch_unwind(|| {
        assert!(kubeconfig.with_file_name("kube-apiserver.log").exists());
        is_private(kubeconfig.parent().unwrap());
        is_private(&state.path().join("state"));
    });
    assert!(command(&["envtest", "stop"]).output().unwrap().status.success());
    checked.unwrap();
}

/// An exploration whose operator does nothing. It is ended when this value is dropped.
struct Exploration(Child);

impl Drop for Exploration {
    fn drop(&mut self) {
        let _ = kill_process(Pid::from_child(&self.0), Signal::INT);
        let _ = self.0.wait();
    }
}

/// The proxies of an exploration, which have the operator's rights, refuse clients without the operator's token.
#[test]
fn the_proxies_of_an_exploration_serve_the_operator_alone() {
    let state = temporary();
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/explore");
    let told = state.path().join("kubeconfig");
    let line = format!("sh -c 'echo \"$KUBECONFIG\" >{0}.new; mv {0}.new {0}; exec sleep 300'", told.display());
    let mut command = careless(&["explore", "--crds", "crds", "--samples", "samples", "--roles", "roles", "--command"]);
    command.arg(line).current_dir(root).env("XDG_STATE_HOME", state.path()).stdin(Stdio::null());
    let mut exploration = Exploration(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap());
    let begun = Instant::now();
    while !told.exists() {
        assert_eq!(exploration.0.try_wait().unwrap(), None, "it ended");
        assert!(begun.elapsed() < Duration::from_secs(120), "the operator does not start");
        std::thread::sleep(Duration::from_millis(50));
    }
    let path = PathBuf::from(std::fs::read_to_string(&told).unwrap().trim_end());
    let kubeconfig: Value = serde_json::from_slice(&std::fs::read(&path).unwrap()).unwrap();
    let server = kubeconfig["clusters"][0]["cluster"]["server"].as_str().unwrap();
    let token = kubeconfig["users"][0]["user"]["token"].as_str().unwrap();
    let (agent, url) = (attacker(None), format!("{server}/api/v1/namespaces/default/services"));
    assert!(status(&agent, &format!("{server}/version"), Some(token)) == Some(200), "with the token");
    for wrong in [None, Some(""), Some("explore"), Some(&token[..token.len() - 1])] {
        for url in [&url, &format!("{server}/version")] {
            assert_eq!(status(&agent, url, wrong), Some(401), "{url} {wrong:?}");
        }
    }
    assert_eq!(status(&agent, &url.replace("https:", "http:"), Some(token)), None, "without TLS");
    is_private(path.parent().unwrap());
}
