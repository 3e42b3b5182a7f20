//! Versions of one operator: `CHANGES` names what a version does in another way than the plain one. Some of it breaks an
//! upgrade or the way back, and some does not: `upgrades/*.toml` says which.

use futures::StreamExt;
use k8s_openapi::api::apps::v1::Deployment;
use k8s_openapi::api::core::v1::{ConfigMap, Service};
use kube::api::{DeleteParams, DynamicObject, ListParams, Patch, PatchParams, PostParams};
use kube::core::{ApiResource, GroupVersionKind};
use kube::runtime::controller::Action;
use kube::runtime::{Controller, watcher};
use kube::{Api, Client, ResourceExt};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::Arc;
use std::time::Duration;

const FINALIZER: &str = "example.com/upgrades";
const NEXT_FINALIZER: &str = "example.com/upgrades-v2";

struct Context {
    client: Client,
    changes: BTreeSet<String>,
}

#[tokio::main]
async fn main() -> anyhow::Result<()> {
    tracing_subscriber::fmt().with_ansi(false).without_time().init();
    let changes = std::env::var("CHANGES").unwrap_or_default();
    let changes: BTreeSet<String> = changes.split(',').filter(|word| !word.is_empty()).map(str::to_owned).collect();
    let client = Client::try_default().await?;
    if let Ok(lease) = std::env::var("LEASE") {
        lead(&client, &lease).await?;
    }
    let (any, kind) = (watcher::Config::default(), resource("example.com", "v1", "Shop", "shops"));
    let version =
        if changes.contains("second-version") { resource("example.com", "v2", "Shop", "shops") } else { kind };
    let shops: Api<DynamicObject> = Api::all_with(client.clone(), &version);
    Controller::new_with(shops, any.clone(), version)
        .owns(Api::<Deployment>::all(client.clone()), any.clone())
        .owns(Api::<Service>::all(client.clone()), any.clone())
        .owns(Api::<ConfigMap>::all(client.clone()), any.clone())
        .run(reconcile, retry, Arc::new(Context { client, changes }))
        .for_each(|_| std::future::ready(()))
        .await;
    Ok(())
}

fn resource(group: &str, version: &str, kind: &str, plural: &str) -> ApiResource {
    ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, kind), plural)
}

/// Waits until the lease is free, and takes it.
async fn lead(client: &Client, name: &str) -> anyhow::Result<()> {
    let namespace = std::env::var("POD_NAMESPACE").unwrap_or_else(|_| "default".to_owned());
    let kind = resource("coordination.k8s.io", "v1", "Lease", "leases");
    let leases: Api<DynamicObject> = Api::namespaced_with(client.clone(), &namespace, &kind);
    let me = format!("{:016x}", RandomState::new().hash_one(0));
    loop {
        let lease = leases.get_opt(name).await?;
        let holder = lease.as_ref().and_then(|lease| lease.data["spec"]["holderIdentity"].as_str());
        if holder.unwrap_or_default().is_empty() {
            let lease =
                json!({ "metadata": { "name": name }, "spec": { "holderIdentity": me, "leaseDurationSeconds": 15 } });
            let wanted: DynamicObject = serde_json::from_value(lease)?;
            match leases.get_opt(name).await? {
                None => drop(leases.create(&PostParams::default(), &wanted).await?),
                Some(_) => drop(leases.patch(name, &PatchParams::default(), &Patch::Merge(&wanted)).await?),
            }
            return Ok(());
        }
        tokio::time::sleep(Duration::from_millis(300)).await;
    }
}

fn retry(_: Arc<DynamicObject>, error: &kube::Error, _: Arc<Context>) -> Action {
    tracing::warn!("{error}");
    Action::requeue(Duration::from_secs(2))
}

async fn reconcile(shop: Arc<DynamicObject>, ctx: Arc<Context>) -> Result<Action, kube::Error> {
    if ctx.has("idle") {
        return Ok(Action::await_change());
    }
    if shop.metadata.deletion_timestamp.is_some() { clean_up(&shop, &ctx).await } else { apply(&shop, &ctx).await }
}

impl Context {
    fn has(&self, change: &str) -> bool {
        self.changes.contains(change)
    }

