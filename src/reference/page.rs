//! The API reference, independent of a format.

use super::part::{Block, Line};
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

/// The heads of the table of printer columns; the last one is used if a printer column has a description.
pub(super) const COLUMNS: [&str; 4] = ["Column", "Type", "Path", "Description"];

/// The anchor of the section with the objects that several kinds or versions hold.
pub(super) const SHARED: &str = "shared";

/// The kinds of an API group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// The name of the group, which is its anchor, too.
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

/// A property of a kind or a version, such as its scope.
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
    /// The columns of `kubectl get`, as [`COLUMNS`] names their cells.
    pub(super) columns: Vec<Vec<Line>>,
    pub(super) samples: Vec<Sample>,
    /// The sections of the objects; the first one is the whole resource.
    pub(super) sections: Vec<Section>,
}

/// An object and its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// The path of the object in the resource; empty for the whole resource.
    pub(super) title: String,
    /// The anchors, one for each path at which the object stands.
    pub(super) anchors: Vec<String>,
    pub(super) description: Vec<Block>,
    /// The paths at which the object stands, if there are several.
    pub(super) uses: Vec<Line>,
    /// The rules of the object as a whole.
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
