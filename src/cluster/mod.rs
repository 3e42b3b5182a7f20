//! Commands that work on a cluster, in process, through the kube client.

mod answers;
mod apply;
mod condition;
mod connection;
mod conversion;
mod converted;
mod crd_api;
mod crds;
mod credential;
mod deploy;
mod documents;
mod e2e;
mod failure;
mod field_manager;
mod health;
mod holds;
mod identity;
mod install;
mod installed;
mod judge;
mod kubeconfig;
mod kustomize;
mod limit;
mod listed;
mod live;
mod local_operator;
mod local_webhooks;
mod logs;
mod manager;
mod migrate;
mod objects;
mod plugin;
mod policies;
mod proxy;
mod refused_by;
mod remote;
mod removal;
mod replicas;
mod status;
mod target;
mod uninstall;

pub use condition::{condition, is_true};
pub use connection::{Connection, contexts};
pub use converted::{local as local_conversion, without as without_conversion};
pub use crds::{Definition, read_definitions};
pub use deploy::{DeployOptions, UndeployOptions, deploy, manager_image, rendered_objects, undeploy};
pub use e2e::{
    Place, has_webhooks, last_words, metrics_need_rights, nothing_is_there, remove_samples, restart,
    samples_become_ready, update_loses_nothing, webhooks_answer,
};
pub use failure::{Attempt, request_error};
pub use field_manager::FIELD_MANAGER;
pub use health::{Deployed, health};
pub use identity::{Identity, deployed_namespace, identity_with_roles, operator_identity, operator_roles};
pub use install::{InstallOptions, install, install_definitions};
pub use judge::judge;
pub use kubeconfig::merged_kubeconfig;
pub use kustomize::is_simple_kustomization;
pub use limit::{run, run_to_interrupt, run_until_interrupted};
pub use live::live_definitions;
pub use local_operator::Served;
pub use local_webhooks::{
    apply_local_conversions, apply_local_webhooks, converted_definitions, delete_local_webhooks, end_local_conversions,
    local_configurations, unreachable,
};
pub use logs::{LogsOptions, logs};
pub use manager::Manager;
pub use migrate::{MigrateOptions, migrate};
pub use objects::{apply_object, table, wait_for_condition};
pub use policies::{apply_policies, deployed as deployed_name, has_policies};
pub use refused_by::RefusedBy;
pub use remote::Remote;
pub use removal::{Removal, check_removal};
pub use status::{StatusOptions, status};
pub use target::Target;
pub use uninstall::{UninstallOptions, uninstall};

use connection::client_certificate;
