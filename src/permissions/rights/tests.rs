use super::{NEED_RIGHTS, Rights, by_hand, check, check_caches};
use crate::finding::Severity;
use crate::permissions::ExternalType;
use crate::permissions::rbac;
use crate::source::crate_sources::{self, GeneratedFiles, Source};
use crate::source::discover::ApiType;
use crate::source::discover::{Features, types};
use crate::source::markers::markers;
use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};

/// The Rust source of the project's API types in the test cases.
const API: &str = r#"
pub mod v1 {
    #[derive(CustomResource)]
    #[kube(group = "example.com", version = "v1", kind = "WebServer", plural = "webservers", namespaced, status = "S")]
    pub struct WebServerSpec {}
}
"#;

fn api(folder: &Path) -> Vec<ApiType> {
    let read = |path: &Path| match std::fs::read_to_string(folder.join(path)) {
        Ok(text) => Ok(Some(text)),
        Err(_) => Ok((path == Path::new("api.rs")).then(|| API.to_owned())),
    };
    let lib = if folder.join("api/src/lib.rs").is_file() { "api/src/lib.rs" } else { "api.rs" };
    types(Path::new(lib), &read, &Features::default()).expect("valid").0
}

/// Returns a kind of another crate for the test cases.
fn external() -> ExternalType {
    let text = str::to_owned;
    ExternalType {
        path: text("certs::v1::Certificate"),
        kind: text("Certificate"),
        group: text("certs.example.io"),
        plural: text("certificates"),
    }
}

/// Returns the text of the findings about the sources. The rights in `rights` and in the RBAC markers of the sources
/// count as granted.
fn said(sources: &[Source], types: &[ApiType], rights: Rights) -> String {
    let (mut said, mut grants) = (String::new(), Vec::new());
    for source in sources {
        let text = source.without_tests();
        let (markers, misspelled) = markers(&source.file, &text);
        let (granted, said) = rbac::grants(&markers, false, &|_, _| false);
        assert!(misspelled.iter().chain(&said).all(|finding| finding.severity == Severity::Warning), "{said:?}");
        grants.extend(granted);
    }
    let missing = check(sources, types, &[external()], &rights.with(&grants));
    for finding in missing.into_iter().chain(check_caches(sources, types, &[external()])) {
        let _ = writeln!(said, "{}: {}\n{}", finding.place(), finding.reason, finding.hint);
    }
    said
}

/// The findings about each `.rs` file of testdata/manifest/rights equal the text of the `.findings` file beside it.
#[test]
fn cases() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/rights");
    let mut count = 0;
    for path in std::fs::read_dir(cases).expect("the cases").flatten().map(|entry| entry.path()) {
        if path.extension().is_none_or(|extension| extension != "rs") {
            continue;
        }
        let text = std::fs::read_to_string(&path).expect("readable");
        let syntax = syn::parse_file(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let source = Source { file: PathBuf::from("code.rs"), text, syntax: Some(syntax) };
        let said = said(&[source], &api(Path::new("nowhere")), Rights::default());
        let expected = path.with_extension("findings");
        if std::env::var_os("SNAPSHOTS").is_some_and(|value| value == "overwrite") && !said.is_empty() {
            std::fs::write(&expected, &said).expect("writable");
        }
        assert_eq!(said, std::fs::read_to_string(expected).unwrap_or_default(), "{}", path.display());
        count += 1;
    }
    assert!(count > 20, "only {count} cases");
}

/// Copies a project from `testdata/golden` to the folder `to`, and replaces symlinks with copies of their targets: in
/// these projects, the sources of the runtime crate are a symlink to a folder outside of the project.
fn lay(from: &Path, to: &Path) {
    std::fs::create_dir_all(to).expect("writable");
    for entry in std::fs::read_dir(from).expect("readable").flatten() {
        let (from, to) = (entry.path(), to.join(entry.file_name()));
        if from.is_dir() {
            lay(&from, &to);
        } else {
            std::fs::copy(&from, &to).expect("copied");
        }
    }
}

/// Scaffolded code has all rights that it needs; without its markers and roles, each missing right is reported.
#[test]
fn scaffolded_projects_are_granted_what_they_need() {
    let golden = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/golden");
    let mut missed = String::new();
    for project in std::fs::read_dir(golden).expect("the projects").flatten().map(|entry| entry.path()) {
        if !project.is_dir() {
            continue;
        }
        let folder = tempfile::tempdir().expect("a folder");
        let root = folder.path().to_owned();
        lay(&project, &root);
        let mut sources =
            crate_sources::read_sources(&root, &[Path::new("api")], &GeneratedFiles::default()).expect("readable");
        let types = if root.join("api/src/lib.rs").is_file() { api(&root) } else { Vec::new() };
        assert_eq!(said(&sources, &types, by_hand(&root).expect("readable")), "", "{}", root.display());
        for source in &mut sources {
            source.text = source.text.replace("+opctl:rbac:", "");
        }
        missed += &said(&sources, &types, Rights::default());
    }
    for marker in [
        "groups=example.com,resources=webservers,verbs=list;watch",
        "groups=example.com,resources=webservers/status,verbs=patch",
        "groups=example.net,resources=parcels,verbs=list;watch;patch",
        "groups=apps,resources=deployments,verbs=list;watch",
        "groups=networking.k8s.io,resources=ingressclasses,verbs=list;watch;patch",
        "groups=events.k8s.io,resources=events,verbs=create;patch",
        "groups=coordination.k8s.io,resources=leases,verbs=get;create;update",
        "groups=authentication.k8s.io,resources=tokenreviews,verbs=create",
        "groups=authorization.k8s.io,resources=subjectaccessreviews,verbs=create",
    ] {
        assert!(missed.contains(marker), "{marker} is not in\n{missed}");
    }
}

/// Checks that the files in `NEED_RIGHTS` are the only files of the scaffolded `runtime` crate that need RBAC rights.
/// `opctl manifests` can therefore skip the crate's other files, unless the user has edited the crate.
#[test]
fn the_files_of_the_runtime_that_need_rights_are_known() {
    let folder = tempfile::tempdir().expect("a folder");
    let root = folder.path().to_owned();
    lay(&Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/golden/shop-operator"), &root);
    let sources =
        crate_sources::read_sources(&root, &[Path::new("api")], &GeneratedFiles::default()).expect("readable");
    let missing = check(&sources, &api(&root), &[external()], &Rights::default());
    let files: BTreeSet<&str> = missing.iter().map(|finding| finding.file.as_str()).collect();
    let of_runtime: Vec<&str> = files.into_iter().filter(|file| file.starts_with("runtime/")).collect();
    assert_eq!(of_runtime, NEED_RIGHTS);
}
