//! Applies the admission policies of `config/policy` to a cluster where the operator is not deployed. The API server
//! evaluates policies without the operator, so that policies have the same effect in this cluster as in production.

use super::apply::{Applied, Apply};
use super::kustomization::render;
use super::{Attempt, Connection, request_error};
use crate::error::hint;
use crate::reading::{self, Limit};
use crate::{Error, Result};
use kube::Api;
use kube::api::{ApiResource, DeleteParams, DynamicObject};
use kube::core::GroupVersionKind;
use serde_json::Value;
use std::path::Path;
use std::time::{Duration, Instant};

const FOLDER: &str = "config/policy";
const DEFAULT: &str = "config/default/kustomization.yaml";
const GROUP: &str = "admissionregistration.k8s.io";
const CHECKED: &str = "ValidatingAdmissionPolicy";

/// The kinds of policies and bindings with their plurals, in the order in which the objects are applied.
const KINDS: [(&str, &str); 4] = [
    (CHECKED, "validatingadmissionpolicies"),
    ("MutatingAdmissionPolicy", "mutatingadmissionpolicies"),
    ("ValidatingAdmissionPolicyBinding", "validatingadmissionpolicybindings"),
    ("MutatingAdmissionPolicyBinding", "mutatingadmissionpolicybindings"),
];

/// The API resource and the plural name of a kind, and a policy or binding of this kind.
type Object = (ApiResource, &'static str, DynamicObject);

/// The time that kube-controller-manager may take to type-check a policy. Some local control planes run without
/// kube-controller-manager.
const CHECK: Duration = Duration::from_secs(3);

/// Returns true if the project at `root` has policies.
pub fn has_policies(root: &Path) -> bool {
    root.join(FOLDER).join("kustomization.yaml").is_file()
}

/// Applies the admission policies of the project at `root`, and then their bindings, under the names that
/// `config/default` gives them, so that `deploy` takes these objects over and `undeploy` removes them. Returns the
/// number of policies, without their bindings. Checks the expressions of each `ValidatingAdmissionPolicy` before the
/// policy is created or replaced, because a bound policy with a mistake would refuse every request that it matches.
///
/// # Errors
/// Fails if files cannot be read, if the server refuses a request, or if expressions do not fit the schema of the kind
/// that the policy matches.
pub async fn apply_policies(root: &Path, connection: &Connection) -> Result<usize> {
    let objects = objects(root)?;
    let (bindings, policies): (Vec<_>, Vec<_>) = objects.iter().partition(|(api, ..)| api.kind.ends_with("Binding"));
    let until = Instant::now() + CHECK;
    for (_, _, policy) in policies.iter().filter(|(api, ..)| api.kind == CHECKED) {
        wait_for_schemas(policy, connection, until).await;
    }
    for object in &policies {
        let before = read(object, connection).await?;
        if object.0.kind == CHECKED {
            check(object, before.as_ref(), connection).await?;
        }
        apply(object, before, connection, false).await?;
    }
    for object in bindings {
        apply(object, read(object, connection).await?, connection, false).await?;
    }
    Ok(policies.len())
}

/// Fails if expressions of the policy do not fit the kind that the policy matches. `before` is the existing policy in
/// the cluster, if any. It stays unchanged, because the cluster checks a temporary copy of the new policy under another
/// name. The copy has no effect, because no binding names the copy. If the new policy equals `before`, makes no copy,
/// and uses the result of the cluster's check of `before`.
async fn check(object: &Object, before: Option<&DynamicObject>, connection: &Connection) -> Result<()> {
    let (api, resource, policy) = object;
    let after = apply(object, before.cloned(), connection, true).await?.after;
    if let Some(known) = before.filter(|before| before.metadata.generation == after.metadata.generation) {
        return misfits(known, name(policy)).map_or(Ok(()), Err);
    }
    let mut copy = policy.clone();
    copy.metadata.name = Some(format!("{}-opctl-check", name(policy)));
    let copy = (api.clone(), *resource, copy);
    // A copy that is left of an opctl that was killed is replaced.
    apply(&copy, read(&copy, connection).await?, connection, false).await?;
    let checked = type_check(&copy, connection).await;
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), api);
    let attempt = Attempt { verb: "delete", resource, name: name(&copy.2), namespace: None };
    let deleted = api.delete(attempt.name, &DeleteParams::default()).await;
    misfits(&checked?, name(policy)).map_or(Ok(()), Err)?;
    deleted.map(drop).map_err(|error| request_error(&error, connection, attempt))
}

