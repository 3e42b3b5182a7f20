//! The kinds whose versions the operator converts, read from its code:
//! `webhook::conversion::<v1::K>().spoke::<v1alpha1::K>()`.

use crate::finding::{Finding, Lint};
use crate::permissions::rights::Names;
use crate::source::crate_sources::Source;
use crate::source::discover::ApiType;
use crate::source::test_code::is_for_tests;
use serde_json::{Value, json};
use std::collections::BTreeSet;
use std::path::PathBuf;
use syn::visit::{self, Visit};
use syn::{ExprMethodCall, GenericArgument, ItemMod, PathArguments, PathSegment};

pub(crate) static UNCONVERTED: Lint = Lint::error(
    "OP417",
    "a version of a kind that the conversion webhook does not convert",
    "The API server asks the operator to convert objects between all versions that are served or still stored. \
     Requests fail if the operator does not know one of these versions.",
    "webhook::conversion().spoke::<v1alpha1::Foo>() // the kind also has v1beta1",
    "webhook::conversion()\n    .spoke::<v1alpha1::Foo>()\n    .spoke::<v1beta1::Foo>()",
);

/// A kind whose objects the operator converts between versions.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Converted {
    /// The API group of the converted kind.
    pub(crate) group: String,
    /// The name of the converted kind.
    pub(crate) kind: String,
    /// The versions that the operator converts.
    pub(crate) versions: BTreeSet<String>,
    /// The path of the file that contains the first `spoke` call of the conversion. `line` is the line of this call.
    pub(crate) file: PathBuf,
    pub(crate) line: usize,
}

/// Returns the kinds whose versions the code in `sources` converts.
pub(crate) fn converted_kinds(sources: &[Source], types: &[ApiType]) -> Vec<Converted> {
    let mut found: Vec<Converted> = Vec::new();
    for source in sources.iter().filter(|source| source.text.contains("spoke::<")) {
        let Some(syntax) = &source.syntax else { continue };
        let names = Names::of((&source.file, syntax), types, &[]);
        let mut reader = Reader { names: &names, named: Vec::new(), spokes: Vec::new() };
        reader.visit_file(syntax);
        for (spoke, line) in &reader.spokes {
            let is_of_kind = |one: &&&ApiType| {
                one.resource.group == spoke.resource.group && one.resource.kind == spoke.resource.kind
            };
            let stored = types.iter().filter(|one| is_of_kind(&one) && one.resource.storage);
            let hubs = reader.named.iter().copied().filter(|one| is_of_kind(&one)).chain(stored).take(1);
            let versions = hubs.chain([*spoke]).map(|one| one.resource.version.clone());
            let (group, kind) = (&spoke.resource.group, &spoke.resource.kind);
            match found.iter_mut().find(|known| known.group == *group && known.kind == *kind) {
                Some(known) => known.versions.extend(versions),
                None => found.push(Converted {
                    group: group.clone(),
                    kind: kind.clone(),
                    versions: versions.collect(),
                    file: source.file.clone(),
                    line: *line,
                }),
            }
        }
    }
    found
}

impl Converted {
    /// Returns `spec.conversion` of the kind's CRD. kustomize replaces the service's name and namespace in it.
    pub(crate) fn to_json(&self) -> Value {
        let path = format!("/convert-{}-{}", self.group.replace('.', "-"), self.kind.to_lowercase());
        json!({
            "strategy": "Webhook",
            "webhook": {
                "clientConfig": { "service": { "name": "webhook-service", "namespace": "system", "path": path } },
                "conversionReviewVersions": ["v1"],
            },
        })
    }

    /// Returns true if `version` is a version of this kind.
    pub(crate) fn is_of(&self, version: &ApiType) -> bool {
        version.resource.group == self.group && version.resource.kind == self.kind
    }

    /// Reports the versions of the kind that the conversion lacks: the operator answers with an error if the API server
    /// requests a conversion of such a version.
    pub(crate) fn check(&self, types: &[ApiType]) -> Vec<Finding> {
        let missing = types.iter().filter(|one| self.is_of(one) && !self.versions.contains(&one.resource.version));
        let findings = missing.map(|one| {
            let (kind, version) = (&self.kind, &one.resource.version);
            let said = format!("the conversion of `{kind}` does not know its version `{version}`");
            let mut finding = Finding::new(&UNCONVERTED, &self.file, self.line, said, conversion_command(one));
            finding.resource = Some(one.path.clone());
            finding
        });
        findings.collect()
    }
}

/// Returns the `opctl` command that adds a conversion of `spoke`, a version that is not the storage version.
pub(crate) fn conversion_command(spoke: &ApiType) -> String {
    let kube = &spoke.resource;
    // In a project with several groups, the types of each group are in a module.
    let group = kube.group.split('.').next().filter(|_| spoke.path.split("::").count() > 2);
    let group = group.map(|group| format!(" --group {group}")).unwrap_or_default();
    format!("opctl create webhook{group} --kind {} --conversion --spoke {}", kube.kind, kube.version)
}

struct Reader<'n, 'a> {
    names: &'n Names<'a>,
    /// The types that the code names as the hub of a conversion.
    named: Vec<&'a ApiType>,
    spokes: Vec<(&'a ApiType, usize)>,
}

impl<'a> Reader<'_, 'a> {
    fn first(&self, arguments: &syn::AngleBracketedGenericArguments) -> Option<&'a ApiType> {
        match arguments.args.first()? {
            GenericArgument::Type(of) => self.names.api_type(of),
            _ => None,
        }
    }
}

impl<'ast> Visit<'ast> for Reader<'_, '_> {
    fn visit_item_mod(&mut self, module: &'ast ItemMod) {
        if !is_for_tests(&module.attrs) {
            visit::visit_item_mod(self, module);
        }
    }

    fn visit_path_segment(&mut self, segment: &'ast PathSegment) {
        if let PathArguments::AngleBracketed(arguments) = &segment.arguments
            && (segment.ident == "Conversion" || segment.ident == "conversion")
        {
            self.named.extend(self.first(arguments));
        }
        visit::visit_path_segment(self, segment);
    }

    fn visit_expr_method_call(&mut self, call: &'ast ExprMethodCall) {
        // The innermost call of a chain comes first in the source.
        visit::visit_expr_method_call(self, call);
        if call.method == "spoke"
            && let Some(spoke) = call.turbofish.as_ref().and_then(|arguments| self.first(arguments))
        {
            self.spokes.push((spoke, call.method.span().start().line));
        }
    }
}
