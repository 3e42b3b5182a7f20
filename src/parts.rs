//! The parts of opctl that its tests, its benchmarks and its fuzz targets call. Nothing else is public, so that the compiler
//! finds unused code.

/// Markers.
pub mod access {
    use crate::access::{rbac, webhook};
    use std::path::Path;

    /// Reads the markers of a source as `opctl manifests` does. Returns what is said about them.
    pub fn markers(source: &str) -> Vec<String> {
        let (markers, misspelled) = crate::source::markers::markers(Path::new("a.rs"), source);
        let (grants, about_rights) = rbac::grants(&markers, true, &|group, _| group.is_empty());
        let (configurations, about_webhooks) = webhook::configurations(&markers, &[], &[]);
        crate::yaml::documents(&[rbac::roles(&grants, true), rbac::roles(&grants, false), configurations].concat());
        crate::yaml::documents(&rbac::replacements(&grants, false));
        [misspelled, about_rights, about_webhooks].concat().into_iter().map(|finding| finding.reason).collect()
    }
}

/// CRDs that become types.
pub mod adopt {
    pub use crate::cli::types_of;
}

/// A cluster, without a command line.
pub mod cluster {
    pub use crate::cluster::is_simple_kustomization;
    pub use crate::cluster::{Connection, InstallOptions, Target, apply_policies, install, run};
}

/// Conflict markers.
pub mod conflict {
    pub use crate::conflict::sides;
}

/// Edits of texts.
pub mod edit {
    pub use crate::edit::{ensure_lines, merge_locks, paths, remove_entry};
}

/// Plans of an exploration.
pub mod explore {
    pub use crate::cli::remembered_plans;
    pub use crate::explore::Plan;
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

/// The Operator Lifecycle Manager.
pub mod olm {
    pub use crate::olm::lints;
}

/// Names and resources.
pub mod model {
    pub use crate::model::{
        BuiltIn, Domain, Group, Key, Kind, Origin, PROJECT_FILE, Project, ProjectName, ProjectPath, Version,
        merge_projects,
    };
}

/// Plans, and what an earlier opctl generated.
pub mod plan {
    pub use crate::plan::{
        BASES, Entry, Existing, LEDGER_FILE, Ledger, Operation, Plan, PlanContext, Renderings, Snapshot, Step, hash,
        reconcile, reconcile_operations,
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
    pub use crate::scaffold::{ApiIntent, NewApi, core_sample, create_api, generated, init, resource_of};
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
    pub use crate::workspace::{Disk, RealDisk, Sealer, Workspace, commit, journal_paths};
}

/// YAML documents.
pub mod yaml {
    pub use crate::yaml::{document, documents};
}
