//! Configures Tera with `{[ x ]}` for values, because Helm, GitHub workflows and Rust use `{{`. An undefined value
//! is an error, never an empty string.

use crate::yaml;
use tera::{Delimiters, Kwargs, State, Tera, TeraResult};

/// Returns a Tera engine that contains no templates, with the delimiters `{[` and `]}` and the filter `yaml`. The
/// filter writes a text as a YAML scalar, quoted if YAML would not read it as a string.
pub(super) fn engine() -> TeraResult<Tera> {
    let mut tera = Tera::new();
    let delimiters = Delimiters { variable_start: "{[".into(), variable_end: "]}".into(), ..Delimiters::default() };
    tera.set_delimiters(delimiters)?;
    // The templates are not HTML.
    tera.autoescape_on(Vec::<&str>::new());
    tera.register_filter("yaml", in_yaml);
    Ok(tera)
}

/// Returns the text as a YAML scalar, quoted if YAML would not read it as a string, such as `on` and `1.2`.
fn in_yaml(text: &str, _: Kwargs, _: &State<'_>) -> String {
    yaml::document(&text.into()).trim_end().to_owned()
}
