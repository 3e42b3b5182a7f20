//! Checks that the programs that opctl starts are installed and new enough.

use super::project::rust_version;
use super::versions::version;
use crate::error::{Hint, hint};
use crate::exec::{Answer, ContainerTool, answer, cargo_program};
use crate::report::Check;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

const RUST: &str = "install Rust from https://rustup.rs, then open a new shell";
const KUBECTL: &str = "install kubectl: https://kubernetes.io/docs/tasks/tools/";
const CONTAINERS: &str = "install a container tool, for example Podman: https://podman.io/docs/installation";

/// The checks of the tools, and the version of kubectl.
pub(super) struct Tools {
    pub(super) checks: Vec<Check>,
    /// The version of kubectl, such as `v1.36.1`.
    pub(super) kubectl: Option<String>,
}

/// Runs all tools at the same time, and waits for each tool's answer for at most `limit`.
pub(super) async fn tools(root: Option<&Path>, limit: Duration) -> Tools {
    // The tools run in the project's folder, as a project may name its own toolchain.
    let place = root.unwrap_or(Path::new("."));
    let (cargo, rustc, (kubectl, version), containers) = tokio::join!(
        answer(cargo_program(), &["--version"], place, limit),
        answer("rustc", &["--version"], place, limit),
        kubectl(place, limit),
        containers(place, limit),
    );
    let checks = vec![
        tool_check("cargo", cargo, RUST, Check::error),
        rust(rustc, root.and_then(rust_version).as_deref()),
        kubectl,
        containers,
    ];
    Tools { checks, kubectl: version }
}

/// Returns the result of checking the tool `name`: ok if the tool answers, in any version. If the tool is not
/// installed, does not work or does not answer, returns the warning or error that `lacking` creates.
fn tool_check(name: &str, answer: Answer, install: impl Into<Hint>, lacking: fn(&str, String, Hint) -> Check) -> Check {
    let message = match answer {
        Answer::Said(text) => return Check::ok(name, text.trim().to_owned()),
        Answer::Missing => "not installed, or not on PATH".to_owned(),
        Answer::Failed(reason) => format!("it does not work: {reason}"),
        Answer::Silent => "it does not answer".to_owned(),
    };
    lacking(name, message, install.into())
}

/// Checks the compiler against the project's `rust-version`.
fn rust(answer: Answer, wanted: Option<&str>) -> Check {
    let check = tool_check("rustc", answer, RUST, Check::error);
    let Some((found, wanted)) = version(&check.message).zip(wanted) else { return check };
    if version(wanted).is_some_and(|wanted| found < wanted) {
        let message = format!("{}, and the project needs {wanted}", check.message);
        return Check::error("rustc", message, "rustup update stable");
    }
    check
}

async fn kubectl(place: &Path, limit: Duration) -> (Check, Option<String>) {
    let answer = answer("kubectl", &["version", "--client", "--output=json"], place, limit).await;
    if let Answer::Said(text) = &answer {
        let parsed: Value = serde_json::from_str(text).unwrap_or_default();
        if let Some(version) = parsed["clientVersion"]["gitVersion"].as_str() {
            return (Check::ok("kubectl", version), Some(version.to_owned()));
        }
    }
    (tool_check("kubectl", answer, KUBECTL, Check::warning), None)
}

/// Checks that the engine of a container tool answers; only `opctl build` needs a container tool.
async fn containers(place: &Path, limit: Duration) -> Check {
    let ask =
        |tool: ContainerTool| async move { (tool.program(), answer(tool.program(), &["info"], place, limit).await) };
    let [docker, podman, buildah, nerdctl] = ContainerTool::ALL;
    let (docker, podman, buildah, nerdctl) = tokio::join!(ask(docker), ask(podman), ask(buildah), ask(nerdctl));
    choose([docker, podman, buildah, nerdctl])
}

fn choose(answers: [(&'static str, Answer); 4]) -> Check {
    const NAME: &str = "containers";
    if let Some((program, _)) = answers.iter().find(|(_, answer)| matches!(answer, Answer::Said(_))) {
        return Check::ok(NAME, format!("{program} works"));
    }
    match answers.into_iter().find(|(_, answer)| *answer != Answer::Missing) {
        Some((program, answer)) => {
            let hint = hint!("start the container engine, then check: {program} info", program);
            let check = tool_check(NAME, answer, hint, Check::warning);
            Check { message: format!("{program}: {}", check.message), ..check }
        }
        None => Check::warning(
            NAME,
            "none of docker, podman, buildah and nerdctl is installed, and `opctl build` needs one of them",
            CONTAINERS,
        ),
    }
}

/// Returns a warning if kubectl differs from the server by more than one minor version, which Kubernetes does not
/// support.
pub(super) fn skew(client: &str, server: &str) -> Option<Check> {
    let (found, wanted) = (version(client)?, version(server)?);
    if found.0 == wanted.0 && found.1.abs_diff(wanted.1) <= 1 {
        return None;
    }
    let message = format!("{client} is more than one minor version away from the server's {server}");
    Some(Check::warning("kubectl", message, KUBECTL))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;

    fn said(text: &str) -> Answer {
        Answer::Said(text.to_owned())
    }

    #[test]
    fn an_old_compiler_must_be_mended() {
        let verdict = |text: &str, wanted| rust(said(text), wanted).verdict;
        assert_eq!(verdict("rustc 1.89.0 (29483883e 2025-08-04)\n", Some("1.89")), Verdict::Ok);
        assert_eq!(verdict("rustc 1.90.0-nightly (29483883e)", Some("1.89")), Verdict::Ok);
        assert_eq!(verdict("rustc 1.88.1", None), Verdict::Ok);
        let old = rust(said("rustc 1.88.1"), Some("1.89"));
        assert_eq!(old, Check::error("rustc", "rustc 1.88.1, and the project needs 1.89", "rustup update stable"));
        assert_eq!(rust(Answer::Missing, Some("1.89")).verdict, Verdict::Error);
    }

    #[test]
    fn kubectl_may_be_one_minor_version_away() {
        assert_eq!(skew("v1.36.1", "v1.35.0+k3s1"), None);
        assert_eq!(skew("odd", "v1.35.0"), None);
        let check = skew("v1.33.1", "v1.35.0").unwrap();
        assert!(check.message.starts_with("v1.33.1 is more than one minor version away"), "{check:?}");
    }

    #[test]
    fn one_container_tool_that_works_is_enough() {
        let failed = || Answer::Failed("no engine".to_owned());
        let all = |docker, podman| {
            choose([("docker", docker), ("podman", podman), ("buildah", Answer::Missing), ("nerdctl", Answer::Missing)])
        };
        assert_eq!(all(failed(), said("")), Check::ok("containers", "podman works"));
        assert_eq!(all(Answer::Missing, failed()).message, "podman: it does not work: no engine");
        assert_eq!(all(Answer::Silent, Answer::Missing).message, "docker: it does not answer");
        assert_eq!(all(Answer::Missing, Answer::Missing).hint, Some(CONTAINERS.into()));
    }
}
