//! One schedule, played from the start of the operator to its end.

use crate::across;
use crate::model::{Request, collector};
use crate::operator::{self, Process};
use crate::schedule::Choice;
use crate::user;
use crate::world::{Fate, World};
use parking_lot::Mutex;
use std::sync::Arc;
use std::time::Duration;
use tokio::time::{Instant, sleep, timeout};

/// The operator under test, and the number of its replicas.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Scenario {
    Plain,
    Finalizer,
    /// Two replicas with leader election.
    Election,
    /// Two controllers whose children have the same names.
    Beside,
    /// Two controllers of one kind, which share their caches.
    Shared,
    /// A child outside of the namespace of its owner.
    Across,
}

/// The outcome of a run.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub trace: Vec<String>,
    /// The properties that do not hold.
    pub wrong: Vec<String>,
}

pub(crate) struct Run {
    pub world: Arc<Mutex<World>>,
    pub scenario: Scenario,
    pub processes: Vec<Process>,
    pub wrong: Vec<String>,
    /// A function that returns the way in which a request ends.
    pub fate: fn(&Request) -> Fate,
    /// A function that returns true for a request that gets no answer for now.
    pub held: fn(&Request) -> bool,
    pub starts: usize,
}

/// The time without a change, an event or a new watch after which a run counts as at rest.
const QUIET: Duration = Duration::from_secs(70);
/// The largest number of steps in which a run has to come to rest.
const STEPS: usize = 800;
/// The time limit for stopping a process: its running passes, the release of its lease, and one second.
const GRACE: Duration = Duration::from_secs(28);

/// Runs a test in paused time, which passes only while all tasks wait.
pub(crate) fn in_paused_time<T>(test: impl Future<Output = T>) -> T {
    // All tasks run until none can go on before the test itself is polled again.
    let mut runtime = tokio::runtime::Builder::new_current_thread();
    let runtime = runtime.enable_time().start_paused(true).event_interval(u32::MAX).build().unwrap();
    fastrand::seed(0);
    runtime.block_on(test)
}

/// Plays a schedule.
pub(crate) fn play(scenario: Scenario, schedule: &[u8]) -> Outcome {
    in_paused_time(async {
        let mut run = Run::new(scenario).await;
        for byte in schedule {
            run.step(Choice::of(*byte)).await;
        }
        run.judge().await;
        let trace = std::mem::take(&mut run.world.lock().trace);
        Outcome { trace, wrong: run.wrong }
    })
}

impl Scenario {
    pub(crate) const ALL: [Self; 6] =
        [Self::Plain, Self::Finalizer, Self::Election, Self::Beside, Self::Shared, Self::Across];

    /// Returns the scenario of the random schedule with this seed.
    pub(crate) fn of(seed: u64) -> Self {
        Self::ALL[usize::try_from(seed).unwrap() % Self::ALL.len()]
    }
}

impl Run {
    /// Makes a run with two objects, and an operator whose requests have not been answered yet.
    pub(crate) async fn new(scenario: Scenario) -> Self {
        let mut run = Self {
            world: Arc::default(),
            scenario,
            processes: Vec::new(),
            wrong: Vec::new(),
            fate: |_| Fate::Answered,
            held: |_| false,
            starts: 0,
        };
        run.world.lock().knowledge.finalizer = scenario == Scenario::Finalizer;
        if scenario == Scenario::Across {
            let world = &mut run.world.lock();
            (world.roles, world.knowledge.asks_for_owners) = (across::NAMESPACE, true);
        }
        run.start_again();
        for name in user::NAMES {
            user::act(&mut run.world.lock(), name, 0);
        }
        if scenario == Scenario::Beside {
            user::act_on_page(&mut run.world.lock(), user::NAMES[1], 0);
        }
        run.idle().await;
        run
    }

    fn start(&mut self) -> Process {
        self.starts += 1;
        operator::start(&self.world, self.starts, self.scenario)
    }

    /// Lets the operator go on until it waits for something.
    pub(crate) async fn idle(&mut self) {
        for _ in 0..4 {
            tokio::task::yield_now().await;
        }
        self.world.lock().settle();
        for index in 0..self.processes.len() {
            if self.processes[index].ended.is_finished() {
                self.restarted(index).await;
            }
        }
    }

