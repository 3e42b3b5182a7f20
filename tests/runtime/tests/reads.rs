//! A reconciler that reads one Secret by its name, with no other right to Secrets, on a real API server.

use clap::Parser;
use k8s_openapi::api::authentication::v1::{TokenRequest, TokenRequestSpec};
use k8s_openapi::api::core::v1::{ConfigMap, Secret, ServiceAccount};
use k8s_openapi::api::rbac::v1::{Role, RoleBinding};
use kube::api::{Api, ObjectMeta, PostParams};
use kube::{Client, Config, ResourceExt};
use runtime::{Action, CancellationToken, Context, Controller, Manager, testing};
use serde_json::{Value, json};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc::{UnboundedSender, unbounded_channel};

const NAMESPACE: &str = "default";
const ACCOUNT: &str = "reader";

/// Sends the value in the Secret `password`, and the error for a Secret that the role does not name.
async fn reconcile(map: Arc<ConfigMap>, ctx: Arc<Context<UnboundedSender<String>>>) -> anyhow::Result<Action> {
    let granted = ctx.get::<Secret>(&*map, "password").await?;
    let granted = granted.map(|secret| secret.data.unwrap_or_default().remove("pin").unwrap_or_default().0);
    let refused = ctx.get::<Secret>(&*map, "other").await.map(drop);
    ctx.state.send(format!("{granted:?}, {:#}", refused.unwrap_err())).unwrap();
    Ok(Action::requeue(Duration::from_millis(100)))
}

#[derive(Parser)]
struct Flags {
    #[command(flatten)]
    options: runtime::Options,
}

/// Returns a configuration with the rights of an account that may read one Secret.
async fn reader(client: &Client) -> Config {
    let about = json!({ "name": ACCOUNT });
    let account = serde_json::from_value(json!({ "metadata": about })).unwrap();
    let role = json!({
        "metadata": about,
        "rules": [
            { "apiGroups": [""], "resources": ["configmaps"], "verbs": ["list", "watch"] },
            { "apiGroups": [""], "resources": ["secrets"], "resourceNames": ["password"], "verbs": ["get"] },
        ],
    });
    let binding = json!({
        "metadata": about,
        "roleRef": { "apiGroup": "rbac.authorization.k8s.io", "kind": "Role", "name": ACCOUNT },
        "subjects": [{ "kind": "ServiceAccount", "name": ACCOUNT, "namespace": NAMESPACE }],
    });
    let post = PostParams::default();
    let accounts: Api<ServiceAccount> = Api::namespaced(client.clone(), NAMESPACE);
    accounts.create(&post, &account).await.unwrap();
    let roles: Api<Role> = Api::namespaced(client.clone(), NAMESPACE);
    roles.create(&post, &serde_json::from_value(role).unwrap()).await.unwrap();
    let bindings: Api<RoleBinding> = Api::namespaced(client.clone(), NAMESPACE);
    bindings.create(&post, &serde_json::from_value(binding).unwrap()).await.unwrap();
    let request = TokenRequest { spec: Some(TokenRequestSpec::default()), ..TokenRequest::default() };
    let token = accounts.create_token_request(ACCOUNT, &post, &request).await.unwrap();
    let mut config = Config::infer().await.unwrap();
    config.auth_info = kube::config::AuthInfo {
        token: token.status.and_then(|status| status.token).map(Into::into),
        ..Default::default()
    };
    config
}

#[tokio::test]
#[ignore = "it needs the control plane that KUBECONFIG names"]
async fn a_secret_is_read_with_the_right_to_it_alone() {
    let client = Client::try_default().await.unwrap();
    let config = reader(&client).await;
    let flags = ["operator", "--health-probe-bind-address=0", "--watch-namespace", NAMESPACE];
    let (options, stop) = (Flags::parse_from(flags).options, CancellationToken::new());
    let mut manager = Manager::new("reader", options, config, stop.clone()).unwrap();
    let (said, mut saw) = unbounded_channel();
    manager.add_with(said, Controller::namespaced("map", reconcile).reads::<Secret>());
    let running = tokio::spawn(async move { manager.run().await });

    let (maps, secrets) = (Api::namespaced(client.clone(), NAMESPACE), Api::namespaced(client, NAMESPACE));
    let metadata = |name: &str| ObjectMeta { name: Some(name.to_owned()), ..ObjectMeta::default() };
    let map = ConfigMap { metadata: metadata("wanted"), ..ConfigMap::default() };
    maps.create(&PostParams::default(), &map).await.unwrap();
    let refused = "cannot get resource \"secrets\"";
    let mut next = async || tokio::time::timeout(Duration::from_secs(30), saw.recv()).await.unwrap().unwrap();
    let first = next().await;
    assert!(first.starts_with("None, ") && first.contains(refused) && first.contains("\"other\""), "{first}");

    // No watch: the next pass asks the API server, and sees what is there by then.
    let secret: Value = json!({ "metadata": metadata("password"), "stringData": { "pin": "4711" } });
    let secret: Secret = serde_json::from_value(secret).unwrap();
    let created = secrets.create(&PostParams::default(), &secret).await.unwrap();
    assert_eq!(created.name_any(), "password");
    testing::until("the Secret is read", async || next().await.starts_with("Some([52, 55, 49, 49]), ").then_some(()))
        .await;
    stop.cancel();
    running.await.unwrap().unwrap();
}
