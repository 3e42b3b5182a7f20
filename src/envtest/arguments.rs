//! The command-line arguments of the servers. They are the same as in controller-runtime
//! (pkg/internal/testing/controlplane), except where a comment gives the reason for a difference.

use super::node_addresses::{HOST, SERVICES};
use crate::{Error, Result};
use std::net::Ipv4Addr;
use std::path::Path;

/// The API server arguments that users cannot change, because opctl relies on their values to supervise the server.
const OWN: [&str; 9] = [
    "bind-address",
    "cert-dir",
    "client-ca-file",
    "etcd-cafile",
    "etcd-certfile",
    "etcd-keyfile",
    "etcd-servers",
    "secure-port",
    "tls-cert-file",
];

/// The API server arguments that users cannot change if there is a real node, because the node depends on them.
const OF_NODE: [&str; 6] = [
    "advertise-address",
    "authorization-mode",
    "kubelet-certificate-authority",
    "kubelet-client-certificate",
    "kubelet-client-key",
    "service-cluster-ip-range",
];

/// Returns the argument for etcd's data directory. The argument identifies the etcd process of this control plane,
/// because no other process has it on its command line.
pub(super) fn etcd_data(directory: &Path) -> String {
    format!("--data-dir={}", directory.join("etcd").display())
}

/// Returns the argument for the API server's certificates. The argument identifies the API server of this control
/// plane, because no other process has it on its command line.
pub(super) fn certificates(directory: &Path) -> String {
    format!("--cert-dir={}", directory.display())
}

/// Returns etcd's arguments. `directory` is the control plane's folder, which contains the certificates; `client` and
/// `peer` are ports on the loopback interface.
///
/// controller-runtime's etcd answers every client on this machine, so other users can read the secrets of the control
/// plane. This etcd answers only kube-apiserver and itself, because it requires a certificate of the authority that
/// opctl
/// creates for etcd. A Unix socket in the private folder would also work, but only for a short path: systems allow
/// about
/// 100 bytes.
pub(super) fn etcd(directory: &Path, client: u16, peer: u16) -> Vec<String> {
    let file = |name: &str| directory.join(name).display().to_string();
    vec![
        etcd_data(directory),
        format!("--listen-peer-urls=https://127.0.0.1:{peer}"),
        format!("--listen-client-urls=https://127.0.0.1:{client}"),
        format!("--advertise-client-urls=https://127.0.0.1:{client}"),
        "--client-cert-auth=true".to_owned(),
        format!("--trusted-ca-file={}", file("etcd-ca.crt")),
        format!("--cert-file={}", file("etcd.crt")),
        format!("--key-file={}", file("etcd.key")),
        "--peer-client-cert-auth=true".to_owned(),
        format!("--peer-trusted-ca-file={}", file("etcd-ca.crt")),
        format!("--peer-cert-file={}", file("etcd.crt")),
        format!("--peer-key-file={}", file("etcd.key")),
        // The data is thrown away, so it need not be synced. Every etcd since 3.5 has this flag, and older ones lack
        // features that a 1.33 API server needs.
        "--unsafe-no-fsync=true".to_owned(),
        // The only member elects itself once the election timeout is over: in 0.2 s instead of 1 s.
        "--heartbeat-interval=20".to_owned(),
        "--election-timeout=200".to_owned(),
    ]
}

/// Returns the argument for kube-controller-manager's kubeconfig. The argument identifies the kube-controller-manager
/// of this control plane, because no other process has it on its command line.
pub(super) fn controller_manager_kubeconfig(directory: &Path) -> String {
    format!("--kubeconfig={}", directory.join("controller-manager.kubeconfig").display())
}

