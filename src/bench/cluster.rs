//! Sends opctl's requests, as administrator, to the API server of an `opctl bench` measurement.

use crate::explore::{Call, Serving};
use crate::{Error, Result};
use kube::Client;
use kube::Resource;
use kube::api::{ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use kube::discovery::{Scope, pinned_kind};
use serde_json::{Value, json};

/// The API server against which `opctl bench` measures the operator, with two clients: one with administrator rights,
/// for opctl's requests, and one with the operator's rights, for the operator's requests.
pub struct Cluster {
    /// The client with the rights of the cluster's administrator.
    pub admin: Client,
    /// The client with the operator's rights, which does not retry a failed request.
    pub operator: Client,
    /// The TLS identity of the proxy between the operator and the API server.
    pub serving: Serving,
}

/// The URL path and the resource name of the objects of a kind.
#[derive(Clone, Debug)]
pub(super) struct Place {
    /// The URL path of the objects in the API server.
    pub(super) path: String,
    /// The resource with its group, such as `webservers.example.com`.
    pub(super) collection: String,
}

impl Cluster {
    /// Finds the URL path of an object in `namespace`. The path of a cluster-scoped object has no namespace.
    pub(super) async fn find_place(&self, object: &Value, namespace: &str) -> Result<Place> {
        let text = |key: &str| object[key].as_str().unwrap_or_default();
        let (group, version) = text("apiVersion").rsplit_once('/').unwrap_or(("", text("apiVersion")));
        let gvk = GroupVersionKind::gvk(group, version, text("kind"));
        let (resource, capabilities): (ApiResource, _) = pinned_kind(&self.admin, &gvk).await.map_err(|error| {
            Error::user(format!("`{}` is not served", gvk.kind)).source(&error).hint(
                "add the CRD of the sample's kind to `config/crd` or to the folder of `--crds`, then run the \
                       same command again",
            )
        })?;
        let namespaced = (capabilities.scope == Scope::Namespaced).then_some(namespace);
        let path = DynamicObject::url_path(&resource, namespaced);
        let collection = Call::parse("GET", &path, "").map(|call| call.collection()).unwrap_or_default();
        Ok(Place { path, collection })
    }

    /// Creates an object, unless an object of the same name exists.
    pub(super) async fn make(&self, path: &str, object: &Value) -> Result<(), kube::Error> {
        match self.request("POST", path, object).await {
            Err(kube::Error::Api(status)) if status.code == 409 => Ok(()),
            answer => answer.map(drop),
        }
    }

    /// Creates a namespace, unless a namespace of the same name exists.
    pub(super) async fn make_namespace(&self, name: &str) -> Result<()> {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        self.make("/api/v1/namespaces", &namespace).await.map_err(|error| server_request_error(&error))
    }

    /// Deletes all leases in a namespace. opctl kills the operator process at the end of a measurement, so the process
    /// does
    /// not release its lease, and the next process would have to wait until the lease expires.
    pub(super) async fn delete_leases(&self, namespace: &str) -> Result<()> {
        let path = format!("/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases");
        self.request("DELETE", &path, &Value::Null).await.map(drop).map_err(|error| server_request_error(&error))
    }

    /// Sends a request as the administrator.
    pub(super) async fn request(&self, method: &str, path: &str, body: &Value) -> Result<Value, kube::Error> {
        let bytes = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let request = http::Request::builder().method(method).uri(path).header("Content-Type", "application/json");
        self.admin.request(request.body(bytes).map_err(kube::Error::HttpError)?).await
    }
}

/// Returns the error for a failed request to the API server that opctl started for the measurement.
pub(super) fn server_request_error(error: &kube::Error) -> Error {
    Error::cluster("the API server that opctl started for the measurement does not answer").source(error)
}
