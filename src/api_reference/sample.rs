//! Samples: YAML documents with example objects, for the API reference.

use super::value::text;
use crate::yaml;

/// A document of a sample file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The `apiVersion` of the object.
    pub api_version: String,
    /// The `kind` of the object.
    pub kind: String,
    /// The file's path relative to the project's root.
    pub file: String,
    /// The document as it was written.
    pub text: String,
}

impl Sample {
    /// Returns a sample for each YAML document in a file that has a `kind`.
    pub fn read(file: &str, content: &str) -> Vec<Self> {
        let mut documents = vec![String::new()];
        for line in content.lines() {
            if line.trim_end() == "---" {
                documents.push(String::new());
            } else if let Some(document) = documents.last_mut() {
                document.push_str(line.trim_end());
                document.push('\n');
            }
        }
        let read = |document: &String| {
            let object = yaml::read(document).ok()?.pop()?;
            let (api_version, kind) = (text(&object, "apiVersion").to_owned(), text(&object, "kind").to_owned());
            let text = format!("{}\n", document.trim_matches('\n'));
            (!kind.is_empty()).then(|| Sample { api_version, kind, file: file.to_owned(), text })
        };
        documents.iter().filter_map(read).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_file_may_hold_several_documents_with_comments() {
        let content = "# one\r\napiVersion: a/v1\r\nkind: A\r\n---\n\n---\nno: kind\n---\n: bad: yaml\n---\napiVersion: b/v1\nkind: B\n\n";
        let samples = Sample::read("config/samples/a.yaml", content);
        let found: Vec<_> =
            samples.iter().map(|one| (one.api_version.as_str(), one.kind.as_str(), one.text.as_str())).collect();
        assert_eq!(
            found,
            [("a/v1", "A", "# one\napiVersion: a/v1\nkind: A\n"), ("b/v1", "B", "apiVersion: b/v1\nkind: B\n")]
        );
    }
}
