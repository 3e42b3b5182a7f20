//! Tests of opctl on machines that lack a program, or have a broken program with the same name. In each case, opctl
//! must print one error and end with the right exit code.

use crate::support::{Machine, fails, lay, text, with_servers};
use sha2::{Digest, Sha512};
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::path::Path;

const OK: &str = "HTTP/1.1 200 OK\r\nConnection: close\r\n";

/// Starts a server that answers each request with the result of `answer`, and returns the server's URL. `answer` gets
/// the first line of the request and the server's URL.
fn answering(answer: impl Fn(&str, &str) -> String + Send + 'static) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let own = address.clone();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let request = lines.next().unwrap().unwrap();
            while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
            let _ = stream.write_all(answer(&request, &own).as_bytes());
        }
    });
    address
}

#[test]
fn kubectl_is_missing_broken_or_refuses() {
    let machine = Machine::new(&[&["manifests"]]);
    let words = ["build-installer", "--image", "web:1"];
    machine.fails(&words, 4, "`kubectl` is not installed, or not on PATH");
    machine.program("kubectl", "");
    machine.fails(&words, 4, "`kubectl` cannot be run");
    machine.program("kubectl", "echo 'error: no such base' >&2; exit 1");
    machine.fails(&words, 1, "`kubectl kustomize ");
}

#[test]
fn git_is_missing_or_broken() {
    let machine = Machine::new(&[]);
    let words = ["manifests", "--against", "main"];
    machine.fails(&words, 4, "`git` is not installed, or not on PATH");
    let git = machine.program("git", "");
    machine.fails(&words, 4, "cannot start `git`");
    // git knows the commit and its files, but cannot show one of them.
    let script =
        r#"case "$*" in *cat-file*) exit 1;; *ls-tree*) printf 'config/crd/bases/a.yaml\0';; *) echo 1;; esac"#;
    fs::remove_file(git).unwrap();
    machine.program("git", script);
    machine.fails(&words, 4, "git cannot show `config/crd/bases/a.yaml` at `main`");
}

#[test]
fn no_container_tool_is_there() {
    let machine = Machine::new(&[]);
    machine.fails(&["build", "--image", "web:1"], 4, "no container tool that can build the image was found");
}

