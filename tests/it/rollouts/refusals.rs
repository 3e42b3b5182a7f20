//! Reasons why an operator does not run: a quota, a missing right, an admission policy, and another owner of its names.

use super::lane::{Lane, TIMEOUT};
use crate::support::Plane;
use std::time::Duration;

const POLICY: &str = "\
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: {name}}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: ['*'], apiVersions: ['*'], operations: [CREATE, UPDATE], resources: [{resource}]}
  validations:
  - {expression: 'false', message: not on a Friday}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: {name}}
spec:
  policyName: {name}
  validationActions: [Deny]
  matchResources:
    namespaceSelector: {matchLabels: {kubernetes.io/metadata.name: {namespace}}}
";

const TAKEN: &str = "\
apiVersion: apps/v1
kind: Deployment
metadata: {name: {name}, namespace: {namespace}{owner}}
spec:
  selector: {matchLabels: {app: theirs}}
  template:
    metadata: {labels: {app: theirs}}
    spec: {containers: [{name: theirs, image: theirs}]}
";

const OWNER: &str =
    ", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: theirs, uid: {uid}, controller: true}]";

/// A case: its name, the setup before the deploy, and the exit code and the texts that the deploy must give.
type Scene = (&'static str, fn(&mut Lane), i32, &'static [&'static str]);

const SCENES: &[Scene] = &[
    (
        "quota-of-pods",
        |lane| quota(lane, "pods"),
        5,
        &[
            "does not run",
            "a quota of the namespace refuses its pods",
            "exceeded quota: few",
            "describe resourcequota --namespace quota-of-pods",
        ],
    ),
    (
        "quota-of-deployments",
        |lane| quota(lane, "count/deployments.apps"),
        5,
        &[
            "a quota of the namespace refuses `quota-of-deployments-controller-manager`",
            "describe resourcequota --namespace quota-of-deployments",
        ],
    ),
    (
        "quota-of-sets",
        |lane| quota(lane, "count/replicasets.apps"),
        5,
        &["does not run", "a quota of the namespace refuses its pods", "exceeded quota: few"],
    ),
    (
        "pod-security",
        |lane| lane.edit("        runAsNonRoot: true\n", "        runAsUser: 0\n"),
        5,
        &[
            "does not run",
            "the pod security level of the namespace refuses its pods",
            "violates PodSecurity",
            "get namespace pod-security --show-labels",
        ],
    ),
    (
        "policy-on-pods",
        |lane| policy(lane, "pods"),
        5,
        &[
            "does not run",
            "the admission policy `policy-on-pods` refuses its pods",
            "not on a Friday",
            "describe validatingadmissionpolicy policy-on-pods",
        ],
    ),
    (
        "policy-on-deployments",
        |lane| policy(lane, "deployments"),
        5,
        &[
            "the admission policy `policy-on-deployments` refuses `policy-on-deployments-controller-manager`",
            "not on a Friday",
        ],
    ),
    (
        "no-right",
        |lane| lane.act_as("nobody"),
        5,
        &["you may not get configmaps", "auth can-i get configmaps --namespace no-right"],
    ),
    (
        "namespace-admin",
        |lane| {
            let role = ["create", "rolebinding", "jane", "--clusterrole=admin", "--user=jane", "--namespace"];
            lane.kubectl(&[&role[..], &[lane.name()]].concat());
            lane.act_as("jane");
        },
        0,
        &[
            "`namespace/namespace-admin` is not changed, because you may not change it",
            "pod-security.kubernetes.io/enforce=restricted",
        ],
    ),
    (
        "taken",
        |lane| taken(lane, ""),
        3,
        &[
            "the name of `deployment/taken-controller-manager` is taken",
            "managed by `kubectl-create`",
            "kubectl delete deployments taken-controller-manager --namespace taken",
        ],
    ),
    (
        "owned",
        |lane| taken(lane, OWNER),
        3,
        &[
            "the name of `deployment/owned-controller-manager` is taken",
            "the existing object is controlled by `configmap/theirs`",
        ],
    ),
];

fn quota(lane: &Lane, resource: &str) {
    lane.kubectl(&["create", "quota", "few", &format!("--hard={resource}=0"), "--namespace", lane.name()]);
}

fn policy(lane: &Lane, resource: &str) {
    let text =
        POLICY.replace("{resource}", resource).replace("{name}", lane.name()).replace("{namespace}", lane.name());
    let path = lane.write("policy.yaml", &text);
    lane.kubectl(&["create", "-f", &path.to_string_lossy()]);
}

fn taken(lane: &Lane, owner: &str) {
    lane.kubectl(&["create", "configmap", "theirs", "--namespace", lane.name()]);
    let uid =
        lane.kubectl(&["get", "configmap", "theirs", "--namespace", lane.name(), "--output=jsonpath={.metadata.uid}"]);
    let owner = owner.replace("{uid}", &uid);
    let text = TAKEN.replace("{name}", &lane.manager()).replace("{namespace}", lane.name()).replace("{owner}", &owner);
    let path = lane.write("taken.yaml", &text);
    lane.kubectl(&["create", "-f", &path.to_string_lossy()]);
}

/// Deploys in each case of [`SCENES`]. Returns the cases in which the exit code or the output is wrong.
pub(super) fn not_told_apart(plane: &Plane) -> Vec<String> {
    let play = |(name, prepare, code, texts): &Scene| {
        let mut lane = Lane::new(plane, name);
        lane.kubectl(&["create", "namespace", name]);
        prepare(&mut lane);
        // A new policy is enforced only after a moment.
        std::thread::sleep(Duration::from_secs(2));
        let run = lane.deploy("web:1", &["--timeout", TIMEOUT]);
        let hint = [if *code == 0 { "unchanged namespace/" } else { "hint: " }];
        let missing: Vec<_> = texts.iter().chain(&hint).filter(|text| !run.said.contains(**text)).collect();
        let right = run.code == Some(*code) && missing.is_empty();
        (!right).then(|| format!("{name}: {}, without {missing:?}\n{}", run.word(), run.said))
    };
    std::thread::scope(|scope| {
        let threads: Vec<_> = SCENES.iter().map(|scene| scope.spawn(|| play(scene))).collect();
        threads.into_iter().filter_map(|thread| thread.join().unwrap()).collect()
    })
}
