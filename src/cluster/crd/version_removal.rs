//! Checks that the versions to remove from a project are not stored versions in a cluster.

use super::crd_api::{RESOURCE, api_resource};
use crate::cluster::{Attempt, Connection, Target, request_error, run};
use crate::error::{Hint, hint};
use crate::model::stored_version;
use crate::report::Console;
use crate::{Error, Result};
use kube::Api;
use kube::api::DynamicObject;
use serde_json::Value;
use std::time::Duration;

/// Versions to remove from a project.
#[derive(Clone, Debug)]
pub struct Removal {
    /// The name of the CRD, `plural.group`.
    pub definition: String,
    /// The versions to remove.
    pub versions: Vec<String>,
    /// True if the kind has no version left after the removal.
    pub is_whole: bool,
    /// The arguments of the opctl command that rewrites the kind's objects in the storage version, such as `migrate
    /// WebServer`, without flags that choose a cluster.
    pub migrate: Hint,
}

/// Checks that the cluster has no objects stored in the versions to remove. Succeeds if the cluster lacks the CRD.
///
/// # Errors
/// Fails if objects may be stored in one of the versions, if the whole kind is to be removed and the cluster still has
/// its CRD, or if the server refuses a request.
pub fn check_removal(removal: &Removal, target: &Target, timeout: Duration, console: &Console) -> Result<()> {
    run(target, timeout, async {
        let connection = Connection::open(target, console).await?;
        connection.show(console);
        let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), &api_resource());
        let attempt = Attempt { verb: "get", resource: RESOURCE, name: &removal.definition, namespace: None };
        let live = api.get_opt(&removal.definition).await;
        let live = live.map_err(|error| request_error(&error, &connection, attempt))?;
        let live = live.map(|live| serde_json::to_value(live).unwrap_or_default());
        live.map_or(Ok(()), |live| refuse(removal, &live, &connection.context, target))
    })
}

fn refuse(removal: &Removal, live: &Value, context: &str, target: &Target) -> Result<()> {
    let name = &removal.definition;
    if removal.is_whole {
        return Err(Error::conflict(format!("the CRD `{name}` is installed in the cluster of context `{context}`"))
            .caused_by("if the kind is removed, the operator no longer reconciles its objects")
            .hint(target.kubectl(hint!(
                "delete crd {name}    # also deletes all its objects; then run the same command again",
                name
            ))));
    }
    let stored = live.pointer("/status/storedVersions").and_then(Value::as_array).into_iter().flatten();
    let stored =
        stored.filter_map(Value::as_str).filter(|stored| removal.versions.iter().any(|version| version == stored));
    let stored: Vec<String> = stored.map(|version| format!("`{version}`")).collect();
    if stored.is_empty() {
        return Ok(());
    }
    let moves = stored_version(live).is_some_and(|version| removal.versions.iter().any(|removed| removed == version));
    let again = target.opctl(hint!("{}    # then run the same command again", removal.migrate));
    let hint = if moves { hint!("{} && {again}", target.opctl("install"), again) } else { again };
    let stored = stored.join(", ");
    Err(Error::conflict(format!(
        "the cluster of context `{context}` may have objects stored in versions that would be \
                                 removed: {stored}"
    ))
    .caused_by(format!(
        "`status.storedVersions` of `{name}` lists a version until all objects are rewritten in the storage version"
    ))
    .hint(hint))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn removal(is_whole: bool) -> Removal {
        let (definition, migrate) = ("disks.example.com".to_owned(), "migrate Disk".into());
        Removal { definition, versions: vec!["v1alpha1".to_owned()], is_whole, migrate }
    }

    #[test]
    fn only_what_nothing_is_stored_in_may_go() {
        let version = |name: &str, storage: &str| json!({"name": name, "storage": name == storage});
        let live = |storage: &str, stored: &[&str]| {
            let versions = [version("v1alpha1", storage), version("v1", storage)];
            json!({"spec": {"versions": versions}, "status": {"storedVersions": stored}})
        };
        let target = Target { context: Some("kind".to_owned()), ..Target::default() };
        let hint = |removal: &Removal, live: &Value| {
            refuse(removal, live, "kind", &target).err().map(|error| error.hint_text().unwrap_or_default().to_owned())
        };
        assert_eq!(hint(&removal(false), &live("v1", &["v1"])), None);
        let migrate = "opctl migrate Disk --context kind    # then run the same command again";
        assert_eq!(hint(&removal(false), &live("v1", &["v1alpha1", "v1"])).as_deref(), Some(migrate));
        let install = format!("opctl install --context kind && {migrate}");
        assert_eq!(hint(&removal(false), &live("v1alpha1", &["v1alpha1"])), Some(install));
        let delete = hint(&removal(true), &live("v1alpha1", &["v1alpha1"])).unwrap();
        assert!(
            delete.starts_with("kubectl delete crd disks.example.com --context kind    # also deletes all its objects"),
            "{delete}"
        );
    }
}
