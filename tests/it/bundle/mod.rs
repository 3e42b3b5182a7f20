//! Tests of `opctl bundle`, which writes files for a catalog of the Operator Lifecycle Manager. The contents of a
//! bundle must be equal to the objects that `opctl deploy` applies.

use crate::support::{
    Plane, assert_same, go_program, lay, must, opctl, project, target_folder, temporary, text, tool, tree,
};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
use std::process::Command;

mod catalog;
mod checked;
mod mutations;
mod verdicts;
mod verdicts_of_v1;

const IMAGE: &str = "registry.example.com/operator:1.2.0";

/// Copies the project `name` from `testdata/golden` and makes a bundle in it.
fn made(name: &str) -> (tempfile::TempDir, PathBuf) {
    let folder = temporary();
    let root = folder.path().join(name);
    lay(&project(name), &root);
    must(&mut bundle(&root, &[]));
    (folder, root)
}

fn bundle(root: &Path, arguments: &[&str]) -> Command {
    let mut command = opctl(&[&["bundle", "--image", IMAGE], arguments].concat());
    command.current_dir(root).env("CARGO_TARGET_DIR", target_folder());
    command
}

fn read(path: &Path) -> Value {
    let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    serde_yaml::from_str(&text).unwrap()
}

fn service_version(root: &Path) -> Value {
    let name = root.file_name().unwrap().to_str().unwrap();
    read(&root.join(format!("bundle/manifests/{name}.clusterserviceversion.yaml")))
}

/// Renders `config/default`, and returns its objects.
fn deployed(root: &Path) -> Vec<Value> {
    let rendered = must(tool("kubectl").args(["kustomize", "config/default"]).current_dir(root));
    serde_yaml::from_multiple(&text(&rendered.stdout)).unwrap()
}

fn rules(objects: &[Value], binding: &str) -> Vec<Value> {
    let bindings = objects.iter().filter(|object| object["kind"] == binding);
    let roles: Vec<&Value> = bindings.map(|binding| &binding["roleRef"]["name"]).collect();
    let bound = objects.iter().filter(|object| {
        binding.strip_suffix("Binding").is_some_and(|kind| object["kind"] == kind)
            && roles.contains(&&object["metadata"]["name"])
    });
    bound.flat_map(|role| role["rules"].as_array().unwrap().clone()).collect()
}

/// The operator's Deployment comes first in its bundle, even if another Deployment is rendered before it.
#[test]
fn the_operator_is_in_its_bundle_beside_other_deployments() {
    let folder = temporary();
    let root = folder.path().join("shop-operator");
    lay(&project("shop-operator"), &root);
    let cache = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: cache, namespace: system}\n\
                 spec: {selector: {matchLabels: {a: b}}, template: {metadata: {labels: {a: b}}, spec: {containers: [{name: redis, image: 'redis:7'}]}}}\n";
    std::fs::create_dir(root.join("config/cache")).unwrap();
    std::fs::write(root.join("config/cache/cache.yaml"), cache).unwrap();
    std::fs::write(root.join("config/cache/kustomization.yaml"), "resources: [cache.yaml]\n").unwrap();
    let list = root.join("config/default/kustomization.yaml");
    let text = std::fs::read_to_string(&list).unwrap();
    std::fs::write(&list, text.replacen("- ../crd\n", "- ../cache\n- ../crd\n", 1)).unwrap();
    must(&mut bundle(&root, &[]));
    let version = service_version(&root);
    assert_eq!(version["metadata"]["annotations"]["containerImage"], IMAGE);
    let deployments = version["spec"]["install"]["spec"]["deployments"].as_array().unwrap();
    let names: Vec<&Value> = deployments.iter().map(|one| &one["name"]).collect();
    assert_eq!(names, ["shop-operator-controller-manager", "shop-operator-cache"]);
}

/// Checks that `opctl update` does not change a bundle: only `opctl bundle` writes the files of the bundle, and the
/// file in `config/manifests/bases` from which it makes the `ClusterServiceVersion` belongs to the user.
#[test]
fn an_update_leaves_a_bundle_as_it_is() {
    let (_folder, root) = made("shop-operator");
    let update = |arguments: &[&str]| must(opctl(&[&["update"], arguments].concat()).current_dir(&root));
    update(&["--check"]);
    let base = root.join("config/manifests/bases/shop-operator.clusterserviceversion.yaml");
    let edited = std::fs::read_to_string(&base).unwrap().replace("An operator for", "Mine for");
    std::fs::write(&base, &edited).unwrap();
    let before = tree(&root);
    update(&[]);
    assert_same(&before, &tree(&root), "an update");
    assert!(edited.contains("Mine for"));
}

