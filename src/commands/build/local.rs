//! `opctl build --local`: cargo compiles on this machine, and opctl makes the image of the program.

use super::command::{BuildArgs, check_platforms};
use super::engine::{check_cluster, execute};
use crate::commands::context::Context;
use crate::commands::operator_program::{cargo_arguments, project};
use crate::commands::output_file::OutputFile;
use crate::error::{Hint, file_error, hint};
use crate::exec::{self, TemporaryFolder};
use crate::image::{Base, Contents, Image, Platform, archive, bill_of_materials, push, read_program};
use crate::model::check_image;
use crate::reading::{self, Limit};
use crate::report::{Outcome, Report};
use crate::workspace::discover;
use crate::{Error, Result};
use serde_json::json;
use std::path::{Path, PathBuf};

const NO_STATIC_LIBRARY: &str =
    "the static C library is not installed: Debian has it in `libc6-dev`, Fedora in `glibc-static`";

/// An image whose program is compiled on this machine, without a container tool.
pub(in crate::commands) struct LocalImage {
    platform: Platform,
    /// The target triple of Rust.
    target: String,
    /// The folder of the base image.
    base: Option<PathBuf>,
    arguments: Vec<String>,
}

impl LocalImage {
    /// Chooses the Rust target and the `cargo build` arguments that compile the project at `root` for a platform.
    /// Compiles nothing.
    ///
    /// # Errors
    /// Fails if the Rust compiler has no target for the platform.
    pub(in crate::commands) fn new(
        root: &Path,
        platform: Platform,
        profile: &str,
        base: Option<&Path>,
    ) -> Result<Self> {
        let target = target(root, platform, base.is_some())?;
        let mut arguments: Vec<String> =
            ["--profile", profile, "--locked", "--target", &target].into_iter().map(str::to_owned).collect();
        if base.is_none() && target.ends_with("-gnu") {
            // A linker option of the project's configuration stays beside it.
            arguments.extend([
                "--config".to_owned(),
                format!("target.{target}.rustflags=[\"-Ctarget-feature=+crt-static\"]"),
            ]);
        }
        arguments.extend(cargo_arguments(root));
        Ok(LocalImage { platform, target, base: base.map(Path::to_owned), arguments })
    }

    /// Returns the command line that compiles the program.
    fn line(&self) -> Hint {
        let words: Vec<String> = ["cargo", "build"].iter().map(|word| (*word).to_owned()).collect();
        Hint::join(words.iter().chain(&self.arguments), " ")
    }

    /// Compiles the program, and makes the image. Returns both: the image and the path of the program.
    pub(in crate::commands) fn make(&self, root: &Path, context: &Context) -> Result<(Image, PathBuf)> {
        let base = self.base.as_deref().map(|folder| Base::read(folder, self.platform)).transpose()?;
        context.console.command(self.line().as_str());
        let arguments: Vec<&str> = self.arguments.iter().map(String::as_str).collect();
        let path = exec::build(root, &arguments, None).map_err(|error| self.explain(error))?;
        let bytes = reading::bytes(&path, Limit::Program).map_err(|error| file_error("read", &path, &error))?;
        self.check(&path, &bytes)?;
        let flags = ["--locked", "--filter-platform", &self.target];
        let bill = bill_of_materials(&exec::resolved_metadata(root, &flags)?, &root.join("Cargo.toml"));
        let image = Image::new(&Contents {
            platform: self.platform,
            program: &bytes,
            bill: &bill.unwrap_or_default(),
            repository: project(root).and_then(|project| project.repo).as_deref(),
            base: base.as_ref(),
        });
        Ok((image?, path))
    }

    /// Fails if the program would not start in the image.
    fn check(&self, path: &Path, bytes: &[u8]) -> Result<()> {
        let program = read_program(bytes).filter(|program| program.platform == self.platform);
        let Some(program) = program else {
            return Err(Error::user(format!(
                "`{}` is not a program for the platform `{}`",
                path.display(),
                self.platform
            )));
        };
        if program.is_static || self.base.is_some() {
            return Ok(());
        }
        let error = Error::user(format!("`{}` needs shared libraries, but the image contains none", path.display()));
        let is_set = |name: &&str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let error = match ["CARGO_ENCODED_RUSTFLAGS", "RUSTFLAGS"].into_iter().find(is_set) {
            Some(name) => error.caused_by(format!(
                "the environment variable `{name}` is set, and overrides the flag that links \
                                         the libraries statically"
            )),
            None => error,
        };
        Err(error.hint("opctl build --local --base FOLDER    # with an OCI layout that contains the libraries"))
    }

