//! Templates that a team adds in `.opctl/templates`. A file rendered from such a template replaces a file that opctl
//! generates, or is added to the project.
//!
//! The path of a template is the path of the generated file, with the suffix `.tera`. If the path contains a
//! placeholder for a name of a kind, such as `{module}`, the template is rendered once for each kind.

use crate::error::hint;
use crate::model::{Project, ProjectPath, Resource};
use crate::plan::{Existing, Operation, Step};
use crate::template::{Fault, render_own};
use crate::{Error, Result};
use serde_json::{Value, json};
use std::collections::{BTreeMap, BTreeSet};

/// The folder of the team's own templates.
pub const TEMPLATES_FOLDER: &str = ".opctl/templates";
const SUFFIX: &str = ".tera";
/// The placeholders for a kind's names in the paths of templates.
const PLACEHOLDERS: [&str; 6] = ["group", "module", "name", "plural", "singular", "version"];

/// A template that the user's team wrote.
#[derive(Clone, Debug)]
pub struct OwnTemplate {
    /// The path of the template.
    file: ProjectPath,
    /// The path of the file that the template generates, with placeholders.
    target: String,
    text: String,
    /// A function that returns true for the path of a file that another command, such as `opctl manifests`, writes.
    is_written: fn(&str) -> bool,
}

impl OwnTemplate {
    /// Creates a template, and checks its path. `is_written` returns true for files that other commands write.
    ///
    /// # Errors
    /// Fails if the path is not the path of a template, or if opctl or a command already writes the generated file.
    pub fn new(file: &ProjectPath, text: &str, is_written: fn(&str) -> bool) -> Result<Self> {
        let below = file.strip_prefix(TEMPLATES_FOLDER).and_then(|path| path.strip_prefix('/')).unwrap_or(file);
        let Some(target) = below.strip_suffix(SUFFIX) else {
            return Err(Error::user(format!("`{file}` is not a template"))
                .caused_by(format!("a template is named after the file that it generates, followed by `{SUFFIX}`"))
                .hint(hint!("mv {file} {file}.tera", file)));
        };
        if target.is_empty() || target.ends_with('/') {
            return Err(Error::user(format!("`{file}` cannot be used"))
                .caused_by(format!("`{target}` is not the path of a file"))
                .hint(hint!("rm {file}", file)));
        }
        if let Some(unknown) = placeholders(target).find(|name| !PLACEHOLDERS.contains(name)) {
            let known = PLACEHOLDERS.map(|name| format!("`{{{name}}}`")).join(", ");
            return Err(Error::user(format!("`{file}` cannot be used"))
                .caused_by(format!(
                    "`{{{unknown}}}` is not a placeholder for the path of a template; the placeholders are {known}"
                ))
                .hint("opctl help templates"));
        }
        let template = OwnTemplate { file: file.clone(), target: target.to_owned(), text: text.to_owned(), is_written };
        template.check(target)?;
        Ok(template)
    }

    /// Fails if opctl itself keeps the file at `path` up to date, because a template must not generate a file that
    /// opctl updates. `path` is the path of the generated file, either with the template's placeholders or with values
    /// in their place.
    fn check(&self, path: &str) -> Result<()> {
        let is_opctls = ["PROJECT", "Cargo.lock", ".gitignore", ".gitattributes"].contains(&path)
            || [".opctl/", "runtime/"].iter().any(|folder| path.starts_with(folder))
            || (self.is_written)(path);
        if !is_opctls {
            return Ok(());
        }
        let file = &self.file;
        Err(Error::user(format!("`{file}` cannot be used"))
            .caused_by(format!("a template cannot generate `{path}`, because opctl keeps this file up to date"))
            .hint(hint!("rm {file}", file)))
    }

    /// Renders the files that the template generates for the project.
    fn files(&self, project: &Project) -> Result<Vec<(ProjectPath, String)>> {
        if placeholders(&self.target).next().is_none() {
            return Ok(vec![(ProjectPath::parse(&*self.target)?, self.render(&values(project, None))?)]);
        }
        let mut files = BTreeMap::new();
        // Several versions of a kind may have one file. The version with the controller is the one that it is about.
        let (with, without): (Vec<&Resource>, Vec<&Resource>) =
            project.resources.iter().partition(|resource| !resource.controllers.is_empty());
        for resource in with.into_iter().chain(without) {
            if let Some(path) = path(&self.target, resource)
                && !files.contains_key(&path)
            {
                self.check(&path)?;
                files.insert(path, self.render(&values(project, Some(resource)))?);
            }
        }
        Ok(files.into_iter().collect())
    }

