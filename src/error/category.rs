//! The categories of errors, which tell who can fix an error.

use serde::Serialize;

/// The category of an error, which tells who can fix the error and determines the exit code.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, schemars::JsonSchema)]
#[serde(rename_all = "camelCase")]
pub enum Category {
    /// An error in the project or in the request: exit code 1.
    User,
    /// An error in the command line: exit code 2.
    Usage,
    /// A conflict between existing and requested content: exit code 3.
    Conflict,
    /// A problem of the machine, such as a missing tool, a full disk or no network: exit code 4.
    Environment,
    /// A cluster that refused a request or could not be reached: exit code 5.
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
