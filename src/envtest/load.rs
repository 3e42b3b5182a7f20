//! Loads images into the node of a control plane, which has no way to a registry.

use super::name::Name;
use super::node::import;
use super::places::Places;
use super::state::State;
use crate::error::{file_error, hint};
use crate::system;
use crate::{Error, Result};
use std::path::Path;

/// Loads the images of an archive, as `docker save` writes it, into the node of the control plane of that name. `-` is
/// stdin. Returns the names of the images.
///
/// # Errors
/// The control plane has no node, the file cannot be read, or the node does not take it.
pub fn load(name: &Name, archive: &Path) -> Result<Vec<String>> {
    let directory = Places::of_this_process()?.state.join(name.as_str());
    let state = State::read(&directory)?.filter(State::alive);
    let Some(init) = state.and_then(|state| state.node) else {
        return Err(Error::environment(format!("control plane `{name}` runs no node"))
            .hint(hint!("opctl envtest start --name {name} --node", name)));
    };
    let said = if archive == Path::new("-") {
        import(init, &mut std::io::stdin().lock())
    } else {
        let mut file = system::open_without_waiting(archive).map_err(|error| file_error("read", archive, &error))?;
        import(init, &mut file)
    };
    let names = said?.lines().filter_map(image).map(str::to_owned).collect();
    Ok(names)
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
