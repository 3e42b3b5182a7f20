#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
#[kube(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas"))]
pub struct FooSpec {
}
