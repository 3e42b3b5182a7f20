//! The plan of one run: a fault of a class, at a point that the references have.

use super::fields::FieldValue;
use crate::{Error, Result};
use serde::Serialize;
use std::fmt;
use std::str::FromStr;

/// The steps of a scenario, in order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize)]
#[serde(rename_all = "camelCase")]
pub enum Step {
    /// The samples are created.
    Create,
    /// A field of each sample is changed.
    Change,
    /// The field gets its value back.
    Back,
    /// The samples are deleted.
    Delete,
    /// The samples are created again, under the same names.
    Recreate,
    /// The samples are deleted with `propagationPolicy: Foreground`.
    Foreground,
}

impl Step {
    /// All steps.
    pub const ALL: [Step; 6] = [Step::Create, Step::Change, Step::Back, Step::Delete, Step::Recreate, Step::Foreground];

    /// Returns the name in a plan.
    pub fn name(self) -> &'static str {
        match self {
            Step::Create => "create",
            Step::Change => "change",
            Step::Back => "back",
            Step::Delete => "delete",
            Step::Recreate => "recreate",
            Step::Foreground => "foreground",
        }
    }

    /// Returns the steps of a run whose fault comes in this step: those that this step needs, and itself.
    pub(super) fn way(self) -> &'static [Step] {
        match self {
            Step::Create => &[Step::Create],
            Step::Change => &[Step::Create, Step::Change],
            Step::Back => &[Step::Create, Step::Change, Step::Back],
            Step::Delete => &[Step::Create, Step::Delete],
            Step::Recreate => &[Step::Create, Step::Delete, Step::Recreate],
            Step::Foreground => &[Step::Create, Step::Foreground],
        }
    }

    /// Returns true if the samples are gone after the step.
    pub fn deletes(self) -> bool {
        matches!(self, Step::Delete | Step::Foreground)
    }
}

/// The target of a fault that concerns all watches together.
pub(super) const EVERY_WATCH: &str = "*";

/// The classes of faults. None of them does what Kubernetes rules out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Class {
    /// The operator is killed after a write is committed, before it gets the response.
    Crash,
    /// The operator is killed after a write, and the samples are deleted before it is started again.
    Abandon,
    /// A write is committed, and the connection is closed instead of a response.
    Lost,
    /// Requests are refused with 500 until the operator rests.
    Refuse,
    /// Requests are refused with 429 and `Retry-After` for a second.
    Throttle,
    /// Another client writes the object just before the operator does.
    Conflict,
    /// The watch does not send the operator's own write while another reconcile runs (a stale cache).
    LagOwn,
    /// The response comes late.
    Slow,
    /// A request gets no response: it never reaches the server, and the connection is closed after a while.
    Hang,
    /// A watch sends no events for a while.
    Lag,
    /// A watch sends no events for a while, and then the error that the resource version is too old (410).
    Expire,
    /// A watch sends no events for a while, and is closed.
    Cut,
    /// A watch ends at once with the error that the resource version is too old (410), although no event was missed.
    Relist,
    /// The operator is down while the step happens.
    Down,
    /// The operator is suspended while the step happens.
    Pause,
    /// The operator is restarted at rest.
    Restart,
    /// The operator is restarted at rest, and a list for which it accepts stale data shows the state before the step.
    StaleList,
    /// The operator is restarted at rest and gets its lists in pages of one object, and the continue token of one list
    /// expires (410).
    Pages,
    /// Another client takes the lease, and a child is deleted meanwhile.
    Lease,
    /// A child is deleted.
    DeleteChild,
    /// A child is deleted while the watch is interrupted: the operator can only find out with a new list.
    DeleteUnseen,
    /// A child's labels are removed.
    StripLabels,
    /// A field of a sample gets another value, and then its own value back.
    Field,
}

/// The target of a class of faults.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Aim {
    /// One request: `patch:services/web#1`.
    Request,
    /// The watch of a resource, or `*` for all watches: `services`.
    Watch,
    /// An object that the operator has created: `services/web`.
    Child,
    /// The lists of a resource: `services`.
    List,
    /// The operator itself.
    Operator,
    /// A value of a field: `webs.example.com/w/spec.port=0`.
    Field,
}

