#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
pub struct FooSpec {
    // +opctl:allow:OP151 reason="a webhook checks it"
    /// Names.
    #[schemars(x)]
    pub names: Vec<String>,
    pub other: Vec<String>,
}
