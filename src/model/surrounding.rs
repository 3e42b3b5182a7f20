//! Files around an operator's code that can be left out of a project.

/// A file that helps contributors, and that nothing else in the project needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Surrounding {
    /// The checks of GitHub Actions.
    Ci,
    /// The settings of Dependabot.
    UpdateBot,
    /// The page with the daily commands.
    Contributing,
    /// The settings that editors read.
    Editor,
}

impl Surrounding {
    /// All files that can be left out.
    pub const ALL: [Surrounding; 4] =
        [Surrounding::Ci, Surrounding::UpdateBot, Surrounding::Contributing, Surrounding::Editor];

    /// Returns the name on the command line and in `PROJECT`.
    pub fn name(self) -> &'static str {
        match self {
            Surrounding::Ci => "ci",
            Surrounding::UpdateBot => "update-bot",
            Surrounding::Contributing => "contributing",
            Surrounding::Editor => "editor",
        }
    }

    /// Returns the path of the file in the project.
    pub fn path(self) -> &'static str {
        match self {
            Surrounding::Ci => ".github/workflows/ci.yaml",
            Surrounding::UpdateBot => ".github/dependabot.yaml",
            Surrounding::Contributing => "CONTRIBUTING.md",
            Surrounding::Editor => ".editorconfig",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        Surrounding::ALL.into_iter().find(|surrounding| surrounding.name() == text)
    }
}
