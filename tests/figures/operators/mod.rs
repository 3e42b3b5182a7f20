//! Compares the operator that `create api --image` makes with a controller-runtime operator that writes the same
//! Deployment, Service and status of the same CRD. The runs alternate, each with its own control plane.

mod memory;
mod plane;
mod process;
mod shared;
mod webhooks;

pub(crate) use memory::of_many_objects;
pub(crate) use plane::Plane;
pub(crate) use shared::beside_go_controllers;
pub(crate) use webhooks::beside_go_webhooks;

use crate::{opctl, row, run};
use process::Operator;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const OURS: &str = "the operator";
const ROUNDS: usize = 5;
const OBJECTS: usize = 2000;
/// The number of objects in the measured rollouts. Each has three replicas.
const ROLLOUTS: usize = 200;
/// The time for which writes are counted after the objects have converged.
const IDLE: Duration = Duration::from_secs(20);

/// The measurements of one run of an operator.
struct Outcome {
    ready: Duration,
    objects_per_second: f64,
    writes_per_object: f64,
    processor: Duration,
    server_processor: Duration,
    peak_megabytes: f64,
    /// The number of writes while all objects are converged.
    idle: u64,
    /// The number of writes after a restart while all objects are converged, with a resync every 5 seconds if the
    /// operator has a flag for resyncs.
    restarted: u64,
}

/// Prints rows for each operator, and the ratios. Measures nothing without Go.
pub(crate) fn beside_a_go_manager() {
    if !has_go() {
        return;
    }
    let folder = folder();
    let operators = [ours(&folder), theirs(&folder)];
    let megabytes = |operator: &Operator| {
        let bytes = std::fs::metadata(&operator.program).unwrap().len();
        f64::from(u32::try_from(bytes / 1000).unwrap()) / 1000.0
    };
    row("binary of the operator, stripped", &format!("{:.1} MB", megabytes(&operators[0])), "12.5 MB");
    row("  of the Go manager", &format!("{:.1} MB", megabytes(&operators[1])), "");

    let mut outcomes: [Vec<Outcome>; 2] = [Vec::new(), Vec::new()];
    for _ in 0..ROUNDS {
        for (operator, outcomes) in operators.iter().zip(&mut outcomes) {
            outcomes.push(measured(operator));
        }
    }
    let [ready, ready_go] = of(&outcomes, |one| one.ready.as_secs_f64());
    row("start to ready without an object", &format!("{ready:.2} s"), "0.50 s");
    row("  of the Go manager", &format!("{ready_go:.2} s"), "");
    compared("objects per second", of(&outcomes, |one| one.objects_per_second), "1.0");
    compared("processor time, in seconds", of(&outcomes, |one| one.processor.as_secs_f64()), "0.5");
    compared("the same of the API server and etcd", of(&outcomes, |one| one.server_processor.as_secs_f64()), "1.0");
    compared("peak memory, in MB", of(&outcomes, |one| one.peak_megabytes), "0.36");
    let [ours, theirs] = of(&outcomes, |one| one.writes_per_object);
    row("writes per object", &format!("{ours:.2}"), "3.00");
    row("  of the Go manager", &format!("{theirs:.2}"), "");
    // The largest number of all rounds, so that a write in any round counts.
    let most = |which: fn(&Outcome) -> u64| outcomes[0].iter().map(which).max().unwrap();
    row("writes about converged objects", &most(|one| one.idle).to_string(), "0");
    row("  after a restart, and at resyncs", &most(|one| one.restarted).to_string(), "0");

    for operator in &operators {
        let figure = format!("writes in {ROLLOUTS} rollouts of 3 pods, {}", operator.name);
        row(&figure, &rollouts(operator).to_string(), "");
    }
}

fn has_go() -> bool {
    let has_go = Command::new("go").arg("version").output().is_ok();
    if !has_go {
        println!("nothing was compared with a program in Go: `go` is needed for it");
    }
    has_go
}

fn folder() -> PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("operators");
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

/// Returns the median of one figure for each of the two operators.
fn of<T>(outcomes: &[Vec<T>; 2], which: fn(&T) -> f64) -> [f64; 2] {
    outcomes.each_ref().map(|outcomes| {
        let mut values: Vec<f64> = outcomes.iter().map(which).collect();
        values.sort_by(f64::total_cmp);
        values[values.len() / 2]
    })
}

fn compared(figure: &str, [ours, theirs]: [f64; 2], bound: &str) {
    row(figure, &format!("{ours:.1}"), "");
    row("  of the Go manager", &format!("{theirs:.1}"), "");
    row("  ratio", &format!("{:.2}", ours / theirs), bound);
}

