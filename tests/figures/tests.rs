//! Measures how long it takes to build the tests of many kinds, compared with the tests of one kind.

use crate::big::beside;
use crate::cost::{Cost, cost};
use crate::{opctl, run};
use std::fs;
use std::path::Path;
use std::process::Command;

const KINDS: usize = 40;

/// The costs of building a project's own packages for tests: `program` is the test program `it` after the operator has
/// been built, and `all` is everything that `cargo test` builds.
struct Built {
    program: Cost,
    all: Cost,
}

fn built(folder: &Path, kinds: usize) -> Built {
    let root = &folder.join("many-operator");
    fs::create_dir(root).unwrap();
    run(&mut opctl(root, &["init", "--domain", "example.com"]));
    for number in 0..kinds {
        run(&mut opctl(root, &["create", "api", "--kind", &format!("Kind{number}")]));
    }
    let cargo = |arguments: &[&str]| {
        let mut cargo = Command::new(env!("CARGO"));
        // Both projects share the dependencies.
        cost(cargo.args(arguments).current_dir(root).env("CARGO_TARGET_DIR", folder.join("target")))
    };
    // This builds the dependencies too.
    cargo(&["test", "--no-run", "--locked"]);
    let own = ["clean", "--package", "many-operator", "--package", "many-operator-api"];
    cargo(&own);
    cargo(&["build", "--locked"]);
    let program = cargo(&["test", "--no-run", "--locked", "--test", "it"]);
    cargo(&own);
    let all = cargo(&["test", "--no-run", "--locked"]);
    fs::rename(root, folder.join(format!("of-{kinds}"))).unwrap();
    Built { program, all }
}

/// Prints the ratios of the build costs of 40 kinds to the build costs of one kind.
pub(crate) fn of_many_kinds() {
    let temporary = tempfile::tempdir().unwrap();
    let (one, many) = (built(temporary.path(), 1), built(temporary.path(), KINDS));
    beside("the test program of 40 kinds, beside that of one", &many.program, &one.program, Some(1.5));
    // Most of this cost is the operator itself: each kind's controller instantiates kube's generic code for its type.
    beside("cargo test --no-run of 40 kinds, beside one", &many.all, &one.all, None);
}
