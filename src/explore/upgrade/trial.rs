//! Runs the plays of an upgrade concurrently, each in a separate namespace, while the CRDs of the whole API server
//! change from the old CRDs to the new CRDs and back.

use super::apply_crds;
use super::found::UpgradeFinding;
use super::judge::{self, Evidence};
use super::play::Play;
use super::release::Pair;
use super::run_version::{Part, Stage, check_operator_started, check_operator_worked, create, sample_name};
use super::{admission, beside, chain, code::Code, crds};
use crate::explore::plan::fault_plan::{Class, Plan, Step};
use crate::explore::record::journal::Entry;
use crate::explore::run::run_environment::Site;
use crate::explore::server::shared_server::World;
use crate::report::Console;
use crate::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use serde_json::json;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The namespace in which the old version runs without an upgrade.
const BASELINE: &str = "upgrade-none";

/// The results of several plays, by play.
type Parts = BTreeMap<Play, Part>;

/// The tests of one upgrade.
pub(super) struct Trial<'a> {
    pair: &'a Pair,
    wanted: BTreeSet<Play>,
    console: &'a Console,
    old: Arc<World>,
}

impl<'a> Trial<'a> {
    /// Prepares an upgrade test: discovers the resources of the API server, and runs the versions before the old
    /// version, if any, to create the objects.
    pub(super) async fn of(pair: &'a Pair, wanted: BTreeSet<Play>, console: &'a Console) -> Result<Trial<'a>> {
        let first = pair.earlier.first().unwrap_or(&pair.old);
        let (admin, operator, serving) = (pair.admin.clone(), first.operator.clone(), pair.serving.clone());
        let (launch, samples, roles) = (first.launch.clone(), pair.samples.clone(), pair.roles.clone());
        admission::replace(&admin, &[], &first.admission).await?;
        let world = Arc::new(World::discover(admin, operator, serving, launch, samples, roles).await?);
        let mut trial = Trial { pair, wanted, console, old: world };
        if !pair.earlier.is_empty() {
            let namespaces: Vec<_> = trial.with_objects().map(namespace).chain([BASELINE.to_owned()]).collect();
            trial.old = chain::run_earlier_versions(pair, trial.old.clone(), &namespaces, console).await?;
        }
        Ok(trial)
    }

    /// Runs the plays, and returns the findings.
    pub(super) async fn run(&self) -> Result<Vec<UpgradeFinding>> {
        let (samples, wanted) = (self.sample_names()?, self.wanted.clone());
        let mut evidence = Evidence { wanted, samples, ..Evidence::default() };
        let asks = self.wants(Play::Definitions);
        let accepted =
            if asks { crds::accepted_variants(&self.old, &self.pair.old.definitions).await? } else { Vec::new() };
        self.converge(&mut evidence).await?;

        let (old, later) = (&self.pair.old, &self.pair.new);
        self.console.status("Upgrading", format!("from {} to {}", old.name, later.name));
        admission::replace(&self.pair.admin, &old.admission, &later.admission).await?;
        if let Some((name, message)) = apply_crds::apply(&self.old, &later.definitions).await? {
            let text = format!("the API server refuses the new CRD `{name}` as an update of the old CRD: {message}");
            return Ok(vec![UpgradeFinding::new(Code::Refused, Play::Definitions, name, text)]);
        }
        let (operator, launch) = (later.operator.clone(), later.launch.clone());
        let new = self.old.of_another(operator, launch, self.pair.samples.clone()).await?;
        let new = &Arc::new(new);
        if asks {
            evidence.found.extend(crds::compare(new, &later.definitions, accepted).await?);
        }
        let known = evidence.resources.clone();
        let (fresh, (found, parts)) =
            self.both(Box::pin(self.install(new, &known)), Box::pin(self.upgrade(new, &known))).await?;
        evidence.found.extend(found);
        evidence.after.extend(parts);
        if let Some((one, other)) = fresh {
            for (one, other) in one.iter().zip(&other) {
                one.picture.state.learn(&other.picture.state, &mut evidence.masks);
                evidence.resources.extend(one.resources.clone());
            }
            evidence.fresh = Some(one);
        }
        self.crash(new, &mut evidence).await?;
        self.back(&mut evidence).await?;
        self.forward(new, &mut evidence).await?;
        Ok(judge::findings(evidence))
    }

    /// Completes both futures: concurrently, or one after the other if only one operator may run at a time.
    async fn both<A, B>(
        &self,
        one: impl Future<Output = Result<A>>,
        other: impl Future<Output = Result<B>>,
    ) -> Result<(A, B)> {
        if self.pair.jobs == 1 { Ok((one.await?, other.await?)) } else { tokio::try_join!(one, other) }
    }

    fn wants(&self, play: Play) -> bool {
        self.wanted.contains(&play)
    }

    /// Returns true if the play `from` must run, because the user selected `from` or a later play that needs it. The
    /// plays
    /// `Back`, `BackDefinitions` and `Forward` run one after the other in the same namespace, so that each play needs
    /// the
    /// plays before it.
    fn goes_on(&self, from: Play) -> bool {
        [Play::Back, Play::BackDefinitions, Play::Forward].into_iter().any(|play| play >= from && self.wants(play))
    }

    fn sample_names(&self) -> Result<BTreeSet<String>> {
        self.old.samples.iter().map(|sample| sample_name(&self.old, &sample.object)).collect()
    }

    fn stage<'s>(&'s self, world: &'s Arc<World>, namespace: &'s str, known: &BTreeSet<String>) -> Stage<'s> {
        let version = if Arc::ptr_eq(world, &self.old) { "old" } else { "new" };
        Stage { world, namespace, folder: &self.pair.folder, version, known: known.clone() }
    }

    /// Runs the old version without an upgrade, and in one namespace for each play, so that the objects exist before
    /// the upgrade. Adds the results to `evidence`.
    async fn converge(&self, evidence: &mut Evidence) -> Result<()> {
        let _spinner =
            self.console.spinner("Installing", format!("{} in a namespace for each play", self.pair.old.name));
        let first = self.baseline();
        let others = stream::iter(self.with_objects()).map(async |play| {
            let namespace = namespace(play);
            let (part, _) = self.settle(&self.stage(&self.old, &namespace, &BTreeSet::new())).await?;
            Ok::<_, Error>((play, part))
        });
        let others = others.buffer_unordered(self.pair.jobs).try_collect::<Parts>();
        let ([rest, again, deleted], others) = self.both(first, others).await?;
        for part in others.values().chain([&again]) {
            rest.picture.state.learn(&part.picture.state, &mut evidence.masks);
            evidence.resources.extend(part.resources.clone());
        }
        (evidence.old, evidence.restarted, evidence.old_deleted) = (rest, again, deleted);
        evidence.before = others;
        Ok(())
    }

    /// Runs the old version in a namespace to create the objects, or to take over the objects of earlier versions.
    async fn settle(&self, stage: &Stage<'_>) -> Result<(Part, Site)> {
        let is_first = self.pair.earlier.is_empty();
        if is_first {
            self.old.make_namespace(stage.namespace).await?;
        }
        let act = async |site: &Site| if is_first { create(site).await } else { Ok(()) };
        let (part, site) = stage.play(None, act).await?;
        check_operator_started(&part, &self.pair.old.name, &site)?;
        if is_first {
            check_operator_worked(&part, &self.pair.old.name, &site)?;
        }
        Ok((part, site))
    }

    /// Returns the plays that begin with objects of the old version.
    fn with_objects(&self) -> impl Iterator<Item = Play> {
        Play::all().into_iter().filter(|play| self.has_objects(*play))
    }

    /// Returns true if `play` begins with objects that the old version made before the upgrade.
    fn has_objects(&self, play: Play) -> bool {
        match play {
            Play::Definitions | Play::Create | Play::Back | Play::BackDefinitions | Play::Forward => false,
            // The crashes come after the writes of this one, and the ways back go on in its namespace.
            Play::Upgrade => self.wanted.iter().any(|play| *play != Play::Definitions),
            play => self.wants(play),
        }
    }

    /// Runs the old version without an upgrade. Returns its results after the creation of the samples, after a restart,
    /// and after the deletion of the samples. Changes between these results are not due to an upgrade.
    async fn baseline(&self) -> Result<[Part; 3]> {
        let stage = self.stage(&self.old, BASELINE, &BTreeSet::new());
        let (made, site) = self.settle(&stage).await?;
        site.restart().await?;
        let again = stage.wait_for_rest(&site).await?;
        delete(&self.old, BASELINE).await?;
        Ok([made, again, stage.wait_for_rest(&site).await?])
    }

    /// Installs the new version in two new namespaces. Returns, for each namespace, the version's results in three
    /// states: at rest, after a change, and after a deletion of the samples; `None` if the new CRDs refuse the samples.
    async fn install(&self, new: &Arc<World>, known: &BTreeSet<String>) -> Result<Option<([Part; 3], [Part; 3])>> {
        let fresh = async |namespace: &'static str| {
            new.make_namespace(namespace).await?;
            let stage = self.stage(new, namespace, known);
            let site = stage.enter(None).await?;
            if let Err(error) = site.start_up().await {
                return Err(error.caused_by("a fresh installation of the new version does not start"));
            }
            if refuses(create(&site).await)? {
                // The finding about the CRD says why there is nothing to compare with.
                return Ok(None);
            }
            let made = stage.wait_for_rest(&site).await?;
            check_operator_worked(&made, &self.pair.new.name, &site)?;
            let changed =
                if refuses(site.play(Step::Change).await)? { made.clone() } else { stage.wait_for_rest(&site).await? };
            delete(new, namespace).await?;
            Ok(Some([made, changed, stage.wait_for_rest(&site).await?]))
        };
        let (one, other) = self.both(fresh("upgrade-fresh-1"), fresh("upgrade-fresh-2")).await?;
        Ok(one.zip(other))
    }

    /// Runs the plays in which the new version takes over the objects of the old version. Returns findings and results.
    async fn upgrade(&self, new: &Arc<World>, known: &BTreeSet<String>) -> Result<(Vec<UpgradeFinding>, Parts)> {
        let _spinner = self.console.spinner("Upgrading", "the objects of each play, and making a fresh installation");
        let plays = [Play::Upgrade, Play::Create, Play::Change, Play::Delete, Play::DeleteAfter, Play::DeleteBack];
        let plays = plays.into_iter().filter(|play| self.wants(*play) || self.has_objects(*play));
        let parts = stream::iter(plays).map(async |play| {
            let namespace = namespace(play);
            if play == Play::Create {
                self.old.make_namespace(&namespace).await?;
                // The object is made under the new CRDs, by a user who knows the old ones.
                if refuses(create_in(new, &namespace).await)? {
                    return Ok((play, None));
                }
            }
            let stage = self.stage(new, &namespace, known);
            match play {
                Play::Change => change(new, &namespace).await?,
                Play::Delete => delete(new, &namespace).await?,
                _ => {}
            }
            let (mut part, site) = stage.play(None, async |_| Ok(())).await?;
            if play == Play::DeleteAfter && part.failed.is_none() {
                delete(new, &namespace).await?;
                part = stage.wait_for_rest(&site).await?;
            }
            Ok::<_, Error>((play, Some(part)))
        });
        let parts: Vec<_> = parts.buffer_unordered(self.pair.jobs).try_collect().await?;
        let mut parts: Parts = parts.into_iter().filter_map(|(play, part)| Some((play, part?))).collect();
        let mut found = Vec::new();
        if self.wants(Play::Beside) {
            let namespace = namespace(Play::Beside);
            let (old, new) = (self.stage(&self.old, &namespace, known), self.stage(new, &namespace, known));
            let (fights, part) = beside::both(&old, &new).await?;
            found = fights;
            parts.insert(Play::Beside, part);
        }
        Ok((found, parts))
    }

    /// Kills the new version after each of its first writes, in one play for each write.
    async fn crash(&self, new: &Arc<World>, evidence: &mut Evidence) -> Result<()> {
        let Some(upgrade) = evidence.after.get(&Play::Upgrade).filter(|part| part.failed.is_none()) else {
            return Ok(());
        };
        let mut writes: Vec<String> = Vec::new();
        for request in upgrade.journal.iter().filter_map(Entry::request).filter(|request| request.effective) {
            if !writes.contains(&request.request) {
                writes.push(request.request.clone());
            }
        }
        let plays = Play::all().into_iter().filter_map(|play| match play {
            Play::Crash(number) if self.wants(play) => Some((play, writes.get(usize::from(number) - 1)?.clone())),
            _ => None,
        });
        let known = evidence.resources.clone();
        let parts = stream::iter(plays.collect::<Vec<_>>()).map(async |(play, aim)| {
            let namespace = namespace(play);
            let plan = Plan { class: Class::Crash, aim, step: Step::Create, then: None };
            let (part, _) = self.stage(new, &namespace, &known).play(Some(&plan), async |_| Ok(())).await?;
            Ok::<_, Error>((play, part))
        });
        let parts: Vec<_> = parts.buffer_unordered(self.pair.jobs).try_collect().await?;
        evidence.after.extend(parts);
        Ok(())
    }

    /// Runs the plays in which the old version takes over again: first with the new CRDs, then with the old CRDs.
    async fn back(&self, evidence: &mut Evidence) -> Result<()> {
        let known = evidence.resources.clone();
        if evidence.after.get(&Play::Upgrade).is_none_or(|part| part.failed.is_some()) {
            return Ok(());
        }
        let _spinner = self.console.spinner("Going back", format!("to {}", self.pair.old.name));
        admission::replace(&self.pair.admin, &self.pair.new.admission, &self.pair.old.admission).await?;
        let (old, later) = (&self.pair.old, &self.pair.new);
        for name in apply_crds::newly_converted(&old.definitions, &later.definitions).filter(|_| self.wants(Play::Back))
        {
            let text = format!(
                "after the rollback, with the new CRDs still applied, no operator converts {name}: the API server \
                 refuses requests in versions other than the stored version"
            );
            evidence.found.push(UpgradeFinding::new(Code::NoWayBack, Play::Back, name, text).warning());
        }
        let plays = [Play::Back, Play::DeleteBack].into_iter().filter(|play| match play {
            Play::Back => self.goes_on(Play::Back),
            play => evidence.after.contains_key(play) && self.wants(*play),
        });
        let parts = stream::iter(plays).map(async |play| {
            let namespace = if play == Play::Back { namespace(Play::Upgrade) } else { namespace(play) };
            let stage = self.stage(&self.old, &namespace, &known);
            let (mut part, site) = stage.play(None, async |_| Ok(())).await?;
            if play == Play::DeleteBack && part.failed.is_none() {
                delete(&self.old, &namespace).await?;
                part = stage.wait_for_rest(&site).await?;
            }
            Ok::<_, Error>((play, part))
        });
        let parts: Vec<_> = parts.buffer_unordered(self.pair.jobs).try_collect().await?;
        evidence.back.extend(parts);
        if !self.goes_on(Play::BackDefinitions) {
            return Ok(());
        }
        if let Some((name, message)) = apply_crds::apply(&self.old, &self.pair.old.definitions).await? {
            let text = format!("during the rollback, the API server refuses the old CRD `{name}`: {message}");
            evidence.found.push(UpgradeFinding::new(Code::NoWayBack, Play::BackDefinitions, name, text));
            return Ok(());
        }
        let namespace = namespace(Play::Upgrade);
        let (part, _) = self.stage(&self.old, &namespace, &known).play(None, async |_| Ok(())).await?;
        evidence.back.insert(Play::BackDefinitions, part);
        Ok(())
    }

    /// Runs the play `forward`, in which the new version takes over for the second time.
    async fn forward(&self, new: &Arc<World>, evidence: &mut Evidence) -> Result<()> {
        if !self.goes_on(Play::Forward) || !evidence.back.contains_key(&Play::BackDefinitions) {
            return Ok(());
        }
        admission::replace(&self.pair.admin, &self.pair.old.admission, &self.pair.new.admission).await?;
        // They were accepted before.
        if apply_crds::apply(&self.old, &self.pair.new.definitions).await?.is_some() {
            return Ok(());
        }
        let namespace = namespace(Play::Upgrade);
        let (part, _) = self.stage(new, &namespace, &evidence.resources).play(None, async |_| Ok(())).await?;
        evidence.after.insert(Play::Forward, part);
        Ok(())
    }
}

