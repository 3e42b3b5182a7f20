//! `opctl run --in-cluster`: the operator in the cluster, from an image that is compiled on this machine.

use super::watch::Restarted;
use crate::commands::build::{LocalImage, execute};
use crate::commands::context::{Context, as_typed};
use crate::commands::operator_program::project;
use crate::commands::output_file::OutputFile;
use crate::commands::steps;
use crate::error::{Hint, file_error, hint};
use crate::exec::{
    Guarded, Interrupts, LocalCluster, TemporaryFolder, command_for_this_process, print_to_stderr, spawn,
};
use crate::image::{Platform, archive, push};
use crate::model::{check_image, reference_parts};
use crate::report::Report;
use crate::system::own_program;
use crate::{Error, Result};
use clap::Args;
use std::path::{Path, PathBuf};
use std::process::Stdio;

/// The number of hexadecimal digits of the image's digest that are used in the image's tag.
const DIGITS: usize = 12;

/// The flags that run the operator in the cluster, and choose how the cluster gets the image.
#[derive(Args, Clone, Debug)]
pub(super) struct InClusterArgs {
    /// Run the operator in the cluster: compile its image without a container tool, load or push it, and deploy it; needs `--load`
    /// or `--image`
    #[arg(long, conflicts_with_all = ["envtest", "webhook_host", "operator"])]
    pub(super) in_cluster: bool,
    /// With `--in-cluster`, load the image into this local cluster
    #[arg(long, value_enum, value_name = "CLUSTER", requires = "in_cluster")]
    load: Option<LocalCluster>,
    /// The name of the local cluster [default: the default name of the cluster's tool]
    #[arg(long, value_name = "NAME", requires = "load")]
    cluster: Option<String>,
    /// With `--in-cluster`, push the image to this repository; its tag is made from its digest
    #[arg(long, value_name = "REPOSITORY", requires = "in_cluster", conflicts_with = "load")]
    image: Option<String>,
}

/// The operator that `opctl run --in-cluster` deploys, with the flags of this command.
pub(super) struct InCluster {
    root: PathBuf,
    profile: &'static str,
    args: InClusterArgs,
    /// The flags that choose the cluster.
    flags: Vec<String>,
    /// The process that prints the operator's log; `None` before the first deployment.
    logs: Option<Guarded>,
}

impl InCluster {
    /// Checks that the flags name a destination for the image.
    ///
    /// # Errors
    /// Fails if the image has no destination, or if `--image` has a tag or a digest.
    pub(super) fn new(root: PathBuf, args: &InClusterArgs, release: bool, flags: Vec<String>) -> Result<Self> {
        match &args.image {
            Some(image) => {
                check_image(image)?;
                let (repository, tag, digest) = reference_parts(image);
                if tag.is_some() || digest.is_some() {
                    return Err(Error::usage(format!(
                        "`{image}` has a tag or a digest, but opctl makes the tag from the digest of the built image"
                    ))
                    .hint(hint!("opctl run --in-cluster --image {repository}", repository)));
                }
            }
            None if args.load.is_none() => {
                return Err(Error::usage("`opctl run --in-cluster` needs `--load` or `--image`")
                    .caused_by(
                        "`--load` loads the operator's image into a local cluster, and `--image` pushes it to a \
                         registry",
                    )
                    .hint("opctl run --in-cluster --load node"));
            }
            None => {}
        }
        let profile = if release { "release" } else { "dev" };
        Ok(InCluster { root, profile, args: args.clone(), flags, logs: None })
    }

    /// Deploys the operator, and prints the operator's log until the user interrupts the command.
    pub(super) fn run(&self, context: &Context) -> Result<Report> {
        (self.steps(context))()?;
        (context.run)(context, &self.append_flags(&["opctl", "logs", "--follow"]))
    }

    fn append_flags<'a>(&'a self, command: &[&'a str]) -> Vec<&'a str> {
        command.iter().copied().chain(self.flags.iter().map(String::as_str)).collect()
    }
}

impl Restarted for InCluster {
    fn root(&self) -> &Path {
        &self.root
    }

    fn steps(&self, context: &Context) -> Box<dyn FnOnce() -> Result<PathBuf> + Send> {
        let (root, profile, args) = (self.root.clone(), self.profile, self.args.clone());
        let (flags, context) = (self.flags.clone(), context.clone());
        Box::new(move || {
            steps::manifests(&context, &[])?;
            let platform = Platform::of_this_machine()
                .ok_or_else(|| Error::environment("opctl does not compile images for this machine's processor"))?;
            let (image, program) = LocalImage::new(&root, platform, profile, None)?.make(&root, &context)?;
            let digest = image.digest().trim_start_matches("sha256:");
            let name = project(&root).map(|project| project.name.to_string()).unwrap_or_default();
            let repository = args.image.clone().unwrap_or_else(|| format!("localhost/{name}"));
            let name = format!("{repository}:dev-{}", &digest[..DIGITS]);
            if let Some(cluster) = args.load {
                let folder = TemporaryFolder::new("image")?;
                let packed = folder.path().join("image.tar");
                OutputFile::at(&packed)?.write(&archive(&image, &name)?)?;
                let line = cluster.load_line(&packed.to_string_lossy(), args.cluster.as_deref());
                context.console.command(Hint::join(&line, " ").as_str());
                execute(&line, &root, false, context.console.json())?;
            } else {
                push(&name, &[image], &mut |part| context.console.status("Pushing", part))?;
            }
            let words = ["opctl", "deploy", "--image", &name];
            let words: Vec<&str> = words.into_iter().chain(flags.iter().map(String::as_str)).collect();
            context.console.command(&words.join(" "));
            as_typed(&context, &words)?;
            Ok(program)
        })
    }

    /// Starts to print the operator's log, unless it is printed already: printing continues across deployments.
    fn renew(&mut self, _: &Path, told: &str, _: &Interrupts, context: &Context) -> Result<()> {
        context.console.status("Running", format!("in the cluster, {told}"));
        if self.logs.as_mut().is_some_and(|logs| matches!(logs.child().try_wait(), Ok(None))) {
            return Ok(());
        }
        let own = own_program().map_err(|error| Error::bug("cannot find the opctl executable").source(&error))?;
        let failed = |error: &std::io::Error| file_error("run", &own, error);
        let mut command = command_for_this_process(&own).map_err(|error| failed(&error))?;
        command.args(["logs", "--quiet", "--follow", "--since", "10s"]).args(&self.flags);
        command.current_dir(&self.root).stdin(Stdio::null());
        if context.console.json() {
            print_to_stderr(&mut command);
        }
        self.logs = Some(spawn(&mut command).map_err(|error| failed(&error))?);
        Ok(())
    }

    /// Always returns `None`: the cluster restarts a pod that ends, and the printed log shows the restart.
    fn ended(&mut self) -> Option<String> {
        None
    }

    fn runs(&self) -> bool {
        self.logs.is_some()
    }

    fn stop(&mut self, _: &Interrupts, _: &Context) -> String {
        match self.logs.take() {
            Some(logs) => {
                logs.terminate();
                "the operator keeps running in the cluster until `opctl undeploy`".to_owned()
            }
            None => "interrupted: nothing was deployed".to_owned(),
        }
    }
}
