//! Measures `opctl manifests` against controller-gen on the same kinds. Runs the two programs alternately.

use crate::cost::{Cost, cost};
use crate::kinds::{ADD_HERE, go, go_addition, rust, rust_addition};
use crate::{median, opctl, row, run, text};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;

const CONTROLLER_GEN: &str = "sigs.k8s.io/controller-tools/cmd/controller-gen@v0.21.0";

/// For each size: the number of kinds, how often a field is added to one of them, and the largest allowed ratio of
/// opctl's time to controller-gen's.
const SIZES: [(usize, usize, f64); 3] = [(1, 15, 0.8), (10, 11, 0.8), (50, 7, 1.5)];

/// The paths that kubebuilder's Makefile passes to controller-gen, and the folder that opctl reads.
const PATHS: [&str; 2] = ["paths=./...", "paths=./api/..."];

/// Prints a row for each program and size, then the ratios.
pub(crate) fn with_controller_gen() {
    let temporary = tempfile::tempdir().unwrap();
    let folder = temporary.path();
    let have_go = Command::new("go").arg("version").output().is_ok();
    if have_go {
        run(Command::new("go").args(["install", CONTROLLER_GEN]).env("GOBIN", folder));
    } else {
        println!("controller-gen was not measured: `go` is needed for it");
    }
    for (number, rounds, limit) in SIZES {
        let kinds: Vec<String> = (0..number).map(|index| format!("Widget{index}")).collect();
        let ours = rust_project(folder, &kinds);
        let mut results: [Vec<Cost>; 3] = [Vec::new(), Vec::new(), Vec::new()];
        let theirs = have_go.then(|| go_project(folder, &kinds));
        // The programs run in turn, so that other load on the machine affects all of them.
        for round in 0..rounds {
            add(&ours.join("api/src/v1alpha1/widget0.rs"), &rust_addition(round));
            results[0].push(cost(&mut manifests(folder, &ours)));
            if let Some(theirs) = &theirs {
                add(&theirs.join("api/v1alpha1/widget0_types.go"), &go_addition(round));
                for (index, paths) in PATHS.iter().enumerate() {
                    results[index + 1].push(cost(&mut controller_gen(folder, theirs, paths)));
                }
            }
        }
        let of = |costs: &[Cost], which: fn(&Cost) -> Duration| median(costs.iter().map(which).collect());
        let plural = if number == 1 { "kind" } else { "kinds" };
        let names = ["manifests", "controller-gen v0.21", "controller-gen v0.21, paths=./api/..."];
        for (name, costs) in names.iter().zip(&results).filter(|(_, costs)| !costs.is_empty()) {
            let figure = format!("{name}, a field more in one of {number} {plural}");
            let measured = text(of(costs, |cost| cost.took));
            row(&figure, &measured, "");
            row("  processor time", &text(of(costs, |cost| cost.processor)), "");
        }
        for (name, costs) in names.iter().zip(&results).skip(1).filter(|(_, costs)| !costs.is_empty()) {
            let ratio = |which: fn(&Cost) -> Duration| {
                format!("{:.2}", of(&results[0], which).as_secs_f64() / of(costs, which).as_secs_f64())
            };
            let bound = if *name == names[1] { format!("{limit:.2}") } else { String::new() };
            row(&format!("  ratio to {name}"), &ratio(|cost| cost.took), &bound);
            row("  the same of processor time", &ratio(|cost| cost.processor), "");
        }
    }
}

fn add(file: &Path, field: &str) {
    let source = fs::read_to_string(file).unwrap();
    fs::write(file, source.replacen(ADD_HERE, &format!("{field}{ADD_HERE}"), 1)).unwrap();
}

fn manifests(folder: &Path, root: &Path) -> Command {
    let mut command = opctl(root, &["manifests"]);
    // All sizes share one target folder, so that dependencies are compiled once.
    command.env("CARGO_TARGET_DIR", folder.join("target"));
    command
}

fn rust_project(folder: &Path, kinds: &[String]) -> PathBuf {
    let root = folder.join(format!("rust-{}", kinds.len()));
    fs::create_dir(&root).unwrap();
    run(&mut opctl(&root, &["init", "--domain", "example.com", "--name", "widgets"]));
    for kind in kinds {
        run(&mut opctl(&root, &["create", "api", "--kind", kind]));
        fs::write(root.join(format!("api/src/v1alpha1/{}.rs", kind.to_lowercase())), rust(kind)).unwrap();
    }
    run(&mut manifests(folder, &root));
    root
}

/// Makes a kubebuilder project from `testdata/figures/go`, with a copy of its one controller for each kind.
fn go_project(folder: &Path, kinds: &[String]) -> PathBuf {
    let root = folder.join(format!("go-{}", kinds.len()));
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/figures/go");
    run(Command::new("cp").arg("-r").arg(source).arg(&root));
    let controllers = root.join("internal/controller");
    let controller = fs::read_to_string(controllers.join("widget0_controller.go")).unwrap();
    for kind in kinds {
        let lower = kind.to_lowercase();
        let text = controller.replace("Widget0", kind).replace("widget0", &lower);
        fs::write(controllers.join(format!("{lower}_controller.go")), text).unwrap();
        fs::write(root.join(format!("api/v1alpha1/{lower}_types.go")), go(kind)).unwrap();
    }
    run(Command::new(folder.join("controller-gen")).current_dir(&root).args(["object", "paths=./api/..."]));
    for paths in PATHS {
        run(&mut controller_gen(folder, &root, paths));
    }
    root
}

fn controller_gen(folder: &Path, root: &Path, paths: &str) -> Command {
    let mut command = Command::new(folder.join("controller-gen"));
    command.current_dir(root).args([
        "rbac:roleName=manager-role",
        "crd",
        "webhook",
        paths,
        "output:crd:artifacts:config=config/crd/bases",
    ]);
    command
}
