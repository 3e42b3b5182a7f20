#[derive(CustomResource, JsonSchema)]
#[kube(group = "foo.k8s.io", version = "v1", kind = "Foo")]
#[kube(annotation("api-approved.kubernetes.io", "unapproved, experimental"))]
pub struct FooSpec {
}
