//! `kubectl auth can-i`, asked as the operator's account, agrees with each form of a marker about rights.

use crate::support::{Place, Plane, assert_same, edit, must, tool};
use serde_json::Value;
use std::path::Path;

const ACCOUNT: &str = "system:serviceaccount:project-system:project-controller-manager";

/// A marker that grants rights, and the requests that the test checks. Each request is a verb with a resource, a
/// namespace (`-` for none), and true if the marker must allow the request.
type Case = (&'static str, &'static [(&'static str, &'static str, bool)]);

const EVERYWHERE: &[Case] = &[
    (
        "+opctl:rbac:groups=apps,resources=deployments;statefulsets,verbs=get;list",
        &[
            ("get deployments.apps", "users", true),
            ("list statefulsets.apps", "project-system", true),
            ("delete deployments.apps", "project-system", false),
        ],
    ),
    (
        "+opctl:rbac:groups=core,resources=nodes;nodes/status,verbs=get",
        &[("get nodes", "-", true), ("get nodes --subresource=status", "-", true), ("list nodes", "-", false)],
    ),
    (
        "+opctl:rbac:groups=batch;autoscaling,resources=cronjobs;horizontalpodautoscalers,verbs=watch",
        &[
            ("watch cronjobs.batch", "users", true),
            ("watch horizontalpodautoscalers.autoscaling", "tools", true),
            ("get cronjobs.batch", "users", false),
        ],
    ),
    (
        "+opctl:rbac:groups=*,resources=*/scale,verbs=patch",
        &[("patch deployments.apps --subresource=scale", "users", true), ("patch deployments.apps", "users", false)],
    ),
    (
        "+opctl:rbac:urls=/metrics;/debug/*,verbs=get",
        &[("get /metrics", "-", true), ("get /debug/pprof", "-", true), ("get /logs", "-", false)],
    ),
    (
        "+opctl:rbac:groups=coordination.k8s.io,resources=leases,resourceNames=a;b,verbs=update,roleName=manager-role",
        &[
            ("update leases.coordination.k8s.io/b", "tools", true),
            ("update leases.coordination.k8s.io/c", "tools", false),
        ],
    ),
];

const IN_NAMESPACES: &[Case] = &[
    (
        "+opctl:rbac:groups=\"\",namespace=users,resources=secrets,verbs=get",
        &[("get secrets", "users", true), ("get secrets", "project-system", false), ("get secrets", "tools", false)],
    ),
    (
        "+opctl:rbac:groups=core,resources=configmaps,resourceNames=settings;more,verbs=get;update,namespace=tools",
        &[
            ("update configmaps/more", "tools", true),
            ("update configmaps/less", "tools", false),
            ("update configmaps/more", "users", false),
        ],
    ),
    (
        "+kubebuilder:rbac:groups=policy,resources=poddisruptionbudgets,verbs={get,delete},namespace=tools",
        &[
            ("delete poddisruptionbudgets.policy", "tools", true),
            ("delete poddisruptionbudgets.policy", "users", false),
        ],
    ),
    (
        "+opctl:rbac:groups=core,resources=pods;pods/log,verbs=get,namespace=users,roleName=manager-role",
        &[("get pods --subresource=log", "users", true), ("get pods --subresource=log", "tools", false)],
    ),
    (
        "+opctl:rbac:groups=batch,resources=jobs,verbs=*,namespace=system",
        &[("deletecollection jobs.batch", "project-system", true), ("get jobs.batch", "users", false)],
    ),
];

/// Markers with a `roleName`. Their role grants no right until the user binds it.
const NAMED: &[Case] = &[
    (
        "+opctl:rbac:groups=core,resources=services,verbs=list,roleName=service-reader",
        &[("list services", "users", false)],
    ),
    (
        "+opctl:rbac:groups=core,resources=services,verbs=get,namespace=kube-system,roleName=x:y",
        &[("get services", "kube-system", false)],
    ),
];

