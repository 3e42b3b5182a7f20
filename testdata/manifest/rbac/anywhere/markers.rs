/// +opctl:rbac:groups=a,resources=doc,verbs=get
fn reconcile() {
    // +opctl:rbac:groups=a,resources=body,verbs=get
    let url = "// +opctl:rbac:groups=a,resources=string,verbs=get";
    /* // +opctl:rbac:groups=a,resources=block,verbs=get */
}
