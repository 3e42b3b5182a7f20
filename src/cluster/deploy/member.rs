//! Finds the API resource of each object of a deployment, and builds requests for these objects.

use crate::cluster::{Attempt, Connection, request_error};
use crate::error::{Hint, hint};
use crate::{Error, Result};
use kube::api::{ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use kube::discovery::{ApiCapabilities, Discovery, Scope};
use kube::{Api, Client};
use serde_json::Value;

/// An object and the API resource of its kind.
#[derive(Clone, Debug)]
pub(in crate::cluster) struct Member {
    pub(in crate::cluster) resource: ApiResource,
    pub(in crate::cluster) object: DynamicObject,
    /// True if the kind is namespaced.
    namespaced: bool,
}

impl Member {
    pub(in crate::cluster) fn new(
        (resource, capabilities): (ApiResource, ApiCapabilities),
        object: DynamicObject,
    ) -> Self {
        Member { resource, object, namespaced: capabilities.scope == Scope::Namespaced }
    }

    pub(in crate::cluster) fn name(&self) -> &str {
        self.object.metadata.name.as_deref().unwrap_or_default()
    }

    /// Returns the object's namespace; `None` for a cluster-scoped kind.
    pub(in crate::cluster) fn namespace(&self) -> Option<&str> {
        self.namespaced.then(|| self.object.metadata.namespace.as_deref().unwrap_or("default"))
    }

    /// Returns `kind/name`, as shown in reports.
    pub(in crate::cluster) fn path(&self) -> String {
        format!("{}/{}", self.resource.kind.to_lowercase(), self.name())
    }

    /// Returns `Kind.group`, as recorded in the apply set.
    pub(in crate::cluster) fn group_kind(&self) -> String {
        group_kind(&self.resource)
    }

    /// Returns `plural.group`, the form in which kubectl accepts the name of a kind.
    pub(in crate::cluster) fn resource_name(&self) -> String {
        let group = self.resource.group.as_str();
        let dot = if group.is_empty() { "" } else { "." };
        format!("{}{dot}{group}", self.resource.plural)
    }

    /// Returns true if both members have the same kind, name and namespace.
    pub(in crate::cluster) fn is_same_object(&self, other: &Member) -> bool {
        self.group_kind() == other.group_kind() && self.name() == other.name() && self.namespace() == other.namespace()
    }

    /// Returns true for a Namespace or a CRD: the deletion of either also deletes other objects, and cannot be undone.
    pub(in crate::cluster) fn is_precious(&self) -> bool {
        matches!(self.group_kind().as_str(), "Namespace" | "CustomResourceDefinition.apiextensions.k8s.io")
    }

    /// Describes a request with `verb` for the object, for use in error messages.
    pub(in crate::cluster) fn attempt<'a>(&'a self, verb: &'a str) -> Attempt<'a> {
        Attempt { verb, resource: &self.resource.plural, name: self.name(), namespace: self.namespace() }
    }

    /// Returns an API client for the object's kind and namespace.
    pub(in crate::cluster) fn api(&self, client: &Client) -> Api<DynamicObject> {
        match self.namespace() {
            Some(namespace) => Api::namespaced_with(client.clone(), namespace, &self.resource),
            None => Api::all_with(client.clone(), &self.resource),
        }
    }

    /// Reads the object from the cluster; returns `None` if the object does not exist.
    pub(in crate::cluster) async fn read_live_object(&self, connection: &Connection) -> Result<Option<DynamicObject>> {
        let attempt = self.attempt("get");
        let live = self.api(&connection.client).get_opt(self.name()).await;
        live.map_err(|error| request_error(&error, connection, attempt))
    }
}

/// Returns `Kind.group`, or just `Kind` for the core group, which has no name.
pub(in crate::cluster) fn group_kind(resource: &ApiResource) -> String {
    if resource.group.is_empty() { resource.kind.clone() } else { format!("{}.{}", resource.kind, resource.group) }
}

/// Discovers all kinds that the server serves.
pub(in crate::cluster) async fn kinds(connection: &Connection) -> Result<Discovery> {
    let attempt = Attempt { verb: "get", resource: "kinds", name: "the kinds of the cluster", namespace: None };
    let discovery = Discovery::new(connection.client.clone()).run_aggregated().await;
    discovery.map_err(|error| request_error(&error, connection, attempt))
}

/// Returns each object with the API resource of its kind.
///
/// # Errors
/// Fails if a kind is neither served nor defined by a CRD among the objects.
pub(in crate::cluster) fn members(kinds: &Discovery, objects: &[Value]) -> Result<Vec<Member>> {
    let mut members = Vec::new();
    let mut unknown: Vec<String> = Vec::new();
    for value in objects {
        let name = value["metadata"]["name"].as_str().unwrap_or_default();
        let object: DynamicObject = serde_json::from_value(value.clone()).map_err(|error| {
            Error::user(format!("`{name}` of `config/default` is not a Kubernetes object"))
                .source(&error)
                .hint("kubectl kustomize config/default")
        })?;
        let types = object.types.clone().unwrap_or_default();
        let kind = GroupVersionKind::try_from(&types).ok();
        let found = kind.as_ref().and_then(|kind| kinds.resolve_gvk(kind).or_else(|| defined_resource(kind, objects)));
        match found {
            Some(found) => members.push(Member::new(found, object)),
            None => unknown.push(format!("`{name}` is a {} of {}", types.kind, types.api_version)),
        }
    }
    if unknown.is_empty() {
        return Ok(members);
    }
    let lacks = |kind: &str| unknown.iter().any(|line| line.contains(&format!(" {kind} ")));
    let parts = [
        (lacks("ServiceMonitor"), "the Prometheus operator", "prometheus"),
        (lacks("Certificate") || lacks("Issuer"), "cert-manager", "cert-manager"),
    ];
    let (programs, names): (Vec<&'static str>, Vec<&str>) =
        parts.iter().filter(|part| part.0).map(|(_, program, name)| (*program, *name)).unzip();
    let error = Error::cluster("`config/default` has objects of kinds that the cluster does not serve");
    let error = unknown.iter().fold(error, Error::caused_by);
    Err(error.hint(if names.is_empty() {
        "install the component that provides these kinds, then run the same command again".into()
    } else {
        let programs = Hint::join(programs.into_iter().map(Hint::from), " and ");
        hint!(
            "install {programs} in the cluster; or, to deploy without these objects: opctl edit --disable {}",
            names.join(","),
            programs
        )
    }))
}

/// Returns the API resource of `kind` if a CRD among `objects` defines the kind.
pub(super) fn defined_resource(kind: &GroupVersionKind, objects: &[Value]) -> Option<(ApiResource, ApiCapabilities)> {
    let spec = objects
        .iter()
        .filter(|object| object["kind"] == "CustomResourceDefinition")
        .map(|object| &object["spec"])
        .find(|spec| spec["group"] == kind.group.as_str() && spec["names"]["kind"] == kind.kind.as_str())?;
    let plural = spec["names"]["plural"].as_str()?;
    let scope = if spec["scope"] == "Cluster" { Scope::Cluster } else { Scope::Namespaced };
    let capabilities = ApiCapabilities { scope, subresources: Vec::new(), operations: Vec::new() };
    Some((ApiResource::from_gvk_with_plural(kind, plural), capabilities))
}
