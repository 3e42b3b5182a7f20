//! Tells the API server to trust the operator's own authority.

use super::authority::Service;
use anyhow::{Context, bail};
use k8s_openapi::ByteString;
use kube::api::{Api, DynamicObject, Patch, PatchParams};
use serde_json::{Value, json};

/// How often an object is read again that another replica changes at the same time.
const ATTEMPTS: usize = 5;

/// Puts `bundle` into the webhooks of a configuration, or of a CRD, that lead to `service`.
pub async fn inject(
    configurations: &Api<DynamicObject>,
    name: &str,
    service: &Service,
    bundle: &ByteString,
) -> anyhow::Result<()> {
    let bundle = serde_json::to_value(bundle)?;
    for _ in 0..ATTEMPTS {
        let found = configurations.get(name).await.context("cannot read it")?;
        let operations = difference(&found.data, service, &bundle);
        if operations.is_empty() {
            return Ok(());
        }
        let parameters = PatchParams::default();
        let patch = Patch::<Value>::Json(serde_json::from_value(operations.into())?);
        match configurations.patch(name, &parameters, &patch).await {
            // It is not what was read any more.
            Err(kube::Error::Api(status)) if [409, 422].contains(&status.code) => {}
            Err(error) => return Err(error).context("cannot patch it"),
            Ok(_) => {
                tracing::info!(name, "the API server is told to trust the webhooks");
                return Ok(());
            }
        }
    }
    bail!("it has changed {ATTEMPTS} times while it was patched")
}

/// Gives the JSON patch that makes the webhooks of `service` trust `bundle`.
fn difference(configuration: &Value, service: &Service, bundle: &Value) -> Vec<Value> {
    let webhooks = configuration["webhooks"].as_array().map_or(0, Vec::len);
    let webhooks = (0..webhooks).map(|at| format!("/webhooks/{at}/clientConfig"));
    let conversion = "/spec/conversion/webhook/clientConfig".to_owned();
    let paths = webhooks.chain([conversion]);
    let configs = paths.filter_map(|path| Some((configuration.pointer(&path)?, path)));
    let ours = configs.filter(|(config, _)| {
        config["service"]["name"] == *service.name
            && config["service"]["namespace"] == *service.namespace
            && config["caBundle"] != *bundle
    });
    let operations = ours.flat_map(|(config, path)| {
        [
            // Another webhook may be at this place by now.
            json!({"op": "test", "path": path, "value": config}),
            json!({"op": "add", "path": format!("{path}/caBundle"), "value": bundle}),
        ]
    });
    operations.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_own_webhooks_that_trust_something_else_are_patched() {
        let service = Service {
            name: "web".into(),
            namespace: "shop".into(),
        };
        let config = |name: &str, namespace: &str, bundle: Value| {
            let service = json!({"name": name, "namespace": namespace, "path": "/a"});
            json!({"clientConfig": {"service": service, "caBundle": bundle}})
        };
        let missing = json!({"clientConfig": {"service": {"name": "web", "namespace": "shop"}}});
        let webhooks = json!({"webhooks": [
            config("web", "shop", json!("bmV3")),
            config("web", "other", json!("b2xk")),
            config("other", "shop", json!("b2xk")),
            {"clientConfig": {"url": "https://localhost/a", "caBundle": "b2xk"}},
            config("web", "shop", json!("b2xk")),
            missing,
        ]});
        let patch = difference(&webhooks, &service, &json!("bmV3"));
        let mut patched = webhooks.clone();
        let operations: json_patch::Patch = serde_json::from_value(json!(patch)).unwrap();
        json_patch::patch(&mut patched, &operations).unwrap();
        let mut expected = webhooks;
        for at in [4, 5] {
            expected["webhooks"][at]["clientConfig"]["caBundle"] = json!("bmV3");
        }
        assert_eq!((patch.len(), patched), (4, expected.clone()));
        assert!(difference(&expected, &service, &json!("bmV3")).is_empty());
        assert!(difference(&json!({}), &service, &json!("bmV3")).is_empty());

        let config = config("web", "shop", json!("b2xk"));
        let definition = json!({"spec": {"conversion": {"webhook": config}}});
        let path = "/spec/conversion/webhook/clientConfig/caBundle";
        let patch = difference(&definition, &service, &json!("bmV3"));
        assert_eq!((patch.len(), &patch[1]["path"]), (2, &json!(path)));
    }
}
