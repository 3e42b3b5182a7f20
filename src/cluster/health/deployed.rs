//! Compares the objects that `config/default` renders with those in the cluster: roles, the operator's image, and the
//! certificates of webhooks.

use super::certificates::{Certificate, decode_base64};
use crate::cluster::kustomization::documents::parse;
use crate::cluster::kustomization::remote::refuse_remote;
use crate::cluster::operator::manager::is_manager;
use crate::cluster::request::contains::has_wanted_fields;
use crate::cluster::{Attempt, Connection, request_error};
use crate::error::{Hint, hint};
use crate::exec::{Answer, answer};
use crate::model::is_placeholder;
use crate::report::Check;
use crate::{Error, Result};
use futures_util::future::join_all;
use kube::Api;
use kube::api::{ApiResource, DynamicObject};
use kube::core::GroupVersionKind;
use serde_json::{Map, Value};
use std::path::Path;
use std::time::Duration;

const OPERATOR: &str = "operator";
const ROLES: &str = "roles";
const FOLDER: &str = "config/default";

/// The checks of the deployed objects, and the certificates in these objects.
#[derive(Default)]
pub(super) struct DeployedChecks {
    pub(super) checks: Vec<Check>,
    pub(super) certificates: Vec<Certificate>,
}

/// An object that `config/default` renders, and its live counterpart in the cluster.
struct Pair {
    wanted: Value,
    live: Result<Option<Value>>,
}

/// Compares the project at `root` with the cluster; `limit` is the time limit of `kubectl kustomize`.
pub(super) async fn compare_with_cluster(connection: &Connection, root: &Path, limit: Duration) -> DeployedChecks {
    const RENDER: &str = "kubectl kustomize config/default";
    let unknown = |reason: &str| {
        let message = format!("the deployed objects cannot be compared with the project: `{RENDER}` {reason}");
        DeployedChecks { checks: vec![Check::warning(OPERATOR, message, RENDER)], ..DeployedChecks::default() }
    };
    if let Err(error) = refuse_remote(&root.join(FOLDER)) {
        let message = format!("the deployed objects cannot be compared with the project: {}", error.message());
        return DeployedChecks {
            checks: vec![Check::warning(OPERATOR, message, error.hint_or_none())],
            ..DeployedChecks::default()
        };
    }
    let text = match answer("kubectl", &["kustomize", FOLDER], root, limit).await {
        Answer::Said(text) => text,
        // The check of kubectl reports that it is missing.
        Answer::Missing => return DeployedChecks::default(),
        Answer::Failed(reason) => return unknown(&format!("fails: {reason}")),
        Answer::Silent => return unknown("does not end"),
    };
    let Ok(objects) = parse(&text, Path::new(FOLDER)) else { return unknown("does not print YAML") };
    let has_manager = objects.iter().any(is_manager);
    let pairs = join_all(objects.into_iter().filter(is_compared).map(|wanted| pair(connection, wanted))).await;
    if has_manager { compare_pairs(connection, &pairs).await } else { DeployedChecks::default() }
}

fn is_compared(object: &Value) -> bool {
    is_role(object) || is_manager(object) || authorities(object).next().is_some()
}

fn is_role(object: &Value) -> bool {
    matches!(object["kind"].as_str(), Some("ClusterRole" | "Role" | "ClusterRoleBinding" | "RoleBinding"))
}

async fn pair(connection: &Connection, wanted: Value) -> Pair {
    let (version, kind) = (text(&wanted["apiVersion"]), text(&wanted["kind"]));
    let (group, version) = version.rsplit_once('/').unwrap_or(("", version));
    let resource = ApiResource::from_gvk(&GroupVersionKind::gvk(group, version, kind));
    let namespace = wanted["metadata"]["namespace"].as_str();
    let api: Api<DynamicObject> = match namespace {
        Some(namespace) => Api::namespaced_with(connection.client.clone(), namespace, &resource),
        None => Api::all_with(connection.client.clone(), &resource),
    };
    let name = text(&wanted["metadata"]["name"]);
    let attempt = Attempt { verb: "get", resource: &resource.plural, name, namespace };
    let live = api.get_opt(name).await.map_err(|error| request_error(&error, connection, attempt));
    let live = live.map(|live| live.map(|live| serde_json::to_value(live).unwrap_or_default()));
    Pair { wanted, live }
}

