#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
pub struct FooSpec {
    pub good: i32,
    pub text: i32,
    pub mode: Mode,
}
