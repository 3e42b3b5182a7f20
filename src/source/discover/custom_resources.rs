//! The custom resources of a crate.

use super::api_type::ApiType;
use super::cfg::Features;
use super::lints::{PRIVATE, SCHEMA_DISABLED, UNREACHABLE};
use super::modules::ReadFile;
use super::seen_from::SeenFrom;
use super::{modules, public};
use crate::Result;
use crate::finding::Finding;
use std::path::Path;

/// Finds the types of the library whose root module is `lib`, sorted by path. `lib` and the paths for `source` are
/// relative to the project. An unusable type is left out, and a finding states the reason.
///
/// # Errors
/// Fails if a file is missing or cannot be parsed.
pub fn types(lib: &Path, source: &ReadFile, features: &Features) -> Result<(Vec<ApiType>, Vec<Finding>)> {
    own_types((lib, false), source, features, &|_| true)
}

/// Finds the types whose groups satisfy `is_own`, like [`types`], in a library or a program with the root module
/// `root`. For a program, the path of a type is the path by which code in the root module names the type.
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
            let hint =
                "remove `schema = \"disabled\"`, and derive JsonSchema for the spec; or write `schema = \"manual\"`";
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
