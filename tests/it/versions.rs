//! Another version of a kind on a real API server: objects are converted there and back, and no loss goes unreported.

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

#[tokio::test]
async fn objects_keep_what_they_have_there_and_back() {
    let (plane, project) = (Plane::start(), Place::with_project());
    project.ok(&["create", "api", "--kind", "Disk", "--field", "size:integer(1..=9)", "--owns", "ConfigMap"]);
    project.ok(&["create", "api", "--kind", "Pool", "--controller=false"]);
    // Types after a user's edits: modules, rules, helpers.
    let case = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/cases/create-api-second-version-of-edited-types");
    lay(&case.join("edit"), &project.root());
    install(&plane, &project);
    let client = plane.client().await;
    let mut full = json!({
        "size": 9, "most": 9, "unit": "Mi", "limits": {"most": 3, "unit": "Gi"}, "parts": [{"name": "a"}], "members": [{"disk": "b"}],
    });
    let big = json!({
        "apiVersion": "example.com/v1alpha1", "kind": "Disk", "metadata": {"name": "big"}, "spec": full,
    });
    let big: DynamicObject = serde_json::from_value(big).unwrap();
    disks(&client, "v1alpha1").create(&PostParams::default(), &big).await.unwrap();

    for (stored, sizes) in [("v1", [8, 7]), ("v1alpha1", [6, 5])] {
        store(&project, stored);
        install(&plane, &project);
        for version in ["v1", "v1alpha1"] {
            assert_eq!(spec(&client, version).await, full, "stored as {stored}, read as {version}");
        }
        for (version, size) in ["v1", "v1alpha1"].into_iter().zip(sizes) {
            full["size"] = size.into();
            assert_eq!(write(&client, version, size).await, full, "stored as {stored}, written as {version}");
            for read in ["v1", "v1alpha1"] {
                assert_eq!(spec(&client, read).await, full, "stored as {stored}, written as {version}, read as {read}");
            }
        }
    }
    // The rule on the name also holds in the new version.
    let mut named = big.clone();
    (named.metadata.name, named.types.as_mut().unwrap().api_version) = (Some("1".into()), "example.com/v1".into());
    let refused = disks(&client, "v1").create(&PostParams::default(), &named).await.unwrap_err();
    assert!(refused.to_string().contains("name must be a DNS label"), "{refused}");

    edit(&project, TYPES, FIELD, "");
    store(&project, "v1");
    let before = read(&project, DEFINITION);
    let lost = "objects are stored as v1alpha1, and their next write would store them as v1 and lose data: v1 lacks `spec.parts`";
    let (code, said) = manifests(&project, &[]);
    assert_eq!((code, read(&project, DEFINITION)), (Some(1), before), "{said}");
    assert!(said.contains(&format!("error[OP620]: `Disk`: {lost}\n  --> {TYPES}:")), "{said}");
    let kubeconfig = plane.kubeconfig.to_str().unwrap();
    let (code, said) = manifests(&project, &["--against", "cluster", "--kubeconfig", kubeconfig]);
    assert!(code == Some(3) && said.contains(lost), "{code:?} {said}");
    assert_eq!(said.matches("error[OP620]").count(), 1, "{said}");

    // With the marker, the loss is allowed, and the CRD gets an annotation. Without the annotation, the CRD is not
    // installed.
    edit(&project, TYPES, STRUCT, &format!("// +opctl:allow:OP620 reason=\"nobody has parts\"\n{STRUCT}"));
    let (code, said) = manifests(&project, &[]);
    assert!(code == Some(0) && !said.contains("OP620") && !said.contains("OP404"), "{said}");
    let reason = "    opctl.dev/storage-loss: nobody has parts\n";
    edit(&project, DEFINITION, reason, "");
    let refused = plane.run(&project.root(), &["install"]);
    let said = text(&refused.stderr);
    assert_eq!(refused.status.code(), Some(3), "{said}");
    assert!(said.contains("error: `disks.example.com` would remove fields from stored objects"), "{said}");
    assert!(said.contains(&format!("caused by: {lost}")), "{said}");
    assert_eq!(spec(&client, "v1alpha1").await, full);
    edit(&project, DEFINITION, "    opctl.dev/version:", &format!("{reason}    opctl.dev/version:"));
    plane.must(&project.root(), &["install"]);
    full.as_object_mut().unwrap().remove("parts");
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

#[tokio::test]
async fn a_version_goes_once_nothing_is_stored_in_it() {
    let (plane, project) = (Plane::start(), Place::with_project());
    let root = project.root();
    project.ok(&["create", "api", "--kind", "Disk", "--field", "size:integer(1..=9)", "--controller=false"]);
    install(&plane, &project);
    let client = plane.client().await;
    let big = json!({
        "apiVersion": "example.com/v1alpha1", "kind": "Disk", "metadata": {"name": "big"}, "spec": {"size": 3},
    });
    let big: DynamicObject = serde_json::from_value(big).unwrap();
    disks(&client, "v1alpha1").create(&PostParams::default(), &big).await.unwrap();
    store(&project, "v1");
    let (code, said) = manifests(&project, &[]);
    assert_eq!(code, Some(0), "{said}");

    // The cluster is only asked with `--against cluster`, and a refused deletion writes nothing.
    let tree = || {
        let mut tree = project.tree();
        tree.retain(|path, _| !path.starts_with("target/"));
        tree
    };
    let before = tree();
    let delete = ["delete", "api", "--kind", "Disk", "--version", "v1alpha1", "--against", "cluster"];
    let stored = "error: the cluster of context `envtest` may have objects stored in `v1alpha1`";
    let migrate = "opctl migrate Disk    # then run the same command again";
    is_refused(&plane, &project, &delete, &[stored, &format!("hint: opctl install && {migrate}")]);
    is_refused(
        &plane,
        &project,
        &["delete", "api", "--kind", "Disk", "--version", "v1"],
        &["error: `Disk` is stored in version `v1`"],
    );
    plane.must(&root, &["install"]);
    is_refused(&plane, &project, &delete, &[stored, &format!("hint: {migrate}")]);
    assert_same(&before, &tree(), "a refused deletion");
    plane.must(&root, &["migrate", "Disk"]);
    let own = "apiVersion: example.com/v1alpha1\nkind: Disk\nmetadata:\n  name: own\nspec:\n  size: 1\n";
    std::fs::write(root.join("config/samples/own.yaml"), own).unwrap();
    let said = plane.must(&root, &delete);
    for warning in [
        "`config/samples/own.yaml` contains a `Disk` of `example.com/v1alpha1`",
        "`v1alpha1` of `Disk` was served until now",
        "opctl migrate Disk    # in each cluster, before the CRD without v1alpha1 is installed there",
    ] {
        assert!(said.contains(warning), "it does not say `{warning}`:\n{said}");
    }
    assert!(!root.join("api/src/v1alpha1").exists());

    // Another cluster may still store objects in the deleted version.
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
    let patch = Patch::Merge(json!({"status": {"storedVersions": ["v1alpha1", "v1"]}}));
    definitions.patch_status("disks.example.com", &PatchParams::default(), &patch).await.unwrap();
    let (code, said) = manifests(&project, &[]);
    assert_eq!(code, Some(0), "{said}");
    let lacks = "error: `disks.example.com` lacks a version that objects may be stored in: `v1alpha1`";
    let deploy = ["deploy", "--image", "example.com/disk:1", "--wait=false"];
    for command in [&["install"][..], &deploy] {
        is_refused(&plane, &project, command, &[lacks, &format!("hint: {migrate}")]);
    }
    plane.must(&root, &["migrate", "Disk"]);
    plane.must(&root, &["install"]);
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
