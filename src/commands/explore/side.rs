//! One version of the operator in an upgrade, with its program, CRDs, roles and samples.

use super::again::repeat_command;
use super::args::ExploreArgs;
use super::exploration::subject;
use super::foreign::{self, Folders};
use super::reference::{build, check_out};
use super::stage::{Kinds, Subject};
use crate::cluster::{self, Definition, Identity, Target};
use crate::commands::context::Context;
use crate::commands::local_webhooks::has_webhooks;
use crate::commands::operator_program::adoption_record;
use crate::commands::webhook_server::WebhookServer;
use crate::explore::{Launch, Samples};
use crate::report::Console;
use crate::{Error, Result};
use kube::api::DynamicObject;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// Converts objects to JSON, as the API server receives them.
pub(super) fn objects<'a>(objects: impl Iterator<Item = &'a DynamicObject>) -> Result<Vec<Value>> {
    let objects: Result<_, _> = objects.map(serde_json::to_value).collect();
    objects.map_err(|error| Error::bug("cannot convert an object to JSON").source(&error))
}

/// One version of the operator in an upgrade: its program, CRDs, roles and samples.
pub(super) struct Side {
    /// The name of the version in messages.
    pub(super) name: String,
    pub(super) launch: Launch,
    pub(super) samples: Samples,
    definitions: Vec<Definition>,
    roles: Option<Vec<Value>>,
    /// The root of the version's opctl project; `None` if command-line flags, such as `--from-command` and
    /// `--from-crds`, name the version's program and CRDs instead.
    pub(super) root: Option<PathBuf>,
}

impl Side {
    /// Prepares the operator's new version, the target of the upgrade.
    pub(super) fn new(args: &ExploreArgs, context: &Context) -> Result<Side> {
        Side::of("the new version".to_owned(), subject(args, context)?)
    }

    /// Prepares the old versions in the order of the command-line flags that name them. The upgrade to the new version
    /// starts from the last old version.
    pub(super) fn old_versions(args: &ExploreArgs, context: &Context) -> Result<Vec<Side>> {
        let from = &args.from;
        if !from.from.is_empty() {
            // A wrong name is told before anything is compiled.
            let sources: Result<Vec<_>> = from.from.iter().map(|reference| check_out(reference, context)).collect();
            let built =
                |(reference, sources): (&String, _)| Side::of(reference.clone(), build(sources, args, context)?);
            return from.from.iter().zip(sources?).map(built).collect();
        }
        let (lines, crds, roles) = (&from.from_command, &from.from_crds, &from.from_roles);
        if lines.len() != crds.len() || ![0, lines.len()].contains(&roles.len()) {
            let counts = format!("these flags are given {}, {} and {} times", lines.len(), crds.len(), roles.len());
            return Err(Error::usage(
                "each old version needs its own `--from-command`, `--from-crds` and `--from-roles`",
            )
            .caused_by(counts)
            .hint("--from-command ./one --from-crds crds/one --from-command ./two --from-crds crds/two"));
        }
        let samples = from.from_samples.as_deref().unwrap_or(&args.foreign.samples);
        let version = |index: usize| {
            let name = if lines.len() == 1 { "the old version".to_owned() } else { format!("version {}", index + 1) };
            let folders = Folders { crds: &crds[index], samples, roles: roles.get(index).map(PathBuf::as_path) };
            Side::of(name, foreign::prepare(&lines[index], &folders, &args.kind, repeat_command(args), context)?)
        };
        (0..lines.len()).map(version).collect()
    }

    fn of(name: String, subject: Subject) -> Result<Side> {
        let Subject { mut launch, samples, kinds } = subject;
        let (definitions, roles, root) = match kinds {
            Kinds::Files { definitions, roles } => (definitions, roles, None),
            Kinds::Project(root) => {
                (cluster::read_definitions(&root)?, Some(cluster::operator_roles(&root)?), Some(root))
            }
        };
        launch.remembers = false;
        Ok(Side { name, launch, samples: samples.with_all_of_their_kinds(), definitions, roles, root })
    }

    /// Starts the program of this operator version with a flag to serve only webhooks, and with the kubeconfig
    /// `operator`. Returns `None` if the version has no webhooks, or if its program has no such flag, because opctl did
    /// not scaffold the program.
    pub(super) fn serve(&self, operator: &Path, context: &Context) -> Result<Option<WebhookServer>> {
        // An adopted operator has no flag to serve its webhooks alone.
        let root = self.root.as_ref().filter(|root| adoption_record(root).is_none() && has_webhooks(root));
        let server = root.map(|root| WebhookServer::serve(&self.launch.program, root, operator, context)).transpose();
        let server = server.map_err(|error| error.caused_by(format!("they belong to {}", self.name)))?;
        if server.is_some() {
            context.console.status("Serving", format!("the webhooks of {}", self.name));
        }
        Ok(server)
    }

    /// Returns the version's CRDs as they were read from files, with their conversions unchanged.
    pub(super) fn crds(&self) -> Result<Vec<Value>> {
        objects(self.definitions.iter().map(|definition| &definition.object))
    }

    /// Returns the CRDs with the conversions that `server` serves. Without a server, removes the conversions from the
    /// CRDs, because a conversion webhook that does not answer would make objects of other API versions unreadable.
    pub(super) fn definitions(&self, server: Option<&WebhookServer>) -> Vec<Definition> {
        let mut definitions = self.definitions.clone();
        for definition in &mut definitions {
            definition.object = server.map_or_else(
                || cluster::without_conversion(&definition.object),
                |server| server.webhooks().definition_with_conversion(&definition.object),
            );
        }
        definitions
    }

    /// Grants this version of the operator the rights of its roles. The granted roles have separate names, which
    /// contain
    /// `word`, because the old and the new operator may run at the same time. Returns `None` for a version without
    /// roles,
    /// which may do everything.
    pub(super) fn grant(&self, word: &str, target: &Target, console: &Console) -> Result<Option<Identity>> {
        let Some(roles) = &self.roles else { return Ok(None) };
        let mut roles = roles.clone();
        for role in &mut roles {
            let name = role["metadata"]["name"].as_str().unwrap_or_default();
            let name = format!("opctl-{word}-{name}");
            role["metadata"] = json!({ "name": name });
        }
        let identity = foreign::grant_in(&format!("opctl-explore-{word}"), &roles, target, console)?;
        console.status("Granted", format!("the roles of {}", self.name));
        Ok(Some(identity))
    }
}
