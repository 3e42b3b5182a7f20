//! Edits of files that belong to the user: pure functions from text to text, which return the text unchanged if it
//! already contains the edit.

mod dependency;
mod image;
mod items;
mod lines;
mod lock;
mod marker;
mod missing_marker;
mod paths;
mod rename;
mod storage;
mod type_version;

pub use dependency::{dependencies, has_dependency, insert_dependency, insert_feature};
pub use image::{image, set_image};
pub use items::{insert_module, insert_use, remove_item};
pub use lines::{StillNamed, ensure_lines, remove_entry, remove_line};
pub use lock::merge_locks;
pub use marker::{insert_at_marker, insert_at_marker_as_in, remove_at_marker, replace_fragment};
pub use missing_marker::MissingMarker;
pub use paths::{Leaf, PathItem, names, paths};
pub use rename::Names;
pub use storage::{has_version, set_storage};
pub use type_version::{replace_ranges, set_tested_version, set_version};
