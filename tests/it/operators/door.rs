//! A second kube-apiserver on a control plane's etcd. It serves the same objects, and can be stopped and started
//! again.

use crate::support::{Plane, opctl, tool};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

/// A second API server for a control plane. It has the arguments of the first one, thus the same etcd and keys, but
/// another port, and audits the write requests of one user.
pub(super) struct Door {
    arguments: Vec<String>,
    pub(super) url: String,
    folder: PathBuf,
    server: Option<Child>,
}

/// A write request, and the status code of its response.
#[derive(Debug)]
#[allow(dead_code, reason = "what is not asked for is shown by a test that fails")]
pub(super) struct Write {
    pub(super) verb: String,
    /// The resource, followed by a slash and the subresource if there is one.
    pub(super) resource: String,
    pub(super) name: String,
    pub(super) code: u64,
}

impl Door {
    /// Starts the server, which audits the writes of `user`. Its files are in `folder`.
    pub(super) fn open(plane: &Plane, user: &str, folder: &Path) -> Self {
        let status = opctl(&["envtest", "status", "-o", "json"]).env("XDG_STATE_HOME", plane.state()).output().unwrap();
        let status: Value = serde_json::from_slice(&status.stdout).unwrap();
        let process = &status["data"]["processes"]["kube-apiserver"];
        let line = fs::read_to_string(format!("/proc/{process}/cmdline")).unwrap();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let mut arguments: Vec<String> = line.split_terminator('\0').map(str::to_owned).collect();
        arguments.retain(|argument| !argument.starts_with("--secure-port="));
        let changes = ["create", "update", "patch", "delete"];
        let policy = json!({
            "apiVersion": "audit.k8s.io/v1",
            "kind": "Policy",
            "omitStages": ["RequestReceived"],
            "rules": [{"level": "Metadata", "users": [user], "verbs": changes}, {"level": "None"}],
        });
        fs::write(folder.join("policy.yaml"), policy.to_string()).unwrap();
        arguments.extend([
            format!("--secure-port={port}"),
            format!("--audit-policy-file={}", folder.join("policy.yaml").display()),
            format!("--audit-log-path={}", folder.join("audit.log").display()),
        ]);
        let url = format!("https://127.0.0.1:{port}");
        let mut door = Door { arguments, url, folder: folder.to_owned(), server: None };
        door.reopen();
        door
    }

    /// Returns the path of the certificate of the authority that has signed the server's certificate.
    pub(super) fn authority(&self) -> PathBuf {
        let folder = self.arguments.iter().find_map(|argument| argument.strip_prefix("--cert-dir=")).unwrap();
        Path::new(folder).join("serving-ca.crt")
    }

    /// Kills the server, as a power cut would.
    pub(super) fn close(&mut self) {
        if let Some(mut server) = self.server.take() {
            server.kill().unwrap();
            server.wait().unwrap();
        }
    }

    /// Starts the server again, and waits until it is ready. If the server was killed while it assigned an IP
    /// address to a Service, the first start may fail, because both API servers repair the list of assigned
    /// addresses and the slower one gives up. A second start succeeds.
    pub(super) fn reopen(&mut self) {
        if !self.is_ready_in_time() {
            self.close();
            assert!(self.is_ready_in_time(), "{}", fs::read_to_string(self.folder.join("kube-apiserver.log")).unwrap());
        }
    }

    /// Starts the server. Returns true if it becomes ready, and false if it exits or takes longer than a minute.
    fn is_ready_in_time(&mut self) -> bool {
        let log = self.folder.join("kube-apiserver.log");
        let output = File::create(&log).unwrap();
        let mut command = tool(&self.arguments[0]);
        command.args(&self.arguments[1..]).stdin(Stdio::null());
        let server = command.stdout(output.try_clone().unwrap()).stderr(output).spawn().unwrap();
        let server = self.server.insert(server);
        let begun = Instant::now();
        let agent = agent();
        while agent.get(format!("{}/readyz", self.url)).call().is_err() {
            if server.try_wait().unwrap().is_some() || begun.elapsed() > Duration::from_secs(60) {
                return false;
            }
            std::thread::sleep(Duration::from_millis(50));
        }
        true
    }

    /// Returns the audited write requests since the first start of the server, except those for leases.
    pub(super) fn writes(&self) -> Vec<Write> {
        let log = fs::read_to_string(self.folder.join("audit.log")).unwrap_or_default();
        let lines = log.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let writes = lines.map(|line| {
            let object = &line["objectRef"];
            let resource = [text(&object["resource"]), text(&object["subresource"])];
            Write {
                verb: text(&line["verb"]),
                resource: resource.join("/").trim_end_matches('/').to_owned(),
                name: text(&object["name"]),
                code: line["responseStatus"]["code"].as_u64().unwrap_or_default(),
            }
        });
        writes.filter(|write| write.resource != "leases").collect()
    }
}

impl Drop for Door {
    fn drop(&mut self) {
        self.close();
    }
}

/// Returns an agent for readiness requests only, which need no rights. It does not verify the server's certificate.
fn agent() -> ureq::Agent {
    let tls = ureq::tls::TlsConfig::builder().disable_verification(true).build();
    ureq::Agent::config_builder().tls_config(tls).proxy(None).build().new_agent()
}
