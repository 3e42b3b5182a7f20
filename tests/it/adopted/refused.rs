//! The errors and hints of `opctl adopt` for operators that cannot be adopted.

use super::{MAIN, fails, kind, workspace};
use crate::support::tree;

/// A refused call of `opctl adopt`: the files, the arguments, the exit code, and the texts that opctl prints.
type Refused<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], i32, &'a [&'a str]);

const NOT_IN_SOURCE: &str = "no custom resource type here is written directly in the source code";

#[test]
fn operators_that_cannot_be_adopted_are_refused_with_a_hint() {
    let (shop, disk) = (kind("Shop", "example.com"), kind("Disk", "other.dev"));
    let library = |text: &'static str| [("Cargo.toml", "one"), ("src/main.rs", MAIN), ("src/lib.rs", text)];
    let with_shop = [("Cargo.toml", "one"), ("src/main.rs", MAIN), ("src/lib.rs", shop.as_str())];
    let private = format!("mod kinds {{ {shop} }}");
    let both = format!("{shop}{disk}");
    let two = [
        ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"t*\"]\nresolver = \"3\"\n"),
        ("one/Cargo.toml", "one"),
        ("one/src/lib.rs", &shop),
        ("two/Cargo.toml", "two"),
        ("two/src/lib.rs", &disk),
    ];
    let programs =
        [("Cargo.toml", "one"), ("src/lib.rs", shop.as_str()), ("src/bin/a.rs", MAIN), ("src/bin/b.rs", MAIN)];
    let controls = "use kube::runtime::Controller;\nfn main() {}\n";
    let generators = [
        ("Cargo.toml", "one"),
        ("src/lib.rs", shop.as_str()),
        ("src/bin/all-crds.rs", MAIN),
        ("src/bin/gen.rs", controls),
        ("src/bin/main-loop.rs", controls),
        ("src/bin/other.rs", MAIN),
    ];
    // The group of most kinds is likely the project's own.
    let mixed = format!("{}{shop}{}", kind("Disk", "a-other.dev"), kind("Store", "example.com"));
    let most = [("Cargo.toml", "one"), ("src/main.rs", MAIN), ("src/lib.rs", mixed.as_str())];
    // `xtask` does not depend on the types, so it is a tool and no candidate for the operator.
    let uses = |name: &str| {
        let package = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        format!("{package}[dependencies]\none = {{ path = \"../one\" }}\n")
    };
    let (second, third) = (uses("two"), uses("three"));
    let members = "[workspace]\nmembers = [\"one\", \"t*\", \"xtask\"]\nresolver = \"3\"\n";
    let several = [
        ("Cargo.toml", members),
        ("one/Cargo.toml", "one"),
        ("one/src/lib.rs", &shop),
        ("two/Cargo.toml", &second),
        ("two/src/main.rs", MAIN),
        ("three/Cargo.toml", &third),
        ("three/src/main.rs", MAIN),
        ("xtask/Cargo.toml", "xtask"),
        ("xtask/src/main.rs", MAIN),
    ];
    let table: &[Refused<'_>] = &[
        (&[], &[], 1, &["cargo cannot read the package in `", "could not find `Cargo.toml`"]),
        (&library(""), &[], 1, &["the workspace defines no custom resource", "opctl init my-operator"]),
        (&library(""), &["--package", "one"], 1, &["the package `one` defines no custom resource"]),
        (
            &library("#[versioned(crd(group = \"example.com\"))]\n#[derive(kube::CustomResource)]\npub struct A;"),
            &[],
            1,
            &[NOT_IN_SOURCE, "OP304", "`#[versioned]`", "opctl adopt --crds"],
        ),
        (
            &library("include!(concat!(env!(\"OUT_DIR\"), \"/kinds.rs\"));"),
            &[],
            1,
            &[NOT_IN_SOURCE, "src/lib.rs:1", "`include!` includes a file"],
        ),
        (&two, &[], 1, &["the groups of the kinds have no domain in common", "`other.dev`"]),
        (&two, &["--package", "two", "--package", "x"], 2, &["no package here is named `x`"]),
        (&two, &["--features", "x"], 2, &["no package here has the feature `x`"]),
        (
            &[("Cargo.toml", "one"), ("src/main.rs", MAIN), ("src/lib.rs", &private)],
            &[],
            1,
            &["opctl cannot use any custom resource type here", "OP302", "pub use kinds::Shop;"],
        ),
        (
            &with_shop,
            &["--package", "x"],
            2,
            &["no package here is named `x`", "--package one    # packages here: one"],
        ),
        (&several, &[], 1, &["several programs could be the operator: `three`, `two`\n", "opctl adopt --bin three"]),
        (&several, &["--package", "one,two"], 1, &["the package `two` defines no custom resource"]),
        (&with_shop, &["--bin", "x"], 2, &["no package here has a program `x`", "opctl adopt --bin one"]),
        (&programs, &[], 1, &["several programs could be the operator: `a`, `b`", "opctl adopt --bin a"]),
        (
            &generators,
            &[],
            1,
            &["could be the operator: `all-crds`, `gen`, `main-loop`, `other`", "opctl adopt --bin main-loop"],
        ),
        (&most, &[], 1, &["the groups of the kinds have no domain in common", "opctl adopt --domain example.com"]),
        (
            &[("Cargo.toml", "one"), ("src/main.rs", MAIN), ("src/lib.rs", &both)],
            &[],
            1,
            &["the groups of the kinds have no domain in common", "`other.dev`", "opctl adopt --domain other.dev"],
        ),
    ];
    for (files, arguments, code, texts) in table {
        let folder = workspace(files);
        let before = tree(folder.path());
        let said = fails(folder.path(), &[&["adopt"], *arguments].concat(), *code, texts[0]);
        for text in *texts {
            assert!(said.contains(text), "it does not say `{text}`:\n{said}");
        }
        assert_eq!(tree(folder.path()), before, "{said}");
    }
}
