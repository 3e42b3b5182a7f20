//! Checks with random types and objects that the operator can read every object that the API server stores.
//!
//! The test creates and updates each object, applies two different objects under one name, and creates an object in
//! another version. After each request, the type must read the same values from the stored object as from the sent
//! object, so the server's defaults must be the defaults of the type. Types that opctl refuses are left out.

use super::cases::Case;
use super::project::Project;
use super::random_types::RandomTypes;
use super::server::{DEFINITIONS, send};
use crate::support::{Plane, asked};
use http::Method;
use kube::Client;
use serde_json::Value;
use std::collections::BTreeMap;
use std::time::{Duration, Instant};

/// The number of types that are compiled together.
const BATCH: u64 = 250;
/// The number of objects of each type.
const OBJECTS: usize = 4;
const OTHER_VERSION: &str = "random.example.com/v1beta1";

struct Candidate {
    case: Case,
    types: RandomTypes,
}

fn candidate(seed: u64) -> Candidate {
    let types = RandomTypes::new(&format!("Random{seed}"), seed * 0x9E37_79B9 + 0x0002_545F_4914);
    let case = Case { name: format!("random/t{seed}"), folder: "random".into(), types: types.source() };
    Candidate { case, types }
}

/// Writes a project with the types that opctl does not refuse. Returns these types, the project, and the number of
/// refused types.
fn accepted(mut all: Vec<Candidate>) -> (Vec<Candidate>, Project, usize) {
    let count = all.len();
    loop {
        let cases: Vec<Case> = all.iter().map(|one| one.case.clone()).collect();
        let project = Project::lay("random", &cases);
        let run = project.manifests();
        if run.code == Some(0) {
            let refused = count - all.len();
            return (all, project, refused);
        }
        let before = all.len();
        if asked("TYPES").is_some() {
            let errors = run.findings.values().flat_map(|said| said.lines()).filter(|line| line.starts_with("error["));
            errors.for_each(|line| println!("{line}"));
        }
        all.retain(|one| !run.findings.get(&one.case.name).is_some_and(|said| said.contains("error[")));
        assert!(all.len() < before, "opctl refuses no type in particular:\n{}", run.said);
    }
}

