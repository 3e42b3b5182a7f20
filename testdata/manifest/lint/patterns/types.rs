pub struct Inner {
    pub deep_name: String,
}

#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
pub struct FooSpec {
    pub good: String,
    /// Documented.
    #[schemars(regex(pattern = "^(?!a)b"))]
    pub ahead: String,
    #[serde(rename = "back")]
    pub backwards: String,
    pub many: String,
    pub flag: Option<String>,
    pub inner: Vec<Inner>,
}
