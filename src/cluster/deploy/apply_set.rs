//! The objects of a project in a cluster: an `ApplySet` (KEP-3659), which `kubectl apply --prune --applyset` also
//! understands.
//!
//! A `ConfigMap` in the operator's namespace lists the kinds of the objects, and each object has a label with the set's
//! id.

use super::member::{Member, group_kind, kinds};
use crate::cluster::apply::Apply;
use crate::cluster::request::list_metadata::metadata;
use crate::cluster::{Attempt, Connection, RefusedBy, request_error};
use crate::error::hint;
use crate::model::Project;
use crate::{Error, Result};
use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use kube::Api;
use kube::api::{ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use kube::discovery::{Discovery, Scope, verbs};
use serde_json::json;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;

const ID: &str = "applyset.kubernetes.io/id";
const PART_OF: &str = "applyset.kubernetes.io/part-of";
const TOOLING: &str = "applyset.kubernetes.io/tooling";
const KINDS: &str = "applyset.kubernetes.io/contains-group-kinds";
const NAMESPACES: &str = "applyset.kubernetes.io/additional-namespaces";

/// The annotation with the domain of the project that owns an apply set, as two projects may have the same name.
const DOMAIN: &str = "opctl.dev/domain";

/// The apply set of one project in one namespace.
#[derive(Clone, Debug)]
pub(super) struct ApplySet {
    name: String,
    namespace: String,
    domain: String,
}

/// The kinds and namespaces that the `ConfigMap` of an apply set lists.
#[derive(Clone, Debug, Default)]
pub(super) struct ApplySetContents {
    kinds: BTreeSet<String>,
    namespaces: BTreeSet<String>,
}

impl ApplySet {
    /// Returns the apply set of `project` in the namespace of the Deployment among `members`.
    pub(super) fn of(project: &Project, members: &[Member]) -> Result<Self> {
        let deployment = members.iter().find(|member| member.group_kind() == "Deployment.apps");
        let namespace = deployment.and_then(Member::namespace).ok_or_else(|| {
            Error::user("`config/default` has no Deployment of the operator")
                .hint("git checkout config/default config/manager")
        })?;
        let domain = project.domain.to_string();
        Ok(ApplySet { name: format!("{}-applyset", project.name), namespace: namespace.to_owned(), domain })
    }

    /// Returns the set's id, `applyset-<base64(sha256(<name>.<namespace>.<kind>.<group>))>-v1`, as KEP-3659 defines it.
    pub(super) fn id(&self) -> String {
        id(&self.name, &self.namespace, "ConfigMap")
    }

    /// Returns the id of the apply set to which `object` belongs, from its label; `None` without the label.
    pub(super) fn of_object(object: &DynamicObject) -> Option<&str> {
        object.metadata.labels.as_ref()?.get(PART_OF).map(String::as_str)
    }

    /// Returns true if `name` is the name of the label that holds the id of an object's set.
    pub(super) fn is_label(name: &str) -> bool {
        name == PART_OF
    }

    /// Labels `member` as an object of the set.
    pub(super) fn claim(&self, member: &mut Member) {
        member.object.metadata.labels.get_or_insert_default().insert(PART_OF.to_owned(), self.id());
    }

    /// Reads the kinds and namespaces of the set from its `ConfigMap`; returns `None` if no `ConfigMap` exists.
    ///
    /// # Errors
    /// Fails if the set belongs to another project of the same name, if another tool manages the set, or if the server
    /// refuses the request.
    pub(super) async fn read_contents(&self, connection: &Connection) -> Result<Option<ApplySetContents>> {
        let attempt =
            Attempt { verb: "get", resource: "configmaps", name: &self.name, namespace: Some(&self.namespace) };
        let parent = self.api(connection).get_opt(&self.name).await;
        let Some(parent) = parent.map_err(|error| request_error(&error, connection, attempt))? else { return Ok(None) };
        let annotation = |key: &str| parent.metadata.annotations.as_ref().and_then(|all| all.get(key)).cloned();
        let tooling = annotation(TOOLING).unwrap_or_default();
        if !tooling.starts_with("opctl/") {
            let Self { name, namespace, .. } = self;
            return Err(Error::conflict(format!("the ConfigMap `{name}` is not managed by opctl"))
                .caused_by(format!(
                    "the annotation `{TOOLING}` of the ConfigMap, which names the managing tool, is \
                                    `{tooling}`"
                ))
                .hint(connection.kubectl(hint!(
                    "delete configmap {name} --namespace {namespace}    # if no other tool needs it",
                    name,
                    namespace
                ))));
        }
        // A set that an earlier opctl recorded has no domain.
        if let Some(domain) = annotation(DOMAIN).filter(|domain| *domain != self.domain) {
            return Err(self.of_another_project(&domain, connection));
        }
        let set = |key: &str| {
            let text = annotation(key).unwrap_or_default();
            text.split(',').filter(|entry| !entry.is_empty()).map(str::to_owned).collect()
        };
        Ok(Some(ApplySetContents { kinds: set(KINDS), namespaces: set(NAMESPACES) }))
    }

    fn of_another_project(&self, domain: &str, connection: &Connection) -> Error {
        let Self { name, namespace, domain: own } = self;
        let project = name.trim_end_matches("-applyset");
        let disown = connection.kubectl(hint!(
            "annotate configmap {name} --namespace {namespace} {DOMAIN}-",
            name,
            namespace,
            DOMAIN
        ));
        Error::conflict(format!(
            "the namespace `{namespace}` has the operator of another project that is also named `{project}`"
        ))
        .caused_by(format!(
            "the operator in the namespace was deployed for the domain `{domain}`, and the domain \
                                of this project is `{own}`"
        ))
        .hint(hint!(
            "opctl rename project --to other-{project}    # or, if it is the same project with a new domain: \
                 {disown}",
            project,
            disown
        ))
    }

    /// Writes the kinds and namespaces of `members`, together with the kinds and namespaces in `known`, to the set's
    /// `ConfigMap`.
    pub(super) async fn record(
        &self,
        connection: &Connection,
        members: &[Member],
        known: ApplySetContents,
    ) -> Result<()> {
        let ApplySetContents { kinds: mut group_kinds, mut namespaces } = known;
        group_kinds.extend(members.iter().map(Member::group_kind));
        namespaces.extend(members.iter().filter_map(Member::namespace).map(str::to_owned));
        namespaces.remove(&self.namespace);
        let list = |entries: BTreeSet<String>| entries.into_iter().collect::<Vec<_>>().join(",");
        let parent = json!({
            "apiVersion": "v1",
            "kind": "ConfigMap",
            "metadata": {
                "name": self.name,
                "namespace": self.namespace,
                "labels": { ID: self.id() },
                "annotations": {
                    TOOLING: concat!("opctl/v", env!("CARGO_PKG_VERSION")),
                    DOMAIN: self.domain,
                    KINDS: list(group_kinds),
                    NAMESPACES: list(namespaces),
                },
            },
        });
        let parent: DynamicObject = serde_json::from_value(parent)
            .map_err(|error| Error::bug("cannot build the ConfigMap of the apply set").source(&error))?;
        let apply = Apply { force_conflicts: true, dry_run: false, keeps_run: false };
        let namespace = Some(self.namespace.as_str());
        let attempt = Attempt { verb: "patch", resource: "configmaps", name: &self.name, namespace };
        apply.object(connection, &self.api(connection), &parent, attempt).await.map(drop)
    }

    /// Returns the objects in the cluster that belong to the set, and the plural names of the cluster-scoped kinds that
    /// the user may not list. Searches only the kinds in `known`, in the namespaces in `known` and in the namespace of
    /// the set.
    pub(super) async fn objects(
        &self,
        connection: &Connection,
        known: &ApplySetContents,
    ) -> Result<(Vec<Member>, Vec<String>)> {
        let discovery = kinds(connection).await?;
        let (mut found, mut hidden) = (Vec::new(), Vec::new());
        for name in &known.kinds {
            // A kind that the cluster no longer serves has no objects.
            let Some((resource, capabilities)) = resolve(&discovery, name) else { continue };
            let places: Vec<Option<&str>> = match capabilities.scope {
                Scope::Cluster => vec![None],
                Scope::Namespaced => {
                    known.namespaces.iter().chain([&self.namespace]).map(|name| Some(name.as_str())).collect()
                }
            };
            for place in places {
                let api: Api<DynamicObject> = match place {
                    Some(namespace) => Api::namespaced_with(connection.client.clone(), namespace, &resource),
                    None => Api::all_with(connection.client.clone(), &resource),
                };
                let attempt =
                    Attempt { verb: "list", resource: &resource.plural, name: &resource.plural, namespace: place };
                let labels = format!("{PART_OF}={}", self.id());
                let all = match metadata(&api, &labels).await {
                    Err(error) if place.is_none() && RefusedBy::is_missing_right(&error) => {
                        hidden.push(resource.plural.clone());
                        continue;
                    }
                    all => all.map_err(|error| request_error(&error, connection, attempt))?,
                };
                found.extend(all.into_iter().map(|metadata| {
                    let object = DynamicObject {
                        types: Some(kube::api::TypeMeta {
                            api_version: resource.api_version.clone(),
                            kind: resource.kind.clone(),
                        }),
                        metadata,
                        data: serde_json::Value::Null,
                    };
                    Member::new((resource.clone(), capabilities.clone()), object)
                }));
            }
        }
        Ok((found, hidden))
    }

    /// Returns the set's `ConfigMap` as a member of the set, so that `undeploy` can delete it like other members.
    pub(super) fn parent(&self) -> Member {
        let mut object = DynamicObject::new(&self.name, &config_maps());
        object.metadata.namespace = Some(self.namespace.clone());
        let capabilities = kube::discovery::ApiCapabilities {
            scope: Scope::Namespaced,
            subresources: Vec::new(),
            operations: Vec::new(),
        };
        Member::new((config_maps(), capabilities), object)
    }

    fn api(&self, connection: &Connection) -> Api<DynamicObject> {
        Api::namespaced_with(connection.client.clone(), &self.namespace, &config_maps())
    }
}

fn id(name: &str, namespace: &str, kind: &str) -> String {
    let hash = Sha256::digest(format!("{name}.{namespace}.{kind}."));
    format!("applyset-{}-v1", URL_SAFE_NO_PAD.encode(hash))
}

fn config_maps() -> ApiResource {
    ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk("", "v1", "ConfigMap"), "configmaps")
}

/// Finds the served kind for `name`, which the `ConfigMap` lists as `Kind.group`.
fn resolve(discovery: &Discovery, name: &str) -> Option<(ApiResource, kube::discovery::ApiCapabilities)> {
    let (kind, group) = name.split_once('.').unwrap_or((name, ""));
    let found = discovery.get(group)?.recommended_kind(kind)?;
    (group_kind(&found.0) == name && found.1.supports_operation(verbs::LIST)).then_some(found)
}

#[cfg(test)]
mod tests {
    use super::id;

    #[test]
    fn the_id_is_what_kubectl_computes() {
        // From kubectl's own tests (`kubectl/pkg/cmd/apply/apply_test.go`).
        let expected = "applyset-0eFHV8ySqp7XoShsGvyWFQD3s96yqwHmzc4e0HR1dsY-v1";
        assert_eq!(id("my-set", "test", "Secret"), expected);
    }
}
