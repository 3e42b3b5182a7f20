#[derive(CustomResource, JsonSchema)]
#[kube(group = "example", version = "v1", kind = "Foo")]
pub struct FooSpec {
}
