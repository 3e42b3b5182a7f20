//! What `create api` makes of an intent and the project, and what it refuses.

use super::values::controller_name;
use super::{ApiIntent, children, flags};
use crate::model::{Child, Project, Resource};
use crate::{Error, Result};

/// The resource that the intent asks for, given what the project has.
///
/// # Errors
/// Options unlike those of the resource that exists (unless forced); names that collide with another resource's, in Rust or in
/// the API server; a controller without a type.
pub fn resource_of(intent: &ApiIntent, project: &Project) -> Result<Resource> {
    let known = project.resource(&intent.key);
    let other_version = project.resources.iter().find(|other| {
        other.key.group == intent.key.group && other.key.kind == intent.key.kind && other.key != intent.key
    });
    if known.is_none() && !intent.api {
        return Err(Error::user(format!("`{}` has no types in this project", intent.key.kind))
            .caused_by("with `--resource=false` only a controller is made, for a kind that is there already")
            .hint(format!("opctl create api{}", flags(intent))));
    }
    let model = known.or(other_version);
    let controlled_elsewhere = other_version.is_some_and(|other| other.controller);
    let resource = Resource {
        key: intent.key.clone(),
        plural: intent
            .plural
            .clone()
            .or_else(|| model.map(|model| model.plural.clone()))
            .unwrap_or_else(|| intent.key.kind.default_plural()),
        namespaced: intent.namespaced.or(model.map(|model| model.namespaced)).unwrap_or(true),
        short_names: intent.short_names.clone().or(model.map(|model| model.short_names.clone())).unwrap_or_default(),
        categories: intent.categories.clone().or(model.map(|model| model.categories.clone())).unwrap_or_default(),
        image: intent.image.clone().or_else(|| known.and_then(|known| known.image.clone())),
        fields: intent.fields.clone().or_else(|| known.map(|known| known.fields.clone())).unwrap_or_default(),
        owns: intent.owns.as_deref().map_or_else(
            || known.map(|known| known.owns.clone()).unwrap_or_default(),
            |owns| owns.iter().copied().filter(|child| !is_of_image(intent, known, *child)).collect(),
        ),
        finalizer: intent.finalizer || known.is_some_and(|known| known.finalizer),
        api: intent.api || known.is_some_and(|known| known.api),
        // One controller for a group and kind, whatever the version.
        controller: known.is_some_and(|known| known.controller) || (intent.controller && !controlled_elsewhere),
        storage: intent.storage || known.map_or(other_version.is_none(), |known| known.storage),
    };
    super::scope::check(project, &resource)?;
    check_lengths(&resource, project)?;
    check_image(&resource)?;
    check_children(&resource, other_version.filter(|other| other.controller))?;
    check_fields(&resource)?;
    if let Some(known) = known {
        check_same(known, &resource, intent)?;
    }
    if let Some(other) = other_version {
        check_version(other, &resource)?;
    }
    for other in project.resources.iter().filter(|other| other.key != resource.key) {
        check_collisions(other, &resource)?;
    }
    Ok(resource)
}

/// Whether `--image` means the child already.
fn is_of_image(intent: &ApiIntent, known: Option<&Resource>, child: Child) -> bool {
    let image = intent.image.is_some() || known.is_some_and(|known| known.image.is_some());
    image && Child::of_image().any(|of_image| of_image == child)
}

fn check_same(known: &Resource, wanted: &Resource, intent: &ApiIntent) -> Result<()> {
    let mut differences = Vec::new();
    let mut differ = |flag: &str, known: String, wanted: String| {
        if known != wanted {
            let known = if known.is_empty() { "not given".to_owned() } else { format!("`{known}`") };
            differences.push(format!("`--{flag}` is {known} in the project, not `{wanted}`"));
        }
    };
    differ("plural", known.plural.to_string(), wanted.plural.to_string());
    differ("namespaced", known.namespaced.to_string(), wanted.namespaced.to_string());
    differ("short-name", joined(&known.short_names), joined(&wanted.short_names));
    let image =
        |resource: &Resource| resource.image.as_ref().map_or(String::new(), |image| image.reference().to_owned());
    let port = |resource: &Resource| resource.image.as_ref().map_or(String::new(), |image| image.port().to_string());
    differ("image", image(known), image(wanted));
    differ("port", port(known), port(wanted));
    differ("field", joined(&known.fields), joined(&wanted.fields));
    differ("owns", joined(&known.owns), joined(&wanted.owns));
    differ("finalizer", known.finalizer.to_string(), wanted.finalizer.to_string());
    differ("category", joined(&known.categories), joined(&wanted.categories));
    if differences.is_empty() || intent.force {
        return Ok(());
    }
    let error = Error::conflict(format!("`{}` exists with other options", known.key.kind));
    let error = differences.into_iter().fold(error, Error::caused_by);
    Err(error.hint(format!("change the code by hand, or start it anew:\nopctl create api{} --force", flags(intent))))
}

