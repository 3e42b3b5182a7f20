//! Decides how each request of the operator and each watch event is handled, and so injects the fault of the run's
//! plan.

mod recording;

use super::decision::{After, Before, Flow};
use super::listing::{self, Listing};
use crate::explore::plan::fault_plan::{Aim, Class, Plan, Step};
use crate::explore::record::call::Call;
use crate::explore::record::effect::{Effect, KnownObject, effect};
use crate::explore::record::journal::{Entry, Event, Request, WrittenObject};
use crate::explore::record::lock::is_lock;
use crate::explore::record::random_names::Names;
use crate::explore::record::wellness::{SeenHealth, claims};
use serde_json::Value;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tokio::sync::watch;

/// The operator's inactive time that ends the fault [`Class::Refuse`], at the latest after [`REFUSED_AT_MOST`].
const QUIET: Duration = Duration::from_millis(700);
const REFUSED_AT_MOST: Duration = Duration::from_secs(5);
/// The delay of a late response: longer than the runtime's debounce, shorter than the time limits of clients.
const LATE: Duration = Duration::from_secs(3);
/// The time after which the connection of a request without a response is closed.
pub const SILENT: Duration = Duration::from_secs(5);
/// A time that is longer than any run, for a request that is never answered.
const WITHOUT_END: Duration = Duration::from_secs(60 * 60);

/// A request of the operator, and the decision on the request.
#[derive(Debug)]
pub struct GatedRequest {
    /// The number of the request among the equal requests of this step, from 1.
    number: u32,
    pub before: Before,
    /// True if the second replica of the operator sends the request. The plan's target is a request of the first one.
    is_standby: bool,
    /// The object of the request as the operator knew it before the request. Must be saved before the request is sent,
    /// because a watch may show the written object before the response arrives.
    known: Option<KnownObject>,
}

/// Decides how the proxy handles each request and each watch event of a run, and records them in the run's journal.
#[derive(Debug)]
pub struct Gate {
    begun: Instant,
    placebo: bool,
    names: Names,
    flow: watch::Sender<(String, Flow)>,
    inner: Mutex<Inner>,
}

/// The state of the second fault in a pair of faults.
#[derive(Debug, Default)]
enum Second {
    /// The plan has no second fault, or the second fault has happened.
    #[default]
    Done,
    /// The second fault waits until the first fault ends.
    Waits(Plan),
    /// The gate now follows the plan of the second fault.
    Acts,
}

#[derive(Debug)]
struct Inner {
    step: Step,
    plan: Option<Plan>,
    second: Second,
    reached: bool,
    foreign: bool,
    refused_since: Option<Instant>,
    /// The change to the responses to list requests, and the resource whose list requests are affected.
    listing: Option<(String, Listing)>,
    elects: bool,
    denied: BTreeSet<String>,
    /// The numbers of equal requests in this step, for each replica; true stands for the second replica.
    counts: BTreeMap<(bool, String), u32>,
    objects: BTreeMap<String, KnownObject>,
    /// The objects as the operator last saw them.
    seen: SeenHealth,
    journal: Vec<Entry>,
    active: Instant,
    effect: Instant,
}

impl Inner {
    /// Ends the current plan's fault. If the plan is a pair of faults, the second fault becomes the current plan.
    fn end_fault(&mut self) {
        self.plan = None;
        if let Second::Waits(second) = std::mem::take(&mut self.second) {
            (self.plan, self.second, self.refused_since) = (Some(second), Second::Acts, None);
        }
    }

    fn know(&mut self, name: String, object: &Value) {
        let known = KnownObject::after(self.objects.get(&name), object);
        self.seen.see(&name, object);
        self.objects.insert(name, known);
    }
}

impl Gate {
    /// Creates a gate without a plan, which forwards everything. With `placebo`, a short pause replaces each fault.
    pub fn new(placebo: bool, names: Names) -> Gate {
        let begun = Instant::now();
        let inner = Inner {
            step: Step::Create,
            plan: None,
            second: Second::Done,
            reached: false,
            foreign: false,
            refused_since: None,
            listing: None,
            elects: false,
            denied: BTreeSet::new(),
            counts: BTreeMap::new(),
            objects: BTreeMap::new(),
            seen: SeenHealth::default(),
            journal: Vec::new(),
            active: begun,
            effect: begun,
        };
        Gate { begun, placebo, names, flow: watch::channel((String::new(), Flow::Open)).0, inner: Mutex::new(inner) }
    }

