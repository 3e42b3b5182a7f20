//! Paths on this machine: the store of servers, which is shared with setup-envtest, the state of control planes, and
//! the paths of the servers' programs.

use crate::{Error, Result};
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// The file name of the etcd program.
pub const ETCD: &str = "etcd";
/// The file name of the API server program.
pub const API_SERVER: &str = "kube-apiserver";
/// The file name of the controller manager program, which setup-envtest's archives lack.
pub const CONTROLLER_MANAGER: &str = "kube-controller-manager";

/// Returns the value of an environment variable; `None` if the variable is unset or empty.
pub(super) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name).filter(|value| !value.is_empty())
}

/// The folders of `opctl envtest`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Places {
    /// The store of programs, shared with setup-envtest. Each folder `k8s/X.Y.Z-os-arch` in it contains one version.
    pub store: PathBuf,
    /// The folder that contains a folder for each detached control plane, named after the control plane.
    pub state: PathBuf,
    /// The folder in which controller-runtime and opctl reserve ports, so that they never use the same port.
    pub ports: PathBuf,
}

impl Places {
    /// Returns the folders that the environment of this process determines.
    pub fn of_this_process() -> Result<Self> {
        Places::new(&variable).ok_or_else(|| {
            Error::environment("no environment variable gives the path of the home folder")
                .hint("export HOME=/path/to/your/home")
        })
    }

    /// Returns the folder for all state of opctl; `None` if no environment variable gives the path of the home folder.
    pub fn of_opctl() -> Option<PathBuf> {
        let state = Places::new(&variable)?.state;
        state.parent().map(Path::to_owned)
    }

    /// Returns the folders that follow from environment variables, in the same way as setup-envtest (package `store`):
    /// from `XDG_DATA_HOME`, `XDG_STATE_HOME` and `XDG_CACHE_HOME`, or by the conventions of macOS and Windows.
    /// `variable` returns the value of an environment variable. Returns `None` if a needed variable, such as `HOME`, is
    /// not set.
    fn new(variable: &dyn Fn(&str) -> Option<OsString>) -> Option<Self> {
        let home = variable("HOME").or_else(|| variable("USERPROFILE")).map(PathBuf::from);
        let base = |name: &str, below: &str| match variable(name) {
            Some(base) => Some(PathBuf::from(base)),
            None => Some(home.as_ref()?.join(below)),
        };
        let store = if cfg!(target_os = "macos") {
            home.as_ref()?.join("Library/Application Support/io.kubebuilder.envtest")
        } else if cfg!(windows) {
            PathBuf::from(variable("LocalAppData")?).join("kubebuilder-envtest")
        } else {
            base("XDG_DATA_HOME", ".local/share")?.join("kubebuilder-envtest")
        };
        let cache = if cfg!(target_os = "macos") {
            home.as_ref()?.join("Library/Caches")
        } else {
            base("XDG_CACHE_HOME", ".cache")?
        };
        // Supervisors have another working directory, so paths must be absolute.
        let absolute = |path: PathBuf| std::path::absolute(&path).unwrap_or(path);
        Some(Places {
            store: absolute(store),
            state: absolute(base("XDG_STATE_HOME", ".local/state")?.join("opctl/envtest")),
            ports: absolute(cache.join("kubebuilder-envtest")),
        })
    }
}

/// Returns this machine's operating system and architecture with the names that Go uses, such as `linux-amd64`.
pub fn platform() -> String {
    let os = match std::env::consts::OS {
        "macos" => "darwin",
        other => other,
    };
    let arch = match std::env::consts::ARCH {
        "x86_64" => "amd64",
        "aarch64" => "arm64",
        "powerpc64" => "ppc64le",
        other => other,
    };
    format!("{os}-{arch}")
}

