//! The conversion of a CRD's objects between versions: by the deployed operator, by an operator on this machine, or not
//! at all.

use super::local_operator::{LABEL, WebhookServer, bundle};
use kube::api::DynamicObject;
use serde_json::{Value, json};

const STRATEGY: &str = "/spec/conversion/strategy";
const SERVICE: &str = "/spec/conversion/webhook/clientConfig/service";

/// Returns true if a webhook converts the objects of the CRD `definition`.
pub fn is_converted(definition: &DynamicObject) -> bool {
    definition.data.pointer(STRATEGY).is_some_and(|strategy| strategy == "Webhook")
}

/// Returns the namespace and the name of the Service in the conversion webhook of the CRD `definition`; `None` if the
/// CRD names no such Service.
pub fn service(definition: &DynamicObject) -> Option<(&str, &str)> {
    let service = definition.data.pointer(SERVICE)?;
    Some((service["namespace"].as_str()?, service["name"].as_str()?))
}

/// Adapts the Service reference in the conversion webhook of the CRD `definition` to the name and namespace with which
/// kustomize deploys the Service: adds the name prefix and the name suffix, and sets the namespace. `default`, the
/// kustomization in `config/default`, contains these three values.
pub fn deploy_service(definition: &mut DynamicObject, default: &Value) {
    let Some(service) = definition.data.pointer_mut(SERVICE) else { return };
    let part = |key: &str| default[key].as_str().unwrap_or_default();
    if let Some(name) = service["name"].as_str() {
        service["name"] = format!("{}{name}{}", part("namePrefix"), part("nameSuffix")).into();
    }
    if let Some(namespace) = default["namespace"].as_str() {
        service["namespace"] = namespace.into();
    }
}

/// Returns true if an operator that `opctl run` started outside the cluster converts the objects of a live CRD.
pub fn is_local(definition: &DynamicObject) -> bool {
    definition.metadata.labels.as_ref().is_some_and(|labels| labels.contains_key(LABEL))
}

/// Returns the CRD `definition` with the conversion settings of `live`, the same CRD as read from the cluster. An apply
/// of the result keeps the settings that a running `opctl run` may have set temporarily.
pub fn as_in(live: &DynamicObject, definition: &DynamicObject) -> DynamicObject {
    let mut definition = definition.clone();
    let mut conversion = live.data.pointer("/spec/conversion").cloned().unwrap_or_default();
    if !is_local(live)
        && let Some(config) = conversion.pointer_mut("/webhook/clientConfig").and_then(Value::as_object_mut)
    {
        // The deployed operator is the field manager of `caBundle`.
        config.remove("caBundle");
    }
    definition.data["spec"]["conversion"] = conversion;
    if let Some(project) = live.metadata.labels.as_ref().and_then(|labels| labels.get(LABEL)) {
        definition.metadata.labels.get_or_insert_default().insert(LABEL.to_owned(), project.clone());
    }
    definition
}

/// Returns the CRD with its conversion webhook, if any, pointed to the operator on this machine.
pub fn local_conversion(definition: &DynamicObject, project: &str, served: &WebhookServer) -> DynamicObject {
    let mut definition = definition.clone();
    if !is_converted(&definition) {
        return definition;
    }
    let path = definition.data.pointer(SERVICE).and_then(|service| service["path"].as_str()).unwrap_or_default();
    let config = json!({ "url": format!("{}{path}", served.url), "caBundle": bundle(served) });
    definition.data["spec"]["conversion"]["webhook"]["clientConfig"] = config;
    definition.metadata.labels.get_or_insert_default().insert(LABEL.to_owned(), project.to_owned());
    definition
}

/// Returns the CRD without the field `spec.conversion`.
pub fn without_conversion(definition: &DynamicObject) -> DynamicObject {
    let mut definition = definition.clone();
    if let Some(spec) = definition.data["spec"].as_object_mut() {
        spec.remove("conversion");
    }
    definition
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_service_has_the_name_that_it_is_deployed_with() {
        let with = |name: &str, namespace: &str| {
            let config = json!({ "service": { "name": name, "namespace": namespace, "path": "/a" } });
            let conversion = json!({ "strategy": "Webhook", "webhook": { "clientConfig": config } });
            let definition = json!({ "metadata": { "name": "a" }, "spec": { "conversion": conversion } });
            serde_json::from_value::<DynamicObject>(definition).expect("an object")
        };
        for (default, name, namespace) in [
            (json!({ "namespace": "shop-system", "namePrefix": "shop-" }), "shop-webhooks", "shop-system"),
            (json!({ "namePrefix": "a-", "nameSuffix": "-b" }), "a-webhooks-b", "system"),
            (Value::Null, "webhooks", "system"),
        ] {
            let mut definition = with("webhooks", "system");
            deploy_service(&mut definition, &default);
            assert_eq!(service(&definition), Some((namespace, name)), "{default}");
        }
        let mut plain = without_conversion(&with("webhooks", "system"));
        deploy_service(&mut plain, &json!({ "namespace": "shop-system" }));
        assert!(!is_converted(&plain) && service(&plain).is_none());
    }
}
