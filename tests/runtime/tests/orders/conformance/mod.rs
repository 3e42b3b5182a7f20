//! Compares the model of the API server with a real kube-apiserver: both carry out the same operations and must
//! give the same answers. Without this test, nothing would show that the model is right.

mod cases;
mod operations;
mod party;

use crate::model::{KINDS, Kind};
use crate::schedule::Random;
use cases::cases;
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use operations::{Operation, operation};
use party::Party;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::process;

/// The number of random operations in each namespace.
const LENGTH: usize = 50;

async fn client() -> Client {
    // The tests are compiled with two providers. It fails if one is chosen already.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let kubeconfig = Kubeconfig::read().expect("KUBECONFIG");
    let mut config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await.unwrap();
    config.default_retry = false;
    Client::try_from(config).unwrap()
}

/// Installs the CRD of the model's custom kind `Web`.
async fn define(party: &mut Party) {
    let ports = json!({
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
        "items": { "type": "object", "required": ["name"], "properties": {
            "name": { "type": "string" }, "number": { "type": "integer" }, "note": { "type": "string" },
        } },
    });
    let conditions = json!({
        "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["type"],
        "items": { "type": "object", "required": ["type"], "properties": {
            "type": { "type": "string" }, "status": { "type": "string" },
        } },
    });
    let schema = json!({ "type": "object", "properties": {
        "spec": { "type": "object", "properties": {
            "value": { "type": "integer" }, "extra": { "type": "boolean" }, "ports": ports,
        } },
        "status": { "type": "object", "properties": { "value": { "type": "string" }, "conditions": conditions } },
    } });
    let crd = json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": { "name": "webs.example.com" },
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": { "kind": "Web", "plural": "webs", "singular": "web", "listKind": "WebList" },
            "versions": [{
                "name": "v1", "served": true, "storage": true, "subresources": { "status": {} },
                "schema": { "openAPIV3Schema": schema },
            }],
        },
    });
    let at = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    let (code, said) = party.send("POST", at, "json", &crd).await;
    assert!(code == 201 || code == 409, "{said}");
    let served = "/apis/example.com/v1/webs";
    while party.send("GET", served, "json", &Value::Null).await.0 != 200 {
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}

/// Returns the fields and items in which two answers differ.
fn unlike(said: &Value, expected: &Value) -> String {
    match (said, expected) {
        (Value::Object(said), Value::Object(expected)) => {
            let names: BTreeSet<_> = said.keys().chain(expected.keys()).collect();
            let get = |map: &serde_json::Map<String, Value>, name: &str| map.get(name).cloned().unwrap_or_default();
            names.into_iter().map(|name| unlike(&get(said, name), &get(expected, name))).collect()
        }
        (Value::Array(said), Value::Array(expected)) => {
            let only = |these: &[Value], others: &[Value]| {
                these
                    .iter()
                    .filter(|item| !others.contains(item))
                    .map(|item| format!("\n    {item}"))
                    .collect::<String>()
            };
            format!("{}{}", only(said, expected), only(expected, said))
        }
        _ if said == expected => String::new(),
        _ => format!("\n    {said} and {expected}"),
    }
}

/// Carries out operations on the model and on the real server. Returns the first difference of their answers.
async fn compare(
    client: Client,
    name: &str,
    kind: &'static Kind,
    operations: impl Iterator<Item = Operation>,
) -> Option<String> {
    let mut model = Party::model(kind);
    let mut real = Party::real(kind, client, &format!("c{}-{name}", process::id())).await;
    let mut done = Vec::new();
    for operation in operations {
        let (said, expected) = (model.perform(&operation).await, real.perform(&operation).await);
        done.push(format!("{operation:?}"));
        if said != expected {
            let before = done[done.len().saturating_sub(3)..].join("\n");
            let unlike = unlike(&said, &expected);
            return Some(format!("{name}\n{before}\nmodel {said}\nreal  {expected}\n{unlike}"));
        }
    }
    for labels in ["", "l1%3Dx"] {
        let said = model.watched(labels, 0).await;
        let expected = real.watched(labels, said.len()).await;
        let forgotten = expected.first().is_some_and(|event| event["type"] == "ERROR");
        // A server may forget versions at any time.
        if said != expected && !forgotten {
            let at = said.iter().zip(&expected).position(|(said, expected)| said != expected);
            let of = |events: &[Value]| at.map(|at| format!("{} after {}", events[at], events[at.saturating_sub(1)]));
            return Some(format!("{name}, events {labels}\nmodel {:?}\nreal  {:?}", of(&said), of(&expected)));
        }
    }
    None
}

#[tokio::test]
#[ignore = "needs a kube-apiserver in KUBECONFIG; OPERATIONS says how many"]
async fn the_model_says_what_a_real_server_says() {
    let client = client().await;
    define(&mut Party::real(&KINDS[0], client.clone(), &format!("c{}", process::id())).await).await;
    let count: usize = std::env::var("OPERATIONS").ok().and_then(|count| count.parse().ok()).unwrap_or(1_000);
    let first: u64 = std::env::var("SEED").ok().and_then(|seed| seed.parse().ok()).unwrap_or(0);
    let mut differences = Vec::new();
    for (number, (plural, operations)) in cases().into_iter().enumerate() {
        let kind = KINDS.iter().find(|kind| kind.plural == plural).unwrap();
        let name = format!("case-{number}");
        differences.extend(compare(client.clone(), &name, kind, operations.into_iter()).await);
    }
    let mut sequences = 0;
    for seed in (first..).take(count.div_ceil(LENGTH)) {
        let kind = &KINDS[usize::try_from(seed % 4).unwrap()];
        let mut random = Random::new(seed);
        let operations = std::iter::repeat_with(|| operation(&mut random, kind.plural)).take(LENGTH);
        differences.extend(compare(client.clone(), &format!("seed-{seed}"), kind, operations).await);
        sequences += 1;
        if differences.len() >= 5 {
            break;
        }
    }
    println!("{sequences} sequences of {LENGTH} operations, from seed {first}: {} differ", differences.len());
    assert!(differences.is_empty(), "{}", differences.join("\n\n"));
}
