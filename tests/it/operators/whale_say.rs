//! `WhaleSay`: a Job that runs once for each message.

use super::stage::{Stage, sample, says};
use super::trials::MANY;
use serde_json::{Value, json};

const JOB: &str = "batch/v1/jobs/whalesay-sample-job";
const OBJECTS: &str = "devsectim.io/v1alpha1/whalesays";
const OBJECT: &str = "devsectim.io/v1alpha1/whalesays/whalesay-sample";

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_whale_say_is_played_through() {
    let mut stage = Stage::set("whalesay-operator");
    stage.start("one", &["--resync", "2s"]);
    stage.plays("tutorials/whale-say");
    let object = sample(&stage.root);
    stage.apply(&object);
    let complete = |object: &Value| says(object, "Complete", "True");
    let status = stage.sees(OBJECT, complete)["status"].clone();
    assert!(status["completionTime"].is_string(), "{status:#}");
    let job = stage.get(JOB).unwrap();
    let container = &job["spec"]["template"]["spec"]["containers"][0];
    assert_eq!(container["image"], "docker/whalesay");
    assert_eq!(container["args"], json!(["Hello from the sample"]));
    let columns = stage.kubectl(&["get", "wsay"]);
    assert!(columns.contains("COMPLETE") && columns.contains("Hello from the sample   True"), "{columns}");

    // At least two more passes find the Job unchanged.
    let before = stage.settles();
    std::thread::sleep(std::time::Duration::from_secs(5));
    assert!(stage.writes_since(before).is_empty(), "{:?}", stage.writes_since(before));
    let only = |expected: &Value| {
        let jobs = stage.items("batch/v1/jobs/");
        assert_eq!((jobs.len(), &jobs[0]["metadata"]["uid"]), (1, &expected["metadata"]["uid"]));
    };
    only(&job);

    stage.patch(OBJECT, &json!({"spec": {"message": "Something else"}}));
    let second = stage.comes_back(JOB, &job);
    assert_eq!(second["spec"]["template"]["spec"]["containers"][0]["args"], json!(["Something else"]));
    stage.sees(OBJECT, complete);
    only(&second);
    let pods = stage.items("v1/pods/");
    assert!(pods.iter().all(|pod| pod["status"]["phase"] == "Succeeded"), "{pods:#?}");

    stage.outlives_restarts(JOB, |job| job["status"]["completionTime"].is_string());
    stage.sees(OBJECT, complete);
    stage.leader_is_killed_among_many(OBJECTS, &object, |object| object["status"]["observedGeneration"] == 1);
    assert_eq!(stage.items("batch/v1/jobs/").len(), MANY + 1);
    stage.patch(OBJECT, &json!({"spec": {"message": "The end"}}));
    stage.sees(JOB, |job| job["spec"]["template"]["spec"]["containers"][0]["args"] == json!(["The end"]));
    stage.delete(OBJECT);
    stage.gone(JOB);
}
