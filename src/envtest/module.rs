//! Writes the Go module with which opctl builds the Kubernetes servers from source. `go install` refuses Kubernetes'
//! own module, because its go.mod replaces modules such as `k8s.io/api` with local folders. The go.mod that opctl
//! writes replaces each of these modules with its published version: v1.X.Y of Kubernetes corresponds to v0.X.Y of
//! these modules.

use super::golang::{self, GoVersion};
use super::kubernetes_version::{PINNED, Selector, Version};
use crate::error::{file_error, hint};
use crate::system;
use crate::{Error, Result};
use serde::Deserialize;
use std::fmt::Write;
use std::path::Path;

const PINNED_MODULE: &str = include_str!("wrapper/go.mod.txt");
const PINNED_SUMS: &str = include_str!("wrapper/go.sum.txt");

/// A Go package to build: the program's name and the package's import path.
pub(super) type Package = (&'static str, &'static str);

/// The packages of a control plane, in build order. In this order, later builds reuse most of the compiled code of
/// earlier builds.
pub(super) const PACKAGES: [Package; 3] = [
    (super::places::ETCD, "go.etcd.io/etcd/server/v3"),
    (super::places::API_SERVER, "k8s.io/kubernetes/cmd/kube-apiserver"),
    (super::places::CONTROLLER_MANAGER, "k8s.io/kubernetes/cmd/kube-controller-manager"),
];

/// The packages of a node, which are built after [`PACKAGES`].
pub(super) const NODE_PACKAGES: [Package; 3] = [
    ("kubelet", "k8s.io/kubernetes/cmd/kubelet"),
    ("kube-scheduler", "k8s.io/kubernetes/cmd/kube-scheduler"),
    ("kube-proxy", "k8s.io/kubernetes/cmd/kube-proxy"),
];

/// Returns the packages of a control plane and of a node, in build order.
pub(super) fn packages() -> impl Iterator<Item = Package> {
    PACKAGES.into_iter().chain(NODE_PACKAGES)
}

/// The first version of Go that supports `tool` directives in go.mod.
const TOOLS: GoVersion = (1, 24);

/// The part of Kubernetes' own go.mod that is read from the output of `go mod edit -json`.
#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Upstream {
    go: String,
    #[serde(default)]
    replace: Vec<Replace>,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct Replace {
    old: ModulePath,
    new: ModulePath,
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "PascalCase")]
struct ModulePath {
    path: String,
}

/// Returns the version of Go that the pinned go.mod, embedded in opctl, requires.
pub(super) fn pinned_go() -> GoVersion {
    let line = PINNED_MODULE.lines().find_map(|line| line.strip_prefix("go "));
    line.and_then(golang::parse).unwrap_or(TOOLS)
}

/// Writes the pinned module into `folder`. It fixes the version and the checksum of every module in the build.
pub(super) fn write_pinned(folder: &Path) -> Result<()> {
    write(folder, "go.mod", PINNED_MODULE)?;
    write(folder, "go.sum", PINNED_SUMS)
}

/// Writes a module for `version` into `folder`, and lets the Go tool resolve its dependencies.
pub(super) fn resolve(version: Version, folder: &Path) -> Result<()> {
    golang::require(TOOLS)?;
    write(folder, "go.mod", "module opctl.dev/controlplane\n")?;
    let module = format!("k8s.io/kubernetes@v{version}");
    let downloaded = golang::run(folder, &["mod", "download", "-json", &module])?;
    let unreadable = || Error::environment(format!("the output of the Go tool about `{module}` cannot be parsed"));
    let downloaded: serde_json::Value =
        serde_json::from_str(&downloaded).map_err(|error| unreadable().source(&error))?;
    let file = downloaded["GoMod"].as_str().ok_or_else(unreadable)?;
    let upstream = golang::run(folder, &["mod", "edit", "-json", file])?;
    let upstream: Upstream = serde_json::from_str(&upstream).map_err(|error| unreadable().source(&error))?;
    golang::require(golang::parse(&upstream.go).unwrap_or(TOOLS))?;
    write(folder, "go.mod", &module_text(version, &upstream))?;
    golang::run(folder, &["mod", "tidy"]).map(drop)
}

