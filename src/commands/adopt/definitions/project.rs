//! Plans the creation of a project from CRDs: the operations of `opctl init` and `opctl create api`, with types
//! from the schemas of the CRDs.

use super::groups::Groups;
use super::keys::{key, text, versions};
use super::read::{Definition, FileContents};
use super::taken::{self, UsedTypeNames};
use crate::crd_to_rust::{self, VersionCode};
use crate::model::{Category, Origin, Plural, Project, Resource, ShortName};
use crate::plan::Operation;
use crate::scaffold::{self, ApiIntent, NewApi, VersionCopy};
use crate::{Error, Result};
use serde_json::Value;
use std::collections::BTreeMap;

/// A version of a CRD, with its resource and its Rust code in the project.
pub(super) struct ImportedVersion<'a> {
    pub(super) definition: &'a Definition,
    pub(super) resource: Resource,
    pub(super) code: VersionCode,
}

/// The maximum number of Rust types that one version may need.
const MOST_TYPES: usize = 500;

/// Adds the kinds of the CRDs in `found` to the project. Returns the resource and the Rust code of each added version
/// of a kind, and the operations that create the files of these versions. Leaves out a kind or a version, and adds a
/// warning with the reason to `left_out`, for one of these reasons: no served version, a group outside of the project's
/// domains, a name that opctl or Rust refuses, a name collision, or a too large schema.
///
/// # Errors
/// Fails if no kind is added. The error states the first of these reasons other than a group outside of the project's
/// domains. If all kinds are left out because of their groups, returns empty lists instead of an error.
pub(super) fn kinds<'a>(
    project: &mut Project,
    found: &'a FileContents,
    groups: &Groups,
    left_out: &mut Vec<String>,
) -> Result<(Vec<ImportedVersion<'a>>, Vec<Operation>)> {
    let (mut made, mut operations) = (Vec::new(), Vec::new());
    let mut taken = taken::names_of_kinds(groups, found);
    let mut refused = None;
    for definition in &found.definitions {
        let of = &definition.object["spec"];
        if !of["versions"].as_array().into_iter().flatten().any(|version| version["served"] == true) {
            let error = unserved_kind_error(text(&of["names"]["kind"]));
            left_out.push(format!(
                "{}: `{}` is left out",
                error.message(),
                text(&definition.object["metadata"]["name"])
            ));
            refused.get_or_insert(error);
            continue;
        }
        for (index, version) in versions(&definition.object).into_iter().enumerate() {
            let spec = &definition.object["spec"];
            let (kind, whole) = (text(&spec["names"]["kind"]), text(&spec["group"]));
            match add_kind_version(project, found, (groups, &mut taken), (definition, version)) {
                Ok(Some((one, written))) => {
                    operations.extend(written);
                    made.push(one);
                    continue;
                }
                Ok(None) => left_out.push(format!(
                    "`{kind}` is in the group `{whole}`, which does not end in `{}`: it is left out",
                    project.domain
                )),
                Err(error) => {
                    let why = error.causes().first().map_or(String::new(), |why| format!(": {why}"));
                    let (version, file) = (text(&version["name"]), definition.file.display());
                    left_out.push(format!("`{kind}` {version} of `{file}` is left out: {error}{why}"));
                    refused.get_or_insert(error);
                }
            }
            // Without the stored version the others are left out, too.
            if index == 0 {
                break;
            }
        }
    }
    match refused {
        Some(error) if made.is_empty() => Err(error),
        _ => Ok((made, operations)),
    }
}

