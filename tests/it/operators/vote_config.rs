//! `VoteConfig`: a `ConfigMap`, and a finalizer whose cleanup can fail.

use super::stage::{Stage, condition, sample, says};
use super::trials::MANY;
use serde_json::{Value, json};

const CONFIG_MAP: &str = "v1/configmaps/voteconfig-sample-config";
const OBJECTS: &str = "voting.schoolofdevops.com/v1alpha1/voteconfigs";
const OBJECT: &str = "voting.schoolofdevops.com/v1alpha1/voteconfigs/voteconfig-sample";

fn options(config_map: &Value) -> Value {
    serde_json::from_str(config_map["data"]["options.json"].as_str().unwrap()).unwrap()
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_vote_config_is_played_through() {
    let mut stage = Stage::set("voteconfig-operator");
    stage.start("one", &[]);
    stage.plays("tutorials/vote-config");
    let mut object = sample(&stage.root);
    stage.apply(&object);
    let config_map = stage.sees(CONFIG_MAP, |_| true);
    assert_eq!(options(&config_map), object["spec"]["options"]);
    let ready = |object: &Value| says(object, "Ready", "True");
    let first = stage.sees(OBJECT, ready);
    assert_eq!(first["metadata"]["finalizers"], json!(["voting.schoolofdevops.com/finalizer"]));
    let owner = &config_map["metadata"]["ownerReferences"][0];
    assert_eq!([&owner["uid"], &owner["controller"]], [&first["metadata"]["uid"], &json!(true)]);
    assert_eq!(first["status"]["configMapName"], "voteconfig-sample-config");
    let columns = stage.kubectl(&["get", "voteconfigs"]);
    let header: Vec<_> = columns.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(header, ["NAME", "TITLE", "CONFIGMAP", "UPDATED", "AGE"]);

    let mut twice = object.clone();
    twice["spec"]["options"] = json!([{"id": "a", "label": "A"}, {"id": "a", "label": "B"}]);
    let output = stage.try_kubectl(&["replace", "-f", "-"], &twice.to_string());
    assert!(String::from_utf8(output.stderr).unwrap().contains("Duplicate value: {\"id\":\"a\"}"));

    object["spec"]["options"].as_array_mut().unwrap().push(json!({"id": "c", "label": "Fish"}));
    // The timestamp has a resolution of seconds.
    std::thread::sleep(std::time::Duration::from_secs(1));
    stage.apply(&object);
    stage.sees(CONFIG_MAP, |config_map| options(config_map) == object["spec"]["options"]);
    let updated = |object: &Value| object["status"]["lastUpdated"].as_str().unwrap().to_owned();
    let second = stage.sees(OBJECT, |object| ready(object) && updated(object) > updated(&first));

    stage.patch(CONFIG_MAP, &json!({"data": {"title": "Edited"}}));
    stage.sees(CONFIG_MAP, |config_map| config_map["data"]["title"] == object["spec"]["title"]);
    stage.delete(CONFIG_MAP);
    stage.comes_back(CONFIG_MAP, &config_map);
    stage.settles();
    assert_eq!(updated(&stage.get(OBJECT).unwrap()), updated(&second), "nothing has changed in the status");

    stage.outlives_restarts(CONFIG_MAP, |_| true);
    stage.leader_is_killed_among_many(OBJECTS, &object, ready);
    let ours = |one: &&Value| one["metadata"]["name"] != "kube-root-ca.crt";
    assert_eq!(stage.items("v1/configmaps/").iter().filter(ours).count(), MANY + 1);
    assert_eq!(updated(&stage.get(OBJECT).unwrap()), updated(&second), "nor by restarts");
    a_cleanup_fails_until_it_may(&stage);
}

fn a_cleanup_fails_until_it_may(stage: &Stage) {
    let role = format!("clusterrole/{}-manager-role", stage.name());
    let before: Value = serde_json::from_str(&stage.kubectl(&["get", &role, "-o", "json"])).unwrap();
    let mut without = before["rules"].clone();
    let rules = without.as_array_mut().unwrap().iter_mut();
    for verbs in rules.map(|rule| rule["verbs"].as_array_mut().unwrap()) {
        verbs.retain(|verb| verb != "delete");
    }
    let grant = |rules: &Value| {
        let patch = json!({"rules": rules}).to_string();
        stage.kubectl(&["patch", &role, "--type", "merge", "--patch", &patch]);
    };
    grant(&without);
    stage.kubectl(&["delete", "voteconfigs/voteconfig-sample", "--wait=false"]);
    let failed = |object: &Value| {
        let condition = condition(object, "CleanedUp");
        condition["status"] == "False" && condition["message"].as_str().unwrap().contains("forbidden")
    };
    let from = stage.writes();
    stage.sees(OBJECT, failed);
    let deletes = || stage.writes_since(from).iter().filter(|write| write.verb == "delete").count();
    stage.until("it is tried again", || if deletes() >= 2 { Ok(()) } else { Err(deletes().to_string()) });
    assert!(stage.get(CONFIG_MAP).is_some());
    grant(&before["rules"]);
    stage.gone(OBJECT);
    stage.gone(CONFIG_MAP);
}
