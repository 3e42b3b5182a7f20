//! `opctl bench`: measures operators on a real API server, with the requests that they really send.

use crate::report_schema::{keeps_to, whole};
use crate::support::{cargo, must, opctl, project, target_folder, text};
use rustix::process::{Pid, Signal, kill_process};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read as _};
use std::net::TcpStream;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

/// Returns the report, which is the last line of the output, and checks that it matches the JSON schema.
fn report(output: &Output) -> Value {
    let (said, told) = (text(&output.stdout), text(&output.stderr));
    let last = said.lines().last().unwrap_or_else(|| panic!("{told}"));
    let report: Value = serde_json::from_str(last).unwrap_or_else(|error| panic!("{error}\n{said}\n{told}"));
    keeps_to(&report, &whole());
    report
}

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is not a number"))
}

/// Builds the operator of the test project `name` in `testdata/golden`, and returns the path of its program.
fn program(name: &str) -> PathBuf {
    must(&mut cargo(name, &["build", "--locked"]));
    target_folder().join("debug").join(name)
}

/// Runs `opctl bench` in the folder of the test project `name`, and measures the operator that the command `line`
/// starts.
fn bench(name: &str, line: &str, arguments: &[&str]) -> Output {
    let mut command = opctl(&["bench", "--crds", "config/crd/bases", "-o", "json", "--command", line]);
    command.args(arguments).current_dir(project(name)).output().unwrap()
}

#[test]
fn the_requests_and_the_memory_of_an_operator_are_measured() {
    let mut command = opctl(&["bench", "--debug", "--objects", "60,20", "--steady", "2s", "--forecast", "2000"]);
    let command = command.args(["-o", "json"]).current_dir(project("shop-operator"));
    let output = command.env("CARGO_TARGET_DIR", target_folder()).output().unwrap();
    let report = report(&output);
    assert_eq!(output.status.code(), Some(0), "{report:#}");
    let data = &report["data"];
    assert_eq!((&data["kind"], &data["build"]), (&json!("WebServer"), &json!("debug")));
    let sizes = data["sizes"].as_array().unwrap();
    assert_eq!(sizes.iter().map(|size| size["objects"].as_u64().unwrap()).collect::<Vec<_>>(), [20, 60]);
    for size in sizes {
        let objects = number(&size["objects"]);
        let requests = |from: &Value| -> f64 {
            let writes = ["create", "patch", "update", "delete"].iter();
            writes.map(|verb| from["requests"][verb].as_f64().unwrap_or_default()).sum()
        };
        // A Deployment, a Service and the status of each. No pods run, so that nothing changes later.
        let each = requests(size) / objects;
        assert!((3.0..=3.5).contains(&each), "{each} writes for each object: {size:#}");
        assert_eq!(size["refused"], 0, "{size:#}");
        assert!(requests(&size["restart"]) < 1.0, "nothing is written again after a restart: {size:#}");
        assert_eq!(size["progress"], json!({"ready": 0, "reported": size["objects"], "silent": 0}));
        for key in ["seconds", "medianSeconds", "p99Seconds", "cpuSeconds"] {
            assert!((0.005..60.0).contains(&number(&size[key])), "{key}: {size:#}");
        }
        assert!(number(&size["medianSeconds"]) <= number(&size["p99Seconds"]));
        assert!(number(&size["p99Seconds"]) <= number(&size["seconds"]));
        let megabytes = |key: &str| number(&size[key]) / 1e6;
        assert!((2.0..200.0).contains(&megabytes("steadyBytes")), "{size:#}");
        assert!(megabytes("peakBytes") >= megabytes("steadyBytes"), "{size:#}");
        // Each answer to a write is the object that was written, and each of them comes by a watch.
        assert!(number(&size["receivedBytes"]) / objects > 2000.0, "{size:#}");
        assert!(number(&size["sentBytes"]) / objects > 500.0, "{size:#}");
    }
    let (forecast, largest) = (&data["forecast"], &sizes[1]);
    assert_eq!((&forecast["objects"], &forecast["throughIdle"]), (&json!(2000), &json!(false)));
    assert!(number(&forecast["peakBytes"]) >= number(&forecast["steadyBytes"]), "{forecast:#}");
    assert!(number(&data["idle"]["steadyBytes"]) <= 1.2 * number(&largest["peakBytes"]), "{data:#}");
    let quantity = |path: &str| {
        let text = data["resources"].pointer(path).unwrap().as_str().unwrap();
        text.strip_suffix("Mi").unwrap().parse::<f64>().unwrap() * f64::from(1 << 20)
    };
    assert!(quantity("/requests/memory") >= 1.2 * number(&forecast["steadyBytes"]), "{data:#}");
    assert!(quantity("/limits/memory") >= 1.5 * number(&forecast["peakBytes"]), "{data:#}");
}

