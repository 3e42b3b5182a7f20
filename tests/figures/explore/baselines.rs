//! Two other ways to find the bugs that explorations find: the test of `create api`, and kills at random times.

use super::{Operator, patches};
use crate::operators::Plane;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};
use tokio::time::sleep;

/// The number of rounds of kills for each operator. Each round has [`SHOPS`] Shops, so that all rounds together
/// have about as many Shops as an exploration with the default budget has runs.
const ROUNDS: usize = 5;
const SHOPS: usize = 20;
/// The time without changes after which the state counts as final. After [`LONG`], it is final in any case.
const REST: Duration = Duration::from_secs(4);
const LONG: Duration = Duration::from_secs(25);
const COLLECTIONS: [&str; 8] = [
    "apis/example.com/v1/shops",
    "apis/apps/v1/deployments",
    "apis/apps/v1/statefulsets",
    "apis/batch/v1/jobs",
    "api/v1/services",
    "api/v1/configmaps",
    "api/v1/secrets",
    "api/v1/persistentvolumeclaims",
];

/// Runs the generated test and the random kills on the plain operator and on each of its copies with a bug.
pub(crate) fn baselines() {
    println!("{:<32}{:>14}{:>14}", "operator", "its test", "random kills");
    let (mut tested, mut killed, patches) = (0, 0, patches());
    // The test is that of the plain operator.
    let patches: Vec<PathBuf> =
        patches.into_iter().filter(|patch| super::program(patch) == super::CORRECT[0]).collect();
    for patch in std::iter::once(None).chain(patches.iter().map(Some)) {
        let operator = Operator::build(super::CORRECT[0], patch.map(PathBuf::as_path));
        let stage = Stage::start(operator);
        let (by_test, by_kills) =
            stage.plane.runtime().block_on(async { (stage.fails_its_test().await, stage.differing().await) });
        let name = patch.map_or("no bug".into(), |patch| patch.file_stem().unwrap().to_string_lossy().into_owned());
        println!(
            "{name:<32}{:>14}{:>14}",
            if by_test { "fails" } else { "passes" },
            format!("{by_kills} of {}", ROUNDS * SHOPS)
        );
        if patch.is_some() {
            (tested, killed) = (tested + usize::from(by_test), killed + usize::from(by_kills > 0));
        }
    }
    println!("of {} bugs, {tested} found by the test and {killed} by random kills", patches.len());
}

/// An operator, and the control plane that only this operator uses.
struct Stage {
    operator: Operator,
    plane: Plane,
}

/// A running operator, which is killed when this value is dropped.
struct Process(Child);

impl Drop for Process {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// Returns a random time below `most`.
fn random(most: Duration) -> Duration {
    let number = RandomState::new().build_hasher().finish() % 1_000_000;
    most.mul_f64(f64::from(u32::try_from(number).unwrap()) / 1_000_000.0)
}

impl Stage {
    fn start(operator: Operator) -> Stage {
        let plane = Plane::start(&["--simulate-nodes"]);
        let crd = std::fs::read_to_string(operator.folder.path().join("crds/shops.yaml")).unwrap();
        plane.apply(&serde_yaml::from_str(&crd).unwrap());
        let stage = Stage { operator, plane };
        stage.plane.runtime().block_on(async {
            until(async || stage.send("GET", COLLECTIONS[0], &Value::Null).await).await.unwrap();
            stage.garbage_is_collected().await;
        });
        stage
    }

    /// Waits until the garbage collector knows the kind `Shop`. The garbage collector discovers new kinds every 30 s.
    async fn garbage_is_collected(&self) {
        self.create_shop("garbage").await;
        let shop = "apis/example.com/v1/namespaces/garbage/shops/corner";
        let uid = self.send("GET", shop, &Value::Null).await.unwrap()["metadata"]["uid"].clone();
        let owner = json!({ "apiVersion": "example.com/v1", "kind": "Shop", "name": "corner", "uid": uid });
        let child = json!({ "metadata": { "name": "child", "ownerReferences": [owner] } });
        self.send("POST", "api/v1/namespaces/garbage/configmaps", &child).await.unwrap();
        self.send("DELETE", shop, &Value::Null).await.unwrap();
        let child = "api/v1/namespaces/garbage/configmaps/child";
        until(async || self.send("GET", child, &Value::Null).await.is_none().then_some(())).await.unwrap();
    }

