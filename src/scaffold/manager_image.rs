//! The default image that `config/default` deploys, unless the user gives another image to a command.

use crate::edit;
use crate::error::hint;
use crate::model::{IMAGE_PLACEHOLDER, is_placeholder};
use crate::plan::{Edit, Operation, Snapshot};
use crate::{Error, Result};

/// The file with the manager's `Deployment`.
pub const MANAGER_FILE: &str = "config/manager/manager.yaml";
/// The kustomization that sets the manager's image in `images`.
pub const IMAGES_FILE: &str = "config/manager/kustomization.yaml";

/// Returns the operation that makes kustomize replace the image placeholder in [`MANAGER_FILE`] with `image`.
///
/// # Errors
/// Fails if the `Deployment` has no placeholder: kustomize would replace nothing.
pub fn image(snapshot: &Snapshot, image: &str) -> Result<Operation> {
    let text = snapshot.text(MANAGER_FILE).unwrap_or_default();
    let has_placeholder = |line: &str| {
        let code = line.split(" #").next().unwrap_or_default().trim().trim_start_matches("- ");
        code.strip_prefix("image:").is_some_and(|image| is_placeholder(image.trim().trim_matches(['"', '\''])))
    };
    if !text.lines().any(has_placeholder) {
        return Err(Error::user(format!("`{MANAGER_FILE}` has no container with the image `{IMAGE_PLACEHOLDER}`"))
            .caused_by("kustomize replaces this placeholder with the chosen image")
            .hint(hint!(
                "put this line into the container `manager` in that file:\nimage: {IMAGE_PLACEHOLDER}:latest",
                IMAGE_PLACEHOLDER
            )));
    }
    Ok(Operation::edit(IMAGES_FILE, Edit::Image(image.to_owned())))
}

/// Returns the operation that keeps the user's image when opctl generates [`IMAGES_FILE`] again: the operation sets the
/// image that the file has in the snapshot. Returns `None` if the file sets no image.
pub fn chosen_image(snapshot: &Snapshot) -> Option<Operation> {
    let image = edit::image(snapshot.text(IMAGES_FILE)?, IMAGE_PLACEHOLDER)?;
    Some(Operation::edit(IMAGES_FILE, Edit::Image(image)))
}
