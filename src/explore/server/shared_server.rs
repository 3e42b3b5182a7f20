//! The API server that all runs share, and the requests that opctl sends to it as administrator.

use super::door::Serving;
use super::explored_samples::Samples;
use super::operator::Launch;
use crate::error::hint;
use crate::explore::record::call::collection;
use crate::explore::record::lock;
use crate::explore::record::normalize::OWN;
use crate::explore::record::run_scope::{RunScope, namespace_of_run};
use crate::explore::record::state::State;
use crate::{Error, Result};
use kube::Client;
use kube::Resource;
use kube::api::{ApiResource, DynamicObject};
use kube::discovery::{ApiCapabilities, Discovery, Scope};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The holder identity with which opctl takes a lease from the operator.
pub const OTHER_HOLDER: &str = "opctl-explore";

/// The data that all runs of an exploration share: the clients, the samples, the roles and the served resources.
pub struct World {
    /// The client with the rights of the cluster's administrator.
    pub admin: Client,
    /// A client with the operator's rights, which does not retry failed requests.
    pub operator: Client,
    /// The TLS identity of the proxies.
    pub serving: Serving,
    /// The command that starts the operator.
    pub launch: Launch,
    /// The samples that the steps of the scenario create, change and delete.
    pub samples: Vec<Sample>,
    /// The roles that the operator needs in the namespace of its lease, with their bindings.
    pub roles: Vec<Value>,
    /// The objects that each run's namespace gets, because samples may need them.
    pub needed: Vec<Value>,
    /// The resources of samples that are not explored, because their objects have no namespace.
    pub left_out: Vec<String>,
    /// The names of the cluster-scoped samples that are explored.
    pub cluster_scoped: BTreeSet<String>,
    served: BTreeMap<String, ServedResource>,
}

/// A sample, and the changes of the sample that the API server accepts.
#[derive(Clone, Debug)]
pub struct Sample {
    /// The object, without a namespace.
    pub object: Value,
    /// Two merge patches: the first changes a field, the second restores the field. `None` if no field can be changed.
    pub change: Option<[Value; 2]>,
    /// Other values for the sample's fields that the API server accepts, as plans contain them, such as
    /// `webservers.example.com/web/spec.port=0`.
    pub fields: Vec<String>,
}

/// A resource that the API server serves.
struct ServedResource {
    resource: ApiResource,
    namespaced: bool,
}

impl World {
    /// Discovers the resources that the server serves, and finds possible changes of the samples.
    ///
    /// # Errors
    /// Fails if the server does not answer, if a sample's kind is not served, or if no sample is namespaced.
    pub async fn discover(
        admin: Client,
        operator: Client,
        serving: Serving,
        launch: Launch,
        samples: Samples,
        roles: Vec<Value>,
    ) -> Result<World> {
        let served = discover_resources(&admin, &samples).await?;
        let (none, needed, left_out, cluster_scoped) = (Vec::new(), Vec::new(), Vec::new(), BTreeSet::new());
        let mut world =
            World { admin, operator, serving, launch, samples: none, roles, needed, left_out, cluster_scoped, served };
        let (explored, created_once) = world.provide(samples).await?;
        for object in explored {
            world.check(&object).await?;
            let (change, fields) = world.choose(&object).await?;
            world.samples.push(Sample { object, change, fields });
        }
        if world.samples.is_empty() {
            return Err(Error::user(format!("`{}` cannot be explored", created_once.join("`, `")))
                .caused_by(
                    "opctl tests an upgrade in separate namespaces, and cluster-scoped objects have no namespace",
                )
                .hint("opctl test    # runs your own tests, which can cover cluster-scoped kinds"));
        }
        world.left_out = created_once;
        Ok(world)
    }

    /// Returns a copy of this world for another version of the operator, with the resources that the server now serves.
    pub async fn of_another(&self, operator: Client, launch: Launch, objects: Samples) -> Result<World> {
        let served = discover_resources(&self.admin, &objects).await?;
        let (admin, serving) = (self.admin.clone(), self.serving.clone());
        let (samples, roles, needed) = (self.samples.clone(), self.roles.clone(), self.needed.clone());
        let (left_out, cluster_scoped) = (Vec::new(), BTreeSet::new());
        Ok(World { admin, operator, serving, launch, samples, roles, needed, left_out, cluster_scoped, served })
    }

