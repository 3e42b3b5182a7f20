//! Creates and checks the base file of the bundle's `ClusterServiceVersion`. The base file describes the operator to
//! users, and opctl adds the generated parts to it.

use crate::error::hint;
use crate::model::Project;
use crate::{Error, Result, yaml};
use heck::ToTitleCase;
use serde::Serialize;
use serde_json::Value;

#[derive(Serialize)]
pub(super) struct BaseValues {
    name: String,
    display_name: String,
    description: String,
    owner: String,
    domain: String,
    repo: Option<String>,
}

pub(super) fn base_values(project: &Project) -> BaseValues {
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

pub(super) fn check_base(base: Value, path: &str) -> Result<Value> {
    if base["kind"] == "ClusterServiceVersion" && base["spec"].is_object() {
        return Ok(base);
    }
    Err(Error::user(format!("`{path}` is not a ClusterServiceVersion with a `spec`"))
        .caused_by("opctl builds the ClusterServiceVersion of the bundle from this file, and needs its `spec`")
        .hint(hint!("mv {path} {path}.old    # then run the same command again, which writes a new file", path)))
}
