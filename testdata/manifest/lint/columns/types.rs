#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
#[kube(printcolumn(name = "A", type_ = "int", json_path = ".spec.replicas"))]
#[kube(printcolumn(name = "B", type_ = "string", json_path = "spec.color"))]
#[kube(
    printcolumn(name = "C", type_ = "string", json_path = ".spec.colour"),
    printcolumn(name = "D", type_ = "string", json_path = ".spec.colors.x"),
    printcolumn(name = "E", type_ = "integer", format = "int16", json_path = ".spec.replicas")
)]
#[kube(printcolumn(name = "F", type_ = "string", json_path = ".status.phase"))]
#[kube(printcolumn(name = "G", type_ = "integer", json_path = ".spec.color"))]
#[kube(printcolumn(name = "H", type_ = "string", json_path = ".spec.colors[0"))]
pub struct FooSpec {
}
