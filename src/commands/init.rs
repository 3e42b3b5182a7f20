//! Implements `opctl init`, which creates a new operator project.

use super::command::{BOOL, OpctlCommand};
use super::context::Context;
use super::outer_workspace;
use super::write::{self, VERSION, WriteArgs, carry_out};
use crate::error::{file_error, hint};
use crate::model::{
    CiService, Domain, License, OptionalFile, PROJECT_FILE, Project, ProjectName, RefusedUrl, RuntimeSource,
    is_one_line, repository_url, shorten_input,
};
use crate::report::Report;
use crate::system;
use crate::workspace::entries_in_the_way;
use crate::{Error, Result, scaffold};
use clap::{ArgAction, Args, ValueEnum};
use std::path::{Path, PathBuf};

const EXAMPLES: &str = "\
Examples:
    opctl init --domain example.com
    opctl init webserver-operator --domain example.com \\
        --license apache2 --owner \"Example Inc.\"
    # Rights in the manager's own namespace only:
    opctl init --domain example.com --namespaced
    # The runtime from crates.io, and checks for GitLab:
    opctl init --domain example.com --runtime registry --ci gitlab";

/// Make a new operator project
#[derive(Args, Debug)]
#[command(after_help = EXAMPLES)]
pub(crate) struct InitArgs {
    /// The project's folder, created if missing [default: the current folder]
    dir: Option<PathBuf>,
    /// The DNS domain in which the project's API groups end, such as example.com
    #[arg(long)]
    domain: String,
    /// The project's name [default: the folder's name, made valid]
    #[arg(long, visible_alias = "project-name")]
    name: Option<String>,
    /// The licence for LICENSE and the file headers
    #[arg(long, value_enum, default_value_t)]
    license: License,
    /// The owner of the copyright; needs `--license`
    #[arg(long)]
    owner: Option<String>,
    /// The repository, for Cargo.toml and the image's labels: a URL, HOST/PATH, or git@HOST:PATH
    #[arg(long, value_name = "URL")]
    repo: Option<String>,
    /// Let the manager work only in its own namespace, without rights in other namespaces
    #[arg(long, default_value_t = false, action = ArgAction::Set, value_name = BOOL)]
    namespaced: bool,
    /// The source of the runtime: `runtime/` in the project, or the crate opctl-runtime of crates.io
    #[arg(long, value_enum, default_value_t = RuntimeSource::DEFAULT)]
    runtime: RuntimeSource,
    #[command(flatten)]
    optional_files: OptionalFileArgs,
    #[command(flatten)]
    write: WriteArgs,
}

/// The flags for the optional files of a new project; the value `false` leaves a file out.
#[derive(Args, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "they are flags")]
struct OptionalFileArgs {
    /// Make AGENTS.md, which tells coding agents how the project is built, tested and changed
    #[arg(long, default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    agents: bool,
    /// Make the configuration of a CI service that checks each change: format, lints, manifests, tests, image
    #[arg(long, value_enum, default_value_t = Checks::Github, value_name = "SERVICE")]
    ci: Checks,
    /// Make Dependabot's settings, which update kube, k8s-openapi and schemars together
    #[arg(long, default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    update_bot: bool,
    /// Make the workflow that opens a pull request when a newer opctl generates other files; not with `--ci gitlab`
    #[arg(long, default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    update_workflow: bool,
    /// Make deny.toml for cargo-deny, with the licences and sources that are allowed for crates
    #[arg(long, default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    cargo_deny: bool,
    /// Make CONTRIBUTING.md, with the daily commands
    #[arg(long, default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    contributing: bool,
    /// Make .editorconfig
    #[arg(long, default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    editor: bool,
    /// Make .devcontainer, with Rust, Docker, kubectl and opctl, for editors and hosted machines
    #[arg(long, default_value_t = true, action = ArgAction::Set, value_name = BOOL)]
    devcontainer: bool,
}

/// The CI service that checks each change.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Checks {
    /// GitHub Actions; `true` has the same meaning.
    #[value(alias = "true")]
    Github,
    /// GitLab CI.
    Gitlab,
    /// No CI service and no file; `false` has the same meaning.
    #[value(alias = "false")]
    None,
}

impl OptionalFileArgs {
    fn ci(&self) -> CiService {
        if self.ci == Checks::Gitlab { CiService::GitLab } else { CiService::GitHub }
    }

