//! Health checks of Argo CD.

use super::CheckedKind;

/// The health check script, which is the same for every kind.
const CHECK: &str = include_str!("check.lua");

/// Renders the `ConfigMap` of Argo CD with a health check script for each kind
/// (<https://argo-cd.readthedocs.io/en/stable/operator-manual/health/>).
pub fn argo_cd(kinds: &[CheckedKind]) -> String {
    let mut text = String::from(
        "apiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: argocd-cm\n  labels:\n    app.kubernetes.io/name: argocd-cm\n    \
         app.kubernetes.io/part-of: argocd\ndata:\n",
    );
    for CheckedKind { group, kind, .. } in kinds {
        text.push_str(&format!("  resource.customizations.health.{group}_{kind}: |\n"));
        for line in CHECK.lines() {
            text.push_str(&format!("    {line}\n"));
        }
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_script_is_in_the_config_map_as_it_is() {
        let kind = |name: &str| CheckedKind { group: "a.b".into(), version: "v1".into(), kind: name.into() };
        let text = argo_cd(&[kind("One"), kind("Two")]);
        let map: serde_json::Value = serde_yaml::from_str(&text).unwrap();
        for name in ["One", "Two"] {
            assert_eq!(map["data"][format!("resource.customizations.health.a.b_{name}")], CHECK);
        }
    }
}
