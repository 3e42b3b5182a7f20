//! An operator that works in a namespace of its own, for one test.
use clap::Parser;
use k8s_openapi::api::core::v1::Namespace;
use kube::api::{Api, DeleteParams, ObjectMeta, PostParams};
use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config, ResourceExt};
use std::env;
use std::time::Duration;
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep};
use tokio_util::sync::CancellationToken;

use webwriter_operator::runtime::manager::{Manager, Options};

#[derive(Parser)]
struct Args {
    #[command(flatten)]
    manager: Options,
}

pub struct Operator {
    /// An administrator's. The operator itself has the rights of config/rbac/role.yaml.
    pub client: Client,
    pub namespace: String,
    stop: CancellationToken,
    task: JoinHandle<anyhow::Result<()>>,
}

impl Operator {
    pub async fn start(setup: fn(&mut Manager)) -> Self {
        let admin = config("OPCTL_TEST_KUBECONFIG").await;
        let client = Client::try_from(admin).unwrap();
        let metadata = ObjectMeta {
            generate_name: Some("test-".into()),
            ..Default::default()
        };
        let namespace = Namespace {
            metadata,
            ..Default::default()
        };
        let namespaces: Api<Namespace> = Api::all(client.clone());
        let namespace = namespaces.create(&PostParams::default(), &namespace).await;
        let namespace = namespace.unwrap().name_any();

        let flags = [
            "operator",
            "--health-probe-bind-address=0",
            "--watch-namespace",
            &namespace,
        ];
        let (options, stop) = (Args::parse_from(flags).manager, CancellationToken::new());
        let operator = config("OPCTL_TEST_OPERATOR_KUBECONFIG").await;
        let mut manager = Manager::new(options, operator, stop.clone()).unwrap();
        setup(&mut manager);
        let task = tokio::spawn(async move { manager.run().await });
        Self {
            client,
            namespace,
            stop,
            task,
        }
    }

    pub async fn stop(self) {
        self.stop.cancel();
        self.task.await.unwrap().unwrap();
        let namespaces: Api<Namespace> = Api::all(self.client);
        namespaces
            .delete(&self.namespace, &DeleteParams::default())
            .await
            .unwrap();
    }
}

async fn config(variable: &str) -> Config {
    let path = env::var(variable).unwrap_or_else(|_| panic!("{variable} is not set: opctl test"));
    let kubeconfig = Kubeconfig::read_from(path).unwrap();
    let options = KubeConfigOptions::default();
    Config::from_custom_kubeconfig(kubeconfig, &options)
        .await
        .unwrap()
}

/// Looks again and again until there is something to see.
pub async fn until<T>(what: &str, mut look: impl AsyncFnMut() -> Option<T>) -> T {
    let start = Instant::now();
    loop {
        if let Some(seen) = look().await {
            return seen;
        }
        assert!(
            start.elapsed() < Duration::from_secs(20),
            "waited in vain: {what}"
        );
        sleep(Duration::from_millis(50)).await;
    }
}
