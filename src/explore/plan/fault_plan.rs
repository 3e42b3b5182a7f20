//! Defines the plan of one run: the class of the fault, its step, and its target, such as a request. The target also
//! occurs in the reference runs without a fault. A plan may contain a second fault.

pub use super::class::{Aim, Class};
use super::field_values::FieldValue;
pub use super::step::Step;
use super::workload;
use crate::trouble::Trouble;
use crate::{Error, Result};
use std::fmt;
use std::str::FromStr;

/// The text between the two faults of a pair.
const THEN: &str = " then ";
/// The classes of faults that may be the first fault of a pair. After such a fault, the operator continues to work in
/// the same step, so that a second fault can follow.
const FIRST: [Class; 13] = [
    Class::Crash,
    Class::Lost,
    Class::Refuse,
    Class::Throttle,
    Class::Conflict,
    Class::LagOwn,
    Class::Expire,
    Class::Cut,
    Class::Relist,
    Class::Down,
    Class::Restart,
    Class::DeleteChild,
    Class::DeleteUnseen,
];
/// The classes of faults that may be the second fault of a pair.
pub const SECOND: [Class; 3] = [Class::Crash, Class::Lost, Class::Refuse];

/// The target of a fault that concerns all watches together.
pub const EVERY_WATCH: &str = "*";

/// A plan to inject a fault, or a pair of faults, in a run. The text of a plan is `class:aim@step`, where `aim` is the
/// target of the fault, such as `crash:patch:webservers.example.com/web/status#1@create`. If the target is the operator
/// itself, the text is `class@step`. The text of a pair joins two plans with ` then `.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plan {
    /// The class of the fault.
    pub class: Class,
    /// The target of the fault: a request, watch, object or field; empty if the target is the operator itself.
    pub aim: String,
    /// The step in which the fault happens.
    pub step: Step,
    /// The second fault of a pair, in the same step, at a request that follows the first fault.
    pub then: Option<Box<Plan>>,
}

impl Plan {
    /// Returns the target request, and its ordinal number among the equal requests of the step, counted from 1; `None`
    /// if the target is not a request.
    pub fn request(&self) -> Option<(&str, u32)> {
        let (request, number) = self.aim.rsplit_once('#')?;
        Some((request, number.parse().ok()?))
    }

    /// Returns true if the operator may send the target request in one run and not in another. This is possible if the
    /// operator sends equal requests before the target request in the step, because the number of equal requests
    /// depends on how many events the operator handles together.
    pub fn depends_on_timing(&self) -> bool {
        self.request().is_some_and(|(_, number)| number > 1)
    }

    /// Returns the target sample, and its target field with the new value; `None` if the target is not a field.
    pub fn field(&self) -> Option<(&str, FieldValue)> {
        let (path, _) = self.aim.split_once('=')?;
        let (object, _) = path.rsplit_once('/')?;
        Some((object, FieldValue::parse(&self.aim[object.len() + 1..])?))
    }

    /// Returns the resource whose objects are unhealthy, and the simulated failure of these objects; `None` for other
    /// faults.
    pub(in crate::explore) fn workload(&self) -> Option<(&str, Trouble)> {
        let (resource, trouble) = self.aim.split_once('=').filter(|_| self.class == Class::Unready)?;
        let trouble = trouble.parse().ok()?;
        workload::can_simulate(resource, trouble).then_some((resource, trouble))
    }

    /// Returns the fault as a phrase for messages, such as "after a crash".
    pub fn phrase(&self) -> String {
        let first = match self.workload() {
            Some((resource, trouble)) => workload::phrase(resource, trouble, self.step),
            None => self.class.phrase().to_owned(),
        };
        match &self.then {
            Some(second) => format!("{first} and then {}", second.class.phrase().trim_start_matches("after ")),
            None => first,
        }
    }

    /// Returns true if a second fault may follow the fault of this plan.
    pub fn may_go_on(&self) -> bool {
        self.then.is_none() && FIRST.contains(&self.class)
    }

    /// Returns the class of the fault and, for a pair, the class of the second fault.
    pub fn classes(&self) -> (Class, Option<Class>) {
        (self.class, self.then.as_ref().map(|second| second.class))
    }

    /// Returns the pair of this fault and `second`; `None` if the two faults cannot form a pair.
    pub fn followed_by(self, second: Plan) -> Option<Plan> {
        let is_pair =
            self.may_go_on() && second.then.is_none() && SECOND.contains(&second.class) && second.step == self.step;
        is_pair.then(|| Plan { then: Some(Box::new(second)), ..self })
    }

    /// Returns the resource whose watch the fault disturbs: the resource of the target watch or, for [`Class::LagOwn`],
    /// of the object that the target request writes. Returns `None` for faults with other targets.
    pub fn watched_resource(&self) -> Option<&str> {
        match self.class {
            Class::LagOwn => self.request()?.0.split_once(':')?.1.split('/').next(),
            _ => (self.class.aim() == Aim::Watch).then_some(&self.aim),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.aim.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{}@{}", self.class.name(), self.aim, self.step.name())?;
        self.then.iter().try_for_each(|second| write!(f, "{THEN}{second}"))
    }
}

impl FromStr for Plan {
    type Err = Error;

