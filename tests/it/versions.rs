//! Tests of two versions of a kind on a real API server: objects are converted to the other version and back, and opctl
//! reports every loss of data.

use crate::definitions::{edit, manifests, read};
use crate::support::{Place, Plane, assert_same, lay, opctl, text};
use kube::Client;
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::path::Path;

const DEFINITION: &str = "config/crd/bases/example.com_disks.yaml";
const TYPES: &str = "api/src/v1/disk.rs";
const STRUCT: &str = "#[derive(CustomResource,";
const FIELD: &str = "    #[serde(default, skip_serializing_if = \"Vec::is_empty\")]\n    pub parts: Vec<Piece>,\n";

fn disks(client: &Client, version: &str) -> Api<DynamicObject> {
    let kind = GroupVersionKind::gvk("example.com", version, "Disk");
    Api::namespaced_with(client.clone(), "default", &ApiResource::from_gvk(&kind))
}

async fn spec(client: &Client, version: &str) -> Value {
    disks(client, version).get("big").await.unwrap().data["spec"].clone()
}

async fn write(client: &Client, version: &str, size: u8) -> Value {
    let patch = Patch::Merge(json!({"spec": {"size": size}}));
    let written = disks(client, version).patch("big", &PatchParams::default(), &patch).await.unwrap();
    written.data["spec"].clone()
}

/// Makes the CRD from the types, and installs it.
fn install(plane: &Plane, project: &Place) {
    let (code, said) = manifests(project, &[]);
    assert!(code == Some(0) && !said.contains("[OP552]") && !said.contains("[OP6"), "{said}");
    plane.must(&project.root(), &["install"]);
}

fn store(project: &Place, version: &str) {
    project.ok(&["create", "api", "--kind", "Disk", "--version", version, "--storage-version"]);
}

/// Makes a project whose types a user has edited: with additional modules, validation rules and functions.
fn project_with_edited_types() -> Place {
    let project = Place::with_project();
    project.ok(&["create", "api", "--kind", "Disk", "--field", "size:integer(1..=9)", "--owns", "ConfigMap"]);
    project.ok(&["create", "api", "--kind", "Pool", "--controller=false"]);
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases/create-api-second-version-of-edited-types");
    lay(&case.join("edit"), &project.root());
    project
}

/// Creates the object `big` in the first version.
async fn create_big(client: &Client, spec: &Value) -> DynamicObject {
    let big = json!({
        "apiVersion": "example.com/v1alpha1", "kind": "Disk", "metadata": {"name": "big"}, "spec": spec,
    });
    let big: DynamicObject = serde_json::from_value(big).unwrap();
    disks(client, "v1alpha1").create(&PostParams::default(), &big).await.unwrap();
    big
}

/// Checks that the spec of the object `big` is equal to `full` in both versions, for each combination of the storage
/// version and the version in which the object is written.
async fn both_versions_have_everything(plane: &Plane, project: &Place, client: &Client, full: &mut Value) {
    for (stored, sizes) in [("v1", [8, 7]), ("v1alpha1", [6, 5])] {
        store(project, stored);
        install(plane, project);
        for version in ["v1", "v1alpha1"] {
            assert_eq!(spec(client, version).await, *full, "stored as {stored}, read as {version}");
        }
        for (version, size) in ["v1", "v1alpha1"].into_iter().zip(sizes) {
            full["size"] = size.into();
            assert_eq!(write(client, version, size).await, *full, "stored as {stored}, written as {version}");
            for read in ["v1", "v1alpha1"] {
                assert_eq!(spec(client, read).await, *full, "stored as {stored}, written as {version}, read as {read}");
            }
        }
    }
}

async fn the_rule_on_the_name_holds_in_the_new_version(client: &Client, big: &DynamicObject) {
    let mut named = big.clone();
    (named.metadata.name, named.types.as_mut().unwrap().api_version) = (Some("1".into()), "example.com/v1".into());
    let refused = disks(client, "v1").create(&PostParams::default(), &named).await.unwrap_err();
    assert!(refused.to_string().contains("name must be a DNS label"), "{refused}");
}

