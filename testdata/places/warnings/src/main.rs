use k8s_openapi::api::core::v1::{ConfigMap, PodSpec};
use k8s_openapi::api::core::v1::PodSchedulingGroup; //~ OP431

// +opctl:webhook:path=/validate-foo,mutating=false,failurePolicy=fail,sideEffects=None,groups=example.com,resources=pools,verbs=create,versions=v1,name=vfoo-v1.kb.io,admissionReviewVersions=v1
//~^ OP412
// +opctl:webhookconfiguration:mutating=true,name=one
//~^ OP415
// +opctl:rbac:groups=core,resources=secrets,verbs=create;list
//~^ OP407
// +opctl:allow:OP407 reason="users name the Secret in the spec"
// +opctl:rbac:groups=core,resources=secrets,verbs=get
fn main() {
    let maps: Api<ConfigMap> = Api::all(client);
    let _ = maps.list(&ListParams::default()); //~ OP421
    let pod = PodSpec { scheduling_group: None, ..PodSpec::default() }; //~ OP431
    pod.eviction_responders = None; //~ OP431
    // +opctl:allow:OP431 reason="this operator runs on Kubernetes 1.37 only"
    pod.eviction_responders = Some(responders);
    let cached = controller.watches::<ConfigMap>(settings); //~ OP422
}
