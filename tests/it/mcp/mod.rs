//! `opctl mcp`: a client lists and calls every tool.

mod client;

use crate::report_schema;
use crate::support::{Machine, Place, Tree, assert_same, text, tree};
use client::Client;
use rustix::process::{Pid, test_kill_process};
use serde_json::{Value, json};
use std::io::Write;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};

/// Returns valid arguments for a tool, or an empty object if the tool needs none.
fn arguments(tool: &str) -> Value {
    match tool {
        "init" => json!({"domain": "example.com"}),
        "create_api" | "create_policy" | "delete_api" | "delete_controller" | "delete_policy" | "delete_webhook" => {
            json!({"kind": "WebServer"})
        }
        "create_webhook" => json!({"kind": "WebServer", "defaulting": true}),
        "rename_api" => json!({"kind": "WebServer", "to": "Site"}),
        "rename_group" => json!({"group": "example.com", "to": "web.example.com"}),
        "rename_project" => json!({"to": "sites"}),
        "edit" => json!({"enable": ["grafana"]}),
        "build" | "build-installer" | "deploy" | "bundle" => json!({"image": "registry.example.com/a:1"}),
        "explain" => json!({"code": "OP152"}),
        "health-checks" => json!({"for": "flux"}),
        "help" => json!({"words": ["create", "api"]}),
        "completion" => json!({"shell": "fish"}),
        "envtest_load" => json!({"image": "a:1"}),
        _ => json!({}),
    }
}

fn names(listed: &Value) -> Vec<String> {
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools.iter().map(|tool| tool["name"].as_str().unwrap().to_owned()).collect()
}

fn is_reading(listed: &Value, name: &str) -> bool {
    let tools = listed["result"]["tools"].as_array().unwrap();
    tools.iter().find(|tool| tool["name"] == name).unwrap()["annotations"]["readOnlyHint"] == true
}

