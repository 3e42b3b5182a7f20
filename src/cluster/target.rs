//! The cluster that the flags choose, and the command lines for it that hints tell the user to run.

use crate::error::shell_word;
use std::path::{Path, PathBuf};

/// The cluster that the flags choose.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// A kubeconfig other than the one that `KUBECONFIG` names, or `~/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// A context other than the current one.
    pub context: Option<String>,
    /// The folder that opctl was told to work in (`-C`), for the command lines of hints.
    pub directory: Option<PathBuf>,
}

impl Target {
    /// Returns the command line that runs opctl on this cluster, in the same folder.
    pub fn opctl(&self, arguments: &str) -> String {
        self.opctl_without_cluster(&self.with_flags(arguments))
    }

    /// Returns the command line that runs opctl in the same folder, for a command that takes no cluster.
    pub fn opctl_without_cluster(&self, arguments: &str) -> String {
        let directory = self.directory.iter().map(|path| format!(" -C {}", shell_word(&path.to_string_lossy())));
        format!("opctl{} {arguments}", directory.collect::<String>())
    }

    /// Returns the command line that runs kubectl on this cluster.
    pub fn kubectl(&self, arguments: &str) -> String {
        format!("kubectl {}", self.with_flags(arguments))
    }

    /// Returns the command line that applies the project's samples, to `namespace` if one is given.
    pub fn apply_samples(&self, namespace: Option<&str>) -> String {
        let samples = self.directory.clone().unwrap_or_default().join("config/samples/");
        let within = namespace.map(|name| format!(" --namespace {name}")).unwrap_or_default();
        self.kubectl(&format!("apply -k {}{within}", shell_word(&samples.to_string_lossy())))
    }

    /// Returns the command line that runs the operator with cargo. The operator uses the current context of one
    /// kubeconfig; no flag selects another context.
    pub(super) fn cargo_run(&self) -> String {
        let word = |path: &Path| shell_word(&path.to_string_lossy());
        let kubeconfig = self.kubeconfig.iter().map(|path| format!("KUBECONFIG={} ", word(path)));
        let manifest = self.directory.iter().map(|path| format!(" --manifest-path {}", word(&path.join("Cargo.toml"))));
        let context = self.context.iter().map(|name| format!("    # where `{name}` is the current context"));
        kubeconfig.chain(["cargo run".to_owned()]).chain(manifest).chain(context).collect()
    }

    /// Returns the command line that starts the local control plane that the kubeconfig belongs to, or the default one.
    pub(super) fn local_plane(&self) -> String {
        let path = self.kubeconfig.clone().or_else(|| std::env::var_os("KUBECONFIG").map(PathBuf::from));
        let name = path.as_deref().and_then(plane).filter(|name| *name != "default");
        let name = name.map(|name| format!(" --name {name}")).unwrap_or_default();
        format!("export KUBECONFIG=\"$(opctl envtest start{name})\"")
    }

    /// Returns the arguments with the flags that choose the cluster, inserted before a trailing comment.
    pub(super) fn with_flags(&self, arguments: &str) -> String {
        let path = self.kubeconfig.as_ref().map(|path| path.to_string_lossy().into_owned());
        let given = [("--kubeconfig", path.as_deref()), ("--context", self.context.as_deref())];
        let flags = given.iter().filter_map(|(flag, value)| Some(format!(" {flag} {}", shell_word((*value)?))));
        let flags = flags.collect::<String>();
        match arguments.split_once("    #") {
            Some((arguments, comment)) => format!("{arguments}{flags}    #{comment}"),
            None => format!("{arguments}{flags}"),
        }
    }
}

/// Returns the name of the control plane that has the kubeconfig in its state folder, below `opctl/envtest`.
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
        };
        let line = target.opctl("uninstall --force    # deletes objects too");
        let expected = "opctl -C web uninstall --force --kubeconfig '/home/my user/config' --context kind-kind    # deletes objects too";
        assert_eq!(line, expected);
        assert_eq!(target.opctl_without_cluster("manifests"), "opctl -C web manifests");
        let line = target.apply_samples(Some("web-system"));
        let expected = "kubectl apply -k web/config/samples/ --namespace web-system --kubeconfig '/home/my user/config' --context kind-kind";
        assert_eq!(line, expected);
        let expected = "KUBECONFIG='/home/my user/config' cargo run --manifest-path web/Cargo.toml    # where `kind-kind` is the current context";
        assert_eq!(target.cargo_run(), expected);
        let default = Target::default();
        assert_eq!(default.opctl("uninstall"), "opctl uninstall");
        assert_eq!(default.apply_samples(None), "kubectl apply -k config/samples/");
        assert_eq!(default.cargo_run(), "cargo run");
        assert_eq!(plane(Path::new("/home/me/.local/state/opctl/envtest/other/kubeconfig")), Some("other"));
        assert_eq!(plane(Path::new("/home/me/.kube/config")), None);
    }
}
