#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced, schema = "disabled")]
pub struct FooSpec {
}
