//! A request to the API server, parsed from its method, path and query.

use super::protobuf::{self, Name};
use serde_json::Value;
use std::fmt;

/// A request to the API server for objects of one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call {
    /// The verb as in RBAC roles, such as `list` or `patch`.
    pub verb: &'static str,
    pub group: String,
    pub version: String,
    pub resource: String,
    pub namespace: Option<String>,
    /// The name of the object; `None` for a request that concerns all objects, such as a `list`. For a `create`,
    /// [`Call::with_name_from`] reads the name from the body.
    pub name: Option<String>,
    pub subresource: Option<String>,
    /// The query string of the request's URL.
    pub query: String,
}

impl Call {
    /// Parses a request. Returns `None` if the request does not concern objects, such as a request for `/version`.
    pub fn parse(method: &str, path: &str, query: &str) -> Option<Call> {
        let mut parts = path.split('/').filter(|part| !part.is_empty());
        let group = match parts.next()? {
            "api" => "",
            "apis" => parts.next()?,
            _ => return None,
        };
        let version = parts.next()?;
        let rest: Vec<&str> = parts.collect();
        let (namespace, rest) = match rest.as_slice() {
            // A Namespace itself is an object like any other.
            ["namespaces", name, resource, ..] if !["status", "finalize"].contains(resource) => {
                (Some(*name), &rest[2..])
            }
            _ => (None, &rest[..]),
        };
        let (resource, name, subresource) = (rest.first()?, rest.get(1), rest.get(2));
        let flag = |name: &str| {
            let mut pairs = query.split('&').filter_map(|pair| pair.split_once('='));
            pairs.any(|(key, value)| key == name && ["1", "true"].contains(&value))
        };
        let verb = match (method, name) {
            ("GET", _) if flag("watch") => "watch",
            ("GET", Some(_)) => "get",
            ("GET", None) => "list",
            ("POST", _) => "create",
            ("PUT", _) => "update",
            ("PATCH", _) => "patch",
            ("DELETE", Some(_)) => "delete",
            ("DELETE", None) => "deletecollection",
            _ => return None,
        };
        let owned = |text: &str| text.to_owned();
        Some(Call {
            verb,
            group: owned(group),
            version: owned(version),
            resource: owned(resource),
            namespace: namespace.map(owned),
            name: name.map(|name| owned(name)),
            subresource: subresource.map(|name| owned(name)),
            query: owned(query),
        })
    }

    /// Completes a `create` with the name from the object in `body`: its `name`, or its `generateName` followed by `*`.
    /// Returns any other call unchanged.
    pub fn with_name_from(mut self, body: &[u8]) -> Call {
        if self.name.is_none() && self.verb == "create" {
            self.name = match protobuf::name(body) {
                Some(Name::Given(name)) => Some(name.to_owned()),
                Some(Name::Generated(beginning)) => Some(format!("{beginning}*")),
                None => name_in_json(&serde_json::from_slice(body).unwrap_or_default()),
            };
        }
        self
    }

    /// Returns true if the request may change objects.
    pub fn writes(&self) -> bool {
        !matches!(self.verb, "get" | "list" | "watch")
    }

    /// Returns the resource with its group, such as `services` or `deployments.apps`.
    pub fn collection(&self) -> String {
        collection(&self.group, &self.resource)
    }

    /// Returns the resource and the name of the object, such as `deployments.apps/web`.
    pub fn object(&self) -> String {
        let name = self.name.as_deref().map(|name| format!("/{name}")).unwrap_or_default();
        format!("{}{name}", self.collection())
    }

    /// Returns true if the request concerns leases.
    pub fn is_of_lease(&self) -> bool {
        self.group == "coordination.k8s.io"
    }

    /// Returns true if the request concerns leases, events or access reviews, which an operator does not manage.
    pub fn is_housekeeping(&self) -> bool {
        matches!(self.group.as_str(), "coordination.k8s.io" | "events.k8s.io")
            || self.group == "authentication.k8s.io"
            || self.group == "authorization.k8s.io"
            || (self.group.is_empty() && self.resource == "events")
    }

    /// Returns the URL path of the resource's objects in `namespace`.
    pub fn path_in(&self, namespace: &str) -> String {
        let prefix = if self.group.is_empty() { "/api".to_owned() } else { format!("/apis/{}", self.group) };
        format!("{prefix}/{}/namespaces/{namespace}/{}", self.version, self.resource)
    }
}

fn name_in_json(body: &Value) -> Option<String> {
    let metadata = &body["metadata"];
    let generated = || Some(format!("{}*", metadata["generateName"].as_str()?));
    metadata["name"].as_str().map(str::to_owned).or_else(generated)
}

/// Returns the resource with its group in the form of a CRD's name, such as `deployments.apps`.
pub fn collection(group: &str, resource: &str) -> String {
    if group.is_empty() { resource.to_owned() } else { format!("{resource}.{group}") }
}

impl fmt::Display for Call {
    /// Writes the request in the notation of fault plans, such as `patch:webservers.example.com/web/status`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.verb, self.object())?;
        self.subresource.iter().try_for_each(|subresource| write!(f, "/{subresource}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn requests_are_told_apart() {
        for (method, path, query, expected) in [
            ("GET", "/api/v1/services", "limit=500", Some("list:services")),
            ("GET", "/api/v1/services", "watch=true&x=1", Some("watch:services")),
            ("GET", "/api/v1/namespaces/a", "", Some("get:namespaces/a")),
            ("GET", "/api/v1/namespaces/a/services/web", "watch=0", Some("get:services/web")),
            ("POST", "/apis/apps/v1/namespaces/a/deployments", "", Some("create:deployments.apps")),
            ("PUT", "/api/v1/namespaces/a/finalize", "", Some("update:namespaces/a/finalize")),
            ("PATCH", "/apis/e.com/v1/namespaces/a/webs/b/status", "force=true", Some("patch:webs.e.com/b/status")),
            ("DELETE", "/api/v1/namespaces/a/pods/b", "", Some("delete:pods/b")),
            ("DELETE", "/api/v1/namespaces/a/pods", "", Some("deletecollection:pods")),
            ("GET", "/version", "", None),
            ("GET", "/apis", "", None),
            ("GET", "/apis/apps/v1", "", None),
            ("GET", "/", "", None),
            ("TRACE", "/api/v1/pods", "", None),
        ] {
            let call = Call::parse(method, path, query);
            assert_eq!(call.map(|call| call.to_string()).as_deref(), expected, "{method} {path}?{query}");
        }
    }

    #[test]
    fn a_creation_has_the_name_of_its_body() {
        let call = Call::parse("POST", "/api/v1/namespaces/a/pods", "").unwrap();
        let named = |body: Value| call.clone().with_name_from(body.to_string().as_bytes()).object();
        assert_eq!(named(json!({"metadata": {"name": "web"}})), "pods/web");
        assert_eq!(named(json!({"metadata": {"generateName": "web-"}})), "pods/web-*");
        assert_eq!(named(json!(null)), "pods");
        assert_eq!(call.path_in("b"), "/api/v1/namespaces/b/pods");
    }
}
