//! The model of a project: the inputs of all commands that the user ran in the project, recorded in `PROJECT`.

use super::{
    Adopted, CiService, Domain, Group, Key, Kind, OptionalFile, Part, ProjectName, ProjectPath, Resource, RuntimeSource,
};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The file at the root of every project.
pub const PROJECT_FILE: &str = "PROJECT";

/// The name of the layout of opctl's projects. `PROJECT` has this name as the project's layout, and also as the key
/// below `plugins` with the settings for which kubebuilder has no key.
pub const LAYOUT: &str = "rust.opctl.dev/v1";

/// The licence of a project.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, clap::ValueEnum)]
pub enum License {
    /// Apache License 2.0.
    Apache2,
    /// MIT License.
    Mit,
    /// No licence file and no headers.
    #[default]
    None,
}

impl License {
    /// Returns the licence's name, as written on the command line and in `PROJECT`.
    pub fn name(self) -> &'static str {
        match self {
            License::Apache2 => "apache2",
            License::Mit => "mit",
            License::None => "none",
        }
    }

    pub(super) fn parse(text: &str) -> Option<Self> {
        [License::Apache2, License::Mit, License::None].into_iter().find(|license| license.name() == text)
    }
}

/// A project: a record of the inputs of all commands that the user ran in the project.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// The name of the project.
    pub name: ProjectName,
    /// The domain of the project's API groups.
    pub domain: Domain,
    /// The URL of the project's repository.
    pub repo: Option<String>,
    /// The licence in the file LICENSE and in the headers of files.
    pub license: License,
    /// The owner of the copyright in license headers.
    pub owner: Option<String>,
    /// The version of the opctl that created the project or updated the project last.
    pub cli_version: String,
    /// The maximum number of bytes of each description in a CRD's schema, if the user chose a maximum.
    pub max_description_length: Option<usize>,
    /// The optional parts of `config/` that the project has.
    pub parts: BTreeSet<Part>,
    /// The file whose text opctl writes at the top of every generated manifest.
    pub header_file: Option<ProjectPath>,
    /// The text that replaces ` YEAR` in the text of the header file.
    pub header_year: Option<String>,
    /// The folder for the JSON schemas of the kinds.
    pub json_schema: Option<ProjectPath>,
    /// True if the manager watches only its own namespace, and has permissions only in this namespace.
    pub namespaced: bool,
    /// The optional files that the user told `opctl init` to leave out.
    pub without: Vec<OptionalFile>,
    /// The CI service that runs the checks, unless the user left out the checks.
    pub ci: CiService,
    /// The source of the runtime crate.
    pub runtime: RuntimeSource,
    /// The parts of an operator that `opctl adopt` took over; `None` for a project that `opctl init` created.
    pub adopted: Option<Adopted>,
    /// The resources, in the order in which `PROJECT` lists them.
    pub resources: Vec<Resource>,
    pub(super) document: Map<String, Value>,
}

impl Project {
    /// Creates a project without resources.
    pub fn new(name: ProjectName, domain: Domain, cli_version: impl Into<String>) -> Self {
        Project {
            name,
            domain,
            repo: None,
            license: License::None,
            owner: None,
            cli_version: cli_version.into(),
            max_description_length: None,
            parts: Part::defaults(),
            header_file: None,
            header_year: None,
            json_schema: None,
            namespaced: false,
            without: Vec::new(),
            ci: CiService::default(),
            runtime: RuntimeSource::DEFAULT,
            adopted: None,
            resources: Vec::new(),
            document: Map::new(),
        }
    }

    /// Returns the resource with this group, version and kind.
    pub fn resource(&self, key: &Key) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.key == *key)
    }

    /// Returns true if opctl generates the optional file for the project.
    pub fn has_optional(&self, file: OptionalFile) -> bool {
        !self.without.contains(&file)
    }

    /// Returns true if `opctl create webhook` has scaffolded a webhook for a kind of the project.
    pub fn has_webhooks(&self) -> bool {
        self.resources.iter().any(|resource| resource.webhooks.any() || !resource.spokes.is_empty())
    }

    /// Appends a resource, which was read from `PROJECT`, to the resources of the project.
    pub(super) fn append(&mut self, mut resource: Resource) {
        resource.copied |= resource.follows_version(&self.resources);
        self.resources.push(resource);
    }

    /// Adds the resource, or replaces the resource with the same key. A new resource is placed by its group and kind,
    /// so that the order of commands does not change the result.
    pub fn upsert(&mut self, mut resource: Resource) {
        match self.resources.iter_mut().find(|known| known.key == resource.key) {
            Some(known) => *known = resource,
            None => {
                resource.copied |= resource.follows_version(&self.resources);
                let precedes = |known: &Resource| sort_key(known) <= sort_key(&resource);
                let index = self.resources.iter().rposition(precedes).map_or(0, |last| last + 1);
                self.resources.insert(index, resource);
            }
        }
    }

    /// Sorts the resources by group and kind, the order that [`Project::upsert`] keeps, if the resources of `before`
    /// have this order. Otherwise leaves the resources as they are. `before` is the same project before a change.
    pub fn sort_like(&mut self, before: &Project) {
        if before.resources.is_sorted_by(|left, right| sort_key(left) <= sort_key(right)) {
            self.resources.sort_by(|left, right| sort_key(left).cmp(&sort_key(right)));
        }
    }
}

/// Returns the sort key of a resource: its group and kind.
fn sort_key(resource: &Resource) -> (&Group, &Kind) {
    (&resource.key.group, &resource.key.kind)
}
