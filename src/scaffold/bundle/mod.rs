//! `opctl bundle`: a bundle of the operator for catalogs of the Operator Lifecycle Manager, as its documentation
//! describes bundles (<https://olm.operatorframework.io/docs/tasks/creating-operator-bundle/>).

mod options;
mod owned;
mod permissions;
mod service_version;
mod text;
mod webhooks;

use crate::error::hint;
use crate::model::{Project, ProjectPath};
use crate::plan::{Existing, Operation};
use crate::template::Templates;
use crate::{Error, Result, yaml};
use heck::ToTitleCase;
pub use options::BundleOptions;
use serde::Serialize;
use serde_json::{Map, Value, json};
use text::text;

/// The folder of the bundle.
pub const BUNDLE: &str = "bundle/";
const ANNOTATIONS: &str = "bundle/metadata/annotations.yaml";
/// The folder of the base for the `ClusterServiceVersion`.
const BASES: &str = "config/manifests/bases/";
/// The Dockerfile that builds an image of the bundle.
const DOCKERFILE: &str = "bundle.Dockerfile";

/// Kinds that the Operator Lifecycle Manager accepts in a bundle besides CRDs (operator-registry,
/// `pkg/lib/bundle/supported_resources.go`).
const SUPPORTED: [&str; 12] = [
    "ClusterRole",
    "ClusterRoleBinding",
    "ConfigMap",
    "PodDisruptionBudget",
    "PriorityClass",
    "PrometheusRule",
    "Role",
    "RoleBinding",
    "Secret",
    "Service",
    "ServiceAccount",
    "ServiceMonitor",
];

/// A bundle, as changes of the project.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The operations that write the bundle.
    pub operations: Vec<Operation>,
    /// Objects, as `kind/name`, and fields of webhooks that the Operator Lifecycle Manager does not accept in a bundle.
    pub left_out: Vec<String>,
}

/// Returns true for a file that `opctl bundle` writes.
pub fn is_of_bundle(path: &str) -> bool {
    path.starts_with(BUNDLE) || path.starts_with(BASES) || path == DOCKERFILE
}

/// Returns the path of the base for the `ClusterServiceVersion`, which describes the operator to users; the project's
/// user owns this file.
pub fn bundle_base(project: &Project) -> String {
    format!("{BASES}{}.clusterserviceversion.yaml", project.name.as_str())
}

/// Makes the bundle of the rendered `objects`, with the `samples` as examples. `base` is the content of the file at
/// [`bundle_base`], if it exists.
///
/// # Errors
/// Fails if the base is not a `ClusterServiceVersion`, or if the objects have no Deployment.
pub fn bundle(
    project: &Project,
    objects: &[Value],
    samples: &[Value],
    base: Option<Value>,
    options: &BundleOptions,
) -> Result<Bundle> {
    let templates = Templates::load("bundle")?;
    let path = bundle_base(project);
    let mut operations = Vec::new();
    let base = match base {
        Some(base) => checked(base, &path)?,
        None => {
            let text = templates.render("base.yaml", &base_values(project))?;
            let base = serde_yaml::from_str(&text).map_err(|error| Error::bug("a base is not YAML").source(&error))?;
            operations.push(Operation::create(ProjectPath::parse(path)?, text, Existing::KeepEdits));
            base
        }
    };
    let version = service_version::service_version(base, objects, samples, options)?;
    let name = project.name.as_str();
    let mut manifests = vec![(format!("{}.clusterserviceversion.yaml", options.package), version)];
    let mut left_out = webhooks::left_out(objects);
    for object in objects.iter().filter(|object| !service_version::has(object, objects)) {
        let (kind, of) = (text(object, "/kind"), text(object, "/metadata/name"));
        match kind {
            "CustomResourceDefinition" => manifests.push((format!("{of}.yaml"), without_conversion(object))),
            kind if SUPPORTED.contains(&kind) => {
                let short = of.strip_prefix(name).unwrap_or(of).trim_start_matches('-').replace(':', "-");
                manifests.push((format!("{short}_{}.yaml", kind.to_lowercase()), without_namespace(object)));
            }
            kind => left_out.push(format!("{}/{of}", kind.to_lowercase())),
        }
    }
    let labels = labels(options);
    let annotations: Map<String, Value> =
        labels.iter().map(|label| (label.name.to_owned(), label.value.as_str().into())).collect();
    let annotations = yaml::document(&json!({ "annotations": annotations }));
    for (file, object) in manifests {
        let path = ProjectPath::parse(format!("{BUNDLE}manifests/{file}"))?;
        operations.push(Operation::generate(path, yaml::document(&object), options.force));
    }
    operations.push(Operation::generate(ANNOTATIONS, annotations, options.force));
    let dockerfile = templates.render(DOCKERFILE, &Labels { labels })?;
    let existing = if options.force { Existing::Overwrite } else { Existing::KeepEdits };
    operations.push(Operation::create(DOCKERFILE, dockerfile, existing));
    Ok(Bundle { operations, left_out })
}

