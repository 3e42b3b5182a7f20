//! `cargo bench`: how long opctl's commands take, beside controller-gen on the same type where Go is there.
#![allow(clippy::unwrap_used, clippy::print_stdout, reason = "a program for people who watch it")]

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

const OPCTL: &str = env!("CARGO_BIN_EXE_opctl");
const CONTROLLER_GEN: &str = "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0";

fn main() {
    // `cargo test --benches` and clippy's runs pass no `--bench`.
    if !std::env::args().any(|argument| argument == "--bench") {
        return;
    }
    println!("{:<58}{:>12}{:>12}", "figure", "measured", "at most");
    let size = std::fs::metadata(OPCTL).unwrap().len();
    row("opctl's binary", &format!("{:.1} MB", bytes_to_mb(size)), "15 MB");
    scaffold();
    manifests();
    envtest_start();
    demo();
}

fn bytes_to_mb(bytes: u64) -> f64 {
    f64::from(u32::try_from(bytes / 1000).unwrap()) / 1000.0
}

fn row(figure: &str, measured: &str, limit: &str) {
    println!("{figure:<58}{measured:>12}{limit:>12}");
}

fn text(duration: Duration) -> String {
    match duration.as_secs() {
        0 => format!("{:.1} ms", duration.as_secs_f64() * 1000.0),
        _ => format!("{:.1} s", duration.as_secs_f64()),
    }
}

fn run(command: &mut Command) -> Duration {
    let start = Instant::now();
    let output = command.stdin(Stdio::null()).output().unwrap();
    let took = start.elapsed();
    assert!(output.status.success(), "{command:?}\n{}", String::from_utf8_lossy(&output.stderr));
    took
}

fn opctl(root: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(OPCTL);
    command.args(arguments).current_dir(root).env_remove("CARGO_TARGET_DIR");
    command
}

fn median(mut durations: Vec<Duration>) -> Duration {
    durations.sort();
    durations[durations.len() / 2]
}

fn project() -> (tempfile::TempDir, PathBuf, Duration) {
    let temporary = tempfile::tempdir().unwrap();
    let root = temporary.path().join("webserver-operator");
    std::fs::create_dir(&root).unwrap();
    let took = run(&mut opctl(&root, &["init", "--domain", "example.com"]))
        + run(&mut opctl(&root, &["create", "api", "--kind", "WebServer"]));
    (temporary, root, took)
}

fn scaffold() {
    let took = median((0..20).map(|_| project().2).collect());
    row("init and create api, together", &text(took), "30 ms");
}

fn manifests() {
    let (_temporary, root, _) = project();
    row("manifests, first time", &text(run(&mut opctl(&root, &["manifests"]))), "40 s");
    let unchanged = median((0..20).map(|_| run(&mut opctl(&root, &["manifests"]))).collect());
    row("manifests, nothing changed", &text(unchanged), "50 ms");

    let rust = root.join("api/src/v1alpha1/web_server.rs");
    let go = ControllerGen::prepare();
    let (mut ours, mut theirs) = (Vec::new(), Vec::new());
    // In turn, so that whatever else the machine does falls on both.
    for number in 0..7 {
        add_line(&rust, "    pub message: String,", &format!("    /// Field.\n    pub field{number}: Option<String>,"));
        ours.push(run(&mut opctl(&root, &["manifests"])));
        if let Some(go) = &go {
            theirs.push(go.after_adding(number));
        }
    }
    let ours = median(ours);
    row("manifests, after adding a field", &text(ours), "");
    if theirs.is_empty() {
        println!("controller-gen was not measured: `go` is needed for it");
        return;
    }
    let theirs = median(theirs);
    row("controller-gen v0.21, after adding a field", &text(theirs), "");
    row("  ratio", &format!("{:.2}", ours.as_secs_f64() / theirs.as_secs_f64()), "0.80");
}

fn add_line(file: &Path, after: &str, line: &str) {
    let source = std::fs::read_to_string(file).unwrap();
    std::fs::write(file, source.replacen(after, &format!("{after}\n{line}"), 1)).unwrap();
}

/// controller-gen and a Go project with the same type.
struct ControllerGen {
    folder: tempfile::TempDir,
}

impl ControllerGen {
    fn prepare() -> Option<Self> {
        Command::new("go").arg("version").output().ok()?;
        let folder = tempfile::tempdir().unwrap();
        let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/figures/go");
        run(Command::new("cp").arg("-r").arg(source).arg(folder.path().join("project")));
        run(Command::new("go").args(["install", CONTROLLER_GEN]).env("GOBIN", folder.path()));
        let prepared = ControllerGen { folder };
        prepared.generate();
        Some(prepared)
    }

    fn project(&self) -> PathBuf {
        self.folder.path().join("project")
    }

    fn generate(&self) -> Duration {
        let program = self.folder.path().join("controller-gen");
        run(Command::new(program).current_dir(self.project()).args([
            "rbac:roleName=manager-role",
            "crd",
            "webhook",
            "paths=./...",
            "output:crd:artifacts:config=config/crd/bases",
        ]))
    }

    fn after_adding(&self, number: usize) -> Duration {
        let file = self.project().join("api/v1alpha1/webserver_types.go");
        let line = format!("\t// Field.\n\t// +optional\n\tField{number} *string `json:\"field{number},omitempty\"`");
        add_line(&file, "\tMessage string `json:\"message,omitempty\"`", &line);
        self.generate()
    }
}

fn envtest_start() {
    let state = tempfile::tempdir().unwrap();
    let envtest = |command: &str| run(opctl(state.path(), &["envtest", command]).env("XDG_STATE_HOME", state.path()));
    let mut starts = Vec::new();
    for _ in 0..5 {
        starts.push(envtest("start"));
        envtest("stop");
    }
    row("envtest start to a served API", &text(median(starts)), "5 s");
}

fn demo() {
    let folder = tempfile::tempdir().unwrap();
    let output = opctl(folder.path(), &["demo", "-o", "json"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{said}");
    let last = serde_json::Deserializer::from_str(&said).into_iter::<serde_json::Value>().last().unwrap().unwrap();
    let seconds = |value: &serde_json::Value| Duration::from_secs_f64(value["seconds"].as_f64().unwrap());
    let total = seconds(&last["data"]);
    let steps = last["data"]["steps"].as_array().unwrap().iter();
    let cargos = ["opctl manifests", "cargo run"];
    let cargo: Duration = steps.filter(|step| cargos.iter().any(|cargo| step["command"] == *cargo)).map(seconds).sum();
    row("demo, everything compiled anew", &text(total), "180 s");
    row("  of which not in cargo", &text(total.saturating_sub(cargo)), "15 s");
}