/// Returns kube-controller-manager's arguments. `directory` contains its kubeconfig and the keys of service accounts.
/// `node` is true if there is a real node.
pub(super) fn controller_manager(directory: &Path, node: bool) -> Vec<String> {
    let file = |name: &str| directory.join(name).display().to_string();
    // Leaves out controllers whose work no other component continues here, and those that would act on features that the
    // simulated node lacks. All others run, so that the control plane behaves like a whole cluster.
    let left_out = [
        "attachdetach",
        "certificatesigningrequest-approving-controller",
        "certificatesigningrequest-cleaner-controller",
        "certificatesigningrequest-signing-controller",
        "node-ipam-controller",
    ];
    let of_simulation = ["node-lifecycle-controller", "taint-eviction-controller"];
    let left_out = left_out.into_iter().chain(of_simulation.into_iter().filter(|_| !node));
    let controllers: Vec<_> = left_out.map(|name| format!("-{name}")).collect();
    let mut arguments = vec![
        controller_manager_kubeconfig(directory),
        format!("--controllers=*,{}", controllers.join(",")),
        "--leader-elect=false".to_owned(),
        // Nobody sends requests to it; its effects show that it works.
        "--secure-port=0".to_owned(),
        // As in a real cluster, each controller has the rights of its own role.
        "--use-service-account-credentials=true".to_owned(),
        format!("--service-account-private-key-file={}", file("sa-signer.key")),
        format!("--root-ca-file={}", file("serving-ca.crt")),
        // The default is 20 requests per second, for clusters that are shared.
        "--kube-api-qps=5000".to_owned(),
        "--kube-api-burst=5000".to_owned(),
    ];
    let syncs = ["deployment", "replicaset", "statefulset", "daemonset", "job", "cron-job", "service-endpoint"];
    arguments.extend(syncs.map(|kind| format!("--concurrent-{kind}-syncs=20")));
    arguments
}

/// Returns kube-scheduler's arguments. `directory` contains the kubeconfig of kube-scheduler.
pub(super) fn scheduler(directory: &Path) -> Vec<String> {
    vec![
        format!("--kubeconfig={}", directory.join("kube-scheduler.kubeconfig").display()),
        "--leader-elect=false".to_owned(),
        // Nobody sends requests to it; its effects show that it works.
        "--secure-port=0".to_owned(),
    ]
}

/// Returns the API server's arguments. `directory` contains the certificates; `managed` is true if
/// kube-controller-manager runs too, and `node` is true if there is a real node; `own` are the user's arguments, which
/// are added to the defaults or replace them.
pub(super) fn api_server(
    directory: &Path,
    [port, etcd]: [u16; 2],
    managed: bool,
    node: bool,
    own: &[String],
) -> Vec<String> {
    let file = |name: &str| directory.join(name).display().to_string();
    let address = if node { HOST } else { Ipv4Addr::LOCALHOST };
    let services = if node { SERVICES } else { "10.96.0.0/12" };
    let mut arguments = vec![
        format!("--etcd-servers=https://127.0.0.1:{etcd}"),
        format!("--etcd-cafile={}", file("etcd-ca.crt")),
        format!("--etcd-certfile={}", file("etcd-client.crt")),
        format!("--etcd-keyfile={}", file("etcd-client.key")),
        format!("--bind-address={address}"),
        format!("--secure-port={port}"),
        certificates(directory),
        format!("--client-ca-file={}", file("client-cert-auth-ca.crt")),
        // controller-runtime's /24 is full after 254 services.
        format!("--service-cluster-ip-range={services}"),
        "--allow-privileged=true".to_owned(),
        format!("--service-account-issuer=https://{address}:{port}/"),
        format!("--service-account-key-file={}", file("sa-signer.crt")),
        format!("--service-account-signing-key-file={}", file("sa-signer.key")),
        // Without this flag, a server that binds to a loopback address looks for a default route, and ends if there is
        // none.
        format!("--advertise-address={address}"),
    ];
    // As on OpenShift: setting `blockOwnerDeletion` needs the right to update the owner's finalizers, which tests would
    // not notice otherwise.
    let admission = "--enable-admission-plugins=OwnerReferencesPermissionEnforcement";
    if node {
        arguments.extend([
            "--authorization-mode=Node,RBAC".to_owned(),
            format!("{admission},NodeRestriction"),
            "--kubelet-preferred-address-types=InternalIP".to_owned(),
            format!("--kubelet-certificate-authority={}", file("serving-ca.crt")),
            format!("--kubelet-client-certificate={}", file("kubelet-client.crt")),
            format!("--kubelet-client-key={}", file("kubelet-client.key")),
        ]);
    } else {
        arguments.extend([
            "--authorization-mode=RBAC".to_owned(),
            admission.to_owned(),
            // A loopback address is not allowed in Endpoints: the reconciler would only fill the log.
            "--endpoint-reconciler-type=none".to_owned(),
        ]);
    }
    if !managed {
        // Nothing creates default service accounts, without which this plugin admits no pod.
        arguments.push("--disable-admission-plugins=ServiceAccount".to_owned());
    }
    // The default is replaced, not repeated: a flag that takes a list would add up.
    arguments.retain(|argument| !own.iter().any(|own| name(own) == name(argument)));
    arguments.extend(own.iter().cloned());
    arguments
}