/// What the children of an image need.
fn check_image(resource: &Resource) -> Result<()> {
    if resource.image.is_none() {
        return Ok(());
    }
    let kind = &resource.key.kind;
    if !resource.namespaced {
        return Err(Error::usage(format!("`--image` needs objects of `{kind}` to live in namespaces"))
            .caused_by("each has a Deployment and a Service, which do, and are beside their owner")
            .hint("--namespaced=true"));
    }
    let name = controller_name(resource);
    if name.len() > 63 {
        return Err(Error::usage(format!("`{name}` is too long a name"))
            .caused_by("it is the value of a label, which has at most 63 characters")
            .hint("choose a shorter `--group`"));
    }
    Ok(())
}

/// `controlled` is another version of the kind, which has the controller.
fn check_children(resource: &Resource, controlled: Option<&Resource>) -> Result<()> {
    let kind = &resource.key.kind;
    if (resource.finalizer || !resource.owns.is_empty()) && !resource.controller {
        let flag = if resource.finalizer { "finalizer" } else { "owns" };
        let error = Error::usage(format!("`--{flag}` needs a controller"));
        return Err(match controlled {
            Some(other) => error
                .caused_by(format!("the controller of `{kind}` is for version `{}`", other.key.version))
                .hint(if resource.finalizer {
                    "finalizer(&api, FINALIZER, obj, pass).await    // kube::runtime::finalizer, in its `reconcile`"
                } else {
                    "controller.owns::<Kind>()    // in its `setup`, and `ctx.apply(..)` in its `reconcile`"
                }),
            None => error.caused_by(format!("`{kind}` has none")).hint("--controller=true"),
        });
    }
    let Some((child, why)) = children::refused(resource) else { return Ok(()) };
    let error = Error::usage(format!("`{kind}` cannot own a `{child}`")).caused_by(why);
    Err(if child.built_in().namespaced {
        error.hint("choose a shorter `--group`")
    } else {
        error.hint("--namespaced=false    # or leave it out")
    })
}

/// The fields that `--image` makes.
const IMAGE_FIELDS: &[&str] = &["image", "port", "replicas", "resources"];

fn check_fields(resource: &Resource) -> Result<()> {
    let kind = resource.key.kind.as_str();
    for (number, field) in resource.fields.iter().enumerate() {
        let before = resource.fields[..number]
            .iter()
            .find(|before| before.name == field.name || before.rust_name == field.rust_name);
        let why = if let Some(before) = before {
            format!("`{before}` has that name")
        } else if resource.image.is_some() && IMAGE_FIELDS.contains(&field.rust_name.as_str()) {
            "`--image` makes that field".to_owned()
        } else if field.enum_name(kind).is_some_and(|name| resource.key.type_names().contains(&name)) {
            "its Rust type would be called like another one of the kind".to_owned()
        } else {
            continue;
        };
        let (name, rest) = (&field.name, field.to_string());
        let rest = rest.split_once(':').map_or("string", |(_, rest)| rest).to_owned();
        return Err(Error::usage(format!("the field `{name}` cannot be added"))
            .caused_by(why)
            .hint(format!("--field '{name}Value:{rest}'    # or any other name")));
    }
    Ok(())
}

fn check_version(other: &Resource, wanted: &Resource) -> Result<()> {
    if other.namespaced != wanted.namespaced || other.plural != wanted.plural {
        return Err(Error::conflict(format!("`{}` exists as version `{}`", wanted.key.kind, other.key.version))
            .caused_by("all versions of a kind have one scope and one plural")
            .hint(format!("--namespaced={} --plural {}", other.namespaced, other.plural)));
    }
    Ok(())
}

