//! Local control planes are started once, reused by later commands, and stopped without leaving processes behind.

use super::*;
use crate::support::{client, program};

#[test]
fn a_control_plane_is_served_found_again_and_stopped() {
    let home = Home::with_servers();
    let begun = Instant::now();
    let path = home.ok(&["start"]);
    println!("`opctl envtest start` to a served API: {:.2} s", begun.elapsed().as_secs_f64());
    assert_eq!(path.trim_end(), home.folder().join("kubeconfig").to_str().unwrap());
    assert_eq!(home.ok(&["start"]), path, "starting twice gives the same one");

    let mode = fs::metadata(path.trim_end()).unwrap().permissions();
    assert_eq!(std::os::unix::fs::PermissionsExt::mode(&mode) & 0o777, 0o600);
    ask(path.trim_end());

    let status = home.data(&["status"]);
    assert_eq!(status["status"], "running");
    assert!(status["version"].as_str().unwrap().starts_with("v1."), "{status}");
    assert!(home.ok(&["list"]).contains(status["server"].as_str().unwrap()));
    let environment = home.ok(&["env"]);
    assert!(environment.contains("export KUBEBUILDER_ASSETS='/"), "{environment}");
    assert!(environment.contains(&format!("export KUBECONFIG='{}'", path.trim_end())), "{environment}");

    let other = home.run(&["start", "--apiserver-arg=--v=3"]);
    assert_eq!(other.status.code(), Some(3), "{}", stderr(&other));
    assert!(stderr(&other).contains("hint: opctl envtest stop --name default"), "{}", stderr(&other));

    let mut clean = opctl(&["cache", "clean", "--servers", "--dry-run"]);
    clean.env("XDG_STATE_HOME", home.0.path());
    let clean = clean.output().unwrap();
    assert_eq!(clean.status.code(), Some(3), "{}", stderr(&clean));
    assert!(stderr(&clean).contains("error: control plane `default` runs\n"), "{}", stderr(&clean));

    let simulated = home.run(&["start", "--simulate-nodes"]);
    assert_eq!(simulated.status.code(), Some(3), "{}", stderr(&simulated));
    assert!(
        stderr(&simulated).contains("control plane `default` is already running, but without simulated nodes"),
        "{}",
        stderr(&simulated)
    );

    let processes = home.processes();
    assert_eq!(processes.len(), 3);
    home.ok(&["stop"]);
    home.assert_nothing_is_left(&processes);
    let again = home.run(&["stop"]);
    assert!(again.status.success() && stderr(&again).contains("does not run"), "{}", stderr(&again));
    assert_eq!(home.data(&["status"])["status"], "stopped");
}

/// Checks that the API server is ready, and creates a namespace.
fn ask(kubeconfig: &str) {
    use k8s_openapi::api::core::v1::Namespace;
    use kube::Api;
    use kube::config::Kubeconfig;
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(async {
        let kubeconfig = Kubeconfig::read_from(kubeconfig).unwrap();
        let client = client(kubeconfig).await;
        let request = http::Request::get("/readyz").body(Vec::new()).unwrap();
        assert_eq!(client.request_text(request).await.unwrap(), "ok");
        let namespace: Namespace = serde_json::from_value(serde_json::json!({"metadata": {"name": "made"}})).unwrap();
        Api::all(client).create(&kube::api::PostParams::default(), &namespace).await.unwrap();
    });
}

#[test]
fn whichever_process_is_killed_none_is_left_after_the_next_command() {
    let home = Home::with_servers();
    for victim in 0..4 {
        home.ok(&["start", "--simulate-nodes"]);
        let processes = home.processes();
        assert_eq!(processes.len(), 4);
        kill(&processes[victim].1);
        // A command about another control plane.
        home.ok(&["env", "--name", "other"]);
        println!("killed {}", processes[victim].0);
        home.assert_nothing_is_left(&processes);
    }
}

#[test]
fn without_a_controller_manager_only_the_simulation_is_missing() {
    let home = Home::with_servers();
    let assets = home.0.path().join("assets");
    fs::create_dir(&assets).unwrap();
    let environment = home.ok(&["env"]);
    let from = environment.split('\'').nth(1).unwrap();
    for name in ["etcd", "kube-apiserver"] {
        std::os::unix::fs::symlink(PathBuf::from(from).join(name), assets.join(name)).unwrap();
    }
    for done in ["runs: ", "runs already: "] {
        let output = home.command(&["start", "--simulate-nodes"]).env("KUBEBUILDER_ASSETS", &assets).output().unwrap();
        let told = stderr(&output);
        assert!(output.status.success() && told.contains(done), "{told}");
        assert!(
            told.contains(
                "warning: no nodes are simulated, because `kube-controller-manager` is not installed next to `"
            ),
            "{told}"
        );
        assert!(told.contains("`opctl envtest setup` installs it in opctl's store"), "{told}");
    }
    assert_eq!(home.data(&["status"])["simulatedNodes"], false);
}

