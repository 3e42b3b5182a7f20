//! `opctl bundle --catalog`: puts the bundle into a file-based catalog of the project.

use crate::error::hint;
use crate::model::ProjectPath;
use crate::olm::catalog::{Added, CatalogFile, add};
use crate::olm::{Bundle, BundleFile, FOLDER};
use crate::packaging::BUNDLE;
use crate::plan::{Operation, Step};
use crate::template::Templates;
use crate::workspace::Workspace;
use crate::{Error, Result, yaml};
use serde_json::json;
use std::path::Path;

/// A catalog folder, and the package and the image of the bundle to add to it.
pub(super) struct Catalog<'a> {
    pub(super) folder: &'a str,
    pub(super) package: &'a str,
    pub(super) image: &'a str,
    pub(super) force: bool,
}

/// Returns the operations that add the bundle to the catalog, and the added catalog entries. The argument `operations`
/// has the operations that write the bundle.
pub(super) fn operations(
    catalog: &Catalog,
    workspace: &Workspace,
    operations: &[Operation],
) -> Result<(Vec<Operation>, Added)> {
    let folder = ProjectPath::parse(catalog.folder.trim_end_matches('/'))
        .map_err(|error| error.hint(hint!("opctl bundle --catalog catalog    # a folder below the project")))?;
    let paths = workspace.files_in(&folder).into_iter().filter(|path| yaml::is_yaml(Path::new(path)));
    let paths: Vec<ProjectPath> = paths.collect();
    let snapshot = workspace.snapshot(&paths)?;
    let read = |path: &ProjectPath| {
        let text = snapshot.text(path)?.to_owned();
        Some(CatalogFile { path: path.as_str().to_owned(), text })
    };
    let files: Vec<CatalogFile> = paths.iter().filter_map(read).collect();
    if files.len() < paths.len() {
        return Err(Error::user(format!("`{folder}` has files that are not UTF-8")).hint(hint!(
            "file {folder}/*    # shows the encodings; move the files that are not UTF-8 out of the catalog",
            folder = folder.as_str()
        )));
    }
    let home = format!("{folder}/{}/catalog.yaml", catalog.package);
    let added = add(&files, &home, &written_bundle(operations), catalog.image, catalog.force)?;
    let mut all = Vec::new();
    for file in &added.files {
        all.push(Operation::record(ProjectPath::parse(file.path.as_str())?, file.text.as_str()));
    }
    let dockerfile = ProjectPath::parse(format!("{folder}.Dockerfile"))?;
    if workspace.snapshot([&dockerfile])?.text(&dockerfile).is_none() {
        all.push(Operation::record(
            dockerfile,
            Templates::load("bundle")?.render("catalog.Dockerfile", &json!({"folder": folder.as_str()}))?,
        ));
    }
    Ok((all, added))
}

/// Returns the bundle that the operations write.
fn written_bundle(operations: &[Operation]) -> Bundle {
    let files = operations.iter().filter_map(|operation| {
        let path = operation.path.as_str().strip_prefix(BUNDLE)?.to_owned();
        match &operation.step {
            Step::Generate { content, .. } => Some(BundleFile { path, content: content.clone().into_bytes() }),
            _ => None,
        }
    });
    let folders = ["manifests/", "metadata/"];
    let folders = folders.map(|path| BundleFile { path: path.to_owned(), content: FOLDER.to_vec() });
    Bundle::parse(BUNDLE.trim_end_matches('/'), files.chain(folders).collect())
}
