#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
#[kube(selectable = ".spec.f0", selectable = ".spec.f1", selectable = ".spec.f2", selectable = ".spec.f3", selectable = ".spec.f4", selectable = ".spec.f5", selectable = ".spec.f6", selectable = ".spec.f7", selectable = ".spec.f8")]
pub struct FooSpec {
}
