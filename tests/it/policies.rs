//! The policies of a project in `testdata/golden` on a real API server.

use crate::support::{Plane, edit, lay, project, temporary};
use kube::api::{Api, ApiResource, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use kube::{Client, ResourceExt, core::Status};
use opctl::test_api::cluster::{Connection, InstallOptions, Target, apply_policies, install, run};
use opctl::test_api::report::Console;
use serde_json::json;
use std::path::Path;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(30);
const FILE: &str = "config/policy/dns_dnszone_policy.yaml";

fn apply(target: &Target, root: &Path) -> opctl::Result<usize> {
    run(target, LIMIT, async { apply_policies(root, &Connection::open(target, &Console::silent()).await?).await })
}

/// Changes an annotation of an object in a dry run until a policy denies it. Returns the denial.
pub(crate) async fn denied(objects: &Api<DynamicObject>, annotation: &str) -> Box<Status> {
    let change = Patch::Merge(json!({ "metadata": { "annotations": { annotation: "mallory" } } }));
    for _ in 0..400 {
        match objects.patch("sample", &PatchParams::default().dry_run(), &change).await {
            Err(kube::Error::Api(status)) => return status,
            other => drop(other.unwrap()),
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    panic!("nothing denies a change of `{annotation}`");
}

async fn object(client: &Client, kind: GroupVersionKind, annotation: &str) -> Api<DynamicObject> {
    let resource = ApiResource::from_gvk(&kind);
    let objects: Api<DynamicObject> = Api::namespaced_with(client.clone(), "default", &resource);
    let mut object = DynamicObject::new("sample", &resource).data(json!({ "spec": {}, "data": {} }));
    object.data.as_object_mut().unwrap().retain(|key, _| (key == "data") == (kind.kind == "ConfigMap"));
    object.metadata.annotations = Some([(annotation.to_owned(), "alice".to_owned())].into());
    objects.create(&PostParams::default(), &object).await.unwrap();
    objects
}

/// Returns true if the cluster has the binding of the policy in `FILE`.
fn is_bound(plane: &Plane, target: &Target) -> bool {
    let kind = GroupVersionKind::gvk("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicyBinding");
    let resource = ApiResource::from_gvk(&kind);
    run(target, LIMIT, async {
        let bindings: Api<DynamicObject> = Api::all_with(plane.client().await, &resource);
        Ok(bindings.get_opt("platform-operator-dns-dnszone-policy-binding").await.unwrap().is_some())
    })
    .unwrap()
}

/// The correct rule in the policy file `FILE`, which tests replace with a faulty rule.
const RULE: &str = "expression: variables.before == ''";

/// A rule with a misspelt field name. The API server accepts a policy with this rule, but if the policy were bound, it
/// would refuse every change of an object.
const MISSPELT: &str = "expression: object.spec.mesage == 'x'";

fn a_policy_with_a_mistake_is_not_bound(plane: &Plane, target: &Target, root: &Path) {
    let good = std::fs::read_to_string(root.join(FILE)).unwrap();
    for (text, error) in [
        (good.replace(RULE, MISSPELT), "fail type checking against the kind"),
        (good.replace(RULE, "expression: object.spec."), "refuses `platform-operator-dns-dnszone-policy`"),
        (
            good.replace("k8s.io/v1\n", "k8s.io/v1beta7\n"),
            "the cluster does not serve ValidatingAdmissionPolicy of admissionregistration.k8s.io/v1beta7",
        ),
    ] {
        assert_ne!(text, good);
        std::fs::write(root.join(FILE), text).unwrap();
        let found = apply(target, root).unwrap_err();
        assert!(found.message().contains(error), "{found}");
        assert!(!is_bound(plane, target), "{error}");
    }
    std::fs::write(root.join(FILE), good).unwrap();
}

/// Checks that a policy in force stays as it is when a mistake gets into its file.
fn a_mistake_does_not_replace_a_policy(target: &Target, root: &Path) {
    edit(&root.join(FILE), RULE, MISSPELT);
    let found = apply(target, root).unwrap_err();
    assert_eq!(
        found.message(),
        "expressions of the policy `platform-operator-dns-dnszone-policy` fail type checking against the kind"
    );
}

async fn no_policy_of_a_check_is_left(client: &Client) {
    let kind = GroupVersionKind::gvk("admissionregistration.k8s.io", "v1", "ValidatingAdmissionPolicy");
    let policies: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
    let names: Vec<_> =
        policies.list(&ListParams::default()).await.unwrap().items.iter().map(ResourceExt::name_any).collect();
    assert!(!names.iter().any(|name| name.ends_with("-opctl-check")), "{names:?}");
}

async fn the_creator_stays_and_other_annotations_change(zones: &Api<DynamicObject>, creator: &str) {
    let refused = denied(zones, creator).await;
    assert_eq!((refused.reason.as_str(), refused.code), ("Forbidden", 403), "{refused:?}");
    assert!(refused.message.contains("the creator stays: annotation dns.example.org/created-by is "), "{refused:?}");
    let change = Patch::Merge(json!({ "metadata": { "annotations": { "another": "one" } } }));
    zones.patch("sample", &PatchParams::default(), &change).await.unwrap();
}

/// Checks that a policy for a kind that the project does not define (`ConfigMap`) applies only after the namespace gets
/// the label `example.org/policies`.
async fn a_kind_of_others_needs_the_label(client: &Client) {
    let own = "example.org/created-by";
    let maps = object(client, GroupVersionKind::gvk("", "v1", "ConfigMap"), own).await;
    let change = Patch::Merge(json!({ "metadata": { "annotations": { own: "bob" } } }));
    maps.patch("sample", &PatchParams::default(), &change).await.unwrap();
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Namespace"));
    let namespaces: Api<DynamicObject> = Api::all_with(client.clone(), &resource);
    let label = Patch::Merge(json!({ "metadata": { "labels": { "example.org/policies": "enforced" } } }));
    namespaces.patch("default", &PatchParams::default(), &label).await.unwrap();
    let refused = denied(&maps, own).await;
    assert!(refused.message.contains("is bob"), "{refused:?}");
}

#[test]
fn policies_hold_where_no_operator_runs() {
    let plane = Plane::simulated();
    let target = Target { kubeconfig: Some(plane.kubeconfig.clone()), ..Target::default() };
    let folder = temporary();
    let root = folder.path();
    lay(&project("platform-operator"), root);
    let options = InstallOptions { target: target.clone(), timeout: LIMIT, force_conflicts: false, dry_run: false };
    install(root, &options, &Console::silent()).unwrap();
    a_policy_with_a_mistake_is_not_bound(&plane, &target, root);
    assert_eq!(apply(&target, root).unwrap(), 3);
    assert_eq!(apply(&target, root).unwrap(), 3, "again");
    assert!(is_bound(&plane, &target));
    a_mistake_does_not_replace_a_policy(&target, root);

    run(&target, LIMIT, async {
        let client = plane.client().await;
        let creator = "dns.example.org/created-by";
        let zones = object(&client, GroupVersionKind::gvk("dns.example.org", "v1beta1", "DNSZone"), creator).await;
        no_policy_of_a_check_is_left(&client).await;
        the_creator_stays_and_other_annotations_change(&zones, creator).await;
        a_kind_of_others_needs_the_label(&client).await;
        Ok(())
    })
    .unwrap();
}
