//! What a server's answer means, and the mend.

use super::Connection;
use crate::Error;

/// What was tried, for errors and their hints.
#[derive(Clone, Copy, Debug)]
pub struct Attempt<'a> {
    /// The verb of RBAC, such as `patch`.
    pub verb: &'a str,
    /// The resource, such as `customresourcedefinitions`.
    pub resource: &'a str,
    /// The object's name.
    pub name: &'a str,
}

/// Turns a failed request into an error with the mend.
pub fn request_error(error: &kube::Error, connection: &Connection, attempt: Attempt<'_>) -> Error {
    let Attempt { verb, resource, name } = attempt;
    let Connection { context, server, .. } = connection;
    let kube::Error::Api(status) = error else { return transport_error(error, connection) };
    if status.message.contains("HTTP request to an HTTPS server") {
        return Error::cluster(format!("`{server}` of context `{context}` wants `https://`"))
            .caused_by(&status.message)
            .hint("mend `server` in the kubeconfig");
    }
    match status.code {
        401 => Error::cluster(format!("`{server}` does not know who you are"))
            .caused_by(&status.message)
            .hint(format!("renew the credentials of context `{context}`, or choose another with --context; then try:\nkubectl --context {context} auth whoami")),
        403 => Error::cluster(format!("you may not {verb} {resource} in context `{context}`"))
            .caused_by(&status.message)
            .hint(format!("ask for the right, or check it with:\nkubectl --context {context} auth can-i {verb} {resource}")),
        409 if status.reason == "Conflict" && verb == "patch" => {
            let error = Error::conflict(format!("`{name}` has fields that somebody else manages"));
            let details = status.details.iter().flat_map(|details| &details.causes);
            let error = details.fold(error.caused_by(first_line(&status.message)), |error, cause| {
                error.caused_by(format!("{}: {}", cause.field, cause.message))
            });
            error.hint("opctl install --force-conflicts    # takes these fields over")
        }
        // What is not in the schema of definitions itself, the server calls an error of its own.
        400 | 422 | 500 if status.code != 500 || status.message.contains("failed to create typed patch object") => {
            let error = Error::cluster(format!("the API server refuses `{name}`"));
            let causes: Vec<_> = status.details.iter().flat_map(|details| &details.causes).collect();
            let error = if causes.is_empty() { error.caused_by(&status.message) } else { error };
            let error = causes.iter().fold(error, |error, cause| error.caused_by(format!("{}: {}", cause.field, cause.message)));
            error.hint(if resource == "customresourcedefinitions" {
                "mend the Rust type that it is made from, then run:\nopctl manifests && opctl install"
            } else {
                "mend it below `config/`, then run the same command again"
            })
        }
        _ => Error::cluster(format!("the API server could not {verb} `{name}`"))
            .caused_by(format!("{} ({})", status.message, status.code))
            .hint(format!("kubectl --context {context} get --raw /readyz?verbose")),
    }
}

fn transport_error(error: &kube::Error, connection: &Connection) -> Error {
    let Connection { context, server, .. } = connection;
    let unreachable = Error::cluster(format!("cannot reach `{server}` of context `{context}`")).source(error);
    if unreachable.causes().iter().any(|cause| cause.contains("invalid peer certificate")) {
        return Error::cluster(format!("the certificate of `{server}` is not what context `{context}` trusts"))
            .source(error)
            .hint(format!("renew `certificate-authority-data` in the kubeconfig, or choose another with --context; then try:\nkubectl --context {context} get --raw /version"));
    }
    unreachable.hint("start the cluster, choose another with --context, or start a local API server:\nexport KUBECONFIG=\"$(opctl envtest start)\"")
}

fn first_line(text: &str) -> &str {
    text.lines().next().unwrap_or_default()
}