    fn left_out(&self) -> Vec<OptionalFile> {
        let wanted = |file: &OptionalFile| match file {
            OptionalFile::Agents => self.agents,
            OptionalFile::Ci => self.ci != Checks::None,
            OptionalFile::UpdateBot => self.update_bot,
            OptionalFile::UpdateWorkflow => self.update_workflow,
            OptionalFile::CargoDeny => self.cargo_deny,
            OptionalFile::Contributing => self.contributing,
            OptionalFile::Editor => self.editor,
            OptionalFile::Devcontainer => self.devcontainer,
        };
        OptionalFile::ALL.into_iter().filter(|file| !wanted(file)).collect()
    }
}

impl OpctlCommand for InitArgs {
    fn run(&self, context: &Context) -> Result<Report> {
        let domain = Domain::parse_own(&self.domain)?;
        let given_name = self.name.as_deref().map(ProjectName::parse_new).transpose()?;
        check_owner(self)?;
        let repo = repository(self, context)?;
        let root = self.dir.as_deref().map_or_else(|| context.directory.clone(), |dir| context.directory.join(dir));
        let root = std::path::absolute(&root).map_err(|error| file_error("find", &root, &error))?;
        let name = given_name.unwrap_or_else(|| name_of(&root, context));
        let mut project = Project::new(name, domain, VERSION);
        project.repo = repo;
        project.license = self.license;
        project.owner = self.owner.clone().filter(|_| self.license != License::None);

        project.namespaced = self.namespaced;
        project.without = self.optional_files.left_out();
        project.ci = self.optional_files.ci();
        project.runtime = self.runtime;

        let made_folders = if self.write.dry_run { Vec::new() } else { make_folders(&root)? };
        let result = init(self, context, &root, &project);
        if result.is_err() {
            for folder in made_folders {
                let _ = std::fs::remove_dir(folder);
            }
        }
        result
    }
}

fn init(args: &InitArgs, context: &Context, root: &Path, project: &Project) -> Result<Report> {
    let workspace = args.write.open(root, context)?;
    let known = workspace.text(PROJECT_FILE)?;
    let project = match &known {
        Some(text) => require_same_project(&write::parse_project(text)?, project, args)?,
        None => {
            check_folder(root)?;
            project.clone()
        }
    };
    let operations = match known {
        // `init` leaves the files of an existing project as they are: the user may have edited them.
        Some(_) => Vec::new(),
        None => scaffold::init(&project)?,
    };
    let plan = write::plan(&workspace, &operations, &project, None)?;
    let mut report = carry_out("init", &workspace, &plan, args.write)?;
    if let Some((manifest, own)) = outer_workspace::with_member(root) {
        report.warnings.push(format!(
            "the workspace in `{manifest}` includes the project as a member, and cargo refuses that, because the \
             project is a workspace itself: add `exclude = [\"{own}\"]` below `[workspace]` in that file"
        ));
    }
    let report = match args.dir.as_deref() {
        Some(dir) => report.next(hint!("cd {}", dir.to_string_lossy())),
        None => report,
    };
    Ok(report.next("opctl create api --kind WebServer"))
}

/// Returns the existing project if it equals the project that `init` would make; otherwise fails with the differences.
/// Compares the names only if `--name` is given.
fn require_same_project(known: &Project, wanted: &Project, args: &InitArgs) -> Result<Project> {
    let mut differences = Vec::new();
    let shown = |value: &str| if value.is_empty() { "not set".to_owned() } else { format!("`{value}`") };
    let mut differ = |flag: &str, known: &str, wanted: &str| {
        if known != wanted {
            differences.push(format!(
                "`--{flag}` is {} in the project, and {} in this command",
                shown(known),
                shown(wanted)
            ));
        }
    };
    let name = if args.name.is_some() { &wanted.name } else { &known.name };
    differ("name", known.name.as_str(), name.as_str());
    differ("domain", known.domain.as_str(), wanted.domain.as_str());
    differ("license", known.license.name(), wanted.license.name());
    differ("owner", known.owner.as_deref().unwrap_or_default(), wanted.owner.as_deref().unwrap_or_default());
    differ("repo", known.repo.as_deref().unwrap_or_default(), wanted.repo.as_deref().unwrap_or_default());
    differ("namespaced", &known.namespaced.to_string(), &wanted.namespaced.to_string());
    differ("runtime", known.runtime.name(), wanted.runtime.name());
    if known.has_optional(OptionalFile::Ci) && wanted.has_optional(OptionalFile::Ci) {
        differ("ci", known.ci.name(), wanted.ci.name());
    }
    for file in OptionalFile::ALL {
        let made = |project: &Project| project.has_optional(file).to_string();
        differ(file.name(), &made(known), &made(wanted));
    }
    if differences.is_empty() {
        return Ok(known.clone());
    }
    let error = Error::conflict(format!("`{}` is a project already", known.name));
    let error = differences.into_iter().fold(error, Error::caused_by);
    Err(error.hint(
        "opctl create api --kind WebServer    # adds a kind to the existing project; or create the new \
                    project in another folder",
    ))
}