    fn run(&self) -> Process {
        let mut command = Command::new("./operator");
        command.current_dir(self.operator.folder.path()).env("KUBECONFIG", self.plane.kubeconfig());
        Process(command.stdout(Stdio::null()).stderr(Stdio::null()).spawn().unwrap())
    }

    /// Sends a request. Returns the response, or `None` if the request fails.
    async fn send(&self, method: &str, path: &str, body: &Value) -> Option<Value> {
        let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
        let kind = if method == "PATCH" { "application/merge-patch+json" } else { "application/json" };
        let request = http::Request::builder().method(method).uri(format!("/{path}")).header("content-type", kind);
        self.plane.client().request(request.body(body).unwrap()).await.ok()
    }

    async fn create_shop(&self, namespace: &str) {
        let spec = json!({ "replicas": 1, "image": "nginx", "port": 8080, "greeting": "Hello" });
        let shop =
            json!({ "apiVersion": "example.com/v1", "kind": "Shop", "metadata": { "name": "corner" }, "spec": spec });
        self.send("POST", "api/v1/namespaces", &json!({ "metadata": { "name": namespace } })).await.unwrap();
        self.send("POST", &format!("apis/example.com/v1/namespaces/{namespace}/shops"), &shop).await.unwrap();
    }

    /// Runs the steps of a generated test: children follow the spec and are restored, and the object becomes ready and
    /// is deleted. Returns true if a step fails.
    async fn fails_its_test(&self) -> bool {
        let _process = self.run();
        self.create_shop("test").await;
        let shop = "apis/example.com/v1/namespaces/test/shops/corner";
        let (deployment, service) =
            ("apis/apps/v1/namespaces/test/deployments/corner", "api/v1/namespaces/test/services/corner");
        let replicas = async |number: u64| {
            let get =
                async || self.send("GET", deployment, &Value::Null).await.filter(|it| it["spec"]["replicas"] == number);
            until(get).await.is_some()
        };
        let comes_back = async |path: &str| {
            let uid = self.send("GET", path, &Value::Null).await?["metadata"]["uid"].clone();
            self.send("DELETE", path, &Value::Null).await?;
            let again = async || self.send("GET", path, &Value::Null).await.filter(|it| it["metadata"]["uid"] != uid);
            until(again).await
        };
        let ready = async || {
            let shop = self.send("GET", shop, &Value::Null).await?;
            let conditions = shop["status"]["conditions"].as_array().cloned().unwrap_or_default();
            let is_ready = conditions.iter().any(|one| one["type"] == "Ready" && one["status"] == "True");
            (is_ready && shop["status"]["observedGeneration"] == shop["metadata"]["generation"]).then_some(())
        };
        let merge = async |path: &str, number: u64| {
            self.send("PATCH", path, &json!({ "spec": { "replicas": number } })).await.is_some()
        };
        let passes = replicas(1).await
            && merge(shop, 2).await
            && replicas(2).await
            && until(ready).await.is_some()
            && merge(deployment, 7).await
            && replicas(2).await
            && comes_back(deployment).await.is_some()
            && comes_back(service).await.is_some()
            && self.send("DELETE", shop, &Value::Null).await.is_some()
            && until(async || self.send("GET", shop, &Value::Null).await.is_none().then_some(())).await.is_some();
        !passes
    }