#[test]
fn cargo_ends_in_every_way() {
    let machine = Machine::new(&[&["create", "api", "--kind", "WebServer"]]);
    let cargo = |script: &str, code, told: &str| {
        let program = machine.program("cargo", script);
        fails(machine.command(&["manifests"]).env("CARGO", program), code, told);
    };
    cargo("kill -9 $$", 4, "cargo was ended by signal 9");
    cargo("exit 1", 4, "cargo failed (exit status: 1)");
    cargo("echo 'error: no matching package named `a` found' >&2; exit 101", 4, "cargo cannot build the api crate");
    cargo("echo 'error: the lock file is odd' >&2; exit 101", 1, "cargo cannot build the api crate");
    let built = |executable: &str| {
        let target = r#""target":{"name":"opctl-shim","kind":["bin"]}"#;
        format!(r#"echo '{{"reason":"compiler-artifact",{target},"executable":"{executable}"}}'"#)
    };
    cargo(&built("/no/such/program"), 4, "cannot run the program that prints the API types");
    // Things that a default or a `schema_with` function of a type may do. The last one lasts longer than opctl waits.
    for (script, told) in [
        (
            "echo 'out of paper' >&2; exit 3",
            "the program that prints the API types stopped at `v1alpha1::WebServer` (exit status: 3)",
        ),
        ("exit 0", "the program that prints the API types stopped at `v1alpha1::WebServer` (exit status: 0)"),
        ("kill -STOP $$", "`v1alpha1::WebServer` gives no schema within 20 seconds"),
    ] {
        let program = machine.program("types", script);
        cargo(&built(program.to_str().unwrap()), 1, told);
        fs::remove_file(program).unwrap();
    }
    let diagnostic =
        r#"{"reason":"compiler-message","target":{"name":"support"},"message":{"level":"error","rendered":"no"}}"#;
    cargo(&format!("echo '{diagnostic}'; exit 101"), 1, "cannot get the schemas of the API types");
    let deep =
        machine.program("deep", &format!(r#"printf '%s\nend\n' '{{"path":"a","crd":{}' > "$1""#, "[".repeat(300)));
    cargo(&built(deep.to_str().unwrap()), 1, "the schema of a type is nested too deeply to be read");
}

#[test]
fn servers_of_the_local_control_plane_are_not_to_be_had() {
    let machine = Machine::new(&[]);
    machine.fails(&["envtest", "env"], 4, "no Kubernetes servers are installed, and no local control plane is running");
    machine.fails(&["envtest", "setup", "--from-source"], 4, "building servers from source needs Go");
    machine.program("go", "echo go version go1.10 linux/amd64");
    machine.fails(&["envtest", "setup", "--from-source"], 4, "Go 1.10 is too old: this version of Kubernetes needs 1.");
    machine.program(
        "go",
        r#"case "$1" in version) echo go version go1.99 linux/amd64;; *) echo k8s.io/kubernetes v1.20.1;; esac"#,
    );
    machine.fails(&["envtest", "setup", "1.21", "--from-source"], 4, "there is no version `1.21` of Kubernetes");
    machine.fails(
        &["envtest", "setup", "latest-on-disk"],
        4,
        "no version of Kubernetes is installed in opctl's store of servers",
    );
    machine.fails(
        &["envtest", "setup", "1.20.1", "--from-source"],
        4,
        "the output of the Go tool about `k8s.io/kubernetes@v1.20.1`",
    );

    let index = answering(|_, _| format!("{OK}\r\n- not an index"));
    machine.fails(&["envtest", "setup", "--index", &index], 4, "is not an index of envtest archives");
    // The download is shorter than its stated length, or is no archive.
    for (length, told) in [("Content-Length: 99\r\n", "the download of `"), ("", "` cannot be unpacked")] {
        let index = answering(move |request, own| {
            if !request.contains("index.yaml") {
                return format!("{OK}{length}\r\npaper");
            }
            let hash = format!("{:x}", Sha512::digest("paper"));
            let name = format!("envtest-v1.30.7-{}.tar.gz", opctl::test_api::envtest::platform());
            format!("{OK}\r\nreleases:\n  v1.30.7:\n    {name}:\n      hash: {hash}\n      selfLink: {own}/{name}\n")
        });
        machine.fails(&["envtest", "setup", "1.30.7", "--index", &format!("{index}/index.yaml")], 4, told);
    }
    let mut homeless = machine.command(&["envtest", "env"]);
    homeless.env_remove("HOME").env_remove("XDG_STATE_HOME").env_remove("XDG_DATA_HOME");
    fails(&mut homeless, 4, "no environment variable gives the path of the home folder");
}

#[test]
fn a_control_plane_gets_no_time() {
    let machine = Machine::new(&[]);
    let limit = "KUBEBUILDER_CONTROLPLANE_START_TIMEOUT";
    let start = ["envtest", "start"];
    fails(with_servers(&machine, &start).env(limit, "soon"), 4, &format!("`{limit}` is set to `soon`, not a duration"));
    // The real etcd may answer in less time than it takes to ask.
    let silent = machine.program("etcd", "exec /bin/sleep 60");
    machine.program("kube-apiserver", "exec /bin/sleep 60");
    let mut silent_servers = machine.command(&start);
    silent_servers.env("KUBEBUILDER_ASSETS", silent.parent().unwrap());
    fails(silent_servers.env(limit, "1ms"), 4, "the server `etcd` did not answer within 1ms");
}

#[test]
fn a_cluster_that_is_silent_or_in_trouble() {
    let machine = Machine::new(&[]);
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/golden/webserver-operator");
    lay(&golden.join("config"), &machine.root().join("config"));
    fs::copy(golden.join("PROJECT"), machine.root().join("PROJECT")).unwrap();
    let kubeconfig = |server: &str| {
        let text = format!(
            "apiVersion: v1\nkind: Config\ncurrent-context: a\ncontexts: [{{name: a, context: {{cluster: a, user: a}}}}]\n\
             clusters: [{{name: a, cluster: {{server: '{server}'}}}}]\nusers: [{{name: a, user: {{}}}}]\n"
        );
        fs::write(machine.root().join("kubeconfig"), text).unwrap();
    };
    let install = ["install", "--kubeconfig", "kubeconfig", "--timeout", "2"];
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    kubeconfig(&format!("http://{}", silent.local_addr().unwrap()));
    machine.fails(&install, 5, "the cluster did not answer within 2s");
    let said = text(&machine.command(&install).output().unwrap().stderr);
    let look = "check whether the API server is ready:\n      kubectl get --raw /readyz --kubeconfig kubeconfig";
    assert!(said.contains(look), "{said}");
    let status = "HTTP/1.1 418 I'm a teapot\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n\
         {\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"message\":\"no tea\",\"reason\":\"Tea\",\"code\":418}";
    kubeconfig(&answering(|_, _| status.to_owned()));
    machine.fails(&install, 5, "the API server could not get `webservers.example.com`");
}