/// Returns the version to build: the pinned version if `selector` matches it, otherwise the newest published version
/// that matches.
pub(super) fn choose(selector: &Selector, folder: &Path) -> Result<Version> {
    if !selector.remote && selector.matches(PINNED) {
        return Ok(PINNED);
    }
    golang::require(TOOLS)?;
    write(folder, "go.mod", "module opctl.dev/controlplane\n")?;
    let listed = golang::run(folder, &["list", "-m", "-versions", "k8s.io/kubernetes"])?;
    let versions = listed.split_whitespace().filter_map(Version::parse);
    selector.newest(versions).ok_or_else(|| {
        Error::environment(format!("there is no version `{selector}` of Kubernetes"))
            .hint(hint!("opctl envtest setup {PINNED}", PINNED))
    })
}

/// Returns the linker flags, which omit the debug tables and set the version of the program in a format that clients
/// can parse.
pub(super) fn linker_flags(version: Version) -> String {
    let mut flags = String::from("-s -w");
    for package in ["k8s.io/component-base/version", "k8s.io/client-go/pkg/version"] {
        let Version { major, minor, .. } = version;
        let _ = write!(
            flags,
            " -X {package}.gitVersion=v{version} -X {package}.gitMajor={major} -X {package}.gitMinor={minor} \
             -X {package}.gitTreeState=clean -X {package}.gitCommit=0000000 -X {package}.buildDate=1970-01-01T00:00:00Z"
        );
    }
    flags
}

fn module_text(version: Version, upstream: &Upstream) -> String {
    let go = if golang::parse(&upstream.go).is_some_and(|go| go >= TOOLS) { upstream.go.as_str() } else { "1.24.0" };
    let mut text = format!("module opctl.dev/controlplane\n\ngo {go}\n\nrequire k8s.io/kubernetes v{version}\n\n");
    for (_, package) in packages() {
        let _ = writeln!(text, "tool {package}");
    }
    for part in upstream.replace.iter().filter(|part| part.new.path.starts_with("./staging/")) {
        let path = &part.old.path;
        let _ = write!(text, "\nreplace {path} => {path} v0.{}.{}", version.minor, version.patch);
    }
    text.push('\n');
    text
}

fn write(folder: &Path, name: &str, text: &str) -> Result<()> {
    let path = folder.join(name);
    system::write_file(&path, text).map_err(|error| file_error("write", &path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pinned_module_is_the_pinned_version() {
        assert!(PINNED_MODULE.contains(&format!("k8s.io/kubernetes v{PINNED}")));
        assert!(PINNED_SUMS.contains(&format!("k8s.io/kubernetes v{PINNED} h1:")));
        for (_, package) in packages() {
            assert!(PINNED_MODULE.contains(package), "{package}");
        }
        assert!(pinned_go() >= TOOLS);
    }

    #[test]
    fn parts_are_replaced_by_their_published_twins() {
        let upstream = r#"{"Go": "1.23.0", "Replace": [
            {"Old": {"Path": "k8s.io/api"}, "New": {"Path": "./staging/src/k8s.io/api"}},
            {"Old": {"Path": "example.com/fork"}, "New": {"Path": "example.com/other", "Version": "v1.0.0"}}]}"#;
        let upstream: Upstream = serde_json::from_str(upstream).unwrap();
        let text = module_text(Version::parse("1.32.3").unwrap(), &upstream);
        assert!(text.contains("\ngo 1.24.0\n") && text.contains("require k8s.io/kubernetes v1.32.3\n"));
        assert!(text.contains("\nreplace k8s.io/api => k8s.io/api v0.32.3\n"));
        assert!(!text.contains("example.com"));
    }

    #[test]
    fn servers_say_a_version_that_can_be_parsed() {
        let flags = linker_flags(PINNED);
        assert!(flags.contains("-X k8s.io/component-base/version.gitVersion=v1.36.4 "));
        assert!(flags.contains("-X k8s.io/client-go/pkg/version.gitMinor=36 "));
    }
}
