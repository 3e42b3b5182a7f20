//! The steps of the demo in the cluster, each shown with the command that a user would type for it.

use super::script::Script;
use crate::cluster::{
    Attempt, Connection, Definition, apply_object, condition, is_true, request_error, table, wait_for_condition,
};
use crate::error::{file_error, hint};
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::{Error, Result};
use kube::api::{Api, ApiResource, DeleteParams, DynamicObject, ListParams, Patch, PatchParams};
use kube::core::{GroupVersionKind, Status};
use serde_json::{Value, json};
use std::path::Path;
use std::time::Duration;

const NAMESPACE: &str = "default";

/// The steps of the demo, and the data for these steps: the connection to the cluster, and the CRD and the sample of
/// the one kind that the operator serves.
pub(super) struct Scenes<'a> {
    connection: Connection,
    definition: &'a Definition,
    console: &'a Console,
    sample: DynamicObject,
}

impl<'a> Scenes<'a> {
    pub(super) fn new(
        connection: Connection,
        root: &Path,
        definition: &'a Definition,
        console: &'a Console,
    ) -> Result<Self> {
        let sample = read_sample(root, definition)?;
        Ok(Scenes { connection, definition, console, sample })
    }

    /// Runs all steps in order, and the steps with pods only if `pods` is true. Returns the final list of objects.
    pub(super) async fn play(&self, pods: bool, script: &mut Script<'_>) -> Result<String> {
        script.begin("kubectl apply -k config/samples/");
        let object = self.create(&self.sample, pods).await?;
        if pods {
            let name = object.metadata.name.clone().unwrap_or_default();
            self.play_with_pods(&object, &name, script).await?;
        }
        script.begin(&self.list_line());
        self.objects().await
    }

    /// Returns the sample of the kind.
    pub(super) fn sample(&self) -> &DynamicObject {
        &self.sample
    }

    /// Creates an object. If `pods` is true, waits until the operator makes the object Ready. Otherwise waits only
    /// until the operator reports a `Ready` condition with any status, because the operator of a demo without pods has
    /// no code yet that makes objects Ready.
    pub(super) async fn create(&self, object: &DynamicObject, pods: bool) -> Result<DynamicObject> {
        let object = apply_object(&self.connection, self.definition, object).await?;
        let name = object.metadata.name.as_deref().unwrap_or_default();
        self.console.status("Created", format!("{}/{name}", self.kind()));
        if pods {
            self.ready(&object).await?;
        } else {
            let _spinner = self.console.spinner("Waiting", format!("for the status of `{name}`"));
            let is_reported = |data: &Value| condition(data, "Ready").is_some();
            wait_for_condition(&self.connection, self.definition, &object, is_reported).await?;
        }
        Ok(object)
    }

    /// Returns the command line that lists the objects.
    pub(super) fn list_line(&self) -> String {
        format!("kubectl get {}", self.definition.plural)
    }

    /// Returns the kind in lower case, as a user types it in a kubectl command line.
    pub(super) fn kind(&self) -> String {
        self.definition.kind.to_lowercase()
    }

    /// Sets an annotation of an object; returns the server's refusal, if there is one.
    pub(super) async fn annotate(&self, name: &str, key: &str, value: &str) -> Result<Option<Status>> {
        let patch = Patch::Merge(json!({"metadata": {"annotations": {key: value}}}));
        match self.custom_resource_api().patch(name, &PatchParams::default(), &patch).await {
            Ok(_) => Ok(None),
            Err(kube::Error::Api(status)) => Ok(Some(*status)),
            Err(error) => Err(self.failed_request_error(&error, "patch", &self.definition.plural, name)),
        }
    }

    async fn play_with_pods(&self, object: &DynamicObject, name: &str, script: &mut Script<'_>) -> Result<()> {
        let kind = self.kind();
        script.begin(&format!("kubectl get {},deployments,services,pods", self.definition.plural));
        self.show(&self.everything().await?);

        for replicas in [1, 3] {
            script.begin(&format!("kubectl scale {kind} {name} --replicas={replicas}"));
            self.scale(name, replicas).await?;
            script.begin("kubectl get pods");
            self.pods(replicas).await?;
            self.show(&table(&self.connection, &path("", "v1", "pods")).await?);
        }

        script.begin(&format!("kubectl delete service {name}"));
        let services = self.api("", "Service");
        let before =
            self.service(name).await?.ok_or_else(|| Error::user(format!("the cluster has no Service `{name}`")))?;
        let deleted = services.delete(name, &DeleteParams::default()).await;
        deleted.map(drop).map_err(|error| self.failed_request_error(&error, "delete", "services", name))?;
        self.console.status("Deleted", format!("service/{name}"));
        script.begin("kubectl get services");
        let spinner = self.console.spinner("Waiting", "for the operator to bring it back");
        while self.service(name).await?.is_none_or(|uid| uid == before) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        drop(spinner);
        self.ready(object).await?;
        self.show(&table(&self.connection, &path("", "v1", "services")).await?);
        Ok(())
    }

