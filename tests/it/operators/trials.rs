//! Trials for every operator: restarts of the operator and of the API server, and the death of a leader.

use super::door::Write;
use super::stage::Stage;
use serde_json::Value;
use std::time::{Duration, Instant};

/// The number of objects that are created at once.
pub(super) const MANY: usize = 500;

/// The time limit for [`MANY`] objects, which is enough on a busy machine.
const PATIENCE_WITH_MANY: Duration = Duration::from_secs(180);

const ELECTION: [&str; 1] = ["--leader-elect"];

impl Stage {
    /// Restarts the replica `one` of the operator without a change, which must cause no write. Then deletes `child`
    /// during another restart of the replica, and during a restart of its API server: the operator must create `child`
    /// again each time. In the end, `done` must be true for `child`, and the writes must end.
    pub(super) fn outlives_restarts(&mut self, child: &str, done: impl Fn(&Value) -> bool) {
        let before = self.rests(child);
        self.stop("one");
        self.start("one", &[]);
        self.started("one");
        self.has_written_nothing(child, &before);

        self.stop("one");
        let first = self.get(child).unwrap();
        self.delete(child);
        self.start("one", &[]);
        let second = self.comes_back(child, &first);

        self.sees(child, &done);
        self.rests(child);
        self.door.close();
        self.delete(child);
        self.door.reopen();
        self.comes_back(child, &second);
        self.sees(child, &done);
        assert!(self.runs(), "{}", self.log("one"));
        // The last status may still be on its way when the child has come to rest.
        self.until("the writes end", || {
            let written = self.writes_about_nothing(child, &self.rests(child));
            if written.is_empty() { Ok(()) } else { Err(format!("{written:?}")) }
        });
    }

    fn has_written_nothing(&self, child: &str, rested: &(usize, Value)) {
        let written = self.writes_about_nothing(child, rested);
        assert!(written.is_empty(), "{}: nothing has changed, and this is written: {written:?}", self.name());
    }

    /// Waits a second, and returns the operator's writes since the state `rested`. If the child has changed since this
    /// state, status updates are allowed, and are not returned.
    fn writes_about_nothing(&self, child: &str, rested: &(usize, Value)) -> Vec<Write> {
        std::thread::sleep(Duration::from_secs(1));
        let mut written = self.writes_since(rested.0);
        // A status update may follow if the child has changed by itself.
        if self.version(child) != rested.1 {
            written.retain(|write| !write.resource.ends_with("/status"));
        }
        written
    }

    /// Waits until the operator has stopped writing and the child has stopped changing. Returns the number of
    /// writes so far, and the child's resource version.
    fn rests(&self, child: &str) -> (usize, Value) {
        self.until("the child rests", || {
            let before = self.version(child);
            let writes = self.settles();
            let now = self.version(child);
            if now == before { Ok((writes, now)) } else { Err(format!("{before} is {now}")) }
        })
    }

    fn version(&self, child: &str) -> Value {
        self.get(child).unwrap()["metadata"]["resourceVersion"].clone()
    }

    /// Replaces the replica `one` by two replicas, kills the leader, and waits until the other replica leads.
    pub(super) fn leader_is_killed(&mut self) {
        let first = self.two_replicas();
        self.led_by_the_other(&first);
    }

    /// Kills the leader while there are hundreds of objects to reconcile. `done` must become true for each object.
    pub(super) fn leader_is_killed_among_many(&mut self, plural: &str, sample: &Value, done: impl Fn(&Value) -> bool) {
        let first = self.two_replicas();
        let named = |number: usize| {
            let mut object = sample.clone();
            object["metadata"]["name"] = format!("many-{number}").into();
            object
        };
        let (begun, before) = (Instant::now(), self.writes());
        self.create(plural, (0..MANY).map(named));
        self.converge(MANY / 5, plural, &done);
        self.led_by_the_other(&first);
        self.converge(MANY, plural, &done);
        let (seconds, writes) = (begun.elapsed().as_secs_f64(), self.writes() - before);
        println!("{}: {MANY} objects converge within {seconds:.1} s, with {writes} writes", self.name());
    }

    /// Waits until `done` is true for `count` of the [`MANY`] objects.
    fn converge(&self, count: usize, plural: &str, done: impl Fn(&Value) -> bool) {
        let many = |object: &&Value| object["metadata"]["name"].as_str().unwrap().starts_with("many-");
        let what = || format!("not {count} objects converge");
        self.within(PATIENCE_WITH_MANY, what, || {
            let objects = self.items(&format!("{plural}/"));
            let converged = objects.iter().filter(many).filter(|object| done(object)).count();
            // Listing all objects is expensive too.
            std::thread::sleep(Duration::from_millis(500));
            if converged >= count { Ok(()) } else { Err(format!("{converged} do")) }
        });
    }

    /// Starts the replicas `two`, which leads, and `three`. Returns the leader's identity.
    fn two_replicas(&mut self) -> String {
        self.stop("one");
        self.start("two", &ELECTION);
        let first = self.led_by_another_than("");
        self.start("three", &ELECTION);
        first
    }

    fn led_by_the_other(&mut self, first: &str) {
        self.kill("two");
        let begun = Instant::now();
        self.led_by_another_than(first);
        println!("{}: another replica leads after {:.1} s", self.name(), begun.elapsed().as_secs_f64());
    }

    fn started(&self, replica: &str) {
        let log = || self.log(replica);
        self.until("a replica starts", || if log().contains("started") { Ok(()) } else { Err(log()) });
    }

    fn led_by_another_than(&self, before: &str) -> String {
        let namespace = format!("{}-system", self.name());
        let arguments = ["get", "lease", self.name(), "--namespace", &namespace, "--ignore-not-found", "-o", "json"];
        self.until("a replica leads", || {
            let lease: Value = serde_json::from_str(&self.kubectl(&arguments)).unwrap_or_default();
            let holder = lease["spec"]["holderIdentity"].as_str().unwrap_or_default().to_owned();
            if holder.is_empty() || holder == before { Err(format!("`{holder}`")) } else { Ok(holder) }
        })
    }
}
