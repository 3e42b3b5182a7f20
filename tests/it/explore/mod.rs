//! `opctl explore`: it reports no error for a correct operator, and finds the bugs of operators with one bug each.

mod evaluation;
mod hand_over;
mod interrupted;
mod pairs;
mod truth;
mod unready;
mod upgrade_webhooks;
mod upgrades;
mod webhooks;

use crate::book::{commands, shell_words};
use crate::support::{
    cargo_in, edit, keep, lay, must, opctl, project, separate_target_folder, target_folder, temporary, tool,
};
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::Output;
use std::sync::Mutex;

/// An operator that is built from testdata/explore, with one seeded bug or without a bug.
struct Plain {
    folder: tempfile::TempDir,
    program: PathBuf,
}

fn data() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/explore")
}

impl Plain {
    fn build(program: &str, bug: Option<&str>) -> Plain {
        Plain::build_with(program, bug, |_| {})
    }

    /// Builds the program `program` from the sources in testdata/explore. Before the build, applies the patch of the
    /// seeded bug `bug` if it is given, and lets `edit` change the sources.
    fn build_with(program: &str, bug: Option<&str>, edit: impl FnOnce(&Path)) -> Plain {
        // All of them are built in the same folder.
        static BUILDING: Mutex<()> = Mutex::new(());
        let building = BUILDING.lock().unwrap();
        let folder = temporary();
        lay(&data(), folder.path());
        if let Some(bug) = bug {
            let patch = data().join(format!("bugs/{bug}.patch"));
            must(tool("git").args(["apply", "--unsafe-paths"]).arg(patch).current_dir(folder.path()));
        }
        edit(folder.path());
        must(&mut cargo_in(folder.path(), &["build", "--locked", "--bin", program]));
        let built = target_folder().join("debug").join(program);
        let program = folder.path().join("operator");
        std::fs::copy(built, &program).unwrap();
        drop(building);
        Plain { folder, program }
    }

    fn explore(&self, arguments: &[&str]) -> Output {
        self.explore_by(self.program.to_str().unwrap(), arguments)
    }

    /// Runs `opctl explore` with the CRDs and samples in the folder `kinds/<kind>`.
    fn explore_kind(&self, kind: &str, arguments: &[&str]) -> Output {
        let crds = format!("kinds/{kind}");
        let mut command = opctl(&["explore", "--crds", &crds, "--samples", &format!("{crds}/samples"), "-o", "json"]);
        command.arg("--command").arg(&self.program).args(arguments).current_dir(self.folder.path()).output().unwrap()
    }

    /// Runs `opctl explore` for the operator that the command line `line` starts.
    fn explore_by(&self, line: &str, arguments: &[&str]) -> Output {
        let mut command =
            opctl(&["explore", "--crds", "crds", "--samples", "samples", "--roles", "roles", "-o", "json"]);
        command.arg("--command").arg(line).args(arguments).current_dir(self.folder.path()).output().unwrap()
    }
}

/// Returns the summary of an exploration that was completed.
fn summary(output: &Output) -> Value {
    let text = String::from_utf8_lossy(&output.stdout);
    let lines = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let found = lines.filter_map(|line| Some(line.get("data")?.clone())).find(|data| data.get("planned").is_some());
    found.unwrap_or_else(|| panic!("{text}\n{}", String::from_utf8_lossy(&output.stderr)))
}

/// Returns a summary without the parts that take thousands of lines.
fn brief(summary: &Value) -> String {
    let mut brief = summary.clone();
    for list in ["findings", "flaky", "unconfirmed"] {
        for finding in brief[list].as_array_mut().into_iter().flatten().filter_map(Value::as_object_mut) {
            finding.retain(|key, _| ["code", "message", "plan", "repeats", "severity"].contains(&key.as_str()));
        }
    }
    format!("{brief:#}")
}

fn error(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let last: Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    last["error"]["message"].as_str().unwrap_or_default().to_owned()
}

/// Checks that an exploration reports no error for a correct operator. The time budget is enough to inject several
/// faults of each class, so that a false alarm would show.
#[track_caller]
fn assert_no_alarm(output: &Output) {
    assert_no_alarm_of(output, 60);
}

