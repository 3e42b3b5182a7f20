//! CRI-O: its configuration, and skopeo, which loads images into its store.

use super::commands::{inside, refused_archive};
use super::pause::IMAGE;
use super::registry;
use super::requirements::find;
use crate::envtest::node_addresses::HOST;
use crate::error::file_error;
use crate::{Error, Result};
use serde_json::{Value, json};
use std::io::Read;
use std::path::Path;

/// The socket of CRI-O.
pub(super) const SOCKET: &str = "/run/crio.sock";
const CONFIGURATION: &str = "crio.toml";
/// The name of the file with the policy for image signatures. skopeo and other container tools use the same formats as
/// CRI-O for this file and for the files `REGISTRIES` and `STORAGE`.
const POLICY: &str = "policy.json";
const REGISTRIES: &str = "registries.toml";
const STORAGE: &str = "storage.toml";
/// The folder for the temporary state of images and containers, on a tmpfs (a file system in memory).
const RUN: &str = "/run/containers";

pub(super) fn files(directory: &Path, plugins: &Path, registry: Option<u16>) -> Vec<(String, String)> {
    let files = [
        (CONFIGURATION, configuration(directory, plugins)),
        (POLICY, json!({"default": [{"type": "insecureAcceptAnything"}]}).to_string()),
        (REGISTRIES, registries(registry)),
        (STORAGE, storage(directory)),
    ];
    files.map(|(name, text)| (name.to_owned(), text)).into()
}

pub(super) fn command_line(directory: &Path) -> Vec<String> {
    let file = |name: &str| directory.join(name).display().to_string();
    vec![
        "env".to_owned(),
        format!("CONTAINER_REGISTRIES_CONF={}", file(REGISTRIES)),
        format!("CONTAINER_REGISTRIES_CONF_DIR={}", file("registries.d")),
        format!("CONTAINERS_STORAGE_CONF={}", file(STORAGE)),
        "crio".to_owned(),
        "--config".to_owned(),
        file(CONFIGURATION),
        // What this machine sets for its own node does not hold for this one.
        "--config-dir".to_owned(),
        file("crio.d"),
    ]
}

fn text(path: &Path) -> String {
    toml_edit::Value::from(path.display().to_string()).to_string()
}

fn configuration(directory: &Path, plugins: &Path) -> String {
    let path = |name: &str| text(&directory.join(name));
    let program = |name: &str| find(name).map(|path| text(&path)).unwrap_or_default();
    format!(
        r#"[crio]
root ={root}
runroot = "{RUN}"
storage_driver = "overlay"
log_dir = "/run/crio/logs"
version_file = "/run/crio/version"
version_file_persist = "/run/crio/version-persist"
clean_shutdown_file = "/run/crio/clean"
[crio.api]
listen = "{SOCKET}"
[crio.runtime]
cgroup_manager = "cgroupfs"
conmon_cgroup = "pod"
container_attach_socket_dir = "/run/crio/attach"
container_exits_dir = "/run/crio/exits"
default_runtime = "runc"
hooks_dir = []
namespaces_dir = "/run/crio/namespaces"
pinns_path ={pinns}
[crio.runtime.runtimes.runc]
runtime_path ={runc}
runtime_root = "/run/runc"
monitor_path ={conmon}
[crio.image]
pause_image = "{IMAGE}"
pause_command = "/pause"
signature_policy ={policy}
signature_policy_dir ={policies}
[crio.network]
network_dir ={network}
plugin_dirs = [{plugins}]
"#,
        root = path("containers"),
        pinns = program("pinns"),
        runc = program("runc"),
        conmon = program("conmon"),
        policy = path(POLICY),
        policies = path("policies"),
        network = path("cni"),
        plugins = text(plugins),
    )
}

/// Returns CRI-O's configuration of image registries. CRI-O looks up image names without a registry at `docker.io`, as
/// containerd does. `port` is the port of a registry on this machine; `None` without such a registry. The node pulls
/// images from this registry at the machine's address instead of `localhost`, because inside the node `localhost` is
/// the node itself.
fn registries(port: Option<u16>) -> String {
    let local = port.map(|port| {
        let host = registry::host(port);
        format!("[[registry]]\nprefix = \"{host}\"\nlocation = \"{HOST}:{port}\"\ninsecure = true\n")
    });
    format!("unqualified-search-registries = [\"docker.io\"]\n{}", local.unwrap_or_default())
}

fn storage(directory: &Path) -> String {
    let root = text(&directory.join("containers"));
    format!("[storage]\ndriver = \"overlay\"\ngraphroot ={root}\nrunroot = \"{RUN}\"\n")
}

/// Fails if the socket of CRI-O does not exist yet.
pub(super) fn answers(init: u32) -> Result<()> {
    inside(init, &["test", "-S", SOCKET]).map(drop)
}

/// Loads the images of an archive into the store of CRI-O. Returns the names of the images.
pub(super) fn import(init: u32, directory: &Path, archive: &mut dyn Read) -> Result<Vec<String>> {
    let failed = |error: std::io::Error| file_error("write an image in", directory, &error);
    let mut file = tempfile::NamedTempFile::new_in(directory).map_err(failed)?;
    std::io::copy(archive, &mut file).map_err(failed)?;
    import_file(init, directory, file.path())
}

fn import_file(init: u32, directory: &Path, archive: &Path) -> Result<Vec<String>> {
    let source = format!("docker-archive:{}", archive.display());
    let refused = |error: Error| refused_archive(&error.causes().join("\n"));
    let listed = inside(init, &["skopeo", "list-tags", &source]).map_err(refused)?;
    let listed: Value = serde_json::from_str(&listed).unwrap_or_default();
    let tags = listed["Tags"].as_array().into_iter().flatten().filter_map(Value::as_str);
    let names: Vec<String> = tags.map(str::to_owned).collect();
    if names.is_empty() {
        return Err(refused_archive("the images in the archive have no names"));
    }
    for name in &names {
        copy(init, directory, &format!("{source}:{name}"), name).map_err(refused)?;
    }
    Ok(names)
}

/// Adds another name to an image.
pub(super) fn tag(init: u32, directory: &Path, image: &str, name: &str) -> Result<()> {
    copy(init, directory, &store_reference(directory, image), name)
}

fn copy(init: u32, directory: &Path, source: &str, name: &str) -> Result<()> {
    inside(init, &["skopeo", "--insecure-policy", "copy", "--quiet", source, &store_reference(directory, name)])
        .map(drop)
}

/// Returns skopeo's reference to an image in the store of CRI-O.
fn store_reference(directory: &Path, image: &str) -> String {
    format!("containers-storage:[overlay@{}+{RUN}]{image}", directory.join("containers").display())
}
