//! Runs a controller in a separate namespace, for a single test.

use crate::controller::{Controller, Untyped};
use crate::manager::{Manager, Options};
use crate::metrics::Metrics;
use crate::object::Object;
use crate::telemetry::init_for_tests;
use crate::tls::choose_cryptography;
use clap::Parser;
use k8s_openapi::NamespaceResourceScope;
use k8s_openapi::api::authorization::v1::{SelfSubjectRulesReview, SelfSubjectRulesReviewSpec};
use k8s_openapi::api::core::v1::Namespace;
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::{Api, DeleteParams, ListParams, ObjectMeta, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config, Resource, ResourceExt};
use serde::{Serialize, de::DeserializeOwned};
use std::collections::BTreeSet;
use std::env;
use std::fmt::Debug;
use std::sync::Arc;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

/// The longest time for which a test waits for an expected change.
const PATIENCE: Duration = Duration::from_secs(20);

/// An operator with one controller, on the API server of `opctl test`. The operator watches a
/// namespace that no other test uses. Its log is shown if the test fails;
/// `RUST_LOG=debug opctl test` shows more.
///
/// ```no_run
/// use k8s_openapi::api::core::v1::{ConfigMap, Pod, Secret};
/// use kube::api::{Api, PostParams};
/// use runtime::testing::{Operator, comes_back, is_kept, is_made_once, until};
/// use runtime::{Action, Context, Controller};
/// use std::sync::Arc;
/// # async fn reconcile(_: Arc<Pod>, _: Arc<Context>) -> anyhow::Result<Action> {
/// #     Ok(Action::done())
/// # }
///
/// #[tokio::test]
/// async fn a_pod_gets_a_map() {
///     let controller = Controller::namespaced("pod", reconcile).owns::<ConfigMap>();
///     // With state: `Operator::start_with(name, state, controller)`.
///     let operator = Operator::start(env!("CARGO_PKG_NAME"), controller).await;
///     let pods: Api<Pod> = Api::namespaced(operator.client.clone(), &operator.namespace);
///     let maps: Api<ConfigMap> = Api::namespaced(operator.client.clone(), &operator.namespace);
///     pods.create(&PostParams::default(), &Pod::default()).await.unwrap();
///     until("a map", async || maps.get_opt("web").await.unwrap()).await;
///     is_kept(&maps, "web").await;
///     comes_back(&maps, "web").await;
///     let secrets = Api::namespaced(operator.client.clone(), &operator.namespace);
///     is_made_once::<Secret>(&secrets, "web").await;
///     operator.stop().await;
/// }
/// ```
pub struct Operator {
    /// A client with the rights of an administrator. The operator itself has the rights of
    /// config/rbac/role.yaml.
    pub client: Client,
    /// The namespace that the operator watches.
    pub namespace: String,
    stop: CancellationToken,
    metrics: Arc<Metrics>,
    task: JoinHandle<anyhow::Result<()>>,
}

impl Operator {
    /// Starts an operator with this controller. `name` is the name of the package:
    /// `env!("CARGO_PKG_NAME")`.
    ///
    /// # Panics
    /// Panics if the test is not run by `opctl test`, or if the API server refuses a request.
    pub fn start<K: Object>(
        name: &'static str,
        controller: Controller<K>,
    ) -> impl Future<Output = Self> {
        Self::start_with(name, (), controller)
    }

    /// Starts an operator like [`Operator::start`], for a controller with its own state.
    ///
    /// # Panics
    /// Panics if the test is not run by `opctl test`, or if the API server refuses a request.
    pub fn start_with<K: Object, S>(
        name: &'static str,
        state: impl Into<Arc<S>>,
        controller: Controller<K, S>,
    ) -> impl Future<Output = Self>
    where
        S: Send + Sync + 'static,
    {
        Self::run(name, controller.with_state(state.into()))
    }

    /// Runs the controller, in a function that is not generic, so that it is compiled only once.
    async fn run(name: &'static str, controller: Untyped) -> Self {
        init_for_tests();
        let (client, namespace) = namespace().await;
        let operator = config("OPCTL_TEST_OPERATOR_KUBECONFIG").await;
        let own = &operator.default_namespace;
        copy::<Role>(&client, own, &namespace).await;
        copy::<RoleBinding>(&client, own, &namespace).await;
        let as_operator = Client::try_from(operator.clone()).unwrap();
        let rights_in_own = rights(&as_operator, own).await;
        // The API server learns of roles by a watch.
        until("the operator's rights", async || {
            (rights(&as_operator, &namespace).await == rights_in_own).then_some(())
        })
        .await;
        let flags = [
            name,
            "--health-probe-bind-address=0",
            "--watch-namespace",
            &namespace,
        ];
        let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
        let mut manager = Manager::new(name, options, operator, stop.clone()).unwrap();
        manager.push(controller);
        let metrics = manager.shared.metrics.clone();
        let task = tokio::spawn(async move { manager.run().await });
        Self {
            client,
            namespace,
            stop,
            metrics,
            task,
        }
    }

