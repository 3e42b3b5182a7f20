//! Commands that work on a cluster, in process, through the kube client.

mod apply;
mod connect;
mod crd;
mod custom_objects;
mod deploy;
mod e2e;
mod health;
mod install;
mod kustomization;
mod local_webhooks;
mod logs;
mod migrate;
mod operator;
mod policies;
mod request;
mod status;
mod uninstall;
mod verify_crds;

pub use connect::connection::{Connection, contexts};
pub use connect::deadline::{run, run_to_interrupt, run_until_interrupted};
pub use connect::kubeconfig::merged_kubeconfig;
pub use connect::target::Target;
pub use crd::converted::{local_conversion, without_conversion};
pub use crd::crds::{Definition, read_definitions};
pub use crd::live_crds::live_definitions;
pub use crd::local_operator::WebhookServer;
pub use crd::version_removal::{Removal, check_removal};
pub use custom_objects::{apply_object, table, wait_for_condition};
pub use deploy::{DeployOptions, UndeployOptions, deploy, manager_image, rendered_objects, undeploy};
pub use e2e::{
    Place, has_webhooks, last_words, metrics_need_rights, nothing_is_there, remove_samples, restart,
    samples_become_ready, update_loses_nothing, webhooks_answer,
};
pub use health::{Deployed, health};
pub use install::{InstallOptions, install, install_definitions};
pub use kustomization::remote::Remote;
pub use kustomization::render::is_simple_kustomization;
pub use local_webhooks::{
    apply_local_conversions, apply_local_webhooks, converted_definitions, delete_local_webhooks, end_local_conversions,
    local_configurations, unreachable_reason,
};
pub use logs::{LogsOptions, logs};
pub use migrate::{MigrateOptions, migrate};
pub use operator::identity::{Identity, deployed_namespace, identity_with_roles, operator_identity, operator_roles};
pub use operator::manager::Manager;
pub use policies::{apply_policies, deployed_name, has_policies};
pub use request::condition::{condition, is_true};
pub use request::field_manager::FIELD_MANAGER;
pub use request::refused_by::RefusedBy;
pub use request::request_error::{Attempt, request_error};
pub use status::{StatusOptions, status};
pub use uninstall::{UninstallOptions, uninstall};
pub use verify_crds::judge;

use connect::connection::client_certificate;