const LOST: &str = "objects are stored as v1alpha1, and their next write would store them as v1 and lose data: \
                    v1 lacks `spec.parts`";

fn manifests_refuse_a_loss(plane: &Plane, project: &Place) {
    let before = read(project, DEFINITION);
    let (code, said) = manifests(project, &[]);
    assert_eq!((code, read(project, DEFINITION)), (Some(1), before), "{said}");
    assert!(said.contains(&format!("error[OP620]: `Disk`: {LOST}\n  --> {TYPES}:")), "{said}");
    let kubeconfig = plane.kubeconfig.to_str().unwrap();
    let (code, said) = manifests(project, &["--against", "cluster", "--kubeconfig", kubeconfig]);
    assert!(code == Some(3) && said.contains(LOST), "{code:?} {said}");
    assert_eq!(said.matches("error[OP620]").count(), 1, "{said}");
}

/// The annotation of a CRD whose types allow that stored objects lose fields.
const REASON: &str = "    opctl.dev/storage-loss: nobody has parts\n";

fn a_marker_allows_the_loss(project: &Place) {
    edit(project, TYPES, STRUCT, &format!("// +opctl:allow:OP620 reason=\"nobody has parts\"\n{STRUCT}"));
    let (code, said) = manifests(project, &[]);
    assert!(code == Some(0) && !said.contains("OP620") && !said.contains("OP404"), "{said}");
}

