//! Ctrl+C and SIGTERM end every command within a second, whatever it waits for.

use crate::support::{Machine, at_once, tool};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::json;
use std::fs::{self, File};
use std::net::TcpListener;
use std::os::unix::process::ExitStatusExt;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The reasons why a command waits.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Waits {
    /// A kubeconfig that is a pipe without a writer.
    Kubeconfig,
    /// A certificate file that is a pipe without a writer. The kubeconfig names this file.
    Certificate,
    /// A server that does not answer.
    Server,
    /// A credential plugin that ignores signals.
    Plugin,
    /// A file on the command line that is a pipe without a writer.
    Pipe,
    /// Another opctl, which holds the project's lock.
    Lock,
    /// A program that ignores signals.
    Program(&'static str),
}

const TABLE: &[(Waits, &[&str])] = &[
    (Waits::Kubeconfig, &["status"]),
    (Waits::Kubeconfig, &["logs"]),
    (Waits::Certificate, &["status"]),
    (Waits::Certificate, &["logs"]),
    (Waits::Server, &["status"]),
    (Waits::Server, &["logs", "--follow"]),
    (Waits::Plugin, &["status"]),
    (Waits::Plugin, &["logs"]),
    (Waits::Pipe, &["adopt", "--crds", "pipe", "--domain", "example.com"]),
    (Waits::Pipe, &["manifests", "--against", "pipe"]),
    (Waits::Lock, &["create", "api", "--kind", "Other"]),
    (Waits::Lock, &["manifests"]),
    (Waits::Program("cargo"), &["manifests"]),
    (Waits::Program("kubectl"), &["doctor"]),
    (Waits::Program("docker"), &["build", "--image", "web:1"]),
    (Waits::Program("git"), &["manifests", "--against", "main"]),
    (Waits::Program("git"), &["resolve"]),
];

/// A shell script that ignores signals, and creates the file `begun` when it starts.
const STUBBORN: &str = "trap '' INT TERM HUP; : >begun; /bin/sleep 31";

/// Returns a machine, an opctl command on this machine that will wait for the reason `waits`, and the locked lock file
/// if the command will wait for a lock.
fn prepared(waits: Waits, words: &[&str]) -> (Machine, Command, Option<File>) {
    let machine = Machine::new(&[&["create", "api", "--kind", "WebServer"]]);
    let root = machine.root();
    let pipe = |name: &str| {
        let path = root.join(name);
        assert!(tool("mkfifo").arg(&path).status().unwrap().success());
        path
    };
    let kubeconfig = |server: &str, authority: Option<PathBuf>, plugin: Option<PathBuf>| {
        let exec = plugin.map(|command| {
            json!({"apiVersion": "client.authentication.k8s.io/v1", "command": command, "interactiveMode": "Never"})
        });
        let text = json!({
            "current-context": "a", "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
            "clusters": [{"name": "a", "cluster": {"server": server, "certificate-authority": authority}}],
            "users": [{"name": "a", "user": {"exec": exec}}],
        });
        let path = root.join("kubeconfig");
        fs::write(&path, text.to_string()).unwrap();
        path
    };
    let mut command = machine.command(words);
    let mut held = None;
    match waits {
        Waits::Kubeconfig => {
            command.env("KUBECONFIG", pipe("kubeconfig"));
        }
        Waits::Certificate => {
            let path = kubeconfig("https://127.0.0.1:1", Some(pipe("ca.crt")), None);
            command.env("KUBECONFIG", path);
        }
        Waits::Server => {
            let listener = TcpListener::bind("127.0.0.1:0").unwrap();
            let path = kubeconfig(&format!("http://{}", listener.local_addr().unwrap()), None, None);
            command.env("KUBECONFIG", path);
            std::thread::spawn(move || {
                let mut kept = Vec::new();
                kept.extend(listener.incoming().map_while(Result::ok));
            });
        }
        Waits::Plugin => {
            let plugin = machine.program("plugin", STUBBORN);
            command.env("KUBECONFIG", kubeconfig("https://127.0.0.1:1", None, Some(plugin)));
        }
        Waits::Pipe => drop(pipe("pipe")),
        Waits::Lock => {
            let lock = File::options().create(true).append(true).open(root.join(".opctl/lock")).unwrap();
            lock.lock().unwrap();
            held = Some(lock);
        }
        Waits::Program(name) => {
            let program = machine.program(name, STUBBORN);
            if name == "cargo" {
                command.env("CARGO", program);
            }
        }
    }
    (machine, command, held)
}

/// Waits until the command is blocked: it uses no processor time, and the program that it runs has begun.
fn until_it_waits(child: &mut Child, machine: &Machine, waits: Waits) {
    let used = |child: &Child| {
        let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).unwrap();
        let fields: Vec<String> = stat.rsplit_once(')').unwrap().1.split_whitespace().map(str::to_owned).collect();
        (fields[11].clone(), fields[12].clone())
    };
    let begun = Instant::now();
    let (mut last, mut since) = (used(child), Instant::now());
    loop {
        assert!(child.try_wait().unwrap().is_none(), "{waits:?} does not wait");
        assert!(begun.elapsed() < Duration::from_secs(30), "{waits:?} never waits");
        let now = used(child);
        if now != last {
            (last, since) = (now, Instant::now());
        }
        let program = matches!(waits, Waits::Program(_) | Waits::Plugin);
        if since.elapsed() > Duration::from_millis(600) && (!program || machine.root().join("begun").exists()) {
            return;
        }
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Returns true if this process was started with the signal ignored, for instance because a script started the tests
/// with `&`. Child processes also ignore the signal unless they handle it.
fn is_ignored(signal: Signal) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    u64::from_str_radix(ignored.trim(), 16).unwrap() & (1 << (signal.as_raw() - 1)) != 0
}

#[test]
fn every_wait_ends() {
    let signals: Vec<_> = [Signal::INT, Signal::TERM].into_iter().filter(|signal| !is_ignored(*signal)).collect();
    let cases: Vec<_> = TABLE.iter().flat_map(|row| signals.iter().map(move |signal| (row, *signal))).collect();
    at_once(&cases, |((waits, words), signal)| {
        let (machine, mut command, _held) = prepared(*waits, words);
        let mut child = command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
        until_it_waits(&mut child, &machine, *waits);
        let begun = Instant::now();
        kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), *signal).unwrap();
        while child.try_wait().unwrap().is_none() {
            if begun.elapsed() > Duration::from_secs(2) {
                child.kill().unwrap();
                panic!("{words:?} waits for {waits:?} and does not end at {signal:?}");
            }
            std::thread::sleep(Duration::from_millis(5));
        }
        let status = child.wait().unwrap();
        // A command without a handler is ended by the signal itself, for which a shell says 130 and 143.
        let expected = status.code() == Some(130) || status.signal() == Some(signal.as_raw());
        assert!(expected, "{words:?} waits for {waits:?}, and ends with {status} at {signal:?}");
    });
}

#[test]
fn a_second_interrupt_ends_a_child_that_ignores_the_first() {
    let machine = Machine::new(&[]);
    let program = machine.program("cargo", STUBBORN);
    let mut command = machine.command(&["run"]);
    let mut child = command.env("CARGO", program).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    until_it_waits(&mut child, &machine, Waits::Program("cargo"));
    let interrupt = || kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), Signal::INT).unwrap();
    interrupt();
    std::thread::sleep(Duration::from_millis(200));
    let begun = Instant::now();
    interrupt();
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(2), "{:?}", begun.elapsed());
}
