#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
pub struct FooSpec {
    /// Names.
    // +opctl:allow:OP153 reason="no"
    #[schemars(x)]
    pub names: Vec<String>,
    pub other: Vec<String>,
}
