//! The optional files of a project, such as the guide for contributors, which the user can leave out.

use super::CiService;

/// A file that helps contributors and that the rest of the project does not need.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum OptionalFile {
    /// The instructions for coding agents.
    Agents,
    /// The configuration file of the project's CI service, which runs the project's checks for each change.
    Ci,
    /// The settings of Dependabot.
    UpdateBot,
    /// The workflow that opens a pull request with the files that a newer opctl generates.
    UpdateWorkflow,
    /// The settings of cargo-deny: the licences and sources that crates may have.
    CargoDeny,
    /// The guide for contributors, with the daily commands.
    Contributing,
    /// The settings for editors.
    Editor,
    /// The development container in which editors and hosted machines open the project.
    Devcontainer,
}

impl OptionalFile {
    /// All optional files. `opctl init` creates each of them unless the user leaves the file out.
    pub const ALL: [OptionalFile; 8] = [
        OptionalFile::Agents,
        OptionalFile::Ci,
        OptionalFile::UpdateBot,
        OptionalFile::UpdateWorkflow,
        OptionalFile::CargoDeny,
        OptionalFile::Contributing,
        OptionalFile::Editor,
        OptionalFile::Devcontainer,
    ];

    /// Returns the name on the command line and in `PROJECT`.
    pub fn name(self) -> &'static str {
        match self {
            OptionalFile::Agents => "agents",
            OptionalFile::Ci => "ci",
            OptionalFile::UpdateBot => "update-bot",
            OptionalFile::UpdateWorkflow => "update-workflow",
            OptionalFile::CargoDeny => "cargo-deny",
            OptionalFile::Contributing => "contributing",
            OptionalFile::Editor => "editor",
            OptionalFile::Devcontainer => "devcontainer",
        }
    }

    /// Returns the path of the file in a project that uses the CI service `ci`.
    pub fn path(self, ci: CiService) -> &'static str {
        match self {
            OptionalFile::Agents => "AGENTS.md",
            OptionalFile::Ci => ci.path(),
            OptionalFile::UpdateBot => ".github/dependabot.yaml",
            OptionalFile::UpdateWorkflow => ".github/workflows/update.yaml",
            OptionalFile::CargoDeny => "deny.toml",
            OptionalFile::Contributing => "CONTRIBUTING.md",
            OptionalFile::Editor => ".editorconfig",
            OptionalFile::Devcontainer => ".devcontainer/devcontainer.json",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        OptionalFile::ALL.into_iter().find(|file| file.name() == text)
    }
}
