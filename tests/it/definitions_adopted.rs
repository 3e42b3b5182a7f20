//! `opctl adopt --crds`: makes Rust types from existing CRDs, and CRDs from the types again.

use crate::support::{Place, Plane, assert_same, cargo_in, must, opctl, projects, target_folder, text, tree};
use kube::api::{Api, ApiResource, DynamicObject, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Output;

fn definitions() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/definitions")
}

/// Returns the project's folder, always at the same path, so that cargo finds what it compiled before.
fn project() -> PathBuf {
    let root = projects().join("definitions/from-go");
    let _ = fs::remove_dir_all(&root);
    root
}

fn run(folder: &Path, arguments: &[&str]) -> Output {
    let mut command = opctl(arguments);
    command.current_dir(folder).env("CARGO_TARGET_DIR", target_folder());
    command.output().unwrap()
}

#[track_caller]
fn ok(folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = run(folder, arguments);
    assert!(output.status.success(), "opctl {arguments:?}\n{}\n{}", text(&output.stdout), text(&output.stderr));
    (text(&output.stdout), text(&output.stderr))
}

#[tokio::test]
async fn types_from_definitions_give_the_definitions_back() {
    let root = project();
    let crds = definitions().join("config/crd/bases");
    let above = root.parent().unwrap();
    fs::create_dir_all(above).unwrap();
    let adopt = ["adopt", "--crds", crds.to_str().unwrap(), "from-go"];

    let (_, said) = ok(above, &[&adopt[..], &["--dry-run"]].concat());
    assert!(said.contains("create api/src/data/v1/backup.rs") && !root.exists(), "{said}");
    let (differences, said) = ok(above, &adopt);
    assert_recorded(differences, "differences.txt");
    assert!(said.contains("of 9 CRDs are unchanged"), "{said}");
    types_are_as_recorded(&root);
    adopting_again_changes_nothing(&root, &adopt);
    a_kind_in_lower_camel_case(&root);
    let listed = json_of(&root, &["list"]);
    assert!(listed.to_string().contains("Runner"), "{listed}");

    let cargo = |arguments: &[&str]| must(&mut cargo_in(&root, arguments));
    cargo(&["fmt", "--all", "--check"]);
    for packages in ["--workspace", "--all-targets"] {
        cargo(&["clippy", packages, "--", "-D", "warnings"]);
    }

    let plane = Plane::start();
    plane.must(&root, &["install"]);
    samples_are_accepted(&root, &plane).await;
    kinds_without_a_spec(&root);
    the_projects_tests_pass(&root);
}

/// Compares a text with a file below `testdata/definitions`.
#[track_caller]
fn assert_recorded(made: String, file: &str) {
    let recorded = snapbox::Data::read_from(&definitions().join(file), None).raw();
    let assert = snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false);
    assert.eq(snapbox::Data::text(made), recorded);
}

fn types_are_as_recorded(root: &Path) {
    for (kind, version, types) in [
        ("archive", "v1", "data/v1"),
        ("backup", "v1", "data/v1"),
        ("backup_status", "v1", "data/v1"),
        ("backup", "v1beta1", "data/v1beta1"),
        ("runner", "v1alpha1", "run/v1alpha1"),
        ("pool", "v1", "v1"),
        ("priority", "v1", "data/v1"),
        ("session", "v1", "data/v1"),
        ("tape", "v1", "data/v1"),
        ("token", "v1", "data/v1"),
    ] {
        let made = fs::read_to_string(root.join(format!("api/src/{types}/{kind}.rs"))).unwrap();
        assert_recorded(made, &format!("types/{kind}_{version}.rs"));
    }
}

/// Checks that running `opctl adopt` again changes nothing and reports the differences between the CRDs again, and that
/// `opctl update` and `opctl manifests --check` then find everything up to date.
fn adopting_again_changes_nothing(root: &Path, adopt: &[&str]) {
    let before = tree(root);
    let again = json_of(root.parent().unwrap(), adopt);
    assert_eq!(again["outcome"], "unchanged");
    assert_eq!(again["data"]["kinds"].as_array().map(Vec::len), Some(10));
    let of = |name: &str| {
        let all = again["data"]["definitions"].as_array().unwrap();
        all.iter().find(|one| one["definition"] == name).unwrap()["differences"].clone()
    };
    let format = json!({"version": "v1", "path": "spec.hooks[].timeoutSeconds", "keyword": "format", "after": "int64"});
    assert_eq!(of("backups.data.example.org")[0], format);
    assert_eq!(of("pools.example.org"), json!([]));
    assert_same(&before, &tree(root), "adopt");
    ok(root, &["update"]);
    assert_same(&before, &tree(root), "update");
    ok(root, &["manifests", "--check"]);
}