    /// Restarts a process that has ended, as a kubelet would. Only the loss of the lease is a valid reason to end.
    async fn restarted(&mut self, index: usize) {
        let ended = (&mut self.processes[index].ended).await;
        if self.scenario != Scenario::Election || ended.is_err() {
            self.say(&format!("the operator exited unexpectedly: {ended:?}"));
        }
        self.replace(index);
    }

    fn replace(&mut self, index: usize) {
        let process = self.start();
        let old = std::mem::replace(&mut self.processes[index], process);
        self.wrong.append(&mut old.log.lock().wrong);
        self.wrong.append(&mut old.mirror.lock().wrong);
    }

    pub(crate) fn say(&mut self, what: &str) {
        self.wrong.push(what.to_owned());
    }

    async fn step(&mut self, choice: Choice) {
        self.choose(choice).await;
        self.idle().await;
        self.overdue();
    }

    /// Checks that no pass is overdue.
    fn overdue(&mut self) {
        // A replica that is about to lose its lease begins no pass, and the model does not know.
        if self.scenario == Scenario::Election {
            return;
        }
        for process in &self.processes {
            let mut overdue = self.world.lock().knowledge.overdue(process.sender, &process.log.lock());
            overdue.retain(|one| !self.wrong.contains(one));
            self.wrong.extend(overdue);
        }
    }

    async fn choose(&mut self, choice: Choice) {
        let end = |index: usize, fate: Fate| {
            let mut world = self.world.lock();
            if let Some(index) = index.checked_rem(world.pending.len()) {
                world.end(index, fate);
            }
        };
        let watch = |index: usize, act: &dyn Fn(&mut World, usize)| {
            let mut world = self.world.lock();
            if let Some(index) = index.checked_rem(world.open.len()) {
                act(&mut world, index);
            }
        };
        match choice {
            Choice::Next => {
                if !self.next() {
                    sleep(Duration::from_secs(1)).await;
                }
            }
            Choice::Answer(index) => end(index, Fate::Answered),
            Choice::Lose(index) => end(index, Fate::Lost),
            Choice::TimeOut(index) => end(index, Fate::TimedOut),
            Choice::Refuse(index, code) => end(index, Fate::Refused(code)),
            Choice::Cut(index) => end(index, Fate::Cut),
            Choice::Tell(index) => watch(index, &|world, index| {
                if !world.open[index].held {
                    world.tell(index);
                }
            }),
            Choice::Bookmark(index) => watch(index, &|world, index| {
                if !world.open[index].held {
                    world.bookmark(index);
                }
            }),
            Choice::EndWatch { watch: index, gap } => watch(index, &|world, index| world.cut(index, gap)),
            Choice::Hold(index) => watch(index, &|world, index| world.open[index].held ^= true),
            Choice::Wait(time) => {
                self.world.lock().trace.push(format!("{time} ms pass"));
                sleep(Duration::from_millis(time)).await;
            }
            Choice::User { name, act } => user::act(&mut self.world.lock(), user::NAMES[name], act),
            Choice::Collect(index) => drop(self.collect(index)),
            Choice::Crash { process, carried_out, stop } => self.crash(process, carried_out, stop).await,
            Choice::PageSize(size) => self.world.lock().server.page = (size > 0).then_some(size),
            // Without a controller for pages, there are no pages.
            Choice::Page { name, act } if self.scenario == Scenario::Beside => {
                user::act_on_page(&mut self.world.lock(), user::NAMES[name], act);
            }
            Choice::Page { .. } => {}
            Choice::Compact => self.world.lock().server.compact(),
        }
    }

    /// Takes the next step in the order without faults. Returns false if no step is left.
    pub(crate) fn next(&mut self) -> bool {
        let mut world = self.world.lock();
        if let Some(index) = world.pending.iter().position(|pending| !(self.held)(&pending.request)) {
            let fate = (self.fate)(&world.pending[index].request);
            world.end(index, fate);
            return true;
        }
        let behind = world.open.iter().position(|open| !open.held && open.watch.is_behind(&world.server));
        if let Some(index) = behind {
            world.tell(index);
            return true;
        }
        drop(world);
        self.collect(0)
    }

