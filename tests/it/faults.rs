//! Fails the k-th write, for every k: afterwards the tree is either as it was before or as it should be, and no journal
//! is left.

use crate::support::{Place, Tree, assert_same, content, lay, temporary};
use opctl::parts::model::{Domain, Key, Kind, PROJECT_FILE, Project, ProjectName, Version};
use opctl::parts::plan::update::{self, Bases, Update};
use opctl::parts::plan::{Existing, LEDGER_FILE, Ledger, Operation, Plan, PlanContext, resolve};
use opctl::parts::report::Console;
use opctl::parts::scaffold::{self, ApiIntent};
use opctl::parts::workspace::{Disk, RealDisk, Workspace, commit};
use std::cell::Cell;
use std::fs;
use std::io::{Error, Result};
use std::path::Path;

/// The ways in which the operations of a disk fail.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Fault {
    /// Only the k-th operation fails.
    Once,
    /// The k-th and all later operations fail, as if the disk or the process were gone.
    FromThenOn,
    /// The k-th operation does half of its work before it fails, and all later ones fail.
    Half,
}

struct FailingDisk {
    left: Cell<usize>,
    fault: Fault,
    failed: Cell<bool>,
}

impl FailingDisk {
    fn new(operations: usize, fault: Fault) -> Self {
        FailingDisk { left: Cell::new(operations), fault, failed: Cell::new(false) }
    }

    fn step(&self, half: impl FnOnce()) -> Result<()> {
        if self.left.get() > 0 {
            self.left.set(self.left.get() - 1);
            return Ok(());
        }
        if self.failed.replace(true) && self.fault == Fault::Once {
            return Ok(());
        }
        if self.fault == Fault::Half {
            half();
        }
        Err(Error::other("the disk failed"))
    }
}

impl Disk for FailingDisk {
    fn create_folder(&self, path: &Path) -> Result<()> {
        self.step(|| ())?;
        RealDisk.create_folder(path)
    }
    fn write(&self, path: &Path, content: &str, like: Option<&Path>) -> Result<()> {
        self.step(|| drop(fs::write(path, &content[..content.len() / 2])))?;
        RealDisk.write(path, content, like)
    }
    fn keep(&self, from: &Path, to: &Path) -> Result<()> {
        self.step(|| drop(fs::write(to, "")))?;
        RealDisk.keep(from, to)
    }
    fn rename(&self, from: &Path, to: &Path) -> Result<()> {
        self.step(|| ())?;
        RealDisk.rename(from, to)
    }
    fn remove_file(&self, path: &Path) -> Result<()> {
        self.step(|| ())?;
        RealDisk.remove_file(path)
    }
    fn remove_folder(&self, path: &Path) -> Result<()> {
        self.step(|| ())?;
        RealDisk.remove_folder(path)
    }
}

fn plan(workspace: &Workspace, operations: &[Operation], project: &Project) -> Plan {
    let paths = operations.iter().map(|operation| operation.path.as_str()).chain([LEDGER_FILE, PROJECT_FILE]);
    let snapshot = workspace.snapshot(paths).unwrap();
    resolve(operations, project, &snapshot, &PlanContext { version: "0.1.0", force: None }).unwrap()
}

fn init(workspace: &Workspace) -> Plan {
    let name = ProjectName::parse("webserver-operator").unwrap();
    let project = Project::new(name, Domain::parse("example.com").unwrap(), "0.1.0");
    plan(workspace, &scaffold::init(&project).unwrap(), &project)
}

fn create_api(workspace: &Workspace, force: bool) -> Plan {
    let mut project = Project::parse(&fs::read_to_string(workspace.root().join(PROJECT_FILE)).unwrap()).unwrap();
    let key = Key {
        group: opctl::parts::model::Group::none(),
        version: Version::parse("v1alpha1").unwrap(),
        kind: Kind::parse("WebServer").unwrap(),
    };
    let (plural, namespaced, short_names, categories) = (None, force.then_some(false), None, None);
    let intent = ApiIntent {
        key,
        version_said: true,
        external: None,
        origin: opctl::parts::model::Origin::Own,
        plural,
        namespaced,
        short_names,
        categories,
        image: None,
        fields: None,
        owns: None,
        finalizer: false,
        storage: false,
        api: true,
        controller: true,
        controller_name: None,
        force,
    };
    let known = project.resource(&intent.key).cloned();
    let resource = scaffold::resource_of(&intent, &project).unwrap();
    project.upsert(resource.clone());
    let operations = scaffold::create_api(&project, known.as_ref(), &resource, &intent, None, &|_| false).unwrap();
    plan(workspace, &operations, &project)
}

/// Plans the update to another opctl, which no longer generates one file, generates a new one, and conflicts in a
/// third.
fn update(workspace: &Workspace) -> Plan {
    let text = |path: &str| fs::read_to_string(workspace.root().join(path)).unwrap();
    let project = Project::parse(&text(PROJECT_FILE)).unwrap();
    let ledger = Ledger::parse(&text(LEDGER_FILE)).unwrap();
    let mut generated = scaffold::generated(&project).unwrap();
    generated.made.retain(|operation| !["runtime/src/leader.rs", "README.md"].contains(&operation.path.as_str()));
    for path in ["README.md", "a/new/folder/file.txt"] {
        generated.made.push(Operation::create(path, "new\n", Existing::Skip));
    }
    let paths = update::paths(&generated, &ledger);
    let snapshot = workspace.snapshot(paths.iter().map(String::as_str)).unwrap();
    let update = Update::new(&generated, &ledger, &snapshot).unwrap();
    let updated = update.decide(&Bases::new(), &project, &PlanContext { version: "0.1.0", force: None }).unwrap();
    assert_eq!(updated.conflicts.len(), 1);
    updated.plan
}

