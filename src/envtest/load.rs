//! Loads images into the node of a control plane. This is needed because the node cannot reach remote registries.

use super::foreign::{lacks_rights, needs_root, runs_elsewhere, runs_elsewhere_error};
use super::name::Name;
use super::node::ImageStore;
use super::places::Places;
use super::state::State;
use crate::error::{file_error, hint};
use crate::exec::{ContainerTool, TemporaryFolder, only_image, save_image};
use crate::model::whole_reference;
use crate::system;
use crate::{Error, Result};
use std::path::Path;

/// Images to load into a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Images<'a> {
    /// All images in an archive in the format of `docker save`; the path `-` is stdin.
    Archive(&'a Path),
    /// The image with this name in the image store of the given container tool. If the tool is `None`, the first tool
    /// that has the image is used.
    Stored(&'a str, Option<ContainerTool>),
}

/// Fails if the control plane named `name` has no real node.
pub fn check_has_node(name: &Name) -> Result<()> {
    store(name).map(drop)
}

/// Loads images into the node of the control plane named `name`. Returns the names of the images.
///
/// # Errors
/// Fails if the control plane has no node, if no container tool has the image, if the archive cannot be read, or if the
/// node rejects the archive.
pub fn load(name: &Name, images: &Images) -> Result<Vec<String>> {
    load_into(&store(name)?, images)
}

/// Loads images into the image store of a node, as [`load`] does.
pub(super) fn load_into(store: &ImageStore, images: &Images) -> Result<Vec<String>> {
    match images {
        Images::Archive(path) if *path == Path::new("-") => store.import(&mut std::io::stdin().lock()),
        Images::Archive(path) => from_file(store, path),
        Images::Stored(image, tool) => {
            let folder = TemporaryFolder::new("image")?;
            let archive = folder.path().join("image.tar");
            save_image(image, &archive, *tool)?;
            let mut loaded = from_file(store, &archive)?;
            // containerd 2 does not say what it has loaded.
            if loaded.is_empty() {
                loaded.extend(only_image(&archive).ok());
            }
            // podman and buildah keep `web:1` as `localhost/web:1`; nodes look for `docker.io/library/web:1`.
            let wanted = whole_reference(image);
            if let ([only], false) = (&loaded[..], loaded.contains(&wanted)) {
                store.tag(only, &wanted)?;
                return Ok(vec![wanted]);
            }
            Ok(loaded)
        }
    }
}

fn store(name: &Name) -> Result<ImageStore> {
    let directory = Places::of_this_process()?.state.join(name.as_str());
    let state = State::read(&directory)?;
    if runs_elsewhere(&directory, state.as_ref()) {
        return Err(runs_elsewhere_error(name));
    }
    let state = state.filter(State::alive);
    if state.is_some() && lacks_rights(&directory) {
        return Err(needs_root("load", name));
    }
    state.and_then(|state| ImageStore::of(&state, &directory)).ok_or_else(|| {
        Error::environment(format!("control plane `{name}` runs no node"))
            .hint(hint!("opctl envtest start --name {name} --node", name))
    })
}

fn from_file(store: &ImageStore, archive: &Path) -> Result<Vec<String>> {
    let failed = |error: std::io::Error| file_error("read", archive, &error);
    let mut file = system::open_without_waiting(archive).map_err(failed)?;
    store.check_has_room_for(file.metadata().map_err(failed)?.len())?;
    store.import(&mut file)
}
