//! Reads the values of a webhook marker's arguments.

use crate::source::markers::{Argument, MarkerError, closest};

/// Returns the element of `known` that equals `value` if upper and lower case are ignored; this element is the spelling
/// in the Kubernetes API. Fails if no element is equal. `what`, such as `verb`, describes the value in the error
/// message.
pub(super) fn choice(argument: &Argument, value: &str, known: &[&str], what: &str) -> Result<String, MarkerError> {
    if let Some(known) = known.iter().find(|known| known.eq_ignore_ascii_case(value)) {
        return Ok((*known).to_owned());
    }
    let hint = match closest(value, known) {
        Some(meant) if what == "verb" => format!("did you mean `{}`?", meant.to_lowercase()),
        Some(meant) => format!("did you mean `{meant}`?"),
        None if what == "verb" => "the verbs are `create`, `update`, `delete`, `connect`, and `*` for all".to_owned(),
        None => format!("write `{}={}`", argument.key, known.join(&format!("` or `{}=", argument.key))),
    };
    Err(argument.wrong_value(value, format!("unknown {what} `{value}`"), hint))
}

/// Returns the value of the argument; an empty value counts as absent, as in controller-gen.
pub(super) fn text(argument: &Argument) -> Result<Option<String>, MarkerError> {
    match argument.values.as_slice() {
        [] => Ok(None),
        _ => Ok(Some(argument.only_value()?.to_owned()).filter(|value| !value.is_empty())),
    }
}

pub(super) fn truth(argument: &Argument) -> Result<bool, MarkerError> {
    argument.only_value()?.parse().map_err(|_| {
        let (key, value) = (&argument.key, &argument.values[0].0);
        argument.wrong_value(value, format!("`{key}` is `{value}`"), format!("write `{key}=true` or `{key}=false`"))
    })
}

pub(super) fn number(argument: &Argument, least: u32, most: u32) -> Result<u32, MarkerError> {
    let value = argument.only_value()?;
    value.parse().ok().filter(|number| (least..=most).contains(number)).ok_or_else(|| {
        let message = format!("`{}` is `{value}`", argument.key);
        argument.wrong_value(value, message, format!("write a number from {least} to {most}"))
    })
}
