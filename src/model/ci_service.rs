//! The services that can run a project's checks.

/// A CI service, which runs the project's checks for each change.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum CiService {
    /// GitHub Actions.
    #[default]
    GitHub,
    /// GitLab CI.
    GitLab,
}

impl CiService {
    /// Returns the name on the command line and in `PROJECT`.
    pub fn name(self) -> &'static str {
        match self {
            CiService::GitHub => "github",
            CiService::GitLab => "gitlab",
        }
    }

    /// Returns the path of the file that configures the checks.
    pub fn path(self) -> &'static str {
        match self {
            CiService::GitHub => ".github/workflows/ci.yaml",
            CiService::GitLab => ".gitlab-ci.yml",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [CiService::GitHub, CiService::GitLab].into_iter().find(|service| service.name() == text)
    }
}
