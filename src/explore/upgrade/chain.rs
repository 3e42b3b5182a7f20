//! Runs the versions before the old version: the first version creates the objects, the others take them over.

use super::admission;
use super::apply_crds;
use super::release::Pair;
use super::run_version::{Stage, check_operator_started, check_operator_worked, create};
use crate::error::hint;
use crate::explore::server::shared_server::World;
use crate::report::Console;
use crate::{Error, Result};
use futures_util::{StreamExt, TryStreamExt, stream};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Runs the versions before the old version (the version from which the tested upgrade starts) in each of `namespaces`,
/// one version after the other. After each version, applies the CRDs of the following version, so that the API server
/// serves the CRDs of the old version at the end. `first` is the `World`, the data that all runs share, of the first
/// version; the API server already serves the CRDs of this version. Returns the `World` of the old version.
pub(super) async fn run_earlier_versions(
    pair: &Pair,
    first: Arc<World>,
    namespaces: &[String],
    console: &Console,
) -> Result<Arc<World>> {
    let mut world = first;
    let next = pair.earlier.iter().skip(1).chain([&pair.old]);
    for (index, (release, next)) in pair.earlier.iter().zip(next).enumerate() {
        let is_first = index == 0;
        let what = if is_first { "makes the objects" } else { "takes over" };
        let _spinner = console.spinner("Preparing", format!("{} {what}", release.name));
        let work = stream::iter(namespaces).map(async |namespace| {
            let known = BTreeSet::new();
            let stage = Stage { world: &world, namespace, folder: &pair.folder, version: "earlier", known };
            if is_first {
                world.make_namespace(namespace).await?;
            }
            let act = async |site: &_| if is_first { create(site).await } else { Ok(()) };
            let (part, site) = stage.play(None, act).await?;
            check_operator_started(&part, &release.name, &site)?;
            if is_first { check_operator_worked(&part, &release.name, &site) } else { Ok(()) }
        });
        work.buffer_unordered(pair.jobs).try_collect::<Vec<()>>().await?;

        console.status("Upgrading", format!("from {} to {}", release.name, next.name));
        admission::replace(&pair.admin, &release.admission, &next.admission).await?;
        if let Some((name, message)) = apply_crds::apply(&world, &next.definitions).await? {
            return Err(Error::user(format!(
                "the API server refuses the CRD `{name}` of {} as an update of the CRD of {}",
                next.name, release.name
            ))
            .caused_by(message)
            .hint(hint!(
                "leave out {} and the versions before it, so that the chain starts with {}",
                release.name,
                next.name
            )));
        }
        let (operator, launch) = (next.operator.clone(), next.launch.clone());
        world = Arc::new(world.of_another(operator, launch, pair.samples.clone()).await?);
    }
    Ok(world)
}
