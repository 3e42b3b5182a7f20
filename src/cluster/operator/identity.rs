//! Gives the operator an identity in a cluster where it is not deployed: its service account, with the rights that
//! `config/rbac` grants.

use crate::authorization::{self, Subject};
use crate::cluster::apply::Apply;
use crate::cluster::kustomization::render;
use crate::cluster::{Attempt, Connection, request_error};
use crate::error::{file_error, hint};
use crate::reading::{self, Limit};
use crate::{Error, Result, conflict, yaml};
use kube::config::{AuthInfo, Kubeconfig};
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::Path;

const FOLDER: &str = "config/rbac";
const RBAC: &str = "rbac.authorization.k8s.io/v1";
/// The namespace in the manifests, which kustomize replaces by the namespace in `config/default`.
const PLACEHOLDER: &str = "system";

/// A service account that has exactly the rights of the operator.
#[derive(Clone, Debug)]
pub struct Identity {
    /// The namespace of the account, usually the namespace in `config/default`.
    pub namespace: String,
    /// The name of the account.
    pub account: String,
    token: String,
}

/// Applies the service accounts, roles and bindings of `config/rbac`, and returns the manager's identity.
///
/// # Errors
/// Fails if files cannot be read, if they have no service account for the manager, or if the server refuses a request.
pub async fn operator_identity(root: &Path, connection: &Connection) -> Result<Identity> {
    let namespace = deployed_namespace(root)?;
    let objects = objects(render::objects(&root.join(FOLDER))?, &namespace);
    let account = account(root, &objects)?;
    let place = |object: &Value| object["metadata"]["namespace"].as_str().map(str::to_owned);
    let namespaces: BTreeSet<String> = objects.iter().filter_map(place).collect();
    let made = namespaces
        .into_iter()
        .map(|name| json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": name}}))
        .collect::<Vec<_>>();
    grant(connection, &[made, objects].concat(), namespace, account).await
}

/// Returns the roles that `config/rbac` binds to the manager's service account. A `ClusterRole` that a `RoleBinding`
/// binds is returned as a `Role`.
///
/// # Errors
/// Fails if files cannot be read, or if they have no service account for the manager.
pub fn operator_roles(root: &Path) -> Result<Vec<Value>> {
    let namespace = deployed_namespace(root)?;
    let objects = objects(render::objects(&root.join(FOLDER))?, &namespace);
    let account = account(root, &objects)?;
    let is_bound = |binding: &&Value| {
        let subjects = binding["subjects"].as_array().into_iter().flatten();
        subjects.into_iter().any(|subject| subject["kind"] == "ServiceAccount" && subject["name"] == account.as_str())
    };
    let bindings = objects.iter().filter(|object| object["roleRef"].is_object()).filter(is_bound);
    let roles = bindings.filter_map(|binding| {
        let (kind, name) = (&binding["roleRef"]["kind"], &binding["roleRef"]["name"]);
        let is_meant = |object: &&Value| object["kind"] == *kind && object["metadata"]["name"] == *name;
        let mut role = objects.iter().find(is_meant)?.clone();
        role["kind"] = if binding["kind"] == "RoleBinding" { "Role".into() } else { "ClusterRole".into() };
        Some(role)
    });
    Ok(roles.collect())
}

/// Creates an identity that has exactly the rights of `roles`. The account, the Roles and their bindings are in
/// `namespace`.
///
/// # Errors
/// Fails if the server refuses a request.
pub async fn identity_with_roles(roles: &[Value], namespace: &str, connection: &Connection) -> Result<Identity> {
    const ACCOUNT: &str = "operator";
    let account = json!({"name": ACCOUNT, "namespace": namespace});
    let mut objects = vec![
        json!({"apiVersion": "v1", "kind": "Namespace", "metadata": {"name": namespace}}),
        json!({"apiVersion": "v1", "kind": "ServiceAccount", "metadata": account}),
    ];
    for role in roles {
        let (kind, name) = (&role["kind"], &role["metadata"]["name"]);
        let mut role = role.clone();
        let mut binding = json!({
            "apiVersion": RBAC, "kind": format!("{}Binding", kind.as_str().unwrap_or_default()),
            "metadata": {"name": name},
            "subjects": [{"kind": "ServiceAccount", "name": ACCOUNT, "namespace": namespace}],
            "roleRef": {"apiGroup": "rbac.authorization.k8s.io", "kind": kind, "name": name},
        });
        if kind == "Role" {
            for object in [&mut role, &mut binding] {
                object["metadata"]["namespace"] = namespace.into();
            }
        }
        objects.extend([role, binding]);
    }
    grant(connection, &objects, namespace.to_owned(), ACCOUNT.to_owned()).await
}

/// Applies `objects` in order, waits until the rights of the service account are in effect, and returns its token.
///
/// # Errors
/// Fails if the server refuses a request.
pub async fn create_account_token(
    connection: &Connection,
    objects: &[Value],
    namespace: &str,
    account: &str,
) -> Result<String> {
    grant(connection, objects, namespace.to_owned(), account.to_owned()).await.map(|identity| identity.token)
}

/// Applies `objects` in order, waits until the rights of the service account `account` are in effect, and returns the
/// identity of the account.
async fn grant(connection: &Connection, objects: &[Value], namespace: String, account: String) -> Result<Identity> {
    let parameters = Apply { force_conflicts: true, dry_run: false, keeps_run: false }.parameters();
    let subject = Subject { name: &account, namespace: Some(&namespace) };
    authorization::grant(&connection.client, objects, &parameters, subject).await.map_err(|(object, error)| {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let (kind, metadata) = (text(&object["kind"]), &object["metadata"]);
        let attempt = Attempt {
            verb: "patch",
            resource: &format!("{}s", kind.to_lowercase()),
            name: &text(&metadata["name"]),
            namespace: metadata["namespace"].as_str(),
        };
        request_error(&error, connection, attempt)
    })?;
    let token = token(connection, &namespace, &account).await?;
    Ok(Identity { namespace, account, token })
}

impl Identity {
    /// Returns the user name under which the API server knows the account.
    pub fn user_name(&self) -> String {
        Subject { name: &self.account, namespace: Some(&self.namespace) }.user_name()
    }

    /// Returns the administrator's kubeconfig with the credentials replaced by the token of this identity.
    #[must_use]
    pub fn kubeconfig(&self, mut administrator: Kubeconfig) -> Kubeconfig {
        for user in &mut administrator.auth_infos {
            user.auth_info = Some(AuthInfo { token: Some(self.token.clone().into()), ..AuthInfo::default() });
        }
        for context in administrator.contexts.iter_mut().filter_map(|named| named.context.as_mut()) {
            context.namespace = Some(self.namespace.clone());
        }
        administrator
    }
}

/// Returns the service accounts, roles and bindings among `all` in the order in which they are applied, with
/// `namespace` in place of [`PLACEHOLDER`].
fn objects(all: Vec<Value>, namespace: &str) -> Vec<Value> {
    let rank = |object: &Value| match object["kind"].as_str().unwrap_or_default() {
        "ServiceAccount" if object["apiVersion"] == "v1" => Some(0),
        "ClusterRole" | "Role" if object["apiVersion"] == RBAC => Some(1),
        "ClusterRoleBinding" | "RoleBinding" if object["apiVersion"] == RBAC => Some(2),
        _ => None,
    };
    let place = |object: &mut Value| {
        if matches!(object["namespace"].as_str(), None | Some(PLACEHOLDER)) {
            object["namespace"] = namespace.into();
        }
    };
    let mut ranked: Vec<_> = all.into_iter().filter_map(|object| Some((rank(&object)?, object))).collect();
    ranked.sort_by_key(|(rank, _)| *rank);
    let placed = ranked.into_iter().map(|(_, mut object)| {
        if !object["kind"].as_str().is_some_and(|kind| kind.starts_with("Cluster")) {
            place(&mut object["metadata"]);
        }
        let subjects = object.get_mut("subjects").and_then(Value::as_array_mut).into_iter().flatten();
        subjects.filter(|subject| subject["kind"] == "ServiceAccount").for_each(place);
        object
    });
    placed.collect()
}

/// Returns the namespace that `config/default` deploys to.
///
/// # Errors
/// Fails if the file cannot be read, or if it names no namespace.
pub fn deployed_namespace(root: &Path) -> Result<String> {
    let path = root.join("config/default/kustomization.yaml");
    let text = reading::text(&path, Limit::Settings).map_err(|error| file_error("read", &path, &error))?;
    let kustomization: Value = serde_yaml::from_str(&text).map_err(|error| {
        let error = Error::user(format!("`{}` is not YAML", path.display())).caused_by(yaml::cause(&error));
        conflict::or(&path.display().to_string(), &text, error)
    })?;
    kustomization["namespace"].as_str().map(str::to_owned).ok_or_else(|| {
        Error::user(format!("`{}` names no namespace", path.display()))
            .caused_by("the field `namespace` gives the namespace of the operator's service account")
            .hint("namespace: my-operator-system    # add this line to config/default/kustomization.yaml")
    })
}

/// Returns the name of the manager's service account: the only account, or the account that `config/manager` names.
fn account(root: &Path, objects: &[Value]) -> Result<String> {
    let accounts = objects.iter().filter(|object| object["kind"] == "ServiceAccount");
    let accounts: Vec<&str> = accounts.filter_map(|object| object["metadata"]["name"].as_str()).collect();
    if let [only] = accounts[..] {
        return Ok(only.to_owned());
    }
    let named = render::objects(&root.join("config/manager")).unwrap_or_default();
    let mut named =
        named.iter().filter_map(|object| object.pointer("/spec/template/spec/serviceAccountName")?.as_str());
    named.find(|name| accounts.contains(name)).map(str::to_owned).ok_or_else(|| {
        Error::user(format!("`{FOLDER}` has no service account for the manager"))
            .caused_by(match accounts[..] {
                [] => "the folder lists no service account".to_owned(),
                _ => format!(
                    "the service accounts are `{}`, but `config/manager` names none of them",
                    accounts.join("`, `")
                ),
            })
            .hint(hint!("list `service_account.yaml` in `{FOLDER}/kustomization.yaml`", FOLDER))
    })
}

/// Requests a token that is valid for a day (authentication.k8s.io/v1 `TokenRequest`).
async fn token(connection: &Connection, namespace: &str, account: &str) -> Result<String> {
    let body = json!({
        "apiVersion": "authentication.k8s.io/v1", "kind": "TokenRequest", "spec": {"expirationSeconds": 24 * 60 * 60},
    });
    let request = http::Request::post(format!("/api/v1/namespaces/{namespace}/serviceaccounts/{account}/token"))
        .header("Content-Type", "application/json")
        .body(body.to_string().into_bytes())
        .map_err(|error| Error::bug("cannot build a request").source(&error))?;
    let attempt =
        Attempt { verb: "create", resource: "serviceaccounts/token", name: account, namespace: Some(namespace) };
    let answer: Value =
        connection.client.request(request).await.map_err(|error| request_error(&error, connection, attempt))?;
    let token = answer.pointer("/status/token").and_then(Value::as_str);
    token.map(str::to_owned).ok_or_else(|| Error::bug("the API server returned no token"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Value> {
        serde_yaml::from_multiple::<Value>(text).unwrap()
    }

    #[test]
    fn rbac_objects_are_sorted_and_placed_in_the_deployment_namespace() {
        let all = read(
            "apiVersion: rbac.authorization.k8s.io/v1\nkind: RoleBinding\nmetadata: {name: b, namespace: system}\n\
             subjects: [{kind: ServiceAccount, name: a, namespace: system}, {kind: User, name: u}]\n---\n\
             apiVersion: rbac.authorization.k8s.io/v1\nkind: Role\nmetadata: {name: r, namespace: elsewhere}\n---\n\
             apiVersion: rbac.authorization.k8s.io/v1\nkind: ClusterRole\nmetadata: {name: c}\n---\n\
             apiVersion: v1\nkind: Service\nmetadata: {name: s}\n---\n\
             apiVersion: v1\nkind: ServiceAccount\nmetadata: {name: a}\n",
        );
        let placed = objects(all, "web-system");
        let of = |object: &Value| format!("{} {}", object["kind"], object["metadata"]["namespace"]).replace('"', "");
        let of: Vec<_> = placed.iter().map(of).collect();
        assert_eq!(of, ["ServiceAccount web-system", "Role elsewhere", "ClusterRole null", "RoleBinding web-system"]);
        assert_eq!(placed[0].get("subjects"), None);
        assert_eq!(placed[3]["subjects"][0]["namespace"], "web-system");
        assert_eq!(placed[3]["subjects"][1]["namespace"], Value::Null);
    }

    #[test]
    fn the_managers_account_is_the_only_one_or_the_one_that_it_names() {
        let root = tempfile::tempdir().unwrap();
        let write = |path: &str, text: &str| {
            let path = root.path().join(path);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        };
        let one = read("kind: ServiceAccount\nmetadata: {name: only}\n");
        let two = read("kind: ServiceAccount\nmetadata: {name: a}\n---\nkind: ServiceAccount\nmetadata: {name: b}\n");
        assert_eq!(account(root.path(), &one).unwrap(), "only");
        let none = account(root.path(), &[]).unwrap_err();
        assert_eq!(none.message(), format!("`{FOLDER}` has no service account for the manager"));
        assert!(none.hint_text().is_some());
        assert!(account(root.path(), &two).unwrap_err().causes()[0].contains("`a`, `b`"));
        write("config/manager/kustomization.yaml", "resources:\n- manager.yaml\n");
        write("config/manager/manager.yaml", "spec: {template: {spec: {serviceAccountName: b}}}\n");
        assert_eq!(account(root.path(), &two).unwrap(), "b");
        assert!(deployed_namespace(root.path()).is_err());
        write("config/default/kustomization.yaml", "namespace: web-system\n");
        assert_eq!(deployed_namespace(root.path()).unwrap(), "web-system");
        write("config/default/kustomization.yaml", "resources: []\n");
        let nowhere = deployed_namespace(root.path()).unwrap_err();
        assert!(nowhere.message().ends_with("` names no namespace"), "{nowhere}");
    }
}