    fn render(&self, values: &Value) -> Result<String> {
        render_own(&self.text, values).map_err(|Fault { line, tag, reason }| {
            Error::user(format!("`{}` cannot be rendered", self.file))
                .caused_by(format!("`{tag}` on line {line}: {reason}"))
                .hint("opctl help templates")
        })
    }
}

/// Returns the names between braces in a path.
fn placeholders(target: &str) -> impl Iterator<Item = &str> {
    target.split('{').skip(1).filter_map(|rest| Some(rest.split_once('}')?.0))
}

/// Returns the path for a kind; `None` if the kind lacks a name that the path contains as a placeholder.
fn path(target: &str, resource: &Resource) -> Option<ProjectPath> {
    let key = &resource.key;
    let mut path = target.to_owned();
    for name in PLACEHOLDERS {
        let placeholder = format!("{{{name}}}");
        if path.contains(&placeholder) {
            let value = match name {
                "group" => key.group_module()?,
                "module" => key.kind_module(),
                "name" => key.kind.to_string(),
                "plural" => resource.plural.to_string(),
                "singular" => key.kind.singular(),
                _ => key.version.to_string(),
            };
            path = path.replace(&placeholder, &value);
        }
    }
    ProjectPath::parse(path).ok()
}

/// Returns the values that a team's templates can use: only values that later commands do not change.
fn values(project: &Project, resource: Option<&Resource>) -> Value {
    let mut values = json!({ "project": {
        "name": project.name.as_str(),
        "domain": project.domain.as_str(),
        "repo": project.repo.as_deref().unwrap_or_default(),
        "owner": project.owner.as_deref().unwrap_or_default(),
    }});
    if let Some(resource) = resource {
        let key = &resource.key;
        values["kind"] = json!({
            "name": key.kind.as_str(),
            "module": key.kind_module(),
            "singular": key.kind.singular(),
            "plural": resource.plural.as_str(),
            "group": key.group.as_str(),
            "version": key.version.as_str(),
            "api_group": resource.api_group(&project.domain),
            "api_version": resource.api_version(&project.domain),
            "namespaced": resource.namespaced,
        });
    }
    values
}

/// The files that the templates of a team generate for a project.
#[derive(Clone, Debug, Default)]
pub struct OwnFiles(BTreeMap<ProjectPath, String>);

impl OwnFiles {
    /// Renders the templates.
    ///
    /// # Errors
    /// Fails if a template cannot be rendered, or if two templates generate the same file.
    pub fn of(project: &Project, templates: &[OwnTemplate]) -> Result<Self> {
        let mut files = BTreeMap::new();
        let mut makers: BTreeMap<ProjectPath, &ProjectPath> = BTreeMap::new();
        for template in templates {
            for (path, text) in template.files(project)? {
                if let Some(other) = makers.insert(path.clone(), &template.file) {
                    return Err(Error::user(format!("`{}` cannot be used", template.file))
                        .caused_by(format!("the template `{other}` also generates `{path}`"))
                        .hint(hint!("rm {}", template.file)));
                }
                files.insert(path, text);
            }
        }
        Ok(OwnFiles(files))
    }

    /// Replaces the content of files that `operations` create with the content of the templates' files.
    pub fn replace(&self, operations: &mut [Operation]) {
        for operation in operations {
            if let Step::Create { content, .. } = &mut operation.step
                && let Some(text) = self.0.get(&operation.path)
            {
                content.clone_from(text);
            }
        }
    }

    /// Returns the operations that create the templates' files, except for files that `operations` already create.
    pub fn further<'a>(&self, operations: impl Iterator<Item = &'a Operation>) -> Vec<Operation> {
        let is_whole = |operation: &&Operation| matches!(operation.step, Step::Create { .. } | Step::Generate { .. });
        let made: BTreeSet<&ProjectPath> = operations.filter(is_whole).map(|operation| &operation.path).collect();
        let others = self.0.iter().filter(|(path, _)| !made.contains(path));
        others.map(|(path, text)| Operation::create(path, text, Existing::Skip)).collect()
    }
}
