//! Finds the points at which a fault may be injected. The points depend only on the references, so that the same
//! operator code always has the same list of points.

use crate::explore::plan::fault_plan::{Class, EVERY_WATCH, Plan, Step};
use crate::explore::plan::workload;
use crate::explore::proxy::listing;
use crate::explore::record::journal::{Entry, Event, Request};
use crate::explore::run::reference::Reference;
use std::collections::{BTreeMap, BTreeSet, VecDeque};

/// Returns the plans for the field values in `fields`, and for all points that both undisturbed runs contain. The
/// plans alternate between the classes of faults.
pub fn plans(reference: &Reference, fields: &[String]) -> Vec<Plan> {
    let [first, second] = reference.journals.as_slice() else { return Vec::new() };
    let others: BTreeSet<(Step, &str)> =
        second.iter().filter_map(|entry| Some((entry.step, entry_text(entry)?))).collect();
    let shared: Vec<&Entry> = first
        .iter()
        .filter(|entry| entry_text(entry).is_some_and(|name| others.contains(&(entry.step, name))))
        .collect();
    let mut classes: BTreeMap<Class, VecDeque<Plan>> = BTreeMap::new();
    let mut add = |class: Class, aim: &str, step: Step| {
        let plan = Plan { class, aim: aim.to_owned(), step, then: None };
        let plans = classes.entry(class).or_default();
        if !plans.contains(&plan) {
            plans.push_back(plan);
        }
    };
    for field in fields {
        add(Class::Field, field, Step::Change);
    }
    operator(&shared, reference.elects, &mut add);
    lists(&shared, reference, &mut add);
    watches(&shared, &mut add);
    children(&shared, reference, &mut add);
    requests(&shared, reference.elects, &mut add);
    troubles(&shared, reference, &mut add);
    add_unanswered_plans(&shared, &mut add);
    in_turns(classes)
}

/// Returns the text of a request, a watch event or an action of the user. The text is the same in each run, so that an
/// entry in the journal of one run can be found in the journal of another run. Returns `None` for other entries.
fn entry_text(entry: &Entry) -> Option<&str> {
    match &entry.event {
        Event::Request(request) => Some(&request.request),
        Event::Told(text) | Event::User(text) => Some(text),
        _ => None,
    }
}

/// Orders the plans so that the classes of faults alternate. Within a class, plans that resemble no earlier plan come
/// first, and the steps alternate. Writes come before reads: the client library repeats reads by itself, but writes are
/// repeated only by the operator's code. Writes of objects with random names come before other writes, because an
/// operator that crashes forgets the random names that it has chosen.
fn in_turns(classes: BTreeMap<Class, VecDeque<Plan>>) -> Vec<Plan> {
    let by_novelty = |plans: VecDeque<Plan>| {
        let mut plans: Vec<Plan> = plans.into();
        // What makes an object with a name that the operator must remember comes before other writes. Of the conflicts, those
        // with an update come first: it replaces the object, and with it what others wrote.
        let keeps_others = |plan: &Plan| plan.class == Class::Conflict && plan.aim.starts_with("patch:");
        plans.sort_by_key(|plan| (reads(plan), keeps_others(plan), !plan.aim.contains("/*")));
        let mut alike: BTreeMap<String, usize> = BTreeMap::new();
        let mut levels: BTreeMap<usize, BTreeMap<Step, VecDeque<Plan>>> = BTreeMap::new();
        for plan in plans {
            let count = alike.entry(likeness(&plan)).or_default();
            levels.entry(*count).or_default().entry(plan.step).or_default().push_back(plan);
            *count += 1;
        }
        levels.into_values().flat_map(|steps| taken_by_turns(steps, &Step::ALL)).collect()
    };
    // A crash and a refusal leave half of a pass behind, which most bugs of operators come of: these classes come twice, as
    // do fields, of which there are many.
    let turns = [&Class::ALL[..], &[Class::Crash, Class::Refuse, Class::Field]].concat();
    taken_by_turns(classes.into_iter().map(|(class, plans)| (class, by_novelty(plans))).collect(), &turns).into()
}

/// Returns true if the target of the plan is a request that only reads.
fn reads(plan: &Plan) -> bool {
    ["get:", "list:", "watch:"].iter().any(|verb| plan.aim.starts_with(verb))
}

/// Returns a text that is equal for similar plans: the target without the name of its object, such as
/// `patch:services/status` for `patch:services/web/status#1`.
///
/// Plans for objects with random names have a different text than plans for objects with fixed names, because an
/// operator that crashes forgets a random name. Plans that remove a field have a different text than plans that set the
/// field.
pub fn likeness(plan: &Plan) -> String {
    if plan.class == Class::Unready {
        return plan.aim.clone();
    }
    if let Some((field, value)) = plan.aim.split_once('=') {
        return if value == "null" { plan.aim.clone() } else { field.to_owned() };
    }
    let request = plan.aim.rsplit_once('#').map_or(plan.aim.as_str(), |(request, _)| request);
    let mut parts = request.splitn(3, '/');
    let (resource, name, rest) = (parts.next().unwrap_or_default(), parts.next(), parts.next().unwrap_or_default());
    let random = if name.is_some_and(|name| name.contains('*')) { "*" } else { "" };
    format!("{resource}/{random}{rest}")
}

