//! Measures the memory of an operator with many objects against the limit of its Deployment.

use super::plane::Plane;
use super::process::{Operator, Running};
use crate::row;
use serde_json::Value;
use std::path::Path;

const COUNTS: [usize; 2] = [2_000, 50_000];
/// The number of writes for each object: one each for its Deployment, its Service and its status.
const WRITES: u64 = 3;

/// Prints rows for the peak memory while objects converge and after a restart, and for the memory per object.
pub(crate) fn of_many_objects() {
    let folder = super::folder();
    let root = super::our_project(&folder, "measured-memory");
    // For each address of a Service, the API server looks at all the others: 50,000 take an hour.
    let controller = root.join("src/controller/web/web_server.rs");
    let ports = "ports: Some(vec![port]),";
    super::edit(&controller, &[(ports, &format!("{ports} cluster_ip: Some(\"None\".to_owned()),"))]);
    let operator = super::built(&folder, &root);
    let limit = limit(&operator.crd.ancestors().nth(3).unwrap().join("manager/manager.yaml"));
    let plane = Plane::start(&[]);
    plane.install(&operator.crd);
    let mut known = 0;
    let peaks = COUNTS.map(|count| {
        plane.create(known..count, 2);
        let written = plane.writes() + WRITES * (count - known) as u64;
        known = count;
        let converging = peak(&plane, &operator, count, written);
        let restarted = peak(&plane, &operator, count, written);
        for (figure, peak) in [("converge", converging), ("are there at a restart", restarted)] {
            row(
                &format!("peak memory while {count} objects {figure}"),
                &format!("{peak:.1} MB"),
                &format!("{limit:.0} MB"),
            );
        }
        converging.max(restarted)
    });
    let objects = f64::from(u32::try_from(COUNTS[1] - COUNTS[0]).unwrap());
    row("  growth per object", &format!("{:.2} kB", (peaks[1] - peaks[0]) * 1000.0 / objects), "");
    assert!(peaks[1] < limit, "the Deployment of this operator would be killed");
}

/// Returns the peak memory, in MB, of an operator that starts with `count` objects in the cluster and runs until
/// all of them have converged and the API server has counted `written` writes.
fn peak(plane: &Plane, operator: &Operator, count: usize, written: u64) -> f64 {
    let running: Running = operator.start(plane, &[]);
    plane.until_written(written);
    plane.until_all(count, |object| object["status"]["conditions"].is_array());
    // It also handles the watch events of its last writes, and after a restart looks at every object.
    running.until_idle();
    let (_, peak) = running.cost();
    running.stop();
    peak
}

/// Returns the memory limit of the manager's container, in MB.
fn limit(deployment: &Path) -> f64 {
    let text = std::fs::read_to_string(deployment).unwrap();
    let mut documents = text.split("\n---\n").map(|document| serde_yaml::from_str::<Value>(document).unwrap());
    let of = |object: Value| {
        let limit = &object["spec"]["template"]["spec"]["containers"][0]["resources"]["limits"]["memory"];
        limit.as_str().map(|limit| limit.strip_suffix("Mi").unwrap().parse::<f64>().unwrap())
    };
    documents.find_map(of).expect("a limit") * 1.048_576
}
