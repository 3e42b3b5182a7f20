//! The errors and hints of `opctl adopt` for operators that cannot be adopted.

use super::{MAIN, fails, kind, workspace};
use crate::support::tree;

/// A refused call of `opctl adopt`: the files, the arguments, the exit code, and the texts that opctl prints.
type Refused<'a> = (&'a [(&'a str, &'a str)], &'a [&'a str], i32, &'a [&'a str]);

const NOT_IN_SOURCE: &str = "no custom resource type here is written directly in the source code";

/// Checks that opctl refuses to adopt each of these workspaces, and leaves its files as they are.
fn assert_refused(table: &[Refused<'_>]) {
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

/// Returns the files of a package that has a program, and a library with the code `library`. Each file is a path and a
/// text.
fn package(library: &str) -> [(&str, &str); 3] {
    [("Cargo.toml", "one"), ("src/main.rs", MAIN), ("src/lib.rs", library)]
}

/// Returns the files of a workspace with two packages, whose libraries have the code `one` and `two`. Each file is a
/// path and a text.
fn two_packages<'a>(one: &'a str, two: &'a str) -> [(&'a str, &'a str); 5] {
    [
        ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"t*\"]\nresolver = \"3\"\n"),
        ("one/Cargo.toml", "one"),
        ("one/src/lib.rs", one),
        ("two/Cargo.toml", "two"),
        ("two/src/lib.rs", two),
    ]
}

#[test]
fn operators_that_cannot_be_adopted_are_refused_with_a_hint() {
    let private = format!("mod kinds {{ {} }}", kind("Shop", "example.com"));
    assert_refused(&[
        (&[], &[], 1, &["cargo cannot read the package in `", "could not find `Cargo.toml`"]),
        (&package(""), &[], 1, &["the workspace defines no custom resource", "opctl init my-operator"]),
        (&package(""), &["--package", "one"], 1, &["the package `one` defines no custom resource"]),
        (
            &package("#[versioned(crd(group = \"example.com\"))]\n#[derive(kube::CustomResource)]\npub struct A;"),
            &[],
            1,
            &[NOT_IN_SOURCE, "OP304", "`#[versioned]`", "opctl adopt --crds"],
        ),
        (
            &package("include!(concat!(env!(\"OUT_DIR\"), \"/kinds.rs\"));"),
            &[],
            1,
            &[NOT_IN_SOURCE, "src/lib.rs:1", "`include!` includes a file"],
        ),
        (
            &package(&private),
            &[],
            1,
            &["opctl cannot use any custom resource type here", "OP302", "pub use kinds::Shop;"],
        ),
    ]);
}

#[test]
fn names_that_the_workspace_does_not_have_are_refused() {
    let (shop, disk) = (kind("Shop", "example.com"), kind("Disk", "other.dev"));
    let (one, two) = (package(&shop), two_packages(&shop, &disk));
    assert_refused(&[
        (&two, &["--package", "two", "--package", "x"], 2, &["no package here is named `x`"]),
        (&two, &["--features", "x"], 2, &["no package here has the feature `x`"]),
        (&one, &["--package", "x"], 2, &["no package here is named `x`", "--package one    # packages here: one"]),
        (&one, &["--bin", "x"], 2, &["no package here has a program `x`", "opctl adopt --bin one"]),
    ]);
}

#[test]
fn kinds_without_a_common_domain_are_refused_with_a_domain() {
    let (shop, disk) = (kind("Shop", "example.com"), kind("Disk", "other.dev"));
    let both = format!("{shop}{disk}");
    // The group of most kinds is likely the project's own.
    let mixed = format!("{}{shop}{}", kind("Disk", "a-other.dev"), kind("Store", "example.com"));
    let none_in_common = "the groups of the kinds have no domain in common";
    assert_refused(&[
        (&two_packages(&shop, &disk), &[], 1, &[none_in_common, "`other.dev`"]),
        (&package(&mixed), &[], 1, &[none_in_common, "opctl adopt --domain example.com"]),
        (&package(&both), &[], 1, &[none_in_common, "`other.dev`", "opctl adopt --domain other.dev"]),
    ]);
}

#[test]
fn programs_of_one_package_that_could_be_the_operator_are_named() {
    let shop = kind("Shop", "example.com");
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
    assert_refused(&[
        (&programs, &[], 1, &["several programs could be the operator: `a`, `b`", "opctl adopt --bin a"]),
        (
            &generators,
            &[],
            1,
            &["could be the operator: `all-crds`, `gen`, `main-loop`, `other`", "opctl adopt --bin main-loop"],
        ),
    ]);
}

#[test]
fn programs_of_packages_that_use_the_types_are_named_and_no_others() {
    let shop = kind("Shop", "example.com");
    let uses = |name: &str| {
        let manifest = format!("[package]\nname = \"{name}\"\nversion = \"0.1.0\"\nedition = \"2024\"\n");
        format!("{manifest}[dependencies]\none = {{ path = \"../one\" }}\n")
    };
    let (second, third) = (uses("two"), uses("three"));
    // `xtask` does not depend on the types, so it is a tool and no candidate for the operator.
    let several: [(&str, &str); 9] = [
        ("Cargo.toml", "[workspace]\nmembers = [\"one\", \"t*\", \"xtask\"]\nresolver = \"3\"\n"),
        ("one/Cargo.toml", "one"),
        ("one/src/lib.rs", &shop),
        ("two/Cargo.toml", &second),
        ("two/src/main.rs", MAIN),
        ("three/Cargo.toml", &third),
        ("three/src/main.rs", MAIN),
        ("xtask/Cargo.toml", "xtask"),
        ("xtask/src/main.rs", MAIN),
    ];
    assert_refused(&[
        (&several, &[], 1, &["several programs could be the operator: `three`, `two`\n", "opctl adopt --bin three"]),
        (&several, &["--package", "one,two"], 1, &["the package `two` defines no custom resource"]),
    ]);
}
