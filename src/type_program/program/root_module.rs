//! Copies the root module of a program to another folder, without its `main`.

use crate::source::module_items::{files_of_module, path_attribute};
use crate::syntax;
use proc_macro2::Span;
use std::ops::Range;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{Attribute, Item, ItemFn, ItemMod, LitStr, Visibility};

/// Returns the text of the root module `file`, an absolute path, for a copy in another folder: without `main`, and with
/// absolute paths to other files. Each line keeps its number.
///
/// # Errors
/// Fails if the text is not Rust.
pub(super) fn copy(text: &str, file: &Path) -> syn::Result<String> {
    let parsed = syntax::parse_file(text)?;
    let folder = file.parent().unwrap_or(Path::new(""));
    let mut copied = CopiedModule { edits: Vec::new(), file, folder };
    for item in &parsed.items {
        match item {
            Item::Fn(function) if function.sig.ident == "main" => {
                let range = range_of(function);
                let lines = "\n".repeat(text[range.clone()].matches('\n').count());
                copied.edits.push((range, lines));
            }
            Item::Mod(module) => copied.module(module, folder),
            other => copied.visit_item(other),
        }
    }
    let mut edits = copied.edits;
    edits.sort_by_key(|(range, _)| std::cmp::Reverse(range.start));
    let mut text = text.to_owned();
    for (range, with) in edits {
        text.replace_range(range, &with);
    }
    Ok(text)
}

struct CopiedModule<'a> {
    edits: Vec<(Range<usize>, String)>,
    file: &'a Path,
    folder: &'a Path,
}

impl CopiedModule<'_> {
    /// Adds a `#[path]` attribute with the absolute file path to `module`, or to the modules inside it if it is inline.
    /// `folder` contains the files of sibling modules.
    fn module(&mut self, module: &ItemMod, folder: &Path) {
        let name = module.ident.to_string();
        let name = name.trim_start_matches("r#");
        let stated = module.attrs.iter().find(|attribute| attribute.path().is_ident("path"));
        let path = stated.and_then(|attribute| path_attribute(&attribute.meta));
        if let Some((_, items)) = &module.content {
            let inner = folder.join(path.as_deref().unwrap_or(name));
            for item in items {
                match item {
                    Item::Mod(module) => self.module(module, &inner),
                    other => self.visit_item(other),
                }
            }
            return;
        }
        let mut candidates = files_of_module(name, path.as_deref(), self.file, folder).into_iter();
        let Some((found, _)) = candidates.find(|(file, _)| file.is_file()) else { return };
        let attribute = format!("#[path = {:?}] ", found.to_string_lossy());
        match stated {
            Some(stated) => self.edits.push((range_of_attribute(stated), attribute)),
            None => {
                let start = start(&module.attrs, &module.vis, module.mod_token.span);
                self.edits.push((start..start, attribute));
            }
        }
    }
}

fn range_of_attribute(attribute: &Attribute) -> Range<usize> {
    attribute.pound_token.span.byte_range().start..attribute.bracket_token.span.close().byte_range().end
}

/// Returns the byte offset at which an item starts. `word` is the first word after the item's visibility.
fn start(attributes: &[Attribute], visibility: &Visibility, word: Span) -> usize {
    match (attributes.first(), visibility) {
        (Some(first), _) => range_of_attribute(first).start,
        (None, Visibility::Public(token)) => token.span.byte_range().start,
        (None, Visibility::Restricted(restricted)) => restricted.pub_token.span.byte_range().start,
        (None, Visibility::Inherited) => word.byte_range().start,
    }
}

fn range_of(function: &ItemFn) -> Range<usize> {
    let word = function.sig.asyncness.map_or(function.sig.fn_token.span, |word| word.span);
    start(&function.attrs, &function.vis, word)..function.block.brace_token.span.close().byte_range().end
}

impl<'ast> Visit<'ast> for CopiedModule<'_> {
    fn visit_macro(&mut self, call: &'ast syn::Macro) {
        let includes = ["include", "include_str", "include_bytes"].iter().any(|name| call.path.is_ident(name));
        if includes && let Ok(path) = syn::parse2::<LitStr>(call.tokens.clone()) {
            let absolute = self.folder.join(path.value());
            self.edits.push((path.token().span().byte_range(), format!("{:?}", absolute.to_string_lossy())));
        }
        visit::visit_macro(self, call);
    }
}

#[cfg(test)]
mod tests {
    use super::copy;
    use std::fs;

    #[test]
    fn main_goes_and_files_are_found_from_elsewhere() {
        let folder = tempfile::tempdir().expect("a folder");
        let source = folder.path();
        for path in ["crd.rs", "kinds/mod.rs", "elsewhere.rs", "inner/deep.rs"] {
            let file = source.join(path);
            fs::create_dir_all(file.parent().expect("above")).expect("a folder");
            fs::write(file, "").expect("written");
        }
        let text = "#![deny(warnings)]\nmod crd;\n/// Kinds.\npub mod kinds;\n#[path = \"elsewhere.rs\"]\nmod other;\n\
                    mod inner { mod deep; }\nconst TEXT: &str = include_str!(\"text.txt\");\n\
                    #[tokio::main]\nasync fn main() {\n    mod_like();\n}\nfn after() {}\n";
        let copied = copy(text, &source.join("main.rs")).expect("Rust");
        let lines: Vec<&str> = copied.lines().collect();
        let path = |name: &str| format!("#[path = {:?}] ", source.join(name).to_string_lossy());
        assert_eq!(lines[1], format!("{}mod crd;", path("crd.rs")));
        assert_eq!(lines[2], format!("{}/// Kinds.", path("kinds/mod.rs")));
        assert_eq!(lines[4], path("elsewhere.rs"));
        assert_eq!(lines[6], format!("mod inner {{ {}mod deep; }}", path("inner/deep.rs")));
        assert_eq!(
            lines[7],
            format!("const TEXT: &str = include_str!({:?});", source.join("text.txt").to_string_lossy())
        );
        assert_eq!(lines[8..12], [""; 4]);
        assert_eq!(lines[12], "fn after() {}");
        assert!(copy("fn", &source.join("main.rs")).is_err());
    }
}