    /// Fails if the API server would refuse the sample.
    async fn check(&self, sample: &Value) -> Result<()> {
        let path = format!("{}?dryRun=All", self.path_of_kind("default", sample)?);
        let object = self.object_in_run(sample, &self.scope_of_run(&namespace_of_run(0)))?;
        match self.request("POST", &path, &object).await {
            Err(kube::Error::Api(status)) if [400, 403, 422].contains(&status.code) => {
                let name = sample["metadata"]["name"].as_str().unwrap_or_default();
                let renamed = object["metadata"]["name"].as_str().filter(|renamed| *renamed != name);
                if let Some(renamed) = renamed
                    && self.request("POST", &path, sample).await.is_ok()
                {
                    return Err(Error::user(format!("the sample `{name}` cannot be explored"))
                        .caused_by(format!(
                            "opctl renames a cluster-scoped sample in each run, but the API server refuses `{renamed}`: {}",
                            status.message
                        ))
                        .hint("opctl test    # runs your own tests, which can cover cluster-scoped kinds"));
                }
                let kind = sample["kind"].as_str().unwrap_or_default();
                Err(Error::user(format!("the API server refuses the sample `{name}` of `{kind}`"))
                    .caused_by(&status.message)
                    .hint(hint!("{again}    # after you have fixed the sample", again = &self.launch.again)))
            }
            _ => Ok(()),
        }
    }

    fn served_kind(&self, object: &Value) -> Result<(&String, &ServedResource)> {
        let (version, kind) = (object["apiVersion"].as_str(), object["kind"].as_str());
        let group = version.and_then(|version| version.split_once('/')).map_or("", |(group, _)| group);
        let fits =
            |served: &ServedResource| served.resource.group == group && Some(served.resource.kind.as_str()) == kind;
        self.served.iter().find(|(_, served)| fits(served)).ok_or_else(|| {
            Error::user(format!("`{}` is not served", kind.unwrap_or_default()))
                .caused_by("a sample is of a kind that the API server does not know")
                .hint(if self.launch.remembers {
                    "opctl manifests    # then run the same command again"
                } else {
                    "add the CRD of the sample to the folder of `--crds`, or remove the sample"
                })
        })
    }

    /// Returns true if the objects of the resource have a namespace.
    pub fn is_namespaced(&self, collection: &str) -> bool {
        self.served.get(collection).is_some_and(|served| served.namespaced)
    }

    /// Returns the resource of a sample, such as `webservers.example.com`.
    pub fn collection_of(&self, sample: &Value) -> Result<&str> {
        Ok(self.served_kind(sample)?.0)
    }

    /// Returns the API path of the objects of a resource in `namespace`.
    pub fn path(&self, namespace: &str, collection: &str) -> Result<String> {
        let served = self.served.get(collection);
        let served = served.ok_or_else(|| Error::bug(format!("the API server does not serve `{collection}`")))?;
        Ok(DynamicObject::url_path(&served.resource, served.namespaced.then_some(namespace)))
    }

    /// Returns the API path of the objects in `namespace` that have the kind and version of `object`.
    pub fn path_of_kind(&self, namespace: &str, object: &Value) -> Result<String> {
        let (_, served) = self.served_kind(object)?;
        let api_version = object["apiVersion"].as_str().unwrap_or_default().to_owned();
        let version = api_version.rsplit('/').next().unwrap_or_default().to_owned();
        let resource = ApiResource { api_version, version, ..served.resource.clone() };
        Ok(DynamicObject::url_path(&resource, served.namespaced.then_some(namespace)))
    }

