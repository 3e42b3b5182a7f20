//! Edits the dependencies of a Cargo.toml in the same way as `cargo add`.

use toml_edit::{DocumentMut, Item, TableLike, TomlError, Value};

/// Returns true if `[dependencies]` contains the crate `name`. As in cargo, `-` and `_` in a name are equivalent.
///
/// # Errors
/// Fails if the text is not TOML.
pub fn has_dependency(text: &str, name: &str) -> Result<bool, TomlError> {
    let document: DocumentMut = text.parse()?;
    let known = document.get("dependencies").and_then(Item::as_table_like);
    Ok(known.is_some_and(|known| known.iter().any(|(key, _)| is_same(key, name))))
}

/// Returns each crate in `[dependencies]` with its value as text; an empty list if `text` is not TOML.
pub fn dependencies(text: &str) -> Vec<(String, String)> {
    let document: DocumentMut = text.parse().unwrap_or_default();
    let known = document.get("dependencies").and_then(Item::as_table_like);
    let known = known.into_iter().flat_map(TableLike::iter);
    known
        .filter_map(|(name, item)| Some((name.to_owned(), item.as_value()?.clone().decorated("", "").to_string())))
        .collect()
}

/// Adds `name = value` to `[dependencies]`, and keeps the entries sorted if they were sorted before. An existing entry
/// for the crate stays unchanged unless `replaced` is true.
///
/// # Errors
/// Fails if the text or the value is not TOML.
pub fn insert_dependency(text: &str, name: &str, value: &str, replaced: bool) -> Result<String, TomlError> {
    if !replaced && has_dependency(text, name)? {
        return Ok(text.to_owned());
    }
    let mut document: DocumentMut = text.parse()?;
    let value: Value = value.parse()?;
    let Some(known) = document.entry("dependencies").or_insert_with(toml_edit::table).as_table_like_mut() else {
        return Ok(text.to_owned());
    };
    let there = known.iter().find(|(key, _)| is_same(key, name)).map(|(key, _)| key.to_owned());
    if let Some(there) = there {
        known.remove(&there);
    }
    let sorted = known.iter().map(|(key, _)| key.to_owned()).is_sorted();
    known.insert(name, Item::Value(value));
    if sorted {
        known.sort_values();
    }
    Ok(document.to_string())
}

/// Enables a feature of a crate in `[dependencies]`. Returns `None` if the crate is missing, or if its entry has a form
/// to which opctl cannot add a feature.
///
/// # Errors
/// Fails if the text is not TOML.
pub fn insert_feature(text: &str, name: &str, feature: &str) -> Result<Option<String>, TomlError> {
    let mut document: DocumentMut = text.parse()?;
    let known = document.get_mut("dependencies").and_then(Item::as_table_like_mut);
    let Some(item) = known.and_then(|known| known.get_mut(name)) else { return Ok(None) };
    if let Some(version) = item.as_str() {
        let mut table = toml_edit::InlineTable::new();
        table.insert("version", version.into());
        *item = Item::Value(Value::InlineTable(table));
    }
    let Some(table) = item.as_table_like_mut() else { return Ok(None) };
    let features = table.entry("features").or_insert_with(|| Item::Value(Value::Array(toml_edit::Array::new())));
    let Some(features) = features.as_array_mut() else { return Ok(None) };
    if features.iter().any(|known| known.as_str() == Some(feature)) {
        return Ok(Some(text.to_owned()));
    }
    features.push(feature);
    if let Some(inline) = item.as_inline_table_mut() {
        inline.fmt();
    }
    Ok(Some(document.to_string()))
}

fn is_same(key: &str, name: &str) -> bool {
    key.replace('-', "_") == name.replace('-', "_")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_feature_is_switched_on_once() {
        for (before, after) in [
            ("{ path = \"a\" }", Some("{ path = \"a\", features = [\"f\"] }")),
            ("{ path = \"a\", features = [\"b\"] } # why", Some("{ path = \"a\", features = [\"b\", \"f\"] } # why")),
            ("{ path = \"a\", features = [\"f\"] }", Some("{ path = \"a\", features = [\"f\"] }")),
            ("\"1\"", Some("{ version = \"1\", features = [\"f\"] }")),
            ("{ path = \"a\", features = 1 }", None),
            ("1", None),
        ] {
            let text = |value: &str| format!("[dependencies]\nanyhow = \"1\"\nname = {value}\n\n[workspace]\n");
            let edited = insert_feature(&text(before), "name", "f").expect(before);
            assert_eq!(edited, after.map(text), "{before}");
        }
        let workspace = "[dependencies]\nname.workspace = true\n";
        let edited = insert_feature(workspace, "name", "f").expect("valid").expect("there");
        assert_eq!(edited, format!("{workspace}name.features = [\"f\"]\n"));
        assert_eq!(insert_feature("[dependencies]\n", "name", "f").expect("valid"), None);
        assert!(insert_feature("[dependencies", "name", "f").is_err());
    }

    #[test]
    fn a_dependency_goes_where_cargo_puts_it() {
        let line = "my-certs = { path = \"../c\" }\n";
        for text in [
            "[dependencies]\n# Errors.\nanyhow = \"1\"\nkube.workspace = true # all of it\n<>\n[workspace]\n",
            "[dependencies]\nanyhow = \"1\"\n<># Values.\nserde = \"1\"\n",
            "[dependencies]\nserde = \"1\"\nanyhow = \"1\"\n<>",
            "[dependencies]\n<>",
        ] {
            let edited =
                insert_dependency(&text.replace("<>", ""), "my-certs", "{ path = \"../c\" }", false).expect(text);
            assert_eq!(edited, text.replace("<>", line));
            assert_eq!(insert_dependency(&edited, "my_certs", "\"2\"", false).expect(text), edited);
            let replaced = insert_dependency(&edited, "my-certs", "\"2\"", true).expect(text);
            assert_eq!(replaced, text.replace("<>", "my-certs = \"2\"\n"));
        }
        let edited = insert_dependency("[package]\nname = \"a\"\n", "my-certs", "\"0.1\"", false).expect("valid");
        assert_eq!(edited, "[package]\nname = \"a\"\n\n[dependencies]\nmy-certs = \"0.1\"\n");
        assert!(insert_dependency("[dependencies", "a", "\"1\"", false).is_err());
        let listed = dependencies("[dependencies]\na = \"1\" # one\nb.workspace = true\nc = { path = \"../c\" }\n");
        let named = |name: &str, value: &str| (name.to_owned(), value.to_owned());
        assert_eq!(listed[0], named("a", "\"1\""));
        assert_eq!(listed.last(), Some(&named("c", "{ path = \"../c\" }")));
        assert!(dependencies("<<<<<<< HEAD").is_empty());
        assert!(has_dependency("[dependencies]\na-b.workspace = true\n", "a_b").expect("valid"));
    }
}