/// Checks that the API server, which has the CRDs, accepts the samples.
async fn samples_are_accepted(root: &Path, plane: &Plane) {
    let client = plane.client().await;
    for sample in fs::read_dir(root.join("config/samples")).unwrap().map(|entry| entry.unwrap().path()) {
        if sample.ends_with("kustomization.yaml") {
            continue;
        }
        let object: Value = serde_yaml::from_str(&fs::read_to_string(&sample).unwrap()).unwrap();
        let object: DynamicObject = serde_json::from_value(object).unwrap();
        let kind = GroupVersionKind::try_from(object.types.as_ref().unwrap()).unwrap();
        let resource = match kind.kind.as_str() {
            "Priority" => ApiResource::from_gvk_with_plural(&kind, "priorities"),
            "backupStatus" => ApiResource::from_gvk_with_plural(&kind, "backupstatuses"),
            _ => ApiResource::from_gvk(&kind),
        };
        let objects: Api<DynamicObject> = match kind.kind.as_str() {
            "Pool" | "Priority" => Api::all_with(client.clone(), &resource),
            _ => Api::default_namespaced_with(client.clone(), &resource),
        };
        let created = objects.create(&PostParams::default(), &object).await;
        created.unwrap_or_else(|refused| panic!("{}: {refused}", sample.display()));
    }
}

/// Checks that the project's tests pass: the controllers reconcile the samples, the API server calls the webhooks, and
/// fields at the root of an object, beside `spec`, keep their values when the object is written and read.
fn the_projects_tests_pass(root: &Path) {
    let tests = root.join("tests/it");
    fs::copy(definitions().join("there_and_back.rs"), tests.join("there_and_back.rs")).unwrap();
    let main = fs::read_to_string(tests.join("main.rs")).unwrap();
    fs::write(tests.join("main.rs"), main + "mod there_and_back;\n").unwrap();
    let (shown, said) = ok(root, &["test"]);
    let tested = shown + &said;
    for test in [
        "data::backup::an_object_is_reported_on",
        "data::backup_status::an_object_is_reported_on",
        "pool::an_object_is_reconciled",
        "data::priority::an_object_is_reconciled",
        "data::session::an_object_is_reported_on",
        "there_and_back::an_object_without_a_spec_has_an_empty_one",
        "there_and_back::fields_at_the_root_come_back",
        "webhook::data::priority_conversion::tests::the_api_server_converts",
        "webhook::data::tape::tests::the_api_server_asks",
        "webhook::data::backup_status::tests::the_api_server_asks",
    ] {
        assert!(tested.contains(&format!("{test} ... ok")), "{tested}");
    }
}

/// Checks that other commands accept the kind `backupStatus`, which the API server also accepts.
fn a_kind_in_lower_camel_case(root: &Path) {
    let sample = fs::read_to_string(root.join("config/samples/data_v1_backupstatus.yaml")).unwrap();
    assert!(sample.contains("kind: backupStatus\n") && sample.contains("  # class: sample\n"), "{sample}");
    assert!(sample.contains("  retries: 3\n"), "{sample}");
    let listed = json_of(root, &["list"]);
    assert!(listed.to_string().contains("\"backupStatus\""), "{listed}");
    let kind = ["--group", "data", "--kind", "backupStatus"];
    let before = tree(root);
    ok(root, &[&["create", "api"][..], &kind, &["--version", "v2", "--controller=false"]].concat());
    ok(root, &["manifests"]);
    let copy = fs::read_to_string(root.join("api/src/data/v2/backup_status.rs")).unwrap();
    assert!(copy.contains("kind = \"backupStatus\"") && copy.contains("root = \"BackupStatus\""), "{copy}");
    ok(root, &[&["delete", "api"][..], &kind, &["--version", "v2", "--force"]].concat());
    ok(root, &["manifests"]);
    assert_same(&before, &tree(root), "create and delete");
    ok(root, &[&["create", "webhook"][..], &kind, &["--defaulting"]].concat());
    ok(root, &["manifests"]);
    let refused = run(root, &["create", "api", "--kind", "otherStatus"]);
    assert!(text(&refused.stderr).contains("--kind OtherStatus"), "{}", text(&refused.stderr));
}

/// Checks that webhooks and further versions can be created for kinds without a spec, with fields at the root.
fn kinds_without_a_spec(root: &Path) {
    let of = |words: &[&str], kind: &str, flags: &[&str]| {
        ok(root, &[words, &["--group", "data", "--kind", kind], flags].concat());
    };
    of(&["create", "webhook"], "Tape", &["--defaulting", "--validation"]);
    of(&["create", "api"], "Priority", &["--version", "v1beta1", "--controller=false"]);
    of(&["create", "webhook"], "Priority", &["--conversion", "--spoke", "v1beta1"]);
    ok(root, &["manifests"]);
    must(&mut cargo_in(root, &["fmt", "--all", "--check"]));
}