/// Sends a request, and repeats it until the API server serves the kind. Returns the object in the response, or the
/// reasons of a refusal.
async fn stored(client: &Client, method: Method, path: &str, object: &Value) -> Result<Value, String> {
    let start = Instant::now();
    loop {
        let answer = send(client, method.clone(), path, Some(object)).await;
        if answer.accepted() {
            return Ok(answer.body);
        }
        if answer.status != 404 || start.elapsed() > Duration::from_secs(30) {
            return Err(answer.reasons());
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
}

/// An object, and its spec as the Rust type serializes it.
type Written<'a> = (&'a Value, &'a Value);

/// Returns true if the API server has refused an apply because of a bug: if an apply removes all entries of a map, the
/// server treats the map as null (<https://github.com/kubernetes/kubernetes/issues/135841>).
fn is_emptied(reasons: &str) -> bool {
    reasons.lines().all(|line| line.ends_with("must be of type object: \"null\""))
}

/// Returns the value without fields that are null or empty, for comparisons of applied objects: if an apply empties a
/// map in a nullable field, the API server stores null for the map.
fn filled(value: &Value) -> Value {
    let is_filled = |value: &Value| match value {
        Value::Null => false,
        Value::Array(items) => !items.is_empty(),
        Value::Object(fields) => !fields.is_empty(),
        _ => true,
    };
    match value {
        Value::Array(items) => items.iter().map(filled).collect(),
        Value::Object(fields) => {
            let fields = fields.iter().map(|(name, value)| (name.clone(), filled(value)));
            Value::Object(fields.filter(|(_, value)| is_filled(value)).collect())
        }
        value => value.clone(),
    }
}

/// Returns the spec that the Rust type should read from the API server after an apply. This is `written` (the spec as
/// the type serializes it), but with null for each map that is empty in `applied` and null in `stored`. In `written`,
/// such a map can have entries: for a struct whose fields all have defaults, the type writes these defaults.
fn emptied(written: &Value, applied: Option<&Value>, stored: Option<&Value>) -> Value {
    match (written, applied, stored) {
        (_, Some(Value::Object(applied)), Some(Value::Null)) if applied.is_empty() => Value::Null,
        (Value::Object(fields), Some(applied), Some(stored)) => fields
            .iter()
            .map(|(name, value)| (name.clone(), emptied(value, applied.get(name), stored.get(name))))
            .collect(),
        (Value::Array(items), Some(applied), Some(stored)) => {
            items.iter().enumerate().map(|(at, value)| emptied(value, applied.get(at), stored.get(at))).collect()
        }
        (written, _, _) => written.clone(),
    }
}

/// Returns the object under another name.
fn named(object: &Value, name: &str) -> Value {
    let mut object = object.clone();
    object["metadata"]["name"] = name.into();
    object
}

/// Creates the object `one`, updates it and reads it; applies `one` and then `other` under another name; and creates
/// `one` in another version under a third name. Returns the result of each request, together with the object and the
/// spec that were sent.
async fn steps<'a>(
    client: &Client,
    folder: &str,
    one: Written<'a>,
    other: Written<'a>,
) -> Vec<(Result<Value, String>, Written<'a>)> {
    let (object, written) = one;
    let name = object["metadata"]["name"].as_str().unwrap();
    let mut done = vec![(stored(client, Method::POST, folder, object).await, one)];
    if let (Ok(created), _) = &done[0] {
        let (mut update, own) = (created.clone(), format!("{folder}/{name}"));
        update["spec"] = written.clone();
        done.push((stored(client, Method::PUT, &own, &update).await, one));
        done.push((stored(client, Method::GET, &own, &Value::Null).await, one));
    }
    let applied = format!("{name}-applied");
    for sent in [one, other] {
        let own = format!("{folder}/{applied}");
        done.push((stored(client, Method::PATCH, &own, &named(sent.0, &applied)).await, sent));
    }
    let mut converted = named(object, &format!("{name}-converted"));
    converted["apiVersion"] = OTHER_VERSION.into();
    let created = stored(client, Method::POST, &folder.replace("/v1/", "/v1beta1/"), &converted).await;
    done.push((
        created.and(stored(client, Method::GET, &format!("{folder}/{name}-converted"), &Value::Null).await),
        one,
    ));
    done
}

/// Returns the CRD with an additional version `v1beta1`, which has the same schema and is not the storage version.
fn with_another_version(mut definition: Value) -> Value {
    let mut other = definition["spec"]["versions"][0].clone();
    (other["name"], other["storage"]) = ("v1beta1".into(), false.into());
    definition["spec"]["versions"].as_array_mut().unwrap().push(other);
    definition
}

/// Returns random objects of each type, one type after the other, each with the path of its type.
fn objects_of(all: &mut [Candidate]) -> Vec<(String, Value)> {
    let mut objects = Vec::new();
    for one in all {
        let path = one.case.api_types()[0].path.clone();
        objects.extend((0..OBJECTS).map(|number| (path.clone(), one.types.object(&format!("object-{number}")))));
    }
    objects
}

/// Returns each object with its spec as the type serializes it.
fn written<'a>(objects: &'a [(String, Value)], rewritten: &'a [Result<Value, String>]) -> Vec<Written<'a>> {
    let written = objects.iter().zip(rewritten).map(|((_, object), rewritten)| {
        let written = rewritten.as_ref().unwrap_or_else(|error| panic!("{error}: {object:#}"));
        (object, &written["spec"])
    });
    written.collect()
}

/// Creates the CRD of each case, with an additional version. If the API server refuses a CRD, adds an error to
/// `faults`. Returns the URL of the objects of each case.
async fn serve(
    client: &Client,
    cases: &[Case],
    definitions: &BTreeMap<String, String>,
    faults: &mut Vec<String>,
) -> Vec<String> {
    let mut folders = Vec::new();
    for case in cases {
        let text = definitions[&case.name].replace("[VERSION]", env!("CARGO_PKG_VERSION"));
        let definition = with_another_version(serde_yaml::from_str(&text).unwrap());
        let answer = send(client, Method::POST, DEFINITIONS, Some(&definition)).await;
        if !answer.accepted() {
            faults.push(format!("{}: the definition is refused: {}\n{}", case.name, answer.reasons(), case.types));
        }
        let plural = definition["spec"]["names"]["plural"].as_str().unwrap();
        folders.push(format!("/apis/random.example.com/v1/namespaces/default/{plural}"));
    }
    folders
}

/// Returns true if `read` (the spec that the Rust type reads from the stored object, or an error) equals the spec
/// `sent`. For an applied object, ignores fields that are null or empty, and allows null in place of each map that was
/// sent empty and is stored as null.
fn is_kept(read: Result<&Value, &String>, (object, sent): Written<'_>, stored: &Value) -> bool {
    let is_applied = stored["metadata"]["name"].as_str().is_some_and(|name| name.ends_with("-applied"));
    let applied = || filled(&emptied(sent, object.get("spec"), stored.get("spec")));
    read == Ok(sent) || is_applied && read.is_ok_and(|read| filled(read) == applied())
}

#[tokio::test]
async fn the_operator_can_read_every_object_that_the_server_has() {
    let plane = Plane::start();
    let client = plane.client().await;
    let (first, count) = (asked("TYPES_SEED").unwrap_or(1), asked("TYPES").unwrap_or(40));
    let seeds: Vec<u64> = (first..first + count).collect();
    let (mut faults, mut kept, mut refused) = (Vec::new(), 0, 0);
    for batch in seeds.chunks(usize::try_from(BATCH).unwrap()) {
        let (mut all, project, not_taken) = accepted(batch.iter().copied().map(candidate).collect());
        refused += not_taken;
        let cases: Vec<Case> = all.iter().map(|one| one.case.clone()).collect();
        let definitions = project.definitions(&cases);
        let objects = objects_of(&mut all);
        let rewritten = project.rewrite(&objects);
        let written = written(&objects, &rewritten);
        let folders = serve(&client, &cases, &definitions, &mut faults).await;
        // Of each object: what the type reads from it, and what it reads from the server's.
        let (mut requests, mut expected) = (Vec::new(), Vec::new());
        for (number, (path, object)) in objects.iter().enumerate() {
            let (case, folder) = (&cases[number / OBJECTS], &folders[number / OBJECTS]);
            let next = number / OBJECTS * OBJECTS + (number + 1) % OBJECTS;
            for (step, sent) in steps(&client, folder, written[number], written[next]).await {
                match step {
                    Ok(stored) => {
                        requests.push((path.clone(), stored));
                        expected.push((case, sent));
                    }
                    Err(reasons) if is_emptied(&reasons) => {}
                    Err(reasons) => {
                        faults.push(format!("{}: refused: {reasons}{object:#}\n{}", case.name, case.types));
                    }
                }
            }
        }
        for ((case, sent), (read, (_, stored))) in
            expected.into_iter().zip(project.rewrite(&requests).iter().zip(&requests))
        {
            kept += 1;
            let read = read.as_ref().map(|read| &read["spec"]);
            if !is_kept(read, sent, stored) {
                let (object, sent) = sent;
                faults.push(format!(
                    "{}: sent {sent:#}\nstored {:#}\nread {read:?}\nof {:#}\n{}",
                    case.name, stored["spec"], object["spec"], case.types
                ));
            }
        }
    }
    println!("{count} types, {refused} of them refused by opctl, {kept} objects read");
    assert!(faults.is_empty(), "{} faults, the first:\n{}", faults.len(), faults[0]);
    assert!(refused * 2 < seeds.len(), "opctl refuses {refused} of {count} types");
}
