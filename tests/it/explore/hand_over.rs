//! `opctl explore` runs an operator with leader election twice, and lets the second replica take over after each write.

use super::{Plain, brief, error, summary};

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_correct_operator_survives_a_hand_over_at_each_write() {
    let operator = Plain::build("elected", None);
    let summary = summary(&operator.explore(&["--only", "hand-over", "--all"]));
    assert_eq!(summary["findings"], serde_json::json!([]), "{}", brief(&summary));
    assert!(summary["planned"].as_u64().unwrap() >= 7, "{}", brief(&summary));
    assert_eq!(summary["reached"], summary["planned"], "{}", brief(&summary));
    // An operator that listens on a fixed port cannot run twice.
    let one_at_a_time = operator.explore(&["--only", "hand-over", "--jobs", "1", "--list"]);
    assert!(error(&one_at_a_time).starts_with("`--only hand-over` matches none of"), "{}", error(&one_at_a_time));
}

#[test]
#[ignore = "it takes minutes: .ci/long"]
fn a_new_leader_that_does_nothing_is_found() {
    let plan = "hand-over:patch:configmaps/corner#1@create";
    let output = Plain::build("elected", Some("41-no-start-after-the-wait")).explore(&["--replay", plan]);
    let summary = summary(&output);
    let finding = &summary["findings"][0];
    assert_eq!(finding["code"], "heals-with-a-restart", "{}", brief(&summary));
    assert_eq!(finding["message"], "after another replica took over, services/corner-inside is missing");
}
