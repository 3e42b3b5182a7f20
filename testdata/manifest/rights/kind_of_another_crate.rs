use certs::v1::Certificate;
use kube::{Api, Client};
use std::sync::Arc;

pub fn setup(manager: &mut Manager) {
    manager.add(Controller::namespaced(NAME, reconcile));
}

// +opctl:rbac:groups=certs.example.io,resources=certificates,verbs=list

pub async fn reconcile(obj: Arc<Certificate>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let api = Api::namespaced(ctx.client.clone(), "default");
    finalizer(&api, FINALIZER, obj, pass).await
}

async fn read(client: Client) {
    let certificates: Api<certs::v1::Certificate> = Api::all(client);
    certificates.get("a").await;
}