/// Returns the name of the environment variable for the path of `binary`, such as `TEST_ASSET_KUBE_APISERVER`.
fn asset_variable(binary: &str) -> String {
    let mut name = String::from("TEST_ASSET_");
    let letters = binary.trim_start_matches(|letter: char| letter.is_ascii_digit());
    for letter in letters.to_uppercase().chars() {
        if letter.is_ascii_alphanumeric() {
            name.push(letter);
        } else if !name.ends_with('_') {
            name.push('_');
        }
    }
    name
}

/// The path of a program, and the environment variable that determined the path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct ProgramPath {
    /// The path of the program, which need not exist.
    pub(super) path: PathBuf,
    /// The environment variable that determined the path, if any.
    pub(super) variable: Option<String>,
}

/// Locates `binary` as controller-runtime does: by `TEST_ASSET_<NAME>`, then `KUBEBUILDER_ASSETS`, then in `directory`,
/// then in `/usr/local/kubebuilder/bin` (`pkg/internal/testing/process`). A variable takes precedence even if it names
/// a file that does not exist.
pub(super) fn locate(binary: &str, directory: Option<&Path>) -> ProgramPath {
    locate_in(binary, directory, &variable)
}

fn locate_in(binary: &str, directory: Option<&Path>, variable: &dyn Fn(&str) -> Option<OsString>) -> ProgramPath {
    let asset = asset_variable(binary);
    if let Some(path) = variable(&asset) {
        return ProgramPath { path: path.into(), variable: Some(asset) };
    }
    if let Some(assets) = variable("KUBEBUILDER_ASSETS") {
        return ProgramPath { path: Path::new(&assets).join(binary), variable: Some("KUBEBUILDER_ASSETS".to_owned()) };
    }
    let directory = directory.unwrap_or(Path::new("/usr/local/kubebuilder/bin"));
    ProgramPath { path: directory.join(binary), variable: None }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn environment<'a>(pairs: &'a [(&'a str, &'a str)]) -> impl Fn(&str) -> Option<OsString> + 'a {
        |name| pairs.iter().find(|(key, _)| *key == name).map(|(_, value)| OsString::from(value))
    }

    #[test]
    #[cfg(target_os = "linux")]
    fn folders_follow_the_environment() {
        let home = Places::new(&environment(&[("HOME", "/home/ada")])).unwrap();
        assert_eq!(home.store, Path::new("/home/ada/.local/share/kubebuilder-envtest"));
        assert_eq!(home.state, Path::new("/home/ada/.local/state/opctl/envtest"));
        assert_eq!(home.ports, Path::new("/home/ada/.cache/kubebuilder-envtest"));
        let set = [("HOME", "/home/ada"), ("XDG_DATA_HOME", "/data"), ("XDG_STATE_HOME", "/state")];
        let set = Places::new(&environment(&set)).unwrap();
        assert_eq!(set.store, Path::new("/data/kubebuilder-envtest"));
        assert_eq!(set.state, Path::new("/state/opctl/envtest"));
        assert_eq!(Places::new(&environment(&[])), None);
    }

    #[test]
    fn a_variable_is_named_as_controller_runtime_names_it() {
        assert_eq!(asset_variable("kube-apiserver"), "TEST_ASSET_KUBE_APISERVER");
        assert_eq!(asset_variable("etcd"), "TEST_ASSET_ETCD");
        assert_eq!(asset_variable("1odd--name"), "TEST_ASSET_ODD_NAME");
    }

    #[test]
    fn programs_are_looked_for_in_controller_runtimes_order() {
        let find = |pairs: &[(&str, &str)], directory: Option<&str>| {
            locate_in("etcd", directory.map(Path::new), &environment(pairs)).path
        };
        let both = [("TEST_ASSET_ETCD", "/own/etcd"), ("KUBEBUILDER_ASSETS", "/assets")];
        assert_eq!(find(&both, Some("/store")), Path::new("/own/etcd"));
        assert_eq!(find(&both[1..], Some("/store")), Path::new("/assets/etcd"));
        assert_eq!(find(&[], Some("/store")), Path::new("/store/etcd"));
        assert_eq!(find(&[], None), Path::new("/usr/local/kubebuilder/bin/etcd"));
    }
}
