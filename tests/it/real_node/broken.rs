//! Operators that a kubelet cannot run: `deploy` and `status` say why.

use super::{image, image_with, on, operator};
use crate::support::{Plane, must, temporary, text};
use std::path::Path;

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn deploy_and_status_say_why_an_operator_does_not_run() {
    let (root, program) = operator();
    let (folder, plane) = (temporary(), Plane::start_with(&["--node"]));
    let perl = Path::new("/usr/bin/perl");
    let deploy = |image: &str, timeout: &str| {
        let output = on(&plane, &root, &["deploy", "--image", image, "--timeout", timeout]).output().unwrap();
        assert_eq!(output.status.code(), Some(5), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let load = |arguments: &[&str], name: &str| {
        must(on(&plane, &root, &["envtest", "load"]).arg(image_with(perl, arguments, name, folder.path())));
    };
    // The operator runs, and its Service leads to a port that nothing serves.
    let service = root.join("config/webhook/service.yaml");
    let right = std::fs::read_to_string(&service).unwrap();
    std::fs::write(&service, right.replace("targetPort: 9443", "targetPort: 9444")).unwrap();
    must(on(&plane, &root, &["envtest", "load"]).arg(image(&program, "localhost/shop:1", folder.path())));
    let said = deploy("localhost/shop:1", "10s");
    std::fs::write(&service, right).unwrap();
    assert!(said.contains("the operator runs, but the API server does not reach its webhooks"), "{said}");
    assert!(said.contains("failed calling webhook \"mwebserver-v1alpha1.example.com\""), "{said}");

    // The program listens nowhere.
    load(&["-e", "sleep 600", "--"], "localhost/deaf:1");
    let said = deploy("localhost/deaf:1", "10s");
    assert!(said.contains("Readiness probe failed: Get \"http"), "{said}");

    load(&["-e", "exit 3", "--"], "localhost/short:1");
    let said = deploy("localhost/short:1", "60s");
    assert!(said.contains("container `manager` exited with code 3 (Error)"), "{said}");

    // Its memory is limited. containerd may tell the end before it has heard of the reason.
    load(&["-e", "my $all = 'x' x 900_000_000; sleep 600", "--"], "localhost/large:1");
    let said = deploy("localhost/large:1", "60s");
    let is_told =
        ["exited with code 137 (OOMKilled)", "exited with code 137 (Error)"].iter().any(|end| said.contains(end));
    assert!(is_told, "{said}");

    // A registry that refuses each connection at once.
    let said = deploy("127.0.0.1:9/none:1", "60s");
    assert!(said.contains("`manager` waits: ImagePullBackOff") && said.contains("127.0.0.1:9"), "{said}");

    let manager = root.join("config/manager/manager.yaml");
    let before = std::fs::read_to_string(&manager).unwrap();
    // A container that cannot start has the reason in its pod's events only.
    let mount = "        volumeMounts:\n        - {name: none, mountPath: /none}\n        resources:\n";
    let volume = "      volumes:\n      - {name: none, secret: {secretName: none}}\n";
    std::fs::write(&manager, before.replacen("        resources:\n", mount, 1) + volume).unwrap();
    let said = deploy("localhost/short:1", "15s");
    let cause = "FailedMount: MountVolume.SetUp failed for volume \"none\" : secret \"none\" not found";
    assert!(said.contains(&format!("Waiting 0 of 1 pods are ready: {cause}")), "{said}");
    assert!(said.contains(&format!("caused by: {cause}")), "{said}");
    let status = text(&on(&plane, &root, &["status"]).output().unwrap().stdout);
    assert!(status.contains(cause), "{status}");

    std::fs::write(&manager, before.replace("cpu: 10m", "cpu: 900")).unwrap();
    let said = deploy("localhost/short:1", "10s");
    std::fs::write(&manager, &before).unwrap();
    assert!(said.contains("Waiting 0 of 1 pods are ready: no node can run the pod: 0/1 nodes are available"), "{said}");
    let status = text(&on(&plane, &root, &["status"]).output().unwrap().stdout);
    assert!(status.contains(": no node can run the pod: 0/1 nodes are available"), "{status}");
}
