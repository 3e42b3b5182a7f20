//! An operator that is not a project of opctl: its shell command, and its folders of CRDs, samples and roles.

use super::stage::{Belong, Kinds, Subject, documents, samples, yaml_files};
use crate::cluster::{self, Connection, Definition, Identity, InstallOptions, Target};
use crate::commands::context::Context;
use crate::error::{Hint, file_error, hint};
use crate::explore::Launch;
use crate::report::{Console, Report};
use crate::{Error, Result};
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// The time limit for CRDs to be served, and for roles to be created.
const SETUP_LIMIT: Duration = Duration::from_secs(60);

/// The folders with an operator's files.
pub(in crate::commands) struct Folders<'a> {
    pub(in crate::commands) crds: &'a Path,
    pub(in crate::commands) samples: &'a Path,
    pub(in crate::commands) roles: Option<&'a Path>,
}

/// Prepares the operator that the shell command `line` starts, and reads the files in its folders. `again` is the
/// command line that runs opctl with the same operator.
pub(in crate::commands) fn prepare(
    line: &str,
    folders: &Folders,
    kinds: &[String],
    again: Hint,
    context: &Context,
) -> Result<Subject> {
    let directory =
        std::path::absolute(&context.directory).map_err(|error| file_error("find", &context.directory, &error))?;
    let definitions = definitions(&directory.join(folders.crds))?;
    let roles = folders.roles.map(|roles| self::roles(&directory.join(roles))).transpose()?;
    let samples = samples(&directory.join(folders.samples), kinds, Belong::Command)?;
    let arguments = vec!["-c".to_owned(), line.to_owned()];
    // The line is the one that the user has typed.
    let by_hand = hint!(
        "{line}    # set KUBECONFIG, then start the operator with this command to see its output",
        line = Hint::snippet(line)
    );
    let launch = Launch { program: "sh".into(), arguments, directory, by_hand, again, remembers: false };
    Ok(Subject { launch, samples, kinds: Kinds::Files { definitions, roles } })
}

/// Returns the objects of these kinds from the YAML files of a folder.
fn objects(folder: &Path, kinds: &[&str]) -> Result<Vec<Value>> {
    let mut objects = Vec::new();
    for path in yaml_files(folder)? {
        let wanted = |object: &Value| object["kind"].as_str().is_some_and(|kind| kinds.contains(&kind));
        objects.extend(documents(&path)?.into_iter().filter(wanted));
    }
    Ok(objects)
}

fn roles(folder: &Path) -> Result<Vec<Value>> {
    let roles = objects(folder, &["ClusterRole", "Role"])?;
    if roles.is_empty() {
        return Err(Error::user(format!("`{}` has no role", folder.display()))
            .caused_by("`--roles` must name a folder with YAML files of ClusterRoles or Roles")
            .hint("--roles config/rbac    # the folder with the operator's roles"));
    }
    Ok(roles)
}

fn definitions(folder: &Path) -> Result<Vec<Definition>> {
    let definitions = objects(folder, &["CustomResourceDefinition"])?;
    if definitions.is_empty() {
        return Err(Error::user(format!("`{}` has no CRD", folder.display()))
            .caused_by("`--crds` must name a folder with YAML files of CustomResourceDefinitions")
            .hint("--crds config/crd/bases    # the folder with the operator's CRDs"));
    }
    definitions.into_iter().map(Definition::of).collect()
}

/// Applies the CRDs, and waits until each is served.
pub(in crate::commands) fn install(definitions: &[Definition], target: &Target, console: &Console) -> Result<()> {
    for change in apply_definitions(definitions, target, false, console)?.changes {
        console.status("Installed", change.path);
    }
    Ok(())
}

/// Fails if the server would refuse the CRDs.
pub(super) fn check(definitions: &[Definition], target: &Target, console: &Console) -> Result<()> {
    apply_definitions(definitions, target, true, console).map(drop)
}

fn apply_definitions(definitions: &[Definition], target: &Target, dry_run: bool, console: &Console) -> Result<Report> {
    let options = InstallOptions { target: target.clone(), timeout: SETUP_LIMIT, force_conflicts: false, dry_run };
    // The hint for a project is to fix a Rust type, which does not exist here.
    let fix = |error: Error| {
        error.hint(
            "kubectl apply --dry-run=server --filename CRDS    # after you have fixed the CRDs, \
                                   checks that the API server accepts them",
        )
    };
    cluster::install_definitions(definitions, &options, console).map_err(fix)
}

/// Grants the rights of these roles to the operator.
pub(super) fn grant(roles: &[Value], target: &Target, console: &Console) -> Result<Identity> {
    let identity = grant_in("opctl-explore", roles, target, console)?;
    console.status("Granted", "the roles of `--roles`");
    Ok(identity)
}

/// Grants the rights of these roles to an account in `namespace`.
pub(in crate::commands) fn grant_in(
    namespace: &str,
    roles: &[Value],
    target: &Target,
    console: &Console,
) -> Result<Identity> {
    cluster::run(target, SETUP_LIMIT, async {
        cluster::identity_with_roles(roles, namespace, &Connection::open(target, console).await?).await
    })
}
