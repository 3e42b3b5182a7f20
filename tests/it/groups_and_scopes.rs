//! Operators of `testdata/golden` at both extremes: one with five kinds in four groups and both scopes, whose
//! samples all get a status, and one without any kind.

use crate::support::{Operator, Plane, project, ready, reported, temporary, until};
use kube::api::{Api, ApiResource, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use serde_json::json;

#[tokio::test]
async fn every_kind_of_a_larger_operator_is_reported_on() {
    let plane = Plane::start();
    let root = project("platform-operator");
    let said = plane.must(&root, &["install"]);
    assert_eq!(said.matches("create customresourcedefinition/").count(), 5, "{said}");
    let client = plane.client().await;
    // No webhook is served here, and the versions of a tenant do not differ.
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
    let change = Patch::Merge(json!({ "spec": { "conversion": { "strategy": "None", "webhook": null } } }));
    definitions.patch("tenants.example.org", &PatchParams::default(), &change).await.unwrap();
    let temporary = temporary();
    let log = temporary.path().join("operator.log");
    let operator = Operator::start(&plane, "platform-operator", &log);

    let mut seen = 0;
    for entry in std::fs::read_dir(root.join("config/samples")).unwrap().map(Result::unwrap) {
        let text = std::fs::read_to_string(entry.path()).unwrap();
        let Ok(sample) = serde_yaml::from_str::<DynamicObject>(&text) else { continue };
        let Some((api_version, kind)) =
            sample.types.as_ref().map(|types| (types.api_version.clone(), types.kind.clone()))
        else {
            continue;
        };
        let (group, version) = api_version.split_once('/').unwrap();
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, &kind));
        let api: Api<DynamicObject> = match kind.as_str() {
            "Tenant" => Api::all_with(client.clone(), &resource),
            _ => Api::namespaced_with(client.clone(), "default", &resource),
        };
        let name = sample.metadata.name.clone().unwrap();
        api.patch(&name, &PatchParams::apply("test"), &Patch::Apply(&sample)).await.unwrap();
        let object = until(&api, &name, &log, reported).await;
        // The children of a tenant are there with it; what the others are to have is not written yet.
        assert_eq!(ready(&object).0 == "True", kind == "Tenant", "{object:?}");
        let manager = format!("platform-operator/{}", field_manager(group, &kind));
        let managers = object.metadata.managed_fields.unwrap();
        assert!(managers.iter().any(|entry| entry.manager.as_ref() == Some(&manager)), "{manager}: {managers:?}");
        seen += 1;
    }
    assert_eq!(seen, 6);
    assert_eq!(operator.stop(), Some(0), "{}", std::fs::read_to_string(&log).unwrap());
    plane.must(&root, &["uninstall", "--force"]);
}

#[test]
fn an_operator_without_an_api_runs_until_it_is_stopped() {
    let plane = Plane::start();
    let temporary = temporary();
    let log = temporary.path().join("operator.log");
    let operator = Operator::start(&plane, "bare-operator", &log);
    let said = || std::fs::read_to_string(&log).unwrap();
    let start = std::time::Instant::now();
    while !said().contains("serving probes") {
        assert!(start.elapsed().as_secs() < 30, "{}", said());
        std::thread::sleep(std::time::Duration::from_millis(50));
    }
    assert_eq!(operator.stop(), Some(0), "{}", said());
}

/// Returns the part of the field manager's name that identifies a controller: the group without `.example.org`, a
/// hyphen, and the kind in lower case. For the group `example.org`, this is only the kind.
fn field_manager(group: &str, kind: &str) -> String {
    let kind = kind.to_lowercase();
    match group.strip_suffix(".example.org") {
        Some(group) => format!("{group}-{kind}"),
        None => kind,
    }
}
