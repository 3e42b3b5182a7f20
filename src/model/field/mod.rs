//! A field of a spec, written as `path:type[?][=default]`.

mod bounds;
mod field;
mod parse;
mod path;
mod shape;
mod tree;

pub use bounds::Bounds;
pub use field::Field;
pub use path::{Cardinality, Parent};
pub use shape::{Scalar, Shape};
pub use tree::{Member, Object, Sampled, field_types, sample, tree};
