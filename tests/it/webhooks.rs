//! Tests of webhooks from markers: checks the files in `config/webhook` after markers are added and removed, and a real
//! API server's answers to webhook configurations.

use crate::book::{commands, shell_words};
use crate::support::{Place, Plane, assert_same, must, opctl, target_folder, tool};
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use kube::core::{ApiResource, GroupVersionKind};
use std::fs;
use std::path::Path;

const MARKER: &str = "\
// +opctl:webhook:path=/validate--v1-pod,mutating=false,failurePolicy=fail,sideEffects=None,groups=core,resources=pods,\
verbs=create,versions=v1,name=vpod-v1.kb.io,admissionReviewVersions=v1
";
const KUSTOMIZATION: &str = "config/webhook/kustomization.yaml";
const MANIFESTS: &str = "config/webhook/manifests.yaml";

#[test]
fn the_folder_comes_with_the_first_marker_and_goes_with_the_last() {
    let place = Place::with_project();
    let (hooks, kustomization) = (place.root().join("src/hooks.rs"), place.root().join(KUSTOMIZATION));
    place.ok(&["manifests"]);
    let without = place.content();
    assert!(!kustomization.exists());

    fs::write(&hooks, MARKER).unwrap();
    place.ok(&["manifests"]);
    let with = place.content();
    place.ok(&["manifests"]);
    assert_same(&with, &place.content(), "again");
    fs::remove_file(&hooks).unwrap();
    place.ok(&["manifests"]);
    let left = place.content();
    assert_same(&without, &left, "the last marker is gone");

    fs::write(&hooks, MARKER).unwrap();
    place.ok(&["manifests"]);
    let listed = fs::read_to_string(&kustomization).unwrap();
    let (resources, others) = listed.split_once("configurations:").unwrap();
    let listed = format!("{resources}- mine.yaml\nconfigurations:{others}");
    fs::write(&kustomization, &listed).unwrap();
    fs::remove_file(&hooks).unwrap();
    place.ok(&["manifests"]);
    let left = fs::read_to_string(&kustomization).unwrap();
    assert!(left.contains("resources:\n- service.yaml\n"), "{left}");
    assert!(left.contains("\n- mine.yaml\n") && !left.contains("manifests.yaml"), "{left}");
    assert!(!place.root().join(MANIFESTS).exists());
    fs::write(&hooks, MARKER).unwrap();
    place.ok(&["manifests"]);
    assert_eq!(fs::read_to_string(&kustomization).unwrap(), listed);
}

