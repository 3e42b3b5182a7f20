//! Conversion requests: they are answered with objects in the version that the API server asks for, or with the reason
//! why not.

use crate::served::Served;
use runtime::webhook::{self, Conversion};
use serde_json::{Value, json};

pub const CONVERT: &str = "/convert-example-com-site";

macro_rules! version {
    ($module:ident, $name:literal, $field:ident) => {
        mod $module {
            #[derive(
                kube::CustomResource, serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Debug,
            )]
            #[kube(group = "example.com", version = $name, kind = "Site")]
            pub struct SiteSpec {
                pub $field: i32,
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub tls: Option<String>,
            }
        }
    };
}

version!(v1, "v1", replicas);
version!(v1alpha1, "v1alpha1", size);

impl From<v1alpha1::Site> for v1::Site {
    fn from(value: v1alpha1::Site) -> Self {
        let (replicas, tls) = (value.spec.size, value.spec.tls);
        match replicas {
            13 => panic!("told to panic"),
            14 => std::thread::sleep(std::time::Duration::from_secs(3)),
            _ => {}
        }
        Self { metadata: value.metadata, spec: v1::SiteSpec { replicas, tls } }
    }
}

impl From<v1::Site> for v1alpha1::Site {
    fn from(value: v1::Site) -> Self {
        let (size, tls) = (value.spec.replicas, value.spec.tls);
        Self { metadata: value.metadata, spec: v1alpha1::SiteSpec { size, tls } }
    }
}

pub fn sites() -> Conversion<v1::Site> {
    webhook::conversion().spoke::<v1alpha1::Site>()
}

pub fn site(version: &str, name: &str, spec: &Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"), "kind": "Site", "metadata": {"name": name, "uid": name}, "spec": spec,
    })
}

pub fn review(to: &str, objects: &[Value]) -> Value {
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "ConversionReview",
        "request": {"uid": "1", "desiredAPIVersion": to, "objects": objects},
    })
}

fn response(served: &Served, review: &Value) -> Value {
    let (code, text) = served.ask(CONVERT, review.to_string().as_bytes());
    assert_eq!(code, 200, "{text}");
    let review: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(review["apiVersion"], "apiextensions.k8s.io/v1");
    assert_eq!((&review["kind"], &review["response"]["uid"]), (&json!("ConversionReview"), &json!("1")));
    review["response"].clone()
}

#[test]
fn all_objects_of_a_request_are_converted_in_their_order() {
    let served = Served::start();
    let many: Vec<Value> = (0..300).map(|at| site("v1alpha1", &format!("a{at}"), &json!({"size": at + 100}))).collect();
    let converted = response(&served, &review("example.com/v1", &many));
    assert_eq!(converted["result"]["status"], "Success");
    let expected = (0..300).map(|at| site("v1", &format!("a{at}"), &json!({"replicas": at + 100})));
    assert_eq!(converted["convertedObjects"], expected.collect::<Value>());
    let none = response(&served, &review("example.com/v1", &[]));
    assert_eq!((&none["result"]["status"], &none["convertedObjects"]), (&json!("Success"), &json!([])));
    served.stop();
}

#[test]
fn one_object_that_cannot_be_converted_fails_the_request_with_its_name() {
    let served = Served::start();
    let (good, bad) = (site("v1alpha1", "good", &json!({"size": 1})), site("v1alpha1", "bad", &json!({"size": "x"})));
    let failed = response(&served, &review("example.com/v1", &[good.clone(), bad]));
    assert_eq!(failed["result"]["status"], "Failure");
    let said = failed["result"]["message"].as_str().unwrap();
    let about =
        "Site bad of example.com/v1alpha1 cannot be converted to example.com/v1: spec.size: invalid type: string \"x\"";
    assert!(said.starts_with(about), "{said}");
    let failed = response(&served, &review("example.com/v2", &[good]));
    let said = failed["result"]["message"].as_str().unwrap();
    assert!(
        said.contains("\"example.com/v2\" is not a version that the operator knows: it converts v1, v1alpha1"),
        "{said}"
    );
    served.stop();
}

#[test]
fn bad_input_gets_an_answer_that_tells_why() {
    let served = Served::start();
    let of = |size: i32| review("example.com/v1", &[site("v1alpha1", "a", &json!({ "size": size }))]);
    let with = |at: &str, value: Value| {
        let mut review = of(1);
        *review.pointer_mut(at).unwrap() = value;
        review.to_string()
    };
    let deep = "[".repeat(100_000) + &"]".repeat(100_000);
    let own = "the request must be an apiextensions.k8s.io/v1 ConversionReview";
    for (body, code, text) in [
        (String::new(), 400, "the request cannot be read as JSON: EOF while parsing"),
        ("rubbish".into(), 400, "the request cannot be read as JSON: expected value"),
        ("{}".into(), 400, own),
        ("[1]".into(), 400, own),
        (deep, 400, "the request cannot be read as JSON: recursion limit exceeded"),
        (" ".repeat(65 << 20), 413, "the request is longer than 67108864 bytes"),
        (with("/apiVersion", json!("apiextensions.k8s.io/v1beta1")), 400, own),
        (with("/kind", json!("AdmissionReview")), 400, own),
        (with("/request", Value::Null), 400, "the ConversionReview has no request"),
        (with("/request", json!(5)), 400, "the ConversionReview cannot be read"),
        (with("/request/objects", json!({})), 400, "the ConversionReview cannot be read"),
        (of(13).to_string(), 500, "the webhook has panicked: told to panic"),
    ] {
        let answer = served.ask(CONVERT, body.as_bytes());
        let shown: String = body.chars().take(200).collect();
        assert!(answer.0 == code && answer.1.starts_with(text), "{shown}: {answer:?}");
    }
    let late = (504, "the webhook has not answered within 900ms".to_owned());
    assert_eq!(served.ask(&format!("{CONVERT}?timeout=1s"), of(14).to_string().as_bytes()), late);
    assert_eq!(response(&served, &of(1))["result"]["status"], "Success", "it lives on");
    served.stop();
}
