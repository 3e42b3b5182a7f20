//! Checks an intent, the arguments of `create api`, against the existing resources of the project.

use crate::error::{Hint, hint};
use crate::model::{BuiltIn, External, Origin, Resource};
use crate::scaffold::storage::type_file;
use crate::scaffold::{ApiIntent, flags};
use crate::{Error, Result};

/// Fails if the project already has the group, version and kind, but with a type from another origin than `create api`
/// requests. The origin of a type is the project, Kubernetes or another crate.
pub(super) fn check_origin(known: Option<&Resource>, intent: &ApiIntent) -> Result<()> {
    let Some(known) = known.filter(|known| !known.origin.is_like(&intent.origin)) else { return Ok(()) };
    let whose = match known.origin {
        Origin::Own => "the existing kind is defined by the project",
        Origin::Core(_) => "the existing kind is a built-in kind of Kubernetes",
        Origin::External(_) => "the existing kind is defined by another crate",
    };
    Err(Error::conflict(format!("`{}` is in the project already", known.key))
        .caused_by(whose)
        .hint(hint!("--group my-{}    # or any other unused name", known.key.group)))
}

pub(super) fn no_types(intent: &ApiIntent, has_other_version: bool) -> Error {
    let (kind, mut with_types) = (&intent.key.kind, intent.clone());
    with_types.api = true;
    let error = Error::user(format!("`{kind}` has no types in this project"))
        .caused_by("`--resource=false` creates only a controller, for a kind whose types already exist");
    if intent.key.group.is_none()
        && let Some(group) = BuiltIn::group_of(kind.as_str())
    {
        return error.hint(hint!(
            "opctl create api --resource=false --group {group} --kind {kind}    # for the built-in kind of Kubernetes",
            group,
            kind
        ));
    }
    let flags = flags(&with_types);
    if has_other_version {
        return error.hint(hint!("opctl create api{flags}", flags));
    }
    error.hint(hint!(
        "opctl create api{flags}    # generates the types\nopctl create api --resource=false{flags} \
         --external-api-path CRATE::MODULE    # uses the types of another crate",
        flags
    ))
}

/// Describes how the requested value of an option differs from the existing value. A missing option is `None` in
/// `known` and empty in `wanted`.
pub(in crate::scaffold) fn difference(flag: &str, known: Option<&str>, wanted: &str) -> String {
    match known {
        Some(known) if wanted.is_empty() => {
            format!("the kind was created with `--{flag}={known}`, but this command omits `--{flag}`")
        }
        Some(known) => format!("the kind was created with `--{flag}={known}`, not with `--{flag}={wanted}`"),
        None => format!("the kind was created without `--{flag}={wanted}`"),
    }
}

pub(super) fn check_same(known: &Resource, wanted: &Resource, intent: &ApiIntent) -> Result<()> {
    let mut differences = Vec::new();
    let mut differ = |flag: &str, known: String, wanted: String| {
        if known != wanted {
            differences.push(difference(flag, Some(known.as_str()).filter(|known| !known.is_empty()), &wanted));
        }
    };
    differ("plural", known.plural.to_string(), wanted.plural.to_string());
    differ("namespaced", known.namespaced.to_string(), wanted.namespaced.to_string());
    differ("short-name", join_names(&known.short_names), join_names(&wanted.short_names));
    let image =
        |resource: &Resource| resource.image.as_ref().map_or(String::new(), |image| image.reference().to_owned());
    let port = |resource: &Resource| resource.image.as_ref().map_or(String::new(), |image| image.port().to_string());
    differ("image", image(known), image(wanted));
    differ("port", port(known), port(wanted));
    differ("field", join_names(&known.fields), join_names(&wanted.fields));
    differ("category", join_names(&known.categories), join_names(&wanted.categories));
    if let (Origin::External(known), Origin::External(wanted)) = (&known.origin, &wanted.origin) {
        let module = |external: &External| external.dependency.as_ref().map_or(String::new(), ToString::to_string);
        differ("external-api-path", known.path.to_string(), wanted.path.to_string());
        differ(
            "external-api-domain",
            known.domain.clone().unwrap_or_default(),
            wanted.domain.clone().unwrap_or_default(),
        );
        differ("external-api-module", module(known), module(wanted));
    }
    if differences.is_empty() || intent.force {
        return Ok(());
    }
    let error = Error::conflict(format!("the project already has the kind `{}` with other options", known.key.kind));
    let error = differences.into_iter().fold(error, Error::caused_by);
    Err(error.hint(hint!("change the code by hand, or generate it again:\nopctl create api{} --force", flags(intent))))
}

/// Fails if `create api` adds a further version of a kind, and requests fields or an image that differ from those of
/// `copied`, the version that opctl copies.
pub(super) fn check_copied(intent: &ApiIntent, copied: &Resource) -> Result<()> {
    let other_fields = intent.fields.as_ref().is_some_and(|fields| *fields != copied.fields);
    let other_image = intent.image.is_some() && intent.image != copied.image;
    if !other_fields && !other_image {
        return Ok(());
    }
    let (key, mut without) = (&intent.key, intent.clone());
    (without.fields, without.image) = (None, None);
    let (flag, what) = if other_fields { ("field", "add the field") } else { ("image", "change the default") };
    Err(Error::usage(format!("`--{flag}` is only for the first version of `{}`", key.kind))
        .caused_by(format!(
            "version {} starts as a copy of version {}, with the same fields as the stored objects",
            key.version, copied.key.version
        ))
        .hint(hint!(
            "opctl create api{}    # then {what} in {}",
            flags(&without),
            type_file(key),
            what = Hint::from(what)
        )))
}

fn join_names<T: ToString>(names: &[T]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
