//! The images of the tests: the image of the operator, and the images of pods that the operator creates.

use super::args::{EndToEndArgs, On};
use super::cluster::Cluster;
use crate::commands::build;
use crate::commands::context::Context;
use crate::error::Category;
use crate::exec::{TemporaryFolder, only_image, pull_image, save_image};
use crate::model::{Image, Project, check_image, whole_reference};
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// The images of the tests. Images that the cluster does not pull from a registry are stored in archives.
pub(super) struct Prepared {
    /// The name of the operator's image.
    pub(super) operator: String,
    /// The name of the earlier operator image, which is deployed first; `None` without `--from`.
    pub(super) earlier: Option<String>,
    archives: Vec<PathBuf>,
    folder: TemporaryFolder,
}

/// Builds the operator's image, unless `--image` names one, and writes all images that must be loaded to archives.
pub(super) fn prepare(args: &EndToEndArgs, project: &Project, context: &Context) -> Result<Prepared> {
    let folder = TemporaryFolder::new("image")?;
    let mut prepared = Prepared { operator: String::new(), earlier: None, archives: Vec::new(), folder };
    let earlier = args.from.as_deref();
    prepared.earlier = earlier.map(|image| prepared.add_operator(image, args.on, context)).transpose()?;
    prepared.operator = match args.image.as_deref() {
        Some(image) => prepared.add_operator(image, args.on, context)?,
        None => {
            // All tools keep a name with this host as it is.
            let image = format!("localhost/{}:e2e", project.name);
            let path = prepared.next_archive();
            build::build_archive(&image, &path, context)?;
            prepared.archives.push(path);
            image
        }
    };
    if prepared.earlier.as_ref() == Some(&prepared.operator) {
        return Err(Error::usage(format!(
            "the earlier and the new image of the operator are both named `{}`",
            prepared.operator
        ))
        .caused_by("a cluster does not replace pods whose image name is unchanged")
        .hint(
            "give the earlier image another tag: opctl test --e2e --from my-operator:0.1.0 --image \
                 my-operator:0.2.0",
        ));
    }
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
        prepared.add(image, context)?;
    }
    Ok(prepared)
}

/// Writes the image to `archive`. Pulls the image first if no container tool has it.
fn save(image: &str, archive: &Path, context: &Context) -> Result<()> {
    match save_image(image, archive, None) {
        Ok(()) => Ok(()),
        Err(error) if error.category() != Category::User => Err(error),
        Err(error) => match pull_image(image, &|line| context.console.command(line)) {
            Ok(true) => save_image(image, archive, None),
            Ok(false) => Err(error),
            // A tool may have the image and not be able to write it.
            Err(refused) => Err(error.causes().iter().fold(refused, Error::caused_by)),
        },
    }
}

impl Prepared {
    fn next_archive(&self) -> PathBuf {
        self.folder.path().join(format!("{}.tar", self.archives.len()))
    }

    /// Adds an image to the archives to load. `image` is the path of an archive, or the name of an image that this
    /// function writes to a new archive. Returns the path of the archive.
    fn add(&mut self, image: &str, context: &Context) -> Result<&Path> {
        let path = if Path::new(image).is_file() {
            PathBuf::from(image)
        } else {
            check_image(image)?;
            let path = self.next_archive();
            save(image, &path, context)?;
            path
        };
        self.archives.push(path);
        Ok(&self.archives[self.archives.len() - 1])
    }

    /// Adds an image of the operator to the archives to load, unless the cluster pulls the image from a registry (`--on
    /// current`). Returns the image name that the cluster uses.
    fn add_operator(&mut self, image: &str, on: On, context: &Context) -> Result<String> {
        if on == On::Current {
            check_image(image)?;
            return Ok(image.to_owned());
        }
        let name = only_image(self.add(image, context)?)?;
        // podman and buildah keep `web:1` as `localhost/web:1`.
        Ok(if whole_reference(&name) == whole_reference(image) { image.to_owned() } else { name })
    }

    /// Loads the images into the cluster.
    pub(super) fn load(&self, cluster: &Cluster, context: &Context) -> Result<()> {
        self.archives.iter().try_for_each(|archive| cluster.load_archive(archive, context))
    }
}
