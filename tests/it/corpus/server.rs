//! Tests that a real API server accepts the CRDs of testdata/corpus and stores their objects without changes.

use super::cases::{Case, cases};
use super::project::Project;
use super::schema;
use crate::support::Plane;
use http::{Method, Request};
use kube::Client;
use kube::client::Body;
use serde_json::Value;
use std::fmt::Write as _;
use std::sync::Arc;
use std::time::{Duration, Instant};
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

/// The response of the API server.
pub(super) struct Answer {
    pub(super) status: u16,
    /// The texts of the `Warning` headers, without the code and the agent before each text.
    warnings: Vec<String>,
    pub(super) body: Value,
}

impl Answer {
    pub(super) fn accepted(&self) -> bool {
        self.status < 300
    }

    /// Returns the reasons of a refusal, one cause in each line.
    pub(super) fn reasons(&self) -> String {
        let causes = self.body["details"]["causes"].as_array();
        let mut lines: Vec<String> = causes
            .into_iter()
            .flatten()
            .map(|cause| {
                format!(
                    "{}: {}\n",
                    cause["field"].as_str().unwrap_or("."),
                    cause["message"].as_str().unwrap_or_default()
                )
            })
            .collect();
        if lines.is_empty() {
            lines.push(format!("{}\n", self.body["message"].as_str().unwrap_or_default()));
        }
        lines.sort();
        lines.dedup();
        lines.concat()
    }
}

/// Sends a request. A patch is a forced server-side apply, which takes over the fields of other field managers.
pub(super) async fn send(client: &Client, method: Method, path: &str, body: Option<&Value>) -> Answer {
    let (query, form) = match method {
        Method::GET => ("", "application/json"),
        Method::PATCH => ("?fieldValidation=Strict&fieldManager=test&force=true", "application/apply-patch+yaml"),
        _ => ("?fieldValidation=Strict", "application/json"),
    };
    let bytes = body.map(|body| serde_json::to_vec(body).unwrap()).unwrap_or_default();
    let request = Request::builder().method(method).uri(format!("{path}{query}"));
    let request = request.header("content-type", form).body(Body::from(bytes)).unwrap();
    let response = client.send(request).await.unwrap();
    let status = response.status().as_u16();
    let warnings = response.headers().get_all("warning").iter().map(|value| {
        let text = value.to_str().unwrap();
        text.splitn(3, ' ').nth(2).unwrap().trim_matches('"').to_owned()
    });
    let warnings = warnings.collect();
    let body = response.into_body().collect_bytes().await.unwrap();
    Answer { status, warnings, body: serde_json::from_slice(&body).unwrap_or_default() }
}

pub(super) const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// The CRDs of one case on the server, and the faults found with the case's objects.
struct Trial {
    client: Client,
    definitions: Vec<Value>,
    faults: Vec<String>,
}

impl Trial {
    /// Creates the CRDs of a case. Records a fault if the server refuses a CRD or returns a warning about it.
    async fn begin(client: Client, definitions: Vec<Value>) -> Self {
        let mut trial = Trial { client, definitions, faults: Vec::new() };
        for definition in trial.definitions.clone() {
            let answer = send(&trial.client, Method::POST, DEFINITIONS, Some(&definition)).await;
            let name = definition["metadata"]["name"].as_str().unwrap_or_default();
            if !answer.accepted() {
                trial.faults.push(format!("the definition {name} is refused:\n{}", answer.reasons()));
            }
            for warning in &answer.warnings {
                trial.faults.push(format!("the definition {name} brings a warning: {warning}"));
            }
        }
        trial
    }

    fn definition(&self, object: &Value) -> &Value {
        let found = self.definitions.iter().find(|one| one["spec"]["names"]["kind"] == object["kind"]);
        found.unwrap_or_else(|| panic!("no definition of {}", object["kind"]))
    }

    fn path(&self, object: &Value) -> String {
        let spec = &self.definition(object)["spec"];
        let (version, plural) = (object["apiVersion"].as_str().unwrap(), spec["names"]["plural"].as_str().unwrap());
        let namespace = if spec["scope"] == "Namespaced" { "/namespaces/default" } else { "" };
        format!("/apis/{version}{namespace}/{plural}")
    }

