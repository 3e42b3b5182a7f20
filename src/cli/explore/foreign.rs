//! An operator that is no project of opctl: a line that starts it, a folder of definitions, a folder of samples.

use super::stage::{Kinds, Subject, documents, samples};
use crate::cli::context::Context;
use crate::cluster::{self, Connection, Identity, Target};
use crate::error::file_error;
use crate::explore::Launch;
use crate::report::Console;
use crate::{Error, Result};
use kube::Client;
use serde_json::Value;
use std::path::Path;
use std::time::Duration;

/// For the roles to be made.
const GRANT_LIMIT: Duration = Duration::from_secs(60);
const DEFINITIONS: &str = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";

/// Where the files of an operator are.
pub(super) struct Folders<'a> {
    pub(super) crds: &'a Path,
    pub(super) samples: &'a Path,
    pub(super) roles: Option<&'a Path>,
}

/// Reads what the flags name.
pub(super) fn prepare(line: &str, folders: &Folders, kinds: &[String], context: &Context) -> Result<Subject> {
    let directory =
        std::path::absolute(&context.directory).map_err(|error| file_error("find", &context.directory, &error))?;
    let definitions = definitions(&directory.join(folders.crds))?;
    let roles = folders.roles.map(|roles| self::roles(&directory.join(roles))).transpose()?;
    let samples = samples(&directory.join(folders.samples), kinds)?;
    // The shell becomes the program.
    let launch = Launch { program: "sh".into(), arguments: vec!["-c".to_owned(), format!("exec {line}")], directory };
    Ok(Subject { launch, samples, kinds: Kinds::Files { definitions, roles } })
}

/// The objects of these kinds in the YAML files of a folder.
fn objects(folder: &Path, kinds: &[&str]) -> Result<Vec<Value>> {
    let entries = std::fs::read_dir(folder).map_err(|error| file_error("read", folder, &error))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml"));
    paths.sort();
    let mut objects = Vec::new();
    for path in paths {
        let wanted = |object: &Value| object["kind"].as_str().is_some_and(|kind| kinds.contains(&kind));
        objects.extend(documents(&path)?.into_iter().filter(wanted));
    }
    Ok(objects)
}

fn roles(folder: &Path) -> Result<Vec<Value>> {
    let roles = objects(folder, &["ClusterRole", "Role"])?;
    if roles.is_empty() {
        return Err(Error::user(format!("`{}` has no role", folder.display()))
            .caused_by("`--roles` names a folder with YAML files of ClusterRoles and Roles")
            .hint("opctl explore --command 'cargo run' --crds config/crd/bases --roles config/rbac"));
    }
    Ok(roles)
}

fn definitions(folder: &Path) -> Result<Vec<Value>> {
    let definitions = objects(folder, &["CustomResourceDefinition"])?;
    if definitions.is_empty() {
        return Err(Error::user(format!("`{}` has no definition", folder.display()))
            .caused_by("`--crds` names a folder with YAML files of CustomResourceDefinitions")
            .hint("opctl explore --command 'cargo run' --crds config/crd/bases"));
    }
    Ok(definitions)
}

/// Makes the definitions, and waits until each is served.
pub(super) async fn install(definitions: &[Value], target: &Target, console: &Console) -> Result<()> {
    let client = Connection::open(target, console).await?.client;
    for definition in definitions {
        let name = definition["metadata"]["name"].as_str().unwrap_or_default();
        let refused = |error: kube::Error| {
            Error::cluster(format!("the API server refuses the definition `{name}`")).source(&error)
        };
        request(&client, "POST", DEFINITIONS, definition).await.map_err(refused)?;
        let path = format!("{DEFINITIONS}/{name}");
        while !is_established(&request(&client, "GET", &path, &Value::Null).await.map_err(refused)?) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        console.status("Installed", name);
    }
    Ok(())
}

/// Gives the operator the rights of these roles.
pub(super) fn grant(roles: &[Value], target: &Target, console: &Console) -> Result<Identity> {
    const NAMESPACE: &str = "opctl-explore";
    let identity = cluster::run(target, GRANT_LIMIT, async {
        cluster::identity_with_roles(roles, NAMESPACE, &Connection::open(target, console).await?).await
    })?;
    console.status("Granted", "the roles of `--roles`");
    Ok(identity)
}

fn is_established(definition: &Value) -> bool {
    let conditions = definition["status"]["conditions"].as_array();
    conditions
        .into_iter()
        .flatten()
        .any(|condition| condition["type"] == "Established" && condition["status"] == "True")
}

async fn request(client: &Client, method: &str, path: &str, body: &Value) -> Result<Value, kube::Error> {
    let body = if body.is_null() { Vec::new() } else { body.to_string().into_bytes() };
    let request = http::Request::builder().method(method).uri(path).header("Content-Type", "application/json");
    client.request(request.body(body).map_err(kube::Error::HttpError)?).await
}
