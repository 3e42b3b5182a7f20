//! Renders the kubeconfig of a local control plane.

use super::certificates::Pair;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::json;

/// Returns a kubeconfig with embedded certificates. Its cluster, user and context are all named `envtest`, as in
/// controller-runtime. The kubeconfig is written as JSON, which is valid YAML.
pub(super) fn render(server: &str, authority: &str, user: &Pair) -> String {
    let document = json!({
        "apiVersion": "v1",
        "kind": "Config",
        "clusters": [{
            "name": "envtest",
            "cluster": {"server": server, "certificate-authority-data": STANDARD.encode(authority)},
        }],
        "users": [{
            "name": "envtest",
            "user": {
                "client-certificate-data": STANDARD.encode(&user.certificate),
                "client-key-data": STANDARD.encode(&user.key),
            },
        }],
        "contexts": [{"name": "envtest", "context": {"cluster": "envtest", "user": "envtest"}}],
        "current-context": "envtest",
    });
    let mut text = format!("{document:#}");
    text.push('\n');
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kube_reads_it() {
        let user = Pair { certificate: "certificate".to_owned(), key: "key".to_owned() };
        let text = render("https://127.0.0.1:6443", "authority", &user);
        let config = kube::config::Kubeconfig::from_yaml(&text).unwrap();
        assert_eq!(config.current_context.as_deref(), Some("envtest"));
        assert_eq!(config.clusters[0].name, "envtest");
        let cluster = config.clusters[0].cluster.as_ref().unwrap();
        assert_eq!(cluster.server.as_deref(), Some("https://127.0.0.1:6443"));
        assert_eq!(cluster.certificate_authority_data.as_deref(), Some("YXV0aG9yaXR5"));
    }
}