#[test]
fn a_bundle_is_as_recorded_and_has_the_rights_and_webhooks_of_the_project() {
    let (_folder, root) = made("platform-operator");
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/bundle");
    for file in [
        "bundle/manifests/platform-operator.clusterserviceversion.yaml",
        "bundle/metadata/annotations.yaml",
        "bundle.Dockerfile",
        "config/manifests/bases/platform-operator.clusterserviceversion.yaml",
    ] {
        let made = std::fs::read_to_string(root.join(file)).unwrap();
        let name = Path::new(file).file_name().unwrap();
        let name = if file.starts_with("config") { Path::new("base.yaml") } else { Path::new(name) };
        snapbox::assert_data_eq!(made, snapbox::Data::read_from(&recorded.join(name), None).raw());
    }

    let (version, objects) = (service_version(&root), deployed(&root));
    let install = &version["spec"]["install"]["spec"];
    for (key, binding) in [("clusterPermissions", "ClusterRoleBinding"), ("permissions", "RoleBinding")] {
        let found = install[key][0]["rules"].as_array().unwrap();
        let expected = rules(&objects, binding);
        assert_eq!(found.len(), expected.len(), "{key}");
        assert!(expected.iter().all(|rule| found.contains(rule)), "{key}");
    }
    let of_kind = |kind: &'static str| objects.iter().filter(move |object| object["kind"] == kind);
    let webhooks = ["MutatingWebhookConfiguration", "ValidatingWebhookConfiguration"].into_iter().flat_map(of_kind);
    let paths = webhooks.flat_map(|object| object["webhooks"].as_array().unwrap().clone());
    let paths: Vec<Value> = paths.map(|webhook| webhook["clientConfig"]["service"]["path"].clone()).collect();
    let found = version["spec"]["webhookdefinitions"].as_array().unwrap();
    assert!(paths.iter().all(|path| found.iter().any(|entry| entry["webhookPath"] == *path)), "{found:#?}");
    assert_eq!(found.len(), paths.len() + 1, "and the conversion");
    let again = must(&mut bundle(&root, &["-o", "json"]));
    let again: Value = serde_json::from_slice(&again.stdout).unwrap();
    assert_eq!(again["outcome"], "unchanged");
    let left_out = again["warnings"][0].as_str().unwrap();
    assert!(left_out.contains("namespaceSelector of the webhook mpod-v1."), "{left_out}");
    assert!(left_out.contains("validatingadmissionpolicy/platform-operator-core-configmap-policy"), "{left_out}");
}

#[test]
fn manifests_beside_the_cluster_service_version_are_valid() {
    let (_folder, root) = made("shop-operator");
    let plane = Plane::start();
    let manifests = root.join("bundle/manifests");
    let version = manifests.join("shop-operator.clusterserviceversion.yaml");
    std::fs::rename(version, root.join("version.yaml")).unwrap();
    let mut apply = tool("kubectl");
    apply.args(["apply", "--dry-run=server", "--filename"]).arg(&manifests).env("KUBECONFIG", &plane.kubeconfig);
    must(&mut apply);
    for object in deployed(&root).iter().filter(|object| object["kind"] == "CustomResourceDefinition") {
        let name = object["metadata"]["name"].as_str().unwrap();
        assert_eq!(read(&manifests.join(format!("{name}.yaml")))["spec"]["versions"], object["spec"]["versions"]);
    }
}

/// Compiles the program that runs the validators of operator-framework. Returns its path.
pub(crate) fn validator() -> PathBuf {
    go_program("olm-validator", ".")
}

