//! Finds custom resources that only the compiler can see, because a macro or a build script generates them.

use crate::finding::{Finding, Lint};
use proc_macro2::{Delimiter, TokenStream, TokenTree};
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use syn::{Expr, ExprLit, ItemMacro, Lit, Macro, Meta};

pub(crate) static HIDDEN: Lint = Lint::warning(
    "OP304",
    "a custom resource that opctl cannot find in the source code",
    "opctl reads the source and runs no macros: a kind that a macro makes, or a file outside of the source, gets no CRD.",
    "foo_of_version! { \"v1\" } // with `#[derive(CustomResource)]` in the macro",
    "#[derive(CustomResource, ..)]\n#[kube(group = \"example.com\", version = \"v1\", kind = \"Foo\")]\npub struct FooSpec { .. }",
);

/// The attributes that are not macros: attributes of the compiler, and attributes that common derive macros read.
const INERT: [&str; 38] = [
    "allow",
    "automatically_derived",
    "builder",
    "cfg",
    "cfg_attr",
    "cold",
    "default",
    "deny",
    "deprecated",
    "derivative",
    "derive",
    "doc",
    "educe",
    "expect",
    "forbid",
    "garde",
    "inline",
    "kube",
    "link",
    "macro_export",
    "macro_use",
    "must_use",
    "no_mangle",
    "non_exhaustive",
    "path",
    "recursion_limit",
    "repr",
    "resource",
    "schemars",
    "serde",
    "serde_as",
    "serde_with",
    "skip_serializing_none",
    "strum",
    "track_caller",
    "validate",
    "warn",
    "x_kube",
];

/// The macros of a crate that may generate custom resources.
#[derive(Debug, Default)]
pub(super) struct Macros {
    /// The macro definitions that generate a custom resource.
    definitions: Vec<Place>,
    /// The macro calls outside of functions, each with true if the arguments contain a custom resource.
    calls: Vec<(Place, bool)>,
}

#[derive(Debug)]
struct Place {
    name: String,
    file: PathBuf,
    line: usize,
}

impl Macros {
    /// Records a macro call, or a macro definition that generates a custom resource. Ignores other macro definitions.
    pub(super) fn add(&mut self, file: &Path, item: &ItemMacro) {
        let Some(called) = item.mac.path.segments.last() else { return };
        let place =
            |name: &syn::Ident| Place { name: name.to_string(), file: file.to_owned(), line: name.span().start().line };
        match &item.ident {
            Some(name) if derives(&item.mac.tokens) => self.definitions.push(place(name)),
            Some(_) => {}
            None => self.calls.push((place(&called.ident), derives(&item.mac.tokens))),
        }
    }

    /// Returns a finding for each macro call that generates a custom resource, and for each macro definition that would
    /// generate a custom resource but is not called in this crate.
    pub(super) fn findings(self) -> Vec<Finding> {
        let makers: BTreeSet<&str> = self.definitions.iter().map(|definition| definition.name.as_str()).collect();
        let mut found: Vec<&Place> = Vec::new();
        for (place, derives) in &self.calls {
            if *derives || makers.contains(place.name.as_str()) {
                found.push(place);
            }
        }
        let called: BTreeSet<&str> = found.iter().map(|place| place.name.as_str()).collect();
        found.extend(self.definitions.iter().filter(|one| !called.contains(one.name.as_str())));
        let finding = |place: &Place| {
            let reason = format!(
                "the macro `{}!` makes a custom resource, which gets no CRD: opctl reads the source and runs no macros",
                place.name
            );
            Finding::new(&HIDDEN, &place.file, place.line, reason, "write the struct outside of the macro")
        };
        found.into_iter().map(finding).collect()
    }
}

/// Returns a finding if an attribute macro turns the type `name`, which has no `#[kube(..)]`, into a custom resource.
/// If the type derives `CustomResource`, `around` has the attributes of the modules that contain the type, and any
/// attribute macro on the type or on these modules causes the finding. For any other type, `around` is `None`, and only
/// an attribute macro whose arguments state an API group causes the finding.
pub(super) fn by_attribute(
    name: &str,
    attributes: &[Meta],
    around: Option<&[Meta]>,
    (file, line): (&Path, usize),
) -> Option<Finding> {
    let is_maker = |meta: &&Meta| is_macro(meta) && (around.is_some() || states_group(meta));
    let found = attributes.iter().chain(around.unwrap_or_default()).find(is_maker)?;
    let segments = found.path().segments.iter().map(|segment| segment.ident.to_string());
    let shown = segments.collect::<Vec<_>>().join("::");
    let reason = format!(
        "the attribute macro `#[{shown}]` turns `{name}` into a custom resource, which gets no CRD: opctl reads the \
         source and runs no macros, and `{name}` has no `#[kube(..)]`"
    );
    let hint = format!(
        "write `#[kube(group = \"..\", version = \"..\", kind = \"..\")]` instead of `#[{shown}]`; or, in a new \
         folder, adopt the CRDs that the operator's own program prints:\nopctl adopt --crds crds.yaml"
    );
    Some(Finding::new(&HIDDEN, file, line, reason, hint))
}

