//! Finds the custom resources of an api crate by reading its source.
//!
//! The compiler decides whether a type is valid; this module only finds the types, and the public path by which a
//! program outside the crate can name each of them. Macros are not expanded: a type that a macro generates is not
//! found.

mod cfg;
mod modules;
mod public;
mod seen_from;

pub use cfg::Features;
pub use modules::ReadFile;
use seen_from::SeenFrom;

use crate::Result;
use crate::finding::{Finding, Lint};
use crate::kube_rs::KubeAttributes;
use std::path::{Path, PathBuf};

pub(crate) static LINTS: &[&Lint] = &[&modules::INCOMPLETE, &PRIVATE, &UNREACHABLE, &SCHEMA_DISABLED];

pub(crate) static PRIVATE: Lint = Lint::error(
    "OP301",
    "a custom resource that is private",
    "opctl asks the compiled type for its schema, as any crate would that uses it.",
    "#[derive(CustomResource, ..)]\nstruct FooSpec { .. }",
    "#[derive(CustomResource, ..)]\npub struct FooSpec { .. }",
);

pub(crate) static UNREACHABLE: Lint = Lint::error(
    "OP302",
    "a custom resource that cannot be named from outside",
    "Its module is private and nothing re-exports it.",
    "mod v1; // in lib.rs, with v1::Foo",
    "pub mod v1;",
);

pub(crate) static SCHEMA_DISABLED: Lint = Lint::error(
    "OP303",
    "a custom resource without a schema",
    "The server refuses a CRD without one: `schema.openAPIV3Schema: Required value`.",
    "#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\", schema = \"disabled\")]",
    "#[derive(CustomResource, JsonSchema, ..)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]",
);

/// A custom resource type of the api crate.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "camelCase")]
pub struct ApiType {
    /// The path by which another crate names the root type, such as `v1alpha1::WebServer`.
    pub path: String,
    /// The name of the struct with the derive.
    pub spec: String,
    /// The contents of `#[kube(..)]`.
    #[serde(flatten)]
    pub resource: KubeAttributes,
    /// The path of the file, relative to the project.
    pub file: PathBuf,
    /// The line of the struct.
    pub line: usize,
    /// The name of the library that defines the type, as Rust code of other crates writes it; empty for a program's type.
    #[serde(skip)]
    pub library: String,
}

impl ApiType {
    /// Returns `file:line`, as an error shows it.
    pub fn place(&self) -> String {
        format!("{}:{}", self.file.display(), self.line)
    }
}

/// Finds the types of the library whose root module is `lib`, sorted by path. `lib` and the paths for `source` are
/// relative to the project. A wrong type is left out, and a finding has the reason.
///
/// # Errors
/// Fails if a file is missing or cannot be parsed.
pub fn types(lib: &Path, source: &ReadFile, features: &Features) -> Result<(Vec<ApiType>, Vec<Finding>)> {
    own_types((lib, false), source, features, &|_| true)
}

/// Finds the types whose groups satisfy `is_own`, of a program with the paths by which code in its root module names
/// them; otherwise like [`types`].
///
/// # Errors
/// Fails if a file is missing or cannot be parsed.
pub fn own_types(
    (root, is_program): (&Path, bool),
    source: &ReadFile,
    features: &Features,
    is_own: &dyn Fn(&str) -> bool,
) -> Result<(Vec<ApiType>, Vec<Finding>)> {
    let seen_from = if is_program { SeenFrom::CrateRoot } else { SeenFrom::AnotherCrate };
    let mut tree = modules::read(root, seen_from, source, features)?;
    let mut findings = std::mem::take(&mut tree.findings);
    let paths = public::paths(&tree);
    let mut types = Vec::new();
    for (module, found) in tree.types().filter(|(_, found)| is_own(&found.resource.group)) {
        let name = &found.resource.root;
        if !found.public {
            let reason = format!("the custom resource `{}` is private", found.spec);
            let hint = format!("write `pub struct {}`", found.spec);
            findings.push(Finding::new(&PRIVATE, &found.file, found.line, reason, hint));
            continue;
        }
        let Some(path) = paths.get(&(module, name.clone())) else {
            let reason = format!("the custom resource `{name}` cannot be named from {seen_from}");
            let hint = format!(
                "in `{}`, make the module public, or re-export the type:\n    {}",
                tree.parent_file(module).display(),
                tree.re_export(module, name)
            );
            findings.push(Finding::new(&UNREACHABLE, &found.file, found.line, reason, hint));
            continue;
        };
        if found.resource.schema.as_deref() == Some("disabled") {
            let line = found.resource.lines.get("schema").and_then(|lines| lines.first()).copied();
            let reason = format!("`{name}` has no schema, and a CRD needs one");
            let hint = "remove `schema = \"disabled\"`, and derive JsonSchema for the spec; or `schema = \"manual\"`";
            findings.push(Finding::new(&SCHEMA_DISABLED, &found.file, line.unwrap_or(found.line), reason, hint));
            continue;
        }
        types.push(ApiType {
            path: path.clone(),
            spec: found.spec.clone(),
            resource: found.resource.clone(),
            file: found.file.clone(),
            line: found.line,
            library: String::new(),
        });
    }
    types.sort_by(|one, other| one.path.cmp(&other.path));
    Ok((types, findings))
}

#[cfg(test)]
mod tests;
