//! `WebServer`: a Deployment, and a Service with a fixed node port, which only one object can have.

use super::stage::{Stage, condition, sample, says};
use serde_json::{Value, json};
use std::time::Duration;

const DEPLOYMENT: &str = "apps/v1/deployments/webserver-sample";
const SERVICE: &str = "v1/services/webserver-sample-service";
const OBJECT: &str = "my.domain/v1/webservers/webserver-sample";
const SECOND: &str = "my.domain/v1/webservers/second";

fn runs(replicas: u64, image: &str) -> impl Fn(&Value) -> bool {
    move |deployment| {
        let spec = &deployment["spec"];
        spec["replicas"] == replicas
            && spec["template"]["spec"]["containers"][0]["image"] == image
            && deployment["status"]["updatedReplicas"] == replicas
            && deployment["status"]["readyReplicas"] == replicas
    }
}

#[test]
fn a_web_server_is_played_through() {
    let mut stage = Stage::set("my-domain-operator");
    stage.start("one", &[]);
    stage.plays("tutorials/web-server");
    stage.plays("how-to/debug-a-pass");
    rights(&stage);
    impersonation(&stage);

    let mut object = sample(&stage.root);
    stage.apply(&object);
    let deployment = stage.sees(DEPLOYMENT, runs(3, "nginx:1.23.1"));
    let service = stage.sees(SERVICE, |service| service["spec"]["type"] == "NodePort");
    assert_eq!(service["spec"]["ports"][0]["nodePort"], 30010);
    let ready = |object: &Value| says(object, "Ready", "True");
    stage.sees(OBJECT, ready);

    for (replicas, image) in [(4, "nginx:1.23.1"), (2, "nginx:1.23.1"), (2, "nginx:1.23.0")] {
        object["spec"] = json!({"replicas": replicas, "image": image});
        stage.apply(&object);
        stage.sees(DEPLOYMENT, runs(replicas, image));
        stage.sees(OBJECT, ready);
    }
    let columns = stage.kubectl(&["get", "webservers"]);
    assert!(columns.starts_with("NAME ") && columns.contains("READY") && columns.contains(" True "), "{columns}");

    stage.delete(SERVICE);
    stage.comes_back(SERVICE, &service);
    stage.delete(DEPLOYMENT);
    stage.comes_back(DEPLOYMENT, &deployment);
    stage.patch(DEPLOYMENT, &json!({"spec": {"replicas": 7}}));
    stage.sees(DEPLOYMENT, runs(2, "nginx:1.23.0"));
    stage.patch(SERVICE, &json!({"spec": {"type": "ClusterIP"}}));
    stage.sees(SERVICE, |service| service["spec"]["ports"][0]["nodePort"] == 30010);
    stage.sees(OBJECT, ready);

    a_second_object_finds_the_port_taken(&stage);
    stage.outlives_restarts(SERVICE, |_| true);
    stage.leader_is_killed();
    stage.patch(OBJECT, &json!({"spec": {"replicas": 1}}));
    stage.sees(DEPLOYMENT, runs(1, "nginx:1.23.0"));

    stage.delete(OBJECT);
    for child in [DEPLOYMENT, SERVICE] {
        stage.gone(child);
    }
    stage.until("all pods go", || match stage.items("v1/pods/").len() {
        0 => Ok(()),
        left => Err(format!("{left} left")),
    });
}

/// Checks that the operator's account has the rights that the markers grant, and no others.
fn rights(stage: &Stage) {
    let role = std::fs::read_to_string(stage.root.join("config/rbac/role.yaml")).unwrap();
    let role: Value = serde_yaml::from_str(&role).unwrap();
    let listed = stage.kubectl(&["auth", "can-i", "--list", "--as", &stage.account()]);
    let rules = role["rules"].as_array().unwrap();
    assert_eq!(rules.len(), 6, "{role:#}");
    for rule in rules {
        let group = rule["apiGroups"][0].as_str().unwrap();
        let resource = rule["resources"][0].as_str().unwrap();
        let (plural, subresource) = resource.split_once('/').unwrap_or((resource, ""));
        let resource = [plural, group].join(".").trim_end_matches('.').to_owned();
        let resource = [resource.as_str(), subresource].join("/").trim_end_matches('/').to_owned();
        let verbs: Vec<_> = rule["verbs"].as_array().unwrap().iter().map(|verb| verb.as_str().unwrap()).collect();
        let line = listed.lines().find(|line| line.split_whitespace().next() == Some(&resource));
        let line = line.unwrap_or_else(|| panic!("{resource} is not listed:\n{listed}"));
        assert!(line.ends_with(&format!("[{}]", verbs.join(" "))), "{rule}: {line}");
    }
    let account = stage.account();
    for refused in [["delete", "services"], ["get", "secrets"], ["update", "webservers.my.domain"]] {
        let arguments = [&["auth", "can-i", "--as", &account][..], &refused].concat();
        assert_eq!(stage.try_kubectl(&arguments, "").stdout, b"no\n", "{refused:?}");
    }
}

/// Checks that opctl with `--as` has only the rights of that user, and with `--as-group` also those of the groups.
fn impersonation(stage: &Stage) {
    let install = |flags: &[&str]| stage.opctl(&[&["install", "--dry-run"][..], flags].concat());
    let account = stage.account();
    let refused = install(&["--as", &account]);
    let said = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(refused.status.code(), Some(5), "{said}");
    assert!(said.contains(&account), "{said}");
    let taken = install(&["--as", "somebody", "--as-group", "a-team", "--as-group", "system:masters"]);
    assert!(taken.status.success(), "{}", String::from_utf8(taken.stderr).unwrap());
    assert_eq!(install(&["--as-group", "system:masters"]).status.code(), Some(2));
    let run = stage.opctl(&["run", "--as", &account]);
    let said = String::from_utf8(run.stderr).unwrap();
    assert_eq!(run.status.code(), Some(5), "{said}");
    assert!(said.contains("opctl install") && said.contains(&account), "{said}");
}

fn a_second_object_finds_the_port_taken(stage: &Stage) {
    let mut second = sample(&stage.root);
    second["metadata"]["name"] = json!("second");
    let before = stage.settles();
    stage.apply(&second);
    let is_told = |object: &Value| {
        let condition = condition(object, "Ready");
        condition["reason"] == "ServiceRefused"
            && condition["message"].as_str().unwrap().contains("30010: provided port is already allocated")
    };
    stage.sees(SECOND, is_told);
    std::thread::sleep(Duration::from_secs(10));
    let since = stage.writes_since(before);
    let count = |resource: &str| since.iter().filter(|write| write.resource == resource).count();
    // Attempts come at once and after 1, 2 and 4 seconds. Each change of the Deployment's status causes another one.
    let services = count("services");
    println!("attempts within 10 s: {services}; other writes: {}", since.len() - services);
    assert!((4..=16).contains(&services), "{since:?}");
    assert!(since.iter().filter(|write| write.resource == "services").all(|write| write.code == 422), "{since:?}");
    assert_eq!(count("deployments"), 1, "{since:?}");
    assert_eq!(count("webservers/status"), 1, "the condition does not change: {since:?}");
    assert_eq!(since.len(), services + 2, "{since:?}");

    stage.delete(SECOND);
}