#[derive(Serialize)]
struct BaseValues {
    name: String,
    display_name: String,
    description: String,
    owner: String,
    domain: String,
    repo: Option<String>,
}

fn base_values(project: &Project) -> BaseValues {
    let quoted = |text: &str| yaml::document(&Value::from(text)).trim_end().to_owned();
    let mut kinds: Vec<&str> =
        project.resources.iter().filter(|one| one.has_types()).map(|one| one.key.kind.as_str()).collect();
    kinds.dedup();
    let description = match kinds[..] {
        [] => "A Kubernetes operator.".to_owned(),
        _ => format!("An operator for {}.", kinds.join(", ")),
    };
    BaseValues {
        name: project.name.as_str().to_owned(),
        display_name: quoted(&project.name.as_str().to_title_case()),
        description: quoted(&description),
        owner: quoted(project.owner.as_deref().unwrap_or(project.domain.as_str())),
        domain: project.domain.as_str().to_owned(),
        repo: project.repo.as_deref().map(quoted),
    }
}

fn checked(base: Value, path: &str) -> Result<Value> {
    if base["kind"] == "ClusterServiceVersion" && base["spec"].is_object() {
        return Ok(base);
    }
    Err(Error::user(format!("`{path}` is not a ClusterServiceVersion with a `spec`"))
        .caused_by("it holds what people read about the operator in a catalog")
        .hint(hint!("mv {path} {path}.old    # then run the same command again: it writes one", path)))
}

/// An annotation of the bundle, which its image has as a label.
#[derive(Serialize)]
struct Label {
    name: &'static str,
    value: String,
}

#[derive(Serialize)]
struct Labels {
    labels: Vec<Label>,
}

fn labels(options: &BundleOptions) -> Vec<Label> {
    let default = options.default_channel.as_ref().or(options.channels.first()).cloned().unwrap_or_default();
    let values = [
        ("operators.operatorframework.io.bundle.channel.default.v1", default),
        ("operators.operatorframework.io.bundle.channels.v1", options.channels.join(",")),
        ("operators.operatorframework.io.bundle.manifests.v1", "manifests/".to_owned()),
        ("operators.operatorframework.io.bundle.mediatype.v1", "registry+v1".to_owned()),
        ("operators.operatorframework.io.bundle.metadata.v1", "metadata/".to_owned()),
        ("operators.operatorframework.io.bundle.package.v1", options.package.clone()),
    ];
    values.into_iter().map(|(name, value)| Label { name, value }).collect()
}

/// Removes the conversion and the annotations of a CRD: the Operator Lifecycle Manager sets the conversion, because it
/// chooses the Service.
fn without_conversion(definition: &Value) -> Value {
    let mut definition = definition.clone();
    if let Some(spec) = definition["spec"].as_object_mut() {
        spec.remove("conversion");
    }
    if let Some(metadata) = definition["metadata"].as_object_mut() {
        metadata.remove("annotations");
    }
    definition
}

/// Removes the namespace of an object: the Operator Lifecycle Manager chooses it.
fn without_namespace(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        metadata.remove("namespace");
    }
    object
}
