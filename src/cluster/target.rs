//! Which cluster is meant, and the lines that a user is told to run on it.

use crate::error::shell_word;
use std::path::{Path, PathBuf};

/// Which cluster is meant.
#[derive(Clone, Debug, Default)]
pub struct Target {
    /// A kubeconfig other than the one that `KUBECONFIG` names, or `~/.kube/config`.
    pub kubeconfig: Option<PathBuf>,
    /// A context other than the current one.
    pub context: Option<String>,
    /// The folder that opctl was told to work in (`-C`), for the lines that it tells to run.
    pub directory: Option<PathBuf>,
}

impl Target {
    /// A line that runs opctl on this cluster, in the same folder.
    pub fn opctl(&self, arguments: &str) -> String {
        let directory = self.directory.iter().map(|path| format!(" -C {}", shell_word(&path.to_string_lossy())));
        format!("opctl{} {}", directory.collect::<String>(), self.with_flags(arguments))
    }

    /// The line that starts the local control plane whose kubeconfig this is, or any where it is not of one.
    pub(super) fn local_plane(&self) -> String {
        let path = self.kubeconfig.clone().or_else(|| std::env::var_os("KUBECONFIG").map(PathBuf::from));
        let name = path.as_deref().and_then(plane).filter(|name| *name != "default");
        let name = name.map(|name| format!(" --name {name}")).unwrap_or_default();
        format!("export KUBECONFIG=\"$(opctl envtest start{name})\"")
    }

    /// The arguments with those that choose the cluster, which go before a comment.
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

/// The name of the control plane that keeps its state where the kubeconfig is: below `opctl/envtest`.
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
        assert_eq!(Target::default().opctl("uninstall"), "opctl uninstall");
        assert_eq!(plane(Path::new("/home/me/.local/state/opctl/envtest/other/kubeconfig")), Some("other"));
        assert_eq!(plane(Path::new("/home/me/.kube/config")), None);
    }
}