    fn inner(&self) -> MutexGuard<'_, Inner> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Begins a step. The gate uses the plan only if the plan's fault belongs to this step.
    pub fn begin_step(&self, step: Step, plan: Option<&Plan>) {
        let mut inner = self.inner();
        inner.step = step;
        inner.counts.clear();
        inner.plan = plan.filter(|plan| plan.step == step).cloned();
        if let Some(second) = inner.plan.as_ref().and_then(|plan| plan.then.as_deref()) {
            inner.second = Second::Waits(second.clone());
        }
        let now = Instant::now();
        (inner.active, inner.effect) = (now, now);
    }

    /// Records that the plan's fault happens, or that it would happen if the run were not a placebo.
    pub fn reach(&self, text: &str) {
        {
            let mut inner = self.inner();
            inner.reached = true;
            if matches!(inner.second, Second::Acts) {
                inner.second = Second::Done;
            } else if inner.plan.as_ref().is_some_and(|plan| plan.class.aim() != Aim::Request) {
                inner.end_fault();
            }
        }
        if !self.placebo {
            self.note(Event::Fault(text.to_owned()));
        }
    }

    /// Records that the plan's fault has happened. The caller has already written the fault to the journal.
    pub fn arrive(&self) {
        self.inner().reached = true;
    }

    pub fn is_placebo(&self) -> bool {
        self.placebo
    }

    /// Returns true if the plan has injected its fault; for a plan with two faults, if it has injected both.
    pub fn has_injected_faults(&self) -> bool {
        let inner = self.inner();
        inner.reached && matches!(inner.second, Second::Done)
    }

    /// Records that opctl itself has written an object, in the role of a client other than the operator.
    pub fn wrote_foreign(&self) {
        self.inner().foreign = true;
    }

    /// Returns true if opctl has written an object as another client.
    pub fn has_foreign(&self) -> bool {
        self.inner().foreign
    }

    /// Returns true if the operator has written a lease.
    pub fn has_written_lease(&self) -> bool {
        self.inner().elects
    }

    /// Changes the responses to lists of `resource` from now on.
    pub fn set_listing(&self, resource: &str, listing: Listing) {
        self.inner().listing = Some((resource.to_owned(), listing));
    }

    /// Returns true if the operator has neither sent a request nor received an event for `time`, or, because some
    /// operators read their objects all the time, has not changed an object for four times `time`.
    pub fn is_quiet_for(&self, time: Duration) -> bool {
        let inner = self.inner();
        inner.active.elapsed() >= time || inner.effect.elapsed() >= 4 * time
    }

    /// Sets the state of the watches of `resource`.
    pub fn set_flow(&self, resource: &str, flow: Flow) {
        self.flow.send_replace((resource.to_owned(), flow));
    }

    pub fn is_held(&self) -> bool {
        self.flow.borrow().1 == Flow::Held
    }

    /// Subscribes to the state of the watches.
    pub fn flow(&self) -> watch::Receiver<(String, Flow)> {
        self.flow.subscribe()
    }

    /// Decides how a request is handled, before the request is forwarded.
    /// `is_standby` is true for a request of the operator's second replica.
    pub fn before(&self, call: &Call, is_standby: bool) -> GatedRequest {
        let known = self.inner().objects.get(&call.object()).cloned();
        let (number, before) = self.decide(call, is_standby);
        GatedRequest { number, before, is_standby, known }
    }