fn json_of(folder: &Path, arguments: &[&str]) -> Value {
    let (document, _) = ok(folder, &[arguments, &["-o", "json"]].concat());
    serde_json::from_str(&document).unwrap()
}

const CRD: &str = "apiVersion: apiextensions.k8s.io/v1
kind: CustomResourceDefinition
metadata: {name: shops.example.com}
spec:
  group: example.com
  names: {kind: Shop, plural: shops}
  scope: Namespaced
  versions:
  - name: v1
    served: true
    storage: true
    schema:
      openAPIV3Schema:
        type: object
        title: Shop
        properties:
          spec: {type: object, properties: {size: {type: integer, format: int32}}}
";

/// Returns a CRD with a huge schema.
fn large() -> String {
    let field = |number| format!("a{number}: {{type: object, properties: {{b{number}: {{type: string}}}}}}, ");
    let fields = (0..600).map(field).collect::<Vec<String>>().concat();
    CRD.replace("size: {type: integer, format: int32}", &fields)
}

/// Checks that adopting these CRDs fails with this exit code, prints each text, and writes nothing.
fn assert_refused(crds: &str, arguments: &[&str], code: i32, texts: &[&str]) {
    let place = Place::new();
    fs::write(place.root().join("crds.yaml"), crds).unwrap();
    let before = place.tree();
    let line = ["adopt", "--crds", "crds.yaml", "new", "--manifests=false"];
    let output = place.run(&[&line[..], arguments].concat());
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{said}");
    for text in texts {
        assert!(said.contains(text), "it does not say `{text}`:\n{said}");
    }
    assert_same(&before, &place.tree(), &said);
}

#[test]
fn crds_that_cannot_become_a_project_are_refused_with_a_hint() {
    let twice = format!("{CRD}---\n{}", CRD.replace("int32", "int64"));
    let table: &[(&str, &[&str], i32, &[&str])] = &[
        (
            "",
            &[],
            1,
            &["`crds.yaml` holds no CustomResourceDefinition", "opctl adopt --crds ../go-operator/config/crd/bases"],
        ),
        (
            "kind: Pod\n",
            &[],
            1,
            &["`crds.yaml` holds no CustomResourceDefinition", "an object of the kind `Pod` was found, but no CRD"],
        ),
        (
            &CRD.replace("k8s.io/v1", "k8s.io/v1beta1"),
            &[],
            1,
            &[
                "`crds.yaml` defines the CRD `shops.example.com` in the API version `apiextensions.k8s.io/v1beta1`",
                "controller-gen crd",
            ],
        ),
        ("kind: CustomResourceDefinition\n- a", &[], 1, &["`crds.yaml` is not valid YAML"]),
        (&twice, &[], 1, &["`shops.example.com` is defined twice", "opctl adopt --crds crds.yaml"]),
        (&CRD.replace("kind: Shop", "kind: a.shop"), &[], 2, &["`a.shop`", "`crds.yaml` defines it"]),
        (&CRD.replace("name: v1\n", "name: first\n"), &[], 2, &["`first`", "`crds.yaml` defines it"]),
        (
            &CRD.replace("example.com", "shops.k8s.io"),
            &[],
            2,
            &[
                "`shops.k8s.io` is not a valid domain",
                "opctl adopt --crds FILE    # with a FILE that has only the CRDs of your own API groups",
            ],
        ),
        (
            &CRD.replace("served: true", "served: false"),
            &[],
            1,
            &["no version of `Shop` is served", "with a definition that has a served version"],
        ),
        (
            &large(),
            &[],
            1,
            &["`Shop` in version `v1` needs 601 Rust types", "x-kubernetes-preserve-unknown-fields: true"],
        ),
        (CRD, &["--package", "a"], 2, &["the argument '--crds <PATH>' cannot be used with '--package <PACKAGE>'"]),
    ];
    for &(crds, arguments, code, texts) in table {
        assert_refused(crds, arguments, code, texts);
    }
}

/// Returns the CRD of this kind in this group.
fn other(kind: &str, group: &str) -> String {
    let plural = format!("{}s", kind.to_lowercase());
    CRD.replace("example.com", group)
        .replace("Shop", kind)
        .replace("shops", &plural)
        .replace("shop", &kind.to_lowercase())
}

#[test]
fn kinds_of_several_domains_are_one_project() {
    let place = Place::new();
    let crds = [CRD.to_owned(), other("Disk", "other.dev"), other("Tape", "old.other.dev")].join("---\n");
    fs::write(place.root().join("crds.yaml"), crds).unwrap();
    place.ok(&["adopt", "--crds", "crds.yaml", "new", "--manifests=false"]);
    let listed = json_of(&place.root().join("new"), &["list"]);
    let resources = listed["data"]["resources"].as_array().unwrap();
    let groups: Vec<&str> = resources.iter().filter_map(|resource| resource["group"].as_str()).collect();
    assert_eq!(groups, ["other.dev", "example.com", "old.other.dev"], "by group and kind");
    let type_of_tape = fs::read_to_string(place.root().join("new/api/src/old/v1/tape.rs")).unwrap();
    assert!(type_of_tape.contains("group = \"old.other.dev\""), "{type_of_tape}");
}