fn is_macro(meta: &Meta) -> bool {
    // Attributes of tools have a path, such as `rustfmt::skip`.
    let tools = ["clippy", "diagnostic", "miri", "rust_analyzer", "rustfmt", "rustdoc"];
    let segments = &meta.path().segments;
    let is = |segment: Option<&syn::PathSegment>, names: &[&str]| {
        segment.is_some_and(|segment| names.iter().any(|name| segment.ident == name))
    };
    let is_of_tool = segments.len() > 1 && is(segments.first(), &tools);
    !(is_of_tool || is(segments.last(), &INERT))
}

/// Returns true if the attribute's arguments contain `group = ".."` with an API group, at any depth.
fn states_group(meta: &Meta) -> bool {
    matches!(meta, Meta::List(list) if has_group(list.tokens.clone()))
}

fn has_group(tokens: TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    let stated = tokens.windows(3).any(|window| match window {
        [TokenTree::Ident(key), TokenTree::Punct(is), TokenTree::Literal(value)] => {
            let is_group = matches!(Lit::new(value.clone()), Lit::Str(value) if is_group(&value.value()));
            key == "group" && is.as_char() == '=' && is_group
        }
        _ => false,
    });
    stated || groups(&tokens).any(|group| has_group(group.stream()))
}

/// Returns true if a text looks like an API group: the text contains a dot, and consists only of lower-case letters,
/// digits, `.` and `-`.
fn is_group(text: &str) -> bool {
    text.contains('.') && text.chars().all(|one| one.is_ascii_lowercase() || one.is_ascii_digit() || ".-".contains(one))
}

/// Returns true if the tokens derive `CustomResource`, or contain `#[kube(..)]` with a group, a version or a kind.
fn derives(tokens: &TokenStream) -> bool {
    let tokens: Vec<TokenTree> = tokens.clone().into_iter().collect();
    let derives_here = tokens.windows(2).any(|window| match window {
        [TokenTree::Ident(name), TokenTree::Group(arguments)] if arguments.delimiter() == Delimiter::Parenthesis => {
            let has = |word: &str| {
                let mut arguments = arguments.stream().into_iter();
                arguments.any(|token| matches!(token, TokenTree::Ident(ident) if ident == word))
            };
            name == "derive" && has("CustomResource")
                || name == "kube" && ["group", "kind", "version"].iter().any(|key| has(key))
        }
        _ => false,
    });
    derives_here || groups(&tokens).any(|group| derives(&group.stream()))
}

fn groups(tokens: &[TokenTree]) -> impl Iterator<Item = &proc_macro2::Group> {
    tokens.iter().filter_map(|token| match token {
        TokenTree::Group(group) => Some(group),
        _ => None,
    })
}

/// The file that a call of `include!` includes.
pub(super) enum Included {
    /// A path relative to the folder of the file that calls `include!`.
    Beside(String),
    /// A path relative to the folder of the package, as in `concat!(env!("CARGO_MANIFEST_DIR"), "/..")`.
    InPackage(String),
    /// A path that only a build can determine.
    Unknown,
}

/// Returns the file that a call of `include!` includes; `None` for other macros.
pub(super) fn included_file(call: &Macro) -> Option<Included> {
    if !call.path.segments.last()?.ident.eq("include") {
        return None;
    }
    let parts = match call.parse_body() {
        Ok(Expr::Lit(ExprLit { lit: Lit::Str(path), .. })) => return Some(Included::Beside(path.value())),
        Ok(Expr::Macro(concat)) if concat.mac.path.is_ident("concat") => {
            concat.mac.parse_body_with(syn::punctuated::Punctuated::<Expr, syn::Token![,]>::parse_terminated)
        }
        _ => return Some(Included::Unknown),
    };
    let parts: Vec<Expr> = parts.into_iter().flatten().collect();
    let texts = parts.iter().map(|part| match part {
        Expr::Lit(ExprLit { lit: Lit::Str(text), .. }) => Some(text.value()),
        Expr::Macro(env) if env.mac.path.is_ident("env") => {
            let name = env.mac.parse_body::<syn::LitStr>().ok()?;
            (name.value() == "CARGO_MANIFEST_DIR").then(String::new)
        }
        _ => None,
    });
    let path = texts.collect::<Option<String>>();
    Some(match (parts.first(), path) {
        (Some(Expr::Macro(_)), Some(path)) => Included::InPackage(path.trim_start_matches('/').to_owned()),
        (_, Some(path)) => Included::Beside(path),
        (_, None) => Included::Unknown,
    })
}

/// Returns the finding about an `include!` whose file opctl does not read. `missing` is the path of the file if the
/// file does not exist; `None` if a build generates the file.
pub(super) fn not_included(call: &Macro, file: &Path, missing: Option<&Path>) -> Finding {
    let line = call.path.segments.first().map_or(1, |segment| segment.ident.span().start().line);
    let what = missing
        .map_or("a file that the build makes".to_owned(), |path| format!("`{}`, which does not exist", path.display()));
    let reason = format!("`include!` includes {what}: a custom resource in that file gets no CRD");
    let hint = "if the included code contains a custom resource, move the code below `src` and declare its module \
         with `mod`; otherwise:\n// +opctl:allow:OP304 reason=\"no custom resource of this project is in it\"";
    Finding::new(&HIDDEN, file, line, reason, hint)
}
