//! Container tools and local clusters: the check that a tool works, and the command lines of each tool.

use super::answer::failure_reason;
use crate::host::is_this_machine;
use std::process::{Command, Stdio};

/// A program that builds images.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum ContainerTool {
    /// Docker.
    Docker,
    /// Podman.
    Podman,
    /// Buildah.
    Buildah,
    /// nerdctl, for containerd.
    Nerdctl,
}

/// A local cluster that images are loaded into.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum LocalCluster {
    /// A cluster created by kind.
    Kind,
    /// A cluster created by k3d.
    K3d,
    /// A cluster created by minikube.
    Minikube,
    /// The node of a control plane that `opctl envtest start --node` started.
    Node,
}

/// The reason why a container tool cannot build an image: a missing part of the tool.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Lack {
    /// The program is not installed.
    Program,
    /// The container engine does not run; the text is the error message of the container tool.
    Engine(String),
    /// Docker's plugin buildx is missing. `BuildKit` needs the plugin to set `$BUILDPLATFORM` and to build images for
    /// several platforms.
    Buildx,
    /// Docker lacks a builder that can store images for several platforms. The selected builder is the builder inside
    /// the Docker engine. For several platforms, this builder needs containerd's image store
    /// (<https://docs.docker.com/build/building/multi-platform/#prerequisites>), and the engine does not use this
    /// store.
    Builder,
}

/// An image to build.
#[derive(Clone, Debug)]
pub struct ImageBuild {
    /// The reference of the image.
    pub image: String,
    /// Platforms such as `linux/arm64`; empty for this machine's platform.
    pub platforms: Vec<String>,
    /// True if the Dockerfile reads `$BUILDPLATFORM`: Docker's old builder does not set it.
    pub needs_buildkit: bool,
    /// True if the image is pushed to its registry.
    pub push: bool,
    /// The local cluster that the image is loaded into; `None` if the image is not loaded into a cluster.
    pub load: Option<LocalCluster>,
    /// The name of the local cluster; `None` for the default of the cluster's tool.
    pub cluster: Option<String>,
    /// The path of the archive from which the image is loaded into a local cluster.
    pub archive: String,
    /// The name of the manifest list in which podman and buildah collect the images of several platforms until the
    /// push. No manifest list with this name may exist: podman and buildah would add the images to the existing list,
    /// and the push would include the images of an earlier build.
    pub list: String,
}

impl ImageBuild {
    /// Returns true if the build has several platforms, so that only a registry can hold the resulting list of images.
    fn is_for_several(&self) -> bool {
        self.platforms.len() > 1
    }
}

impl LocalCluster {
    /// Returns the command line that loads the archive of an image into the local cluster named `cluster`.
    pub fn load_line(self, archive: &str, cluster: Option<&str>) -> Vec<String> {
        let words = match self {
            LocalCluster::Kind => ["kind", "load", "image-archive", archive],
            LocalCluster::K3d => ["k3d", "image", "import", archive],
            LocalCluster::Minikube => ["minikube", "image", "load", archive],
            LocalCluster::Node => ["opctl", "envtest", "load", archive],
        };
        self.in_cluster(words.map(str::to_owned).to_vec(), cluster)
    }

    fn in_cluster(self, mut line: Vec<String>, cluster: Option<&str>) -> Vec<String> {
        let flag = match self {
            LocalCluster::Kind | LocalCluster::Node => "--name",
            LocalCluster::K3d => "--cluster",
            LocalCluster::Minikube => "--profile",
        };
        line.extend(cluster.into_iter().flat_map(|cluster| [flag.to_owned(), cluster.to_owned()]));
        line
    }
}

impl ContainerTool {
    /// All tools, in the order in which they are tried.
    pub const ALL: [ContainerTool; 4] =
        [ContainerTool::Docker, ContainerTool::Podman, ContainerTool::Buildah, ContainerTool::Nerdctl];

