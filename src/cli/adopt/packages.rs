//! The packages of a workspace: which one defines the kinds, and which program is the operator.

use crate::error::file_error;
use crate::exec::{Metadata, Package};
use crate::finding::Finding;
use crate::model::OperatorProgram;
use crate::source::cargo_manifest::read_manifest;
use crate::source::discover::{ApiType, Features, types, types_of_program};
use crate::{Error, Result};
use std::path::{Path, PathBuf};

/// A crate that defines kinds.
pub(super) struct Definer<'a> {
    pub(super) package: &'a Package,
    /// The package's folder, below the workspace's root.
    pub(super) folder: PathBuf,
    /// The path of the root module below that folder, if a program defines the types and not a library.
    pub(super) program: Option<PathBuf>,
    pub(super) types: Vec<ApiType>,
    /// The findings that keep further types from being used.
    pub(super) findings: Vec<Finding>,
}

/// Returns the crates that define kinds, one for each package: the library or program that has most types.
///
/// # Errors
/// No package is named `only`; sources that cannot be read or are not Rust.
pub(super) fn definers<'a>(
    metadata: &'a Metadata,
    only: Option<&str>,
    features: &[String],
) -> Result<Vec<Definer<'a>>> {
    let root = &metadata.workspace_root;
    if let Some(only) = only.filter(|only| metadata.packages.iter().all(|package| package.name != **only)) {
        let names: Vec<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
        let first = names.first().copied().unwrap_or("my-api");
        return Err(Error::usage(format!("no package here is named `{only}`"))
            .hint(format!("opctl adopt --package {first}    # packages here: {}", names.join(", "))));
    }
    let mut definers = Vec::new();
    for package in metadata.packages.iter().filter(|package| only.is_none_or(|name| name == package.name)) {
        let folder = package.manifest_path.parent().unwrap_or(root);
        let below = folder.strip_prefix(root).unwrap_or(folder).to_owned();
        let features = Features::of(&read_manifest(&package.manifest_path)?, features);
        let source = |path: &Path| match std::fs::read_to_string(root.join(path)) {
            Ok(text) => Ok(Some(text)),
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(file_error("read", path, &error)),
        };
        let mut best: Option<Definer<'a>> = None;
        for target in &package.targets {
            let is = |kind: &str| target.kind.iter().any(|one| one == kind);
            let module = target.src_path.strip_prefix(root).unwrap_or(&target.src_path);
            let mut findings = Vec::new();
            let (types, program) = match (is("lib") || is("rlib"), is("bin")) {
                (true, _) => (types(module, &source, &features, &mut findings)?, None),
                (_, true) => {
                    let program = target.src_path.strip_prefix(folder).unwrap_or(&target.src_path).to_owned();
                    (types_of_program(module, &source, &features, &mut findings)?, Some(program))
                }
                _ => continue,
            };
            let better = best.as_ref().is_none_or(|best| types.len() > best.types.len());
            if better && !(types.is_empty() && findings.is_empty()) {
                best = Some(Definer { package, folder: below.clone(), program, types, findings });
            }
        }
        definers.extend(best);
    }
    Ok(definers)
}

/// Returns the only crate that defines kinds.
///
/// # Errors
/// No crate or several crates define kinds.
pub(super) fn only<'a>(mut definers: Vec<Definer<'a>>, named: Option<&str>) -> Result<Definer<'a>> {
    definers.sort_by_key(|definer| definer.types.is_empty());
    let several = definers.iter().filter(|definer| !definer.types.is_empty()).count() > 1;
    if several {
        let error = Error::user("several packages define custom resources");
        let error = definers.iter().fold(error, |error, definer| {
            let kinds: Vec<&str> = definer.types.iter().map(|found| found.resource.kind.as_str()).collect();
            error.caused_by(format!("`{}`: {}", definer.package.name, kinds.join(", ")))
        });
        return Err(error.hint(format!("opctl adopt --package {}", definers[0].package.name)));
    }
    let found = definers.into_iter().next();
    let Some(definer) = found else {
        let place = named.map_or_else(|| "the workspace".to_owned(), |name| format!("the package `{name}`"));
        return Err(Error::user(format!("{place} defines no custom resource"))
            .caused_by("no struct of a library or a program there derives `CustomResource`")
            .hint("opctl init my-operator --domain example.com    # a new project, which has an example"));
    };
    if definer.types.is_empty() {
        return Err(Error::user("no custom resource here can be named by other code")
            .hint("write what the findings say, then run:\nopctl adopt")
            .with_findings(definer.findings));
    }
    Ok(definer)
}