#[test]
fn every_tool_is_called_and_nothing_changes_without_apply() {
    let machine = Machine::new(&[&["create", "api", "--kind", "WebServer"]]);
    let mut client = Client::start(&mut machine.command(&["mcp"]));
    let begun = Instant::now();
    let listed = client.ask("tools/list", json!({}));
    assert!(begun.elapsed() < Duration::from_millis(500), "{:?}", begun.elapsed());
    let tools = names(&listed);
    let commands = ["create_api", "envtest_setup", "build-installer", "rename_group", "explore", "help"];
    assert!(tools.len() > 40 && commands.iter().all(|name| tools.iter().any(|tool| tool == name)), "{tools:?}");
    assert!(!tools.iter().any(|tool| tool.contains("__") || tool == "mcp"), "{tools:?}");
    let withheld = ["kubeconfig", "command", "dry-run", "mirror", "directory", "output"];
    for tool in listed["result"]["tools"].as_array().unwrap() {
        let properties = tool["inputSchema"]["properties"].as_object().unwrap();
        assert!(withheld.iter().all(|name| !properties.contains_key(*name)), "{tool}");
    }

    let schema = report_schema::whole();
    let before: Tree = tree(&machine.root());
    for name in &tools {
        let result = client.call(name, arguments(name));
        let report = &result["structuredContent"];
        report_schema::keeps_to(report, &schema);
        let failed = report["outcome"] == "failed";
        assert_eq!(result["isError"], failed || report["error"].is_object(), "{name}: {result}");
        assert!(
            report["error"]["category"] != "usage" || report["error"]["message"].as_str().unwrap().contains("`apply`"),
            "{name}: {report:#}"
        );
        // Commands that compile write there also with `--dry-run`.
        let _ = std::fs::remove_dir_all(machine.root().join("target"));
        assert_same(&before, &tree(&machine.root()), name);
        if !is_reading(&listed, name) {
            assert!(
                ["dryRun", "unchanged", "failed"].contains(&report["outcome"].as_str().unwrap()),
                "{name}: {report}"
            );
        }
    }
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn tool_calls_that_apply_make_the_requested_changes() {
    let place = Place::new();
    let mut client = Client::start(&mut place.command(&["mcp"]));
    let made = client.call("init", json!({"domain": "example.com", "apply": true}));
    assert_eq!(made["structuredContent"]["outcome"], "changed", "{made}");
    let fields = json!(["replicas:integer(1..=9)", "mode:enum(fast|safe)?"]);
    let made =
        client.call("create_api", json!({"kind": "WebServer", "field": fields, "namespaced": false, "apply": true}));
    assert_eq!(made["structuredContent"]["outcome"], "changed", "{made}");
    assert!(place.root().join("api/src/v1alpha1/web_server.rs").is_file());
    let listed = client.call("list", json!({}));
    assert_eq!(listed["structuredContent"]["data"]["resources"][0]["namespaced"], false, "{listed}");
    // The text is the report, too, for agents that read no structure.
    let said: Value = serde_json::from_str(listed["content"][0]["text"].as_str().unwrap()).unwrap();
    assert_eq!(said, listed["structuredContent"]);
    assert_eq!(client.leave(), Some(0));
}

fn not_in_the_project(path: &str) -> String {
    format!("`{path}` is not a path within the project")
}

/// Returns calls that must be refused: the tool, its arguments and the message.
fn refused_calls() -> Vec<(&'static str, Value, String)> {
    vec![
        ("manifests", json!({"header-file": "/etc/shadow"}), not_in_the_project("/etc/shadow")),
        ("manifests", json!({"against": "/etc/shadow"}), not_in_the_project("/etc/shadow")),
        ("completion", json!({"prefix": "/tmp/a"}), not_in_the_project("/tmp/a")),
        ("explore", json!({"command": "touch a", "apply": true}), "`explore` has no argument `command`".to_owned()),
        ("install", json!({"kubeconfig": "a"}), "`install` has no argument `kubeconfig`".to_owned()),
        ("list", json!({"directory": "/"}), "`list` has no argument `directory`".to_owned()),
        ("list", json!({"apply": true}), "`list` has no argument `apply`".to_owned()),
        ("create_api", json!({"knd": "A"}), "`create_api` has no argument `knd`".to_owned()),
        ("create_api", json!({"kind": ["A"]}), "the value of `kind` is not a text: `[\"A\"]`".to_owned()),
        (
            "create_api",
            json!({"kind": "A", "force": "yes"}),
            "the value of `force` is not true or false: `\"yes\"`".to_owned(),
        ),
        ("create_api", json!({"kind": "A\u{0}"}), "the value of `kind` contains a NUL character".to_owned()),
        (
            "run",
            json!({"apply": true, "envtest": true, "seconds": 0}),
            "the value of `seconds` is not a number of 1 to 3600: `0`".to_owned(),
        ),
        ("test", json!({}), "the tool `test` runs programs, but the tool call does not set `apply`".to_owned()),
        (
            "run",
            json!({"apply": true}),
            "the tool `run` changes a cluster, but the tool call does not name the context of the cluster".to_owned(),
        ),
        (
            "deploy",
            json!({"apply": true, "image": "a:1"}),
            "the tool `deploy` changes a cluster, but the tool call does not name the context of the cluster"
                .to_owned(),
        ),
        (
            "test",
            json!({"apply": true, "e2e": true, "on": "current"}),
            "the tool `test` changes a cluster, but the tool call does not name the context of the cluster".to_owned(),
        ),
        ("test", json!({"apply": true, "cargo": ["--config", "a"]}), "`test` has no argument `cargo`".to_owned()),
        ("test", json!({"apply": true, "e2e": true, "image": "/tmp/a.tar"}), not_in_the_project("/tmp/a.tar")),
        ("test", json!({"apply": true, "e2e": true, "from": "a:1"}), "`test` has no argument `from`".to_owned()),
        (
            "undeploy",
            json!({"apply": true, "context": null}),
            "the tool `undeploy` changes a cluster, but the tool call does not name the context of the cluster"
                .to_owned(),
        ),
    ]
}

#[test]
fn an_agent_that_is_led_astray_does_no_harm() {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    std::os::unix::fs::symlink("/tmp", place.root().join("out")).unwrap();
    let before = place.tree();
    let mut client = Client::start(&mut place.command(&["mcp"]));
    for path in ["/tmp/a.html", "../a.html", "docs/../../a.html", "out/a.html", ".git/hooks/post-commit"] {
        let (message, hint) = client.refused("docs", json!({"html": path, "apply": true}));
        assert_eq!(message, not_in_the_project(path));
        assert!(!hint.is_empty());
    }
    for (tool, arguments, message) in refused_calls() {
        assert_eq!(client.refused(tool, arguments).0, message, "{tool}");
    }
    // A value or an operand that begins with `-` is not read as a flag.
    let (message, _) = client.refused("create_api", json!({"kind": "--force", "apply": true}));
    assert!(message.contains("`--force`"), "{message}");
    let (message, _) = client.refused("help", json!({"words": ["-C/"]}));
    assert!(message.contains("`-C/`"), "{message}");
    let long = "A".repeat(1 << 20);
    let (message, _) = client.refused("create_api", json!({"kind": long, "apply": true}));
    assert_eq!(message, "the value of `kind` has 1048576 bytes, but at most 65536 are allowed");
    let unknown = client.ask("tools/call", json!({"name": "no_such", "arguments": {}}));
    assert_eq!(unknown["error"]["message"], "`no_such` is not a tool of opctl");
    assert_same(&before, &place.tree(), "the project");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn pages_of_help_and_findings_are_resources() {
    let place = Place::new();
    let mut client = Client::start(&mut place.command(&["mcp"]));
    let listed = client.ask("resources/list", json!({}));
    let addresses: Vec<String> = listed["result"]["resources"]
        .as_array()
        .unwrap()
        .iter()
        .map(|resource| resource["uri"].as_str().unwrap().to_owned())
        .collect();
    for address in ["opctl://help/agents", "opctl://help/markers", "opctl://finding/OP152", "opctl://schema/report"] {
        assert!(addresses.iter().any(|known| known == address), "{addresses:?}");
    }
    for address in &addresses {
        let read = client.ask("resources/read", json!({"uri": address}));
        let text = read["result"]["contents"][0]["text"].as_str().unwrap();
        assert!(text.len() > 60, "{address}: {text}");
    }
    let unknown = client.ask("resources/read", json!({"uri": "opctl://help/../../etc/passwd"}));
    assert_eq!(unknown["error"]["code"], -32002, "{unknown}");
    assert_eq!(client.leave(), Some(0));
}

/// Waits until a program has written its process id into `file`. Removes the file, and returns the id.
fn running(file: &Path) -> Pid {
    let begun = Instant::now();
    loop {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        if let Some(process) = text.trim().parse().ok().and_then(Pid::from_raw) {
            std::fs::remove_file(file).unwrap();
            return process;
        }
        assert!(begun.elapsed() < Duration::from_secs(20), "it does not run");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[track_caller]
fn ends(process: Pid) {
    let begun = Instant::now();
    while test_kill_process(process).is_ok() {
        assert!(begun.elapsed() < Duration::from_secs(20), "{process:?} goes on");
        std::thread::sleep(Duration::from_millis(20));
    }
}

#[test]
fn a_command_ends_with_its_call_its_time_or_its_client() {
    let machine = Machine::new(&[&["create", "api", "--kind", "WebServer"]]);
    let file = machine.root().join("runs");
    machine.program("cargo", &format!("echo $$ >{}; exec /bin/sleep 600", file.display()));
    let mut client = Client::start(machine.command(&["mcp"]).env_remove("CARGO"));

    let number = client.request("tools/call", json!({"name": "manifests", "arguments": {}}));
    let process = running(&file);
    client.tell("notifications/cancelled", json!({"requestId": number, "reason": "too long"}));
    ends(process);
    let listed = client.call("list", json!({}));
    assert_eq!(listed["structuredContent"]["outcome"], "shown", "{listed}");

    let result = client.call("test", json!({"apply": true, "seconds": 1}));
    assert_eq!(result["isError"], false, "it ran for the time that the call said: {result}");
    ends(running(&file));

    client.request("tools/call", json!({"name": "manifests", "arguments": {}}));
    let process = running(&file);
    assert_eq!(client.leave(), Some(0));
    ends(process);
}

// Elsewhere, the server starts the program that has taken the place of its own.
#[cfg(target_os = "linux")]
#[test]
fn a_server_outlives_an_update_of_opctl() {
    let place = Place::new();
    place.ok(&["init", "--domain", "example.com"]);
    let copy = place.root().join("opctl");
    std::fs::copy(env!("CARGO_BIN_EXE_opctl"), &copy).unwrap();
    let mut client = Client::start(&mut place.command_of(&copy, &["mcp"]));
    std::fs::remove_file(&copy).unwrap();
    std::fs::write(&copy, "of another version").unwrap();
    let listed = client.call("list", json!({}));
    assert_eq!(listed["structuredContent"]["outcome"], "shown", "{listed}");
    assert_eq!(client.leave(), Some(0));
}

#[test]
fn a_program_that_does_not_speak_the_protocol_is_told_so() {
    let place = Place::new();
    let ended = |sent: &str| {
        let mut command = place.command(&["mcp"]);
        let mut server = command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped()).spawn().unwrap();
        server.stdin.take().unwrap().write_all(sent.as_bytes()).unwrap();
        let output = server.wait_with_output().unwrap();
        (output.status.code(), text(&output.stderr))
    };
    assert_eq!(ended("").0, Some(0));
    assert_eq!(ended("hello\n{}\n[[[[\n").0, Some(0));
    let (code, said) = ended("{\"jsonrpc\": \"2.0\", \"method\": \"notifications/none\"}\n");
    assert_eq!(code, Some(1), "{said}");
    assert!(said.contains("error: the client does not speak the Model Context Protocol"), "{said}");
}