    /// Returns the name of the program.
    pub fn program(self) -> &'static str {
        match self {
            ContainerTool::Docker => "docker",
            ContainerTool::Podman => "podman",
            ContainerTool::Buildah => "buildah",
            ContainerTool::Nerdctl => "nerdctl",
        }
    }

    /// Checks that the container tool works and can build this image. Without a container engine, the tool is only a
    /// client and cannot build images.
    ///
    /// # Errors
    /// Fails with the missing part: the program, engine, buildx or builder.
    pub fn check(self, build: &ImageBuild) -> Result<(), Lack> {
        let ask = |words: &[&str]| Command::new(self.program()).args(words).stdin(Stdio::null()).output();
        let engine = ask(&["info"]).map_err(|_| Lack::Program)?;
        if !engine.status.success() {
            return Err(Lack::Engine(failure_reason(&engine)));
        }
        if self != ContainerTool::Docker || !(build.needs_buildkit || build.is_for_several()) {
            return Ok(());
        }
        if !ask(&["buildx", "version"]).is_ok_and(|buildx| buildx.status.success()) {
            // Older versions have BuildKit without the plugin, for one platform.
            let version = ask(&["version", "--format", "{{.Client.Version}}"]).ok();
            let is_old = version.is_some_and(|version| has_buildkit(&String::from_utf8_lossy(&version.stdout)));
            return if is_old && !build.is_for_several() { Ok(()) } else { Err(Lack::Buildx) };
        }
        if !build.is_for_several() {
            return Ok(());
        }
        let builder = ask(&["buildx", "inspect"]).map_err(|_| Lack::Program)?;
        let builder = String::from_utf8_lossy(&builder.stdout);
        let mut drivers = builder.lines().filter_map(|line| line.strip_prefix("Driver:"));
        let is_the_engine = drivers.any(|driver| driver.trim() == "docker");
        let has_store = String::from_utf8_lossy(&engine.stdout).contains("io.containerd.snapshotter");
        if is_the_engine && !has_store { Err(Lack::Builder) } else { Ok(()) }
    }

    /// Returns the command lines that build, push and load the image, to be run one after the other in the project's
    /// folder.
    pub fn command_lines(self, build: &ImageBuild) -> Vec<Vec<String>> {
        let several = build.is_for_several();
        let program = self.program();
        let image = build.image.as_str();
        let platforms = build.platforms.join(",");
        let platform: Vec<&str> = if platforms.is_empty() { Vec::new() } else { vec!["--platform", &platforms] };
        let line = |words: &[&[&str]]| words.concat().into_iter().map(str::to_owned).collect::<Vec<_>>();
        // Only buildah keeps no layers unless it is told to: each change would compile every dependency again.
        let layers: &[&str] = if self == ContainerTool::Buildah { &["--layers"] } else { &[] };
        let mut lines = Vec::new();
        match self {
            // Several platforms are one image only in the registry.
            ContainerTool::Docker if several => {
                return vec![line(&[&["docker", "buildx", "build"], &platform, &["--tag", image, "--push", "."]])];
            }
            ContainerTool::Podman | ContainerTool::Buildah if several => {
                lines.push(line(&[&[program, "build"], layers, &platform, &["--manifest", &build.list, "."]]));
            }
            _ => lines.push(line(&[&[program, "build"], layers, &platform, &["--tag", image, "."]])),
        }
        if build.push {
            let remote = format!("docker://{image}");
            // Docker and nerdctl ask a registry of this machine by http anyway.
            let is_local = image.split_once('/').is_some_and(|(host, _)| is_this_machine(host));
            let http: &[&str] = if is_local { &["--tls-verify=false"] } else { &[] };
            lines.push(match self {
                ContainerTool::Podman | ContainerTool::Buildah if several => {
                    line(&[&[program, "manifest", "push", "--all", "--rm"], http, &[&build.list, &remote]])
                }
                ContainerTool::Podman | ContainerTool::Buildah => line(&[&[program, "push"], http, &[image]]),
                ContainerTool::Nerdctl if several => line(&[&[program, "push", "--all-platforms", image]]),
                _ => line(&[&[program, "push", image]]),
            });
        }
        if let Some(cluster) = build.load {
            lines.extend(self.load(cluster, build));
        }
        lines
    }

    /// Returns the command line that writes the image to `archive`, as `docker save` does.
    pub fn save_line(self, image: &str, archive: &str) -> Vec<String> {
        let target = format!("docker-archive:{archive}:{image}");
        let words = match self {
            ContainerTool::Buildah => vec!["buildah", "push", image, &target],
            _ => vec![self.program(), "save", "--output", archive, image],
        };
        words.into_iter().map(str::to_owned).collect()
    }

    /// Returns the command lines that load the image into `cluster`. An image of Docker is loaded by its name. An image
    /// of another tool is first saved as an archive, because kind, k3d and minikube find only Docker's images by name;
    /// [`LocalCluster::Node`] needs no archive.
    fn load(self, cluster: LocalCluster, build: &ImageBuild) -> Vec<Vec<String>> {
        let (image, archive) = (build.image.as_str(), build.archive.as_str());
        let line = |words: &[&str]| words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>();
        let is_by_name = self == ContainerTool::Docker || cluster == LocalCluster::Node;
        let save = (!is_by_name).then(|| self.save_line(image, archive));
        let source = if is_by_name { image } else { archive };
        let name = build.cluster.as_deref();
        let load = match cluster {
            LocalCluster::Kind if is_by_name => {
                cluster.in_cluster(line(&["kind", "load", "docker-image", source]), name)
            }
            LocalCluster::Node => {
                cluster.in_cluster(line(&["opctl", "envtest", "load", source, "--tool", self.program()]), name)
            }
            _ => cluster.load_line(source, name),
        };
        save.into_iter().chain([load]).collect()
    }
}

/// Returns true if Docker's client of the version `version` includes `BuildKit` without a plugin.
fn has_buildkit(version: &str) -> bool {
    let major = version.trim().split('.').next().and_then(|major| major.parse::<u32>().ok());
    major.is_some_and(|major| (19..23).contains(&major))
}

