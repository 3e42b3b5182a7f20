//! The runtime of generated projects under orders of events: `tests/runtime/tests/orders` says how.

use crate::support::{Plane, must};
use std::process::Command;

/// Those tests, compiled with what opctl's own have compiled.
fn orders(arguments: &[&str]) -> Command {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["test", "--locked", "--quiet", "--package", "runtime", "--test", "orders", "--"]).args(arguments);
    // Errors without backtraces: there are thousands of them.
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

/// They wait for certificates and timeouts more than they work.
#[test]
fn the_runtime_serves_webhooks_whatever_comes() {
    let mut cargo = Command::new(env!("CARGO"));
    let features = "second-provider,testing,webhooks";
    cargo.args(["test", "--locked", "--quiet", "--package", "runtime", "--features", features]);
    cargo.args(["--test", "cryptography", "--test", "webhooks", "--", "--test-threads", "8"]);
    must(cargo.current_dir(env!("CARGO_MANIFEST_DIR")).env("RUST_BACKTRACE", "0"));
}
