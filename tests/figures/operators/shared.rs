//! Compares operators with three controllers that own the same kinds of children: their memory, and the bytes that they
//! receive from the API server.

use super::plane::Plane;
use super::process::Operator;
use super::{built, compared, folder, has_go, of, program_of_go, project_of};
use std::fs;
use std::io::{Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::thread;

const KINDS: [&str; 3] = ["WebServer", "Shop", "Gallery"];
/// The number of objects of each kind.
const OBJECTS: usize = 700;
const ROUNDS: usize = 5;

/// The peak memory and the received bytes of one run, both in MB.
struct Outcome {
    memory: f64,
    received: f64,
}

/// Prints rows for each operator, and the ratios. Measures nothing without Go.
pub(crate) fn beside_go_controllers() {
    if !has_go() {
        return;
    }
    let folder = folder();
    let root = project_of(&folder, "measured-controllers", &KINDS);
    let ours = built(&folder, &root);
    let theirs = Operator {
        name: "the Go manager",
        program: program_of_go(&folder, "manager"),
        crd: ours.crd.clone(),
        resync: &[],
    };
    let crds = crds(&root);
    let mut outcomes: [Vec<Outcome>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        outcomes[0].push(measured(&ours, &crds, &[]));
        outcomes[1].push(measured(&theirs, &crds, &["--kinds=3"]));
    }
    compared("peak memory of three controllers, in MB", of(&outcomes, |one| one.memory), "0.3");
    compared("received from the API server, in MB", of(&outcomes, |one| one.received), "0.5");
}

fn crds(root: &Path) -> Vec<PathBuf> {
    let bases = fs::read_dir(root.join("config/crd/bases")).unwrap();
    bases.map(|entry| entry.unwrap().path()).collect()
}

fn measured(operator: &Operator, crds: &[PathBuf], flags: &[&str]) -> Outcome {
    let plane = Plane::start(&[]);
    for crd in crds {
        plane.install(crd);
    }
    for kind in KINDS {
        plane.create_of(kind, 0..OBJECTS, 2);
    }
    let (kubeconfig, received) = counted(plane.kubeconfig());
    let running = operator.start_with(&kubeconfig, flags);
    for kind in KINDS {
        plane.until_all_of(kind, OBJECTS, |object| object["status"]["conditions"].is_array());
    }
    // Waits until the operator has also handled the watch events of its last writes.
    running.until_idle();
    let (_, memory) = running.cost();
    running.stop();
    let bytes = u32::try_from(received.load(Relaxed) / 1000).unwrap();
    Outcome { memory, received: f64::from(bytes) / 1000.0 }
}

/// Starts a proxy to the API server. Returns a kubeconfig for the proxy, and a counter of the bytes that the API server
/// has sent through it.
fn counted(kubeconfig: &Path) -> (PathBuf, Arc<AtomicU64>) {
    let text = fs::read_to_string(kubeconfig).unwrap();
    let port = text.split("https://127.0.0.1:").nth(1).unwrap();
    let port: u16 = port.chars().take_while(char::is_ascii_digit).collect::<String>().parse().unwrap();
    let (listener, received) = (TcpListener::bind("127.0.0.1:0").unwrap(), Arc::<AtomicU64>::default());
    let own = listener.local_addr().unwrap().port();
    let path = kubeconfig.with_file_name("counted.kubeconfig");
    fs::write(&path, text.replace(&format!("127.0.0.1:{port}"), &format!("127.0.0.1:{own}"))).unwrap();
    let counter = received.clone();
    thread::spawn(move || {
        while let Ok((client, _)) = listener.accept() {
            let server = TcpStream::connect(("127.0.0.1", port)).unwrap();
            let (sending, answering) = (client.try_clone().unwrap(), server.try_clone().unwrap());
            let counter = counter.clone();
            thread::spawn(move || pass_on(sending, server, &AtomicU64::new(0)));
            thread::spawn(move || pass_on(answering, client, &counter));
        }
    });
    (path, received)
}

/// Sends everything from one connection to another, and counts the bytes.
fn pass_on(mut from: TcpStream, mut to: TcpStream, counter: &AtomicU64) {
    let mut buffer = vec![0; 65536];
    while let Ok(bytes @ 1..) = from.read(&mut buffer) {
        counter.fetch_add(bytes as u64, Relaxed);
        if to.write_all(&buffer[..bytes]).is_err() {
            break;
        }
    }
    let _ = to.shutdown(Shutdown::Write);
}