/// Returns the live policy as soon as kube-controller-manager has checked it, or at the end of the time limit.
async fn type_check((api, resource, policy): &Object, connection: &Connection) -> Result<DynamicObject> {
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), api);
    let attempt = Attempt { verb: "get", resource, name: name(policy), namespace: None };
    let until = Instant::now() + CHECK;
    loop {
        let live = api.get(name(policy)).await.map_err(|error| request_error(&error, connection, attempt))?;
        let is_checked = live.data["status"]["observedGeneration"].as_i64() == live.metadata.generation;
        if is_checked || Instant::now() > until {
            return Ok(live);
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

async fn read((api, resource, object): &Object, connection: &Connection) -> Result<Option<DynamicObject>> {
    let api: Api<DynamicObject> = Api::all_with(connection.client.clone(), api);
    let attempt = Attempt { verb: "get", resource, name: name(object), namespace: None };
    let found = api.get_opt(name(object)).await;
    found.map_err(|error| request_error(&error, connection, attempt))
}

async fn apply(
    (api, resource, object): &Object,
    before: Option<DynamicObject>,
    connection: &Connection,
    dry_run: bool,
) -> Result<Applied> {
    let api = Api::all_with(connection.client.clone(), api);
    let attempt = Attempt { verb: "patch", resource, name: name(object), namespace: None };
    let apply = Apply { force_conflicts: false, dry_run, keeps_run: false };
    apply.onto(before, &api, object, connection, attempt).await?.map_err(|error| match &error {
        kube::Error::Api(status) if status.code == 404 => unserved_policy_error(object),
        _ => request_error(&error, connection, attempt),
    })
}

/// Waits until the server publishes the schemas of the kinds that the policy matches, at most until the time `until`.
/// The schema of a new CRD is published some moments after the CRD is served, and expressions are not type-checked
/// without a schema.
async fn wait_for_schemas(policy: &DynamicObject, connection: &Connection, until: Instant) {
    let rules = policy.data.pointer("/spec/matchConstraints/resourceRules").and_then(Value::as_array);
    for rule in rules.into_iter().flatten() {
        let first = |key: &str| rule[key][0].as_str().unwrap_or_default();
        let (group, version, plural) = (first("apiGroups"), first("apiVersions"), first("resources"));
        let place = if group.is_empty() { format!("api/{version}") } else { format!("apis/{group}/{version}") };
        let (served, schema) = (format!("/{place}"), format!("/openapi/v3/{place}"));
        while is_text_in_answer(connection, &served, &format!("\"{plural}\"")).await
            && !is_text_in_answer(connection, &schema, &format!("/{plural}\"")).await
            && Instant::now() < until
        {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
    }
}

/// Returns true if the server's answer at `path` contains `text`.
async fn is_text_in_answer(connection: &Connection, path: &str, text: &str) -> bool {
    let Ok(request) = http::Request::get(path).body(Vec::new()) else { return false };
    connection.client.request_text(request).await.is_ok_and(|answer| answer.contains(text))
}

/// Returns the policies and bindings of the project in the order of `KINDS`.
fn objects(root: &Path) -> Result<Vec<Object>> {
    let default = reading::text_within(root, DEFAULT, Limit::Settings).unwrap_or_default();
    let default: Value = serde_yaml::from_str(&default).unwrap_or_default();
    let mut objects = Vec::new();
    for mut object in render::objects(&root.join(FOLDER))? {
        let (version, kind) = (object["apiVersion"].as_str().unwrap_or_default(), object["kind"].as_str());
        let Some((group, version)) = version.split_once('/').filter(|(group, _)| *group == GROUP) else { continue };
        let Some(rank) = KINDS.iter().position(|(own, _)| kind == Some(*own)) else { continue };
        let (kind, plural) = KINDS[rank];
        let api = ApiResource::from_gvk_with_plural(&GroupVersionKind::gvk(group, version, kind), plural);
        for pointer in ["/metadata/name", "/spec/policyName"] {
            if let Some(name) = object.pointer_mut(pointer) {
                *name = deployed_name(name.as_str().unwrap_or_default(), &default).into();
            }
        }
        let object = serde_json::from_value(object).map_err(|error| {
            Error::user(format!("`{FOLDER}` contains a {kind} that is not a valid Kubernetes object")).caused_by(error)
        })?;
        objects.push((rank, (api, plural, object)));
    }
    objects.sort_by_key(|(rank, _)| *rank);
    Ok(objects.into_iter().map(|(_, object)| object).collect())
}

/// Returns `name` with the prefix and the suffix that `default`, the kustomization of `config/default`, sets.
pub fn deployed_name(name: &str, default: &Value) -> String {
    let part = |key: &str| default[key].as_str().unwrap_or_default();
    format!("{}{name}{}", part("namePrefix"), part("nameSuffix"))
}

fn name(object: &DynamicObject) -> &str {
    object.metadata.name.as_deref().unwrap_or_default()
}

fn unserved_policy_error(object: &DynamicObject) -> Error {
    let types = object.types.clone().unwrap_or_default();
    let (kind, version) = (types.kind, types.api_version);
    let known = if kind.starts_with("Validating") { "1.30" } else { "1.36" };
    Error::cluster(format!("the cluster does not serve {kind} of {version}"))
        .caused_by(format!(
            "Kubernetes serves this kind in {GROUP}/v1 since version {known}; beta versions have to be enabled"
        ))
        .hint(hint!(
            "remove `{}` from {FOLDER}/kustomization.yaml, or use a newer version of Kubernetes",
            name(object),
            FOLDER
        ))
}

/// Returns the error for a policy whose expressions name fields that the kind does not have, or compare values of
/// different types; `None` if type checking has found no such mistake. The server accepts a policy with such a mistake,
/// but each request that the policy matches then fails.
fn misfits(policy: &DynamicObject, name: &str) -> Option<Error> {
    let warnings = policy.data.pointer("/status/typeChecking/expressionWarnings")?.as_array()?;
    let text = |warning: &Value, key: &str| warning[key].as_str().unwrap_or_default().trim().to_owned();
    let first = warnings.first()?;
    let error = Error::user(format!("expressions of the policy `{name}` fail type checking against the kind"));
    let error = warnings.iter().fold(error, |error, warning| {
        error.caused_by(format!("{}: {}", text(warning, "fieldRef"), text(warning, "warning")))
    });
    Some(error.hint(hint!("fix `{}` under {FOLDER}, then run the same command again", text(first, "fieldRef"), FOLDER)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn policies_have_the_names_that_they_are_deployed_with() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        assert!(!has_policies(root.path()));
        write("config/default/kustomization.yaml", "namePrefix: a-\nnameSuffix: -b\nresources: [../policy]\n");
        let list = "resources: [p.yaml]\nconfigurations: [kustomizeconfig.yaml]\n";
        write("config/policy/kustomization.yaml", list);
        let of = |kind: &str, spec: &str| {
            format!("apiVersion: {GROUP}/v1\nkind: {kind}\nmetadata: {{name: p}}\nspec: {spec}\n---\n")
        };
        let binding = of("ValidatingAdmissionPolicyBinding", "{policyName: p}");
        let other = "apiVersion: v1\nkind: ConfigMap\nmetadata: {name: p}\n";
        write("config/policy/p.yaml", &format!("{binding}{}{other}", of(CHECKED, "{}")));
        assert!(has_policies(root.path()));
        let found = objects(root.path()).unwrap();
        let found: Vec<_> =
            found.iter().map(|(api, _, object)| (api.plural.as_str(), name(object), &object.data)).collect();
        let policy = ("validatingadmissionpolicies", "a-p-b", &json!({ "spec": {} }));
        let binding = ("validatingadmissionpolicybindings", "a-p-b", &json!({ "spec": { "policyName": "a-p-b" } }));
        assert_eq!(found, [policy, binding]);
        write("config/policy/p.yaml", &of(CHECKED, "{}").replace("name: p", "name: p, labels: 1"));
        let error = objects(root.path()).unwrap_err();
        let said = "`config/policy` contains a ValidatingAdmissionPolicy that is not a valid Kubernetes object";
        assert_eq!(error.message(), said);
    }

    #[test]
    fn warnings_of_the_type_check_are_an_error() {
        let policy = |status: Value| {
            serde_json::from_value::<DynamicObject>(json!({ "metadata": { "name": "p" }, "status": status })).unwrap()
        };
        assert!(misfits(&policy(json!({ "typeChecking": {} })), "p").is_none());
        let warnings = json!([{ "fieldRef": "spec.validations[0].expression", "warning": "undefined field 'x'\n" }]);
        let error = misfits(&policy(json!({ "typeChecking": { "expressionWarnings": warnings } })), "p").unwrap();
        assert_eq!(error.causes(), ["spec.validations[0].expression: undefined field 'x'"]);
    }
}