    /// Creates an object, and tries again until its kind is served.
    async fn create(&self, object: &Value) -> Answer {
        let (path, start) = (self.path(object), Instant::now());
        loop {
            let answer = send(&self.client, Method::POST, &path, Some(object)).await;
            if answer.status != 404 || start.elapsed() > Duration::from_secs(30) {
                return answer;
            }
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// Creates an object with its status. Records a fault if the server refuses the object, or if the stored object
    /// differs from `object`, apart from defaults that the server fills in. In the text of the fault, `what` describes
    /// the object. Returns the stored object and the warnings, or `None` if the server refuses the object.
    async fn keep(&mut self, what: &str, object: &Value) -> Option<(Value, Vec<String>)> {
        let name = object["metadata"]["name"].as_str().unwrap();
        let mut answer = self.create(object).await;
        let mut warnings = std::mem::take(&mut answer.warnings);
        let path = format!("{}/{name}", self.path(object));
        if answer.accepted() && object.get("status").is_some() {
            let mut with_status = answer.body.clone();
            with_status["status"] = object["status"].clone();
            answer = send(&self.client, Method::PUT, &format!("{path}/status"), Some(&with_status)).await;
            warnings.extend(std::mem::take(&mut answer.warnings));
        }
        if !answer.accepted() {
            self.faults.push(format!("{what} `{name}` is refused:\n{}{object:#}", answer.reasons()));
            return None;
        }
        let stored = send(&self.client, Method::GET, &path, None).await.body;
        let (mut expected, schema) = (object.clone(), schema::of(self.definition(object), object));
        schema::with_defaults(&mut expected, schema);
        if content(&stored) != content(&expected) {
            let lines = |value: &Value| format!("{:#}\n", content(value));
            let (expected, stored) = (lines(&expected), lines(&stored));
            let diff = similar::TextDiff::from_lines(&expected, &stored).unified_diff().context_radius(3).to_string();
            self.faults.push(format!("{what} `{name}` does not come back as it was sent:\n{diff}"));
        }
        warnings.sort();
        warnings.dedup();
        Some((stored, warnings))
    }
}

/// Returns an object without the metadata that the server writes, ready to be compared.
fn content(object: &Value) -> Value {
    let mut object = object.clone();
    if let Some(metadata) = object["metadata"].as_object_mut() {
        for key in ["creationTimestamp", "generation", "managedFields", "namespace", "resourceVersion", "uid"] {
            metadata.remove(key);
        }
    }
    schema::with_whole_numbers(&mut object);
    object
}

fn renamed(object: &Value, suffix: &str) -> Value {
    let mut object = object.clone();
    object["metadata"]["name"] = format!("{}-{suffix}", object["metadata"]["name"].as_str().unwrap()).into();
    object
}

/// An object that a user writes, and the same object as its Rust type serializes it.
struct Sample {
    path: String,
    object: Value,
    written: Result<Value, String>,
}

fn samples(case: &Case) -> Vec<(String, Value)> {
    let types = case.api_types();
    let path = |object: &Value| {
        let found = types.iter().find(|one| {
            object["kind"] == *one.resource.kind
                && object["apiVersion"] == *format!("{}/{}", one.resource.group, one.resource.version)
        });
        found.unwrap_or_else(|| panic!("{}: resource.yaml has an unknown kind", case.name)).path.clone()
    };
    case.documents("resource.yaml").into_iter().map(|object| (path(&object), object)).collect()
}

/// The result of a case: its faults, the API server's warnings and refusals to compare with the case's files, and the
/// objects that the server stored.
#[derive(Default)]
struct Outcome {
    case: usize,
    faults: Vec<String>,
    warnings: String,
    refusals: String,
    /// For each stored object: the path of its type, the object as stored, and the user's object as its type writes it.
    stored: Vec<(String, Value, Value)>,
}

async fn tried(case: usize, client: Client, definitions: Vec<Value>, samples: Vec<Sample>, bad: Vec<Value>) -> Outcome {
    let mut trial = Trial::begin(client, definitions).await;
    let mut outcome = Outcome { case, ..Outcome::default() };
    for sample in samples {
        if let Some((stored, warnings)) = trial.keep("the object", &sample.object).await {
            for warning in warnings {
                let _ =
                    writeln!(outcome.warnings, "{}: {warning}", sample.object["metadata"]["name"].as_str().unwrap());
            }
            match &sample.written {
                Ok(written) => outcome.stored.push((sample.path, stored, written.clone())),
                Err(error) => trial.faults.push(format!("the type cannot read {:#}: {error}", sample.object)),
            }
        }
        if let Ok(written) = &sample.written {
            let again = renamed(written, "written");
            trial.keep("what the type writes,", &again).await;
        }
    }
    for object in bad {
        let answer = trial.create(&object).await;
        let name = object["metadata"]["name"].as_str().unwrap();
        if answer.accepted() {
            trial.faults.push(format!("the object `{name}` of refused.yaml is accepted"));
        }
        let reasons: Vec<String> = answer.reasons().lines().map(|line| format!("{name}: {line}\n")).collect();
        outcome.refusals.push_str(&reasons.concat());
    }
    outcome.faults = trial.faults;
    outcome
}

#[tokio::test]
async fn the_server_takes_every_definition_and_keeps_every_object() {
    let all: Vec<Case> = cases().into_iter().filter(Case::accepted).collect();
    let project = Project::lay("accepted", &all);
    let objects: Vec<Vec<(String, Value)>> = all.iter().map(samples).collect();
    let mut written = project.rewrite(&objects.concat()).into_iter();
    let plane = Plane::start();
    let client = plane.client().await;
    let room = Arc::new(Semaphore::new(16));
    let mut running = JoinSet::new();
    for (number, (case, objects)) in all.iter().zip(objects).enumerate() {
        let samples: Vec<Sample> = objects
            .into_iter()
            .map(|(path, object)| Sample { path, object, written: written.next().unwrap() })
            .collect();
        let (definitions, bad) = (case.documents("crd.yaml"), case.documents("refused.yaml"));
        let (client, room) = (client.clone(), room.clone());
        running.spawn(async move {
            let _room = room.acquire_owned().await.unwrap();
            tried(number, client, definitions, samples, bad).await
        });
    }
    let outcomes = running.join_all().await;
    let mut faults = Vec::new();
    let mut stored = Vec::new();
    for outcome in outcomes {
        let case = &all[outcome.case];
        faults.extend(outcome.faults.iter().map(|fault| format!("{}: {fault}", case.name)));
        faults.extend(case.compare("warnings", &outcome.warnings));
        faults.extend(case.compare("refusals", &outcome.refusals));
        stored.extend(outcome.stored.into_iter().map(|one| (case, one)));
    }
    // The server's defaults are equal to the defaults of the type, so the type reads the same with and without them.
    let requests: Vec<(String, Value)> =
        stored.iter().map(|(_, (path, object, _))| (path.clone(), content(object))).collect();
    for ((case, (_, object, before)), after) in stored.iter().zip(project.rewrite(&requests)) {
        if after.as_ref() != Ok(before) {
            faults.push(format!(
                "{}: the type reads what the server has otherwise than what was sent:\n{:#}\n{after:?}\n{before:?}",
                case.name,
                content(object)
            ));
        }
    }
    faults.sort();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
