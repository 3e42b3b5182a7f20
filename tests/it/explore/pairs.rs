//! `opctl explore --depth 2`, which tries pairs of faults.

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
    // A refusal, which lasts, leads to several of them.
    let is_surplus =
        [" more object than without the fault: configmaps/", " more objects than without the fault: configmaps/"];
    assert!(is_surplus.iter().any(|text| message.contains(text)), "{message}");
    let plan = finding["plan"].as_str().unwrap();
    let (first, second) = plan.split_once(" then ").unwrap_or_else(|| panic!("{plan}"));
    // Of the first creation or of the second one: the run that ends first leads to the pair.
    assert!(first.starts_with("crash:create:configmaps/") && first.ends_with("create"), "{plan}");
    assert!(second.contains(":patch:accounts.example.com/ann/status#"), "{plan}");
    assert_eq!(finding["repeats"]["shown"], 3);
}
