//! The verbs that functions of kube need.

use syn::{Expr, ExprLit, ExprMethodCall, Lit};

/// The methods of `kube::Api`, each with the subresource that the method accesses and the verbs that the method needs
/// (kube-client `api/core_methods.rs`, `api/subresource.rs`, `api/util/mod.rs`).
pub(crate) const REQUESTS: &[(&str, &str, &[&str])] = &[
    ("get", "", &["get"]),
    ("get_with", "", &["get"]),
    ("get_opt", "", &["get"]),
    ("get_metadata", "", &["get"]),
    ("get_metadata_with", "", &["get"]),
    ("get_metadata_opt", "", &["get"]),
    ("get_metadata_opt_with", "", &["get"]),
    // The entry's `commit` creates the object or replaces it.
    ("entry", "", &["get", "create", "update"]),
    ("list", "", &["list"]),
    ("list_metadata", "", &["list"]),
    ("watch", "", &["watch"]),
    ("watch_metadata", "", &["watch"]),
    ("create", "", &["create"]),
    ("replace", "", &["update"]),
    ("patch", "", &["patch"]),
    ("patch_metadata", "", &["patch"]),
    ("restart", "", &["patch"]),
    ("cordon", "", &["patch"]),
    ("uncordon", "", &["patch"]),
    ("delete", "", &["delete"]),
    ("delete_collection", "", &["deletecollection"]),
    ("get_status", "status", &["get"]),
    ("patch_status", "status", &["patch"]),
    ("replace_status", "status", &["update"]),
    ("get_scale", "scale", &["get"]),
    ("patch_scale", "scale", &["patch"]),
    ("replace_scale", "scale", &["update"]),
    ("get_ephemeral_containers", "ephemeralcontainers", &["get"]),
    ("patch_ephemeral_containers", "ephemeralcontainers", &["patch"]),
    ("replace_ephemeral_containers", "ephemeralcontainers", &["update"]),
    ("get_resize", "resize", &["get"]),
    ("patch_resize", "resize", &["patch"]),
    ("replace_resize", "resize", &["update"]),
    ("logs", "log", &["get"]),
    ("log_stream", "log", &["get"]),
    ("evict", "eviction", &["create"]),
    // These open a WebSocket by a GET. Since 1.35, the API server asks for `create`, too.
    ("exec", "exec", &["create", "get"]),
    ("attach", "attach", &["create", "get"]),
    ("portforward", "portforward", &["create", "get"]),
    ("get_approval", "approval", &["get"]),
    ("patch_approval", "approval", &["patch"]),
    ("create_token_request", "token", &["create"]),
];

/// The methods of `kube::Api` whose first argument names the subresource, each with the verbs that the method needs
/// (kube-client `api/subresource.rs`).
const NAMED: [(&str, &[&str]); 4] = [
    ("get_subresource", &["get"]),
    ("create_subresource", &["create"]),
    ("patch_subresource", &["patch"]),
    ("replace_subresource", &["update"]),
];

/// The Kubernetes subresources for which `kube::Api` has no method.
const FURTHER: [&str; 3] = ["binding", "finalize", "proxy"];

/// Returns the subresource and the verbs of a call such as `api.create_subresource("binding", ..)`; `None` for other
/// methods, and if the first argument is not a literal with the name of a known subresource.
pub(crate) fn named_subresource(
    call: &ExprMethodCall,
    method: &str,
) -> Option<(&'static str, &'static [&'static str])> {
    let (_, verbs) = NAMED.iter().find(|(known, _)| *known == method)?;
    let Some(Expr::Lit(ExprLit { lit: Lit::Str(name), .. })) = call.args.first() else { return None };
    let known = REQUESTS.iter().map(|(_, subresource, _)| *subresource).chain(FURTHER);
    let subresource = known.into_iter().find(|known| *known == name.value())?;
    Some((subresource, verbs))
}

/// Returns true for a call such as `api.patch(name, &params, &Patch::Apply(object))`, which creates a missing object.
/// The API server therefore also requires the right to `create` (k8s.io/apiserver `endpoints/handlers/patch.go`).
pub(crate) fn is_apply(call: &ExprMethodCall) -> bool {
    call.method == "patch" && call.args.get(2).is_some_and(is_apply_patch)
}

fn is_apply_patch(patch: &Expr) -> bool {
    match patch {
        Expr::Reference(inner) => is_apply_patch(&inner.expr),
        Expr::Call(call) => match &*call.func {
            Expr::Path(path) => path.path.segments.last().is_some_and(|last| last.ident == "Apply"),
            _ => false,
        },
        _ => false,
    }
}

/// The methods of `kube::Client` with a kind as type argument, and their verbs (kube-client `client/client_ext.rs`).
pub(crate) const CLIENT_REQUESTS: &[(&str, &[&str])] = &[("get", &["get"]), ("fetch", &["get"]), ("list", &["list"])];

/// The functions of kube-runtime whose first argument is an `Api`, each with the verbs that the function needs
/// (`watcher.rs`, `wait.rs`, `finalizer.rs`).
pub(crate) const FUNCTIONS: &[(&str, &[&str])] = &[
    ("watcher", &["list", "watch"]),
    ("metadata_watcher", &["list", "watch"]),
    ("watch_object", &["list", "watch"]),
    ("await_condition", &["list", "watch"]),
    ("delete_and_finalize", &["delete", "list", "watch"]),
    ("finalizer", &["patch"]),
];
