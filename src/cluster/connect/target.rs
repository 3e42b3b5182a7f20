//! The cluster that the flags of opctl choose, and the command lines in hints, which use the same cluster.

use crate::error::{Hint, hint};
use std::path::{Path, PathBuf};

/// The cluster that the flags choose.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// The kubeconfig to use; `None` for the kubeconfig that `KUBECONFIG` names, or `~/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// The context to use; `None` for the current context.
    pub context: Option<String>,
    /// The user to impersonate (`--as`).
    pub user: Option<String>,
    /// The groups to impersonate (`--as-group`).
    pub groups: Vec<String>,
    /// The folder that `-C` names, for the command lines in hints.
    pub directory: Option<PathBuf>,
}

impl Target {
    /// Returns the command line that runs opctl on this cluster, in the same folder.
    pub fn opctl(&self, arguments: impl Into<Hint>) -> Hint {
        self.opctl_without_cluster(self.with_flags(&arguments.into()))
    }

    /// Returns the command line that runs opctl in the same folder, for a command that takes no cluster.
    pub fn opctl_without_cluster(&self, arguments: impl Into<Hint>) -> Hint {
        let directory = self.directory.as_ref().map(|path| hint!(" -C {}", path.display())).unwrap_or_default();
        hint!("opctl{directory} {arguments}", directory, arguments = arguments.into())
    }

    /// Returns the command line that runs kubectl on this cluster.
    pub fn kubectl(&self, arguments: impl Into<Hint>) -> Hint {
        hint!("kubectl {}", self.with_flags(&arguments.into()))
    }

    /// Returns the command line that applies the project's samples, to `namespace` if one is given.
    pub fn apply_samples(&self, namespace: Option<&str>) -> Hint {
        let samples = self.directory.clone().unwrap_or_default().join("config/samples/");
        let within = namespace.map(|name| hint!(" --namespace {name}", name)).unwrap_or_default();
        self.kubectl(hint!("apply -k {}{within}", samples.display(), within))
    }

    /// Returns the command line that runs the operator with cargo. The operator always uses the current context of the
    /// kubeconfig, because no flag of the operator selects another context.
    pub fn cargo_run(&self) -> Hint {
        let kubeconfig = self.kubeconfig.as_ref().map(|path| hint!("KUBECONFIG={} ", path.display()));
        let manifest = self.directory.as_ref().map(|path| path.join("Cargo.toml"));
        let manifest = manifest.map(|path| hint!(" --manifest-path {}", path.display()));
        let context = self.context.as_ref().map(|name| hint!("    # with `{name}` as the current context", name));
        Hint::join(kubeconfig.into_iter().chain(["cargo run".into()]).chain(manifest).chain(context), "")
    }

    /// Returns the command line that starts the local control plane to which the kubeconfig belongs, or the default
    /// control plane if the kubeconfig belongs to no local control plane.
    pub fn local_plane(&self) -> Hint {
        let path = self.kubeconfig.clone().or_else(|| std::env::var_os("KUBECONFIG").map(PathBuf::from));
        let name = path.as_deref().and_then(plane).filter(|name| *name != "default");
        let name = name.map(|name| hint!(" --name {name}", name)).unwrap_or_default();
        hint!("export KUBECONFIG=\"$(opctl envtest start{name})\"", name)
    }

    /// Returns the flags that choose the cluster, in the form that both opctl and kubectl accept.
    pub fn flags(&self) -> Vec<String> {
        let path = self.kubeconfig.iter().flat_map(|path| ["--kubeconfig".to_owned(), path.display().to_string()]);
        let context = self.context.iter().flat_map(|name| ["--context".to_owned(), name.clone()]);
        let user = self.user.iter().flat_map(|name| ["--as".to_owned(), name.clone()]);
        let groups = self.groups.iter().flat_map(|name| ["--as-group".to_owned(), name.clone()]);
        path.chain(context).chain(user).chain(groups).collect()
    }

    /// Returns the arguments with the flags that choose the cluster, inserted before a trailing comment.
    pub fn with_flags(&self, arguments: &Hint) -> Hint {
        let path = self.kubeconfig.as_ref().map(|path| hint!(" --kubeconfig {}", path.display()));
        let context = self.context.as_ref().map(|name| hint!(" --context {name}", name));
        let user = self.user.as_ref().map(|name| hint!(" --as {name}", name));
        let groups = self.groups.iter().map(|name| hint!(" --as-group {name}", name));
        arguments.with_before_comment(&Hint::join(path.into_iter().chain(context).chain(user).chain(groups), ""))
    }
}

/// Returns the name of the control plane whose state folder below `opctl/envtest` contains the kubeconfig; `None` if
/// the kubeconfig is in no such folder.
fn plane(kubeconfig: &Path) -> Option<&str> {
    let folders: Vec<&str> = kubeconfig.iter().filter_map(|part| part.to_str()).collect();
    folders.windows(3).find(|names| names[..2] == ["opctl", "envtest"]).map(|names| names[2])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_to_run_have_what_was_given() {
        let target = Target {
            kubeconfig: Some(PathBuf::from("/home/my user/config")),
            context: Some("kind-kind".to_owned()),
            directory: Some(PathBuf::from("web")),
            ..Target::default()
        };
        let line = target.opctl("uninstall --force    # deletes objects too");
        let expected = "opctl -C web uninstall --force --kubeconfig '/home/my user/config' --context kind-kind    # deletes objects too";
        assert_eq!(line, expected);
        assert_eq!(target.opctl_without_cluster("manifests"), "opctl -C web manifests");
        let line = target.apply_samples(Some("web-system"));
        let expected = "kubectl apply -k web/config/samples/ --namespace web-system --kubeconfig '/home/my user/config' --context kind-kind";
        assert_eq!(line, expected);
        let expected = "KUBECONFIG='/home/my user/config' cargo run --manifest-path web/Cargo.toml    # with `kind-kind` as the current context";
        assert_eq!(target.cargo_run(), expected);
        let impersonating =
            Target { user: Some("jane doe".into()), groups: vec!["a".into(), "b".into()], ..Target::default() };
        assert_eq!(impersonating.opctl("status"), "opctl status --as 'jane doe' --as-group a --as-group b");
        let default = Target::default();
        assert_eq!(default.opctl("uninstall"), "opctl uninstall");
        assert_eq!(default.apply_samples(None), "kubectl apply -k config/samples/");
        assert_eq!(default.cargo_run(), "cargo run");
        assert_eq!(plane(Path::new("/home/me/.local/state/opctl/envtest/other/kubeconfig")), Some("other"));
        assert_eq!(plane(Path::new("/home/me/.kube/config")), None);
    }
}
