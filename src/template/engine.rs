//! Tera, with `{[ x ]}` for values because `{{` belongs to Helm, workflows and Rust. An undefined value is an error, never an empty
//! string.

use crate::yaml;
use tera::{Delimiters, Kwargs, State, Tera, TeraResult};

/// Returns an engine without templates. The filter `yaml` quotes names that YAML would take for something else.
pub(super) fn engine() -> TeraResult<Tera> {
    let mut tera = Tera::new();
    let delimiters = Delimiters { variable_start: "{[".into(), variable_end: "]}".into(), ..Delimiters::default() };
    tera.set_delimiters(delimiters)?;
    // The templates are not HTML.
    tera.autoescape_on(Vec::<&str>::new());
    tera.register_filter("yaml", in_yaml);
    Ok(tera)
}

/// Returns the text as a scalar of YAML, with quotes if it would be another value without them, such as `on` and `1.2`.
fn in_yaml(text: &str, _: Kwargs, _: &State<'_>) -> String {
    yaml::document(&text.into()).trim_end().to_owned()
}
