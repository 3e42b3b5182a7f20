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
    /// The root module below that folder, where it is a program's.
    pub(super) program: Option<PathBuf>,
    pub(super) types: Vec<ApiType>,
    /// What keeps further types from being used.
    pub(super) findings: Vec<Finding>,
}

/// The crates that define kinds, one for each package: its library, else the program that has most of them.
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

/// The only crate that defines kinds.
///
/// # Errors
/// None, and several.
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

/// Returns true if a package of the workspace makes the program.
pub(super) fn has(metadata: &Metadata, program: &OperatorProgram) -> bool {
    metadata.packages.iter().flat_map(programs).any(|one| one == *program)
}

fn programs(package: &Package) -> Vec<OperatorProgram> {
    let targets = package.targets.iter().filter(|target| target.kind.iter().any(|one| one == "bin"));
    targets.map(|target| OperatorProgram { package: package.name.clone(), name: target.name.clone() }).collect()
}

/// The program of `default-run`, or that is called like its package.
fn named_like_it(package: &Package) -> Option<OperatorProgram> {
    let name = package.default_run.as_ref().unwrap_or(&package.name);
    programs(package).into_iter().find(|program| program.name == *name)
}

fn only_program(package: &Package) -> Option<OperatorProgram> {
    let mut own = programs(package);
    own.pop().filter(|_| own.is_empty())
}

/// The packages that may have the operator. Beside the types there may be a program that prints them, and in other packages tools
/// that do not use them.
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

/// The program that is the operator: the one that is named, else the only one, else `default-run`, else the one that is called
/// like its package: in the package that defines the kinds, else in the only one that uses it, else in the only other one. `None`
/// where there is no program.
///
/// # Errors
/// A program of this name does not exist; several programs, and none that stands out.
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
