//! The workflow that opens a pull request with the changes of a newer opctl. Its commands run here in a clone as on
//! a runner, with a fake `gh` that records its arguments.

use super::earlier;
use crate::merges::Repository;
use crate::support::{Place, text, tool};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::PathBuf;
use std::process::Output;

const README: &str = "README.md";
const OLD: &str = "\nA line that is not generated any more.\n";

/// A fake `gh`: `gh pr create` writes its arguments to `pull-requests`, and `gh pr list` then lists a pull request.
const GH: &str = r#"#!/bin/bash
requests="$(dirname "$0")/pull-requests"
case "$1 $2" in
  "pr list") [ ! -s "$requests" ] || echo '{"number":1}' ;;
  "pr create") [ ! -e "$(dirname "$0")/forbidden" ] || { echo "not permitted" >&2; exit 1; }; printf '%s\n' "$@" > "$requests" ;;
  *) exit 2 ;;
esac
"#;

/// A repository on a hosting service, and the folder with the programs and files of a CI runner.
struct Service {
    repository: Repository,
    folder: PathBuf,
}

impl Service {
    fn new(place: Place) -> Self {
        let repository = Repository::of(place);
        let folder = repository.place.root().parent().unwrap().join("runner");
        fs::create_dir(&folder).unwrap();
        fs::write(folder.join("gh"), GH).unwrap();
        fs::set_permissions(folder.join("gh"), fs::Permissions::from_mode(0o755)).unwrap();
        std::os::unix::fs::symlink(env!("CARGO_BIN_EXE_opctl"), folder.join("opctl")).unwrap();
        Service { repository, folder }
    }

    /// Clones the repository and runs the last step of the workflow there.
    fn run(&self) -> Output {
        let workflow = self.repository.read(".github/workflows/update.yaml");
        let workflow: serde_json::Value = serde_yaml::from_str(&workflow).unwrap();
        let steps = workflow["jobs"]["opctl"]["steps"].as_array().unwrap();
        let commands = steps.last().unwrap()["run"].as_str().unwrap();
        let clone = self.folder.join("clone");
        let _ = fs::remove_dir_all(&clone);
        self.repository.git(&["clone", "-q", ".", clone.to_str().unwrap()]);
        let commands = format!("PATH=\"$RUNNER_TEMP:$PATH\"\n{commands}");
        tool("bash").args(["-ec", &commands]).current_dir(clone).env("RUNNER_TEMP", &self.folder).output().unwrap()
    }

    #[track_caller]
    fn passes(&self) {
        let output = self.run();
        assert!(output.status.success(), "{}{}", text(&output.stdout), text(&output.stderr));
    }

    fn branches(&self) -> String {
        self.repository.git(&["branch", "--format=%(refname:short)"])
    }

    fn requested(&self) -> Option<String> {
        fs::read_to_string(self.folder.join("pull-requests")).ok()
    }
}

fn branch() -> String {
    format!("opctl-{}", env!("CARGO_PKG_VERSION"))
}

/// Returns a repository with a project for which an earlier opctl has generated another README.
fn outdated() -> Service {
    let place = Place::with_project();
    place.ok(&["manifests"]);
    earlier(&place, README, |text| format!("{text}{OLD}"));
    Service::new(place)
}

#[test]
fn a_project_that_is_up_to_date_gets_no_pull_request() {
    let place = Place::with_project();
    place.ok(&["manifests"]);
    let service = Service::new(place);
    service.passes();
    assert_eq!((service.branches().as_str(), service.requested()), ("main\n", None));
}

#[test]
fn a_pull_request_has_what_the_newer_opctl_generates_and_is_opened_once() {
    let service = outdated();
    service.passes();
    let requested = service.requested().unwrap();
    assert!(requested.contains(&format!("--head\n{}\n", branch())), "{requested}");
    assert!(requested.contains("          update README.md\n"), "{requested}");
    service.repository.git(&["checkout", "-q", &branch()]);
    assert!(!service.repository.read(README).contains(OLD));
    service.repository.place.ok(&["update", "--check"]);
    service.repository.place.ok(&["manifests", "--check"]);

    service.repository.commit("What a reviewer adds");
    service.repository.git(&["checkout", "-q", "main"]);
    let before = service.repository.git(&["rev-parse", &branch()]);
    service.passes();
    assert_eq!(service.repository.git(&["rev-parse", &branch()]), before, "the branch of a reviewer stays");
}

#[test]
fn a_conflict_is_shown_by_the_pull_request() {
    let service = outdated();
    service.repository.write(README, |text| text.replace(OLD, "\nA line of the team.\n"));
    service.repository.commit("Edit the line");
    service.passes();
    let requested = service.requested().unwrap();
    assert!(requested.contains("`README.md` is in conflict with what opctl generates"), "{requested}");
    service.repository.git(&["checkout", "-q", &branch()]);
    let readme = service.repository.read(README);
    assert!(readme.contains("<<<<<<<") && readme.contains("A line of the team."), "{readme}");
}

#[test]
fn a_pull_request_that_was_refused_is_opened_by_the_next_run() {
    let service = outdated();
    fs::write(service.folder.join("forbidden"), "").unwrap();
    assert_eq!(service.run().status.code(), Some(1));
    assert_eq!((service.branches(), service.requested()), (format!("main\n{}\n", branch()), None));
    fs::remove_file(service.folder.join("forbidden")).unwrap();
    service.passes();
    assert!(service.requested().is_some());
}

#[test]
fn an_update_that_fails_pushes_nothing() {
    let service = outdated();
    fs::remove_file(service.repository.place.root().join(".opctl/files.yaml")).unwrap();
    service.repository.commit("Remove the record");
    let output = service.run();
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stdout).contains("`.opctl/files.yaml` is missing"), "{}", text(&output.stdout));
    assert_eq!((service.branches().as_str(), service.requested()), ("main\n", None));
}

#[test]
fn a_project_that_cargo_refuses_gets_its_pull_request() {
    let service = outdated();
    service.repository.write("Cargo.toml", |text| format!("{text}[[\n"));
    service.repository.commit("Break it");
    service.passes();
    assert!(service.requested().unwrap().contains("opctl manifests fails."));
}