fn kubectl(plane: &Plane, root: &Path, arguments: &[&str]) -> std::process::Command {
    let mut kubectl = tool("kubectl");
    kubectl.args(arguments).current_dir(root).env("KUBECONFIG", &plane.kubeconfig);
    kubectl
}

fn can(plane: &Plane, root: &Path, request: &str, namespace: &str) -> bool {
    let mut words: Vec<&str> = ["auth", "can-i", "--quiet", "--as", ACCOUNT].to_vec();
    words.extend(request.split(' '));
    if namespace != "-" {
        words.extend(["--namespace", namespace]);
    }
    kubectl(plane, root, &words).output().unwrap().status.success()
}

fn write_markers(place: &Place, cases: &[&[Case]]) {
    let markers: String = cases.concat().iter().flat_map(|(marker, _)| ["// ", marker, "\n"]).collect();
    let text = std::fs::read_to_string(place.root().join("src/main.rs")).unwrap();
    let rest = text.split_once("// end of markers\n").map_or(text.as_str(), |(_, rest)| rest);
    std::fs::write(place.root().join("src/main.rs"), format!("{markers}// end of markers\n{rest}")).unwrap();
    place.ok(&["manifests"]);
}

#[test]
fn the_account_can_what_the_markers_say() {
    let place = Place::with_project();
    let root = place.root();
    for (namespaced, cases) in [(false, vec![EVERYWHERE, IN_NAMESPACES, NAMED]), (true, vec![IN_NAMESPACES, NAMED])] {
        let plane = Plane::start();
        for namespace in ["users", "tools"] {
            must(&mut kubectl(&plane, &root, &["create", "namespace", namespace]));
        }
        place.ok(&["edit", &format!("--namespaced={namespaced}")]);
        write_markers(&place, &cases);
        must(&mut kubectl(&plane, &root, &["apply", "--server-side", "--validate=strict", "-k", "config/default"]));
        let all = cases.concat();
        let requests = all.iter().flat_map(|(marker, requests)| requests.iter().map(move |request| (marker, request)));
        let differ: Vec<_> =
            requests.filter(|(_, (request, namespace, may))| can(&plane, &root, request, namespace) != *may).collect();
        assert!(differ.is_empty(), "namespaced: {namespaced}: {differ:#?}");
        must(&mut kubectl(&plane, &root, &["get", "role", "project-x:y", "--namespace", "kube-system"]));
    }
}

/// Checks that a bundle warns about roles for other namespaces. The bundle leaves these roles out, because OLM installs
/// all objects in one namespace.
#[test]
fn a_bundle_names_the_roles_of_other_namespaces_that_it_lacks() {
    let place = Place::with_project();
    write_markers(&place, &[IN_NAMESPACES]);
    let report = place.json(&["bundle", "--image", "registry.example.com/operator:1"]);
    let warned = report["warnings"].to_string();
    for name in ["role/project-manager-role-users", "rolebinding/project-manager-rolebinding-tools"] {
        assert!(warned.contains(&format!("{name} of the namespace")), "{warned}");
    }
    let version = place.root().join("bundle/manifests/project.clusterserviceversion.yaml");
    let version: Value = serde_yaml::from_str(&std::fs::read_to_string(version).unwrap()).unwrap();
    let granted = version["spec"]["install"]["spec"]["permissions"].to_string();
    assert!(granted.contains("jobs") && !granted.contains("poddisruptionbudgets"), "{granted}");
}

#[test]
fn roles_of_namespaces_come_and_go() {
    const FILE: &str = "config/default/role_namespaces.yaml";
    let place = Place::with_project();
    place.ok(&["manifests"]);
    let before = place.content();
    write_markers(&place, &[IN_NAMESPACES]);
    assert!(place.root().join(FILE).is_file());
    let with = place.content();
    place.ok(&["manifests", "--check"]);
    place.ok(&["manifests"]);
    assert_same(&with, &place.content(), "manifests again");
    place.ok(&["update", "--check"]);
    write_markers(&place, &[]);
    edit(&place.root().join("src/main.rs"), "// end of markers\n", "");
    assert_same(&before, &place.content(), "markers that went");
}