    /// Returns the number of Shops that end in another state if the operator is killed at a random time.
    async fn differing(&self) -> usize {
        let calm = self.round(&["calm-1".to_owned(), "calm-2".to_owned()], false).await;
        let known: BTreeSet<String> = calm[0].iter().filter(|one| calm[1].contains(one)).cloned().collect();
        let expected = masked(&calm[0], &known);
        let mut differing = 0;
        for round in 0..ROUNDS {
            let namespaces: Vec<String> = (0..SHOPS).map(|number| format!("round-{round}-{number}")).collect();
            let states = self.round(&namespaces, true).await;
            differing += states.iter().filter(|state| masked(state, &known) != expected).count();
        }
        differing
    }

    /// Creates Shops and deletes them again. If `kills` is true, kills the operator at a random time in each of these
    /// phases. Returns the objects of each namespace after the creation and after the deletion.
    async fn round(&self, namespaces: &[String], kills: bool) -> Vec<Vec<String>> {
        let mut process = self.run();
        let mut states = vec![Vec::new(); namespaces.len()];
        for deletes in [false, true] {
            let act = async |namespace: &String| {
                sleep(random(Duration::from_secs(1))).await;
                if deletes {
                    let path = format!("apis/example.com/v1/namespaces/{namespace}/shops/corner");
                    self.send("DELETE", &path, &Value::Null).await;
                } else {
                    self.create_shop(namespace).await;
                }
            };
            let acts = futures_util::future::join_all(namespaces.iter().map(act));
            let kill = async {
                sleep(random(Duration::from_secs(2))).await;
                if kills {
                    let _ = process.0.kill();
                    process = self.run();
                }
            };
            tokio::join!(acts, kill);
            let rest = self.rest().await;
            for (namespace, state) in namespaces.iter().zip(&mut states) {
                let own = rest.iter().filter(|(of, _)| of == namespace);
                state.extend(own.map(|(_, object)| format!("{deletes} {object}")));
            }
        }
        states
    }

    /// Waits until nothing changes any more, and returns the [`state`](Self::state) of all objects.
    async fn rest(&self) -> Vec<(String, String)> {
        let (begun, mut since, mut state) = (Instant::now(), Instant::now(), Vec::new());
        while since.elapsed() < REST && begun.elapsed() < LONG {
            sleep(Duration::from_millis(250)).await;
            let now = self.state().await;
            if now != state {
                (since, state) = (Instant::now(), now);
            }
        }
        state
    }

    /// Returns each object's namespace, and a line with its collection, its name and the fields that the operator sets.
    async fn state(&self) -> Vec<(String, String)> {
        let mut state = Vec::new();
        for collection in COLLECTIONS {
            let list = self.send("GET", collection, &Value::Null).await.unwrap_or_default();
            for object in list["items"].as_array().into_iter().flatten() {
                let (metadata, spec) = (&object["metadata"], &object["spec"]);
                let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
                let (namespace, name) = (text(&metadata["namespace"]), text(&metadata["name"]));
                let decided = [
                    &spec["replicas"],
                    &spec["template"]["spec"]["containers"][0]["image"],
                    &spec["ports"][0]["port"],
                    &object["data"],
                    &object["status"]["phase"],
                    &metadata["labels"],
                ];
                if name != "kube-root-ca.crt" {
                    state.push((namespace, format!("{collection} {name} {}", json!(decided))));
                }
            }
        }
        state.sort();
        state
    }
}

/// Replaces each line that is not in `known` by the collection of its object. `known` has the lines that all
/// undisturbed namespaces share, so it lacks objects with a random name.
fn masked(state: &[String], known: &BTreeSet<String>) -> Vec<String> {
    let mask = |line: &String| {
        if known.contains(line) { line.clone() } else { line.split(' ').take(2).collect::<Vec<_>>().join(" ") }
    };
    let mut masked: Vec<String> = state.iter().map(mask).collect();
    masked.sort();
    masked
}

/// Calls `ask` until it returns a value. Returns `None` if this takes longer than a minute.
async fn until<T>(mut ask: impl AsyncFnMut() -> Option<T>) -> Option<T> {
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(60) {
        if let Some(found) = ask().await {
            return Some(found);
        }
        sleep(Duration::from_millis(100)).await;
    }
    None
}
