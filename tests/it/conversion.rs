//! Tests of a kind with different versions on a real API server: an object keeps all fields in any version in which
//! clients read and write it, and no request waits for the conversion webhook of an operator that has ended.

use crate::book::{commands, shell_words};
use crate::support::{Place, Plane, lay, opctl, target_folder, temporary, text, tool};
use kube::ResourceExt;
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::GroupVersionKind;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// The folder with a user's edits of the types and the conversion: fields are renamed, added and removed.
const EDITS: &str = "testdata/conversion";

/// Makes the project by the commands in the second part of the tutorial about webhooks and versions.
fn project() -> Place {
    let place = Place::new();
    let chapter = commands("tutorials/webhooks-and-versions");
    let part = chapter.iter().rposition(|line| line.starts_with("mkdir ")).unwrap();
    let play = |line: &String| {
        let words = shell_words(line);
        place.ok(&words[1..].iter().map(String::as_str).collect::<Vec<_>>());
    };
    let [scaffold @ .., convert, manifests, install] = &chapter[part + 1..] else { panic!("{chapter:?}") };
    // `opctl run` does both.
    assert_eq!([manifests, install], ["opctl manifests", "opctl install"]);
    scaffold.iter().for_each(play);
    let edits = Path::new(env!("CARGO_MANIFEST_DIR")).join(EDITS);
    lay(&edits.join("types"), &place.root());
    play(convert);
    // The command has written the whole conversion but for the fields that may be others under another name.
    let file = place.root().join("api/src/v1alpha1/site_conversion.rs");
    let mut written = fs::read_to_string(&file).unwrap();
    for chosen in ["replicas: value.size,", "level: None,", "size: value.replicas,", "legacy_port: None,"] {
        assert!(written.contains(&format!("// {chosen}")), "{written}");
        written = written.replace(&format!("// {chosen}"), chosen);
    }
    fs::write(file, written).unwrap();
    let controller = place.root().join("src/controller/site.rs");
    let written = fs::read_to_string(&controller).unwrap();
    fs::write(controller, written.replace("api::v1alpha1::", "api::v1::")).unwrap();
    place
}

struct Cluster {
    place: Place,
    plane: Plane,
    log: PathBuf,
}

