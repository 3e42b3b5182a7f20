//! Checks that an interrupt of `opctl explore` ends the operators and the API server that it has started, and that the
//! report of `opctl explore` lists the unconfirmed findings.

use super::{Plain, operators};
use crate::support::opctl;
use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read as _};
use std::net::TcpStream;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

fn begin(plain: &Plain, arguments: &[&str]) -> Child {
    let mut command = opctl(&["explore", "--crds", "crds", "--samples", "samples", "--command", "./operator"]);
    let command = command.args(arguments).current_dir(plain.folder.path());
    command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap()
}

fn interrupt(child: &Child) {
    kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), Signal::INT).unwrap();
}

#[test]
fn an_interrupt_ends_every_operator() {
    let plain = Plain::build("plain-operator", None);
    let root = plain.folder.path();
    let mut child = begin(&plain, &[]);
    let begun = Instant::now();
    while operators(root) < 2 {
        assert!(begun.elapsed() < Duration::from_secs(60), "two runs without a fault come first");
        std::thread::sleep(Duration::from_millis(50));
    }
    interrupt(&child);
    let mut told = String::new();
    child.stderr.take().unwrap().read_to_string(&mut told).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{told}");
    assert!(told.contains("interrupted"), "{told}");
    assert_eq!(operators(root), 0, "{told}");
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn an_interrupt_tells_what_is_suspected() {
    let plain = Plain::build("plain-operator", Some("01-done-before-service"));
    let plan = "crash:patch:shops.example.com/corner/status#1@create";
    let mut child = begin(&plain, &["-v", "-o", "json", "--only", plan]);
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    let serving = told.find(|line| line.contains(" at https://127.0.0.1:")).unwrap();
    let server = serving.rsplit_once("https://").unwrap().1.to_owned();
    assert!(told.any(|line| line.contains(&format!("{plan} is suspected"))));
    assert!(TcpStream::connect(&server).is_ok());
    interrupt(&child);
    let rest = std::thread::spawn(move || told.collect::<Vec<_>>());
    let mut document = String::new();
    child.stdout.take().unwrap().read_to_string(&mut document).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{document}");
    rest.join().unwrap();
    let document: Value = serde_json::from_str(&document).unwrap();
    let message = document["error"]["message"].as_str().unwrap();
    assert!(message.starts_with("interrupted: 1 of 1 point tried in "), "{message}");
    let suspected = document["data"]["unconfirmed"].as_array().unwrap();
    assert!(suspected.iter().any(|finding| finding["plan"] == plan), "{document:#}");
    assert_eq!(document["data"]["findings"], serde_json::json!([]));
    assert_eq!(operators(plain.folder.path()), 0);
    assert!(TcpStream::connect(&server).is_err(), "the API server has ended");
}
