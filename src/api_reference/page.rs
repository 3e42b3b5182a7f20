//! The contents of the API reference, independent of the output format.

use super::inline_text::{Block, Line};
use super::sample::Sample;

/// The API reference of all kinds of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The name of the project.
    pub(super) project: String,
    pub(super) groups: Vec<Group>,
    /// Objects that several kinds or versions hold.
    pub(super) shared: Vec<Section>,
}

impl Page {
    /// Returns the number of kinds.
    pub fn kinds(&self) -> usize {
        self.groups.iter().map(|group| group.kinds.len()).sum()
    }
}

/// The headings of the table of printer columns. The last heading is only used if a printer column has a description.
pub(super) const COLUMNS: [&str; 4] = ["Column", "Type", "Path", "Description"];

/// The anchor of the section with the objects that several kinds or versions hold.
pub(super) const SHARED: &str = "shared";

/// The kinds of an API group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The name of the group, which is also the group's anchor.
    pub(super) name: String,
    pub(super) kinds: Vec<Kind>,
}

/// A kind with its versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Kind {
    pub(super) name: String,
    pub(super) anchor: String,
    pub(super) facts: Vec<Fact>,
    pub(super) versions: Vec<Version>,
}

/// A fact about a kind or a version, such as the scope of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Fact {
    pub(super) name: &'static str,
    pub(super) value: Line,
}

/// A version of a kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Version {
    pub(super) name: String,
    pub(super) kind: String,
    pub(super) anchor: String,
    pub(super) facts: Vec<Fact>,
    /// The printer columns of `kubectl get`; the cells of each printer column are in the order of [`COLUMNS`].
    pub(super) columns: Vec<Vec<Line>>,
    pub(super) samples: Vec<Sample>,
    /// The sections about the objects of the version; the first section is about the whole resource.
    pub(super) sections: Vec<Section>,
}

/// A section about an object and its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The path of the object in the resource; empty for the whole resource.
    pub(super) title: String,
    /// The anchors of the section, one for each path at which the object occurs.
    pub(super) anchors: Vec<String>,
    pub(super) description: Vec<Block>,
    /// The paths at which the object occurs, one line for each version of a kind; empty if the object has only one
    /// path.
    pub(super) uses: Vec<Line>,
    /// The validation rules for the object as a whole.
    pub(super) rules: Vec<Line>,
    pub(super) fields: Vec<Field>,
}

/// A field of an object.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Field {
    pub(super) name: String,
    pub(super) anchor: String,
    pub(super) required: bool,
    pub(super) of_type: Line,
    pub(super) description: Vec<Block>,
    pub(super) rules: Vec<Line>,
}
