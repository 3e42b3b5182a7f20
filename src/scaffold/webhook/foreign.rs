//! Webhooks for kinds that the project does not define: built-in kinds, and kinds from other crates.

use super::super::check::{difference, resource_of};
use super::super::origin::locate;
use super::super::{ApiIntent, ExternalIntent};
use super::WebhookIntent;
use crate::model::{BuiltIn, Key, Origin, Project, Resource, Version};
use crate::{Error, Result};

/// The API group whose kinds the API server exempts from webhooks, so that a webhook cannot block its own removal
/// (`k8s.io/apiserver` `pkg/admission/plugin/webhook/predicates/rules/rules.go`).
const EXEMPT: &str = "admissionregistration.k8s.io";

/// Returns the resource for webhooks on a kind that Kubernetes or another crate defines, and the existing resources of
/// this kind in the project. Returns `None` if the kind is neither built into Kubernetes nor, as far as opctl knows,
/// from another crate.
///
/// # Errors
/// Fails if the intent has an option that is only for kinds that the project defines, if the intent's options differ
/// from the kind's options in the project, or if the API server exempts the kind from webhooks.
pub(super) fn resource<'a>(
    intent: &WebhookIntent,
    project: &'a Project,
) -> Result<Option<(Resource, Vec<&'a Resource>)>> {
    let (group, kind) = (&intent.group, &intent.kind);
    let is_built_in = BuiltIn::find(group.as_str(), None, kind.as_str()).is_ok();
    let is_of_kind = |resource: &&Resource| resource.key.kind == *kind && resource.key.group == *group;
    let known: Vec<&Resource> =
        project.resources.iter().filter(is_of_kind).filter(|resource| resource.origin != Origin::Own).collect();
    if known.is_empty() && intent.external.is_none() && !is_built_in {
        return Ok(None);
    }
    if intent.conversion {
        return Err(Error::usage(format!("`{kind}` is not a kind that this project defines"))
            .caused_by(
                "opctl generates conversions only for kinds of the project: the operator that defines a kind \
                        converts its objects",
            )
            .hint(WebhookIntent { conversion: false, spokes: Vec::new(), ..defaulting(intent) }.command()));
    }
    let resource = match known_version(intent, &known) {
        Some(known) => same(intent, known)?,
        None => new(intent, project)?,
    };
    if resource.api_group(&project.domain) == EXEMPT {
        return Err(Error::usage(format!("`{kind}` cannot have webhooks"))
            .caused_by(format!("the API server does not call webhooks for objects in the group `{EXEMPT}`")));
    }
    Ok(Some((resource, known)))
}

/// Returns the arguments of `create webhook`, with a defaulting webhook added if they request no admission webhook.
fn defaulting(intent: &WebhookIntent) -> WebhookIntent {
    let mut intent = intent.clone();
    intent.webhooks.defaulting |= !intent.webhooks.any();
    intent
}

/// Returns the resource in `known` with the version that `create webhook` requests. If no version is requested, returns
/// the version with webhooks, or else the first version.
fn known_version<'a>(intent: &WebhookIntent, known: &[&'a Resource]) -> Option<&'a Resource> {
    let mut known = known.iter().copied();
    match &intent.version {
        Some(version) => known.find(|known| known.key.version == *version),
        None => known.clone().find(|known| known.webhooks.any()).or_else(|| known.next()),
    }
}

/// Returns a copy of `known`, a resource of the project. Fails if an option of `create webhook` differs from it.
fn same(intent: &WebhookIntent, known: &Resource) -> Result<Resource> {
    let mut differences = Vec::new();
    let mut differ = |flag: &str, known: Option<String>, wanted: Option<String>| {
        if let Some(wanted) = wanted.filter(|wanted| known.as_ref() != Some(wanted)) {
            differences.push(difference(flag, known.as_deref(), &wanted));
        }
    };
    let external = match &known.origin {
        Origin::External(external) => Some(external),
        Origin::Own | Origin::Core(_) => None,
    };
    let wanted = intent.external.as_ref();
    let text = ToString::to_string;
    differ("external-api-path", external.map(|known| text(&known.path)), wanted.map(|wanted| text(&wanted.path)));
    let domain = |external: &ExternalIntent| external.domain.clone();
    differ("external-api-domain", external.and_then(|known| known.domain.clone()), wanted.and_then(domain));
    let module = |dependency: &Option<crate::model::Dependency>| dependency.as_ref().map(ToString::to_string);
    differ(
        "external-api-module",
        external.and_then(|known| module(&known.dependency)),
        wanted.and_then(|wanted| module(&wanted.dependency)),
    );
    differ("plural", Some(known.plural.to_string()), intent.plural.as_ref().map(ToString::to_string));
    differ(
        "namespaced",
        Some(known.namespaced.to_string()),
        intent.namespaced.map(|namespaced| namespaced.to_string()),
    );
    if differences.is_empty() {
        return Ok(known.clone());
    }
    let without = WebhookIntent { external: None, plural: None, namespaced: None, ..intent.clone() };
    let error = Error::conflict(format!("the project already has the kind `{}` with other options", intent.kind));
    Err(differences.into_iter().fold(error, Error::caused_by).hint(without.command()))
}

/// Returns the resource of a kind that is new to the project.
fn new(intent: &WebhookIntent, project: &Project) -> Result<Resource> {
    let version = match (&intent.version, &intent.external) {
        (Some(version), _) => version.clone(),
        (None, Some(_)) => {
            return Err(Error::usage("`--version` is missing")
                .caused_by(format!(
                    "another crate defines `{}`, and opctl does not know the version of the kind",
                    intent.kind
                ))
                .hint(WebhookIntent { version: Some(Version::parse("v1")?), ..intent.clone() }.command()));
        }
        // A placeholder: the version is found together with the kind.
        (None, None) => Version::parse("v1")?,
    };
    let mut wanted = ApiIntent {
        key: Key { group: intent.group.clone(), version, kind: intent.kind.clone() },
        version_said: intent.version.is_some(),
        external: intent.external.clone(),
        domain: None,
        origin: Origin::Own,
        plural: intent.plural.clone(),
        namespaced: intent.namespaced,
        short_names: None,
        categories: None,
        image: None,
        fields: None,
        imported: None,
        owns: None,
        finalizer: false,
        storage: false,
        api: false,
        controller: false,
        controller_name: None,
        force: intent.force,
    };
    locate(&mut wanted, project)?;
    resource_of(&wanted, project)
}