#[test]
fn a_start_that_is_killed_is_gone_on_with() {
    let home = Home::with_servers();
    let mut start = home.command(&["start"]).stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap();
    thread::sleep(Duration::from_millis(400));
    start.kill().unwrap();
    start.wait().unwrap();
    home.ok(&["start"]);
    assert_eq!(home.processes().len(), 3);
}

#[test]
fn two_starts_at_once_give_the_same_control_plane() {
    let home = Home::with_servers();
    let starts: Vec<_> = (0..2)
        .map(|_| home.command(&["start"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap())
        .collect();
    let outputs: Vec<_> = starts.into_iter().map(|start| start.wait_with_output().unwrap()).collect();
    for output in &outputs {
        assert!(output.status.success(), "{}", stderr(output));
        assert_eq!(output.stdout, outputs[0].stdout);
    }
    let told: String = outputs.iter().map(stderr).collect();
    assert!(told.contains("runs: ") && told.contains("runs already: "), "{told}");
}

#[test]
fn a_server_that_ends_is_told_with_the_end_of_its_log() {
    let home = Home::with_servers();
    let output = home.run(&["start", "--apiserver-arg=--no-such-flag"]);
    assert_eq!(output.status.code(), Some(4));
    assert_eq!(stdout(&output), "");
    let told = stderr(&output);
    assert!(told.contains("error: the server `kube-apiserver` exited unexpectedly"), "{told}");
    assert!(told.contains("unknown flag: --no-such-flag") && told.contains("hint: "), "{told}");
    assert!(!home.folder().exists());
}

#[test]
fn a_port_that_was_taken_meanwhile_is_tried_again() {
    let home = Home::new();
    let assets = home.0.path().join("assets");
    fs::create_dir(&assets).unwrap();
    for name in ["etcd", "kube-apiserver"] {
        let script = "echo once >> \"$ATTEMPTS\"\necho 'bind: address already in use' >&2\nexit 1";
        program(&assets, name, script);
    }
    let attempts = home.0.path().join("attempts");
    let mut start = home.command(&["start"]);
    let output = start.env("KUBEBUILDER_ASSETS", &assets).env("ATTEMPTS", &attempts).output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(stderr(&output).contains("caused by: bind: address already in use"), "{}", stderr(&output));
    assert_eq!(fs::read_to_string(attempts).unwrap().lines().count(), 5);
    assert!(!home.folder().exists());
}

#[test]
fn a_damaged_state_is_told_and_stop_mends_it() {
    let home = Home::with_servers();
    home.ok(&["start"]);
    let processes = home.processes();
    fs::write(home.folder().join("state.json"), "{").unwrap();
    for command in ["start", "status"] {
        let output = home.run(&[command]);
        assert_eq!(output.status.code(), Some(4), "{command}");
        let told = stderr(&output);
        assert!(told.contains("the state of control plane `default` is damaged"), "{told}");
        assert!(told.contains("hint: opctl envtest stop --name default"), "{told}");
    }
    home.ok(&["stop"]);
    home.assert_nothing_is_left(&processes);
}

#[test]
fn wrong_names_flags_and_variables_are_refused() {
    let home = Home::new();
    for (arguments, code, told) in [
        (&["start", "--name", "My_Plane"][..], 2, "opctl envtest start --name my-plane"),
        (&["start", "--apiserver-arg=--secure-port=1"], 2, "set by opctl"),
        (&["start", "--version", "newest"], 2, "is not a Kubernetes version"),
        (&["setup", "1.x"], 2, "hint: opctl envtest setup 1."),
    ] {
        let output = home.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{arguments:?}");
        assert!(stderr(&output).contains(told), "{}", stderr(&output));
    }
    let output = home.command(&["start"]).env("KUBEBUILDER_ASSETS", "/nowhere").output().unwrap();
    assert_eq!(output.status.code(), Some(4));
    assert!(
        stderr(&output).contains(
            "error: the environment variable `KUBEBUILDER_ASSETS` does not give a path to the program `etcd`"
        ),
        "{}",
        stderr(&output)
    );
}