/// Returns the plans of all queues in turns: the first plan of every queue, then the second plan of every queue, and so
/// on.
fn taken_by_turns<K: Ord>(mut queues: BTreeMap<K, VecDeque<Plan>>, order: &[K]) -> VecDeque<Plan> {
    let mut plans = VecDeque::new();
    while !queues.values().all(VecDeque::is_empty) {
        for key in order {
            plans.extend(queues.get_mut(key).and_then(VecDeque::pop_front));
        }
    }
    plans
}

fn operator(shared: &[&Entry], elects: bool, add: &mut impl FnMut(Class, &str, Step)) {
    let played = |step: Step| shared.iter().any(|entry| entry.step == step && matches!(entry.event, Event::User(_)));
    for (class, steps) in [
        (Class::Restart, [Step::Create, Step::Back].as_slice()),
        (Class::Down, &[Step::Change, Step::Delete, Step::Foreground]),
        (Class::Pause, &[Step::Change, Step::Delete]),
        (Class::Lease, if elects { &[Step::Create] } else { &[] }),
    ] {
        steps.iter().filter(|step| played(**step)).for_each(|step| add(class, "", *step));
    }
}

fn watches(shared: &[&Entry], add: &mut impl FnMut(Class, &str, Step)) {
    let watched = watched_resources(shared);
    let told = |step: Step| -> BTreeSet<&str> {
        let resources = shared.iter().filter(|entry| entry.step == step).filter_map(|entry| match &entry.event {
            Event::Told(text) => text.split([' ', '/']).nth(1),
            _ => None,
        });
        resources.filter(|resource| watched.contains(resource)).collect()
    };
    for step in [Step::Create, Step::Change, Step::Delete] {
        let told = told(step);
        for class in [Class::Lag, Class::Expire, Class::Cut] {
            for resource in &told {
                add(class, resource, step);
            }
        }
        // An API server that is restarted closes all watches. If all of them ended with 410, a sound operator might need
        // minutes: kube's Controller has one backoff for all its watches, and each error doubles it.
        if told.len() > 1 {
            add(Class::Cut, EVERY_WATCH, step);
        }
    }
    for step in [Step::Create, Step::Delete] {
        for resource in &watched {
            add(Class::Relist, resource, step);
        }
    }
}

/// Adds plans for list and watch requests that permit stale responses, and for list requests that permit a response in
/// pages (`limit`), if the list has more than one object.
fn lists(shared: &[&Entry], reference: &Reference, add: &mut impl FnMut(Class, &str, Step)) {
    for request in shared.iter().filter_map(|entry| entry.request()) {
        let (verb, resource) = request.parts();
        if ["list", "watch"].contains(&verb) && listing::is_of_any_age(&request.query) {
            for step in [Step::Change, Step::Delete] {
                add(Class::StaleList, resource, step);
            }
        }
        let state = reference.states.get(&Step::Create);
        if verb == "list"
            && listing::is_limited(&request.query)
            && state.is_some_and(|state| state.names(resource).count() > 1)
        {
            add(Class::Pages, resource, Step::Create);
        }
    }
}

fn children(shared: &[&Entry], reference: &Reference, add: &mut impl FnMut(Class, &str, Step)) {
    let Some(state) = reference.states.get(&Step::Create) else { return };
    for entry in shared.iter().filter(|entry| entry.step == Step::Create) {
        let Some((_, object)) = entry.request().filter(|request| request.status == 201).map(Request::parts) else {
            continue;
        };
        let Some(fields) = state.object(object) else { continue };
        // Operators watch children by their owner: changes of an object without an owner go unnoticed.
        if !fields.keys().any(|path| path.starts_with(".metadata.ownerReferences")) {
            continue;
        }
        add(Class::DeleteChild, object, Step::Create);
        if watched_resources(shared).contains(object.split('/').next().unwrap_or_default()) {
            add(Class::DeleteUnseen, object, Step::Create);
        }
        // The API server copies the labels of the pod template to a Job without labels: they are not the operator's.
        let has_copies = fields.contains_key(".metadata.labels[\"batch.kubernetes.io/controller-uid\"]");
        if !has_copies && fields.keys().any(|path| path.starts_with(".metadata.labels")) {
            add(Class::StripLabels, object, Step::Create);
        }
    }
}