    /// Returns the finalizers that this version sets.
    fn finalizer(&self) -> Option<&'static str> {
        match self.has("no-finalizer") {
            true => None,
            false if self.has("finalizer-renamed") || self.has("finalizer-moved") => Some(NEXT_FINALIZER),
            false => Some(FINALIZER),
        }
    }

    fn shops(&self, shop: &DynamicObject) -> Api<DynamicObject> {
        let version = if self.has("second-version") { "v2" } else { "v1" };
        let kind = resource("example.com", version, "Shop", "shops");
        Api::namespaced_with(self.client.clone(), &namespace(shop), &kind)
    }

    fn objects(&self, shop: &DynamicObject, kind: &str) -> Api<DynamicObject> {
        let kind = match kind {
            "Deployment" => resource("apps", "v1", "Deployment", "deployments"),
            "PodDisruptionBudget" => resource("policy", "v1", "PodDisruptionBudget", "poddisruptionbudgets"),
            kind => resource("", "v1", kind, &format!("{}s", kind.to_lowercase())),
        };
        Api::namespaced_with(self.client.clone(), &namespace(shop), &kind)
    }

    async fn put(&self, shop: &DynamicObject, kind: &str, mut object: Value) -> Result<DynamicObject, kube::Error> {
        let name = object["metadata"]["name"].as_str().unwrap_or_default().to_owned();
        let manager = if self.has("manager") { "upgrades-v2" } else { "upgrades" };
        object["kind"] = kind.into();
        object["apiVersion"] = match kind {
            "Deployment" => "apps/v1".into(),
            "PodDisruptionBudget" => "policy/v1".into(),
            _ => "v1".into(),
        };
        let mut objects = self.objects(shop, kind);
        if let Some(place) = object["metadata"]["namespace"].as_str() {
            let kind = resource("", "v1", kind, &format!("{}s", kind.to_lowercase()));
            objects = Api::namespaced_with(self.client.clone(), place, &kind);
        }
        if self.has("get-first") && objects.get_opt(&name).await?.is_some_and(|there| contains(&json!(there), &object))
        {
            return objects.get(&name).await;
        }
        objects.patch(&name, &PatchParams::apply(manager).force(), &Patch::Apply(&object)).await
    }
}

fn namespace(shop: &DynamicObject) -> String {
    shop.namespace().unwrap_or_default()
}

/// Returns true if `object` has every field of `wanted`.
fn contains(object: &Value, wanted: &Value) -> bool {
    match (object, wanted) {
        (Value::Object(object), Value::Object(wanted)) => {
            wanted.iter().all(|(key, wanted)| object.get(key).is_some_and(|value| contains(value, wanted)))
        }
        (Value::Array(items), Value::Array(wanted)) => {
            items.len() == wanted.len() && items.iter().zip(wanted).all(|(item, wanted)| contains(item, wanted))
        }
        (value, wanted) => value == wanted,
    }
}

async fn clean_up(shop: &DynamicObject, ctx: &Context) -> Result<Action, kube::Error> {
    let mut own: Vec<&str> = ctx.finalizer().into_iter().collect();
    if ctx.has("finalizer-moved") {
        own.push(FINALIZER);
    }
    if !shop.finalizers().iter().any(|name| own.contains(&name.as_str())) {
        return Ok(Action::await_change());
    }
    let record = format!("{}-record", shop.name_any());
    match ctx.objects(shop, "ConfigMap").delete(&record, &DeleteParams::default()).await {
        Err(kube::Error::Api(status)) if status.is_not_found() => {}
        deleted => drop(deleted?),
    }
    let rest: Vec<&String> = shop.finalizers().iter().filter(|name| !own.contains(&name.as_str())).collect();
    finalizers(shop, ctx, &json!(rest)).await?;
    Ok(Action::await_change())
}

async fn finalizers(shop: &DynamicObject, ctx: &Context, list: &Value) -> Result<(), kube::Error> {
    let patch = json!({ "metadata": { "finalizers": list, "resourceVersion": shop.resource_version() } });
    ctx.shops(shop).patch(&shop.name_any(), &PatchParams::default(), &Patch::Merge(&patch)).await.map(drop)
}

