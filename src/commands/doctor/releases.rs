//! Compares the Kubernetes crates with their newest releases, which `cargo info` reads from the registry.

use super::project::crates_of;
use super::versions::version;
use crate::error::{Hint, hint};
use crate::exec::{Answer, answer, cargo_program};
use crate::report::Check;
use futures_util::future::join_all;
use std::path::Path;
use std::time::Duration;

/// Compares the crates of the project at `root` with their newest releases; returns no check outside of a project.
pub(super) async fn releases(root: Option<&Path>, limit: Duration) -> Vec<Check> {
    let Some(root) = root else { return Vec::new() };
    let ask = |(name, found): (&'static str, String)| async move {
        let arguments = ["info", "--color", "never", name];
        judge(name, &found, answer(cargo_program(), &arguments, root, limit).await)
    };
    join_all(crates_of(root).into_iter().map(ask)).await
}

fn judge(name: &str, found: &str, answer: Answer) -> Check {
    let unknown = |reason: &str| {
        Check::warning(
            name,
            format!("{found}; its newest release is unknown: {reason}"),
            hint!("cargo info {name}", name),
        )
    };
    let text = match answer {
        Answer::Said(text) => text,
        Answer::Failed(reason) => return unknown(&reason),
        Answer::Missing => return unknown("cargo is not installed"),
        Answer::Silent => return unknown("cargo does not answer"),
    };
    let is_version = |word: &&str| semver::Version::parse(word).is_ok();
    let Some(newest) = newest(&text).filter(is_version) else { return unknown("cargo does not name it") };
    let (Some(of_project), Some(of_registry)) = (version(found), version(newest)) else {
        return unknown("cargo names no version");
    };
    if of_registry <= of_project {
        return Check::ok(name, format!("{found}, the newest release"));
    }
    let is_compatible = match of_project {
        (0, minor, _) => of_registry.0 == 0 && of_registry.1 == minor,
        (major, ..) => of_registry.0 == major,
    };
    let hint = if is_compatible {
        hint!("cargo update {name}", name)
    } else {
        Hint::snippet(format!(
            "{name} = \"{newest}\"    # in Cargo.toml, with the same features as before; its changelog lists other \
             changes"
        ))
    };
    Check::warning(name, format!("{found}, and {newest} is released"), hint)
}

/// Returns the newest release from the text of `cargo info`: 5.0.0 for `version: 4.0.0 (latest 5.0.0)`, and for
/// `version: 5.0.0`, which cargo prints if 5.0.0 is the newest release.
fn newest(text: &str) -> Option<&str> {
    let said = text.lines().find_map(|line| line.strip_prefix("version:"))?;
    let words = || said.split_whitespace();
    let latest = words().skip_while(|word| *word != "(latest").nth(1);
    latest.map(|word| word.trim_end_matches(')')).or_else(|| words().next())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_release_is_taken_by_an_update_or_by_hand() {
        let judged =
            |found: &str, said: &str| judge("kube", found, Answer::Said(format!("kube #k8s\nversion: {said}\nx: y\n")));
        assert_eq!(judged("5.0.0", "5.0.0"), Check::ok("kube", "5.0.0, the newest release"));
        assert_eq!(judged("5.1.0", "5.0.0"), Check::ok("kube", "5.1.0, the newest release"));
        let hint = |found: &str, said: &str| judged(found, said).hint.unwrap();
        assert_eq!(hint("5.0.0", "5.0.0 (latest 5.1.2)"), "cargo update kube");
        assert_eq!(hint("0.29.0", "0.29.1"), "cargo update kube");
        assert!(hint("0.29.0", "0.29.0 (latest 0.30.0)").as_str().starts_with("kube = \"0.30.0\"    # in Cargo.toml"));
        assert!(hint("5.0.0", "5.0.0 (latest 6.0.0)").as_str().starts_with("kube = \"6.0.0\"    # in Cargo.toml"));
        let failed = judge("kube", "5.0.0", Answer::Failed("no network".to_owned()));
        assert_eq!(failed.message, "5.0.0; its newest release is unknown: no network");
        assert_eq!(judged("5.0.0", "").hint, Some("cargo info kube".into()));
    }
}
