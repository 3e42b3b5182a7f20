#[derive(CustomResource, JsonSchema)]
#[kube(group = "g.example.com", version = "v1", kind = "Foo", plural = "foos", namespaced)]
#[kube(status = "FooStatus", shortname = "fo", category = "all", selectable = ".spec.color")]
#[kube(scale(spec_replicas_path = ".spec.replicas", status_replicas_path = ".status.replicas", label_selector_path = ".status.selector"))]
#[kube(printcolumn(name = "Ready", type_ = "string", json_path = ".status.conditions[?(@.type==\"Ready\")].status"))]
#[kube(printcolumn(name = "Any", type_ = "string", json_path = ".spec.any.thing"))]
#[kube(printcolumn(name = "First", type_ = "string", json_path = ".spec.colors[0]"))]
#[kube(printcolumn(name = "Age", type_ = "date", json_path = ".metadata.creationTimestamp"))]
#[kube(deprecated = "use v2")]
pub struct FooSpec {
}