async fn apply(shop: &DynamicObject, ctx: &Context) -> Result<Action, kube::Error> {
    let (name, spec) = (shop.name_any(), &shop.data["spec"]);
    if ctx.has("status-shape") && shop.data["status"]["phase"].is_string() {
        tracing::warn!("cannot read the status: a phase is no text");
        return Ok(Action::requeue(Duration::from_secs(5)));
    }
    let mut wanted: Vec<String> = shop.finalizers().to_vec();
    if ctx.has("finalizer-moved") {
        wanted.retain(|name| name != FINALIZER);
    }
    if let Some(own) = ctx.finalizer().filter(|own| !wanted.iter().any(|name| name == own)) {
        wanted.push(own.to_owned());
    }
    if wanted != shop.finalizers() {
        finalizers(shop, ctx, &json!(wanted)).await?;
        // The change is an event.
        return Ok(Action::await_change());
    }
    if ctx.has("exits-on-old-config")
        && let Some(config) = ctx.objects(shop, "ConfigMap").get_opt(&name).await?
        && config.data["data"].get("format").is_none()
    {
        tracing::error!("the ConfigMap has no format");
        std::process::exit(1);
    }

    let owner = json!([{
        "apiVersion": shop.types.as_ref().map(|types| types.api_version.clone()), "kind": "Shop", "name": name,
        "uid": shop.uid(), "controller": true, "blockOwnerDeletion": true,
    }]);
    let labels = json!({ "app": name });
    let metadata = |name: &str| {
        let mut metadata = json!({ "name": name, "labels": labels, "ownerReferences": owner });
        if ctx.has("no-owner") {
            metadata.as_object_mut().map(|fields| fields.remove("ownerReferences"));
        }
        metadata
    };

    if ctx.finalizer().is_some() {
        let record =
            json!({ "metadata": { "name": format!("{name}-record"), "labels": labels }, "data": { "shop": name } });
        ctx.put(shop, "ConfigMap", record).await?;
    }
    let deployment = ctx.put(shop, "Deployment", deployment(&metadata, &labels, &name, spec, ctx)).await?;
    if ctx.has("renamed-deployment-cleaned") {
        remove(shop, "Deployment", &name, ctx).await?;
    }
    let port = json!({ "port": spec["port"] });
    ctx.put(shop, "Service", json!({ "metadata": metadata(&name), "spec": { "selector": labels, "ports": [port] } }))
        .await?;
    let config = config(shop, &metadata, &name, spec, ctx).await?;
    token(shop, &name, &owner, ctx).await?;
    if ctx.has("extra-config") {
        let extra = json!({ "metadata": metadata(&format!("{name}-extra")), "data": { "extra": "1" } });
        ctx.put(shop, "ConfigMap", extra).await?;
    }
    if ctx.has("extra-budget") {
        let spec = json!({ "maxUnavailable": 1, "selector": { "matchLabels": labels } });
        ctx.put(shop, "PodDisruptionBudget", json!({ "metadata": metadata(&name), "spec": spec })).await?;
    }
    status(shop, &deployment, &config, ctx).await?;
    Ok(Action::requeue(Duration::from_secs(if ctx.has("backoff") { 60 } else { 600 })))
}

fn deployment(
    metadata: &(dyn Fn(&str) -> Value + Sync),
    labels: &Value,
    name: &str,
    spec: &Value,
    ctx: &Context,
) -> Value {
    let mut container = json!({ "name": "main", "image": spec["image"], "ports": [{ "containerPort": spec["port"] }] });
    let mut pods = json!({ "labels": labels });
    let mut selector = labels.clone();
    if ctx.has("template-hash") {
        pods["annotations"] = json!({ "example.com/version": "2" });
    }
    if ctx.has("environment") {
        container["env"] = json!([{ "name": "VERSION", "value": "2" }]);
    }
    if ctx.has("resources") {
        container["resources"] = json!({ "requests": { "cpu": "10m" } });
    }
    if ctx.has("selector") {
        selector["tier"] = "web".into();
        pods["labels"] = selector.clone();
    }
    let renamed = ctx.has("renamed-deployment") || ctx.has("renamed-deployment-cleaned");
    let name = if renamed { format!("{name}-web") } else { name.to_owned() };
    let more = i64::from(ctx.has("replicas-default"));
    let replicas = spec["replicas"].as_i64().unwrap_or(1) + more;
    json!({
        "metadata": metadata(&name),
        "spec": {
            "replicas": replicas,
            "selector": { "matchLabels": selector },
            "template": { "metadata": pods, "spec": { "containers": [container] } },
        },
    })
}

async fn config(
    shop: &DynamicObject,
    metadata: &(dyn Fn(&str) -> Value + Sync),
    name: &str,
    spec: &Value,
    ctx: &Context,
) -> Result<DynamicObject, kube::Error> {
    let renamed = ctx.has("renamed-config") || ctx.has("renamed-config-cleaned");
    let of_config = if renamed { format!("{name}-config") } else { name.to_owned() };
    let mut config = json!({ "metadata": metadata(&of_config), "data": { "greeting": spec["greeting"] } });
    if ctx.has("config-format") || ctx.has("config-at-creation") || ctx.has("exits-on-old-config") {
        config["data"]["format"] = "2".into();
    }
    if ctx.has("config-label") {
        config["metadata"]["labels"]["example.com/part"] = "config".into();
    }
    if ctx.has("config-annotation") || ctx.has("waits-for-config") {
        config["metadata"]["annotations"] = json!({ "example.com/format": "2" });
    }
    if ctx.has("moved-config") {
        let fields = config["metadata"].as_object_mut().expect("metadata is a map");
        fields.remove("ownerReferences");
        fields.insert("namespace".to_owned(), "default".into());
        fields.insert("name".to_owned(), format!("{}-{name}", namespace(shop)).into());
    }
    let configs = ctx.objects(shop, "ConfigMap");
    if (ctx.has("config-at-creation") || ctx.has("waits-for-config"))
        && let Some(there) = configs.get_opt(&of_config).await?
    {
        return Ok(there);
    }
    let made = ctx.put(shop, "ConfigMap", config).await?;
    if ctx.has("renamed-config-cleaned") {
        remove(shop, "ConfigMap", name, ctx).await?;
    }
    Ok(made)
}