/// Returns the messages of the validators of operator-framework about a bundle, each with its level.
pub(crate) fn validated(bundle: &Path) -> Vec<String> {
    let output = must(tool(validator()).arg("bundle").arg(bundle));
    let said: Vec<Value> = serde_json::from_slice(&output.stdout).unwrap();
    said.iter().map(|one| format!("{} {}", one["level"].as_str().unwrap(), one["message"].as_str().unwrap())).collect()
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_validator_of_operator_framework_has_no_errors() {
    for name in ["kinds-operator", "platform-operator", "shop-operator", "webserver-operator"] {
        let (_folder, root) = made(name);
        let said = validated(&root.join("bundle"));
        assert!(!said.iter().any(|said| said.starts_with("error")), "{name}: {said:#?}");
        assert!(said.iter().any(|said| said.contains("csv.Spec.Icon not specified")), "{name}: {said:#?}");
    }
    let (_folder, root) = made("shop-operator");
    std::fs::remove_file(root.join("bundle/manifests/webservers.example.com.yaml")).unwrap();
    let said = validated(&root.join("bundle"));
    assert!(said.iter().any(|said| said.starts_with("error") && said.contains("owned CRD")), "{said:#?}");
}

#[test]
fn bundle_keeps_edited_descriptions_and_removes_stale_files() {
    let (_folder, root) = made("webserver-operator");
    let base = root.join("config/manifests/bases/webserver-operator.clusterserviceversion.yaml");
    let text_of_base = std::fs::read_to_string(&base).unwrap();
    let edited = text_of_base.replace("displayName: Webserver Operator", "displayName: Webs of ours")
        + "  customresourcedefinitions:\n    owned:\n    - name: webservers.example.com\n      version: v1alpha1\n      \
           kind: WebServer\n      displayName: A web\n    required:\n    - {name: a.e.com, version: v1, kind: A}\n";
    assert_ne!(edited, text_of_base);
    std::fs::write(&base, &edited).unwrap();
    must(opctl(&["edit", "--enable", "prometheus"]).current_dir(&root));
    must(&mut bundle(&root, &["--version", "2.0.0-rc.1", "--channels", "stable,fast", "--default-channel", "fast"]));
    let version = service_version(&root);
    assert_eq!(version["metadata"]["name"], "webserver-operator.v2.0.0-rc.1");
    assert_eq!(version["spec"]["displayName"], "Webs of ours");
    let kinds = &version["spec"]["customresourcedefinitions"];
    assert_eq!((&kinds["owned"][0]["displayName"], &kinds["required"][0]["kind"]), (&json!("A web"), &json!("A")));
    assert!(kinds["owned"][0]["specDescriptors"].is_array());
    assert_eq!(std::fs::read_to_string(&base).unwrap(), edited);
    let annotations = &read(&root.join("bundle/metadata/annotations.yaml"))["annotations"];
    assert_eq!(annotations["operators.operatorframework.io.bundle.channels.v1"], "stable,fast");
    assert_eq!(annotations["operators.operatorframework.io.bundle.channel.default.v1"], "fast");
    let monitor = root.join("bundle/manifests/controller-manager-metrics-monitor_servicemonitor.yaml");
    assert!(monitor.exists());
    must(opctl(&["edit", "--disable", "prometheus"]).current_dir(&root));
    must(&mut bundle(&root, &[]));
    assert!(!monitor.exists());

    must(opctl(&["edit", "--namespaced"]).current_dir(&root));
    must(&mut bundle(&root, &["--regenerate"]));
    let modes = service_version(&root)["spec"]["installModes"].clone();
    let supported = modes.as_array().unwrap().iter().filter(|mode| mode["supported"] == true);
    assert_eq!(supported.map(|mode| &mode["type"]).collect::<Vec<_>>(), ["OwnNamespace"]);
}

#[test]
fn bundle_refuses_invalid_arguments_and_files_and_writes_nothing() {
    let (_folder, root) = made("webserver-operator");
    let fails = |arguments: &[&str], code: i32, message: &str| {
        let before = tree(&root);
        let output = bundle(&root, arguments).output().unwrap();
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(code), "{said}");
        assert!(said.contains(&format!("error: {message}\n")) && said.contains("\nhint: "), "{said}");
        assert_same(&before, &tree(&root), "nothing is written");
    };
    fails(&["--version", "1.0"], 2, "`1.0` is not a semantic version");
    fails(&["--channels", "Größe"], 2, "`Größe` is not a valid name for a package or a channel");
    fails(&["--package", ""], 2, "`` is not a valid name for a package or a channel");
    fails(&["--default-channel", "b"], 2, "`b` is not one of the channels");
    let name = "config/manifests/bases/webserver-operator.clusterserviceversion.yaml";
    let base = std::fs::read_to_string(root.join(name)).unwrap();
    std::fs::write(root.join(name), "kind: Deployment\n").unwrap();
    fails(&[], 1, &format!("`{name}` is not a ClusterServiceVersion with a `spec`"));
    std::fs::write(root.join(name), "spec: [").unwrap();
    fails(&[], 1, &format!("`{name}` is not YAML"));
    std::fs::write(root.join(name), base).unwrap();
    std::fs::write(root.join("config/samples/v1alpha1_webserver.yaml"), "spec: [").unwrap();
    fails(&[], 1, "`config/samples/v1alpha1_webserver.yaml` is not YAML");
    must(tool("sh").args(["-c", "echo 'kind: A' > config/samples/v1alpha1_webserver.yaml"]).current_dir(&root));
    let manifest = root.join("Cargo.toml");
    let cargo = std::fs::read_to_string(&manifest).unwrap();
    std::fs::write(&manifest, cargo.replacen("version = \"0.1.0\"\n", "", 1)).unwrap();
    fails(&["--regenerate"], 1, "`Cargo.toml` does not give the operator's version");
}
