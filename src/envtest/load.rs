//! Loads images into the node of a control plane, which has no way to a registry.

use super::name::Name;
use super::node::{import, tag};
use super::places::Places;
use super::state::State;
use crate::error::{file_error, hint};
use crate::exec::{ContainerTool, TemporaryFolder, save_image};
use crate::model::whole_reference;
use crate::system;
use crate::{Error, Result};
use std::path::Path;

/// Images that are loaded into a node.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Images<'a> {
    /// All images of an archive, as `docker save` writes it; `-` is stdin.
    Archive(&'a Path),
    /// The image of this name in the store of a container tool, or else of the first one that has it.
    Stored(&'a str, Option<ContainerTool>),
}

/// Fails if the control plane of that name has no node.
pub fn check_has_node(name: &Name) -> Result<()> {
    init(name).map(drop)
}

/// Loads images into the node of the control plane of that name. Returns their names.
///
/// # Errors
/// The control plane has no node, no container tool has the image, the file cannot be read, or the node does not take
/// it.
pub fn load(name: &Name, images: &Images) -> Result<Vec<String>> {
    load_into(init(name)?, images)
}

/// Like [`load`], for the node whose first process is `init`.
pub(super) fn load_into(init: u32, images: &Images) -> Result<Vec<String>> {
    match images {
        Images::Archive(path) if *path == Path::new("-") => Ok(names(&import(init, &mut std::io::stdin().lock())?)),
        Images::Archive(path) => from_file(init, path),
        Images::Stored(image, tool) => {
            let folder = TemporaryFolder::new("image")?;
            let archive = folder.path().join("image.tar");
            save_image(image, &archive, *tool)?;
            let loaded = from_file(init, &archive)?;
            // podman and buildah keep `web:1` as `localhost/web:1`; nodes look for `docker.io/library/web:1`.
            let wanted = whole_reference(image);
            if let ([only], false) = (&loaded[..], loaded.contains(&wanted)) {
                tag(init, only, &wanted)?;
                return Ok(vec![wanted]);
            }
            Ok(loaded)
        }
    }
}

fn init(name: &Name) -> Result<u32> {
    let directory = Places::of_this_process()?.state.join(name.as_str());
    let state = State::read(&directory)?.filter(State::alive);
    state.and_then(|state| state.node).ok_or_else(|| {
        Error::environment(format!("control plane `{name}` runs no node"))
            .hint(hint!("opctl envtest start --name {name} --node", name))
    })
}

fn from_file(init: u32, archive: &Path) -> Result<Vec<String>> {
    let mut file = system::open_without_waiting(archive).map_err(|error| file_error("read", archive, &error))?;
    Ok(names(&import(init, &mut file)?))
}

fn names(said: &str) -> Vec<String> {
    said.lines().filter_map(image).map(str::to_owned).collect()
}

/// Returns the image in a line of `ctr`: `unpacking NAME (sha256:…)...done`.
fn image(line: &str) -> Option<&str> {
    line.strip_prefix("unpacking ")?.split_whitespace().next()
}

#[cfg(test)]
mod tests {
    use super::image;

    #[test]
    fn images_are_named_in_lines_of_ctr() {
        assert_eq!(image("unpacking localhost/web:1 (sha256:00)...done"), Some("localhost/web:1"));
        assert_eq!(image("elapsed: 1 s"), None);
    }
}
