//! Copies the sample of one version for another version of the kind, under another object name.

use crate::model::Key;
use crate::scaffold::sample_name::sample_name;

/// Copies the documents of the kind from a sample of one version for another version; `None` if the sample has no such
/// document. Gives the objects new names, because users apply the samples of all versions together. `versions` are the
/// old and the new `apiVersion`, and `keys` are the keys of the old and the new version. `longest` is the maximum
/// length of a name, or 0 for no limit.
pub(super) fn copy(text: &str, versions: (&str, &str), keys: (&Key, &Key), longest: usize) -> Option<String> {
    let documents = text.split_inclusive('\n').fold(vec![String::new()], |mut documents, line| {
        if line.trim_end() == "---" {
            documents.push(String::new());
        } else if let Some(last) = documents.last_mut() {
            last.push_str(line);
        }
        documents
    });
    let copied: Vec<String> =
        documents.iter().filter_map(|document| document_of(document, versions, keys, longest)).collect();
    (!copied.is_empty()).then(|| copied.join("---\n"))
}

fn document_of(document: &str, (from, to): (&str, &str), (old, new): (&Key, &Key), longest: usize) -> Option<String> {
    let says = |line: &str, key: &str, value: &str| {
        let said = line.strip_prefix(key).and_then(|rest| rest.strip_prefix(':'));
        said.is_some_and(|said| unquoted_value(said) == value)
    };
    let mut lines = document.lines();
    let is_of_kind = lines.clone().any(|line| says(line, "kind", old.kind.as_str()))
        && lines.any(|line| says(line, "apiVersion", from));
    if !is_of_kind {
        return None;
    }
    let (mut copied, mut in_metadata) = (String::new(), false);
    for line in document.split_inclusive('\n') {
        if !line.starts_with([' ', '#', '\n', '\r']) {
            in_metadata = line.starts_with("metadata:");
        }
        let value = line.trim_start().strip_prefix("name:").filter(|_| in_metadata && line.starts_with(' '));
        if says(line, "apiVersion", from) {
            copied.push_str(&line.replacen(from, to, 1));
        } else if let Some(value) = value.filter(|value| !unquoted_value(value).is_empty()) {
            copied.push_str(&line[..line.len() - value.len()]);
            copied.push_str(&value.replacen(
                unquoted_value(value),
                &new_object_name(unquoted_value(value), (old, new), longest),
                1,
            ));
            in_metadata = false;
        } else {
            copied.push_str(line);
        }
    }
    Some(copied)
}

/// Returns a YAML value without its quotes and its comment.
fn unquoted_value(value: &str) -> &str {
    value.split(" #").next().unwrap_or_default().trim().trim_matches(['"', '\''])
}

/// Returns the object's name in the new version: `webserver-sample-v1` for `webserver-sample` and for
/// `webserver-sample-v1beta1`.
fn new_object_name(name: &str, (old, new): (&Key, &Key), longest: usize) -> String {
    let name = name.strip_suffix(&format!("-{}", old.version)).unwrap_or(name);
    sample_name(name, &format!("-{}", new.version), longest)
}

#[cfg(test)]
mod tests {
    use super::copy;
    use crate::model::{Group, Key, Kind, Version};

    #[test]
    fn the_documents_of_the_kind_are_copied_under_names_of_their_own() {
        let key = |version: &str| Key {
            group: Group::none(),
            version: Version::parse(version).expect(version),
            kind: Kind::parse("Disk").expect("a kind"),
        };
        let of = |version: &str, name: &str| {
            format!(
                "# Mine.\napiVersion: example.com/{version}\nkind: Disk\nmetadata:\n  labels:\n    app: x\n  name: {name} # é\nspec:\n  \
                 name: a\n"
            )
        };
        let copied = |text: &str, to: &str| {
            copy(text, ("example.com/v1beta1", &format!("example.com/{to}")), (&key("v1beta1"), &key(to)), 8)
        };
        assert_eq!(copied(&of("v1beta1", "name"), "v1"), Some(of("v1", "name-v1")));
        assert_eq!(copied(&of("v1beta1", "b-v1beta1"), "v2"), Some(of("v2", "b-v2")));
        let other = "apiVersion: v1\nkind: Secret\nmetadata:\n  name: big\n";
        let several = format!("{}---\n{other}---\n{}", of("v1beta1", "a"), of("v1beta1", "b"));
        assert_eq!(copied(&several, "v1"), Some(format!("{}---\n{}", of("v1", "a-v1"), of("v1", "b-v1"))));
        assert_eq!(copied(&of("v1beta1", "much-longer"), "v1"), Some(of("v1", "much-v1")), "as long as allowed");
        assert_eq!(copied(other, "v1"), None);
        assert_eq!(copied(&of("v1alpha1", "a"), "v1"), None);
    }
}