pub(super) fn check_folder(root: &Path) -> Result<()> {
    let names = entries_in_the_way(root)?;
    let Some(first) = names.first() else { return Ok(()) };
    let error = Error::conflict(format!("`{}` is not empty", root.display()));
    let error = names.iter().take(10).fold(error, |error, name| error.caused_by(format!("`{name}` is in the way")));
    let error = if names.len() > 10 { error.caused_by(format!("and {} more", names.len() - 10)) } else { error };
    Err(error.hint(hint!(
        "opctl init my-operator --domain example.com    # creates a new folder; or move `{first}` away",
        first
    )))
}

/// Returns the folder's name as a project name; tells the user if the name had to change.
pub(super) fn name_of(root: &Path, context: &Context) -> ProjectName {
    let folder = root.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = ProjectName::nearest(&folder);
    if name.as_str() != folder {
        context.console.note(format!(
            "the project is named `{name}`, because `{folder}` is not a valid project name; --name NAME sets another \
             name"
        ));
    }
    name
}

fn check_owner(args: &InitArgs) -> Result<()> {
    match args.owner.as_deref() {
        Some(text) if !is_one_line(text) => {
            Err(Error::usage("`--owner` is empty, longer than 200 bytes or not one line of text")
                .hint("--owner \"Example Inc.\""))
        }
        Some(text) if args.license == License::None => Err(Error::usage("`--owner` needs a `--license`")
            .caused_by("the owner is named in LICENSE and in the file headers, which do not exist without a licence")
            .hint(hint!("--license apache2 --owner {text}", text))),
        _ => Ok(()),
    }
}

/// Returns the repository's URL; informs the user if the URL differs from the value of `--repo`.
fn repository(args: &InitArgs, context: &Context) -> Result<Option<String>> {
    let Some(given) = args.repo.as_deref() else { return Ok(None) };
    let url = repository_url(given).map_err(|refused| match refused {
        RefusedUrl::Secret(clean) => Error::usage("`--repo` has a user name, a password or a token in it")
            .caused_by("the URL is written into Cargo.toml and Dockerfile, where everybody could read it")
            .hint(hint!("--repo {clean}", clean)),
        RefusedUrl::NoUrl => {
            // A text that cannot be parsed may hold a secret, too.
            let named = if given.contains(['@', '?']) { "--repo".to_owned() } else { shorten_input(given) };
            Error::usage(format!("`{named}` is not a URL of a repository"))
                .caused_by(
                    "the URL must name a host and a path, have at most 500 characters, and contain no quote, space or \
                     `$`; the supported forms are `https://`, `ssh://` and `git@HOST:PATH`",
                )
                .hint("--repo https://github.com/example/webserver-operator")
        }
    })?;
    if url != given {
        context.console.note(format!("opctl writes the repository's URL into the project as `{url}`"));
    }
    Ok(Some(url))
}

/// Creates the folder and its missing parents; returns the created folders, innermost first.
pub(super) fn make_folders(root: &Path) -> Result<Vec<PathBuf>> {
    if let Some(file) = root.ancestors().find(|above| above.is_file()) {
        return Err(Error::conflict(format!("`{}` is in the way", file.display()))
            .caused_by("this path is a file, but the project needs a folder there")
            .hint("opctl init my-operator --domain example.com"));
    }
    let mut missing: Vec<PathBuf> =
        root.ancestors().take_while(|folder| !folder.exists()).map(Path::to_owned).collect();
    let mut made: Vec<PathBuf> = Vec::new();
    while let Some(folder) = missing.pop() {
        if let Err(error) = system::create_folder(&folder) {
            made.iter().rev().for_each(|folder| drop(std::fs::remove_dir(folder)));
            return Err(file_error("create", &folder, &error));
        }
        made.push(folder);
    }
    made.reverse();
    Ok(made)
}
