//! A further version of a kind on a real API server: objects go there and back, and nothing is lost without a word.

use crate::definitions::{edit, manifests, read};
use crate::life::Plane;
use crate::support::{Place, lay, text};
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

/// Makes the definition of what the types say, and installs it.
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
    // Types as somebody wrote them on: modules, rules, helpers.
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
    // The rule on the name holds in the new version, too.
    let mut named = big.clone();
    (named.metadata.name, named.types.as_mut().unwrap().api_version) = (Some("1".into()), "example.com/v1".into());
    let refused = disks(&client, "v1").create(&PostParams::default(), &named).await.unwrap_err();
    assert!(refused.to_string().contains("name must be a DNS label"), "{refused}");

    edit(&project, TYPES, FIELD, "");
    store(&project, "v1");
    let before = read(&project, DEFINITION);
    let lost = "objects are stored as v1alpha1, and would be stored as v1 with their next write: v1 lacks `spec.parts`";
    let (code, said) = manifests(&project, &[]);
    assert_eq!((code, read(&project, DEFINITION)), (Some(1), before), "{said}");
    assert!(said.contains(&format!("error[OP620]: `Disk`: {lost}\n  --> {TYPES}:")), "{said}");
    let kubeconfig = plane.kubeconfig.to_str().unwrap();
    let (code, said) = manifests(&project, &["--against", "cluster", "--kubeconfig", kubeconfig]);
    assert!(code == Some(3) && said.contains(lost), "{code:?} {said}");
    assert_eq!(said.matches("error[OP620]").count(), 1, "{said}");

    // Said to be meant, it is written and installed; written by hand, it is not.
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