impl Cluster {
    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = opctl(arguments);
        command.current_dir(self.place.root()).env("KUBECONFIG", &self.plane.kubeconfig);
        command.env("CARGO_TARGET_DIR", target_folder()).stdin(Stdio::null());
        command
    }

    fn ok(&self, arguments: &[&str]) -> String {
        let output = self.command(arguments).output().unwrap();
        assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
        text(&output.stdout) + &text(&output.stderr)
    }

    fn run(&self) -> Child {
        let output = fs::File::create(&self.log).unwrap();
        let mut run = self.command(&["run", "--", "--health-probe-bind-address", "127.0.0.1:0"]);
        let mut run = run.stdout(output.try_clone().unwrap()).stderr(output).spawn().unwrap();
        let start = Instant::now();
        loop {
            let said = fs::read_to_string(&self.log).unwrap();
            if said.contains("Serving webhooks at") {
                return run;
            }
            let waits = run.try_wait().unwrap().is_none() && start.elapsed().as_secs() < 300;
            assert!(waits, "{said}");
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    async fn definition(&self) -> Value {
        let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
        let api: Api<DynamicObject> = Api::all_with(self.plane.client().await, &ApiResource::from_gvk(&kind));
        serde_json::to_value(api.get("sites.example.com").await.unwrap()).unwrap()
    }

    async fn strategy(&self) -> Value {
        self.definition().await["spec"]["conversion"]["strategy"].clone()
    }

    /// Sets the CRD's `status.storedVersions`.
    async fn stores(&self, versions: &[&str]) {
        let kind = GroupVersionKind::gvk("apiextensions.k8s.io", "v1", "CustomResourceDefinition");
        let api: Api<DynamicObject> = Api::all_with(self.plane.client().await, &ApiResource::from_gvk(&kind));
        let change = Patch::Merge(json!({ "status": { "storedVersions": versions } }));
        api.patch_status("sites.example.com", &PatchParams::default(), &change).await.unwrap();
    }

    async fn sites(&self, version: &str) -> Api<DynamicObject> {
        let kind = GroupVersionKind::gvk("example.com", version, "Site");
        Api::namespaced_with(self.plane.client().await, "default", &ApiResource::from_gvk(&kind))
    }
}

fn interrupt(mut run: Child) {
    let killed = tool("kill").args(["-INT", &run.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(run.wait().unwrap().code(), Some(130));
}

fn site(version: &str, name: &str, spec: &Value) -> DynamicObject {
    let object = json!({
        "apiVersion": format!("example.com/{version}"), "kind": "Site", "metadata": { "name": name }, "spec": spec,
    });
    serde_json::from_value(object).unwrap()
}

async fn spec(sites: &Api<DynamicObject>, name: &str) -> Value {
    sites.get(name).await.unwrap().data["spec"].clone()
}

async fn apply(sites: &Api<DynamicObject>, manager: &str, object: &DynamicObject) {
    let name = object.metadata.name.as_deref().unwrap();
    sites.patch(name, &PatchParams::apply(manager), &Patch::Apply(object)).await.unwrap();
}

async fn fields_of_either_version_are_kept(old: &Api<DynamicObject>, new: &Api<DynamicObject>) {
    let created = json!({ "message": "m", "replicas": 2, "tls": { "secretName": "s" } });
    new.create(&PostParams::default(), &site("v1", "a", &created)).await.unwrap();
    let change = json!({ "spec": { "size": 3, "legacyPort": 80 } });
    old.patch("a", &PatchParams::default(), &Patch::Merge(change)).await.unwrap();
    assert_eq!(spec(new, "a").await, json!({ "message": "m", "replicas": 3, "tls": { "secretName": "s" } }));
    assert_eq!(spec(old, "a").await, json!({ "message": "m", "size": 3, "legacyPort": 80 }));
    let change = json!({ "spec": { "tls": null } });
    new.patch("a", &PatchParams::default(), &Patch::Merge(change)).await.unwrap();
    assert_eq!(spec(new, "a").await, json!({ "message": "m", "replicas": 3 }));
    assert_eq!(spec(old, "a").await, json!({ "message": "m", "size": 3, "legacyPort": 80 }));
    // The schema's default fills a field that the other version does not have.
    old.create(&PostParams::default(), &site("v1alpha1", "b", &json!({ "message": "m" }))).await.unwrap();
    assert_eq!(spec(new, "b").await, json!({ "message": "m", "replicas": 1 }));
}

/// Checks that the status conditions are equal in both versions, and that `status.phase`, which only the older version
/// has, keeps its value after changes in the newer version.
async fn the_status_is_converted(old: &Api<DynamicObject>, new: &Api<DynamicObject>) {
    let parameters = PatchParams::default();
    let change = Patch::Merge(json!({ "status": { "phase": "up", "observedGeneration": 70 } }));
    let written = old.patch_status("a", &parameters, &change).await.unwrap();
    assert_eq!(written.data["status"]["phase"], "up");
    let status = async |sites: &Api<DynamicObject>| sites.get("a").await.unwrap().data["status"].clone();
    assert_eq!(status(new).await["phase"], Value::Null);
    assert_eq!(status(new).await["conditions"], status(old).await["conditions"]);
    let change = Patch::Merge(json!({ "status": { "observedGeneration": 71 } }));
    new.patch_status("a", &parameters, &change).await.unwrap();
    let change = Patch::Merge(json!({ "metadata": { "labels": { "seen": "yes" } } }));
    new.patch("a", &parameters, &change).await.unwrap();
    assert_eq!(status(old).await["phase"], "up");
}

async fn two_managers_apply_in_two_versions(old: &Api<DynamicObject>, new: &Api<DynamicObject>) {
    let of_old = |spec: Value| site("v1alpha1", "c", &spec);
    let of_new = |spec: Value| site("v1", "c", &spec);
    apply(old, "one", &of_old(json!({ "size": 2, "legacyPort": 80 }))).await;
    apply(new, "other", &of_new(json!({ "message": "m", "tls": { "secretName": "s" } }))).await;
    let both = json!({ "message": "m", "replicas": 2, "tls": { "secretName": "s" } });
    assert_eq!(spec(new, "c").await, both);
    assert_eq!(spec(old, "c").await["legacyPort"], 80);
    // One manager changes a field and withdraws another one. The fields that the other manager has applied stay.
    apply(old, "one", &of_old(json!({ "size": 5 }))).await;
    assert_eq!(spec(new, "c").await, json!({ "message": "m", "replicas": 5, "tls": { "secretName": "s" } }));
    assert_eq!(spec(old, "c").await, json!({ "message": "m", "size": 5 }));
    apply(new, "other", &of_new(json!({ "message": "m" }))).await;
    assert_eq!(spec(new, "c").await, json!({ "message": "m", "replicas": 5 }));
}

/// The annotation in which a conversion keeps the fields that only `v1` has.
const KEPT: &str = "conversion.example.com/v1";

/// Returns the content of an annotation as a client could forge it: a copy of an annotation in `seen`, a changed copy,
/// or made-up values.
fn made_up(number: usize, seen: &[String]) -> String {
    if number % 4 == 3 && !seen.is_empty() {
        let seen = &seen[number / 4 % seen.len()];
        return if number % 8 == 3 { seen.clone() } else { seen.replace("\"a\"", "\"b\"").replace(":3", ":4") };
    }
    let levels = [Value::Null, json!(3), json!(9), json!(10), json!("high")];
    let zones = [Value::Null, Value::Null, json!("a"), json!("nowhere")];
    let tls = [Value::Null, Value::Null, json!({ "secretName": "s" }), json!({ "secretName": "" }), json!({})];
    let mut spec = json!({ "message": "m", "replicas": number % 3 + 1 });
    for (field, value) in [
        ("level", &levels[number % levels.len()]),
        ("zone", &zones[number / 5 % zones.len()]),
        ("tls", &tls[number / 7 % tls.len()]),
    ] {
        if !value.is_null() {
            spec[field] = value.clone();
        }
    }
    let status = json!({ "observedGeneration": 7 });
    let kept =
        if number.is_multiple_of(6) { json!({ "spec": spec, "status": status }) } else { json!({ "spec": spec }) };
    kept.to_string()
}

/// Replaces an object whose status the operator may write at the same time.
async fn replace(
    sites: &Api<DynamicObject>,
    name: &str,
    how: &PostParams,
    mut object: DynamicObject,
) -> kube::Result<DynamicObject> {
    loop {
        match sites.replace(name, how, &object).await {
            Err(kube::Error::Api(status)) if status.is_conflict() => {
                object.metadata.resource_version = sites.get(name).await?.metadata.resource_version;
            }
            done => return done,
        }
    }
}

/// Checks that a user of `v1alpha1` can store only objects that the API server would also accept from a user of
/// `v1`, whatever annotation the user writes.
async fn nothing_forbidden_comes_in(old: &Api<DynamicObject>, new: &Api<DynamicObject>) {
    let (only_tried, mut seen) = (PostParams { dry_run: true, ..PostParams::default() }, Vec::new());
    let (mut taken, mut refused) = (0, 0);
    for number in 0..120 {
        let before = json!({ "message": "m", "replicas": 2, "level": 3, "zone": "a" });
        let (name, twin) = (format!("made-up-{number}"), format!("twin-{number}"));
        let is_update = number % 2 == 1;
        let written = if is_update {
            new.create(&PostParams::default(), &site("v1", &name, &before)).await.unwrap();
            seen.push(old.get(&name).await.unwrap().annotations()[KEPT].clone());
            let kept = json!({ KEPT: made_up(number, &seen) });
            let change = json!({ "metadata": { "annotations": kept }, "spec": { "size": number % 3 + 1 } });
            old.patch(&name, &PatchParams::default(), &Patch::Merge(change)).await
        } else {
            let mut object = site("v1alpha1", &name, &json!({ "message": "m", "size": number % 3 + 1 }));
            object.annotations_mut().insert(KEPT.to_owned(), made_up(number, &seen));
            old.create(&PostParams::default(), &object).await
        };
        if let Err(error) = written {
            assert!(error.to_string().contains("was not written by this operator for this object"), "{error}");
            refused += 1;
            continue;
        }
        taken += 1;
        let stored = new.get(&name).await.unwrap();
        assert_ne!(stored.data["status"]["observedGeneration"], 7, "a user has no right to write the status");
        let mut direct = site("v1", &twin, &before);
        if is_update {
            direct = new.create(&PostParams::default(), &direct).await.unwrap();
        }
        direct.data["spec"] = stored.data["spec"].clone();
        let tried = if is_update {
            replace(new, &twin, &only_tried, direct).await
        } else {
            new.create(&only_tried, &direct).await
        };
        let tried = tried.unwrap_or_else(|error| panic!("{number}: it is stored, and forbidden: {error}"));
        assert_eq!(tried.data["spec"], stored.data["spec"]);
    }
    assert!(taken > 20 && refused > 20, "{taken} are taken and {refused} refused");
    new.delete_collection(&DeleteParams::default(), &ListParams::default()).await.unwrap();
}

async fn a_list_is_converted(old: &Api<DynamicObject>, new: &Api<DynamicObject>) {
    for number in 0..50 {
        let object = site("v1", &format!("many-{number}"), &json!({ "message": "m", "replicas": number }));
        new.create(&PostParams::default(), &object).await.unwrap();
    }
    let listed = old.list(&ListParams::default()).await.unwrap().items;
    let sizes = listed.iter().filter(|one| one.metadata.name.as_deref().unwrap().starts_with("many-"));
    let sizes: i64 = sizes.map(|one| one.data["spec"]["size"].as_i64().unwrap()).sum();
    assert_eq!((listed.len(), sizes), (53, 49 * 50 / 2));
}

/// Checks that after the end of `opctl run`, only objects in the stored version `v1` can be created, read and deleted,
/// because they need no conversion. The API server refuses objects in the older version `v1alpha1`: without the
/// operator, which converts them, these objects would lose fields.
async fn only_the_stored_version_is_served(cluster: &Cluster, old: &Api<DynamicObject>, new: &Api<DynamicObject>) {
    let said = fs::read_to_string(&cluster.log).unwrap();
    assert!(said.contains("warning: no operator currently converts sites between their versions"), "{said}");
    assert_eq!(cluster.strategy().await, "Webhook");
    let lost = site("v1alpha1", "lost", &json!({ "message": "m", "size": 1, "legacyPort": 80 }));
    let refused = old.create(&PostParams::default(), &lost).await.unwrap_err().to_string();
    assert!(refused.contains("conversion webhook"), "{refused}");
    new.create(&PostParams::default(), &site("v1", "unserved", &json!({ "message": "m" }))).await.unwrap();
    let named = ListParams::default().fields("metadata.name=unserved");
    new.delete_collection(&DeleteParams::default(), &named).await.unwrap();
    assert!(new.get_opt("unserved").await.unwrap().is_none());
    assert!(cluster.definition().await["metadata"]["labels"].get("opctl.dev/run").is_none());
    assert_eq!(spec(new, "a").await["replicas"], 3);
}

/// Checks that a deployed operator converts, and that after `undeploy` requests do not wait for a webhook any more.
async fn undeploy_ends_a_conversion(cluster: &Cluster, old: &Api<DynamicObject>, new: &Api<DynamicObject>) {
    for command in [&["deploy", "--image", "example.com/site:1", "--wait=false"][..], &["install"]] {
        cluster.ok(command);
        let service = cluster.definition().await["spec"]["conversion"]["webhook"]["clientConfig"]["service"].clone();
        assert_eq!(service["name"], "project-webhook-service");
        assert_eq!(service["path"], "/convert-example-com-site");
        assert!(old.get("a").await.unwrap_err().to_string().contains("conversion webhook"));
        let said = cluster.ok(&["undeploy", "--wait=false"]);
        assert!(said.contains("is kept"), "{said}");
        assert_eq!(cluster.strategy().await, "None");
        assert_eq!(spec(new, "a").await["replicas"], 3);
        assert_eq!(said.contains("has objects that are stored as v1alpha1 or v1"), command[0] == "install", "{said}");
        cluster.stores(&["v1alpha1", "v1"]).await;
    }
}

#[tokio::test]
async fn nothing_is_lost_between_versions_and_nobody_waits_for_an_operator_that_has_ended() {
    let folder = temporary();
    let cluster = Cluster { place: project(), plane: Plane::start(), log: folder.path().join("log") };
    let run = cluster.run();
    let (old, new) = (cluster.sites("v1alpha1").await, cluster.sites("v1").await);
    nothing_forbidden_comes_in(&old, &new).await;
    fields_of_either_version_are_kept(&old, &new).await;
    the_status_is_converted(&old, &new).await;
    two_managers_apply_in_two_versions(&old, &new).await;
    a_list_is_converted(&old, &new).await;

    // `opctl install` from another terminal leaves the conversion to the run.
    cluster.ok(&["install"]);
    assert_eq!(spec(&old, "a").await["legacyPort"], 80);
    let definition = cluster.definition().await;
    assert!(definition.pointer("/spec/conversion/webhook/clientConfig/url").is_some(), "{definition:#}");
    interrupt(run);
    only_the_stored_version_is_served(&cluster, &old, &new).await;

    // A run that is killed cannot remove its conversion webhook, but the next run replaces it.
    let mut run = cluster.run();
    run.kill().unwrap();
    run.wait().unwrap();
    assert!(old.get("a").await.unwrap_err().to_string().contains("conversion webhook"));
    let run = cluster.run();
    assert_eq!(spec(&old, "a").await["legacyPort"], 80);
    interrupt(run);

    undeploy_ends_a_conversion(&cluster, &old, &new).await;
    // Without a conversion, rewriting the objects would lose the fields that the storage version lacks.
    let output = cluster.command(&["migrate"]).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(3), "{said}");
    assert!(said.contains("error: no conversion webhook runs for the objects of `sites.example.com`"), "{said}");
    // The project has no manifests of admission webhooks, which a kustomization could list.
    let said = cluster.ok(&["update", "--dry-run"]);
    assert!(said.contains("nothing to do"), "{said}");
    let run = cluster.run();
    cluster.ok(&["migrate"]);
    assert_eq!(spec(&old, "a").await["legacyPort"], 80);
    interrupt(run);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_conversion_ends_when_the_operator_has_ended() {
    let (plane, folder) = (Plane::simulated(), temporary());
    let root = folder.path();
    lay(&crate::support::project("platform-operator"), root);
    let command = |arguments: &[&str]| {
        let mut command = opctl(arguments);
        command.current_dir(root).env("KUBECONFIG", &plane.kubeconfig).stdout(Stdio::null()).stderr(Stdio::null());
        command
    };
    assert!(command(&["deploy", "--image", "example.com/platform:1"]).status().unwrap().success());
    let api = async |group: &str, kind: &str| {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
        Api::<DynamicObject>::all_with(plane.client().await, &resource)
    };
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Pod"));
    let pods: Api<DynamicObject> = Api::namespaced_with(plane.client().await, "platform-operator-system", &resource);
    let held = |finalizers: Value| Patch::Merge(json!({"metadata": {"finalizers": finalizers}}));
    let names: Vec<String> =
        pods.list(&ListParams::default()).await.unwrap().items.iter().map(ResourceExt::name_any).collect();
    for name in &names {
        pods.patch(name, &PatchParams::default(), &held(json!(["example.com/held"]))).await.unwrap();
    }
    let mut undeploy = command(&["undeploy"]).spawn().unwrap();
    let (deployments, definitions) =
        (api("apps", "Deployment").await, api("apiextensions.k8s.io", "CustomResourceDefinition").await);
    let start = Instant::now();
    while !deployments.list(&ListParams::default()).await.unwrap().items.is_empty() {
        assert!(start.elapsed().as_secs() < 30, "the Deployment is not deleted");
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    // A pod that is still there may write objects: without the conversion, they would lack the fields of their stored version.
    tokio::time::sleep(Duration::from_secs(3)).await;
    let tenants = definitions.get("tenants.example.org").await.unwrap();
    assert_eq!(tenants.data["spec"]["conversion"]["strategy"], "Webhook");
    for name in &names {
        pods.patch(name, &PatchParams::default(), &held(Value::Null)).await.unwrap();
    }
    assert!(undeploy.wait().unwrap().success());
    assert!(definitions.get_opt("tenants.example.org").await.unwrap().is_none());
}