/// Fails if an API server argument in `own`, the user's arguments, does not have the form `--name` or `--name=value`,
/// or if the user must not set the flag. opctl sets some flags for all control planes, and further flags if `node` is
/// true, for a control plane with a real node.
pub(super) fn check(own: &[String], node: bool) -> Result<()> {
    for argument in own {
        let example = "opctl envtest start --apiserver-arg=--v=4";
        let flag =
            argument.strip_prefix("--").filter(|flag| flag.starts_with(|letter: char| letter.is_ascii_lowercase()));
        if flag.is_none() {
            return Err(Error::usage(format!("`{argument}` is not a flag of kube-apiserver"))
                .caused_by("a flag is one argument: `--name` or `--name=value`")
                .hint(example));
        }
        if OWN.contains(&name(argument)) || node && OF_NODE.contains(&name(argument)) {
            return Err(Error::usage(format!("`--{}` is set by opctl", name(argument)))
                .caused_by("the control plane works only with the value that opctl sets for this flag")
                .hint(example));
        }
    }
    Ok(())
}

fn name(argument: &str) -> &str {
    let flag = argument.trim_start_matches('-');
    flag.split_once('=').map_or(flag, |(name, _)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_users_flag_replaces_the_default_of_the_same_name() {
        let own = ["--authorization-mode=Node,RBAC".to_owned(), "--v=4".to_owned()];
        let arguments = api_server(Path::new("/d"), [6443, 2379], false, false, &own);
        let modes: Vec<_> = arguments.iter().filter(|argument| argument.contains("authorization-mode")).collect();
        assert_eq!(modes, ["--authorization-mode=Node,RBAC"]);
        assert_eq!(arguments.last().map(String::as_str), Some("--v=4"));
        let admission = "--disable-admission-plugins=ServiceAccount".to_owned();
        assert!(arguments.contains(&admission));
        assert!(!api_server(Path::new("/d"), [6443, 2379], true, false, &own).contains(&admission));
        assert!(arguments.contains(&"--service-account-key-file=/d/sa-signer.crt".to_owned()));
        assert!(arguments.contains(&"--service-account-issuer=https://127.0.0.1:6443/".to_owned()));
    }

    #[test]
    fn flags_are_checked() {
        assert!(check(&["--v=4".to_owned(), "--profiling".to_owned()], true).is_ok());
        for wrong in ["v=4", "-v", "--", "", "--secure-port=1", "--etcd-servers", "--=x"] {
            assert_eq!(check(&[wrong.to_owned()], false).unwrap_err().category().exit_code(), 2, "{wrong}");
        }
    }

    #[test]
    fn a_node_needs_some_arguments_as_they_are() {
        let own = ["--authorization-mode=RBAC".to_owned()];
        assert!(check(&own, false).is_ok());
        assert_eq!(check(&own, true).unwrap_err().message(), "`--authorization-mode` is set by opctl");
    }

    #[test]
    fn etcd_answers_on_the_loopback_interface_those_with_a_certificate() {
        let arguments = etcd(Path::new("/d"), 1, 2);
        for argument in [
            "--data-dir=/d/etcd",
            "--listen-client-urls=https://127.0.0.1:1",
            "--listen-peer-urls=https://127.0.0.1:2",
            "--client-cert-auth=true",
            "--peer-client-cert-auth=true",
        ] {
            assert!(arguments.contains(&argument.to_owned()), "{argument}");
        }
    }
}
