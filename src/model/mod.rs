//! Names, resources and the project: values that cannot be invalid, and no IO.

mod built_in;
mod child;
mod controller;
mod dns;
mod field;
mod image;
mod invalid;
mod names;
mod origin;
mod part;
mod plural;
mod project;
mod project_file;
mod project_name;
mod reserved;
mod resource;
mod rust_names;
mod rust_path;
mod surrounding;

pub use built_in::BuiltIn;
pub use child::Child;
pub use controller::Controller;
pub use dns::{name_rule, subdomain_rule};
pub use field::{Bounds, Field, Scalar, Shape, sample};
pub use image::{DEFAULT_PORT, Image};
pub use invalid::{InvalidName, shortened};
pub use names::{Category, ControllerName, Domain, Group, Kind, Plural, ShortName, Version};
pub use origin::{Dependency, External, Origin};
pub use part::Part;
pub use plural::plural;
pub use project::{LAYOUT, License, PROJECT_FILE, Project};
pub use project_name::ProjectName;
pub use resource::{Key, Resource};
pub use rust_names::{module_name, variant_name};
pub use rust_path::RustPath;
pub use surrounding::Surrounding;
