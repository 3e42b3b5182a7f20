//! Copies the files of an existing version of a kind as the first files of a further version.

use super::crate_files::Files;
use super::module::VersionModule;
use super::origin::{find, missing_type_error};
use super::source_file::Text;
use super::{module, rewrite, sample};
use crate::error::hint;
use crate::model::{Project, Resource};
use crate::scaffold::sample_name::longest_name;
use crate::scaffold::storage::{type_file, type_folder};
use crate::scaffold::values::file_prefix;
use crate::{Error, Result, edit};
use std::collections::BTreeMap;

/// The copied files with which a further version of a kind starts.
#[derive(Debug)]
pub struct VersionCopy {
    /// The content of the file with the kind's type.
    pub types: String,
    /// The contents of the other modules that the types use, by path.
    pub modules: BTreeMap<String, String>,
    /// The modules to declare in the version's module, each with its visibility, its name, and the `use` lines that
    /// import from it, if any.
    pub declared: Vec<(&'static str, String, Option<String>)>,
    /// The content of the sample, if the copied version has a sample.
    pub sample: Option<String>,
    /// The path of the original of each copied file, by the path of the copy.
    pub origins: BTreeMap<String, String>,
}

/// Returns the path of a version's sample.
pub fn sample_file(resource: &Resource) -> String {
    let key = &resource.key;
    format!("config/samples/{}{}_{}.yaml", file_prefix(resource), key.version, key.kind.singular())
}

/// Copies the files of `source` for the new version `resource`. `files` contains all of `api/src` and the sample.
///
/// # Errors
/// Fails if the type of `source` is not found or shares its file with another kind's type, or if a file is not Rust.
pub fn copy(project: &Project, source: &Resource, resource: &Resource, files: &Files<'_>) -> Result<VersionCopy> {
    let (old, new) = (&source.key, &resource.key);
    let from = find(old, files)?;
    let text = files.text(&from).unwrap_or_default().replace("\r\n", "\n");
    let module = VersionModule::read(old, &from, files)?;
    if let Some(other) = module::other_kind(&text, old) {
        return Err(Error::user(format!("`{from}` defines the kind `{other}` in addition to the kind `{}`", old.kind))
            .caused_by("a new version starts as a copy of the file, and only one of the two kinds gets a new version")
            .hint(hint!(
                "move `{}` and its types to `{}`, then run the same command again",
                old.kind,
                type_file(old)
            )));
    }
    let versions = rewrite::Versions {
        old,
        new,
        group: resource.api_group(&project.domain),
        own: (module.own.clone(), new.kind_module()),
    };
    let mut copied = VersionCopy {
        types: String::new(),
        modules: BTreeMap::new(),
        declared: Vec::new(),
        sample: files.text(&sample_file(source)).and_then(|text| {
            let versions = (&*source.api_version(&project.domain), &*resource.api_version(&project.domain));
            sample::copy(text, versions, (old, new), longest_name(project, source))
        }),
        origins: BTreeMap::from([(type_file(new), from.clone())]),
    };
    if copied.sample.is_some() {
        copied.origins.insert(sample_file(resource), sample_file(source));
    }
    let types =
        edit::set_version(&text, old.kind.as_str(), old.version.as_str(), new.version.as_str(), resource.storage)
            .ok_or_else(|| missing_type_error(old, &from))?;
    let mut texts = vec![Text { file: from, module: vec![module.own.clone()], content: types, test: false }];
    let mut done: Vec<String> = Vec::new();
    while let Some(one) = texts.pop() {
        done.push(one.file.clone());
        texts.extend(module::children(&one, files)?.into_iter().filter(|child| !done.contains(&child.file)));
        let (content, used) = rewrite::rewritten(&one, &versions, &module)?;
        let content = ends_as(files.text(&one.file), content);
        for helper in used {
            let begun = done.contains(&helper.file) || texts.iter().any(|text| text.file == helper.file);
            if !begun && files.module(&format!("{}/{}", type_folder(new), helper.name)).is_none() {
                copied.declared.push((helper.visibility, helper.name.clone(), helper.uses.clone()));
                let content = files.text(&helper.file).unwrap_or_default().replace("\r\n", "\n");
                texts.push(Text { file: helper.file.clone(), module: vec![helper.name.clone()], content, test: false });
            }
        }
        if one.module == [module.own.clone()] {
            copied.types = content;
            continue;
        }
        let names = one.module.iter().map(|name| if *name == module.own { new.kind_module() } else { name.clone() });
        let path = format!("{}/{}.rs", type_folder(new), names.collect::<Vec<_>>().join("/"));
        copied.origins.insert(path.clone(), one.file);
        copied.modules.insert(path, content);
    }
    Ok(copied)
}

/// Returns the text with the line endings of the original file.
fn ends_as(original: Option<&str>, text: String) -> String {
    let first = original.and_then(|text| text.split_inclusive('\n').next());
    if first.is_some_and(|line| line.ends_with("\r\n")) { text.replace('\n', "\r\n") } else { text }
}
