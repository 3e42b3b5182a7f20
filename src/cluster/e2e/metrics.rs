//! Checks that the operator's metrics can be read only by clients that have the right to read them.

use super::place::Place;
use crate::cluster::deploy::{Member, kinds};
use crate::cluster::operator::identity::create_account_token;
use crate::cluster::{Connection, request_error, run_until_interrupted};
use crate::error::hint;
use crate::exec::PortForward;
use crate::report::Console;
use crate::{Error, Result};
use http::Request;
use kube::api::{DeleteParams, DynamicObject};
use kube::client::Body;
use kube::config::{AuthInfo, Config};
use kube::core::GroupVersionKind;
use kube::{Api, Client};
use serde_json::{Value, json};

const RBAC: &str = "rbac.authorization.k8s.io/v1";
const PATH: &str = "/metrics";

/// Checks that only authorized clients can read the metrics through the operator's metrics Service. `objects` are the
/// objects of `config/default`. Returns false, without a check, if `objects` have no Service for secured metrics;
/// otherwise true.
///
/// # Errors
/// Fails if a client without the right can read the metrics, or if a client with the right cannot.
pub fn metrics_need_rights(place: &Place, objects: &[Value], console: &Console) -> Result<bool> {
    let Some((namespace, service, port)) = service(objects) else { return Ok(false) };
    let mut roles = objects.iter().filter(|object| object["kind"] == "ClusterRole" && reads_metrics(object));
    let Some(role) = roles.find_map(|role| role["metadata"]["name"].as_str()) else {
        return read(place, namespace, service, port, None).map(|()| true);
    };
    let answers =
        reader(place, namespace, role, console).and_then(|token| read(place, namespace, service, port, Some(&token)));
    // Some of it may have been made although it failed.
    let removed = remove_reader(place, namespace, console);
    answers.and(removed).map(|()| true)
}

/// Checks that the metrics cannot be read without a token, and that they can be read with `token`, if given.
fn read(place: &Place, namespace: &str, service: &str, port: u16, token: Option<&str>) -> Result<()> {
    let forwarded = PortForward::to_service(&place.target.flags(), namespace, service, port).map_err(|error| {
        let line = hint!("port-forward --namespace {namespace} service/{service} :{port}", namespace, service, port);
        error.hint(place.target.kubectl(line))
    });
    let answers = forwarded.and_then(|forwarded| {
        run_until_interrupted(&place.target, place.timeout, async {
            let without = ask(forwarded.port, None).await?;
            let with = match token {
                Some(token) => Some(ask(forwarded.port, Some(token)).await?),
                None => None,
            };
            Ok((without, with))
        })
    });
    let (without, with) = answers?;
    verdict(&without, with.as_ref())
}

/// Checks that the operator serves its metrics only to clients with the right to read them. Each response is a status
/// and a body: `without` is the response to a client without this right, `with` the response to a client that has the
/// right.
fn verdict(without: &(u16, String), with: Option<&(u16, String)>) -> Result<()> {
    if !matches!(without.0, 401 | 403) {
        return Err(Error::user("anybody may read the operator's metrics")
            .caused_by(format!("a request without a token gets status {}", without.0))
            .hint(
                "grep -r metrics-bind-address config/    # finds where the operator's flags are set; add --metrics-secure there",
            ));
    }
    match with {
        Some((200, text)) if text.contains("# TYPE ") => Ok(()),
        None => Ok(()),
        Some((status, text)) => {
            Err(Error::user("the operator does not serve its metrics to a client with the right to read them")
                .caused_by(format!(
                    "a request with an authorized token gets status {status}: `{}`",
                    crate::report::shortened(text, 200)
                ))
                .hint("git diff config/rbac/metrics_auth_role.yaml config/rbac/metrics_reader_role.yaml"))
        }
    }
}

/// Returns the namespace, the name and the HTTPS port of the Service for the metrics; `None` if `objects` have no such
/// Service.
fn service(objects: &[Value]) -> Option<(&str, &str, u16)> {
    let services = objects.iter().filter(|object| object["kind"] == "Service");
    let is_of_metrics = |name: &str| name.contains("metrics");
    services.into_iter().find_map(|service| {
        let name = service["metadata"]["name"].as_str().filter(|name| is_of_metrics(name))?;
        let ports = service["spec"]["ports"].as_array()?;
        let port = ports.iter().find(|port| port["name"] == "https")?["port"].as_u64()?;
        Some((service["metadata"]["namespace"].as_str()?, name, u16::try_from(port).ok()?))
    })
}

fn reads_metrics(role: &Value) -> bool {
    let rules = role["rules"].as_array().into_iter().flatten();
    rules.filter_map(|rule| rule["nonResourceURLs"].as_array()).flatten().any(|path| path == PATH)
}