impl Class {
    /// All classes, in the order in which the planner alternates between them.
    pub const ALL: [Class; 23] = [
        Class::Restart,
        Class::DeleteChild,
        Class::StripLabels,
        Class::Crash,
        Class::StaleList,
        Class::Field,
        Class::Lease,
        Class::Refuse,
        Class::DeleteUnseen,
        Class::Abandon,
        Class::Lost,
        Class::Expire,
        Class::Down,
        Class::Lag,
        Class::Conflict,
        Class::LagOwn,
        Class::Relist,
        Class::Cut,
        Class::Pause,
        Class::Pages,
        Class::Throttle,
        Class::Hang,
        Class::Slow,
    ];

    /// Returns the name in a plan.
    pub fn name(self) -> &'static str {
        match self {
            Class::Crash => "crash",
            Class::Abandon => "abandon",
            Class::Lost => "lost",
            Class::Refuse => "refuse",
            Class::Throttle => "throttle",
            Class::Conflict => "conflict",
            Class::LagOwn => "lag-own",
            Class::Slow => "slow",
            Class::Hang => "hang",
            Class::Lag => "lag",
            Class::Expire => "expire",
            Class::Cut => "cut",
            Class::Relist => "relist",
            Class::Down => "down",
            Class::Pause => "pause",
            Class::Restart => "restart",
            Class::StaleList => "stale-list",
            Class::Pages => "pages",
            Class::Lease => "lease",
            Class::DeleteChild => "delete-child",
            Class::DeleteUnseen => "delete-unseen",
            Class::StripLabels => "strip-labels",
            Class::Field => "field",
        }
    }

    /// Returns the target of the class.
    pub fn aim(self) -> Aim {
        match self {
            Class::Crash
            | Class::Abandon
            | Class::Lost
            | Class::Refuse
            | Class::Throttle
            | Class::Conflict
            | Class::LagOwn
            | Class::Slow
            | Class::Hang => Aim::Request,
            Class::Lag | Class::Expire | Class::Cut | Class::Relist => Aim::Watch,
            Class::DeleteChild | Class::DeleteUnseen | Class::StripLabels => Aim::Child,
            Class::StaleList | Class::Pages => Aim::List,
            Class::Down | Class::Pause | Class::Restart | Class::Lease => Aim::Operator,
            Class::Field => Aim::Field,
        }
    }

    /// Returns the fault as part of a sentence: "after a crash".
    pub fn phrase(self) -> &'static str {
        match self {
            Class::Crash => "after a crash",
            Class::Abandon => "after a crash and a deletion before the restart",
            Class::Lost => "after a write whose answer is lost",
            Class::Refuse => "after requests that the API server refuses with 500",
            Class::Throttle => "after requests that the API server refuses with 429",
            Class::Conflict => "after somebody else's write of the same object",
            Class::LagOwn => "while the watch does not show the operator's own write",
            Class::Slow => "after an answer that comes late",
            Class::Hang => "after a request that the API server never answers",
            Class::Lag => "after a watch that lags",
            Class::Expire => "after a watch that missed events and ended with 410",
            Class::Cut => "after a watch that was closed",
            Class::Relist => "after a watch that ended with 410",
            Class::Down => "after the operator was down",
            Class::Pause => "after the operator was suspended",
            Class::Restart => "after a restart",
            Class::StaleList => "after a restart with a list that is out of date",
            Class::Pages => "after a restart with lists in small pages",
            Class::Lease => "after somebody else took the lease",
            Class::DeleteChild => "after a child was deleted",
            Class::DeleteUnseen => "after a child was deleted while the watch was interrupted",
            Class::StripLabels => "after a child lost its labels",
            Class::Field => "after a field was changed, and changed back",
        }
    }
}

/// A fault at a point. Its text is `class:aim@step`, such as `crash:patch:webservers.example.com/web/status#1@create`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plan {
    /// The class of the fault.
    pub class: Class,
    /// The request, watch, object or field; empty if the target is the operator itself.
    pub aim: String,
    /// The step in which the fault happens.
    pub step: Step,
}

impl Plan {
    /// Returns the target request, and its number among equal requests, from 1.
    pub(super) fn request(&self) -> Option<(&str, u32)> {
        let (request, number) = self.aim.rsplit_once('#')?;
        Some((request, number.parse().ok()?))
    }

