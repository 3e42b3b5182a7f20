//! Tests of one field: a first run changes the field of an existing sample and sets the field back; a second run
//! creates the sample with the changed value.

use super::readiness;
use super::reference::Reference;
use super::run_environment::Site;
use super::settle::{self, Patience, Rest};
use crate::error::hint;
use crate::explore::plan::fault_plan::{Class, Plan, Step};
use crate::explore::plan::field_values::FieldValue;
use crate::explore::proxy::gate::Gate;
use crate::explore::record::journal::{Entry, Request};
use crate::explore::record::state::{Difference, State};
use crate::explore::server::shared_server::World;
use crate::{Error, Result};
use serde_json::Value;
use std::path::Path;
use std::sync::Arc;

/// The consequences of a changed field.
#[derive(Debug)]
pub struct Changed {
    /// The differences between the children of samples that were created with the new value and the children of samples
    /// that got the value later.
    pub differences: Vec<Difference>,
    /// True if the value of the field is unusable for the operator's children, so that differences between the children
    /// mean nothing: the API server refuses a child even if the sample is created with the value, or the value is the
    /// name of a missing object.
    pub impossible: bool,
    /// The field and its value, as written in the plan.
    pub text: String,
}

/// Returns the sample that the plan changes, the sample's resource, and the field with its new value.
fn subject<'w>(world: &'w World, plan: &Plan) -> Result<(&'w Value, String, FieldValue)> {
    let unknown = || {
        Error::usage(format!("`{plan}` does not name a sample of this operator"))
            .hint(hint!("{again} --list    # lists the fault plans of this operator", again = &world.launch.again))
    };
    let (object, field) = plan.field().ok_or_else(unknown)?;
    let (resource, name) = object.split_once('/').ok_or_else(unknown)?;
    let mut samples = world.samples.iter().map(|sample| &sample.object);
    let sample = samples.find(|sample| {
        sample["metadata"]["name"] == name && world.collection_of(sample).is_ok_and(|found| found == resource)
    });
    Ok((sample.ok_or_else(unknown)?, resource.to_owned(), field))
}

/// Fails if the plan changes a field of an object that is not a sample.
pub fn check(world: &World, plan: &Plan) -> Result<()> {
    if plan.class == Class::Field { subject(world, plan).map(drop) } else { Ok(()) }
}

/// Changes the field of an existing sample to the plan's value, waits until the operator comes to rest, and then
/// changes the field back. Returns two results: the state after the last of these changes, and the objects as they were
/// while the field had the plan's value. If the operator does not come to rest with the plan's value, leaves the field
/// at this value, and returns `None` as the second result.
pub async fn later(
    site: &Site,
    plan: &Plan,
    reference: &Reference,
    patience: Patience,
) -> Result<(Vec<Rest>, Option<State>)> {
    let (sample, resource, field) = subject(&site.world, plan)?;
    let name = sample["metadata"]["name"].as_str().unwrap_or_default();
    let object = format!("{resource}/{name}");
    let before = field.of(sample).clone();
    let value = if site.gate.is_placebo() { before.clone() } else { field.value.clone() };
    site.gate.begin_step(Step::Change, None);
    site.gate.reach(&format!("{} becomes {}", field.path, field.value));
    site.change(&object, &field.patch(&value)).await?;
    let changed = settle::first(site, Step::Change).await?;
    if changed.restless {
        return Ok((vec![changed], None));
    }
    site.gate.begin_step(Step::Back, None);
    site.change(&object, &field.patch(&before)).await?;
    // The objects must be the same as after the first step.
    let back = settle::like(site, Step::Create, reference, patience).await?;
    let state = changed.state.clone();
    Ok((vec![Rest { step: Step::Back, ..back }], Some(state)))
}

/// Creates the samples, one of them with the plan's value of the field from the start. Returns a comparison of the
/// samples' children with the children in `later`: the objects of another run, in which the field got this value only
/// after the creation of the sample.
pub async fn from_the_start(
    world: &Arc<World>,
    namespace: &str,
    folder: &Path,
    plan: &Plan,
    reference: &Reference,
    later: &State,
) -> Result<Changed> {
    let (sample, _, field) = subject(world, plan)?;
    let gate = Gate::new(false, reference.names.clone());
    let site = Site::begin(world, namespace, folder, gate, reference.resources(), None).await?;
    site.create_with(sample, &field.patch(&field.value)).await?;
    let rest = settle::first(&site, Step::Create).await?;
    let differences = if rest.restless { Vec::new() } else { reference.unexpected_differences(&rest.state, later) };
    let of_samples = |difference: &Difference| {
        let resource = difference.object.split('/').next().unwrap_or_default();
        world.samples.iter().any(|sample| world.collection_of(&sample.object).is_ok_and(|found| found == resource))
    };
    let differences =
        differences.into_iter().filter(|difference| !of_samples(difference) && !difference.path.starts_with(".status"));
    let journal = site.gate.journal();
    let impossible = journal.iter().filter_map(Entry::request).any(Request::is_invalid);
    // A text may name an object that does not exist: what was made for another name may well stay.
    let is_reference = field.value.is_string() && !readiness::unready_samples(&site).await?.is_empty();
    let namespace_of = |object: &str| site.scope.place(object)?.namespace;
    let impossible = impossible || is_reference || names_nothing(&field.value, &journal, namespace_of);
    Ok(Changed { differences: differences.collect(), impossible, text: field.text() })
}

/// Returns true if `value` is the name of an object that the operator requested and that does not exist, or the name of
/// a namespace to which the operator cannot write because it does not exist. The operator may then keep the children
/// that it created for the original value.
fn names_nothing(value: &Value, journal: &[Entry], namespace_of: impl Fn(&str) -> Option<String>) -> bool {
    let Some(name) = value.as_str() else { return false };
    let about = |request: &&Request| {
        let object = request.parts().1;
        object.split('/').nth(1) == Some(name) || namespace_of(object).as_deref() == Some(name)
    };
    journal.iter().filter_map(Entry::request).rev().find(about).is_some_and(|request| request.status == 404)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explore::record::journal::Event;
    use serde_json::json;
    use std::time::Duration;

    #[test]
    fn a_value_may_be_the_name_of_an_object_that_does_not_exist() {
        let entry = |(request, status): &(&str, u16)| {
            let request = Request { request: (*request).to_owned(), status: *status, ..Request::default() };
            Entry { at: Duration::ZERO, step: Step::Create, event: Event::Request(request) }
        };
        for (value, requests, expected) in [
            (json!("mainx"), &[("get:clusters.e.com/mainx#1", 404)][..], true),
            (json!("mainx"), &[("get:clusters.e.com/main#1", 404)], false),
            (json!("mainx"), &[("get:services/mainx#1", 404), ("create:services/mainx#1", 201)], false),
            (json!(3), &[("get:services/3#1", 404)], false),
            (json!("mainx"), &[], false),
            (json!("elsewhere"), &[("patch:configmaps/a#1", 404)], true),
            (json!("elsewhere"), &[("patch:configmaps/a#1", 404), ("patch:configmaps/a#2", 201)], false),
            (json!("elsewhere"), &[("patch:configmaps/b#1", 404)], false),
        ] {
            let journal: Vec<Entry> = requests.iter().map(entry).collect();
            let namespace_of = |object: &str| (object == "configmaps/a").then(|| "elsewhere".to_owned());
            assert_eq!(names_nothing(&value, &journal, namespace_of), expected, "{value} {requests:?}");
        }
    }
}
