//! The API reference of a project's kinds: from CRDs and samples to pages, and to schemas for editors.
//!
//! [`page()`] turns the CRDs into a [`Page`], which is independent of a format; [`markdown`] and [`html`] render it. An
//! object of a schema has a section of its own, named by its path in YAML. An object that stands at several paths has
//! one section, and an object that several kinds or versions hold stands at the end. Every path keeps its anchor
//! whatever else changes.

mod description;
mod facts;
mod field_type;
mod generated;
pub mod html;
mod json_schema;
mod kinds;
mod kubernetes;
pub mod markdown;
mod objects;
mod page;
mod part;
mod path;
mod rules;
mod sample;
mod value;

pub use generated::GENERATED;
pub use json_schema::json_schemas;
pub use kinds::page;
pub use page::Page;
pub use sample::Sample;
