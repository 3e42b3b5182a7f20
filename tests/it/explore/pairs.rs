//! Pairs of faults, which `--depth 2` tries.

use super::{Plain, brief, summary};

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_recovery_that_is_interrupted_is_found_by_a_pair() {
    let plain = Plain::build("account", Some("40-recovery-that-is-interrupted"));
    let summary = summary(&plain.explore_kind("account", &["--depth", "2", "--only", "crash:create:configmaps"]));
    let classes = summary["exercised"]["classes"].as_array().unwrap();
    assert!(classes.iter().any(|points| points["class"] == "pairs" && points["tried"] == points["planned"]));
    let [finding] = &summary["findings"].as_array().unwrap()[..] else { panic!("{}", brief(&summary)) };
    let message = finding["message"].as_str().unwrap();
    assert!(message.starts_with("after a crash and then "), "{message}");
    assert!(message.contains("there is 1 object more than without the fault: configmaps/"), "{message}");
    let plan = finding["plan"].as_str().unwrap();
    assert!(plan.contains("@create then ") && plan.contains(":patch:accounts.example.com/ann/status#"), "{plan}");
    assert_eq!(finding["repeats"]["shown"], 3);
}
