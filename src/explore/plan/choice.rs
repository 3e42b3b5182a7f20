//! Chooses the plans whose names contain at least one of the texts of `--only`.

use super::fault_plan::Plan;
use crate::{Error, Result};
use std::collections::BTreeSet;

/// The maximum number of classes, steps or resources that an error message lists.
const LISTED: usize = 30;

/// Returns the plans whose names contain at least one of the texts in `only`, or all plans if `only` is empty.
///
/// # Errors
/// Fails if a text does not occur in the name of any plan, because the text would select no fault.
pub fn chosen_plans(plans: Vec<Plan>, only: &[String]) -> Result<Vec<Plan>> {
    let names: Vec<String> = plans.iter().map(ToString::to_string).collect();
    if let Some(text) = only.iter().find(|text| !names.iter().any(|name| name.contains(text.as_str()))) {
        let classes = plans.iter().map(|plan| plan.class.name().to_owned()).collect();
        let steps = plans.iter().map(|plan| plan.step.name().to_owned()).collect();
        return Err(Error::usage(format!("`--only {text}` matches none of the {} fault plans", plans.len()))
            .caused_by(format!("classes that match: {}", list(classes)))
            .caused_by(format!("steps that match: {}", list(steps)))
            .caused_by(format!("resources that match: {}", list(plans.iter().filter_map(resource).collect()))));
    }
    let is_wanted = |name: &String| only.is_empty() || only.iter().any(|text| name.contains(text.as_str()));
    Ok(plans.into_iter().zip(names).filter(|(_, name)| is_wanted(name)).map(|(plan, _)| plan).collect())
}

/// Returns the resource of the plan's target, such as `services`; `None` if the target is the operator itself or
/// all watches.
fn resource(plan: &Plan) -> Option<String> {
    let object = plan.aim.split_once(':').map_or(plan.aim.as_str(), |(_, object)| object);
    object.split(['/', '#', '=']).next().filter(|resource| !resource.is_empty() && *resource != "*").map(str::to_owned)
}

fn list(words: BTreeSet<String>) -> String {
    let more = if words.len() > LISTED { ", …" } else { "" };
    let words: Vec<String> = words.into_iter().take(LISTED).map(|word| format!("`{word}`")).collect();
    words.join(", ") + more
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_that_is_in_no_plan_is_an_error() {
        let plans = || -> Vec<Plan> {
            let plans = ["restart@create", "crash:patch:services/web#1@change", "cut:*@create", "lag:pods@create"];
            plans.map(|plan| plan.parse().unwrap()).to_vec()
        };
        let only = |texts: &[&str]| texts.iter().map(|text| (*text).to_owned()).collect::<Vec<_>>();
        assert_eq!(chosen_plans(plans(), &[]).unwrap().len(), 4);
        assert_eq!(chosen_plans(plans(), &only(&["crash", "pods@"])).unwrap().len(), 2);
        let error = chosen_plans(plans(), &only(&["crash", "crsh"])).unwrap_err();
        assert_eq!(error.message(), "`--only crsh` matches none of the 4 fault plans");
        assert_eq!(
            error.causes(),
            [
                "classes that match: `crash`, `cut`, `lag`, `restart`",
                "steps that match: `change`, `create`",
                "resources that match: `pods`, `services`",
            ]
        );
    }
}
