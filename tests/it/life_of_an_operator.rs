//! The life of `webserver-operator` from `testdata/golden` on a real API server: install, sample, Ready, change,
//! delete, uninstall.

use crate::support::{Operator, Plane, project, ready, reported, temporary, until, web_servers};
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, Patch, PatchParams};
use kube::core::GroupVersionKind;
use std::path::Path;
use std::time::{Duration, Instant};

#[tokio::test]
async fn a_generated_operator_lives_on_a_real_api_server() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    install_creates_the_crd_once(&plane, &root);
    let client = plane.client().await;
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let definitions: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
    let labels = definitions.get("webservers.example.com").await.unwrap().metadata.labels.unwrap();
    assert_eq!(labels["app.kubernetes.io/name"], "webserver-operator", "kustomize would have set it");
    let api = web_servers(&client);
    let temporary = temporary();
    let log = temporary.path().join("operator.log");
    let operator = Operator::start(&plane, "webserver-operator", &log);

    let text = std::fs::read_to_string(root.join("config/samples/v1alpha1_webserver.yaml")).unwrap();
    let sample: DynamicObject = serde_yaml::from_str(&text).unwrap();
    let name = sample.metadata.name.clone().unwrap();
    let parameters = PatchParams::apply("test");
    api.patch(&name, &parameters, &Patch::Apply(&sample)).await.unwrap();
    let object = until(&api, &name, &log, reported).await;
    assert_eq!(ready(&object).0, "False", "nothing is done for it: {object:?}");
    assert_eq!(ready(&object).2, object.metadata.generation.unwrap());

    // No request is sent for a converged object: only the user's change gives it a new version.
    tokio::time::sleep(Duration::from_millis(500)).await;
    assert_eq!(api.get(&name).await.unwrap().metadata.resource_version, object.metadata.resource_version);

    let changed = serde_json::json!({"spec": {"message": "Changed"}});
    api.patch(&name, &PatchParams::default(), &Patch::Merge(&changed)).await.unwrap();
    let object = until(&api, &name, &log, |object| ready(object).1.contains("Changed")).await;
    let message = "`reconcile` does nothing yet with `Changed`";
    assert_eq!(ready(&object), ("False".to_owned(), message.to_owned(), 2));

    let refused = serde_json::json!({"spec": {"message": ""}});
    let error = api.patch(&name, &PatchParams::default(), &Patch::Merge(&refused)).await.unwrap_err();
    assert!(error.to_string().contains("spec.message"), "{error}");

    uninstall_is_refused_while_there_is_an_object(&plane, &root);
    delete(&api, &name).await;
    assert_eq!(operator.stop(), Some(0), "{}", std::fs::read_to_string(&log).unwrap());

    plane.must(&root, &["uninstall"]);
    let again = plane.must(&root, &["uninstall"]);
    assert!(again.contains("nothing to do"), "{again}");
}

fn install_creates_the_crd_once(plane: &Plane, root: &Path) {
    let dry = plane.must(root, &["install", "--dry-run"]);
    assert!(dry.contains("create customresourcedefinition/webservers.example.com"), "{dry}");
    let first = plane.must(root, &["install"]);
    assert!(first.contains("create customresourcedefinition/webservers.example.com"), "{first}");
    assert!(first.contains("https://127.0.0.1:"), "the server is shown first: {first}");
    let second = plane.must(root, &["install"]);
    assert!(second.contains("unchanged customresourcedefinition/webservers.example.com"), "{second}");
}

fn uninstall_is_refused_while_there_is_an_object(plane: &Plane, root: &Path) {
    let refusal = plane.run(root, &["uninstall"]);
    let said = String::from_utf8_lossy(&refusal.stderr).into_owned();
    assert_eq!(refusal.status.code(), Some(3), "{said}");
    assert!(said.contains("error: `webservers.example.com` still has 1 object"), "{said}");
    assert!(said.contains("1 object of webservers in namespace `default`"), "{said}");
}

/// Deletes an object, and waits until it is gone.
async fn delete(api: &Api<DynamicObject>, name: &str) {
    api.delete(name, &DeleteParams::default()).await.unwrap();
    let start = Instant::now();
    while api.get_opt(name).await.unwrap().is_some() {
        assert!(start.elapsed() < Duration::from_secs(10), "the object is not deleted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

#[test]
fn install_reports_an_unusable_cluster_with_one_clear_error() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    let fails = |arguments: &[&str], code: i32, texts: &[&str]| {
        let output = plane.run(&root, arguments);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(code), "opctl {arguments:?}\n{said}");
        for text in texts.iter().chain(&["error: ", "hint: "]) {
            assert!(said.contains(text), "opctl {arguments:?} does not say `{text}`:\n{said}");
        }
        assert_eq!(said.matches("error: ").count(), 1, "{said}");
    };
    fails(
        &["install", "--context", "other"],
        4,
        &["the context `other` is not in the kubeconfig", "it has `envtest`", "--context envtest"],
    );
    fails(&["install", "--kubeconfig", "none.yaml"], 4, &["no kubeconfig", "none.yaml", "opctl envtest start"]);

    let text = std::fs::read_to_string(&plane.kubeconfig).unwrap();
    let temporary = temporary();
    let write = |name: &str, text: String| {
        let path = temporary.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_string_lossy().into_owned()
    };
    let mut nobody: serde_json::Value = serde_yaml::from_str(&text).unwrap();
    let server = nobody["clusters"][0]["cluster"]["server"].as_str().unwrap().to_owned();
    let unreachable = write("unreachable", text.replace(&server, "https://127.0.0.1:1"));
    fails(&["install", "--kubeconfig", &unreachable], 5, &["cannot reach `https://127.0.0.1:1`"]);

    nobody["users"][0]["user"] = serde_json::json!({});
    let forbidden = write("forbidden", nobody.to_string());
    fails(&["install", "--kubeconfig", &forbidden], 5, &["you may not get customresourcedefinitions", "auth can-i"]);
    nobody["users"][0]["user"] = serde_json::json!({"token": "wrong"});
    let unauthorized = write("unauthorized", nobody.to_string());
    fails(&["install", "--kubeconfig", &unauthorized], 5, &["cannot authenticate you"]);
}

#[tokio::test]
async fn a_field_of_somebody_else_is_a_conflict_until_forced() {
    let plane = Plane::start();
    let root = project("webserver-operator");
    plane.must(&root, &["install"]);
    let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
    let api: Api<DynamicObject> = Api::all_with(plane.client().await, &ApiResource::from_gvk(&kind));
    let theirs = serde_json::json!({
        "apiVersion": "apiextensions.k8s.io/v1",
        "kind": "CustomResourceDefinition",
        "spec": {"names": {"kind": "WebServer", "listKind": "Elsewhere", "plural": "webservers"}},
    });
    let parameters = PatchParams::apply("somebody").force();
    api.patch("webservers.example.com", &parameters, &Patch::Apply(&theirs)).await.unwrap();
    let output = plane.run(&root, &["install"]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(
        said.contains("another field manager owns fields of")
            && said.contains(".spec.names.listKind")
            && said.contains("--force-conflicts"),
        "{said}"
    );
    plane.must(&root, &["install", "--force-conflicts"]);
}