/// Fails each operation of the commit in turn, until a commit succeeds before the failing operation is reached.
fn every_operation_fails(prepare: &[&[&str]], edit: &[(&str, &str)], make: impl Fn(&Workspace) -> Plan) {
    let console = Console::silent();
    for fault in [Fault::Once, Fault::FromThenOn, Fault::Half] {
        let place = Place::new();
        for arguments in prepare {
            place.ok(arguments);
        }
        for (path, text) in edit {
            fs::write(place.root().join(path), text).unwrap();
        }
        let prepared = temporary();
        lay(&place.root(), prepared.path());
        let before = content(&place.root());
        let after = committed(&place, &make);
        assert_ne!(after, before, "nothing was committed");
        for operations in 0..1000 {
            restore(&prepared, &place.root());
            let workspace = Workspace::open_for_writing(&place.root(), &console).unwrap();
            let plan = make(&workspace);
            let disk = FailingDisk::new(operations, fault);
            let outcome = commit(&place.root(), &plan, &disk);
            drop(workspace);
            let what = format!("{fault:?} after {operations}: {outcome:?}");
            if fault == Fault::Once && outcome.is_err() {
                assert_same(&before, &content(&place.root()), &what);
            }
            Workspace::open_for_writing(&place.root(), &console).unwrap_or_else(|error| panic!("{what}: {error}"));
            let now = content(&place.root());
            assert!(!now.keys().any(|path| path.starts_with(".opctl/journal")), "{what}: a journal is left");
            // On a disk that fails for good nothing can be rolled back, and recovery may complete a commit that was
            // fully staged.
            if outcome.is_ok() || (fault != Fault::Once && now != before) {
                assert_same(&after, &now, &what);
            } else {
                assert_same(&before, &now, &what);
            }
            if !disk.failed.get() {
                assert!(operations > 20, "only {operations} operations");
                break;
            }
        }
    }
}

fn committed(place: &Place, make: impl Fn(&Workspace) -> Plan) -> Tree {
    let workspace = Workspace::open_for_writing(&place.root(), &Console::silent()).unwrap();
    workspace.commit(&make(&workspace)).unwrap();
    content(&place.root())
}

fn restore(from: &tempfile::TempDir, to: &Path) {
    fs::remove_dir_all(to).unwrap();
    lay(from.path(), to);
}

#[test]
fn init_is_all_or_nothing() {
    every_operation_fails(&[], &[], init);
}

#[test]
fn init_beside_documents_is_all_or_nothing() {
    // A repository before it has a project. The folder is made before files are laid into it.
    every_operation_fails(&[], &[("README.md", "# Mine\n"), (".gitignore", "*.swp\n")], init);
}

#[test]
fn create_api_is_all_or_nothing() {
    every_operation_fails(&[&["init", "--domain", "example.com"]], &[], |workspace| create_api(workspace, false));
}

#[test]
fn create_api_by_force_is_all_or_nothing() {
    let prepare: [&[&str]; 2] = [&["init", "--domain", "example.com"], &["create", "api", "--kind", "WebServer"]];
    let edit = [("api/src/v1alpha1/web_server.rs", "// mine\n"), ("config/rbac/webserver_admin_role.yaml", "# mine\n")];
    every_operation_fails(&prepare, &edit, |workspace| create_api(workspace, true));
}

#[test]
fn an_update_is_all_or_nothing() {
    every_operation_fails(&[&["init", "--domain", "example.com"]], &[("README.md", "# Mine\n")], update);
}

#[test]
fn a_file_that_changed_since_the_plan_is_not_overwritten() {
    for (path, text) in
        [("src/main.rs", Some("// mine\n")), ("src/controller/web_server.rs", Some("")), ("PROJECT", None)]
    {
        let place = Place::with_project();
        let workspace = Workspace::open_for_writing(&place.root(), &Console::silent()).unwrap();
        let plan = create_api(&workspace, false);
        match text {
            Some(text) => fs::write(place.root().join(path), text).unwrap(),
            None => fs::remove_file(place.root().join(path)).unwrap(),
        }
        let before = place.tree();
        let error = workspace.commit(&plan).unwrap_err();
        assert_eq!(error.category().exit_code(), 3, "{error}");
        assert_eq!(error.message(), format!("`{path}` was changed by another program meanwhile"));
        assert_same(&before, &place.tree(), path);
    }
}

#[test]
fn an_edit_after_a_kill_is_not_overwritten() {
    // The process stops while it swaps files, or while it rolls back.
    for operations in [60, 62, 75] {
        let place = Place::with_project();
        let workspace = Workspace::open_for_writing(&place.root(), &Console::silent()).unwrap();
        let plan = create_api(&workspace, false);
        let _ = commit(&place.root(), &plan, &FailingDisk::new(operations, Fault::FromThenOn));
        drop(workspace);
        if !place.root().join(".opctl/journal").is_dir() {
            continue;
        }
        fs::write(place.root().join("src/main.rs"), "// mine\n").unwrap();
        let error = Workspace::open(&place.root(), &Console::silent()).unwrap_err();
        assert_eq!(error.category().exit_code(), 3, "{error}");
        assert_eq!(error.message(), "`src/main.rs` was edited after an opctl command was killed");
        assert_eq!(fs::read_to_string(place.root().join("src/main.rs")).unwrap(), "// mine\n");
        // Follow the hint of the error.
        fs::rename(place.root().join("src/main.rs"), place.root().join("src/main.rs.mine")).unwrap();
        Workspace::open(&place.root(), &Console::silent()).unwrap();
        assert!(!place.root().join(".opctl/journal").exists());
        assert!(fs::read_to_string(place.root().join("src/main.rs")).unwrap().contains("+opctl:scaffold:controllers"));
    }
}
