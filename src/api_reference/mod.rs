//! The API reference of a project's kinds: pages from CRDs and samples, and JSON schemas for editors.
//!
//! [`page()`] turns the CRDs into a [`Page`], which is independent of a format; [`markdown`] and [`html`] render
//! the page. Each object in a schema has a section, titled with the object's path in YAML. An object that occurs at
//! several paths has one section, and the objects that several kinds or versions contain are at the end of the
//! page. A path keeps its anchor if other parts of the page change.

mod description;
mod facts;
mod field_type;
mod generated;
pub mod html;
mod inline_text;
mod json_schema;
mod kinds;
mod kubernetes;
pub mod markdown;
mod page;
mod path;
mod rules;
mod sample;
mod schema_objects;
mod value;

pub use generated::GENERATED;
pub use json_schema::json_schemas;
pub use kinds::page;
pub use page::Page;
pub use sample::Sample;
