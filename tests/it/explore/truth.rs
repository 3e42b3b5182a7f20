//! `opctl explore` fails if there is nothing to explore, and creates the objects that samples need.

use super::{Plain, error, lay, operators};
use crate::support::edit;
use serde_json::Value;
use std::path::Path;
use std::process::Output;

/// Builds an operator without a bug that cannot reconcile a `Shop` unless the Secret `key` exists.
fn needy() -> Plain {
    Plain::build_with("plain-operator", None, |folder| {
        let begins = "async fn apply(shop: &Shop, ctx: &Context) -> anyhow::Result<Action> {\n";
        let reads =
            "    api::<k8s_openapi::api::core::v1::Secret>(shop, ctx).get(\"key\").await.context(\"the key\")?;\n";
        edit(&folder.join("src/main.rs"), begins, &format!("{begins}{reads}"));
    })
}

fn document(output: &Output) -> Value {
    serde_json::from_slice(&output.stdout).unwrap_or_else(|_| panic!("{output:?}"))
}

#[test]
fn an_operator_that_does_nothing_is_no_success() {
    let plain = needy();
    let failed = plain.explore(&["--list"]);
    assert_eq!(failed.status.code(), Some(1));
    assert_eq!(error(&failed), "nothing was explored: the operator writes nothing for the samples");
    let causes = document(&failed)["error"]["causes"].to_string();
    assert!(causes.contains("the key: ApiError: secrets"), "{causes}");

    let root = plain.folder.path();
    let secret = "apiVersion: v1\nkind: Secret\nmetadata: {name: key}\nstringData: {key: a}\n";
    // The second object of a kind, and one without a namespace.
    let more = "---\napiVersion: v1\nkind: Secret\nmetadata: {name: another, namespace: elsewhere}\n---\n\
        apiVersion: scheduling.k8s.io/v1\nkind: PriorityClass\nmetadata: {name: soon}\nvalue: 7\n";
    std::fs::write(root.join("samples/a.yaml"), format!("{secret}{more}")).unwrap();
    let listed = plain.explore(&["--list"]);
    assert!(listed.status.success(), "{}", error(&listed));
    let plans = document(&listed)["data"]["plans"].to_string();
    assert!(plans.contains("crash:patch:services/corner#1@create") && !plans.contains("field:secrets"), "{plans}");

    deny(
        root,
        "  resources: [shops]\n  verbs: [get, list, patch, update, watch]",
        "  resources: [shops]\n  verbs: [get]",
    );
    let denied = plain.explore(&["--list"]);
    assert_eq!(error(&denied), "nothing was explored: the operator is not allowed to `list shops.example.com`");
}

#[test]
fn a_line_is_run_as_a_line_and_lines_to_paste_repeat_it() {
    let plain = Plain::build("plain-operator", None);
    let line = "cd . && WORD='a b' ./operator";
    let none = plain.explore_by(line, &["--only", "crash,crsh"]);
    assert_eq!(none.status.code(), Some(2));
    let message = error(&none);
    assert!(message.starts_with("`--only crsh` matches none of the "), "{message}");
    let told = document(&none)["error"].clone();
    assert!(told["causes"][0].as_str().unwrap().contains("`crash`"), "{told}");
    let again =
        "opctl explore --command 'cd . && WORD='\\''a b'\\'' ./operator' --crds crds --samples samples --roles roles";
    assert_eq!(told["hint"], format!("{again} --list    # lists all fault plans"));
    assert_eq!(operators(plain.folder.path()), 0);

    let remembered = plain.explore_by(line, &["--remember", "down@change"]);
    assert_eq!(error(&remembered), "`--remember` needs a project of opctl");
    let hint =
        format!("{again} --replay down@change    # run this in the operator's CI: it fails if the finding reappears");
    assert_eq!(document(&remembered)["error"]["hint"], hint);

    let ended = plain.explore_by("echo no room; exit 7", &[]);
    assert_eq!(error(&ended), "the operator exits again and again: exit status: 7");
    assert_eq!(document(&ended)["error"]["causes"], serde_json::json!(["operator: no room"]));
}

/// Copies the roles into `root`, and replaces the text `rule` in `role.yaml` by `rest`, which grants fewer rights.
fn deny(root: &Path, rule: &str, rest: &str) {
    lay(&super::data().join("roles"), &root.join("roles"));
    edit(&root.join("roles/role.yaml"), rule, rest);
}
