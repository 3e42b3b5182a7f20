//! The project: every input of every command so far.

use super::{Adopted, Domain, Key, Part, ProjectName, Resource, Surrounding};
use serde_json::{Map, Value};
use std::collections::BTreeSet;

/// The file at the root of every project.
pub const PROJECT_FILE: &str = "PROJECT";

/// The layout of the projects that this opctl makes; also the key below `plugins` of what kubebuilder has no key for.
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
    /// The name on the command line and in `PROJECT`.
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

/// Every input of every command so far.
#[derive(Clone, Debug, PartialEq)]
pub struct Project {
    /// The project's name.
    pub name: ProjectName,
    /// The domain of its API groups.
    pub domain: Domain,
    /// The repository's URL.
    pub repo: Option<String>,
    /// The licence of LICENSE and of the headers.
    pub license: License,
    /// The owner of the copyright.
    pub owner: Option<String>,
    /// The opctl that made the project, or the one that updated it last.
    pub cli_version: String,
    /// The bytes that a description in a CRD may have, where that was chosen.
    pub max_description_length: Option<usize>,
    /// The parts of `config/` that are in.
    pub parts: BTreeSet<Part>,
    /// The file whose text stands above every generated manifest, below the project's root.
    pub header_file: Option<String>,
    /// The replacement of ` YEAR` in it.
    pub header_year: Option<String>,
    /// The folder of JSON schemas of the kinds, below the project's root.
    pub json_schema: Option<String>,
    /// True if the manager works in the namespace that it runs in, with rights in this one only.
    pub namespaced: bool,
    /// The files that `init` was asked to leave out.
    pub without: Vec<Surrounding>,
    /// The places of an operator that was there before; `None` for a project that `init` made.
    pub adopted: Option<Adopted>,
    /// The resources, in the order in which they were created.
    pub resources: Vec<Resource>,
    pub(super) document: Map<String, Value>,
}

impl Project {
    /// A project without resources.
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
            adopted: None,
            resources: Vec::new(),
            document: Map::new(),
        }
    }

    /// The resource with this group, version and kind.
    pub fn resource(&self, key: &Key) -> Option<&Resource> {
        self.resources.iter().find(|resource| resource.key == *key)
    }

    /// Returns true if a kind has webhooks that `create webhook` made.
    pub fn has_webhooks(&self) -> bool {
        self.resources.iter().any(|resource| resource.webhooks.any() || !resource.spokes.is_empty())
    }

    /// Adds the resource, or replaces the one with its key.
    pub fn upsert(&mut self, resource: Resource) {
        match self.resources.iter_mut().find(|known| known.key == resource.key) {
            Some(known) => *known = resource,
            None => self.resources.push(resource),
        }
    }
}
