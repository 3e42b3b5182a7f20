//! A project that contains an attack, and files of its user that no command may touch.

use super::bounded::end_within;
use crate::support::{Place, Tree, assert_same, text, tree};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::PathBuf;
use std::process::{Output, Stdio};
use std::time::Duration;

/// The content of the victim's files.
pub(super) const KNOWN: &str = "known content\n";

/// A project that contains an attack, and beside it the folder `victim` of a user, whose files no command may change.
pub(super) struct Scene {
    pub(super) place: Place,
    before: Tree,
}

impl Scene {
    /// Makes a project and the user's files beside it, and lets `prepare` put an attack into the project.
    pub(super) fn new(prepare: impl FnOnce(&Place)) -> Self {
        let place = Place::with_project();
        let victim = place.root().with_file_name("victim");
        fs::create_dir_all(victim.join("keys")).unwrap();
        fs::write(victim.join("known"), KNOWN).unwrap();
        fs::write(victim.join("keys/id"), KNOWN).unwrap();
        fs::create_dir_all(place.root().join(".git/hooks")).unwrap();
        fs::write(place.root().join(".git/hooks/known"), KNOWN).unwrap();
        symlink("../victim", place.root().join("h")).unwrap();
        symlink(".git/hooks", place.root().join("g")).unwrap();
        prepare(&place);
        let before = outside(&place);
        Scene { place, before }
    }

    /// Runs a command that must end and change nothing outside of the project. Returns its exit code and stderr.
    #[track_caller]
    pub(super) fn run(&self, arguments: &[&str]) -> (Option<i32>, String) {
        let output = ended(&self.place, arguments);
        let said = text(&output.stderr);
        assert_same(&self.before, &outside(&self.place), &format!("{arguments:?}: {said}"));
        (output.status.code(), said)
    }

    /// Runs a command that has to be refused with this exit code and error, without changing the project.
    #[track_caller]
    pub(super) fn refused(&self, attack: &str, arguments: &[&str], code: i32, error: &str) {
        let before = self.place.content();
        let (now, said) = self.run(arguments);
        assert_eq!(now, Some(code), "{attack}, {arguments:?}: {said}");
        let hinted = said.split_once("\nhint: ").is_some_and(|(above, _)| above.contains(error));
        assert!(hinted, "{attack}, {arguments:?}, without `{error}` or a hint: {said}");
        assert_same(&before, &self.place.content(), &format!("{attack}, {arguments:?}: {said}"));
    }
}

/// Runs a command, and returns its output. Fails if the command takes longer than 30 seconds.
fn ended(place: &Place, arguments: &[&str]) -> Output {
    let mut child = place.command(arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    end_within(&mut child, Duration::from_secs(30), &format!("{arguments:?}"));
    child.wait_with_output().unwrap()
}

/// Returns the files that no command may change: the folder `.git` of the project, and everything beside the
/// project except the folder `home`.
fn outside(place: &Place) -> Tree {
    let above = place.root().parent().map(PathBuf::from).unwrap();
    let mut all = tree(&above);
    all.retain(|path, _| {
        !path.starts_with("home/") && (!path.starts_with("project/") || path.starts_with("project/.git/"))
    });
    all
}
