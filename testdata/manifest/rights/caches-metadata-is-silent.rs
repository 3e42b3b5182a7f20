use k8s_openapi::api::core::v1::{ConfigMap, Event, LimitRange, Node, Pod, Secret};

// +opctl:rbac:groups=core,resources=configmaps;events;limitranges;nodes;pods;secrets,verbs=get;list;watch
fn setup(manager: &mut Manager) {
    manager.add(
        Controller::namespaced("web", reconcile)
            .watches_metadata(Watch::<Secret>::new(), secrets)
            .watches_metadata(Watch::<Node>::new(), |_| Vec::new())
            .objects(Watch::<Pod>::new().metadata_only())
    );
}
