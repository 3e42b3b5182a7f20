//! The images of the tests: the operator's, and those of pods that the operator makes.

use super::args::{EndToEndArgs, On};
use super::cluster::Cluster;
use crate::Result;
use crate::cli::build;
use crate::cli::context::Context;
use crate::exec::{TemporaryFolder, only_image, pull_image, save_image};
use crate::model::{Image, Project, check_image, whole_reference};
use std::path::{Path, PathBuf};

/// The images, as archives unless the cluster pulls them.
pub(super) struct Prepared {
    /// The name of the operator's image.
    pub(super) operator: String,
    archives: Vec<PathBuf>,
    _folder: TemporaryFolder,
}

/// Builds the operator's image, unless there is one, and writes all images that have to be loaded into archives.
pub(super) fn prepare(args: &EndToEndArgs, project: &Project, context: &Context) -> Result<Prepared> {
    let folder = TemporaryFolder::new("image")?;
    let mut archives = Vec::new();
    let archive = |archives: &[PathBuf]| folder.path().join(format!("{}.tar", archives.len()));
    let operator = match args.image.as_deref() {
        Some(image) if Path::new(image).is_file() => {
            let name = only_image(Path::new(image))?;
            archives.push(PathBuf::from(image));
            name
        }
        Some(image) => {
            check_image(image)?;
            if args.on == On::Current {
                image.to_owned()
            } else {
                let path = archive(&archives);
                save(image, &path, context)?;
                let name = only_image(&path)?;
                archives.push(path);
                // podman and buildah keep `web:1` as `localhost/web:1`.
                if whole_reference(&name) == whole_reference(image) { image.to_owned() } else { name }
            }
        }
        None => {
            // All tools keep a name with this host as it is.
            let image = format!("localhost/{}:e2e", project.name);
            let path = archive(&archives);
            build::build_archive(&image, &path, context)?;
            archives.push(path);
            image
        }
    };
    let mut others: Vec<&str> = args.load.iter().map(String::as_str).collect();
    if args.on == On::Node {
        // The node reaches no registry.
        let used = project.resources.iter().filter_map(|resource| resource.image.as_ref());
        let given: Vec<String> = others.iter().filter_map(|image| only_image(Path::new(image)).ok()).collect();
        let is_given = |image: &&str| given.iter().any(|given| whole_reference(given) == whole_reference(image));
        others.extend(used.map(Image::reference).filter(|image| !is_given(image)));
        others.sort_unstable();
        others.dedup();
    }
    for image in others {
        if Path::new(image).is_file() {
            archives.push(PathBuf::from(image));
        } else {
            check_image(image)?;
            let path = archive(&archives);
            save(image, &path, context)?;
            archives.push(path);
        }
    }
    Ok(Prepared { operator, archives, _folder: folder })
}

/// Writes the image to `archive`. An image that no container tool has is pulled.
fn save(image: &str, archive: &Path, context: &Context) -> Result<()> {
    match save_image(image, archive, None) {
        Ok(()) => Ok(()),
        Err(error) => {
            if pull_image(image, &|line| context.console.command(line))? {
                save_image(image, archive, None)
            } else {
                Err(error)
            }
        }
    }
}

impl Prepared {
    /// Loads the images into the cluster.
    pub(super) fn load(&self, cluster: &Cluster, context: &Context) -> Result<()> {
        self.archives.iter().try_for_each(|archive| cluster.load_archive(archive, context))
    }
}
