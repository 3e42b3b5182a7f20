//! The parts of opctl that its tests, its benchmarks and its fuzz target call. Nothing else is public, so that the compiler
//! finds what nobody uses.

/// A cluster, without a command line.
pub mod cluster {
    pub use crate::cluster::{Connection, InstallOptions, Target, apply_policies, install, run};
}

/// Conflict markers.
pub mod conflict {
    pub use crate::conflict::sides;
}

/// The platform that the servers of a control plane are for.
pub mod envtest {
    pub use crate::envtest::{Identity, platform};
}

/// The target folder of cargo.
pub mod exec {
    pub use crate::exec::target_folder;
}

/// Manifests from types and markers.
pub mod manifest {
    pub use crate::manifest::{DEFINITIONS, INPUTS_FILE, Manifests, Older, Options, definition, generate, lints};
}

/// Names and resources.
pub mod model {
    pub use crate::model::{
        BuiltIn, Domain, Group, Key, Kind, Origin, PROJECT_FILE, Project, ProjectName, ProjectPath, Version,
    };
}

/// Plans, and what an earlier opctl generated.
pub mod plan {
    pub use crate::plan::{
        Entry, Existing, LEDGER_FILE, Ledger, Operation, Plan, PlanContext, Snapshot, Step, hash, resolve, update,
    };
}

/// JSON schemas of custom resources.
pub mod reference {
    pub use crate::reference::json_schemas;
}

/// The terminal, and the report of a command.
pub mod report {
    pub use crate::report::{Console, Report};
}

/// Operations of `init`, `create api` and all that a project asks for.
pub mod scaffold {
    pub use crate::scaffold::{ApiIntent, core_sample, create_api, generated, init, resource_of};
}

/// Structural schemas.
pub mod schema {
    pub use crate::schema::{Findings, Raw, structural};
}

/// The program that asks types for their definitions.
pub mod shim {
    pub use crate::shim::{Answer, Request, answers};
}

/// The types of an api crate in its sources.
pub mod source {
    pub use crate::source::api_crate::ApiCrate;

    /// Finds them.
    pub mod discover {
        pub use crate::source::discover::{ApiType, Features, types};
    }
}

/// Running processes.
pub mod system {
    pub use crate::system::processes_with;
}

/// Project files on a disk.
pub mod workspace {
    pub use crate::workspace::{Disk, RealDisk, Sealer, Workspace, commit};
}

/// YAML documents.
pub mod yaml {
    pub use crate::yaml::{document, documents};
}
