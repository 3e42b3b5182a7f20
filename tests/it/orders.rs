//! Runs the tests of `tests/runtime/tests/orders`: the runtime of generated projects under many orders of events.

use crate::support::{Plane, cargo_in, forget_other_checkout, must, target_folder, text};
use std::path::Path;
use std::process::Command;

/// Returns a cargo command that tests the runtime with `features`. The command uses the target folder of the
/// projects in `testdata/golden`, because their dependencies are the same as those of the runtime.
fn with_features(features: &str, arguments: &[&str]) -> Command {
    forget_other_checkout(&target_folder());
    let test = ["test", "--locked", "--quiet", "--features", features];
    cargo_in(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/runtime"), &[&test, arguments].concat())
}

/// Returns a command that tests the runtime. It always enables the same features, because cargo compiles the
/// dependent crates once for each set of features.
fn runtime(arguments: &[&str]) -> Command {
    with_features("testing,webhooks", arguments)
}

/// Returns a command that runs the tests in `tests/runtime/tests/orders`.
fn orders(arguments: &[&str]) -> Command {
    let mut cargo = runtime(&[]);
    cargo.args(["--test", "orders", "--"]).args(arguments);
    cargo
}

#[test]
fn the_runtime_holds_under_a_share_of_all_orders_of_events() {
    must(&mut orders(&[]));
}

#[test]
fn the_model_of_the_api_server_says_what_a_real_one_says() {
    let plane = Plane::start();
    let mut compared = orders(&["--ignored", "the_model_says_what_a_real_server_says"]);
    must(compared.env("KUBECONFIG", &plane.kubeconfig).env("OPERATIONS", "500"));
}

#[test]
fn a_secret_is_read_on_a_real_api_server_with_the_right_to_it_alone() {
    let plane = Plane::start();
    let mut reads = runtime(&["--test", "reads", "--", "--ignored"]);
    must(reads.env("KUBECONFIG", &plane.kubeconfig));
}

#[test]
fn objects_affected_by_a_watched_one_are_reconciled_on_a_real_api_server() {
    let plane = Plane::start();
    let mut affected = runtime(&["--test", "affected", "--", "--ignored"]);
    must(affected.env("KUBECONFIG", &plane.kubeconfig));
}

#[test]
fn controllers_share_a_watch_of_a_real_api_server() {
    let plane = Plane::start();
    let mut shared = runtime(&["--test", "shared", "--", "--ignored"]);
    must(shared.env("KUBECONFIG", &plane.kubeconfig));
}

#[test]
fn children_in_other_namespaces_are_deleted_with_their_owners_on_a_real_api_server() {
    let plane = Plane::start();
    let mut across = runtime(&["--test", "across", "--", "--ignored"]);
    must(across.env("KUBECONFIG", &plane.kubeconfig));
}

#[test]
fn kinds_known_at_run_time_are_watched_on_a_real_api_server() {
    let plane = Plane::start();
    let mut dynamic = runtime(&["--test", "dynamic", "--", "--ignored"]);
    must(dynamic.env("KUBECONFIG", &plane.kubeconfig));
}

#[test]
fn a_reconciler_that_blocks_its_thread_holds_up_neither_lease_nor_probes() {
    let plane = Plane::start();
    let mut blocked = runtime(&["--test", "blocked", "--", "--ignored"]);
    must(blocked.env("KUBECONFIG", &plane.kubeconfig));
}

#[test]
fn a_child_is_applied_exactly_on_a_real_api_server() {
    let plane = Plane::start();
    let mut exact = runtime(&["--test", "exact", "--", "--ignored"]);
    must(exact.env("KUBECONFIG", &plane.kubeconfig));
}

#[test]
fn a_part_of_a_child_is_applied_on_a_real_api_server() {
    let plane = Plane::start();
    let mut part = runtime(&["--test", "part", "--", "--ignored"]);
    must(part.env("KUBECONFIG", &plane.kubeconfig));
}

/// The runtime's unit, webhook and doc tests pass. They run on eight threads, as they mostly wait for certificates.
#[test]
fn the_runtimes_own_tests_and_examples_hold() {
    let tests = ["--lib", "--test", "webhooks", "--", "--test-threads", "8"];
    must(&mut runtime(&tests));
    let examples = must(&mut runtime(&["--doc"]));
    let said = text(&examples.stdout);
    assert!(said.contains("test result: ok.") && !said.contains("running 0 tests"), "{said}");
}

/// Checks that the runtime works if rustls has a second crypto provider. This test takes minutes, because the second
/// provider makes cargo recompile all crates that use rustls.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn the_runtime_chooses_its_cryptography() {
    must(&mut with_features("second-provider,testing", &["--test", "cryptography"]));
}

/// Checks that one trace contains all work from a change of an object until the object's condition Ready is True. This
/// test takes long, because compiling the trace collector and its client takes a minute.
#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_trace_leads_from_a_change_to_ready() {
    let plane = Plane::start();
    let mut traces = with_features("collector,testing", &["--test", "traces"]);
    must(traces.env("KUBECONFIG", &plane.kubeconfig));
}
