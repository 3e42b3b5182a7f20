//! What every operator has to come through: restarts of its own and of the API server, and the death of a leader.

use super::stage::Stage;
use serde_json::Value;
use std::time::{Duration, Instant};

/// For hundreds of objects at once, on a machine with other work.
const MANY: Duration = Duration::from_secs(180);

const ELECTION: [&str; 1] = ["--leader-elect"];

impl Stage {
    /// The replica `one` is stopped and started, and so is its API server. `child` is deleted each time while nobody
    /// looks, and comes back; where nothing has happened, or nothing any more since the child was `done`, nothing is
    /// written.
    pub(super) fn outlives_restarts(&mut self, child: &str, done: impl Fn(&Value) -> bool) {
        let before = self.settles();
        self.stop("one");
        self.start("one", &[]);
        self.started("one");
        std::thread::sleep(Duration::from_secs(1));
        let written = self.writes_since(before);
        assert!(written.is_empty(), "a restart writes: {written:?}");

        self.stop("one");
        let first = self.get(child).unwrap();
        self.delete(child);
        self.start("one", &[]);
        let second = self.comes_back(child, &first);

        self.sees(child, &done);
        self.settles();
        self.door.close();
        self.delete(child);
        self.door.reopen();
        self.comes_back(child, &second);
        self.sees(child, &done);
        assert!(self.runs(), "{}", self.log("one"));
        let before = self.settles();
        std::thread::sleep(Duration::from_secs(1));
        let written = self.writes_since(before);
        assert!(written.is_empty(), "it does not settle: {written:?}");
    }

    /// Starts two replicas in the place of `one`, kills the one that leads once `work` is done, and waits for the other
    /// to lead.
    pub(super) fn leader_is_killed(&mut self, work: impl FnOnce(&Self)) {
        self.stop("one");
        self.start("two", &ELECTION);
        let first = self.led_by_another_than("");
        self.start("three", &ELECTION);
        work(self);
        self.kill("two");
        let begun = Instant::now();
        self.led_by_another_than(&first);
        println!("{}: another replica leads after {:.1} s", self.name(), begun.elapsed().as_secs_f64());
    }

    /// Creates `count` objects like `sample` at once, and waits until each is as `done` wants it.
    pub(super) fn converges(&self, count: usize, plural: &str, sample: &Value, done: impl Fn(&Value) -> bool) {
        let named = |number: usize| {
            let mut object = sample.clone();
            object["metadata"]["name"] = format!("many-{number}").into();
            object
        };
        let (begun, before) = (Instant::now(), self.writes());
        self.create(plural, (0..count).map(named));
        let created = begun.elapsed();
        let many = |object: &&Value| object["metadata"]["name"].as_str().unwrap().starts_with("many-");
        let what = || format!("not all of {count} objects converge");
        self.within(MANY, what, || {
            std::thread::sleep(Duration::from_secs(1));
            let objects = self.items(&format!("{plural}/"));
            let converged = objects.iter().filter(many).filter(|object| done(object)).count();
            if converged == count { Ok(()) } else { Err(format!("{converged} of {count}")) }
        });
        let (all, writes) = (begun.elapsed(), self.writes() - before);
        println!(
            "{}: {count} objects, created in {:.1} s, converge after {:.1} s with {writes} writes",
            self.name(),
            created.as_secs_f64(),
            all.as_secs_f64()
        );
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