fn check_collisions(other: &Resource, wanted: &Resource) -> Result<()> {
    let refuse = |what: String, flag: &str| {
        let free = match flag {
            "kind" => format!("My{}", wanted.key.kind),
            "plural" => format!("my{}", wanted.plural),
            "group" => format!("my-{}", wanted.key.group),
            _ => format!("my{}", wanted.key.kind.singular()),
        };
        Err(Error::conflict(format!("`{}` collides with `{}`", wanted.key, other.key))
            .caused_by(what)
            .hint(format!("--{flag} {free}    # or any other that is free")))
    };
    let same_kind = other.key.group == wanted.key.group && other.key.kind == wanted.key.kind;
    if !same_kind && other.key.group == wanted.key.group {
        // The API server keeps `<kind>List` for the list of a kind, and compares names in lower case.
        let (own, theirs) = (wanted.key.kind.singular(), other.key.kind.singular());
        if own == theirs || own == format!("{theirs}list") || theirs == format!("{own}list") {
            return refuse("their names and list names would be the same in the API server".to_owned(), "kind");
        }
        // The API server keeps one list of plural, singular and short names for each group.
        let (taken, names) = (api_names(other), api_names(wanted));
        if let Some((name, flag)) = names.iter().find(|(name, _)| taken.iter().any(|(other, _)| other == name)) {
            return refuse(format!("both would be `{name}` in the API group"), flag);
        }
        if other.key.kind_module() == wanted.key.kind_module() {
            return refuse(format!("both would be the Rust module `{}`", wanted.key.kind_module()), "kind");
        }
        let names = other.key.type_names();
        if let Some(name) = wanted.key.type_names().iter().find(|name| names.contains(name))
            && other.key.version == wanted.key.version
        {
            return refuse(format!("both would define the Rust type `{name}`"), "kind");
        }
    }
    let (own, theirs) = (wanted.key.group_module(), other.key.group_module());
    if own.is_some() && own == theirs && other.key.group != wanted.key.group {
        return refuse(format!("both groups would be the Rust module `{}`", own.unwrap_or_default()), "group");
    }
    // `src/controller/` holds the groups' folders beside the kinds without a group.
    if (own.is_some() && theirs.is_none() && own == Some(other.key.kind_module()))
        || (theirs.is_some() && own.is_none() && theirs == Some(wanted.key.kind_module()))
    {
        return refuse(
            "a group and a kind would be the same Rust module".to_owned(),
            if own.is_some() { "group" } else { "kind" },
        );
    }
    Ok(())
}

/// The names that a resource takes in its API group, with the flags that choose them.
fn api_names(resource: &Resource) -> Vec<(String, &'static str)> {
    let mut names = vec![(resource.plural.to_string(), "plural"), (resource.key.kind.singular(), "kind")];
    names.extend(resource.short_names.iter().map(|name| (name.to_string(), "short-name")));
    names
}

/// Names that are valid each, and too long together.
fn check_lengths(resource: &Resource, project: &Project) -> Result<()> {
    let group = &resource.key.group;
    let separator = usize::from(!group.is_none());
    let manager = project.name.as_str().len() + 1 + group.as_str().len() + separator + resource.key.kind.as_str().len();
    let definition = resource.plural.as_str().len() + 1 + resource.api_group(&project.domain).len();
    let rule = if manager > 128 {
        format!("the field manager `<project>/<group>-<kind>` has {manager} characters, 128 are allowed")
    } else if definition > 250 {
        format!("the definition's name `<plural>.<group>.<domain>` has {definition} characters, 250 are allowed")
    } else {
        return Ok(());
    };
    let what = if group.is_none() { "kind" } else { "group" };
    Err(Error::usage(format!("the names of `{}` are too long together", resource.key.kind))
        .caused_by(rule)
        .hint(format!("choose a shorter `--{what}`")))
}

fn joined<T: ToString>(names: &[T]) -> String {
    names.iter().map(ToString::to_string).collect::<Vec<_>>().join(",")
}
