//! The operations that write a bundle.

use super::accepted::{SUPPORTED, without_conversion, without_namespace};
use super::base::{base_values, check_base};
use super::labels::{Labels, labels};
use super::options::BundleOptions;
use super::paths::{ANNOTATIONS, BUNDLE, DOCKERFILE};
use super::webhook_definitions;
use super::{certificates, service_version};
use crate::model::{Project, ProjectPath};
use crate::packaging::object_files::object_files;
use crate::packaging::operator_objects::OperatorObjects;
use crate::packaging::read_strings::text;
use crate::plan::{Existing, Operation};
use crate::scaffold::bundle_base;
use crate::template::Templates;
use crate::{Error, Result, yaml};
use serde_json::{Map, Value, json};

/// Returns a function that is true for objects in a namespace other than the operator's namespace: the Operator
/// Lifecycle Manager installs all objects of a bundle in the operator's namespace.
fn in_another_namespace(objects: &[Value]) -> impl Fn(&Value) -> bool {
    let own = OperatorObjects::find(objects).map(|found| found.deployment["metadata"]["namespace"].clone());
    move |object| {
        let namespace = &object["metadata"]["namespace"];
        !namespace.is_null() && own.as_ref().is_some_and(|own| namespace != own)
    }
}

fn is_definition(object: &Value) -> bool {
    object["kind"] == "CustomResourceDefinition"
}

fn is_supported(object: &Value) -> bool {
    is_definition(object) || SUPPORTED.contains(&text(object, "/kind"))
}

/// A bundle of the operator for the Operator Lifecycle Manager.
#[derive(Clone, Debug)]
pub struct Bundle {
    /// The operations that write the bundle.
    pub operations: Vec<Operation>,
    /// Descriptions of the objects and the fields that the bundle leaves out because the Operator Lifecycle Manager
    /// does not accept the object or the field in a bundle, such as an object in another namespace.
    pub left_out: Vec<String>,
}

/// Creates the bundle from the rendered `objects`, with `samples` as examples. `base` is the content of the file at
/// [`bundle_base`], if the file exists.
///
/// # Errors
/// Fails if `base` is not a `ClusterServiceVersion`, or if `objects` contains no `Deployment`.
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
        Some(base) => check_base(base, &path)?,
        None => {
            let text = templates.render("base.yaml", &base_values(project))?;
            let base = serde_yaml::from_str(&text).map_err(|error| {
                Error::bug("the generated base of the ClusterServiceVersion is not YAML").source(&error)
            })?;
            operations.push(Operation::create(ProjectPath::parse(path)?, text, Existing::KeepEdits));
            base
        }
    };
    let (elsewhere, objects): (Vec<Value>, Vec<Value>) =
        objects.iter().cloned().partition(in_another_namespace(objects));
    let objects = &objects;
    let version = service_version::service_version(base, objects, samples, options)?;
    let name = project.name.as_str();
    let mut manifests = vec![(format!("{}.clusterserviceversion.yaml", options.package), version)];
    let mut left_out = webhook_definitions::left_out(objects);
    left_out.extend(elsewhere.iter().map(|object| {
        let (kind, name) = (text(object, "/kind").to_lowercase(), text(object, "/metadata/name"));
        format!("{kind}/{name} of the namespace {}", text(object, "/metadata/namespace"))
    }));
    left_out.extend(service_version::left_out(objects));
    let beside: Vec<&Value> =
        objects.iter().filter(|object| !service_version::is_object_covered(object, objects)).collect();
    let (beside, unsupported): (Vec<&Value>, Vec<&Value>) = beside.into_iter().partition(|object| is_supported(object));
    left_out.extend(
        unsupported
            .iter()
            .map(|object| format!("{}/{}", text(object, "/kind").to_lowercase(), text(object, "/metadata/name"))),
    );
    let (definitions, others): (Vec<&Value>, Vec<&Value>) =
        beside.into_iter().partition(|object| is_definition(object));
    manifests.extend(
        definitions
            .into_iter()
            .map(|object| (format!("{}.yaml", text(object, "/metadata/name")), without_conversion(object))),
    );
    let unfilled = certificates::unfilled_secrets(objects);
    let place = |object: &Value| {
        let of = text(object, "/metadata/name");
        let short = of.strip_prefix(name).and_then(|rest| rest.strip_prefix('-')).unwrap_or(of);
        (String::new(), short.to_owned())
    };
    for (object, file) in others.iter().zip(object_files(&others, place, true)) {
        let object = certificates::trust_metrics(&without_namespace(object), &unfilled);
        manifests.push((format!("{file}.yaml"), object));
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
