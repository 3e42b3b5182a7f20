//! Checks that the runtime's public functions, types and fields match `testdata/runtime-api.txt`, because a change of
//! them affects every operator.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use syn::visit::{self, Visit};
use syn::{ItemFn, ItemStruct, ItemTrait, Visibility};

const RECORD: &str = "testdata/runtime-api.txt";

/// Returns the names that a file re-exports, and its public modules.
fn exported(file: &Path) -> (Vec<String>, Vec<String>) {
    let library = syn::parse_file(&fs::read_to_string(file).unwrap()).unwrap();
    let (mut names, mut modules) = (Vec::new(), Vec::new());
    for item in library.items {
        match item {
            syn::Item::Mod(module) if is_public(&module.vis) => modules.push(module.ident.to_string()),
            syn::Item::Use(used) if is_public(&used.vis) => collect(&used.tree, &mut names),
            _ => {}
        }
    }
    (names, modules)
}

fn collect(tree: &syn::UseTree, names: &mut Vec<String>) {
    match tree {
        syn::UseTree::Path(path) => collect(&path.tree, names),
        syn::UseTree::Name(name) => names.push(name.ident.to_string()),
        syn::UseTree::Group(group) => group.items.iter().for_each(|tree| collect(tree, names)),
        _ => {}
    }
}

fn is_public(visibility: &Visibility) -> bool {
    matches!(visibility, Visibility::Public(_))
}

/// Collects those public items of one source file that users of the runtime can name.
struct Reader<'a> {
    text: &'a str,
    names: &'a [String],
    /// True if the items of the file are public without a re-export.
    all: bool,
    /// The public module of the file, if it has one.
    module: Option<String>,
    lines: Vec<String>,
}

impl Reader<'_> {
    fn is_exported(&self, name: &str) -> bool {
        self.all || self.names.iter().any(|known| known == name)
    }

    fn add(&mut self, of: &str, from: usize, to: usize) {
        let words: Vec<&str> = self.text[from..to].split_whitespace().collect();
        let module = self.module.as_ref().map(|module| format!("{module}::")).unwrap_or_default();
        self.lines.push(format!("{module}{of}{}", words.join(" ")));
    }
}

impl<'ast> Visit<'ast> for Reader<'_> {
    fn visit_item_mod(&mut self, _: &'ast syn::ItemMod) {}

    fn visit_item_fn(&mut self, function: &'ast ItemFn) {
        if is_public(&function.vis) && self.is_exported(&function.sig.ident.to_string()) {
            let from = function.sig.fn_token.span.byte_range().start;
            self.add("", from, function.block.brace_token.span.open().byte_range().start);
        }
    }

    fn visit_item_trait(&mut self, defined: &'ast ItemTrait) {
        if is_public(&defined.vis) && self.is_exported(&defined.ident.to_string()) {
            let from = defined.trait_token.span.byte_range().start;
            self.add("", from, defined.brace_token.span.close().byte_range().end);
        }
    }

    fn visit_item_struct(&mut self, defined: &'ast ItemStruct) {
        let name = defined.ident.to_string();
        if !is_public(&defined.vis) || !self.is_exported(&name) {
            return;
        }
        self.lines.push(format!("struct {name}"));
        for field in defined.fields.iter().filter(|field| is_public(&field.vis)) {
            let (Some(ident), Some(colon)) = (&field.ident, field.colon_token) else { continue };
            let from = colon.span.byte_range().start;
            let to = from + self.text[from..].find(",\n").unwrap();
            self.add(&format!("{name}.{ident}"), from, to);
        }
    }

    fn visit_item_impl(&mut self, block: &'ast syn::ItemImpl) {
        let syn::Type::Path(of) = &*block.self_ty else { return };
        let name = of.path.segments.last().unwrap().ident.to_string();
        if block.trait_.is_none() && self.is_exported(&name) {
            for item in &block.items {
                if let syn::ImplItem::Fn(function) = item
                    && is_public(&function.vis)
                {
                    let from = function.sig.fn_token.span.byte_range().start;
                    let to = function.block.brace_token.span.open().byte_range().start;
                    self.add(&format!("{name}::"), from, to);
                }
            }
        }
        visit::visit_item_impl(self, block);
    }
}

/// Returns the words in all examples of the documentation.
fn words_of_examples(root: &Path) -> BTreeSet<String> {
    let mut words = BTreeSet::new();
    for path in crate::support::tree(root).into_keys().filter(|path| !path.ends_with('/')) {
        let text = fs::read_to_string(root.join(path)).unwrap();
        let mut inside = false;
        for line in text.lines().map(str::trim_start).filter(|line| line.starts_with("///") || line.starts_with("//!"))
        {
            if line[3..].trim_start().starts_with("```") {
                inside = !inside;
            } else if inside {
                let parts = line.split(|character: char| !character.is_alphanumeric() && character != '_');
                words.extend(parts.map(str::to_owned));
            }
        }
    }
    words
}

/// Fails if a public item is in no example of the documentation. The examples are compiled as doc tests.
fn without_example(root: &Path, lines: &[String]) {
    let examples = words_of_examples(root);
    let name = |line: &str| {
        let line = line.rsplit_once("fn ").map_or(line, |(_, rest)| rest);
        let line = line.split(['(', '<', ':', '{']).next().unwrap().trim_end();
        line.rsplit(['.', ' ']).next().unwrap().to_owned()
    };
    let missing: Vec<_> = lines.iter().filter(|line| !examples.contains(&name(line))).collect();
    assert!(missing.is_empty(), "no example of the documentation uses:\n{missing:#?}");
}

#[test]
fn the_public_api_of_the_runtime_matches_its_record() {
    let crate_root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = crate_root.join("templates/project/runtime/src");
    let (names, modules) = exported(&root.join("lib.rs"));
    let mut lines = Vec::new();
    for path in crate::support::tree(&root).into_keys().filter(|path| !path.ends_with('/')) {
        let text = fs::read_to_string(root.join(&path)).unwrap();
        let syntax = syn::parse_file(&text).unwrap();
        let stem = path.trim_end_matches(".rs");
        let module = modules.iter().find(|module| stem == *module || stem.starts_with(&format!("{module}/"))).cloned();
        let all = module.as_deref() == Some(stem);
        let of_module = match &module {
            Some(module) if !all => exported(&root.join(format!("{module}.rs"))).0,
            _ => names.clone(),
        };
        let mut reader = Reader { text: &text, names: &of_module, all, module, lines: Vec::new() };
        reader.visit_file(&syntax);
        lines.append(&mut reader.lines);
    }
    lines.sort();
    assert!(lines.iter().any(|line| line.starts_with("Context::fn apply<")), "{lines:#?}");
    without_example(&root, &lines);
    let record = crate_root.join(RECORD);
    snapbox::Assert::new().action_env("SNAPSHOTS").normalize_paths(false).eq(
        snapbox::Data::text(lines.join("\n") + "\n"),
        snapbox::Data::read_from(&record, Some(snapbox::data::DataFormat::Text)).raw(),
    );
}