    fn collect(&mut self, index: usize) -> bool {
        let mut world = self.world.lock();
        let mut steps = collector::steps(&world.server);
        if steps.is_empty() {
            return false;
        }
        let step = steps.swap_remove(index % steps.len());
        world.trace.push(format!("collector {} {}", step.request.line(), step.request.body));
        let object = world.server.get(&step.request.id());
        world.rules.collected(&step, object);
        world.moves += 1;
        world.server.answer(&step.request);
        true
    }

    /// Kills a process, and starts another one. With `stop`, the process first gets time to stop, while none of its
    /// requests is answered. With `carried_out`, the server still carries out its pending requests.
    async fn crash(&mut self, index: usize, carried_out: bool, stop: bool) {
        let index = index % self.processes.len();
        let process = &mut self.processes[index];
        if stop {
            process.stop.cancel();
            match timeout(GRACE, &mut process.ended).await {
                Ok(Ok(Ok(()))) => {}
                // It may lose the lease meanwhile.
                Ok(Ok(Err(_))) if self.scenario == Scenario::Election => {}
                Ok(ended) => self.wrong.push(format!("told to stop, it fails: {ended:?}")),
                Err(_) => self.wrong.push("told to stop, it goes on".to_owned()),
            }
        }
        let process = &self.processes[index];
        process.ended.abort();
        self.world.lock().crash(process.sender, carried_out);
        self.replace(index);
    }

    /// Takes all steps for `seconds` seconds. Each request ends as `fate` says.
    pub(crate) async fn pass_time(&mut self, seconds: u64) {
        let end = Instant::now() + Duration::from_secs(seconds);
        while Instant::now() < end {
            self.idle().await;
            if !self.next() {
                sleep(Duration::from_millis(200)).await;
            } else {
                sleep(Duration::from_millis(20)).await;
            }
            self.overdue();
        }
        self.idle().await;
    }

    /// Ends all faults, and takes all steps that are left.
    pub(crate) async fn rest(&mut self) {
        self.world.lock().open.iter_mut().for_each(|open| open.held = false);
        self.rest_beside_the_held().await;
    }

    /// Takes all remaining steps like [`Run::rest`], except the events of watches that are held back.
    pub(crate) async fn rest_beside_the_held(&mut self) {
        self.fate = |_| Fate::Answered;
        self.held = |_| false;
        self.world.lock().server.page = None;
        let pause = if self.scenario == Scenario::Election { 2 } else { 35 };
        let (mut quiet, mut moves, mut steps) = (Instant::now(), 0, 0);
        loop {
            self.idle().await;
            if self.next() {
                steps += 1;
                // Every answer takes some time, so that the pauses of the operator end.
                sleep(Duration::from_millis(20)).await;
            } else if quiet.elapsed() < QUIET {
                sleep(Duration::from_secs(pause)).await;
            } else {
                // Nothing that began during the last pause is left without an answer.
                return;
            }
            let moved = self.world.lock().moves;
            if moved > moves {
                (quiet, moves) = (Instant::now(), moved);
            }
            if steps > STEPS {
                self.say("it does not come to rest");
                return;
            }
        }
    }

    /// Stops every process, which must end in time even if no request is answered.
    pub(crate) async fn stop(&mut self) {
        for process in &self.processes {
            process.stop.cancel();
        }
        for process in std::mem::take(&mut self.processes) {
            let Process { ended, log, mirror, .. } = process;
            match timeout(GRACE, ended).await {
                Ok(Ok(Ok(()))) => {}
                Ok(ended) => self.say(&format!("told to stop, it fails: {ended:?}")),
                Err(_) => self.say("told to stop, it goes on"),
            }
            self.wrong.append(&mut log.lock().wrong);
            self.wrong.append(&mut mirror.lock().wrong);
        }
        let mut world = self.world.lock();
        world.settle();
        world.pending.clear();
    }

    /// Starts as many processes as the scenario has.
    pub(crate) fn start_again(&mut self) {
        for _ in 0..if self.scenario == Scenario::Election { 2 } else { 1 } {
            let process = self.start();
            self.processes.push(process);
        }
    }
}
