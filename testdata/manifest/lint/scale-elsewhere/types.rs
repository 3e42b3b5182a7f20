#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
#[kube(status = "FooStatus", scale(spec_replicas_path = "spec.replicas", status_replicas_path = ".spec.replicas", label_selector_path = ".metadata.name"))]
pub struct FooSpec {
}
