//! A reference, before it is written in a format.

use super::part::{Block, Line};
use super::sample::Sample;

/// All kinds of a project.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The project.
    pub(super) project: String,
    pub(super) groups: Vec<Group>,
    /// Objects that several kinds or versions hold.
    pub(super) shared: Vec<Section>,
}

impl Page {
    /// The number of kinds.
    pub fn kinds(&self) -> usize {
        self.groups.iter().map(|group| group.kinds.len()).sum()
    }
}

/// The heads of the columns; the last one only where a field needs it.
pub(super) const COLUMNS: [&str; 4] = ["Column", "Type", "Path", "Description"];

/// The anchor of the objects that several kinds have.
pub(super) const SHARED: &str = "shared";

/// The kinds of an API group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Group {
    /// Its name, which is its anchor too.
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

/// Something that is known of a kind or a version, such as its scope.
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
    /// The first is the whole resource.
    pub(super) sections: Vec<Section>,
}

/// An object and its fields.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Section {
    /// Its path in the resource; empty for the whole resource.
    pub(super) title: String,
    /// One for each path that it stands at.
    pub(super) anchors: Vec<String>,
    pub(super) description: Vec<Block>,
    /// The paths, if there are several.
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
