//! API servers whose responses do not end.

use super::bounded::ended;
use crate::support::{Place, tool};
use serde_json::json;
use std::fs;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};

const HEAD: &str = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n";

/// The kinds of responses of a server.
#[derive(Clone, Copy)]
enum Answer {
    Endless(&'static str),
    Deep,
    LogOfOneLine,
}

/// Starts an API server that sends `answer`, and writes a kubeconfig for it into the project.
fn serve(place: &Place, answer: Answer) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    std::thread::spawn(move || {
        for stream in listener.incoming().map_while(Result::ok) {
            std::thread::spawn(move || answered(stream, answer));
        }
    });
    let kubeconfig = json!({
        "current-context": "a", "contexts": [{"name": "a", "context": {"cluster": "a", "user": "a"}}],
        "clusters": [{"name": "a", "cluster": {"server": address}}], "users": [{"name": "a", "user": {}}],
    });
    fs::write(place.root().join("kubeconfig"), kubeconfig.to_string()).unwrap();
}

fn answered(mut stream: TcpStream, answer: Answer) {
    let mut lines = BufReader::new(stream.try_clone().unwrap()).lines();
    let Some(Ok(request)) = lines.next() else { return };
    while lines.next().is_some_and(|line| line.is_ok_and(|line| !line.is_empty())) {}
    let _ = stream.write_all(HEAD.as_bytes());
    match answer {
        Answer::Endless(begin) => {
            let _ = stream.write_all(begin.as_bytes());
            let part = "0,".repeat(32_000);
            while stream.write_all(part.as_bytes()).is_ok() {}
        }
        Answer::Deep => {
            let _ = stream.write_all("[".repeat(10_000_000).as_bytes());
        }
        Answer::LogOfOneLine if request.contains("/log") => {
            let part = "x".repeat(1 << 20);
            for _ in 0..300 {
                if stream.write_all(part.as_bytes()).is_err() {
                    return;
                }
            }
        }
        Answer::LogOfOneLine => {
            let _ = stream.write_all(object(&request).as_bytes());
        }
    }
}

/// Returns the response to a request for the operator's Deployment or its pods, as JSON.
fn object(request: &str) -> String {
    let labels = json!({"app": "a"});
    let containers = json!([{"name": "manager", "image": "a"}]);
    let template = json!({"metadata": {"labels": labels}, "spec": {"containers": containers}});
    if request.contains("/pods") {
        let pod = json!({"metadata": {"name": "one", "labels": labels}, "spec": {"containers": containers}});
        return json!({"apiVersion": "v1", "kind": "PodList", "metadata": {}, "items": [pod]}).to_string();
    }
    let deployment = json!({
        "apiVersion": "apps/v1", "kind": "Deployment", "metadata": {"name": "project-controller-manager", "namespace": "a"},
        "spec": {"selector": {"matchLabels": labels}, "template": template},
    });
    let is_list = request.contains("/deployments?") || request.contains("/deployments ");
    let list = |item: &serde_json::Value| json!({"apiVersion": "apps/v1", "kind": "DeploymentList", "metadata": {}, "items": [item]});
    if is_list { list(&deployment) } else { deployment }.to_string()
}

fn project() -> Place {
    let place = Place::with_project();
    place.ok(&["create", "api", "--kind", "WebServer"]);
    place
}

#[test]
fn an_answer_without_an_end_is_refused() {
    let place = project();
    for answer in [Answer::Endless("["), Answer::Endless(r#"{"items":["#), Answer::Deep] {
        serve(&place, answer);
        for words in [&["status", "--kubeconfig", "kubeconfig"][..], &["logs", "--kubeconfig", "kubeconfig"]] {
            let (code, said) = ended(&place.command(words));
            assert_eq!(code, Some(5), "{words:?}: {said}");
            if matches!(answer, Answer::Endless(_)) {
                assert!(
                    said.contains("of context `a` does not respond like a Kubernetes API server"),
                    "{words:?}: {said}"
                );
                assert!(said.contains("caused by: the answer is larger than 100 MiB"), "{words:?}: {said}");
                assert!(said.contains("hint: kubectl get --raw /version"), "{words:?}: {said}");
            }
        }
    }
}

#[test]
fn a_log_of_one_line_is_handed_on() {
    let place = project();
    serve(&place, Answer::LogOfOneLine);
    // 300 MB go through; the memory is far less.
    let command = place.command(&["logs", "--kubeconfig", "kubeconfig", "--timeout", "60"]);
    let mut limited = tool("/bin/sh");
    limited.args(["-c", "ulimit -v 1000000; \"$@\" | wc -c >size", "sh"]).arg(command.get_program());
    limited.args(command.get_args()).current_dir(place.root());
    limited.envs(command.get_envs().filter_map(|(name, value)| Some((name, value?))));
    let output = limited.output().unwrap();
    let size: u64 = fs::read_to_string(place.root().join("size")).unwrap().trim().parse().unwrap();
    // A line end follows each part.
    assert!(size > 300 << 20, "{size}: {}", crate::support::text(&output.stderr));
}