/// Renders `config/default`.
fn rendered(place: &Place) -> String {
    let output = tool("kubectl").args(["kustomize", "config/default"]).current_dir(place.root()).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn scaffolded_webhooks_are_deployed_as_long_as_there_is_one() {
    let mut place = Place::new();
    // The commands of the tutorial's first part.
    let chapter = commands("tutorials/webhooks-and-versions");
    let [scaffold @ .., last] = chapter.split(|line| line.starts_with("mkdir ")).nth(1).unwrap() else {
        panic!("{chapter:?}")
    };
    assert_eq!(last, "opctl manifests");
    for line in scaffold {
        let words = shell_words(line);
        place.ok(&words[1..].iter().map(String::as_str).collect::<Vec<_>>());
    }
    place.keep("webhooks");
    let manifests = || {
        must(opctl(&["manifests"]).current_dir(place.root()).env("CARGO_TARGET_DIR", target_folder()));
    };
    manifests();
    let deployed = rendered(&place);
    // The names in the environment and in rules are those of the rendered objects.
    for name in ["webhook-service", "webhook-server-cert", "mutating-webhook-configuration"] {
        let named = format!("project-{name}");
        assert!(deployed.contains(&format!("value: {named}\n")), "{named} in\n{deployed}");
        assert!(deployed.contains(&format!("  name: {named}\n")), "{named} in\n{deployed}");
    }
    assert!(deployed.contains("  - project-validating-webhook-configuration\n"), "{deployed}");

    let with = place.content();
    webhooks_come_and_go(&place, &manifests);
    assert_same(&with, &place.content(), "the webhooks are back");

    place.ok(&["edit", "--enable", "cert-manager"]);
    let signed: Vec<serde_json::Value> = serde_yaml::from_multiple(&rendered(&place)).unwrap();
    let find = |kind: &str, name: &str| {
        let found = |object: &&serde_json::Value| object["kind"] == kind && object["metadata"]["name"] == name;
        signed.iter().find(found).unwrap_or_else(|| panic!("{kind} {name} in {signed:?}"))
    };
    let spec = &find("Certificate", "project-serving-cert")["spec"];
    let host = "project-webhook-service.project-system.svc";
    assert_eq!(spec["dnsNames"], serde_json::json!([host, format!("{host}.cluster.local")]));
    assert_eq!(spec["issuerRef"]["name"], find("Issuer", "project-selfsigned-issuer")["metadata"]["name"]);
    let pod = &find("Deployment", "project-controller-manager")["spec"]["template"]["spec"];
    let listed = |list: &serde_json::Value, name: &str| {
        list.as_array().unwrap().iter().find(|one| one["name"] == name).unwrap_or_else(|| panic!("{list}")).clone()
    };
    let (volume, manager) = (listed(&pod["volumes"], "webhook-certs"), &pod["containers"][0]);
    assert_eq!(volume["secret"]["secretName"], spec["secretName"]);
    let mounted = listed(&manager["volumeMounts"], "webhook-certs")["mountPath"].clone();
    assert_eq!(listed(&manager["env"], "WEBHOOK_CERT_PATH")["value"], mounted);
    webhooks_come_and_go(&place, &manifests);
    place.ok(&["edit", "--disable", "cert-manager"]);
    assert_eq!(rendered(&place), deployed);
}

/// Checks that the manifests lose the webhooks when the markers are removed, and regain them with the markers.
fn webhooks_come_and_go(place: &Place, manifests: &impl Fn()) {
    // The order of the lines does not matter.
    let lines = || {
        let mut lines: Vec<String> = rendered(place).lines().map(str::to_owned).collect();
        lines.sort();
        lines
    };
    let with = lines();
    let file = place.root().join("src/webhook/web_server.rs");
    let written = fs::read_to_string(&file).unwrap();
    let is_webhook = |line: &&str| line.contains("+opctl:webhook") || line.contains("manager.webhook(");
    let without: Vec<&str> = written.lines().filter(|line| !is_webhook(line)).collect();
    fs::write(&file, without.join("\n") + "\n").unwrap();
    manifests();
    assert!(!place.root().join("config/webhook").exists());
    assert!(!rendered(place).contains("webhook"), "{}", rendered(place));
    fs::write(&file, written).unwrap();
    manifests();
    assert_eq!(lines(), with);
}

#[test]
fn kustomize_joins_webhook_and_service() {
    let place = Place::with_project();
    fs::write(place.root().join("src/hooks.rs"), MARKER).unwrap();
    place.ok(&["manifests"]);
    let default = place.root().join("config/default/kustomization.yaml");
    let text = fs::read_to_string(&default).unwrap().replace("- ../rbac", "- ../rbac\n- ../webhook");
    fs::write(&default, text).unwrap();
    let rendered = rendered(&place);
    let documents: Vec<serde_json::Value> =
        rendered.split("\n---\n").map(|one| serde_yaml::from_str(one).unwrap()).collect();
    let of = |kind: &str, name: &str| {
        let found = documents
            .iter()
            .find(|one| one["kind"] == kind && one["metadata"]["name"].as_str().unwrap().ends_with(name));
        found.unwrap_or_else(|| panic!("no {kind} in\n{rendered}"))
    };
    let service = of("Service", "webhook-service");
    let hook = of("ValidatingWebhookConfiguration", "validating-webhook-configuration");
    let called = &hook["webhooks"][0]["clientConfig"]["service"];
    assert_eq!(called["name"], service["metadata"]["name"]);
    assert_eq!(called["namespace"], service["metadata"]["namespace"]);
    let pods = &of("Deployment", "controller-manager")["spec"]["template"]["metadata"]["labels"];
    for (label, value) in service["spec"]["selector"].as_object().unwrap() {
        assert_eq!(&pods[label], value);
    }
}

#[tokio::test]
async fn a_real_api_server_takes_every_configuration() {
    let plane = Plane::start();
    let client = plane.client().await;
    let mut parameters = PatchParams::apply("opctl").dry_run();
    parameters.field_validation = Some(kube::api::ValidationDirective::Strict);
    let mut count = 0;
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("testdata/manifest/webhook");
    for case in fs::read_dir(cases).unwrap().flatten().map(|entry| entry.path()) {
        let text = fs::read_to_string(case.join("controller-gen.yaml"));
        let Ok(text) = text.or_else(|_| fs::read_to_string(case.join("manifests.yaml"))) else { continue };
        for document in text.split("---\n").filter(|document| !document.is_empty()) {
            let object: DynamicObject = serde_yaml::from_str(document).unwrap();
            let kind =
                GroupVersionKind::gvk("admissionregistration.k8s.io", "v1", &object.types.as_ref().unwrap().kind);
            let api: Api<DynamicObject> = Api::all_with(client.clone(), &ApiResource::from_gvk(&kind));
            let name = object.metadata.name.clone().unwrap();
            let said = api.patch(&name, &parameters, &Patch::Apply(&object)).await;
            assert!(said.is_ok(), "{}: {said:?}", case.display());
            count += 1;
        }
    }
    assert!(count > 30, "only {count} configurations");
}