/// Checks that an exploration reports no error for a correct operator, and that it planned at least `plans` faults.
#[track_caller]
fn assert_no_alarm_of(output: &Output, plans: u64) {
    let summary = summary(output);
    let is_error = |finding: &&Value| finding["severity"] == "error";
    let errors: Vec<&Value> = summary["findings"].as_array().unwrap().iter().filter(is_error).collect();
    assert_eq!(errors, [&Value::Null; 0], "{}", brief(&summary));
    assert_eq!(output.status.code(), Some(0));
    let number = |key: &str| summary[key].as_u64().unwrap();
    assert!(number("tried") >= 10 && number("planned") >= plans, "{}", brief(&summary));
    assert!(number("reached") * 10 >= number("tried") * 9, "{}", brief(&summary));
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_plain_operator_without_a_bug_raises_no_alarm() {
    assert_no_alarm(&Plain::build("plain-operator", None).explore(&["--budget", "20s"]));
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn correct_behaviour_that_resembles_a_bug_raises_no_alarm() {
    assert_no_alarm(&Plain::build("trap", None).explore(&["--budget", "20s"]));
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn objects_of_each_version_and_with_random_names_raise_no_alarm() {
    assert_no_alarm(&Plain::build("releases", None).explore(&["--budget", "20s"]));
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_cluster_scoped_kind_is_explored() {
    // The children are in a namespace that all runs share.
    assert_no_alarm_of(&Plain::build("tenant", None).explore_kind("tenant", &["--budget", "20s"]), 40);
    let plan = "field:tenants.example.com/blue/spec.quota=2@change";
    let output = Plain::build("tenant", Some("39-quota-at-creation-only")).explore_kind("tenant", &["--replay", plan]);
    let summary = summary(&output);
    let finding = &summary["findings"][0];
    assert_eq!(finding["code"], "differential", "{}", brief(&summary));
    let difference = &finding["differences"][0];
    assert_eq!((&difference["object"], &difference["path"]), (&"configmaps/blue".into(), &".data.quota".into()));
}

/// The operator makes a namespace, a `ClusterRole` and an object in the namespace for each object, and all of them have
/// the name of the object.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn children_that_are_namespaces_or_cluster_scoped_raise_no_alarm() {
    let folder = temporary();
    let run = |arguments: &[&str]| {
        must(opctl(arguments).current_dir(folder.path()).env("CARGO_TARGET_DIR", target_folder()));
    };
    run(&["init", "--domain", "example.com", "--project-name", "teams"]);
    let children = ["--owns", "Namespace,ClusterRole,ConfigMap", "--finalizer"];
    run(&[&["create", "api", "--kind", "Team", "--namespaced=false"], &children[..]].concat());
    run(&["manifests"]);
    let mut explore = opctl(&["explore", "--budget", "40s", "-o", "json"]);
    let output = explore.current_dir(folder.path()).env("CARGO_TARGET_DIR", target_folder()).output().unwrap();
    assert_no_alarm(&output);
}

#[test]
fn a_generated_operator_raises_no_alarm() {
    let mut command = opctl(&["explore", "--budget", "20s", "-o", "json"]);
    command.current_dir(project("shop-operator")).env("CARGO_TARGET_DIR", target_folder());
    assert_no_alarm(&command.output().unwrap());
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_bug_is_found_explained_and_shown_again() {
    // It does not watch Services: after the crash, it asks for none.
    let plain = Plain::build_with("plain-operator", Some("01-done-before-service"), |folder| {
        edit(&folder.join("src/main.rs"), ".owns(Api::<Service>::all(client.clone()), any.clone())", "");
        // A field that never changes is no field for the step `change`.
        let fixed = "minimum: 1\n                x-kubernetes-validations: [{rule: self == oldSelf}]\n";
        edit(&folder.join("crds/shops.yaml"), "minimum: 1\n", fixed);
    });
    let only = "crash:patch:shops.example.com/corner/status#1@create";
    let output = plain.explore(&["--only", only, "--html", "found.html"]);
    let summary = summary(&output);
    assert_eq!(output.status.code(), Some(1), "{}", brief(&summary));
    assert!(error(&output).starts_with("the operator has bugs: "));
    let with_fault = |summary: &Value| {
        let findings = summary["findings"].as_array().unwrap();
        findings.iter().find(|finding| finding["plan"] == only).cloned().unwrap_or_else(|| panic!("{}", brief(summary)))
    };
    let finding = &with_fault(&summary);
    assert_eq!(finding["message"], "after a crash, configmaps/corner is missing", "{}", brief(&summary));
    assert_eq!((&finding["heals"], &finding["repeats"]["shown"]), (&"never".into(), &3.into()));
    assert_eq!(finding["referenceNext"], "patch services/corner");
    let differences = finding["differences"].as_array().unwrap();
    assert!(differences.iter().any(|difference| difference["object"] == "services/corner"), "{finding:#}");
    let fault = "the operator is killed before it gets the answer";
    assert!(finding["timeline"].as_array().unwrap().iter().any(|entry| entry["event"]["fault"] == fault));

    let page = std::fs::read_to_string(plain.folder.path().join("found.html")).unwrap();
    assert!(page.contains("</span> after a crash, configmaps/corner is missing</h2>"), "{page}");
    assert!(page.contains("<section><h3>Without a fault</h3>"), "{page}");

    let point = finding["plan"].as_str().unwrap();
    let again = self::summary(&plain.explore(&["--replay", point]));
    assert_eq!(with_fault(&again)["message"], finding["message"]);
    let missed = plain.explore(&["--replay", "crash:patch:services/nowhere#1@create"]);
    assert_eq!(error(&missed), "the operator never reached the situation in which this plan injects its fault");
}

#[test]
fn a_watch_that_may_begin_in_the_past_does() {
    let plain = Plain::build_with("plain-operator", Some("08-lists-of-any-age"), |folder| {
        let any_age = "watcher::Config { page_size: None, ..Default::default() }.any_semantic()";
        edit(&folder.join("src/main.rs"), any_age, "watcher::Config::default().streaming_lists()");
    });
    let output = plain.explore(&["--replay", "stale-list:shops.example.com@change"]);
    let summary = summary(&output);
    let finding = &summary["findings"][0];
    let message = finding["message"].as_str().unwrap_or_default();
    let deletes = "after a restart with a list that is out of date, the operator deletes secrets/corner-";
    assert!(message.starts_with(deletes), "{}", brief(&summary));
    let begins = "watch:shops.example.com starts with the objects from before the step";
    assert!(
        finding["timeline"].as_array().unwrap().iter().any(|entry| entry["event"]["fault"] == begins),
        "{finding:#}"
    );
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_remembered_plan_is_played_by_the_tests() {
    let root = &keep("remembered", &project("shop-operator"));
    // A target folder of its own: in the one of the golden project, cargo would take the program with the bug for the
    // golden one.
    let target = separate_target_folder("watched");
    let run = |arguments: &[&str]| {
        let mut command = opctl(arguments);
        command.current_dir(root).env("CARGO_TARGET_DIR", &target).output().unwrap()
    };
    // The commands of the tutorial, after those that make the project.
    let chapter = commands("tutorials/explore");
    let chapter: Vec<Vec<String>> = chapter[4..].iter().map(|line| shell_words(line)).collect();
    let play = |number: usize| run(&chapter[number].iter().skip(1).map(String::as_str).collect::<Vec<_>>());
    let listed = play(0);
    let plans = String::from_utf8_lossy(&listed.stdout).into_owned();
    assert!(listed.status.success() && plans.contains(&chapter[1][3]), "{plans}");
    assert!(play(1).status.success());
    assert!(run(&["explore", "--remember", "crash:patch:services/nowhere#1@create"]).status.success());
    // The project's own tests are removed, because they would find this bug too.
    std::fs::remove_dir_all(root.join("tests/it")).unwrap();
    let file = root.join("src/controller/web_server.rs");
    let sound = std::fs::read_to_string(&file).unwrap();
    let line = "    ctx.apply(&*obj, service(&obj)).await?;\n";
    let bug = format!("    if obj.status.is_none() {{\n    {line}    }}\n");
    std::fs::write(&file, sound.replace(line, &bug)).unwrap();
    let tested = play(2);
    let told = String::from_utf8_lossy(&tested.stderr);
    assert_eq!(tested.status.code(), Some(1), "{told}");
    for part in [
        "error[never-heals]: after a child was deleted, services/webserver-sample is missing\n",
        "error: a finding is back: after a child was deleted, services/webserver-sample is missing\n",
        "warning: the operator no longer reaches the point of the plan `crash:patch:services/nowhere#1@create` in `tests/explore.toml`\n",
    ] {
        assert!(told.contains(part), "{part}\n{told}");
    }

    std::fs::write(&file, sound).unwrap();
    let tested = play(3);
    let told = String::from_utf8_lossy(&tested.stderr);
    assert_eq!(tested.status.code(), Some(0), "{told}");
    assert!(told.contains("      Played 2 plans: no finding\n"), "{told}");
}

/// Returns the number of processes whose executable is in `folder`.
fn operators(folder: &Path) -> usize {
    let folder = folder.canonicalize().unwrap();
    let processes = std::fs::read_dir("/proc").unwrap().map(|entry| entry.unwrap().path());
    processes.filter(|process| process.join("exe").read_link().is_ok_and(|exe| exe.starts_with(&folder))).count()
}

#[test]
fn explore_reports_crds_samples_and_plans_that_it_cannot_use() {
    let folder = temporary();
    let root = folder.path();
    lay(&data().join("crds"), &root.join("crds"));
    for sample in ["namespace", "unknown", "none"] {
        std::fs::create_dir(root.join(sample)).unwrap();
    }
    let namespace = "apiVersion: v1\nkind: Namespace\nmetadata: {name: a}\n";
    std::fs::write(root.join("namespace/a.yaml"), namespace).unwrap();
    lay(&data().join("kinds/tenant"), &root.join("tenant"));
    let only = "    schema:\n      openAPIV3Schema:\n        x-kubernetes-validations:\n        - rule: self.metadata.name == 'blue'\n          message: there is one blue tenant\n";
    edit(&root.join("tenant/tenants.yaml"), "    schema:\n      openAPIV3Schema:\n", only);
    std::fs::write(root.join("unknown/a.yaml"), "apiVersion: e.com/v1\nkind: Unknown\nmetadata: {name: a}\n").unwrap();
    std::fs::create_dir(root.join("bad")).unwrap();
    let bad = "apiVersion: apiextensions.k8s.io/v1\nkind: CustomResourceDefinition\nmetadata: {name: a}\n";
    std::fs::write(root.join("bad/a.yaml"), bad).unwrap();
    let explore = |crds: &str, samples: &str, more: &[&str]| {
        let mut command = opctl(&["explore", "--command", "true", "--crds", crds, "--samples", samples, "-o", "json"]);
        error(&command.args(more).current_dir(root).output().unwrap())
    };
    let upgrade = ["--from-command", "true", "--from-crds", "crds"];
    assert_eq!(explore("crds", "namespace", &upgrade), "`namespaces` cannot be explored");
    assert_eq!(explore("tenant", "tenant/samples", &[]), "the sample `blue` cannot be explored");
    assert_eq!(explore("crds", "unknown", &[]), "`Unknown` is not served");
    assert_eq!(explore("bad", "unknown", &[]), "the API server refuses `a`");
    lay(&data().join("samples"), &root.join("samples"));
    assert_eq!(explore("crds", "samples", &[]), "the operator exits again and again: exit status: 0");
    let sample = std::fs::read_to_string(root.join("samples/shop.yaml")).unwrap();
    std::fs::create_dir(root.join("wrong")).unwrap();
    std::fs::write(root.join("wrong/shop.yaml"), sample.replace("port: 8080", "port: many")).unwrap();
    assert_eq!(explore("crds", "wrong", &[]), "the API server refuses the sample `corner` of `Shop`");
    let name = "---\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: Wrong}\n";
    std::fs::write(root.join("wrong/shop.yaml"), format!("{sample}{name}")).unwrap();
    assert_eq!(explore("crds", "wrong", &[]), "the API server refuses the object `configmaps/Wrong` in the samples");
    let field = "field:shops.example.com/other/spec.port=1@change";
    let message = format!("`{field}` does not name a sample of this operator");
    assert_eq!(explore("crds", "samples", &["--replay", field]), message);
    assert!(explore("crds", "none", &[]).ends_with("/none` has no sample"));
    assert!(explore("crds", "unknown", &["--kind", "Shop"]).contains("` has no sample of `Shop`"));
    assert!(explore("none", "unknown", &[]).ends_with("/none` has no CRD"));
    assert!(explore("crds", "samples", &["--roles", "samples"]).ends_with("/samples` has no role"));
    assert_eq!(explore("crds", "unknown", &["--replay", "down@lunch"]), "`down@lunch` is not a plan");
}