#[test]
fn a_kind_of_the_same_name_in_the_projects_domain_does_not_replace_one_of_another() {
    let place = Place::new();
    let crds = [other("Shop", "other.dev"), CRD.to_owned(), other("Disk", "example.com")].join("---\n");
    fs::write(place.root().join("crds.yaml"), crds).unwrap();
    let report = place.json(&["adopt", "--crds", "crds.yaml", "new", "--manifests=false"]);
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("the project already has a kind `Shop` in the group `other.dev`"), "{warnings}");
    let types = fs::read_to_string(place.root().join("new/api/src/v1/shop.rs")).unwrap();
    assert!(types.contains("group = \"other.dev\""), "{types}");
}

#[test]
fn kinds_that_cannot_be_adopted_are_left_out_with_a_warning() {
    let place = Place::new();
    let dotted = other("Tape", "example.com").replace("kind: Tape", "kind: a.tape");
    let column = "storage: true\n    additionalPrinterColumns: [{name: Data, type: string, jsonPath: .nowhere}]";
    let disk = other("Disk", "example.com").replace("storage: true", column);
    let unserved = other("Old", "example.com").replace("served: true", "served: false");
    // The API server takes no field of two types.
    let either = "properties: {id: {items: {type: string}, oneOf: [{type: string}, {type: array}]}, ";
    let disk = disk.replacen("properties: {", either, 1);
    let crds = [dotted, other("Guarded", "shops.k8s.io"), unserved, large(), disk].join("---\n");
    fs::write(place.root().join("crds.yaml"), crds).unwrap();
    let report = place.json(&["adopt", "--crds", "crds.yaml", "new", "--manifests=false"]);
    let warnings = report["warnings"].to_string();
    for text in [
        "`a.tape` v1 of `crds.yaml` is left out",
        "`Guarded` is left out",
        "no version of `Old` is served: `olds.example.com` is left out",
        "needs 601 Rust types",
        "a column `Data`, which is left out because its path is wrong",
        "`spec.id` has no type, which the API server refuses: it becomes a `serde_json::Value`",
    ] {
        assert!(warnings.contains(text), "{text}: {warnings}");
    }
    assert_eq!(report["data"]["kinds"].as_array().unwrap().len(), 1, "{report}");
}

#[test]
fn a_folder_that_has_something_is_left_alone() {
    let place = Place::new();
    fs::write(place.root().join("crds.yaml"), CRD).unwrap();
    let adopt = ["adopt", "--crds", "crds.yaml", "--manifests=false"];
    let said = |arguments: &[&str], code: i32| {
        let output = place.run(arguments);
        assert_eq!(output.status.code(), Some(code), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    assert!(said(&["adopt", "--crds", "nowhere"], 2).contains("`nowhere` does not exist"));
    let full = said(&adopt, 3);
    assert!(full.contains("is not empty") && full.contains("opctl adopt --crds crds.yaml my-operator"), "{full}");

    // Keywords that kube cannot express are named, and groups outside of the domain are left out.
    let made = said(&[&adopt[..], &["new", "--domain", "example.com"]].concat(), 0);
    assert!(made.contains("warning: `Shop` v1: `.` has `title` at the root"), "{made}");
    let again = said(&[&adopt[..], &["new"]].concat(), 0);
    assert!(again.contains("nothing to do"), "{again}");
    let outside = said(&[&adopt[..], &["outside", "--domain", "example.org"]].concat(), 1);
    assert!(outside.contains("no kind in `crds.yaml` has a group that ends in `example.org`"), "{outside}");
    assert!(outside.contains("opctl adopt --crds crds.yaml --domain example.com"), "{outside}");
    let other = CRD.replace("example.com", "other.dev").replace("Shop", "Disk").replace("shops", "disks");
    fs::write(place.root().join("two.yaml"), format!("{CRD}---\n{other}")).unwrap();
    let two = said(&["adopt", "--crds", "two.yaml", "--manifests=false", "two", "--domain", "other.dev"], 0);
    assert!(
        two.contains("`Shop` is in the group `example.com`, which does not end in `other.dev`: it is left out"),
        "{two}"
    );

    place.ok(&["init", "web", "--domain", "example.com"]);
    let known = said(&[&adopt[..], &["web"]].concat(), 3);
    assert!(known.contains("`web` is already a project of `opctl init`"), "{known}");
    assert!(known.contains("the project has no `v1, kind Shop` that was imported from a CRD"), "{known}");
}
