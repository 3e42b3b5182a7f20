//! Prepares an exploration: reads samples, flags and roles.

use crate::cluster::{Connection, Definition, Identity, Target};
use crate::commands::context::Context;
use crate::commands::operator_program::adoption_record;
use crate::commands::steps;
use crate::envtest::serving_certificate;
use crate::error::{Hint, file_error, hint};
use crate::explore::{Launch, Samples, Serving, World};
use crate::model::most_like;
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::{Error, Result, yaml};
use kube::Client;
use kube::config::{Config, KubeConfigOptions, Kubeconfig};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};

pub(super) const SAMPLES: &str = "config/samples";
const MANAGER: &str = "config/manager/manager.yaml";
const RBAC: &str = "/apis/rbac.authorization.k8s.io/v1/namespaces";

/// The operator that an exploration runs, with its samples and the source of its kinds.
pub(in crate::commands) struct Subject {
    pub(in crate::commands) launch: Launch,
    pub(in crate::commands) samples: Samples,
    pub(in crate::commands) kinds: Kinds,
}

/// The source of the operator's kinds.
pub(in crate::commands) enum Kinds {
    /// A project of opctl, with its root.
    Project(PathBuf),
    /// The CRDs and the roles that were read from files. Without roles, the operator may do everything.
    Files { definitions: Vec<Definition>, roles: Option<Vec<Value>> },
}

/// The owner of a folder of samples. The owner determines the hint that the user sees if a sample is missing.
#[derive(Clone, Copy, Debug)]
pub(in crate::commands) enum Belong {
    /// A project of opctl.
    Project,
    /// An operator that `--command` starts.
    Command,
}

/// Reads the samples in `folder`, and splits the samples into the objects to explore and all others. The objects to
/// explore are the first object of each kind in `kinds`. If `kinds` is empty, the objects to explore are the first
/// object of each custom kind or, without custom kinds, of each built-in kind.
pub(in crate::commands) fn samples(folder: &Path, kinds: &[String], belong: Belong) -> Result<Samples> {
    let paths = yaml_files(folder)?;
    let (mut objects, mut all) = (Vec::new(), BTreeSet::new());
    for path in paths.iter().filter(|path| !path.ends_with("kustomization.yaml")) {
        for mut object in documents(path)? {
            let kind = object["kind"].as_str().unwrap_or_default().to_owned();
            if kind.is_empty() {
                continue;
            }
            all.insert(kind);
            if let Some(metadata) = object["metadata"].as_object_mut() {
                metadata.remove("namespace");
            }
            objects.push(object);
        }
    }
    if all.is_empty() {
        return Err(Error::user(format!("`{}` has no sample", folder.display()))
            .caused_by("exploring needs sample objects for the operator to reconcile")
            .hint(match belong {
                Belong::Project => "opctl create api --kind WebServer    # writes a sample too",
                Belong::Command => "--samples config/samples    # a folder with an object of each kind",
            }));
    }
    match kinds.iter().find(|kind| !all.contains(*kind)) {
        None => Ok(Samples::choose(objects, kinds)),
        Some(kind) => {
            let has: Vec<&str> = all.iter().map(String::as_str).collect();
            let all = has.join("`, `");
            Err(Error::user(format!("`{}` has no sample of `{kind}`, only of `{all}`", folder.display())).hint(
                match belong {
                    Belong::Project => match most_like(kind, has.iter().copied()) {
                        Some(near) => hint!("--kind {near}    # or add a sample of the missing kind", near),
                        None => hint!("opctl create api --kind {kind} --force    # writes a sample", kind),
                    },
                    Belong::Command => hint!("--kind {}    # or add a sample of the missing kind", has[0]),
                },
            ))
        }
    }
}

/// Returns the YAML files of a folder, in the order of their names.
pub(super) fn yaml_files(folder: &Path) -> Result<Vec<PathBuf>> {
    let entries = std::fs::read_dir(folder).map_err(|error| file_error("read", folder, &error))?;
    let mut paths: Vec<_> = entries.flatten().map(|entry| entry.path()).filter(|path| yaml::is_yaml(path)).collect();
    paths.sort();
    Ok(paths)
}

pub(super) fn documents(path: &Path) -> Result<Vec<Value>> {
    let text = reading::text(path, Limit::Source).map_err(|error| file_error("read", path, &error))?;
    yaml::read(&text)
        .map_err(|error| Error::user(format!("`{}` is not YAML", path.display())).caused_by(yaml::cause(&error)))
}

/// Returns the flags that `config/manager` passes to the operator, without the flags for addresses, because several
/// operators run on this machine at the same time.
pub(in crate::commands) fn arguments(root: &Path) -> Result<Vec<String>> {
    let path = root.join(MANAGER);
    let documents = documents(&path)?;
    let containers = documents.iter().find_map(|object| object.pointer("/spec/template/spec/containers")?.as_array());
    let arguments = containers.and_then(|containers| containers.first()?["args"].as_array());
    let arguments = arguments.into_iter().flatten().filter_map(Value::as_str);
    let mut arguments: Vec<String> =
        arguments.filter(|argument| !argument.contains("-bind-address")).map(str::to_owned).collect();
    if adoption_record(root).is_none() {
        arguments.push("--health-probe-bind-address=127.0.0.1:0".to_owned());
    }
    Ok(arguments)
}