/// Returns true if a package of the workspace builds the program.
pub(super) fn has(metadata: &Metadata, program: &OperatorProgram) -> bool {
    metadata.packages.iter().flat_map(programs).any(|one| one == *program)
}

fn programs(package: &Package) -> Vec<OperatorProgram> {
    let targets = package.targets.iter().filter(|target| target.kind.iter().any(|one| one == "bin"));
    targets.map(|target| OperatorProgram { package: package.name.clone(), name: target.name.clone() }).collect()
}

/// Returns the program that `default-run` names, or the program that is called like its package.
fn named_like_it(package: &Package) -> Option<OperatorProgram> {
    let name = package.default_run.as_ref().unwrap_or(&package.name);
    programs(package).into_iter().find(|program| program.name == *name)
}

fn only_program(package: &Package) -> Option<OperatorProgram> {
    let mut own = programs(package);
    own.pop().filter(|_| own.is_empty())
}

/// Returns the packages that may contain the operator. The package of the types may have a program that only prints
/// them, and other packages may be tools that do not use the types.
fn having_operator<'m>(metadata: &'m Metadata, types: &'m Package) -> Vec<&'m Package> {
    let has_programs = |package: &&Package| !programs(package).is_empty();
    let uses = |one: &&&Package| one.dependencies.iter().any(|used| used.name == types.name && used.kind.is_none());
    let others: Vec<&Package> =
        metadata.packages.iter().filter(|other| other.name != types.name).filter(has_programs).collect();
    let using: Vec<&Package> = others.iter().filter(uses).copied().collect();
    match (has_programs(&types), using.is_empty()) {
        (true, true) => vec![types],
        (true, false) if named_like_it(types).is_some() => vec![types],
        (true, false) => std::iter::once(types).chain(using).collect(),
        (false, false) => using,
        (false, true) => others,
    }
}

/// Returns the program that is the operator; `None` if the workspace has no program. Without `named` it is the only
/// program, else `default-run`, else the program that is called like its package: in the package that defines the
/// kinds, else in the only package that uses them, else in the only other package.
///
/// # Errors
/// No program is called `named`; several programs, none of which stands out.
pub(super) fn operator(
    metadata: &Metadata,
    definer: &Definer<'_>,
    named: Option<&str>,
) -> Result<Option<OperatorProgram>> {
    let all: Vec<OperatorProgram> = metadata.packages.iter().flat_map(programs).collect();
    let choices: Vec<String> = all.iter().map(|program| program.name.clone()).collect();
    if let Some(named) = named {
        return all.into_iter().find(|program| program.name == named).map(Some).ok_or_else(|| {
            Error::usage(format!("no package here has a program `{named}`")).hint(match choices.first() {
                Some(first) => format!("opctl adopt --bin {first}    # programs here: {}", choices.join(", ")),
                None => "cargo metadata --no-deps    # lists what the packages make".to_owned(),
            })
        });
    }
    let having = having_operator(metadata, definer.package);
    if let [only] = having[..]
        && let Some(program) = named_like_it(only).or_else(|| only_program(only))
    {
        return Ok(Some(program));
    }
    let Some(first) = choices.first() else { return Ok(None) };
    Err(Error::user(format!("one of these programs is the operator: `{}`", choices.join("`, `")))
        .hint(format!("opctl adopt --bin {first}")))
}
