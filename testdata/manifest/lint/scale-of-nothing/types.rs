#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
#[kube(status = "FooStatus", scale(spec_replicas_path = ".spec.color", status_replicas_path = ".status.replica"))]
pub struct FooSpec {
}
