//! The operator of the test: a Fleet creates a Ship of the same name, and is Ready when the Ship is Ready.

use anyhow::ensure;
use clap::Parser;
use k8s_openapi::apimachinery::pkg::apis::meta::v1::Condition;
use kube::core::object::HasStatus;
use kube::{Config, CustomResource, ResourceExt};
use runtime::telemetry::{self, LogOptions};
use runtime::{Action, Context, Controller, Manager, conditions};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::sync::Arc;
use tracing::{Instrument, debug_span};

#[derive(Clone, Debug, Default, Deserialize, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Status {
    observed_generation: Option<i64>,
    conditions: Vec<Condition>,
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "sea.example.com", version = "v1", kind = "Fleet", namespaced, status = "Status")]
pub(crate) struct FleetSpec {
    pub(crate) flag: String,
}

#[derive(Clone, CustomResource, Debug, Deserialize, JsonSchema, Serialize)]
#[kube(group = "sea.example.com", version = "v1", kind = "Ship", namespaced, status = "Status")]
pub(crate) struct ShipSpec {
    flag: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    name: Option<String>,
}

pub(crate) fn is_ready(object: &impl HasStatus<Status = Status>) -> bool {
    object.status().is_some_and(|status| conditions::is_true(&status.conditions, "Ready"))
}

fn status(before: Option<&Status>, generation: Option<i64>, ready: bool) -> Status {
    let mut status = before.cloned().unwrap_or_default();
    status.observed_generation = generation;
    let reason = if ready { "Afloat" } else { "Waiting" };
    conditions::set(&mut status.conditions, generation, conditions::new("Ready", ready, reason, ""));
    status
}

async fn reconcile_fleet(fleet: Arc<Fleet>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    ensure!(fleet.spec.flag != "none", "a fleet needs a flag");
    let ship = Ship::new(&fleet.name_any(), ShipSpec { flag: fleet.spec.flag.clone(), name: None });
    // A span that is logged, and that the traces leave out.
    let ship = ctx.apply(&*fleet, ship).instrument(debug_span!("apply")).await?;
    let status = status(fleet.status(), fleet.metadata.generation, is_ready(&ship));
    ctx.apply_status(&*fleet, status).await?;
    Ok(Action::done())
}

async fn reconcile_ship(ship: Arc<Ship>, ctx: Arc<Context>) -> anyhow::Result<Action> {
    let status = status(ship.status(), ship.metadata.generation, true);
    ctx.apply_status(&*ship, status).await?;
    Ok(Action::done())
}

#[derive(Parser)]
struct Args {
    #[command(flatten)]
    manager: runtime::Options,
    #[command(flatten)]
    logs: LogOptions,
}

// One thread, as the `main` of a new project has it.
#[tokio::test]
#[ignore = "the operator, as a process that the test starts"]
async fn runs() {
    let args = Args::parse_from(["operator", "--health-probe-bind-address=0"]);
    let _telemetry = telemetry::init("sea-operator", args.logs).unwrap();
    let stop = runtime::stop_on_signal().unwrap();
    let config = Config::infer().await.unwrap();
    let mut manager = Manager::new("sea-operator", args.manager, config, stop).unwrap();
    manager.add(Controller::namespaced("fleet", reconcile_fleet).owns::<Ship>());
    manager.add(Controller::namespaced("ship", reconcile_ship));
    manager.run().await.unwrap();
}