/// Adds a version of a kind to the project. Returns `None` if the kind's group is outside of the project's domains.
fn add_kind_version<'a>(
    project: &mut Project,
    found: &FileContents,
    (groups, taken): (&Groups, &mut BTreeMap<String, UsedTypeNames>),
    (definition, version): (&'a Definition, &Value),
) -> Result<Option<(ImportedVersion<'a>, Vec<Operation>)>> {
    let told = |error: Error| {
        error.caused_by(format!("`{}` defines it", definition.file.display())).hint(
            "opctl adopt --crds FILE    # with a FILE that leaves out this CRD; or adopt the CRDs into separate \
                   projects",
        )
    };
    let Some(mut intent) = intent(groups, definition, version).map_err(told)? else { return Ok(None) };
    let module = taken.entry(intent.key.version_module()).or_default();
    intent.imported = Some(module.choose_type_names(&intent.key, crd_to_rust::has_root_fields(version)));
    let mut resource = scaffold::resource_of(&intent, project).map_err(told)?;
    let object = object(found, definition, text(&version["name"]));
    let code =
        crd_to_rust::version_code(project, &resource, (&definition.object, version), module.names.clone(), object);
    if code.size > MOST_TYPES {
        return Err(too_large(&resource, definition, code.size));
    }
    module.names.extend(code.names.iter().cloned());
    resource.imported = Some(code.imported.clone());
    project.upsert(resource.clone());
    let copied = VersionCopy {
        types: code.types.clone(),
        modules: BTreeMap::new(),
        declared: Vec::new(),
        sample: Some(code.sample.clone()),
        origins: BTreeMap::new(),
    };
    let new = NewApi { copied: Some(&copied), ..NewApi::of(project, &resource, &intent) };
    let operations = scaffold::create_api(&new)?;
    Ok(Some((ImportedVersion { definition, resource, code }, operations)))
}

/// Returns an object of the kind: in `version` if the files contain such an object, else in another version of the CRD;
/// `None` if the files contain no object of the kind.
fn object<'a>(found: &'a FileContents, definition: &Definition, version: &str) -> Option<&'a Value> {
    let spec = &definition.object["spec"];
    let of = |version: &str| found.object(&format!("{}/{version}", text(&spec["group"])), text(&spec["names"]["kind"]));
    of(version).or_else(|| versions(&definition.object).into_iter().find_map(|other| of(text(&other["name"]))))
}

fn unserved_kind_error(kind: &str) -> Error {
    Error::user(format!("no version of `{kind}` is served"))
        .caused_by("the API server accepts such a CRD, but serves no objects of the kind")
        .hint("opctl adopt --crds FILE    # with a definition that has a served version")
}

fn too_large(resource: &Resource, definition: &Definition, size: usize) -> Error {
    let (kind, version) = (&resource.key.kind, &resource.key.version);
    Error::user(format!("`{kind}` in version `{version}` needs {size} Rust types"))
        .caused_by(format!(
            "the schema in `{}` contains full copies of types that are defined elsewhere, and opctl generates at most \
             {MOST_TYPES} types",
            definition.file.display()
        ))
        .hint(
            "in a copy of the CRD file, declare large nested types as objects with \
             `x-kubernetes-preserve-unknown-fields: true`, and write the Rust types for them by hand",
        )
}

fn intent(groups: &Groups, definition: &Definition, version: &Value) -> Result<Option<ApiIntent>> {
    let spec = &definition.object["spec"];
    let Some((domain, key)) = key(groups, &definition.object, version)? else { return Ok(None) };
    let texts = |name: &str| spec["names"][name].as_array().into_iter().flatten().map(text);
    let short_names = texts("shortNames").map(ShortName::parse).collect::<Result<Vec<_>, _>>()?;
    let categories = texts("categories").map(Category::parse).collect::<Result<Vec<_>, _>>()?;
    Ok(Some(ApiIntent {
        key,
        version_said: true,
        // Without a domain, it would be that of a kind of this name in another group.
        domain: Some(domain.unwrap_or_else(|| groups.domain.clone())),
        external: None,
        origin: Origin::Own,
        plural: Some(Plural::parse(text(&spec["names"]["plural"]))?),
        namespaced: Some(spec["scope"] != "Cluster"),
        short_names: (!short_names.is_empty()).then_some(short_names),
        categories: (!categories.is_empty()).then_some(categories),
        image: None,
        fields: None,
        imported: None,
        owns: None,
        finalizer: false,
        storage: false,
        api: true,
        controller: true,
        controller_name: None,
        force: false,
    }))
}