#[cfg(test)]
mod tests {
    use super::ContainerTool::{Buildah, Docker, Nerdctl, Podman};
    use super::*;

    #[test]
    fn some_versions_of_docker_need_no_plugin() {
        for (version, expected) in
            [("20.10.24+dfsg1\n", true), ("19.03.1", true), ("18.09.1", false), ("28.2.2", false), ("", false)]
        {
            assert_eq!(has_buildkit(version), expected, "{version}");
        }
    }

    fn image(platforms: &[&str], push: bool, load: Option<LocalCluster>) -> ImageBuild {
        ImageBuild {
            image: "r/web:1".to_owned(),
            platforms: platforms.iter().map(|platform| (*platform).to_owned()).collect(),
            needs_buildkit: true,
            push,
            load,
            cluster: None,
            archive: "a.tar".to_owned(),
            list: "list".to_owned(),
        }
    }

    fn lines(tool: ContainerTool, build: &ImageBuild) -> Vec<String> {
        tool.command_lines(build).iter().map(|line| line.join(" ")).collect()
    }

    const ONE: &[&str] = &["linux/arm64"];
    const TWO: &[&str] = &["linux/amd64", "linux/arm64"];

    /// A test case: the tool, the platforms, true if the image is pushed, the cluster that the image is loaded into,
    /// and the expected command lines.
    type Build = (ContainerTool, &'static [&'static str], bool, Option<LocalCluster>, &'static [&'static str]);

    const BUILDS: &[Build] = &[
        (Docker, &[], false, None, &["docker build --tag r/web:1 ."]),
        (Docker, ONE, true, None, &["docker build --platform linux/arm64 --tag r/web:1 .", "docker push r/web:1"]),
        (Docker, TWO, true, None, &["docker buildx build --platform linux/amd64,linux/arm64 --tag r/web:1 --push ."]),
        (
            Docker,
            &[],
            false,
            Some(LocalCluster::Kind),
            &["docker build --tag r/web:1 .", "kind load docker-image r/web:1"],
        ),
        (
            Podman,
            TWO,
            true,
            None,
            &[
                "podman build --platform linux/amd64,linux/arm64 --manifest list .",
                "podman manifest push --all --rm list docker://r/web:1",
            ],
        ),
        (
            Podman,
            &[],
            false,
            Some(LocalCluster::Kind),
            &["podman build --tag r/web:1 .", "podman save --output a.tar r/web:1", "kind load image-archive a.tar"],
        ),
        (
            Buildah,
            &[],
            true,
            Some(LocalCluster::Minikube),
            &[
                "buildah build --layers --tag r/web:1 .",
                "buildah push r/web:1",
                "buildah push r/web:1 docker-archive:a.tar:r/web:1",
                "minikube image load a.tar",
            ],
        ),
        (
            Nerdctl,
            TWO,
            true,
            None,
            &[
                "nerdctl build --platform linux/amd64,linux/arm64 --tag r/web:1 .",
                "nerdctl push --all-platforms r/web:1",
            ],
        ),
        (
            Nerdctl,
            &[],
            false,
            Some(LocalCluster::K3d),
            &["nerdctl build --tag r/web:1 .", "nerdctl save --output a.tar r/web:1", "k3d image import a.tar"],
        ),
    ];

    #[test]
    fn each_tool_is_asked_in_its_own_words() {
        for &(tool, platforms, push, load, expected) in BUILDS {
            assert_eq!(lines(tool, &image(platforms, push, load)), expected);
        }
    }

    #[test]
    fn a_registry_of_this_machine_is_asked_by_http() {
        for (tool, platforms, expected) in [
            (Docker, &[][..], "docker push localhost:5001/web:1"),
            (Nerdctl, &[], "nerdctl push localhost:5001/web:1"),
            (Podman, &[], "podman push --tls-verify=false localhost:5001/web:1"),
            (Buildah, &[], "buildah push --tls-verify=false localhost:5001/web:1"),
            (
                Podman,
                &["linux/amd64", "linux/arm64"],
                "podman manifest push --all --rm --tls-verify=false list docker://localhost:5001/web:1",
            ),
        ] {
            let local = ImageBuild { image: "localhost:5001/web:1".to_owned(), ..image(platforms, true, None) };
            assert_eq!(lines(tool, &local).last().unwrap(), expected);
        }
    }

    #[test]
    fn a_cluster_has_a_name() {
        for (load, expected) in [
            (LocalCluster::Kind, "kind load docker-image r/web:1 --name dev"),
            (LocalCluster::K3d, "k3d image import r/web:1 --cluster dev"),
            (LocalCluster::Minikube, "minikube image load r/web:1 --profile dev"),
            (LocalCluster::Node, "opctl envtest load r/web:1 --tool docker --name dev"),
        ] {
            let build = ImageBuild { cluster: Some("dev".to_owned()), ..image(&[], false, Some(load)) };
            assert_eq!(lines(ContainerTool::Docker, &build).last().unwrap(), expected);
        }
    }
}