async fn compare_pairs(connection: &Connection, pairs: &[Pair]) -> DeployedChecks {
    let Some(manager) = pairs.iter().find(|pair| is_manager(&pair.wanted)) else { return DeployedChecks::default() };
    let live = match &manager.live {
        Ok(Some(live)) => live,
        Ok(None) => {
            let place = text(&manager.wanted["metadata"]["namespace"]);
            let check = Check::ok(OPERATOR, format!("not deployed in the namespace `{place}`"));
            return DeployedChecks { checks: vec![check], ..DeployedChecks::default() };
        }
        Err(error) => {
            return DeployedChecks { checks: vec![unreadable_check(OPERATOR, error)], ..DeployedChecks::default() };
        }
    };
    let (running, wanted) = (image(live), image(&manager.wanted));
    let is_chosen_at_deploy = is_placeholder(wanted);
    let flag = if is_chosen_at_deploy { hint!(" --image {running}", running) } else { Hint::default() };
    let deploy = connection.target.opctl(hint!("deploy{flag}", flag));
    let mut checks = vec![if is_chosen_at_deploy || running == wanted {
        Check::ok(OPERATOR, format!("runs `{running}`"))
    } else {
        Check::warning(OPERATOR, format!("runs `{running}`, and `{FOLDER}` has `{wanted}`"), deploy.clone())
    }];
    checks.extend(roles(pairs, &deploy));
    DeployedChecks { checks, certificates: certificates(connection, pairs, live).await }
}

fn roles(pairs: &[Pair], deploy: &Hint) -> Vec<Check> {
    let differs = |pair: &Pair| {
        let path = format!("{}/{}", text(&pair.wanted["kind"]).to_lowercase(), text(&pair.wanted["metadata"]["name"]));
        match &pair.live {
            Ok(Some(live)) if is_granted(&grants(&pair.wanted), &grants(live)) => None,
            Ok(Some(_)) => Some(Check::warning(ROLES, format!("`{path}` differs from `config/rbac`"), deploy)),
            Ok(None) => Some(Check::warning(ROLES, format!("`{path}` is missing in the cluster"), deploy)),
            Err(error) => Some(unreadable_check(ROLES, error)),
        }
    };
    let mut checks: Vec<Check> = Vec::new();
    for check in pairs.iter().filter(|pair| is_role(&pair.wanted)).filter_map(differs) {
        if !checks.contains(&check) {
            checks.push(check);
        }
    }
    if checks.is_empty() { vec![Check::ok(ROLES, "the roles in the cluster match `config/rbac`")] } else { checks }
}

/// Returns true if `live` grants exactly the rights that `wanted` grants; both are results of [`grants`].
fn is_granted(wanted: &Map<String, Value>, live: &Map<String, Value>) -> bool {
    let is_same =
        |(field, value): (&String, &Value)| live.get(field).is_some_and(|live| has_wanted_fields(live, value));
    wanted.len() == live.len() && wanted.iter().all(is_same)
}

/// Returns the fields of a role or a binding that grant rights. The rules of an aggregated role are left out, because
/// the cluster fills them in.
fn grants(object: &Value) -> Map<String, Value> {
    let is_aggregated = object.get("aggregationRule").is_some();
    let fields = ["aggregationRule", "rules", "roleRef", "subjects"].into_iter();
    let fields = fields.filter(|field| !(is_aggregated && *field == "rules"));
    let grants = fields.filter_map(|field| Some((field.to_owned(), object.get(field)?.clone())));
    // The API server answers an empty list as null.
    let grants = grants.filter(|(_, value)| !value.is_null() && value.as_array().is_none_or(|list| !list.is_empty()));
    grants.collect()
}

