//! Adds a bundle to a catalog.

use super::document::{CatalogFile, Document, documents};
use super::{channel, rendered};
use crate::olm::bundle::Bundle;
use crate::olm::format::PREFIX;
use crate::olm::manifest::text;
use crate::{Error, Result, yaml};
use serde_json::Value;

/// The result of adding a bundle to a catalog.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Added {
    /// The files that change, with their new contents.
    pub files: Vec<CatalogFile>,
    /// The name of the bundle.
    pub name: String,
    /// The channels to which the bundle was added.
    pub channels: Vec<String>,
}

/// Adds a bundle to the catalog in `files`: to the file that contains the bundle's package, or to a new file at `path`.
/// All other text in the files stays unchanged.
///
/// # Errors
/// Fails if a file is not YAML, if the catalog has the bundle with another content and `force` is false, or if a
/// channel would no longer have exactly one newest bundle.
pub fn add(files: &[CatalogFile], path: &str, bundle: &Bundle, image: &str, force: bool) -> Result<Added> {
    let mut files = files.to_vec();
    let named = |name: &str| bundle.annotation(&format!("{PREFIX}{name}")).unwrap_or_default();
    let package = named("package.v1");
    let version = bundle.service_version().ok_or_else(|| {
        Error::user("the bundle has no ClusterServiceVersion to add to a catalog").hint("opctl bundle --check")
    })?;
    let name = text(version, "/metadata/name").to_owned();
    let channels: Vec<&str> = named("channels.v1").split(',').map(str::trim).filter(|one| !one.is_empty()).collect();
    let documents = documents(&files)?;
    let of_package = documents.iter().find(|document| document.is_of(package)).map(|document| document.file);
    let home = of_package.unwrap_or_else(|| {
        let there = files.iter().position(|file| file.path == path);
        there.unwrap_or_else(|| {
            files.push(CatalogFile { path: path.to_owned(), text: String::new() });
            files.len() - 1
        })
    });
    let before = files.clone();
    let mut new = Vec::new();
    if !documents.iter().any(|document| document.has_identity("olm.package", package, package)) {
        let default = Some(named("channel.default.v1")).filter(|name| !name.is_empty());
        let default = default.or_else(|| channels.first().copied()).unwrap_or_default();
        new.push(rendered::package(package, default, version));
    }
    let mut replaced: Vec<(&Document, String)> = Vec::new();
    for one in &channels {
        match documents.iter().find(|document| document.has_identity("olm.channel", package, one)) {
            None => new.push(rendered::channel(one, package, &channel::entry(version, None))),
            Some(document) => {
                let Some((expected, entry)) = channel::with_entry(&document.value, version)? else { continue };
                replaced.push((document, with_entry(document, &before, &expected, &entry)?));
            }
        }
    }
    let wanted = rendered::bundle(bundle, version, package, image);
    match documents.iter().find(|document| document.has_identity("olm.bundle", package, &name)) {
        None => new.push(wanted),
        Some(there) if there.value == wanted => {}
        Some(there) if force => replaced.push((there, yaml::document(&wanted))),
        Some(there) => {
            return Err(Error::conflict(format!(
                "the catalog file `{}` already contains the bundle `{name}` with different content",
                before[there.file].path
            ))
            .caused_by("opctl does not change a bundle in a catalog, because clusters may have installed it")
            .hint(
                "opctl bundle --catalog catalog --version 0.2.0    # a new version; or use --force to replace the \
                 bundle",
            ));
        }
    }
    // From the end, so that the places of those before stay right.
    replaced.sort_by_key(|(document, _)| std::cmp::Reverse((document.file, document.range.start)));
    for (document, text) in replaced {
        files[document.file].text.replace_range(document.range.clone(), &text);
    }
    for document in new {
        append(&mut files[home].text, &document);
    }
    let channels = channels.into_iter().map(str::to_owned).collect();
    let changed = files.into_iter().enumerate().filter(|(index, file)| before.get(*index) != Some(file));
    Ok(Added { files: changed.map(|(_, file)| file).collect(), name, channels })
}

/// Returns the text of a channel's document with `entry` added to its entries. Fails if the new text does not parse as
/// the value `expected`, for example because the existing entries are not on separate lines.
fn with_entry(document: &Document, files: &[CatalogFile], expected: &Value, entry: &Value) -> Result<String> {
    let CatalogFile { path, text } = &files[document.file];
    let new = channel::insert_entry(&text[document.range.clone()], entry);
    let reads_as = |text: &String| yaml::read(text).is_ok_and(|values| values.first() == Some(expected));
    new.filter(reads_as).ok_or_else(|| {
        let name = self::text(expected, "/name");
        Error::user(format!("the entries of the channel `{name}` in `{path}` are not on separate lines"))
            .caused_by("opctl adds an entry only as a separate line, so that the existing entries stay unchanged")
            .hint(crate::error::Hint::snippet(format!("entries:\n{}", yaml::document(&serde_json::json!([entry])))))
    })
}

fn append(text: &mut String, document: &Value) {
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    text.push_str(&yaml::documents([document]));
}
