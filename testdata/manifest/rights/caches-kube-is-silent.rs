use k8s_openapi::api::core::v1::{ConfigMap, Event, LimitRange, Node, Pod, Secret};

// +opctl:rbac:groups=core,resources=configmaps;events;limitranges;nodes;pods;secrets,verbs=get;list;watch
fn setup(client: Client) {
    Controller::new(Api::<LimitRange>::all(client.clone()), watcher::Config::default())
        .watches(Api::<Secret>::all(client), watcher::Config::default(), |secret| None);
}
