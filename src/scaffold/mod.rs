//! Turns intents into operations on a project, without IO.

mod adopt;
mod bundle;
mod chart;
mod check;
mod children;
mod controlled;
mod controller;
mod controller_test;
mod conversion;
mod copy;
mod create_api;
mod definition;
mod delete;
mod dependency;
mod field_samples;
mod fields;
mod flags;
mod generated;
mod image;
mod init;
mod insertions;
mod integration;
mod intent;
mod layout;
mod lock_file;
mod marker_group;
mod module_line;
mod origin;
mod own_kind;
mod parts;
mod policy;
mod rename;
mod rights;
mod samples;
mod scope;
mod storage;
mod test_values;
mod values;
mod webhook;

pub use adopt::{Seen, adopt, adopted_sample};
pub use bundle::{BUNDLE, Bundle, BundleOptions, bundle, bundle_base, is_of_bundle};
pub use chart::{chart, installer};
pub use check::{check_runtime, check_webhook_runtime, resource_of};
pub use conversion::{Conversion, conversions, create_conversion, watched_spoke, with_spokes};
pub use copy::{Copied, Files, copied_version, copy, sample_file};
pub use create_api::{choice, create_api};
pub use definition::{VersionCode, version_code};
pub use delete::{DeleteIntent, Deleted, Part as DeletedPart, deleted};
pub use dependency::{Package, dependency};
pub use flags::flags;
pub use generated::generated;
pub use image::{IMAGES_FILE, MANAGER_FILE, chosen_image, image};
pub use init::init;
pub use insertions::insertions;
pub use intent::{ApiIntent, ExternalIntent, Known};
pub use origin::locate;
pub use parts::{edit, parts};
pub use policy::{PolicyIntent, create_policy, with_policies};
pub use rename::{RenameIntent, RenamedProject, renamed, renamed_before};
pub use samples::core_sample;
pub use scope::scope;
pub use storage::{move_storage, type_file, type_folder};
pub use webhook::{
    WEBHOOK_ENTRY, WEBHOOK_KUSTOMIZATION, WEBHOOK_LINE, WebhookIntent, conversion_right, create_webhook,
    webhook_entries, webhook_folder, with_webhooks, without_webhook_entries,
};
