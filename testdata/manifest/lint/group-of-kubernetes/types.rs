#[derive(CustomResource, JsonSchema)]
#[kube(group = "foo.k8s.io", version = "v1", kind = "Foo")]
pub struct FooSpec {
}