fn ours(folder: &Path) -> Operator {
    built(folder, &our_project(folder, "measured-operator"))
}

fn our_project(folder: &Path, name: &str) -> PathBuf {
    project_of(folder, name, &["WebServer"])
}

/// Makes a project with kinds that have the same fields and children.
fn project_of(folder: &Path, name: &str, kinds: &[&str]) -> PathBuf {
    let root = new_project(folder, name);
    for kind in kinds {
        let kind = ["--group", "web", "--kind", kind, "--image", "nginx:1.27", "--port", "80"];
        run(&mut opctl(&root, &[&["create", "api"], &kind[..]].concat()));
    }
    run(opctl(&root, &["manifests"]).env("CARGO_TARGET_DIR", folder.join("target")));
    root
}

/// Makes an empty project, and replaces a project that an earlier run has left.
fn new_project(folder: &Path, name: &str) -> PathBuf {
    let root = folder.join(name);
    let _ = std::fs::remove_dir_all(&root);
    std::fs::create_dir(&root).unwrap();
    run(&mut opctl(&root, &["init", "--domain", "example.com"]));
    root
}

/// Replaces texts in a file that opctl has made.
fn edit(file: &Path, texts: &[(&str, &str)]) {
    let mut text = std::fs::read_to_string(file).unwrap();
    for (from, to) in texts {
        assert!(text.contains(from), "{from}");
        text = text.replace(from, to);
    }
    std::fs::write(file, text).unwrap();
}

/// Builds the operator of a project.
fn built(folder: &Path, root: &Path) -> Operator {
    let target = folder.join("target");
    run(Command::new("cargo")
        .args(["build", "--release", "--locked"])
        .current_dir(root)
        .env("CARGO_TARGET_DIR", &target));
    Operator {
        name: OURS,
        program: target.join("release").join(root.file_name().unwrap()),
        crd: root.join("config/crd/bases/web.example.com_webservers.yaml"),
        resync: &["--resync=5s"],
    }
}

fn theirs(folder: &Path) -> Operator {
    let crd = folder.join("measured-operator/config/crd/bases/web.example.com_webservers.yaml");
    let program = program_of_go(folder, "manager");
    Operator { name: "the Go manager", program, crd, resync: &[] }
}

/// Builds a Go program of testdata/figures. Returns the path of the program.
fn program_of_go(folder: &Path, name: &str) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/figures").join(name);
    let program = folder.join(format!("go-{name}"));
    let mut build = Command::new("go");
    build.args(["build", "-ldflags", "-s -w", "-o"]).arg(&program).arg(".");
    run(build.current_dir(&source).env("CGO_ENABLED", "0"));
    program
}

fn measured(operator: &Operator) -> Outcome {
    let plane = Plane::start(&[]);
    plane.install(&operator.crd);
    let running = operator.start(&plane, &[]);
    let ready = running.ready();
    running.stop();

    plane.create(0..OBJECTS, 2);
    let (before, server_processor) = (plane.writes(), plane.processor());
    let running = operator.start(&plane, &[]);
    let took = plane.until_all(OBJECTS, |object| object["status"]["conditions"].is_array());
    let (processor, peak_megabytes) = running.cost();
    let server_processor = plane.processor().saturating_sub(server_processor);
    // The last status may still be on its way.
    std::thread::sleep(Duration::from_secs(2));
    let converged = plane.writes();
    std::thread::sleep(IDLE);
    let idle = plane.writes();
    running.stop();
    let running = operator.start(&plane, operator.resync);
    std::thread::sleep(IDLE);
    let restarted = plane.writes();
    running.stop();

    let count = |number: u64| f64::from(u32::try_from(number).unwrap());
    let objects = count(u64::try_from(OBJECTS).unwrap());
    Outcome {
        ready,
        objects_per_second: objects / took.as_secs_f64(),
        writes_per_object: count(converged - before) / objects,
        processor,
        server_processor,
        peak_megabytes,
        idle: idle - converged,
        restarted: restarted - idle,
    }
}

/// Returns the number of writes that the operator sends until all pods are ready, on a control plane with the real
/// controllers and a simulated node.
fn rollouts(operator: &Operator) -> usize {
    let plane = Plane::audited();
    plane.install(&operator.crd);
    plane.create(0..ROLLOUTS, 3);
    let running = operator.start(&plane, &[]);
    plane.until_all(ROLLOUTS, |object| {
        let conditions = object["status"]["conditions"].as_array();
        conditions.into_iter().flatten().any(|one| one["type"] == "Ready" && one["status"] == "True")
    });
    std::thread::sleep(Duration::from_secs(5));
    running.stop();
    plane.audited_writes()
}
