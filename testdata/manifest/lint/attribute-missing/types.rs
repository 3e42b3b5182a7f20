#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", kind = "Foo")]
pub struct FooSpec {
}
