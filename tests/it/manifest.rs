//! `opctl manifests` on a real api crate: compiled, cached, compiled again.

use crate::support::{Place, apart, is_apart, projects, target_folder, text};
use opctl::test_api::manifest::{Manifests, Options, generate};
use opctl::test_api::report::Console;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

const TYPES: &str = "api/src/v1alpha1/web_server.rs";
const CRD: &str = "config/crd/bases/example.com_webservers.yaml";

/// Copies `testdata/manifest/project`. The copy has the same dependencies as the projects in `testdata/golden`, and
/// therefore uses their target folder.
pub(crate) fn project(name: &str) -> PathBuf {
    assert!(is_apart(), "begin the test with `apart!()`");
    let root = projects().join("manifest").join(name);
    let _ = fs::remove_dir_all(&root);
    copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/project"), &root);
    fs::create_dir_all(root.join(".cargo")).expect("writable");
    let configuration = format!("[build]\ntarget-dir = '{}'\n", target_folder().display());
    fs::write(root.join(".cargo/config.toml"), configuration).expect("writable");
    root
}

pub(crate) fn generate_quietly(root: &Path) -> opctl::Result<Manifests> {
    generate(root, &Options::default(), &Console::silent())
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).expect("writable");
    for entry in fs::read_dir(from).expect("readable").flatten() {
        let target = to.join(entry.file_name());
        if entry.path().is_dir() {
            copy(&entry.path(), &target);
        } else {
            fs::copy(entry.path(), target).expect("copied");
        }
    }
}

pub(crate) fn edit(root: &Path, file: &str, from: &str, to: &str) {
    let path = root.join(file);
    let text = fs::read_to_string(&path).expect("readable");
    assert!(text.contains(from), "{from:?} is not in {file}");
    fs::write(path, text.replace(from, to)).expect("writable");
}

#[expect(clippy::print_stderr, reason = "the timings are for whoever runs the test")]
fn timed(what: &str, root: &Path) -> opctl::Result<Manifests> {
    let start = Instant::now();
    let made = generate(root, &Options::default(), &Console::silent());
    eprintln!("{what}: {:?}", start.elapsed());
    made
}

#[test]
fn types_are_compiled_when_something_changed_and_only_then() {
    apart!();
    let root = project("changes");
    let first = timed("first", &root).expect("generates");
    assert!(first.files[CRD].contains("              image:\n"), "{}", first.files[CRD]);
    assert_eq!(first.types[0].path, "v1alpha1::WebServer");

    let again = timed("nothing changed", &root).expect("generates");
    assert!(!again.compiled);
    assert_eq!(again.files, first.files);

    edit(
        &root,
        TYPES,
        "    pub image: String,",
        "    pub image: String,\n\n    /// Added.\n    pub added: Option<u16>,",
    );
    let changed = timed("a field added", &root).expect("generates");
    assert!(changed.compiled);
    let added = "              added:\n                description: Added.\n                format: int32\n";
    assert!(changed.files[CRD].contains(added), "{}", changed.files[CRD]);

    // A change of an included file is noticed too, and a new kind is found without being registered.
    edit(&root, TYPES, "/// Added.", "#[doc = include_str!(\"added.txt\")]");
    fs::write(root.join("api/src/v1alpha1/added.txt"), "From a file.").expect("writable");
    let included = timed("a file included", &root).expect("generates");
    assert!(included.files[CRD].contains("description: From a file."));
    fs::write(root.join("api/src/v1alpha1/added.txt"), "Changed.").expect("writable");
    let included = timed("that file changed", &root).expect("generates");
    assert!(included.compiled && included.files[CRD].contains("description: Changed."));
    assert!(!timed("nothing changed", &root).expect("generates").compiled);

    edit(&root, "src/controller/mod.rs", "resources=deployments", "resources=statefulsets");
    let marker = timed("a marker changed", &root).expect("generates");
    assert!(!marker.compiled);
    assert!(marker.files["config/rbac/role.yaml"].contains("- statefulsets\n"));

    // A default is the user's code, which runs when the schema is made.
    let text = fs::read_to_string(root.join(TYPES)).expect("readable");
    let leaving = text.replace("    pub image:", "    #[serde(default = \"leave\")]\n    pub image:");
    fs::write(root.join(TYPES), leaving + "\nfn leave() -> String {\n    std::process::exit(0)\n}\n")
        .expect("writable");
    let error = timed("a default that leaves", &root).expect_err("there is no schema");
    let told = "the program that prints the API types stopped at `v1alpha1::WebServer` (exit status: 0)";
    assert_eq!((error.message(), error.category().exit_code()), (told, 1));
}