    fn from_str(text: &str) -> Result<Plan> {
        // A value of a field may have the text between two plans, as well.
        match text.rsplit_once(THEN).map(|(first, second)| (Plan::parse_single(first), Plan::parse_single(second))) {
            Some((Ok(first), Ok(second))) => first.followed_by(second).ok_or_else(|| {
                not_a_plan(
                    text,
                    "a pair consists of a fault and, in the same step, a crash, a lost answer or a refusal",
                )
            }),
            _ => Plan::parse_single(text),
        }
    }
}

/// Returns the error for a text that is not a plan.
fn not_a_plan(text: &str, why: &str) -> Error {
    Error::usage(format!("`{text}` is not a plan"))
        .caused_by(why.to_owned())
        .hint("opctl explore --list    # lists the fault plans of this project")
}

impl Plan {
    /// Parses a plan with a single fault.
    fn parse_single(text: &str) -> Result<Plan> {
        let wrong = |why: String| not_a_plan(text, &why);
        let shape = "a plan is `class:aim@step`, such as `down@change` or `crash:create:services/web#1@create`";
        let (what, step) = text.rsplit_once('@').ok_or_else(|| wrong(shape.to_owned()))?;
        let (class, aim) = what.split_once(':').unwrap_or((what, ""));
        let names = |names: Vec<&str>| names.join("`, `");
        let step = Step::ALL.into_iter().find(|known| known.name() == step).ok_or_else(|| {
            wrong(format!("`{step}` is not one of the steps `{}`", names(Step::ALL.map(Step::name).to_vec())))
        })?;
        let found = Class::ALL.into_iter().find(|known| known.name() == class).ok_or_else(|| {
            wrong(format!("`{class}` is not one of the classes `{}`", names(Class::ALL.map(Class::name).to_vec())))
        })?;
        let plan = Plan { class: found, aim: aim.to_owned(), step, then: None };
        let fits = match found.aim() {
            Aim::Operator => aim.is_empty(),
            Aim::Watch | Aim::List => !aim.is_empty() && !aim.contains(['/', '#']),
            Aim::Child => aim.contains('/') && !aim.contains('#'),
            Aim::Field => plan.field().is_some_and(|(object, _)| object.split('/').count() == 2),
            Aim::Workload => plan.workload().is_some(),
            Aim::Request => plan.request().is_some_and(|(request, number)| request.contains(':') && number > 0),
        };
        if fits { Ok(plan) } else { Err(wrong(shape.to_owned())) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_plan_is_read_as_it_is_written() {
        for text in [
            "crash:patch:webservers.example.com/web/status#1@create",
            "refuse:list:services#1@create",
            "lag:deployments.apps@change",
            "cut:*@change",
            "delete-child:services/web@create",
            "down@delete",
            "stale-list:configmaps@change",
            "lease@create",
            "unready:jobs.batch=failed@create",
            "unanswered:create:services/web#1@create",
            "field:webs.e.com/w/spec.pods.image=\"a/b=c@d\"@change",
            "field:webs.e.com/w/spec.text=\"a then b\"@change",
            "restart@create then crash:patch:webs.e.com/w/status#2@create",
        ] {
            assert_eq!(text.parse::<Plan>().unwrap().to_string(), text);
        }
        let own: Plan = "lag-own:create:services/web#1@create".parse().unwrap();
        assert_eq!(own.watched_resource(), Some("services"));
        let again: Plan = "crash:patch:services/web#2@create".parse().unwrap();
        assert!(again.depends_on_timing() && !own.depends_on_timing());
        let lag: Plan = "lag:deployments.apps@change".parse().unwrap();
        assert_eq!((lag.watched_resource(), lag.request()), (Some("deployments.apps"), None));
    }

    #[test]
    fn invalid_fault_plans_are_refused() {
        for (text, why) in [
            ("", "a plan is"),
            ("down", "a plan is"),
            ("down@lunch", "`lunch` is not one of the steps"),
            ("boom@create", "`boom` is not one of the classes"),
            ("down:services@create", "a plan is"),
            ("crash:create:services/web@create", "a plan is"),
            ("crash:create:services/web#0@create", "a plan is"),
            ("lag:services/web@create", "a plan is"),
            ("lag@create", "a plan is"),
            ("pages@create", "a plan is"),
            ("delete-child:services@create", "a plan is"),
            ("field:webs.e.com/w/spec.port@change", "a plan is"),
            ("field:w/spec.port=1@change", "a plan is"),
            ("unready:jobs.batch@create", "a plan is"),
            ("unready:jobs.batch=evicted@create", "a plan is"),
            ("restart@create then restart@create", "a pair consists of"),
            ("restart@create then crash:patch:a/b#1@create then crash:patch:a/b#2@create", "is not one of the classes"),
            ("restart@create then crash:patch:a/b#1@change", "a pair consists of"),
            ("pause@change then crash:patch:a/b#1@change", "a pair consists of"),
        ] {
            let error = text.parse::<Plan>().unwrap_err();
            assert!(error.causes()[0].contains(why), "{text}: {error:?}");
        }
    }
    #[test]
    fn a_trouble_is_told_with_its_kind_and_its_end() {
        for (plan, phrase) in [
            ("unready:deployments.apps=crash@create", "when the pods of deployments.apps crash for a while"),
            ("unready:deployments.apps=crash@delete", "when the pods of deployments.apps crash"),
            ("unready:jobs.batch=failed@create", "when jobs.batch fail"),
            (
                "unready:statefulsets.apps=node-gone@create",
                "when the node of the pods of statefulsets.apps is gone for a while",
            ),
            ("unready:pods=evicted@create", "when pods are evicted"),
            ("restart@create", "after a restart"),
            ("restart@create then crash:patch:a/b#1@create", "after a restart and then a crash"),
        ] {
            assert_eq!(plan.parse::<Plan>().unwrap().phrase(), phrase);
        }
    }
}