    /// Returns true if the plan's point may come in one run and not in another: how often an operator sends the same
    /// request depends on how many events it takes together.
    pub fn depends_on_timing(&self) -> bool {
        self.request().is_some_and(|(_, number)| number > 1)
    }

    /// Returns the target sample, and the value of its field.
    pub(super) fn field(&self) -> Option<(&str, FieldValue)> {
        let (path, _) = self.aim.split_once('=')?;
        let (object, _) = path.rsplit_once('/')?;
        Some((object, FieldValue::parse(&self.aim[object.len() + 1..])?))
    }

    /// Returns the resource of the target watch; for [`Class::LagOwn`], the resource of the write.
    pub(super) fn watched(&self) -> Option<&str> {
        match self.class {
            Class::LagOwn => self.request()?.0.split_once(':')?.1.split('/').next(),
            _ => (self.class.aim() == Aim::Watch).then_some(&self.aim),
        }
    }
}

impl fmt::Display for Plan {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let colon = if self.aim.is_empty() { "" } else { ":" };
        write!(f, "{}{colon}{}@{}", self.class.name(), self.aim, self.step.name())
    }
}

impl FromStr for Plan {
    type Err = Error;

    fn from_str(text: &str) -> Result<Plan> {
        let wrong = |why: String| {
            Error::usage(format!("`{text}` is not a plan"))
                .caused_by(why)
                .hint("opctl explore --list    # the plans of this project")
        };
        let shape = "a plan is `class:aim@step`, such as `down@change` or `crash:create:services/web#1@create`";
        let (what, step) = text.rsplit_once('@').ok_or_else(|| wrong(shape.to_owned()))?;
        let (class, aim) = what.split_once(':').unwrap_or((what, ""));
        let names = |names: Vec<&str>| names.join("`, `");
        let step = Step::ALL.into_iter().find(|known| known.name() == step).ok_or_else(|| {
            wrong(format!("`{step}` is none of the steps `{}`", names(Step::ALL.map(Step::name).to_vec())))
        })?;
        let found = Class::ALL.into_iter().find(|known| known.name() == class).ok_or_else(|| {
            wrong(format!("`{class}` is none of the classes `{}`", names(Class::ALL.map(Class::name).to_vec())))
        })?;
        let plan = Plan { class: found, aim: aim.to_owned(), step };
        let fits = match found.aim() {
            Aim::Operator => aim.is_empty(),
            Aim::Watch | Aim::List => !aim.is_empty() && !aim.contains(['/', '#']),
            Aim::Child => aim.contains('/') && !aim.contains('#'),
            Aim::Field => plan.field().is_some_and(|(object, _)| object.split('/').count() == 2),
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
            "field:webs.e.com/w/spec.pods.image=\"a/b=c@d\"@change",
        ] {
            assert_eq!(text.parse::<Plan>().unwrap().to_string(), text);
        }
        let own: Plan = "lag-own:create:services/web#1@create".parse().unwrap();
        assert_eq!(own.watched(), Some("services"));
        let again: Plan = "crash:patch:services/web#2@create".parse().unwrap();
        assert!(again.depends_on_timing() && !own.depends_on_timing());
        let lag: Plan = "lag:deployments.apps@change".parse().unwrap();
        assert_eq!((lag.watched(), lag.request()), (Some("deployments.apps"), None));
    }

    #[test]
    fn what_is_no_plan_is_refused() {
        for (text, why) in [
            ("", "a plan is"),
            ("down", "a plan is"),
            ("down@lunch", "`lunch` is none of the steps"),
            ("boom@create", "`boom` is none of the classes"),
            ("down:services@create", "a plan is"),
            ("crash:create:services/web@create", "a plan is"),
            ("crash:create:services/web#0@create", "a plan is"),
            ("lag:services/web@create", "a plan is"),
            ("lag@create", "a plan is"),
            ("pages@create", "a plan is"),
            ("delete-child:services@create", "a plan is"),
            ("field:webs.e.com/w/spec.port@change", "a plan is"),
            ("field:w/spec.port=1@change", "a plan is"),
        ] {
            let error = text.parse::<Plan>().unwrap_err();
            assert!(error.causes()[0].contains(why), "{text}: {error:?}");
        }
    }
}
