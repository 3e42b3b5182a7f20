//! containerd: its configuration, and its client `ctr`.

use super::commands::{entering, inside, refused_archive};
use super::pause::IMAGE;
use super::registry;
use crate::envtest::node_addresses::HOST;
use crate::exec;
use crate::{Error, Result};
use std::io::{ErrorKind, Read, Write};
use std::path::Path;
use std::process::Stdio;

/// The path of containerd's socket. A path below the user's state folder could exceed the length limit of socket
/// paths.
pub(super) const SOCKET: &str = "/run/containerd.sock";
const CONFIGURATION: &str = "containerd.toml";
/// The folder with containerd's settings for registries. It has a subfolder for each registry that the node reaches at
/// an address other than the one in the image names.
const REGISTRIES: &str = "registries";

pub(super) fn files(directory: &Path, plugins: &Path, registry: Option<u16>) -> Vec<(String, String)> {
    let mut files = vec![(CONFIGURATION.to_owned(), configuration(directory, plugins))];
    files.extend(registry.map(|port| {
        // In the node's network, `localhost` is the node.
        let host = format!("[host.\"http://{HOST}:{port}\"]\n  capabilities = [\"pull\", \"resolve\"]\n");
        (format!("{REGISTRIES}/{}/hosts.toml", registry::host(port)), host)
    }));
    files
}

pub(super) fn command_line(directory: &Path) -> Vec<String> {
    let configuration = directory.join(CONFIGURATION).display().to_string();
    ["containerd", "--config", &configuration].map(str::to_owned).into()
}

fn configuration(directory: &Path, plugins: &Path) -> String {
    let text = |path: &Path| toml_edit::Value::from(path.display().to_string()).to_string();
    let (root, network) = (text(&directory.join("containerd")), text(&directory.join("cni")));
    let (registries, opt) = (text(&directory.join(REGISTRIES)), text(&directory.join("opt")));
    format!(
        r#"version = 2
root ={root}
state = "/run/containerd"
[grpc]
  address = "{SOCKET}"
[plugins."io.containerd.internal.v1.opt"]
  path ={opt}
[plugins."io.containerd.grpc.v1.cri"]
  # Not every root may lower the score of a process.
  restrict_oom_score_adj = true
  sandbox_image = "{IMAGE}"
  [plugins."io.containerd.grpc.v1.cri".cni]
    bin_dir ={plugins}
    conf_dir ={network}
  [plugins."io.containerd.grpc.v1.cri".registry]
    config_path ={registries}
"#,
        plugins = text(plugins),
    )
}

/// Fails if containerd does not answer yet.
pub(super) fn answers(init: u32) -> Result<()> {
    inside(init, &["ctr", "--address", SOCKET, "version"]).map(drop)
}

/// Loads the images of an archive into containerd. Returns the names of the images.
pub(super) fn import(init: u32, archive: &mut dyn Read) -> Result<Vec<String>> {
    let failed = |error: std::io::Error| Error::environment("cannot load the images into the node").source(&error);
    let mut command = exec::command_for_this_process("nsenter").map_err(failed)?;
    command.args(entering(init)).args(["ctr", "--address", SOCKET, "--namespace", "k8s.io", "images", "import", "-"]);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = exec::spawn(&mut command).map_err(failed)?;
    if let Some(mut stdin) = child.child().stdin.take() {
        match std::io::copy(archive, &mut stdin).and_then(|_| stdin.flush()) {
            // `ctr` has closed the pipe: it says why, or has read all that it needs.
            Err(error) if error.kind() != ErrorKind::BrokenPipe => {
                // It would take the end of its input for that of the archive.
                drop(child);
                return Err(failed(error));
            }
            _ => {}
        }
    }
    let output = child.output().map_err(failed)?;
    if !output.status.success() {
        return Err(refused_archive(&String::from_utf8_lossy(&output.stderr)));
    }
    let said = String::from_utf8_lossy(&output.stdout).into_owned();
    Ok(said.lines().filter_map(image).map(str::to_owned).collect())
}

/// Adds another name to an image.
pub(super) fn tag(init: u32, image: &str, name: &str) -> Result<()> {
    let words = ["ctr", "--address", SOCKET, "--namespace", "k8s.io", "images", "tag", "--force", image, name];
    inside(init, &words).map(drop)
}

/// Returns the image name from a line of output of `ctr`: `unpacking NAME (sha256:…)...done`.
fn image(line: &str) -> Option<&str> {
    line.strip_prefix("unpacking ")?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::image;

    #[test]
    fn images_are_named_in_lines_of_ctr() {
        assert_eq!(image("unpacking localhost/web:1 (sha256:00)...done"), Some("localhost/web:1"));
        assert_eq!(image("elapsed: 1 s"), None);
    }
}
