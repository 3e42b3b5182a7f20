//! Finds objects that the old CRDs accept, but that the API server refuses or changes under the new CRDs.

use crate::explore::record::normalize::leaves;
use crate::explore::record::state::Difference;
use crate::explore::upgrade::apply_crds::Answer;
use crate::explore::upgrade::code::Code;
use crate::explore::upgrade::found::UpgradeFinding;
use crate::explore::upgrade::play::Play;
use serde_json::Value;
use std::collections::BTreeSet;

/// An object that the API server accepts with the old CRD, and the server's answer with the new CRD.
pub(in crate::explore::upgrade) struct ServerAnswers {
    /// The name of the sample, such as `shops.example.com/corner`.
    pub(in crate::explore::upgrade) object: String,
    /// The field in which the object differs from the sample; empty for the sample itself.
    pub(in crate::explore::upgrade) path: String,
    /// The object as a user sends it.
    pub(in crate::explore::upgrade) sent: Value,
    /// The object as the API server would store it with the old CRD.
    pub(in crate::explore::upgrade) stored: Value,
    /// The answer of the API server with the new CRD.
    pub(in crate::explore::upgrade) answer: Answer,
    /// True if a webhook of the new version converts objects of this kind.
    pub(in crate::explore::upgrade) is_converted: bool,
}

/// Returns the findings about the API server's answers with the new CRDs, one finding for each field.
pub(in crate::explore::upgrade) fn answers(asked: Vec<ServerAnswers>) -> Vec<UpgradeFinding> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let sample_is_refused: BTreeSet<String> = asked
        .iter()
        .filter(|asked| asked.path.is_empty() && matches!(asked.answer, Answer::Refused(_)))
        .map(|asked| asked.object.clone())
        .collect();
    for asked in asked {
        let ServerAnswers { object, path, .. } = &asked;
        match &asked.answer {
            Answer::Refused(_) if sample_is_refused.contains(object) && !path.is_empty() => {}
            Answer::Refused(message) => {
                if seen.insert((object.clone(), path.clone())) {
                    let place = if path.is_empty() { object.clone() } else { format!("{object} .{path}") };
                    found.push(UpgradeFinding::new(
                        Code::Refused,
                        Play::Definitions,
                        place,
                        describe_refusal(&asked, message),
                    ));
                }
            }
            Answer::Accepted(now) => found.extend(lost_field_findings(&asked, now, &mut seen)),
        }
    }
    found
}

fn describe_refusal(asked: &ServerAnswers, message: &str) -> String {
    let ServerAnswers { object, path, stored, .. } = asked;
    let who = match () {
        () if message.starts_with("admission webhook ") => "webhook",
        () if message.contains("conversion webhook for ") => "conversion",
        () => "CRD",
    };
    if path.is_empty() {
        return format!("the new {who} refuses {object}, which the old version accepts: {message}");
    }
    let value = stored.pointer(&format!("/{}", path.replace('.', "/"))).unwrap_or(&Value::Null);
    let value = shorten_text(&value.to_string());
    let resource = object.split('/').next().unwrap_or_default();
    let message = shorten_text(message);
    format!("the new {who} of {resource} refuses {path} {value}, which the old one accepts: {message}")
}

/// Returns findings for two kinds of fields of an object: fields that the new version removes, and fields that users
/// set and the new version changes.
fn lost_field_findings(
    asked: &ServerAnswers,
    now: &Value,
    seen: &mut BTreeSet<(String, String)>,
) -> Vec<UpgradeFinding> {
    let ServerAnswers { object, is_converted, .. } = asked;
    let [sent, stored, now] = [&asked.sent, &asked.stored, now].map(|value| leaves(value, &Vec::new()));
    let is_gone = |path: &String| {
        let below = |other: &String| other.starts_with(&format!("{path}.")) || other.starts_with(&format!("{path}["));
        !now.contains_key(path) && !now.keys().any(below)
    };
    // What users leave out may have another default.
    let is_changed = |path: &String| {
        sent.get(path) == stored.get(path) && now.get(path).is_some_and(|value| Some(value) != stored.get(path))
    };
    let differing = stored.keys().filter(|path| path.starts_with(".spec.") && (is_gone(path) || is_changed(path)));
    let new = differing.filter(|path| seen.insert((object.clone(), format!("lost {path}"))));
    new.map(|path| {
        let [before, after] = [&stored, &now].map(|leaves| leaves.get(path).map(ToString::to_string));
        let text = match (&before, &after) {
            (Some(before), Some(after)) => {
                let (before, after) = (shorten_text(before), shorten_text(after));
                format!("the new version changes {path} of {object} from {before} to {after} at each write")
            }
            _ if *is_converted => format!("the new conversion forgets {path} of {object} at each write"),
            _ => {
                format!("the new CRD lacks {path} of {object}: the field is removed from each object at the next write")
            }
        };
        let difference =
            Difference { object: object.clone(), name: None, expected: before, found: after, path: path.clone() };
        UpgradeFinding::new(Code::Lost, Play::Definitions, format!("{object} {path}"), text).with(vec![difference])
    })
    .collect()
}

fn shorten_text(text: &str) -> String {
    crate::report::clipped(text, 160)
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    fn judged(answer: Answer, is_converted: bool) -> Vec<String> {
        let object = |spec: Value| json!({"apiVersion": "e.com/v1", "metadata": {"name": "s"}, "spec": spec});
        let found = answers(vec![ServerAnswers {
            object: "shops.e.com/s".to_owned(),
            path: "spec.size".to_owned(),
            sent: object(json!({"size": 2, "mode": {"deep": "a"}})),
            stored: object(json!({"size": 2, "mode": {"deep": "a"}, "port": 80})),
            answer,
            is_converted,
        }]);
        found.iter().map(|found| format!("{}: {}", found.code.name(), found.text)).collect()
    }

    #[test]
    fn user_set_values_that_a_new_version_changes_or_drops_are_losses() {
        let stored = |spec: Value| Answer::Accepted(json!({"apiVersion": "e.com/v1", "spec": spec}));
        let kept = || stored(json!({"size": 2, "mode": {"deep": "a"}, "port": 8080, "more": true}));
        // The default of a field may change.
        assert!(judged(kept(), false).is_empty() && judged(kept(), true).is_empty());
        let other = || stored(json!({"size": 3, "port": 80}));
        let changed = "lost: the new version changes .spec.size of shops.e.com/s from 2 to 3 at each write";
        let lacks = "lost: the new CRD lacks .spec.mode.deep of shops.e.com/s: the field is removed from each object at the next write";
        let forgets = "lost: the new conversion forgets .spec.mode.deep of shops.e.com/s at each write";
        assert_eq!(judged(other(), false), [lacks, changed]);
        assert_eq!(judged(other(), true), [forgets, changed]);
    }

    #[test]
    fn a_refusal_names_who_refuses() {
        for (message, who) in [
            ("Shop.e.com is invalid: spec.size: Invalid value", "CRD"),
            ("admission webhook \"v.e.com\" denied the request: no", "webhook"),
            ("conversion webhook for e.com/v1, Kind=Shop failed: no", "conversion"),
        ] {
            let expected = format!(
                "refused: the new {who} of shops.e.com refuses spec.size 2, which the old one accepts: {message}"
            );
            assert_eq!(judged(Answer::Refused(message.to_owned()), true), [expected]);
        }
    }
}
