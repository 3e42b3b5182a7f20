#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Kooooooooooooooooooooooooooooooooooooooooooooooooooooooooooo", plural = "kos", namespaced)]
pub struct KoSpec {
}
