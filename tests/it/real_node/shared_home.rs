//! A home folder that is shared with a container: its process ids are not those of the machine.

use crate::support::{Plane, fails, must, opctl, tool};

#[test]
#[ignore = "it needs root: .ci/long"]
fn a_container_leaves_the_control_planes_of_its_machine_running() {
    let plane = Plane::start();
    let inside = |arguments: &[&str]| {
        let mut command = tool("unshare");
        command.args(["--pid", "--fork", "--mount-proc"]).arg(opctl(&[]).get_program()).args(arguments);
        command.env("XDG_STATE_HOME", plane.state());
        command
    };
    let listed = must(&mut inside(&["envtest", "list"]));
    assert!(String::from_utf8_lossy(&listed.stderr).contains("runs on another machine, or in another container"));
    for verb in ["start", "stop", "status"] {
        fails(&mut inside(&["envtest", verb]), 3, "control plane `default` runs on another machine");
    }
    let status = must(opctl(&["envtest", "status"]).env("XDG_STATE_HOME", plane.state()));
    let status = String::from_utf8(status.stdout).unwrap();
    let supervisor = status.split_once("supervisor ").unwrap().1.split(',').next().unwrap();
    must(tool("kill").args(["-9", supervisor]));
    // Once the servers have ended, the container may remove what is left of them.
    let begun = std::time::Instant::now();
    while inside(&["envtest", "list"]).output().unwrap().stderr.starts_with(b"warning") {
        assert!(begun.elapsed().as_secs() < 10);
    }
    assert!(!plane.state().join("opctl/envtest/default").exists());
}