#[test]
fn all_errors_in_the_api_types_are_reported_as_one_error() {
    apart!();
    let root = project("errors");
    edit(&root, TYPES, "pub image: String", "pub image: Strin");
    let error = timed("a compile error", &root).expect_err("does not compile");
    assert_eq!((error.message(), error.category().exit_code()), ("the API types do not compile", 1));

    edit(&root, TYPES, "pub image: Strin", "pub image: (String, i32)");
    let error = timed("a tuple", &root).expect_err("no CRD can describe it");
    let [finding] = error.findings() else { panic!("{:?}", error.findings()) };
    assert_eq!((finding.code.as_str(), finding.path.as_deref()), ("OP102", Some(".spec.image")));
    let expected = "the field `spec.image` of `WebServer` is a tuple of different types, which a CRD cannot describe";
    assert_eq!(finding.reason, expected);
    let line = fs::read_to_string(root.join(TYPES)).expect("readable");
    let line = line.lines().position(|line| line.contains("pub image:")).expect("the field") + 1;
    assert_eq!(finding.place(), format!("{TYPES}:{line}"));
    assert!(finding.hint.contains("a struct with named fields"));
    assert_eq!(error.hint_text(), Some("opctl explain OP102"));

    // One run reports all errors, those in markers and attributes included.
    edit(&root, TYPES, "plural = ", "shortname = \"WS\", plural = ");
    edit(&root, "src/controller/mod.rs", "resources=deployments", "resource=deployments");
    let error = timed("three errors", &root).expect_err("three errors");
    let codes: Vec<&str> = error.findings().iter().map(|finding| finding.code.as_str()).collect();
    assert_eq!(codes, ["OP202", "OP102", "OP401"]);
}

#[test]
fn descriptions_are_cut_where_that_is_asked_for() {
    apart!();
    let root = project("descriptions");
    let options = Options { max_description_length: Some(0), ..Options::default() };
    let made = generate(&root, &options, &Console::silent()).expect("generates");
    assert!(!made.files[CRD].contains("description:"), "{}", made.files[CRD]);
}

#[test]
fn findings_are_annotations_under_github_actions() {
    let place = Place::new();
    place.ok(&["init", "--domain", "example.com"]);
    fs::write(place.root().join("src/extra.rs"), "\n// +opctl:rbac:groups=apps,resource=pods,verbs=get\n")
        .expect("writable");
    let said = |github: &str| {
        let output = place.command(&["manifests"]).env("GITHUB_ACTIONS", github).output().expect("runs");
        assert_eq!(output.status.code(), Some(1));
        text(&output.stderr)
    };
    let expected = "\n::error file=src/extra.rs,line=2,col=28,title=OP401::unknown argument `resource`%0Adid you mean";
    assert!(said("true").contains(expected), "{}", said("true"));
    assert!(!said("").contains("::error"), "{}", said(""));
}

#[test]
fn a_project_without_an_api_has_a_role_only() {
    apart!();
    let root = project("empty");
    fs::remove_dir_all(root.join("api")).expect("removed");
    let made = timed("no API", &root).expect("generates");
    assert_eq!(made.files.keys().collect::<Vec<_>>(), ["config/rbac/role.yaml"]);
    assert!(made.types.is_empty() && !made.compiled);
}

#[test]
fn a_change_that_breaks_an_older_crd_is_reported_at_the_rust_field() {
    use opctl::test_api::manifest::Older;
    apart!();
    let root = project("against");
    let first = generate(&root, &Options::default(), &Console::silent()).expect("generates");
    let definitions = first.definitions.iter().map(|made| (made.file.as_str().into(), made.object.clone())).collect();
    let older = Older { name: "before".to_owned(), definitions, complete: true, ..Older::default() };
    let options = Options { against: Some(older), ..Options::default() };
    assert_eq!(generate(&root, &options, &Console::silent()).expect("generates").findings, []);

    edit(&root, TYPES, "    pub image: String,", "    /// How many.\n    pub image: u16,");
    let found = generate(&root, &options, &Console::silent()).expect("generates").findings;
    let [finding] = found.as_slice() else { panic!("{found:?}") };
    let line = fs::read_to_string(root.join(TYPES)).expect("readable");
    let line = line.lines().position(|line| line.contains("pub image: u16")).expect("the field") + 1;
    assert_eq!((finding.code.as_str(), finding.place()), ("OP614", format!("{TYPES}:{line}")));
    assert_eq!(finding.resource.as_deref(), Some("v1alpha1::WebServer"));
}
