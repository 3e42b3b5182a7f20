// +opctl:rbac:groups=apps,resource=deployments,verbs=get
//~^ OP401
// +opctl:rbac:groups=core,resources=nodes,verbs=get
//~^ OP406
// +opctl:rbac:groups=core,resources=configmaps,verbs=get,namespace=one,roleName=reader
// +opctl:rbac:groups=core,resources=configmaps,verbs=get,namespace=two,roleName=reader
//~^ OP408
// +opctl:rback:groups=apps,resources=deployments,verbs=get
//~^ OP405
// +opctl:webhook:path=/validate-example-com-v1-foo,mutating=yes,failurePolicy=fail,sideEffects=None,groups=example.com,resources=foos,verbs=create,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1
//~^ OP411
// +opctl:webhook:path=/validate-example-com-v1-foo,mutating=false,failurePolicy=fail,sideEffects=None,groups=example.com,resources=foos,verbs=create,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1
// +opctl:webhook:path=/validate-example-com-v1-bar,mutating=false,failurePolicy=fail,sideEffects=None,groups=example.com,resources=bars,verbs=create,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1
//~^ OP413
// +opctl:webhookconfiguration:mutating=false,name=one
// +opctl:webhookconfiguration:mutating=false,name=two
//~^ OP414
// +opctl:allow:OP421
//~^ OP402
// +opctl:allow:OP102 reason="we like tuples"
//~^ OP403
fn main() {}
