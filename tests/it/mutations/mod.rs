//! Checks that the cases of the corpus notice defects in the passes, the steps that convert schemas (`src/schema`).
//! Each statement, condition and match arm of the passes is turned off separately. More than four fifths of these parts
//! must change the schema or the findings of some case when they are turned off.
//!
//! This command prints the statements, conditions and match arms that no case notices, with their lines:
//!
//! ```text
//! cargo test --test it mutations -- --ignored --nocapture
//! ```
//!
//! Some of them cannot be noticed: another pass fixes the same input later, or the code handles input that schemars
//! does not make.

mod bugs;
mod switches;

use crate::corpus::cases::{Case, cases};
use crate::corpus::project::Project;
use crate::support::{apart, cargo_in, must, projects, text, tool, tree};
use opctl::test_api::schema::Raw;
use opctl::test_api::type_program::Answer;
use serde_json::{Value, json};
use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::time::{Duration, Instant};
use switches::{Switch, instrument};

const MANIFEST: &str = "\
[package]
name = \"mutants\"
version = \"0.1.0\"
edition = \"2024\"

[dependencies]
{dependencies}
[workspace]
";

/// The source of a program that converts the schema of each type, and prints the converted schema and the findings. The
/// last argument of the program is the number of a switch to turn off: the statement, condition or match arm of this
/// switch has no effect. With the number 0, every switch stays on.
const PROGRAM: &str = r#"#![allow(warnings)]
mod finding;
mod model { mod dns; pub use dns::name_rule; }
mod schema;

use serde_json::Value;
use std::sync::atomic::{AtomicUsize, Ordering};

static OFF: AtomicUsize = AtomicUsize::new(0);

pub fn on(switch: usize) -> bool {
    OFF.load(Ordering::Relaxed) != switch
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let answers = std::fs::read_to_string(arguments.next().unwrap()).unwrap();
    let answers: Vec<Value> = serde_json::from_str(&answers).unwrap();
    OFF.store(arguments.next().unwrap().parse().unwrap(), Ordering::Relaxed);
    for answer in answers {
        let raw = |key: &str| serde_json::from_value::<schema::Raw>(answer[key].clone()).ok();
        let Some(read) = raw("read") else { continue };
        let mut findings = schema::Findings::default();
        let made = schema::structural(&read, raw("written").as_ref(), &mut findings);
        println!("{} {made} {:?} {:?}", answer["path"], findings.errors().collect::<Vec<_>>(), findings.all().collect::<Vec<_>>());
    }
}
"#;

/// Returns the schemas of every type in the corpus.
fn answers() -> Vec<Value> {
    let (accepted, refused): (Vec<Case>, Vec<Case>) = cases().into_iter().partition(Case::accepted);
    let mut answers = Vec::new();
    for (name, cases) in [("accepted", accepted), ("refused", refused)] {
        answers.extend(Project::lay(name, &cases).answers(&cases));
    }
    let raw = |raw: Option<Raw>| raw.map(|raw| json!({"schema": raw.schema, "definitions": raw.definitions}));
    let said = |answer: Answer| json!({"path": answer.path, "read": raw(answer.read), "written": raw(answer.written)});
    answers.into_iter().map(said).collect()
}

/// The dependencies in opctl's `Cargo.toml` that the code for schemas and findings needs to compile.
const CRATES: [&str; 6] = ["cel", "regex", "schemars", "serde", "serde_json", "similar"];

/// Files and folders below `src/schema` that check converted schemas. The conversion does not call their code, so the
/// code gets no switches that turn parts of it off.
const CHECKS: [&str; 5] = ["rules/", "values/", "re2/", "root.rs", "json_path.rs"];

/// Builds the passes with a switch at each statement, condition and match arm. Returns each switch with its file.
fn build(root: &Path, target: &Path) -> Vec<(String, Switch)> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR"));
    let _ = fs::remove_dir_all(root.join("src"));
    let (mut all, mut files) = (Vec::new(), Vec::new());
    for folder in ["src/schema", "src/finding"] {
        let sources = tree(&own.join(folder)).into_iter();
        for (name, content) in sources.filter(|(name, _)| !name.ends_with('/') && !name.ends_with("tests.rs")) {
            let before = all.len();
            let rust = Path::new(&name).extension().is_some_and(|extension| extension == "rs");
            let switched = rust && folder == "src/schema" && !CHECKS.iter().any(|check| name.starts_with(check));
            let content = if switched { instrument(&text(&content), &mut all).into_bytes() } else { content };
            let to = root.join(folder).join(&name);
            fs::create_dir_all(to.parent().unwrap()).unwrap();
            fs::write(to, content).unwrap();
            files.extend(std::iter::repeat_n(name, all.len() - before));
        }
    }
    fs::create_dir_all(root.join("src/model")).unwrap();
    fs::copy(own.join("src/model/dns.rs"), root.join("src/model/dns.rs")).unwrap();
    let manifest = fs::read_to_string(own.join("Cargo.toml")).unwrap();
    let is_needed = |line: &&str| line.split_once(" = ").is_some_and(|(name, _)| CRATES.contains(&name));
    let dependencies: String = manifest.split_inclusive('\n').filter(is_needed).collect();
    fs::write(root.join("Cargo.toml"), MANIFEST.replace("{dependencies}", &dependencies)).unwrap();
    fs::copy(own.join("Cargo.lock"), root.join("Cargo.lock")).unwrap();
    fs::write(root.join("src/main.rs"), PROGRAM).unwrap();
    must(cargo_in(root, &["build", "--offline", "--quiet"]).env("CARGO_TARGET_DIR", target));
    files.into_iter().zip(all).collect()
}

/// Returns the output of the program with a switch turned off. `None` if it fails or does not end in time.
fn run(program: &Path, root: &Path, switch: usize) -> Option<String> {
    let output = root.join("output");
    let mut command = tool(program);
    command.arg(root.join("answers.json")).arg(switch.to_string());
    command.stdout(fs::File::create(&output).unwrap()).stderr(Stdio::null());
    let (mut child, start) = (command.spawn().unwrap(), Instant::now());
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.success().then(|| fs::read_to_string(&output).unwrap());
        }
        if start.elapsed() > Duration::from_secs(30) {
            child.kill().unwrap();
            child.wait().unwrap();
            return None;
        }
        std::thread::sleep(Duration::from_millis(2));
    }
}

#[test]
#[ignore = "three minutes"]
fn cases_notice_what_is_turned_off() {
    apart!();
    let root = projects().join("mutants");
    let target = root.join("target");
    let switches = build(&root, &target);
    fs::write(root.join("answers.json"), Value::from(answers()).to_string()).unwrap();
    let program = target.join("debug/mutants");
    let whole = run(&program, &root, 0).expect("it runs with everything turned on");
    let mut unnoticed = String::new();
    let mut count = 0;
    for (number, (file, switch)) in switches.iter().enumerate() {
        if run(&program, &root, number + 1).as_ref() == Some(&whole) {
            let _ = writeln!(unnoticed, "{file}:{}: {}", switch.line, switch.text);
            count += 1;
        }
    }
    let all = switches.len();
    println!("{} of {all} are noticed; these are not:\n{unnoticed}", all - count);
    assert!(count * 5 < all, "{count} of {all} are not noticed");
}
