//! Who can fix an error.

use serde::Serialize;

/// The party that can fix an error, which decides the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Category {
    /// The project or what was asked of it: exit code 1.
    User,
    /// The command line: exit code 2.
    Usage,
    /// The present content differs from the wanted one: exit code 3.
    Conflict,
    /// The machine: a missing tool, a full disk, no network: exit code 4.
    Environment,
    /// The cluster refused or could not be reached: exit code 5.
    Cluster,
    /// A defect of opctl: exit code 70.
    Bug,
    /// An interrupt, such as Ctrl+C: exit code 130.
    Interrupted,
}

impl Category {
    /// Returns the exit code of the process.
    pub fn exit_code(self) -> u8 {
        match self {
            Category::User => 1,
            Category::Usage => 2,
            Category::Conflict => 3,
            Category::Environment => 4,
            Category::Cluster => 5,
            Category::Bug => 70,
            Category::Interrupted => 130,
        }
    }
}
