//! The RBAC verbs that functions of the scaffolded `runtime` crate need.

/// The files of the scaffolded `runtime` crate whose requests need rights in `config/rbac`. The requests in the crate's
/// other files are generic over kinds, so their rights depend on the kind that the calling code uses.
pub(crate) const NEED_RIGHTS: &[&str] = &["runtime/src/events.rs", "runtime/src/leader.rs", "runtime/src/reviews.rs"];

/// The functions of the runtime that make API requests, each with the subresource that the function accesses, and with
/// the RBAC verbs that the function needs according to its documentation.
const RUNTIME: &[(&str, &str, &[&str])] = &[
    ("namespaced", "", &["list", "watch"]),
    ("cluster_scoped", "", &["list", "watch"]),
    ("owns", "", &["list", "watch"]),
    ("owns_with", "", &["list", "watch"]),
    ("owns_across_namespaces", "", &["list", "watch", "delete"]),
    ("watches", "", &["list", "watch"]),
    ("watches_with", "", &["list", "watch"]),
    ("watches_map", "", &["list", "watch"]),
    ("watches_metadata", "", &["list", "watch"]),
    ("reads", "", &["get"]),
    ("finalizer", "", &["patch"]),
    ("apply", "", &["create", "patch"]),
    ("apply_exactly", "", &["create", "patch"]),
    ("create_once", "", &["create", "patch"]),
    ("remove", "", &["delete"]),
    ("apply_status", "status", &["patch"]),
];

/// The subresource and the verbs that code needs on an owner if its children set `blockOwnerDeletion`. The API server
/// requires this right only if the admission plugin `OwnerReferencesPermissionEnforcement` is enabled
/// (`plugin/pkg/admission/gc/gc_admission.go`).
pub(super) const BLOCKED_BY_CHILDREN: (&str, &[&str]) = ("finalizers", &["update"]);

/// Returns the subresource that a function of the scaffolded `runtime` crate accesses, and the RBAC verbs that the
/// function needs.
pub(super) fn of_runtime(function: &str) -> Option<(&'static str, &'static [&'static str])> {
    let found = RUNTIME.iter().find(|(name, ..)| *name == function);
    found.map(|(_, subresource, verbs)| (*subresource, *verbs))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::template::verbatim;
    use std::collections::BTreeMap;
    use syn::visit::{self, Visit};

    /// The RBAC rights that the documentation of each function of the runtime crate names, by the function's name.
    #[derive(Default)]
    struct Documented(BTreeMap<String, (String, Vec<String>)>);

    impl<'ast> Visit<'ast> for Documented {
        fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
            let lines = function.attrs.iter().filter_map(|attribute| match &attribute.meta {
                syn::Meta::NameValue(pair) => match &pair.value {
                    syn::Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) => Some(text.value()),
                    _ => None,
                },
                _ => None,
            });
            if let Some(line) =
                lines.into_iter().find_map(|line| Some(line.trim().strip_prefix("Rights: ")?.to_owned()))
            {
                let (verbs, of) = line.split_once(" of ").expect("verbs of something");
                let quoted = |text: &str| text.split('`').skip(1).step_by(2).map(str::to_owned).collect::<Vec<_>>();
                let subresource = quoted(of).into_iter().next().unwrap_or_default();
                self.0.insert(function.sig.ident.to_string(), (subresource, quoted(verbs)));
            }
            visit::visit_impl_item_fn(self, function);
        }
    }

    #[test]
    fn the_rights_are_those_that_the_runtime_documents() {
        let mut documented = Documented::default();
        for (path, text) in verbatim("project").filter(|(path, _)| path.starts_with("runtime/src/")) {
            documented.visit_file(&syn::parse_file(text).unwrap_or_else(|error| panic!("{path}: {error}")));
        }
        let known = RUNTIME.iter().map(|(name, subresource, verbs)| {
            let verbs = verbs.iter().map(ToString::to_string).collect();
            (name.to_string(), (subresource.to_string(), verbs))
        });
        assert_eq!(documented.0, known.collect());
    }
}
