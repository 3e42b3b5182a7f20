//! Runs the tests of `tests/runtime/tests/orders`: the runtime of generated projects under many orders of events.

use crate::support::{Plane, must};
use std::process::Command;

/// Returns a command that runs those tests, in the target folder of opctl's own tests.
fn orders(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--locked", "--quiet", "--package", "runtime", "--test", "orders", "--"]).args(arguments);
    // Without backtraces, because there are thousands of errors.
    cargo.current_dir(env!("CARGO_MANIFEST_DIR")).env("RUST_BACKTRACE", "0");
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

/// The tests run on eight threads, because they mostly wait for certificates and timeouts.
#[test]
fn the_runtime_serves_webhooks_whatever_comes() {
    let mut cargo = Command::new(env!("CARGO"));
    let features = "second-provider,testing,webhooks";
    cargo.args(["test", "--locked", "--quiet", "--package", "runtime", "--features", features]);
    cargo.args(["--test", "cryptography", "--test", "webhooks", "--", "--test-threads", "8"]);
    must(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).env("RUST_BACKTRACE", "0"));
}