/// Returns the name that the test gives to both the service account that may read the metrics and the binding that
/// grants the right. The name contains the project, because tests of two projects may use a cluster at the same time.
fn name_of_reader(place: &Place) -> String {
    format!("{}-opctl-e2e", place.project.name)
}

/// Creates a service account, binds `role` to the account, and returns a token of the account.
fn reader(place: &Place, namespace: &str, role: &str, console: &Console) -> Result<String> {
    let reader = name_of_reader(place);
    let account = json!({
        "apiVersion": "v1", "kind": "ServiceAccount", "metadata": {"name": reader, "namespace": namespace},
    });
    let binding = json!({
        "apiVersion": RBAC, "kind": "ClusterRoleBinding", "metadata": {"name": reader},
        "subjects": [{"kind": "ServiceAccount", "name": reader, "namespace": namespace}],
        "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": role},
    });
    run_until_interrupted(&place.target, place.timeout, async {
        let connection = Connection::open(&place.target, console).await?;
        create_account_token(&connection, &[account, binding], namespace, &reader).await
    })
}

fn remove_reader(place: &Place, namespace: &str, console: &Console) -> Result<()> {
    let reader = name_of_reader(place);
    run_until_interrupted(&place.target, place.timeout, async {
        let connection = Connection::open(&place.target, console).await?;
        let kinds = kinds(&connection).await?;
        for (group, version, kind) in
            [("", "v1", "ServiceAccount"), ("rbac.authorization.k8s.io", "v1", "ClusterRoleBinding")]
        {
            let Some(served) = kinds.resolve_gvk(&GroupVersionKind::gvk(group, version, kind)) else { continue };
            let mut object = DynamicObject::new(&reader, &served.0);
            object.metadata.namespace = Some(namespace.to_owned());
            let member = Member::new(served, object);
            let api: Api<DynamicObject> = member.api(&connection.client);
            match api.delete(&reader, &DeleteParams::background()).await {
                Err(kube::Error::Api(status)) if status.code == 404 => {}
                deleted => {
                    deleted.map_err(|error| request_error(&error, &connection, member.attempt("delete")))?;
                }
            }
        }
        Ok(())
    })
}

/// Requests the metrics at the local `port`, which is forwarded to the metrics Service, with `token`, if any. Returns
/// the status code and the body of the response. Accepts a self-signed certificate.
async fn ask(port: u16, token: Option<&str>) -> Result<(u16, String)> {
    let failed = |error: &dyn std::error::Error| {
        Error::cluster("the operator does not answer on its metrics port").source(error)
    };
    let address = format!("https://127.0.0.1:{port}").parse().map_err(|error| failed(&error))?;
    let mut config = Config::new(address);
    config.accept_invalid_certs = true;
    config.auth_info = AuthInfo { token: token.map(|token| token.to_owned().into()), ..AuthInfo::default() };
    let client = Client::try_from(config).map_err(|error| failed(&error))?;
    let request = Request::get(PATH).body(Body::empty()).map_err(|error| failed(&error))?;
    let answer = client.send(request).await.map_err(|error| failed(&error))?;
    let status = answer.status().as_u16();
    let body = answer.into_body().collect_bytes().await.map_err(|error| failed(&error))?;
    Ok((status, String::from_utf8_lossy(&body).into_owned()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secured_metrics_are_found_and_judged() {
        let service_of = |name: &str, port: &str| {
            let metadata = json!({"name": name, "namespace": "a-system"});
            json!({"kind": "Service", "metadata": metadata, "spec": {"ports": [{"name": port, "port": 8443}]}})
        };
        let webhooks = service_of("a-webhook-service", "https");
        let objects = [webhooks.clone(), service_of("a-controller-manager-metrics-service", "https")];
        let found = Some(("a-system", "a-controller-manager-metrics-service", 8443));
        assert_eq!(service(&objects), found);
        assert_eq!(service(&[webhooks, service_of("metrics", "http")]), None);
        let answer = |status: u16, text: &str| (status, text.to_owned());
        let (refused, served) = (answer(401, ""), answer(200, "# TYPE a counter"));
        assert!(verdict(&refused, Some(&served)).is_ok() && verdict(&refused, None).is_ok());
        let told = |without, with| verdict(without, Some(with)).unwrap_err().message().to_owned();
        assert_eq!(told(&served, &served), "anybody may read the operator's metrics");
        let without_role = "the operator does not serve its metrics to a client with the right to read them";
        assert_eq!(told(&refused, &refused), without_role);
        let role = json!({"rules": [{"resources": ["pods"]}, {"nonResourceURLs": ["/metrics"], "verbs": ["get"]}]});
        assert!(reads_metrics(&role) && !reads_metrics(&json!({"rules": [{"nonResourceURLs": ["/healthz"]}]})));
    }
}