async fn remove(shop: &DynamicObject, kind: &str, name: &str, ctx: &Context) -> Result<(), kube::Error> {
    let objects = ctx.objects(shop, kind);
    if objects.get_opt(name).await?.is_some() {
        objects.delete(name, &DeleteParams::default()).await?;
    }
    Ok(())
}

/// Makes a random token once, and finds it again.
async fn token(shop: &DynamicObject, name: &str, owner: &Value, ctx: &Context) -> Result<(), kube::Error> {
    let secrets = ctx.objects(shop, "Secret");
    let value = format!("{:016x}", RandomState::new().hash_one(1));
    let mut secret = json!({
        "apiVersion": "v1", "kind": "Secret",
        "metadata": { "name": format!("{name}-token"), "ownerReferences": owner }, "stringData": { "token": value },
    });
    let generated = json!({ "generateName": format!("{name}-"), "ownerReferences": owner });
    let label = if ctx.has("secret-by-new-label") { "example.com/shop" } else { "app" };
    let annotation = if ctx.has("secret-in-new-annotation") { "example.com/token" } else { "example.com/secret" };
    let there = if ctx.has("secret-by-label") || ctx.has("secret-by-new-label") {
        secret["metadata"] = generated;
        secret["metadata"]["labels"] = json!({ label: name });
        let list = secrets.list(&ListParams::default().labels(&format!("{label}={name}"))).await?;
        !list.items.is_empty()
    } else if ctx.has("secret-in-annotation") || ctx.has("secret-in-new-annotation") {
        secret["metadata"] = generated;
        // The cache may not have the annotation of the last pass yet.
        ctx.shops(shop).get(name).await?.annotations().contains_key(annotation)
    } else {
        let there = secrets.get_opt(&format!("{name}-token")).await?;
        let is_old = there.as_ref().is_some_and(|there| there.annotations().get("example.com/by").is_none());
        if ctx.has("token-again") {
            secret["metadata"]["annotations"] = json!({ "example.com/by": "2" });
            if is_old {
                let wanted = json!({ "metadata": secret["metadata"], "stringData": secret["stringData"] });
                secrets.patch(&format!("{name}-token"), &PatchParams::default(), &Patch::Merge(&wanted)).await?;
            }
        }
        there.is_some()
    };
    if !there {
        let wanted: DynamicObject = serde_json::from_value(secret).expect("a Secret is an object");
        let made = secrets.create(&PostParams::default(), &wanted).await?;
        if annotation == "example.com/token" || ctx.has("secret-in-annotation") {
            let patch = json!({ "metadata": { "annotations": { annotation: made.name_any() } } });
            ctx.shops(shop).patch(name, &PatchParams::default(), &Patch::Merge(&patch)).await?;
        }
    }
    Ok(())
}

async fn status(
    shop: &DynamicObject,
    deployment: &DynamicObject,
    config: &DynamicObject,
    ctx: &Context,
) -> Result<(), kube::Error> {
    let ready = deployment.data["status"]["readyReplicas"].as_i64().unwrap_or(0);
    let waits = ctx.has("waits-for-config") && !config.annotations().contains_key("example.com/format");
    let is_ready = Some(ready) == deployment.data["spec"]["replicas"].as_i64() && !waits;
    let phase = if is_ready { "Ready" } else { "Progressing" };
    let mut condition = json!({ "type": "Ready", "status": if is_ready { "True" } else { "False" } });
    if ctx.has("message") {
        condition["message"] = format!("{ready} replicas are ready").into();
    }
    let mut conditions = vec![condition];
    if ctx.has("condition") {
        conditions.push(json!({ "type": "Reconciled", "status": "True" }));
    }
    let phase = if ctx.has("status-shape") { json!({ "name": phase }) } else { phase.into() };
    let mut status =
        json!({ "phase": phase, "observedGeneration": shop.metadata.generation, "conditions": conditions });
    if ctx.has("status-state") {
        status["state"] = status["phase"].take();
        status.as_object_mut().map(|fields| fields.remove("phase"));
    }
    if ctx.has("status-field") {
        status["replicas"] = ready.into();
    }
    if !contains(&shop.data["status"], &status) {
        let patch = json!({ "status": status });
        ctx.shops(shop).patch_status(&shop.name_any(), &PatchParams::default(), &Patch::Merge(&patch)).await?;
    }
    Ok(())
}
