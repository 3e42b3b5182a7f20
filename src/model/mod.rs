//! Names, resources and the project: values that are valid by construction, without IO.

mod adopted;
mod annotations;
mod built_in;
mod child;
mod ci_service;
mod config_part;
mod controller;
mod dns;
mod field;
mod image_reference;
mod imported;
mod invalid;
mod kind;
mod names;
mod one_line;
mod opctl_version;
mod operand_image;
mod operator_deployment;
mod optional_file;
mod origin;
mod placeholder;
mod plural;
mod policies;
mod project;
mod project_file;
mod project_merge;
mod project_name;
mod project_path;
mod repository;
mod reserved;
mod resource;
mod runtime_source;
mod rust_names;
mod rust_path;
mod singular;
mod spelling;
mod stored;
mod webhooks;

pub use adopted::{Adopted, OperatorProgram, TypesPlace};
pub use annotations::{APPROVAL_ANNOTATION, VERSION_ANNOTATION};
pub use built_in::BuiltIn;
pub use child::{Child, ChildRole, Deletion};
pub use ci_service::CiService;
pub use config_part::Part;
pub use controller::Controller;
pub use dns::{is_label_text, label_1035_rule, label_rule, name_rule, nearest_label, object_name_rule, subdomain_rule};
pub use field::{
    Bounds, Cardinality, Field, Member, Object, Parent, Sampled, Scalar, Shape, field_types, sample, tree,
};
pub use image_reference::{IMAGE_PLACEHOLDER, check_image, is_placeholder, reference_parts, whole_reference};
pub use imported::Imported;
pub use invalid::{InvalidName, shorten_input};
pub use names::{Category, ControllerName, Domain, Group, Kind, Plural, ShortName, Version};
pub use one_line::is_one_line;
pub use opctl_version::is_newer;
pub use operand_image::{DEFAULT_PORT, Image};
pub use operator_deployment::{manager, manager_position, operator_deployment};
pub use optional_file::OptionalFile;
pub use origin::{Dependency, External, Origin};
pub use placeholder::FIELD_PLACEHOLDER;
pub use plural::plural;
pub use policies::Policies;
pub use project::{LAYOUT, License, PROJECT_FILE, Project};
pub use project_merge::merge_projects;
pub use project_name::ProjectName;
pub use project_path::ProjectPath;
pub use repository::{RefusedUrl, repository_url};
pub use reserved::is_taken_type;
pub use resource::{Key, Resource};
pub use runtime_source::RuntimeSource;
pub use rust_names::{module_name, variant_name};
pub use rust_path::RustPath;
pub use singular::singular;
pub use spelling::most_like;
pub use stored::{
    FieldDifference, STORAGE_LOSS, field_differences, removed_stored_versions, storage_loss, stored_version,
    unshared_fields,
};
pub use webhooks::Webhooks;
