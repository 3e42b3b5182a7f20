//! The configuration files of the node's programs.

use super::pause::IMAGE;
use crate::envtest::node_addresses::{NODE, PODS};
use crate::envtest::node_cgroups::{CGROUP, MARK};
use serde_json::{Value, json};
use std::path::Path;

pub(super) const KUBELET: &str = "kubelet.yaml";
pub(super) const PROXY: &str = "kube-proxy.yaml";
pub(super) const NETWORK: &str = "cni/10-node.conflist";

/// The file name of the socket at which containerd answers. Its path is short enough for a socket, unlike that of a
/// folder of the user's.
pub(super) const SOCKET: &str = "/run/containerd.sock";

/// Returns the files of a control plane's folder, each with its text. `plugins` is the folder of the plugins of CNI.
pub(super) fn all(directory: &Path, plugins: &Path) -> [(&'static str, String); 4] {
    [
        (MARK, containerd(directory, plugins)),
        (NETWORK, network(directory).to_string()),
        (KUBELET, kubelet(directory)),
        (PROXY, proxy(directory)),
    ]
}

fn containerd(directory: &Path, plugins: &Path) -> String {
    let text = |path: &Path| toml_edit::Value::from(path.display().to_string()).to_string();
    let (root, network) = (text(&directory.join("containerd")), text(&directory.join("cni")));
    format!(
        r#"version = 2
root ={root}
state = "/run/containerd"
[grpc]
  address = "{SOCKET}"
[plugins."io.containerd.grpc.v1.cri"]
  # Not every root may lower the score of a process.
  restrict_oom_score_adj = true
  sandbox_image = "{IMAGE}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir ={plugins}
    conf_dir ={network}
"#,
        plugins = text(plugins),
    )
}

fn network(directory: &Path) -> Value {
    json!({"cniVersion": "1.0.0", "name": "node", "plugins": [
        {"type": "bridge", "bridge": "cni0", "isGateway": true, "ipMasq": true, "hairpinMode": true, "ipam": {
            "type": "host-local",
            "ranges": [[{"subnet": PODS}]],
            "routes": [{"dst": "0.0.0.0/0"}],
            "dataDir": directory.join("ipam"),
        }},
        {"type": "portmap", "capabilities": {"portMappings": true}},
    ]})
}

/// Returns a configuration for a program of Kubernetes, which takes a text that begins with `{` for another format.
fn yaml(document: &Value) -> String {
    format!("# Written by opctl.\n{document}\n")
}

fn kubelet(directory: &Path) -> String {
    let file = |name: &str| directory.join(name);
    yaml(&json!({
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "failCgroupV1": false,
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": format!("/{CGROUP}"),
        "oomScoreAdj": 0,
        "failSwapOn": false,
        "containerRuntimeEndpoint": format!("unix://{SOCKET}"),
        "podLogsDir": file("pods"),
        // Nothing can load an image again that was removed.
        "imageGCHighThresholdPercent": 100,
        "evictionHard": {"memory.available": "100Mi", "nodefs.available": "1%", "imagefs.available": "1%"},
        "authentication": {"x509": {"clientCAFile": file("client-cert-auth-ca.crt")}},
        "authorization": {"mode": "Webhook"},
        "tlsCertFile": file("kubelet.crt"),
        "tlsPrivateKeyFile": file("kubelet.key"),
        "resolvConf": "",
    }))
}

fn proxy(directory: &Path) -> String {
    yaml(&json!({
        "apiVersion": "kubeproxy.config.k8s.io/v1alpha1",
        "kind": "KubeProxyConfiguration",
        "mode": "iptables",
        // A node with few Services can follow each change at once, so that a pod is reached as soon as it is ready.
        "iptables": {"minSyncPeriod": "20ms"},
        "clientConnection": {"kubeconfig": directory.join("kube-proxy.kubeconfig")},
        "clusterCIDR": PODS,
        "oomScoreAdj": 0,
        // These are settings of the whole machine.
        "conntrack": {"maxPerCore": 0, "min": 0, "tcpEstablishedTimeout": "0s", "tcpCloseWaitTimeout": "0s"},
        "bindAddress": NODE,
        "healthzBindAddress": "127.0.0.1:10256",
        "metricsBindAddress": "127.0.0.1:10249",
    }))
}