/// Returns the name of the namespace in which `play`, a sequence of upgrade events, runs.
fn namespace(play: Play) -> String {
    format!("upgrade-{}", play.to_string().replace(['@', '#'], "-"))
}

async fn create_in(world: &World, namespace: &str) -> Result<()> {
    for sample in &world.samples {
        world.send("POST", &world.path_of_kind(namespace, &sample.object)?, &sample.object).await?;
    }
    Ok(())
}

async fn change(world: &World, namespace: &str) -> Result<()> {
    for (sample, [there, _]) in world.samples.iter().filter_map(|sample| Some((sample, sample.change.as_ref()?))) {
        let name = sample.object["metadata"]["name"].as_str().unwrap_or_default();
        let path = world.path_of_kind(namespace, &sample.object)?;
        // The new CRD may refuse the value, which is another finding.
        refuses(world.patch(&format!("{path}/{name}"), there).await)?;
    }
    Ok(())
}

async fn delete(world: &World, namespace: &str) -> Result<()> {
    for sample in &world.samples {
        let name = sample.object["metadata"]["name"].as_str().unwrap_or_default();
        let path = world.path_of_kind(namespace, &sample.object)?;
        let gone = world.request("DELETE", &format!("{path}/{name}"), &json!({})).await;
        if let Err(error) = gone
            && !matches!(&error, kube::Error::Api(status) if status.code == 404)
        {
            return Err(Error::cluster(format!("cannot delete `{name}`")).source(&error));
        }
    }
    Ok(())
}

/// Returns true if `done`, the result of a user's request, is a refusal by the API server, and false if the request
/// succeeded.
///
/// # Errors
/// Fails if the request failed for another reason.
fn refuses(done: Result<()>) -> Result<bool> {
    match done {
        Ok(()) => Ok(false),
        Err(error) if ["400", "403", "404", "422"].iter().any(|code| error.message().ends_with(code)) => Ok(true),
        Err(error) => Err(error),
    }
}