/// Adds plans with simulated failures of the workloads that the operator creates, and of the
/// `PersistentVolumeClaim`s that a `StatefulSet` creates.
fn troubles(shared: &[&Entry], reference: &Reference, add: &mut impl FnMut(Class, &str, Step)) {
    let made: BTreeSet<&str> = of_step(shared, Step::Create)
        .filter(|request| request.status == 201)
        .filter_map(|request| request.parts().1.split('/').next())
        .collect();
    let played = |step: Step| shared.iter().any(|entry| entry.step == step && matches!(entry.event, Event::User(_)));
    let has_claims = reference.states.get(&Step::Create).is_some_and(|state| {
        let sets =
            state.names("statefulsets.apps").filter_map(|name| state.object(&format!("statefulsets.apps/{name}")));
        sets.flat_map(|fields| fields.keys()).any(|path| path.starts_with(".spec.volumeClaimTemplates"))
    });
    for resource in workload::resources() {
        let is_made = made.contains(resource) || (resource == "persistentvolumeclaims" && has_claims);
        let troubles = workload::troubles(resource).iter().filter(|(_, step)| is_made && played(*step));
        troubles.for_each(|(trouble, step)| add(Class::Unready, &format!("{resource}={trouble}"), *step));
    }
}

/// Adds plans in which a request gets no answer: the first creation of an object, and the first write of a status. More
/// plans are not needed, because the time limit that an operator sets for an answer hardly depends on the request.
fn add_unanswered_plans(shared: &[&Entry], add: &mut impl FnMut(Class, &str, Step)) {
    let writes = || of_step(shared, Step::Create).filter(|request| request.effective);
    let is_status = |request: &&Request| request.parts().1.split('/').count() > 2;
    let first = [writes().find(|request| request.status == 201), writes().find(is_status)];
    first.into_iter().flatten().for_each(|request| add(Class::Unanswered, &request.request, Step::Create));
}

fn requests(shared: &[&Entry], elects: bool, add: &mut impl FnMut(Class, &str, Step)) {
    let watched = watched_resources(shared);
    let names = |step| of_step(shared, step).map(|request| request.request.as_str()).collect::<BTreeSet<&str>>();
    let (mut kinds, mut replaced) = (BTreeSet::new(), BTreeSet::new());
    for step in Step::ALL {
        let mut objects = BTreeSet::new();
        // The requests of the earlier step that had about the same initial state.
        let again = match step {
            Step::Recreate => names(Step::Create),
            Step::Back => names(Step::Change),
            Step::Foreground => names(Step::Delete),
            _ => BTreeSet::new(),
        };
        for request in of_step(shared, step) {
            let (verb, object) = request.parts();
            let resource = object.split('/').next().unwrap_or_default();
            let kind = (verb.to_owned(), resource.to_owned(), object.split('/').nth(2).map(str::to_owned));
            let first_of_kind = kinds.insert(kind);
            let number =
                request.request.rsplit_once('#').and_then(|(_, number)| number.parse::<u32>().ok()).unwrap_or(1);
            // A refused request is tried once for each kind of request, where it is sent first.
            if first_of_kind {
                add(Class::Refuse, &request.request, step);
                add(Class::Throttle, &request.request, step);
            }
            // An update replaces the object and so may remove the fields of others, even if it changes nothing else.
            if verb == "update" && request.status == 200 && replaced.insert(object) {
                add(Class::Conflict, &request.request, step);
            }
            if !request.effective || again.contains(request.request.as_str()) {
                continue;
            }
            let first_of_object = objects.insert((verb.to_owned(), object.to_owned()));
            if number <= 3 {
                add(Class::Crash, &request.request, step);
            }
            if elects && number == 1 {
                add(Class::HandOver, &request.request, step);
            }
            if step == Step::Create && number == 1 {
                add(Class::Abandon, &request.request, step);
            }
            if !first_of_object {
                continue;
            }
            add(Class::Lost, &request.request, step);
            if first_of_kind {
                add(Class::Slow, &request.request, step);
                add(Class::Hang, &request.request, step);
            } else if step != Step::Create {
                add(Class::Refuse, &request.request, step);
            }
            if watched.contains(resource) && verb != "delete" {
                add(Class::LagOwn, &request.request, step);
            }
            if verb == "patch" && request.status == 200 {
                add(Class::Conflict, &request.request, step);
            }
        }
    }
}

/// Returns the resources that the operator watches.
fn watched_resources<'a>(shared: &[&'a Entry]) -> BTreeSet<&'a str> {
    let parts = shared.iter().filter_map(|entry| Some(entry.request()?.parts()));
    parts.filter(|(verb, _)| *verb == "watch").map(|(_, resource)| resource).collect()
}

fn of_step<'a>(shared: &'a [&Entry], step: Step) -> impl Iterator<Item = &'a Request> {
    shared.iter().filter(move |entry| entry.step == step).filter_map(|entry| entry.request())
}

#[cfg(test)]
mod tests;
