//! Compares the answers of the new CRDs about objects that the old ones accept.

use crate::explore::canonical::leaves;
use crate::explore::state::Difference;
use crate::explore::upgrade::code::Code;
use crate::explore::upgrade::definitions::Answer;
use crate::explore::upgrade::found::Found;
use crate::explore::upgrade::play::Play;
use serde_json::Value;
use std::collections::BTreeSet;

/// Judges the answers: the object, the field in which it differs from the sample, the object as the old CRD stores it, and
/// the answer with the new CRD.
pub(in crate::explore::upgrade) fn answers(answers: Vec<(String, String, Value, Answer)>) -> Vec<Found> {
    let (mut found, mut seen) = (Vec::new(), BTreeSet::new());
    let sample_is_refused: BTreeSet<String> = answers
        .iter()
        .filter(|(_, path, _, answer)| path.is_empty() && matches!(answer, Answer::Refused(_)))
        .map(|(object, ..)| object.clone())
        .collect();
    for (object, path, stored, answer) in answers {
        match answer {
            Answer::Refused(_) if sample_is_refused.contains(&object) && !path.is_empty() => {}
            Answer::Refused(message) => {
                if seen.insert((object.clone(), path.clone())) {
                    let text = if path.is_empty() {
                        format!("the new CRD refuses {object}, which the old one has stored: {message}")
                    } else {
                        let value = stored.pointer(&format!("/{}", path.replace('.', "/"))).unwrap_or(&Value::Null);
                        let value = shortened(&value.to_string());
                        let resource = object.split('/').next().unwrap_or_default();
                        format!(
                            "the new CRD of {resource} refuses {path} {value}, which the old one accepts: {}",
                            shortened(&message)
                        )
                    };
                    let place = if path.is_empty() { object } else { format!("{object} .{path}") };
                    found.push(Found::new(Code::Refused, Play::Definitions, place, text));
                }
            }
            Answer::Accepted(now) => found.extend(pruned(&object, &stored, &now, &mut seen)),
        }
    }
    found
}

/// Returns the fields that the new CRD removes from an object.
fn pruned(object: &str, stored: &Value, now: &Value, seen: &mut BTreeSet<(String, String)>) -> Vec<Found> {
    let (stored, now) = (leaves(stored, &Vec::new()), leaves(now, &Vec::new()));
    let is_gone = |path: &&String| {
        let below = |other: &String| other.starts_with(&format!("{path}.")) || other.starts_with(&format!("{path}["));
        path.starts_with(".spec.") && !now.contains_key(*path) && !now.keys().any(below)
    };
    let gone: Vec<String> = stored.keys().filter(is_gone).cloned().collect();
    let new = gone.into_iter().filter(|path| seen.insert((object.to_owned(), format!("pruned {path}"))));
    new.map(|path| {
        let text = format!("the new CRD lacks {path} of {object}: it is removed from each object at the next write");
        let difference = Difference {
            object: object.to_owned(),
            name: None,
            expected: stored.get(&path).map(ToString::to_string),
            found: None,
            path: path.clone(),
        };
        Found::new(Code::Lost, Play::Definitions, format!("{object} {path}"), text).with(vec![difference])
    })
    .collect()
}

fn shortened(text: &str) -> String {
    crate::report::clipped(text, 160)
}
