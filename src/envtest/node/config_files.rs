//! The configuration files of the node's programs.

use super::node_settings::NodeSettings;
use super::{containerd, crio};
use crate::envtest::container_runtime::ContainerRuntime;
use crate::envtest::node_addresses::{NODE, PODS};
use crate::envtest::node_cgroups::{CGROUP, MARK};
use serde_json::{Value, json};
use std::path::Path;

pub(super) const PROXY: &str = "kube-proxy.yaml";
const NETWORK: &str = "cni/10-node.conflist";

/// Returns the configuration files of a node as pairs of name and text. `plugins` is the folder of the CNI plugins.
pub(super) fn all(directory: &Path, plugins: &Path, settings: &NodeSettings) -> Vec<(String, String)> {
    let (mut files, socket) = match settings.container_runtime {
        ContainerRuntime::Containerd => (containerd::files(directory, plugins, settings.registry), containerd::SOCKET),
        ContainerRuntime::CriO => (crio::files(directory, plugins, settings.registry), crio::SOCKET),
    };
    let kubelet = kubelet(directory, socket);
    let others = [(MARK, kubelet), (NETWORK, network(directory).to_string()), (PROXY, proxy(directory))];
    files.extend(others.map(|(name, text)| (name.to_owned(), text)));
    files
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

/// Returns a YAML configuration for a Kubernetes program. The YAML must not begin with `{`, which would mean JSON.
fn yaml(document: &Value) -> String {
    format!("# Written by opctl.\n{document}\n")
}

fn kubelet(directory: &Path, socket: &str) -> String {
    let file = |name: &str| directory.join(name);
    yaml(&json!({
        "apiVersion": "kubelet.config.k8s.io/v1beta1",
        "kind": "KubeletConfiguration",
        "failCgroupV1": false,
        "cgroupDriver": "cgroupfs",
        "cgroupRoot": format!("/{CGROUP}"),
        "oomScoreAdj": 0,
        "failSwapOn": false,
        "containerRuntimeEndpoint": format!("unix://{socket}"),
        "podLogsDir": file("pods"),
        "volumePluginDir": file("volume-plugins"),
        // Nothing can load an image again that was removed, so the kubelet keeps all of them: while the disk fills, and
        // when it is full, as images younger than this are kept then.
        "imageGCHighThresholdPercent": 100,
        "imageMinimumGCAge": "87600h",
        // The default is 5 minutes, for a node whose load goes up and down.
        "evictionPressureTransitionPeriod": "5s",
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
