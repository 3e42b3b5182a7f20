#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
#[kube(selectable = "spec.color", selectable = ".spec.colour", selectable = ".spec.colors", selectable = ".spec.color")]
#[kube(selectable = ".spec.color", selectable = ".metadata.name", selectable = ".spec.any.thing", selectable = ".spec.colors[0]")]
pub struct FooSpec {
}
