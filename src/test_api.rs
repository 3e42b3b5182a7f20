//! The parts of opctl that its tests, its benchmarks and its fuzz targets call. Nothing else is public, so that the compiler
//! finds unused code.

/// The markers in Rust sources, such as RBAC and webhook markers.
pub mod markers {
    use crate::permissions::rbac;
    use crate::webhook_markers;
    use std::path::Path;

    /// Reads the markers of a Rust source as `opctl manifests` does, and returns the reason of each problem found.
    pub fn markers(source: &str) -> Vec<String> {
        let (markers, misspelled) = crate::source::markers::markers(Path::new("a.rs"), source);
        let (grants, about_rights) = rbac::grants(&markers, true, &|group, _| group.is_empty());
        let (configurations, about_webhooks) = webhook_markers::configurations(&markers, &[], &[]);
        crate::yaml::documents(&[rbac::roles(&grants, true), rbac::roles(&grants, false), configurations].concat());
        crate::yaml::documents(&rbac::replacements(&grants, false));
        [misspelled, about_rights, about_webhooks].concat().into_iter().map(|finding| finding.reason).collect()
    }
}

/// The conversion of CRDs to Rust types.
pub mod adopt {
    pub use crate::commands::types_of;
}

/// Operations on a cluster, independent of the command line.
pub mod cluster {
    pub use crate::cluster::is_simple_kustomization;
    pub use crate::cluster::{Connection, InstallOptions, Target, apply_policies, install, run};
}

/// Git's conflict markers in files.
pub mod conflict {
    pub use crate::conflict::sides;
}

/// Functions that edit the text of a file, such as adding lines, removing an entry or merging lock files.
pub mod edit {
    pub use crate::edit::{ensure_lines, merge_locks, paths, remove_entry};
}

/// The fault injection plans that `opctl explore` tries and remembers.
pub mod explore {
    pub use crate::commands::remembered_plans;
    pub use crate::explore::Plan;
}

/// The identities of processes of the local control plane, and the name of this machine's platform.
pub mod envtest {
    pub use crate::envtest::{Identity, platform};
}

/// The function that finds the target folder of cargo.
pub mod exec {
    pub use crate::exec::target_folder;
}

/// The generation of manifests from types and markers.
pub mod manifest {
    pub use crate::manifest::{DEFINITIONS, INPUTS_FILE, Manifests, Older, Options, definition, generate, lints};
}

/// The Operator Lifecycle Manager.
pub mod olm {
    pub use crate::olm::lints;
}

/// The model of a project: names, versions and resources.
pub mod model {
    pub use crate::model::{
        BuiltIn, Domain, Group, Key, Kind, Origin, PROJECT_FILE, Project, ProjectName, ProjectPath, Version,
        merge_projects,
    };
}

/// Plans of file changes, and the record of the files that opctl generated.
pub mod plan {
    pub use crate::plan::{
        BASES, Entry, Existing, LEDGER_FILE, Ledger, Operation, Plan, PlanContext, Renderings, Snapshot, Step, hash,
        reconcile, reconcile_operations,
    };
}

/// JSON schemas of custom resources.
pub mod api_reference {
    pub use crate::api_reference::json_schemas;
}

/// The terminal, and the report of a command.
pub mod report {
    pub use crate::report::{Console, Report};
}

/// The operations that generate the files of a project, such as `init` and `create api`.
pub mod scaffold {
    pub use crate::scaffold::{ApiIntent, NewApi, core_sample, create_api, generate_project, init, resource_of};
}

/// Structural schemas of CRDs, and their checks.
pub mod schema {
    pub use crate::schema::{Findings, Raw, structural};
}

/// The shim program, which prints the schemas of the types in api crates.
pub mod type_program {
    pub use crate::type_program::{Answer, Request, answers};
}

/// The types in the sources of an api crate.
pub mod source {
    pub use crate::source::api_crate::ApiCrate;

    /// The search for types in the sources of an api crate.
    pub mod discover {
        pub use crate::source::discover::{ApiType, Features, types};
    }
}

/// The search for running processes by their arguments.
pub mod system {
    pub use crate::system::processes_with;
}

/// The files of a project on disk.
pub mod workspace {
    pub use crate::workspace::{Disk, RealDisk, Sealer, Workspace, commit, journal_paths};
}

/// Reading and writing of YAML documents.
pub mod yaml {
    pub use crate::yaml::{document, documents};
}
