//! Finds the test that provokes an error: a case whose recorded output shows it, or a test that asserts its text.

use std::collections::BTreeMap;
use std::path::Path;
use syn::visit::{self, Visit};

/// The errors that no test provokes, with the reason.
pub(super) const NOT_PROVOKED: &[(&str, &str)] = &[
    ("the operator sends no request to the API server", "it takes half a minute"),
    ("the bug was not found", "the machine has no time for a single point"),
    ("cannot list {}", "the API server of an exploration ends"),
    ("cannot delete the webhook configuration of an operator version", "the API server of an exploration ends"),
    (
        "the API server refuses the webhook configuration of an operator version",
        "it takes minutes to build another version",
    ),
    ("the API server that opctl started for the measurement does not answer", "it ends"),
    ("the operator has not requested a list of `{}`", "it takes a minute"),
    ("cannot listen on 127.0.0.1", "the machine has no loopback"),
    ("the request `{}` to the API server fails{}", "the API server of an exploration ends"),
    ("cannot apply `{}`", "the API server of an exploration ends"),
    ("cannot delete `{}`", "the API server of an exploration ends"),
    ("the API server does not answer", "the API server of an exploration ends"),
    ("git cannot show the files at `{}`", "an object is missing in a partial clone"),
    ("cannot open a port for the webhook server on this machine", "the machine has no loopback"),
    ("`{}` needs shared libraries, but the image contains none", "it takes minutes to compile with other flags"),
    ("cannot read the credential for `{}`", "a credential helper of this machine fails"),
    ("cannot compile images for this machine's processor", "the machine has another processor"),
    ("cannot run opctl in the background", "the running program is gone"),
    ("cannot start the async runtime of the MCP server", "the system refuses a file descriptor"),
    ("cannot start the network runtime", "the system refuses a file descriptor"),
    ("`opctl mcp` reads requests from a coding agent, but stdin is a terminal", "the tests have no terminal"),
    ("cannot wait for cargo", "the system loses a child"),
    ("cannot wait for signals", "the system refuses a file descriptor"),
    ("no port of `127.0.0.1` is free", "the machine has no loopback"),
    ("the API server does not reach the webhooks", "it is on the same machine"),
    ("the operator exited during the demo", "the generated operator fails in the demo"),
    ("cannot request a token from `{}`", "the token server ends between two requests"),
    ("the simulated node does not work", "the API server ends while the node is made"),
    ("the programs that the node needs are missing", "they are removed between two of its checks"),
    ("a node needs Linux", "the system is another one"),
    ("nodes do not run on `{}`", "the machine is another one"),
    ("this machine has no cgroups at `{}`", "the system mounts none"),
    ("cannot load the images into the node", "the system refuses a process"),
    ("the operator does not answer on its metrics port", "it ends between two requests"),
    ("the cluster has no Service `{}`", "somebody deletes the service of the demo"),
];

/// The texts in recorded outputs and in assertions of tests, each with the path of its file.
pub(super) struct Evidence(BTreeMap<(String, String), String>);

impl Evidence {
    pub(super) fn collect(root: &Path) -> Self {
        let mut texts = BTreeMap::new();
        for (path, bytes) in crate::support::tree(&root.join("testdata/cases")) {
            if path.ends_with("/stderr") || path.ends_with("/stdout") {
                let text = String::from_utf8_lossy(&bytes).replace("\\\"", "\"");
                let lines = text.lines().filter(|line| line.contains("error: ") || line.contains("\"message\": "));
                texts.extend(lines.map(|line| ((line.to_owned(), String::new()), path.clone())));
            }
        }
        for folder in ["tests/it", "src"] {
            for (path, bytes) in crate::support::tree(&root.join(folder)) {
                if Path::new(&path).extension().is_some_and(|extension| extension == "rs")
                    && !path.starts_with("errors")
                {
                    let file = syn::parse_file(&String::from_utf8(bytes).unwrap()).unwrap();
                    let whole = folder == "tests/it" || path.ends_with("tests.rs") || path.contains("/tests/");
                    let mut literals = Literals { texts: &mut texts, place: format!("{folder}/{path}"), inside: whole };
                    literals.visit_file(&file);
                }
            }
        }
        Evidence(texts)
    }

    /// Returns the file of the first text that matches `message`: either the text contains the message or a long part
    /// of it, or the message contains the text.
    pub(super) fn of(&self, message: &str) -> Option<&str> {
        let parts: Vec<&str> = message.split("{}").map(str::trim).filter(|part| part.len() > 1).collect();
        let has = |(text, asked): &(String, String)| {
            let whole = !parts.is_empty() && parts.iter().all(|part| text.contains(part));
            let part = parts.iter().any(|part| part.len() >= LEAST && text.contains(part));
            whole || part || asked.len() >= LEAST && message.contains(asked.as_str())
        };
        self.0.iter().find(|(text, _)| has(text)).map(|(_, place)| place.as_str())
    }
}

/// The minimum length, in bytes, of a text fragment by which an assertion is matched to an error message.
const LEAST: usize = 10;

/// Returns the text of an assertion, with `{}` for the quoted names in it.
fn asked(text: &str) -> String {
    let text = text.trim().trim_start_matches("error: ");
    let pieces: Vec<&str> = text.split('`').collect();
    let quoted = |(index, piece): (usize, &&str)| if index % 2 == 1 { "{}".to_owned() } else { (*piece).to_owned() };
    let mut asked = pieces.iter().enumerate().map(quoted).collect::<Vec<_>>().join("`");
    if pieces.len().is_multiple_of(2) {
        // The last quote is not closed: the name after it is the test's own.
        asked.truncate(asked.rfind("{}").unwrap_or(asked.len()));
    }
    asked
}

struct Literals<'a> {
    texts: &'a mut BTreeMap<(String, String), String>,
    place: String,
    /// True while the visited code belongs to a test.
    inside: bool,
}

impl<'ast> Visit<'ast> for Literals<'_> {
    fn visit_item_mod(&mut self, module: &'ast syn::ItemMod) {
        let outer = self.inside;
        self.inside |= module.ident == "tests";
        visit::visit_item_mod(self, module);
        self.inside = outer;
    }

    fn visit_lit_str(&mut self, literal: &'ast syn::LitStr) {
        if self.inside {
            let text = literal.value();
            let asked = asked(&text);
            self.texts.insert((text, asked), self.place.clone());
        }
    }

    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        self.tokens(call.tokens.clone());
    }
}

impl Literals<'_> {
    /// Visits the string literals among the tokens of a macro, which syn does not parse.
    fn tokens(&mut self, tokens: proc_macro2::TokenStream) {
        for token in tokens {
            match token {
                proc_macro2::TokenTree::Group(group) => self.tokens(group.stream()),
                proc_macro2::TokenTree::Literal(literal) => {
                    if let Ok(literal) = syn::parse_str::<syn::LitStr>(&literal.to_string()) {
                        self.visit_lit_str(&literal);
                    }
                }
                _ => {}
            }
        }
    }
}