    fn decide(&self, call: &Call, is_standby: bool) -> (u32, Before) {
        let mut inner = self.inner();
        let since_active = inner.active.elapsed();
        if !call.is_housekeeping() {
            inner.active = Instant::now();
        }
        let request = self.names.request(&call.to_string());
        let key = (is_standby, request.clone());
        let number = *inner.counts.entry(key).and_modify(|count| *count += 1).or_insert(1);
        if matches!(call.verb, "list" | "watch")
            && let Some((resource, listing)) = &mut inner.listing
            && *resource == call.collection()
            && let Some((before, text)) = listing::decide(call, listing)
        {
            drop(inner);
            self.reach(&text);
            return (number, before);
        }
        let Some(plan) = inner.plan.clone().filter(|_| !is_standby) else { return (number, Before::Forward) };
        let Some((_, first)) = plan.request().filter(|(wanted, _)| *wanted == request) else {
            return (number, Before::Forward);
        };
        let before = match plan.class {
            Class::Refuse | Class::Throttle if number >= first => {
                let begins = inner.refused_since.is_none();
                let since = *inner.refused_since.get_or_insert_with(Instant::now);
                let throttled = plan.class == Class::Throttle;
                let most = if throttled { Duration::from_secs(1) } else { REFUSED_AT_MOST };
                let goes_on = begins || (since.elapsed() < most && (throttled || since_active < QUIET));
                match (goes_on, throttled) {
                    (false, _) => Before::Forward,
                    (true, true) => Before::Refuse(429),
                    (true, false) => Before::Refuse(500),
                }
            }
            Class::Conflict if number == first => Before::WriteFirst,
            Class::Hang if number == first => Before::Hang(SILENT),
            Class::Unanswered if number == first => Before::Hang(WITHOUT_END),
            _ => Before::Forward,
        };
        // Once a request is forwarded, the server has recovered.
        if inner.refused_since.is_some() && before == Before::Forward {
            inner.end_fault();
        }
        drop(inner);
        if before != Before::Forward {
            self.reach(&match before {
                Before::Refuse(status) => format!("{request}#{number} is refused with {status}"),
                Before::Hang(WITHOUT_END) => format!("{request}#{number} is never answered"),
                Before::Hang(_) => format!("{request}#{number} gets no answer, and the connection is closed after 5 s"),
                _ => format!("somebody else writes the object before {request}#{number}"),
            });
            if before == Before::WriteFirst {
                self.inner().end_fault();
            }
        }
        (number, if self.placebo { Before::Forward } else { before })
    }

    /// Records a response of the API server, and decides how the response is passed on to the operator.
    pub fn after(&self, call: &Call, asked: GatedRequest, status: u16, body: &Value) -> After {
        let GatedRequest { number, known, is_standby, .. } = asked;
        let called = self.names.request(&call.to_string());
        let Effect { changes, effective, moved } = effect(call, known, status, body);
        let is_housekeeping = call.is_housekeeping() || is_lock(body);
        if !is_housekeeping {
            let query = call.query.clone();
            let early = if call.writes() && claims(body) { self.inner().seen.unwell() } else { BTreeSet::new() };
            let request = Request {
                request: format!("{called}#{number}"),
                named: self.varying(call, body),
                standby: is_standby,
                status,
                changes,
                effective,
                moved,
                query,
                left: WrittenObject { claims_early: early, ..WrittenObject::of(body) },
            };
            self.note(Event::Request(request));
        }
        let mut inner = self.inner();
        if call.is_housekeeping() && status == 403 {
            inner.denied.insert(format!("{}:{}", call.verb, call.collection()));
        }
        inner.elects |= call.writes() && (call.resource == "leases" || is_lock(body)) && (200..300).contains(&status);
        // A deletion may be answered by a `Status`, which is not an object of the collection.
        if (200..300).contains(&status)
            && let Some(object) = body["metadata"]["name"].as_str()
        {
            inner.know(format!("{}/{object}", call.collection()), body);
        }
        if moved && !is_housekeeping {
            inner.effect = Instant::now();
        }
        let Some(plan) = inner.plan.as_ref().filter(|_| !is_standby) else { return After::Answer };
        if plan.request().is_none_or(|(wanted, first)| wanted != called || number != first) {
            return After::Answer;
        }
        let class = plan.class;
        let watched = plan.watched_resource().map(str::to_owned);
        let (text, after) = match class {
            Class::Crash | Class::Abandon => ("the operator is killed before it gets the answer", After::Kill),
            Class::HandOver => ("the leader is suspended before it gets the answer", After::Suspend),
            Class::Lost => ("the connection is closed before the answer is sent", After::Close),
            Class::Slow => ("the answer arrives 3 s late", After::AnswerIn(LATE)),
            Class::LagOwn => ("the watch does not show this write", After::Answer),
            _ => return After::Answer,
        };
        drop(inner);
        self.reach(text);
        self.inner().end_fault();
        if self.placebo {
            return After::AnswerIn(Duration::from_millis(100));
        }
        if class == Class::LagOwn {
            self.set_flow(&watched.unwrap_or_default(), Flow::Held);
        }
        after
    }
}

#[cfg(test)]
mod tests;