    /// Creates a namespace that contains the operator's roles and bindings, and the objects that samples need.
    pub async fn make_namespace(&self, name: &str) -> Result<()> {
        let namespace = json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}});
        self.send("POST", "/api/v1/namespaces", &namespace).await?;
        for role in &self.roles {
            let plural = if role["kind"] == "Role" { "roles" } else { "rolebindings" };
            let path = format!("/apis/rbac.authorization.k8s.io/v1/namespaces/{name}/{plural}");
            self.send("POST", &path, role).await?;
        }
        for object in &self.needed {
            self.make(object, name, "").await?;
        }
        Ok(())
    }

    /// Reads the objects of `resources` that belong to the run of `scope`. Leaves out resources that the server does not
    /// serve. If only objects of one namespace belong to the run, also leaves out cluster-scoped resources.
    pub async fn state<'a>(&self, scope: &RunScope, resources: impl Iterator<Item = &'a String>) -> Result<State> {
        let mut lists = Vec::new();
        for resource in resources {
            let Some(path) = self.path_of_state(scope, resource) else { continue };
            let mut list = self.send("GET", &path, &Value::Null).await?;
            let mut items = list["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
            items.retain(|object| scope.owns(object));
            for object in &mut items {
                scope.make_plain(object);
            }
            if self.is_kept_by_controllers(resource) {
                for status in items.iter_mut().filter_map(|object| object.get_mut("status")) {
                    status.take();
                }
            }
            lists.push((resource.clone(), items));
        }
        Ok(State::of(scope.namespace(), &lists))
    }

    /// Returns the path of a list with the resource's objects that may belong to the run of `scope`.
    fn path_of_state(&self, scope: &RunScope, resource: &str) -> Option<String> {
        let served = self.served.get(resource)?;
        let namespace = (served.namespaced && !scope.is_cluster_wide()).then(|| scope.namespace());
        (namespace.is_some() || scope.is_cluster_wide()).then(|| DynamicObject::url_path(&served.resource, namespace))
    }

    /// Returns true if the resource is built in and has no sample. Controllers of Kubernetes update the status of such
    /// objects independently of the operator, such as every 15 seconds for a `HorizontalPodAutoscaler`.
    pub fn is_kept_by_controllers(&self, resource: &str) -> bool {
        let group = self.served.get(resource).map_or("", |served| served.resource.group.as_str());
        let is_sample = |sample: &Sample| self.collection_of(&sample.object).is_ok_and(|found| found == resource);
        (!group.contains('.') || group.ends_with(".k8s.io")) && !self.samples.iter().any(is_sample)
    }

    /// Returns the current `resourceVersion` of the list of a resource's objects.
    pub async fn version_of(&self, namespace: &str, resource: &str) -> Result<String> {
        let list = self.send("GET", &format!("{}?limit=1", self.path(namespace, resource)?), &Value::Null).await?;
        Ok(list["metadata"]["resourceVersion"].as_str().unwrap_or_default().to_owned())
    }

    /// Clears the holder of each lease and lock after a kill of the operator, instead of waiting until they expire.
    /// Leaves out the leases that opctl holds.
    pub async fn empty_leases(&self, namespace: &str) -> Result<()> {
        for (path, lease) in self.leases(namespace).await? {
            // A lease that opctl holds is left alone.
            if lease["spec"]["holderIdentity"] != OTHER_HOLDER {
                // Without a time of renewal, some operators take the time of acquisition for it.
                let nobody = json!({"holderIdentity": null, "renewTime": null, "acquireTime": null});
                self.patch(&path, &json!({"spec": nobody})).await?;
            }
        }
        for resource in lock::RESOURCES {
            let collection = self.path(namespace, resource)?;
            let list = self.send("GET", &collection, &Value::Null).await?;
            for object in list["items"].as_array().into_iter().flatten() {
                let name = object["metadata"]["name"].as_str().unwrap_or_default();
                if let Some(released) = lock::release_patch(object) {
                    self.patch(&format!("{collection}/{name}"), &released).await?;
                }
            }
        }
        Ok(())
    }

    /// Returns the leases of a run, each with its path.
    pub async fn leases(&self, namespace: &str) -> Result<Vec<(String, Value)>> {
        let path = format!("/apis/coordination.k8s.io/v1/namespaces/{namespace}/leases");
        let mut list = self.send("GET", &path, &Value::Null).await?;
        let leases = list["items"].as_array_mut().map(std::mem::take).unwrap_or_default();
        let named = |lease: &Value| format!("{path}/{}", lease["metadata"]["name"].as_str().unwrap_or_default());
        Ok(leases.into_iter().map(|lease| (named(&lease), lease)).collect())
    }

    /// Writes an annotation to the object of a request, as another client would. Returns true if the write succeeded;
    /// it fails if the object does not exist, for example.
    pub async fn write_foreign(&self, path: &str, subresource: Option<&str>) -> bool {
        let path = subresource.and_then(|name| path.strip_suffix(&format!("/{name}"))).unwrap_or(path);
        self.request("PATCH", path, &annotation("foreign", "kept")).await.is_ok()
    }

    /// Returns true if an object exists, but lacks the annotation of [`World::write_foreign`].
    pub async fn lacks_foreign(&self, path: &str) -> Result<bool> {
        match self.request("GET", path, &Value::Null).await {
            Ok(object) => Ok(object["metadata"]["annotations"].get(format!("{OWN}foreign")).is_none()),
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(false),
            Err(error) => Err(request_error(&format!("GET {path}"), &error)),
        }
    }

    /// Changes an annotation of an object, which causes an event in all watches of the object.
    pub async fn touch(&self, path: &str, value: &str) -> Result<()> {
        self.patch(path, &annotation("touched", value)).await
    }

    /// Patches an object if it exists.
    pub async fn patch(&self, path: &str, change: &Value) -> Result<()> {
        match self.request("PATCH", path, change).await {
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
            answer => answer.map(drop).map_err(|error| request_error(&format!("PATCH {path}"), &error)),
        }
    }

    /// Deletes an object if it exists.
    pub async fn remove(&self, path: &str) -> Result<()> {
        match self.request("DELETE", path, &Value::Null).await {
            Err(kube::Error::Api(status)) if status.code == 404 => Ok(()),
            answer => answer.map(drop).map_err(|error| request_error(&format!("DELETE {path}"), &error)),
        }
    }

    /// Sends a request as the administrator.
    pub async fn send(&self, method: &str, path: &str, body: &Value) -> Result<Value> {
        self.request(method, path, body).await.map_err(|error| request_error(&format!("{method} {path}"), &error))
    }

    /// Sends a request as the administrator, and returns the error of kube if the request fails.
    pub async fn request(&self, method: &str, path: &str, body: &Value) -> Result<Value, kube::Error> {
        let content = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        let bytes = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let request = http::Request::builder().method(method).uri(path).header("Content-Type", content);
        self.admin.request(request.body(bytes).map_err(kube::Error::HttpError)?).await
    }
}

