//! Checks that a failing write leaves a project consistent: while opctl writes its changes, the test makes the k-th
//! disk operation fail, for each k. After opctl has opened the project for writing again and so repaired it, the
//! files are either all unchanged or all changed, and the journal of the write (`.opctl/journal`) is removed.

use crate::support::{FailingDisk, Fault, NOTHING_RENDERED, Place, Tree, assert_same, content, lay, temporary};
use opctl::test_api::model::{Domain, Key, Kind, PROJECT_FILE, Project, ProjectName, Version};
use opctl::test_api::plan::reconcile::{Bases, Update, paths};
use opctl::test_api::plan::{Existing, LEDGER_FILE, Ledger, Operation, Plan, PlanContext, reconcile_operations};
use opctl::test_api::report::Console;
use opctl::test_api::scaffold::{self, ApiIntent, NewApi};
use opctl::test_api::workspace::{Workspace, commit};
use std::fs;
use std::path::Path;

fn plan(workspace: &Workspace, operations: &[Operation], project: &Project) -> Plan {
    let paths = operations.iter().map(|operation| operation.path.clone());
    let snapshot = workspace.snapshot(paths.chain([LEDGER_FILE, PROJECT_FILE].map(Into::into))).unwrap();
    reconcile_operations(
        operations,
        project,
        &snapshot,
        NOTHING_RENDERED,
        &PlanContext { version: "0.1.0", force: None },
    )
    .unwrap()
}

fn init(workspace: &Workspace) -> Plan {
    let name = ProjectName::parse("webserver-operator").unwrap();
    let project = Project::new(name, Domain::parse("example.com").unwrap(), "0.1.0");
    plan(workspace, &scaffold::init(&project).unwrap(), &project)
}

fn create_api(workspace: &Workspace, force: bool) -> Plan {
    let mut project = Project::parse(&fs::read_to_string(workspace.root().join(PROJECT_FILE)).unwrap()).unwrap();
    let key = Key {
        group: opctl::test_api::model::Group::none(),
        version: Version::parse("v1alpha1").unwrap(),
        kind: Kind::parse("WebServer").unwrap(),
    };
    let (plural, namespaced, short_names, categories) = (None, force.then_some(false), None, None);
    let intent = ApiIntent {
        key,
        version_said: true,
        external: None,
        domain: None,
        origin: opctl::test_api::model::Origin::Own,
        plural,
        namespaced,
        short_names,
        categories,
        image: None,
        fields: None,
        imported: None,
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
    let operations =
        scaffold::create_api(&NewApi { known: known.as_ref(), ..NewApi::of(&project, &resource, &intent) }).unwrap();
    plan(workspace, &operations, &project)
}

/// Plans the update of a project to another version of opctl, which no longer generates one file, generates a new
/// file, and causes a conflict in a third one.
fn update(workspace: &Workspace) -> Plan {
    let text = |path: &str| fs::read_to_string(workspace.root().join(path)).unwrap();
    let project = Project::parse(&text(PROJECT_FILE)).unwrap();
    let ledger = Ledger::parse(&text(LEDGER_FILE)).unwrap();
    let mut generated = scaffold::generate_project(&project).unwrap();
    generated.made.retain(|operation| !["runtime/src/leader.rs", "README.md"].contains(&operation.path.as_str()));
    for path in ["README.md", "a/new/folder/file.txt"] {
        generated.made.push(Operation::create(path, "new\n", Existing::Skip));
    }
    let paths = paths(&generated, &ledger);
    let snapshot = workspace.snapshot(&paths).unwrap();
    let update = Update::new(&generated, &ledger, &snapshot).unwrap();
    let updated = update.decide(&Bases::new(), &project, &PlanContext { version: "0.1.0", force: None }).unwrap();
    assert_eq!(updated.conflicts.len(), 1);
    updated.plan
}

/// Checks that a commit changes all files of a plan or none, on a disk that fails at its first operation, then at its
/// second, and so on until a commit succeeds.
fn every_operation_fails(prepare: &[&[&str]], edit: &[(&str, &str)], make: impl Fn(&Workspace) -> Plan) {
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
        let plan = make(&place.writing().unwrap());
        let after = committed(&place, &plan);
        assert_ne!(after, before, "nothing was committed");
        let is_empty = |folder: &&String| {
            folder.ends_with('/') && !after.keys().any(|path| path.starts_with(*folder) && path != *folder)
        };
        assert_eq!(after.keys().find(is_empty), None, "an empty folder is left");
        for operations in 0..1000 {
            restore(&prepared, &place.root());
            let workspace = place.writing().unwrap();
            let disk = FailingDisk::new(operations, fault);
            let outcome = commit(&place.root(), &plan, &place.sealer(), &disk);
            drop(workspace);
            let what = format!("{fault:?} after {operations}: {outcome:?}");
            if fault == Fault::Once && outcome.is_err() {
                assert_same(&before, &content(&place.root()), &what);
            }
            place.writing().unwrap_or_else(|error| panic!("{what}: {error}"));
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

fn committed(place: &Place, plan: &Plan) -> Tree {
    place.writing().unwrap().commit(plan).unwrap();
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
fn a_removal_is_all_or_nothing() {
    let prepare: [&[&str]; 2] = [&["init", "--domain", "example.com"], &["create", "api", "--kind", "WebServer"]];
    every_operation_fails(&prepare, &[], |workspace| {
        let project = Project::parse(&fs::read_to_string(workspace.root().join(PROJECT_FILE)).unwrap()).unwrap();
        let files =
            workspace.files_below("api/src/v1alpha1").into_iter().chain(workspace.files_below("config/samples"));
        let operations: Vec<Operation> = files.map(|path| Operation::remove(path, true)).collect();
        plan(workspace, &operations, &project)
    });
}

#[test]
fn a_file_that_changed_since_the_plan_is_not_overwritten() {
    for (path, text) in
        [("src/main.rs", Some("// mine\n")), ("src/controller/web_server.rs", Some("")), ("PROJECT", None)]
    {
        let place = Place::with_project();
        let workspace = place.writing().unwrap();
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
        let workspace = place.writing().unwrap();
        let plan = create_api(&workspace, false);
        let _ = commit(&place.root(), &plan, &place.sealer(), &FailingDisk::new(operations, Fault::FromThenOn));
        drop(workspace);
        if !place.root().join(".opctl/journal").is_dir() {
            continue;
        }
        fs::write(place.root().join("src/main.rs"), "// mine\n").unwrap();
        let before = place.tree();
        let error = Workspace::open(&place.root(), &Console::silent()).unwrap_err();
        assert_eq!(
            (error.category().exit_code(), error.message()),
            (3, "an opctl command was stopped in this project")
        );
        let error = place.writing().unwrap_err();
        assert_same(&before, &place.tree(), "nothing is written");
        assert_eq!(error.category().exit_code(), 3, "{error}");
        assert_eq!(error.message(), "`src/main.rs` was edited after an opctl command was killed");
        assert_eq!(fs::read_to_string(place.root().join("src/main.rs")).unwrap(), "// mine\n");
        // Follow the hint of the error.
        fs::rename(place.root().join("src/main.rs"), place.root().join("src/main.rs.mine")).unwrap();
        place.writing().unwrap();
        assert!(!place.root().join(".opctl/journal").exists());
        assert!(fs::read_to_string(place.root().join("src/main.rs")).unwrap().contains("+opctl:scaffold:controllers"));
    }
}