/// Checks that a CRD is not installed if its annotation `opctl.dev/storage-loss` is removed. Puts the annotation
/// back.
fn a_definition_without_the_annotation_is_not_installed(plane: &Plane, project: &Place) {
    edit(project, DEFINITION, REASON, "");
    let refused = plane.run(&project.root(), &["install"]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(said.contains("error: the new CRD `disks.example.com` would remove fields from stored objects"), "{said}");
    assert!(said.contains(&format!("caused by: {LOST}")), "{said}");
    edit(project, DEFINITION, "    opctl.dev/version:", &format!("{REASON}    opctl.dev/version:"));
}

#[tokio::test]
async fn objects_keep_what_they_have_there_and_back() {
    let (plane, project) = (Plane::start(), project_with_edited_types());
    install(&plane, &project);
    let client = plane.client().await;
    let mut full = json!({
        "size": 9, "most": 9, "unit": "Mi", "limits": {"most": 3, "unit": "Gi"},
        "parts": [{"name": "a"}], "members": [{"disk": "b"}],
    });
    let big = create_big(&client, &full).await;
    both_versions_have_everything(&plane, &project, &client, &mut full).await;
    the_rule_on_the_name_holds_in_the_new_version(&client, &big).await;

    edit(&project, TYPES, FIELD, "");
    store(&project, "v1");
    manifests_refuse_a_loss(&plane, &project);
    a_marker_allows_the_loss(&project);
    a_definition_without_the_annotation_is_not_installed(&plane, &project);
    assert_eq!(spec(&client, "v1alpha1").await, full);
    plane.must(&project.root(), &["install"]);
    assert_eq!(write(&client, "v1alpha1", 5).await["parts"], Value::Null, "as was said");
}

/// Fails unless opctl exits with 3 and prints each of `texts`.
#[track_caller]
fn is_refused(plane: &Plane, project: &Place, arguments: &[&str], texts: &[&str]) {
    let mut command = opctl(arguments);
    let output = command.current_dir(project.root()).env("KUBECONFIG", &plane.kubeconfig).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    for text in texts {
        assert!(said.contains(text), "it does not say `{text}`:\n{said}");
    }
}

const DELETE: [&str; 8] = ["delete", "api", "--kind", "Disk", "--version", "v1alpha1", "--against", "cluster"];

/// The command that the hint of a refused opctl command tells the user to run in the cluster.
const MIGRATE: &str = "opctl migrate Disk    # then run the same command again";

/// Checks that `opctl delete api` refuses to delete a version while the cluster may have objects stored in it. Then
/// migrates the objects to the version `v1`.
fn a_deletion_waits_for_a_migration(plane: &Plane, project: &Place) {
    let tree = || {
        let mut tree = project.tree();
        tree.retain(|path, _| !path.starts_with("target/"));
        tree
    };
    let before = tree();
    let stored =
        "error: the cluster of context `envtest` may have objects stored in versions that would be removed: `v1alpha1`";
    is_refused(plane, project, &DELETE, &[stored, &format!("hint: opctl install && {MIGRATE}")]);
    is_refused(
        plane,
        project,
        &["delete", "api", "--kind", "Disk", "--version", "v1"],
        &["error: `Disk` is stored in version `v1`"],
    );
    plane.must(&project.root(), &["install"]);
    is_refused(plane, project, &DELETE, &[stored, &format!("hint: {MIGRATE}")]);
    assert_same(&before, &tree(), "a refused deletion");
    plane.must(&project.root(), &["migrate", "Disk"]);
}

fn a_deletion_warns_of_what_still_names_the_version(plane: &Plane, project: &Place) {
    let root = project.root();
    let own = "apiVersion: example.com/v1alpha1\nkind: Disk\nmetadata:\n  name: own\nspec:\n  size: 1\n";
    std::fs::write(root.join("config/samples/own.yaml"), own).unwrap();
    let said = plane.must(&root, &DELETE);
    for warning in [
        "`config/samples/own.yaml` contains a `Disk` of `example.com/v1alpha1`",
        "`v1alpha1` of `Disk` was served until now",
        "opctl migrate Disk    # run this in each cluster before you install the CRD that lacks the version v1alpha1",
    ] {
        assert!(said.contains(warning), "it does not say `{warning}`:\n{said}");
    }
    assert!(!root.join("api/src/v1alpha1").exists());
}

/// Checks that the CRD is not installed in a cluster that may still store objects in the deleted version.
async fn another_cluster_is_migrated_first(plane: &Plane, project: &Place, client: &Client) {
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
    let patch = Patch::Merge(json!({"status": {"storedVersions": ["v1alpha1", "v1"]}}));
    definitions.patch_status("disks.example.com", &PatchParams::default(), &patch).await.unwrap();
    let (code, said) = manifests(project, &[]);
    assert_eq!(code, Some(0), "{said}");
    let lacks = "error: the new CRD `disks.example.com` lacks versions that objects may still be stored in: `v1alpha1`";
    let deploy = ["deploy", "--image", "example.com/disk:1", "--wait=false"];
    for command in [&["install"][..], &deploy] {
        is_refused(plane, project, command, &[lacks, &format!("hint: {MIGRATE}")]);
    }
    plane.must(&project.root(), &["migrate", "Disk"]);
    plane.must(&project.root(), &["install"]);
}

#[tokio::test]
async fn a_version_goes_once_nothing_is_stored_in_it() {
    let (plane, project) = (Plane::start(), Place::with_project());
    project.ok(&["create", "api", "--kind", "Disk", "--field", "size:integer(1..=9)", "--controller=false"]);
    install(&plane, &project);
    let client = plane.client().await;
    create_big(&client, &json!({"size": 3})).await;
    store(&project, "v1");
    let (code, said) = manifests(&project, &[]);
    assert_eq!(code, Some(0), "{said}");

    // The cluster is only asked with `--against cluster`, and a refused deletion writes nothing.
    a_deletion_waits_for_a_migration(&plane, &project);
    a_deletion_warns_of_what_still_names_the_version(&plane, &project);
    another_cluster_is_migrated_first(&plane, &project, &client).await;
    assert_eq!(spec(&client, "v1").await, json!({"size": 3}));
    assert!(disks(&client, "v1alpha1").get("big").await.is_err());
    let whole = ["delete", "api", "--kind", "Disk", "--against", "cluster"];
    is_refused(
        &plane,
        &project,
        &whole,
        &["error: the CRD `disks.example.com` is installed in the cluster of context `envtest`"],
    );
}