/// Discovers the resources that the server serves.
async fn discover_resources(admin: &Client, samples: &Samples) -> Result<BTreeMap<String, ServedResource>> {
    let discovery =
        Discovery::new(admin.clone()).run_aggregated().await.map_err(|error| request_error("discovery", &error))?;
    let mut served = BTreeMap::new();
    for group in discovery.groups() {
        let mut add = |resource: ApiResource, capabilities: &ApiCapabilities| {
            let name = collection(&resource.group, &resource.plural);
            served.insert(name, ServedResource { resource, namespaced: capabilities.scope == Scope::Namespaced });
        };
        for (resource, capabilities) in group.resources_by_stability() {
            add(resource, &capabilities);
        }
        // A sample is read and written in the version of its manifest. There may be a sample of each version: the one that
        // is explored comes last.
        for sample in samples.others.iter().chain(&samples.explored) {
            let version = sample["apiVersion"].as_str().and_then(|version| version.rsplit('/').next());
            for (resource, capabilities) in group.versioned_resources(version.unwrap_or_default()) {
                if sample["apiVersion"] == resource.api_version.as_str() && sample["kind"] == resource.kind.as_str() {
                    add(resource, &capabilities);
                }
            }
        }
    }
    Ok(served)
}

fn annotation(name: &str, value: &str) -> Value {
    json!({"metadata": {"annotations": {format!("{OWN}{name}"): value}}})
}

fn request_error(what: &str, error: &kube::Error) -> Error {
    let code = if let kube::Error::Api(status) = error { format!(" with {}", status.code) } else { String::new() };
    Error::cluster(format!("the request `{what}` to the API server fails{code}")).source(error)
}