    /// Returns the custom resources of the demo's kind as a table.
    pub(super) async fn objects(&self) -> Result<String> {
        let version = self.definition.served.first().map(String::as_str).unwrap_or_default();
        table(&self.connection, &path(&self.definition.group, version, &self.definition.plural)).await
    }

    async fn ready(&self, object: &DynamicObject) -> Result<()> {
        let (kind, name) = (&self.definition.kind, object.metadata.name.clone().unwrap_or_default());
        let _spinner = self.console.spinner("Waiting", format!("for {kind} `{name}` to become Ready"));
        wait_for_condition(&self.connection, self.definition, object, |data| is_true(data, "Ready")).await.map(drop)
    }

    /// Sets the number of replicas through the scale subresource, as `kubectl scale` does.
    async fn scale(&self, name: &str, replicas: u32) -> Result<()> {
        let patch = Patch::Merge(json!({"spec": {"replicas": replicas}}));
        let scaled = self.custom_resource_api().patch_scale(name, &PatchParams::default(), &patch).await;
        scaled.map(drop).map_err(|error| self.failed_request_error(&error, "patch", &self.definition.plural, name))
    }

    /// Waits until there are exactly `count` pods, and all of them are ready.
    async fn pods(&self, count: u32) -> Result<()> {
        let pods = if count == 1 { "pod" } else { "pods" };
        let _spinner = self.console.spinner("Waiting", format!("for {count} {pods}"));
        let api = self.api("", "Pod");
        loop {
            let pods = api.list(&ListParams::default()).await;
            let pods = pods.map_err(|error| self.failed_request_error(&error, "list", "pods", ""))?.items;
            let is_ready = |pod: &DynamicObject| is_true(&pod.data, "Ready");
            if pods.len() == usize::try_from(count).unwrap_or_default() && pods.iter().all(is_ready) {
                return Ok(());
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }

    /// Returns the UID of the service, if the service exists.
    async fn service(&self, name: &str) -> Result<Option<String>> {
        let service = self.api("", "Service").get_opt(name).await;
        let service = service.map_err(|error| self.failed_request_error(&error, "get", "services", name))?;
        Ok(service.and_then(|service| service.metadata.uid))
    }

    async fn everything(&self) -> Result<String> {
        let mut tables = vec![self.objects().await?];
        for path in [path("apps", "v1", "deployments"), path("", "v1", "services"), path("", "v1", "pods")] {
            tables.push(table(&self.connection, &path).await?);
        }
        Ok(tables.join("\n\n"))
    }

    pub(super) fn show(&self, text: &str) {
        if self.console.talkative() {
            self.console.lines(text);
        }
    }

    /// Returns a client for the custom resources of the demo's kind.
    fn custom_resource_api(&self) -> Api<DynamicObject> {
        let version = self.definition.served.first().map(String::as_str).unwrap_or_default();
        let kind = GroupVersionKind::gvk(&self.definition.group, version, &self.definition.kind);
        let resource = ApiResource::from_gvk_with_plural(&kind, &self.definition.plural);
        Api::namespaced_with(self.connection.client.clone(), NAMESPACE, &resource)
    }

    fn api(&self, group: &str, kind: &str) -> Api<DynamicObject> {
        let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, "v1", kind));
        Api::namespaced_with(self.connection.client.clone(), NAMESPACE, &resource)
    }

    fn failed_request_error(&self, error: &kube::Error, verb: &str, resource: &str, name: &str) -> Error {
        request_error(error, &self.connection, Attempt { verb, resource, name, namespace: Some(NAMESPACE) })
    }
}

fn path(group: &str, version: &str, plural: &str) -> String {
    let prefix = if group.is_empty() { "/api".to_owned() } else { format!("/apis/{group}") };
    format!("{prefix}/{version}/namespaces/{NAMESPACE}/{plural}")
}

fn read_sample(root: &Path, definition: &Definition) -> Result<DynamicObject> {
    let folder = root.join("config/samples");
    let entries = std::fs::read_dir(&folder).map_err(|error| file_error("read", &folder, &error))?;
    for entry in entries.flatten() {
        let path = entry.path();
        let text = reading::text(&path, Limit::Source).map_err(|error| file_error("read", &path, &error))?;
        if let Ok(object) = serde_yaml::from_str::<DynamicObject>(&text)
            && object.types.as_ref().is_some_and(|types| types.kind == definition.kind)
        {
            return Ok(object);
        }
    }
    Err(Error::user(format!("`config/samples` has no sample of `{}`", definition.kind))
        .hint(hint!("opctl create api --kind {} --force", definition.kind)))
}