    /// Stops the operator, and deletes its namespace.
    ///
    /// # Panics
    /// Panics if the operator has failed or lacks the right to read a watched kind, or if the API
    /// server refuses a request.
    pub async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap().unwrap();
        // An operator that may list but not watch would list again and again, and the test would
        // pass.
        let metrics = self.metrics.encode().unwrap();
        let of_reads = metrics
            .lines()
            .filter(|line| line.contains("method=\"GET\""));
        let refused = of_reads
            .filter(|line| line.contains("code=\"403\""))
            .count();
        assert_eq!(
            refused, 0,
            "the operator is not allowed to read all resources that it watches"
        );
        let namespaces: Api<Namespace> = Api::all(self.client);
        let params = DeleteParams::default();
        namespaces.delete(&self.namespace, &params).await.unwrap();
    }
}

/// Makes a namespace that no other test uses, for a test without a controller. The client has the
/// rights of an administrator.
///
/// ```no_run
/// use k8s_openapi::api::core::v1::ConfigMap;
/// use kube::api::{Api, PostParams};
/// use runtime::testing;
///
/// #[tokio::test]
/// async fn a_map_is_stored() {
///     let (client, namespace) = testing::namespace().await;
///     let maps: Api<ConfigMap> = Api::namespaced(client, &namespace);
///     let mut map = ConfigMap::default();
///     map.metadata.name = Some("sample".into());
///     maps.create(&PostParams::default(), &map).await.unwrap();
/// }
/// ```
///
/// # Panics
/// Panics if the test is not run by `opctl test`, or if the API server refuses a request.
pub async fn namespace() -> (Client, String) {
    let admin = config("OPCTL_TEST_KUBECONFIG").await;
    let client = Client::try_from(admin).unwrap();
    let mut namespace = Namespace::default();
    namespace.metadata.generate_name = Some("test-".into());
    let namespaces: Api<Namespace> = Api::all(client.clone());
    let namespace = namespaces.create(&PostParams::default(), &namespace).await;
    (client, namespace.unwrap().name_any())
}

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: Options,
}

/// Copies roles or role bindings from one namespace to another, so that the operator has the same
/// rights in both.
async fn copy<K>(client: &Client, from: &str, to: &str)
where
    K: Resource<DynamicType = (), Scope = NamespaceResourceScope>,
    K: Clone + Debug + DeserializeOwned + Serialize,
{
    let copies: Api<K> = Api::namespaced(client.clone(), to);
    let originals: Api<K> = Api::namespaced(client.clone(), from);
    for mut object in originals.list(&ListParams::default()).await.unwrap() {
        let name = object.meta_mut().name.take();
        *object.meta_mut() = ObjectMeta {
            name,
            ..ObjectMeta::default()
        };
        copies
            .create(&PostParams::default(), &object)
            .await
            .unwrap();
    }
}

/// Returns the rights that the user of `client` has in a namespace, as the rules of roles.
async fn rights(client: &Client, namespace: &str) -> BTreeSet<String> {
    let review = SelfSubjectRulesReview {
        spec: SelfSubjectRulesReviewSpec {
            namespace: Some(namespace.to_owned()),
        },
        ..SelfSubjectRulesReview::default()
    };
    let reviews: Api<SelfSubjectRulesReview> = Api::all(client.clone());
    let reviewed = reviews.create(&PostParams::default(), &review).await;
    let rules = reviewed.unwrap().status.unwrap_or_default().resource_rules;
    let rules = rules.iter().map(serde_json::to_string);
    rules.collect::<Result<_, _>>().unwrap()
}

async fn config(variable: &str) -> Config {
    choose_cryptography();
    let path = env::var(variable)
        .unwrap_or_else(|_| panic!("{variable} is not set: run the tests with `opctl test`"));
    let kubeconfig = Kubeconfig::read_from(path).unwrap();
    let options = KubeConfigOptions::default();
    let config = Config::from_custom_kubeconfig(kubeconfig, &options);
    config.await.unwrap()
}

/// Calls `look` repeatedly, for up to 20 seconds, until `look` returns a value. Returns this value.
///
/// # Panics
/// Panics if `look` returns no value within this time. The message contains `what`.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(
            start.elapsed() < PATIENCE,
            "timed out while waiting for: {what}"
        );
        sleep(Duration::from_millis(50)).await;
    }
}