/// Returns the certificates by which the API server trusts the webhooks, and the certificates in the Secrets that the
/// operator mounts.
async fn certificates(connection: &Connection, pairs: &[Pair], manager: &Value) -> Vec<Certificate> {
    let (name, namespace) = (text(&manager["metadata"]["name"]), text(&manager["metadata"]["namespace"]));
    let mut found = Vec::new();
    for live in pairs.iter().filter_map(|pair| pair.live.as_ref().ok()?.as_ref()) {
        let what =
            format!("the authority in `{}/{}`", text(&live["kind"]).to_lowercase(), text(&live["metadata"]["name"]));
        // The operator or cert-manager's CA injector writes the bundle.
        let hint =
            connection.kubectl(hint!("rollout restart deployment {name} --namespace {namespace}", name, namespace));
        let bundles = authorities(live).filter_map(|client| decode_base64(&client["caBundle"]));
        let ends = bundles.filter_map(|pem| Certificate::of_bundle(&pem, &what, &hint));
        found.extend(ends.min_by_key(|certificate| certificate.ends));
    }
    let volumes = manager.pointer("/spec/template/spec/volumes").and_then(Value::as_array).into_iter().flatten();
    let secrets = volumes.filter_map(|volume| volume.pointer("/secret/secretName")?.as_str());
    let kind = ApiResource::from_gvk(&GroupVersionKind::gvk("", "v1", "Secret"));
    let api: Api<DynamicObject> = Api::namespaced_with(connection.client.clone(), namespace, &kind);
    for secret in secrets {
        // Few users may read Secrets; without the right, only this check is left out.
        let Ok(Some(live)) = api.get_opt(secret).await else { continue };
        let hint = connection.kubectl(hint!("describe secret {secret} --namespace {namespace}", secret, namespace));
        let pem = decode_base64(&live.data["data"]["tls.crt"]);
        found.extend(
            pem.and_then(|pem| Certificate::first(&pem, &format!("`tls.crt` of the Secret `{secret}`"), &hint)),
        );
    }
    found
}

/// Returns the `clientConfig` of each webhook in `object`: the address at which the API server reaches the webhook, and
/// the CA bundle.
fn authorities(object: &Value) -> impl Iterator<Item = &Value> {
    let webhooks = object["webhooks"].as_array().into_iter().flatten();
    let conversion = object.pointer("/spec/conversion/webhook/clientConfig");
    webhooks.filter_map(|webhook| webhook.get("clientConfig")).chain(conversion)
}

/// Returns the image of the operator's container.
fn image(deployment: &Value) -> &str {
    let containers = deployment.pointer("/spec/template/spec/containers").and_then(Value::as_array);
    let containers = || containers.into_iter().flatten();
    let named = containers().find(|container| container["name"] == "manager").or_else(|| containers().next());
    named.map(|container| text(&container["image"])).unwrap_or_default()
}

fn unreadable_check(name: &str, error: &Error) -> Check {
    let hint = error.hint_or_none();
    Check::warning(name, format!("cannot be read: {}", error.message()), hint)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;
    use serde_json::json;

    fn role(rules: &Value) -> Value {
        json!({"kind": "ClusterRole", "metadata": {"name": "a"}, "rules": rules})
    }

    #[test]
    fn a_role_differs_by_what_it_grants() {
        let wanted = role(&json!([{"verbs": ["get"], "resources": ["pods"]}]));
        let checked =
            |live: Result<Option<Value>>| roles(&[Pair { wanted: wanted.clone(), live }], &"opctl deploy".into());
        let mut labelled = wanted.clone();
        labelled["metadata"]["labels"] = json!({"a": "b"});
        assert_eq!(checked(Ok(Some(labelled)))[0].verdict, Verdict::Ok);
        let more = role(&json!([{"verbs": ["get", "list"], "resources": ["pods"]}]));
        assert_eq!(checked(Ok(Some(more)))[0].message, "`clusterrole/a` differs from `config/rbac`");
        let no_rules = Pair { wanted: role(&json!([])), live: Ok(Some(role(&Value::Null))) };
        assert_eq!(roles(&[no_rules], &"opctl deploy".into())[0].verdict, Verdict::Ok);
        let others = json!([{"verbs": ["*"], "resources": ["secrets"]}]);
        let too_many = Pair { wanted: role(&json!([])), live: Ok(Some(role(&others))) };
        assert_eq!(roles(&[too_many], &"opctl deploy".into())[0].verdict, Verdict::Warning);
        assert_eq!(checked(Ok(None))[0].message, "`clusterrole/a` is missing in the cluster");
        let denied = || Pair { wanted: wanted.clone(), live: Err(Error::user("you may not get clusterroles")) };
        let checks = roles(&[denied(), denied()], &"opctl deploy".into());
        assert_eq!(checks.len(), 1, "one reason is said once: {checks:?}");
        assert_eq!(checks[0].message, "cannot be read: you may not get clusterroles");
    }

    #[test]
    fn the_rules_of_an_aggregated_role_are_the_clusters() {
        let mut wanted = role(&json!([]));
        wanted["aggregationRule"] = json!({"clusterRoleSelectors": []});
        assert_eq!(Value::Object(grants(&wanted)), json!({"aggregationRule": {"clusterRoleSelectors": []}}));
    }
}
