// The kind of a client's request shows in the type of its result, and the client in its own type.
use k8s_openapi::api::apps::v1::{Deployment, ReplicaSet, StatefulSet};
use k8s_openapi::api::core::v1::{ConfigMap, Namespace, Node, Pod, Secret, Service, ServiceAccount};
use kube::api::{Api, ObjectList, Patch};
use kube::{Client, client::scope};

struct Reader {
    kube: Client,
}

impl Reader {
    async fn account(&self) -> kube::Result<ServiceAccount> {
        self.kube.get("a", &scope::Namespace::from("a")).await
    }
}

async fn typed(client: Client) -> anyhow::Result<Secret> {
    let settings: ConfigMap = client.get("a", &scope::Namespace::from("a")).await?;
    let namespaces: ObjectList<Namespace> = client.list(&Default::default(), &scope::Cluster).await.context("a")?;
    let elsewhere: u8 = settings.get("a")?;
    Ok(client.get("a", &scope::Namespace::from("a")).await?)
}

async fn by_type(of_kube: &Client, http: reqwest::Client) -> anyhow::Result<()> {
    of_kube.get::<Node>("a", &scope::Cluster).await?;
    let other = Client::try_default().await?;
    other.list::<Service>(&Default::default(), &scope::Cluster).await?;
    http.get::<Deployment>("a");
    Ok(())
}

async fn subresources(client: Client, name: &str) -> anyhow::Result<()> {
    let pods: Api<Pod> = Api::all(client.clone());
    pods.create_subresource::<(), ()>("binding", "a", &Default::default(), Vec::new()).await?;
    pods.get_subresource("proxy", "a").await?;
    pods.get_subresource(name, "a").await?;
    Api::<ReplicaSet>::all(client.clone()).patch_subresource("scale", "a", &Default::default(), &Patch::Merge(())).await?;
    let sets: Api<StatefulSet> = Api::all(client);
    sets.replace_subresource("status", "a", &Default::default(), Vec::new()).await?;
    Ok(())
}