/// Builds the operator of the project at `root`, with the additional arguments `further` for `cargo build`. Returns the
/// data to start the operator, with its flags `arguments`.
pub(in crate::commands) fn launch(
    root: &Path,
    arguments: Vec<String>,
    further: &[&str],
    again: Hint,
    context: &Context,
) -> Result<Launch> {
    let program = steps::build_operator_with(root, further, &context.console)?;
    let by_hand = "opctl run --envtest    # and see what it says".into();
    Ok(Launch { program, arguments, directory: root.to_owned(), by_hand, again, remembers: true })
}

/// Returns the data that all runs of an exploration share, such as the samples, the roles, and the resources that
/// the API server serves. The CRDs and the roles must be installed already.
pub(super) async fn world(
    target: &Target,
    kubeconfig: Kubeconfig,
    identity: Option<&Identity>,
    subject: Subject,
    console: &Console,
) -> Result<World> {
    let admin = Connection::open(target, console).await?.client;
    let operator = client_of(kubeconfig, identity).await?;
    let roles = match identity {
        Some(identity) => roles_of(&admin, identity).await?,
        None => Vec::new(),
    };
    let made = serving_certificate(&["127.0.0.1"])?;
    let serving = Serving::new(&made.authority, &made.certificate, &made.key)?;
    World::discover(admin, operator, serving, subject.launch, subject.samples, roles).await
}

/// Returns copies of the roles and bindings in the namespace of an identity, for creation in other namespaces.
pub(super) async fn roles_of(admin: &Client, identity: &Identity) -> Result<Vec<Value>> {
    let mut roles = Vec::new();
    for (plural, kind) in [("roles", "Role"), ("rolebindings", "RoleBinding")] {
        let request = http::Request::get(format!("{RBAC}/{}/{plural}", identity.namespace)).body(Vec::new());
        let request = request.map_err(|error| Error::bug("cannot build a request").source(&error))?;
        let list: Value = admin
            .request(request)
            .await
            .map_err(|error| Error::cluster(format!("cannot list {plural}")).source(&error))?;
        roles.extend(list["items"].as_array().into_iter().flatten().map(|role| copy(role, kind)));
    }
    Ok(roles)
}

/// Returns a client without retries, with the rights of `identity` or, without an identity, the administrator's
/// rights.
pub(in crate::commands) async fn client_of(kubeconfig: Kubeconfig, identity: Option<&Identity>) -> Result<Client> {
    client_without_retries(match identity {
        Some(identity) => identity.kubeconfig(kubeconfig),
        None => kubeconfig,
    })
    .await
}

/// Returns a client that never retries a request: the operator behind the proxy decides on retries.
async fn client_without_retries(kubeconfig: Kubeconfig) -> Result<Client> {
    let unusable = |error: &dyn std::error::Error| Error::bug("the operator's kubeconfig cannot be used").source(error);
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    let mut config = config.map_err(|error| unusable(&error))?;
    config.default_retry = false;
    // The API server is on this machine, and needs no proxy.
    config.proxy_url = None;
    Client::try_from(config).map_err(|error| unusable(&error))
}

/// Returns a copy of `role` for creation in another namespace. `kind` is the kind of `role`: `Role` or `RoleBinding`.
/// The metadata of the copy contains only the name.
fn copy(role: &Value, kind: &str) -> Value {
    let mut copy = role.clone();
    copy["apiVersion"] = "rbac.authorization.k8s.io/v1".into();
    copy["kind"] = kind.into();
    copy["metadata"] = json!({"name": role["metadata"]["name"]});
    copy
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(root: &Path, path: &str, text: &str) {
        let path = root.join(path);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    #[test]
    fn each_kind_has_one_sample() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(samples(&root.join(SAMPLES), &[], Belong::Project).is_err());
        write(root, "config/samples/kustomization.yaml", "resources: []\n");
        write(
            root,
            "config/samples/a.yaml",
            "kind: A\napiVersion: e.com/v1\nmetadata: {name: a, namespace: x}\n---\nkind: B\napiVersion: e.com/v1\n",
        );
        write(root, "config/samples/b.yaml", "kind: A\napiVersion: e.com/v1\nmetadata: {name: second}\n");
        let found = samples(&root.join(SAMPLES), &[], Belong::Project).unwrap().explored;
        assert_eq!(found.iter().map(|sample| sample["kind"].clone()).collect::<Vec<_>>(), ["A", "B"]);
        assert_eq!(found[0]["metadata"], json!({"name": "a"}));
        assert_eq!(samples(&root.join(SAMPLES), &["B".to_owned()], Belong::Project).unwrap().explored.len(), 1);
        let error = samples(&root.join(SAMPLES), &["C".to_owned()], Belong::Command).unwrap_err();
        assert!(error.message().ends_with("` has no sample of `C`, only of `A`, `B`"), "{error}");
        write(root, "config/samples/c.yaml", "a: [");
        assert!(
            samples(&root.join(SAMPLES), &[], Belong::Project).unwrap_err().message().ends_with("c.yaml` is not YAML")
        );
    }

    #[test]
    fn the_operator_has_the_flags_that_it_is_deployed_with() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path();
        assert!(arguments(root).is_err());
        let deployment =
            "spec: {template: {spec: {containers: [{args: [--leader-elect, '--metrics-bind-address=:8443']}]}}}\n";
        write(root, MANAGER, &format!("kind: Namespace\n---\n{deployment}"));
        assert_eq!(arguments(root).unwrap(), ["--leader-elect", "--health-probe-bind-address=127.0.0.1:0"]);
    }
}
