//! Renders the generated Rust types as code.

use super::doc::doc;
use super::items::{Item, body, enumeration};
use super::rust_types::Types;
use std::collections::BTreeSet;

impl Types {
    /// Renders all items as Rust code. `spec` is the name of the spec's struct; `head` is the text above this struct,
    /// in place of the usual derives.
    pub(super) fn code(&self, spec: &str, head: &str) -> String {
        let mut text = String::new();
        let mut written = BTreeSet::new();
        for item in &self.items {
            text.push('\n');
            match item {
                Item::Struct(made) if made.name == spec => {
                    text.push_str(&self.above(&made.name, ""));
                    text.push_str(head);
                    text.push_str(&body(made));
                }
                Item::Struct(made) => {
                    text.push_str(&self.above(&made.name, &format!("The fields of `{}`.", made.path)));
                    let default = if made.has_default { "Default, " } else { "" };
                    text.push_str(&format!(
                        "#[derive(KubeSchema, Serialize, Deserialize, Clone, Debug, {default}PartialEq)]\n"
                    ));
                    text.push_str(&body(made));
                }
                Item::Enum(made) => {
                    text.push_str(&self.above(&made.name, &format!("The allowed values of `{}`.", made.path)));
                    text.push_str(&enumeration(made));
                }
            }
            let Item::Struct(made) = item else { continue };
            for name in made.fields.iter().filter_map(|field| field.function.as_ref()) {
                if let Some((of, expression)) = self.functions.get(name)
                    && written.insert(name)
                {
                    text.push_str(&format!("\nfn {name}() -> {of} {{\n    {expression}\n}}\n"));
                }
            }
        }
        text
    }

    /// Returns the doc comment of the type `name`: the description in the type's schema or, if the type has no
    /// description, `usual`. Returns an empty text instead of `usual` if the generated code has a field of the type
    /// `name` without a description, because schemars would use `usual` as the description of this field.
    fn above(&self, name: &str, usual: &str) -> String {
        match self.docs.get(name) {
            Some(description) => doc(description, ""),
            None if usual.is_empty() || self.bare.contains(name) => String::new(),
            None => doc(usual, ""),
        }
    }
}