    /// Adds the requirements of the compilation, a static C library or a linker, to the error of cargo.
    fn explain(&self, error: Error) -> Error {
        if is_own(self.platform) {
            return if self.base.is_some() || exec::has_static_library() {
                error
            } else {
                error.caused_by(NO_STATIC_LIBRARY)
            };
        }
        let (target, machine) = (&self.target, self.platform.machine());
        error
            .caused_by(format!("to compile for `{target}`, set a linker for it in `.cargo/config.toml`"))
            .hint(Hint::snippet(format!("[target.{target}]\nlinker = \"{machine}-linux-{}-gcc\"", environment(target))))
    }
}

/// Returns true if this machine runs programs for the platform.
fn is_own(platform: Platform) -> bool {
    cfg!(target_os = "linux") && Platform::of_this_machine() == Some(platform)
}

fn environment(target: &str) -> &str {
    target.rsplit('-').next().unwrap_or("gnu")
}

/// Returns the Rust target to compile for. With a base image (`has_libraries` is true), the target always has glibc.
/// Without a base image, prefers a target with glibc for this machine's platform, and a target with musl, whose C
/// library comes with Rust, for other platforms.
fn target(root: &Path, platform: Platform, has_libraries: bool) -> Result<String> {
    let environments: &[&str] = match (is_own(platform), has_libraries) {
        (_, true) => &["gnu"],
        (true, false) => &["gnu", "musl"],
        (false, false) => &["musl", "gnu"],
    };
    let triple = |environment: &&str| format!("{}-unknown-linux-{environment}", platform.machine());
    let targets: Vec<String> = environments.iter().map(triple).collect();
    let found = targets.iter().find(|target| exec::has_target(root, target)).cloned();
    found.ok_or_else(|| {
        Error::environment(format!("the Rust compiler has no target for `{platform}`"))
            .caused_by(format!("the Rust standard libraries for `{}` are not installed", targets.join("` and `")))
            .hint(hint!("rustup target add {}", targets[0]))
    })
}

impl BuildArgs {
    /// Builds the image without a container tool, and pushes it, loads it or writes it to an archive, as the flags say.
    pub(super) fn build_locally(&self, context: &Context) -> Result<Report> {
        check_image(&self.image)?;
        if !self.push && self.load.is_none() && self.archive.is_none() {
            return Err(Error::usage("an image that is built without a container tool needs a destination")
                .caused_by("choose a destination: `--push`, `--load CLUSTER` or `--archive FILE`")
                .hint(hint!("opctl build --image {} --local --load node", self.image)));
        }
        let platforms = self.platforms()?;
        let root = discover(&context.directory)?;
        let base = self.base.as_ref().map(|folder| context.directory.join(folder));
        let of_platform = |platform: &Platform| LocalImage::new(&root, *platform, &self.profile, base.as_deref());
        let plans = platforms.iter().map(of_platform).collect::<Result<Vec<_>>>()?;
        if self.dry_run {
            let load = self.load.map(|load| load.load_line("image.tar", self.cluster.as_deref()));
            let lines = plans.iter().map(LocalImage::line).chain(load.iter().map(|line| Hint::join(line, " ")));
            let text: Vec<String> = lines.map(|line| line.as_str().to_owned()).collect();
            let shown = Report::shown("build", text.join("\n"), json!(text));
            return Ok(Report { outcome: Outcome::DryRun, ..shown });
        }
        check_cluster(self.load, self.cluster.as_deref())?;
        let output = self.archive.as_ref().map(|path| OutputFile::at(&context.directory.join(path))).transpose()?;
        let images =
            plans.iter().map(|plan| plan.make(&root, context).map(|(image, _)| image)).collect::<Result<Vec<_>>>()?;
        let mut digest = images[0].digest().to_owned();
        if let Some(output) = output {
            output.write(&archive(&images[0], &self.image)?)?;
            context.console.status("Wrote", output.path().display());
        }
        if self.push {
            digest = push(&self.image, &images, &mut |part| context.console.status("Pushing", part))?;
            context.console.status("Pushed", format!("{}@{digest}", self.image));
        }
        if let Some(load) = self.load {
            let folder = TemporaryFolder::new("image")?;
            let packed = folder.path().join("image.tar");
            let line = load.load_line(&packed.to_string_lossy(), self.cluster.as_deref());
            OutputFile::at(&packed)?.write(&archive(&images[0], &self.image)?)?;
            context.console.command(Hint::join(&line, " ").as_str());
            execute(&line, &root, false, context.console.json())?;
        }
        let report = Report::new("build", Outcome::Changed).summary(format!("`{}` is built: {digest}", self.image));
        Ok(report.next(hint!("opctl deploy --image {}", self.image)))
    }

    /// Returns the platforms to build for.
    fn platforms(&self) -> Result<Vec<Platform>> {
        if !self.platform.is_empty() {
            check_platforms(self)?;
            return self.platform.iter().map(|platform| platform.parse()).collect();
        }
        Platform::of_this_machine().map(|platform| vec![platform]).ok_or_else(|| {
            Error::environment("cannot compile images for this machine's processor").hint("--platform linux/amd64")
        })
    }
}
