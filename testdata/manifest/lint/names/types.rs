#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "V1", kind = "Foo_Bar", plural = "Foos")]
#[kube(singular = "a foo", shortname = "f", shortname = "F", category = "1st")]
pub struct FooSpec {
}