#[test]
fn an_operator_of_a_command_is_measured() {
    let line =
        format!("{} --health-probe-bind-address=127.0.0.1:0 --leader-elect", program("webserver-operator").display());
    let mut command = opctl(&["bench", "--crds", "config/crd/bases", "--roles", "config/rbac", "--command", &line]);
    command.args(["--objects", "30", "--steady", "1s"]).current_dir(project("webserver-operator"));
    let output = command.output().unwrap();
    let (said, told) = (text(&output.stdout), text(&output.stderr));
    assert!(output.status.success(), "{said}{told}");
    for part in [
        "the operator of `--command` with copies of WebServer, Kubernetes v1.",
        "OBJECTS   DONE IN",
        "\n30 ",
        "30 patch",
        "from one size and the operator without objects",
        "For the operator's container:",
    ] {
        assert!(said.contains(part), "{part}:\n{said}{told}");
    }
    assert!(told.contains("0 of 30 objects are ready: the control plane runs no pods"), "{told}");
    let yaml = &said[said.find("        resources:").unwrap()..];
    let resources: Value = serde_yaml::from_str(yaml).unwrap();
    assert_eq!(resources["resources"]["requests"]["cpu"], "10m", "{yaml}");
}

#[test]
fn objects_that_never_get_ready_are_counted() {
    let line = format!("{} --health-probe-bind-address=127.0.0.1:0", program("webserver-operator").display());
    let arguments = ["--objects", "10", "--simulate-nodes", "--timeout", "4s", "--steady", "1s"];
    let output = bench("webserver-operator", &line, &arguments);
    let report = report(&output);
    assert_eq!(output.status.code(), Some(1), "{report:#}");
    assert_eq!(report["error"]["message"], "10 of 10 objects are not ready");
    assert!(report["error"]["hint"].as_str().unwrap().contains("--simulate-nodes --objects 20"), "{report:#}");
    assert_eq!(report["data"], Value::Null, "no forecast comes from it: {report:#}");
}

#[test]
fn an_operator_that_ends_is_an_error_with_its_log() {
    let output = bench("webserver-operator", "echo no such class >&2; exit 3", &["--objects", "5"]);
    let report = report(&output);
    assert_eq!(report["error"]["message"], "the operator exited unexpectedly: exit status: 3");
    assert!(report["error"]["causes"].to_string().contains("no such class"), "{report:#}");
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn bench_refuses_unusable_arguments_and_samples_at_once() {
    for (project_name, arguments, message) in [
        ("webserver-operator", &["--objects", "20,60,20"][..], "`--objects` has `20` twice"),
        (
            "platform-operator",
            &["--debug"],
            "choose one of the kinds that have samples: `Database.apps.example.org`, `Database.cache.example.org`",
        ),
        ("webserver-operator", &["--kind", "Nothing"], "has no sample of `Nothing`, only of `WebServer`"),
        ("bare-operator", &[], "has no sample"),
    ] {
        let mut command = opctl(&["bench", "-o", "json"]);
        let output = command.args(arguments).current_dir(project(project_name)).output().unwrap();
        let said = report(&output)["error"]["message"].as_str().unwrap().to_owned();
        assert!(said.contains(message), "{said}");
    }
}

#[test]
fn an_interrupt_ends_everything_and_tells_what_was_measured() {
    let line = format!("{} --health-probe-bind-address=127.0.0.1:0", program("webserver-operator").display());
    let mut command = opctl(&["bench", "-v", "--crds", "config/crd/bases", "--objects", "10,2000", "--steady", "1s"]);
    command.args(["-o", "json", "--command", &line]).current_dir(project("webserver-operator"));
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    let mut told = BufReader::new(child.stderr.take().unwrap()).lines().map_while(Result::ok);
    assert!(told.any(|line| line.contains("Measured 10 objects")), "the first size is small");
    let serving = told.find(|line| line.contains(" at https://127.0.0.1:")).unwrap();
    let server = serving.rsplit_once("https://").unwrap().1.to_owned();
    assert!(told.any(|line| line.contains("Creating")));
    std::thread::sleep(Duration::from_millis(300));
    kill_process(Pid::from_raw(child.id().try_into().unwrap()).unwrap(), Signal::INT).unwrap();
    let rest = std::thread::spawn(move || told.collect::<Vec<_>>());
    let mut said = String::new();
    child.stdout.take().unwrap().read_to_string(&mut said).unwrap();
    let told = rest.join().unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{said}\n{told:#?}");
    let report: Value = serde_json::from_str(said.lines().last().unwrap()).unwrap();
    assert_eq!(report["error"]["message"], "interrupted");
    assert_eq!(report["data"]["sizes"][0]["objects"], 10, "{report:#}");
    assert_eq!(report["data"]["forecast"]["throughIdle"], true, "{report:#}");
    assert!(TcpStream::connect(&server).is_err(), "the API server has ended");
}
