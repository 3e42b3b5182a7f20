//! Reads untrusted YAML, with limits on the number of values and documents.

use super::plain::as_go_yaml_reads;
use crate::Error;
use serde_json::Value;
use std::path::Path;

/// The maximum number of values in a file. The CRDs of Crossplane's provider for AWS, a single file of 30 MiB, have a
/// million values; the parser's default limit is a quarter of a million.
const VALUES: usize = 4_000_000;
/// The maximum number of documents in a file; the largest catalogs of CRDs have a few thousand documents.
const DOCUMENTS: usize = 100_000;

/// The phrases by which the parser's errors report an exceeded limit.
const LIMITS: [&str; 2] = ["budget breached: ", "recursion limit exceeded"];

/// Returns true if the file has a YAML extension.
pub fn is_yaml(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == "yaml" || extension == "yml")
}

/// Returns the documents in a YAML text.
///
/// # Errors
/// Fails if the text is not YAML, or exceeds a limit; [`cause`] describes the error.
pub fn read(text: &str) -> Result<Vec<Value>, serde_yaml::Error> {
    read_within(text, VALUES, DOCUMENTS)
}

fn read_within(text: &str, values: usize, documents: usize) -> Result<Vec<Value>, serde_yaml::Error> {
    let options = serde_yaml::options! {
        budget: serde_yaml::budget! {
            max_nodes: values,
            // Each value is at most two events, its begin and its end.
            max_events: 2 * (values + documents),
            max_documents: documents,
        },
    };
    serde_yaml::from_multiple_with_options(&as_go_yaml_reads(text), options)
}

/// Returns the first line of a parser's error, without hints for programmers.
pub fn cause(error: &serde_yaml::Error) -> String {
    let line = first_line(error).replace(", set DuplicateKeyPolicy in Options if acceptable", "");
    match LIMITS.iter().find_map(|limit| line.split_once(limit)) {
        Some((place, _)) => format!("{place}the YAML is too large or too deeply nested for a manifest"),
        None => line,
    }
}

fn first_line(error: &serde_yaml::Error) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().trim_start_matches("error: ").to_owned()
}

/// Returns the error for a file that the user named and that cannot be read as YAML.
pub fn unreadable_error(file: &str, error: &serde_yaml::Error) -> Error {
    let line = first_line(error);
    if LIMITS.iter().any(|limit| line.contains(limit)) {
        return Error::user(format!("`{file}` has more than {VALUES} values, or is nested too deeply"))
            .caused_by(cause(error))
            .hint(
                "split the YAML documents of the file into several files, and pass the folder that contains these \
                   files",
            );
    }
    Error::user(format!("`{file}` is not valid YAML"))
        .caused_by(cause(error))
        .hint("fix the file, or pass another file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn large_files_are_read_and_larger_ones_said_to_be_so() {
        // The parser's own limits are 1,024 documents and 250,000 values.
        let document = "---\nkind: A\n";
        assert_eq!(read(&document.repeat(2_000)).unwrap().len(), 2_000);
        let list = |length| format!("items:\n{}", "- a\n".repeat(length));
        assert_eq!(read(&list(300_000)).unwrap()[0]["items"].as_array().unwrap().len(), 300_000);

        for text in [document.repeat(11), list(100), "[".repeat(500)] {
            let error = unreadable_error("a.yaml", &read_within(&text, 100, 10).unwrap_err());
            assert_eq!(error.message(), "`a.yaml` has more than 4000000 values, or is nested too deeply");
            assert!(
                error.causes()[0].ends_with("the YAML is too large or too deeply nested for a manifest"),
                "{error:?}"
            );
        }
        let error = unreadable_error("a.yaml", &read("a: [").unwrap_err());
        assert_eq!(error.message(), "`a.yaml` is not valid YAML");
    }
}
