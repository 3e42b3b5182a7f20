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
/// Sources that cannot be read or are not Rust.
pub(super) fn definers<'a>(
    metadata: &'a Metadata,
    only: Option<&str>,
    features: &[String],
) -> Result<Vec<Definer<'a>>> {
    let root = &metadata.workspace_root;
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

/// The program that is the operator: the one that is named, else the only one, else `default-run`, else the one that is called
/// like its package; first in the package that defines the kinds, then in the others. `None` where there is no program.
///
/// # Errors
/// A program of this name does not exist; several programs, and none that stands out.
pub(super) fn operator(
    metadata: &Metadata,
    definer: &Definer<'_>,
    named: Option<&str>,
) -> Result<Option<OperatorProgram>> {
    let programs = |package: &'_ Package| -> Vec<OperatorProgram> {
        let of = |kind: &[String]| kind.iter().any(|one| one == "bin");
        let targets = package.targets.iter().filter(|target| of(&target.kind));
        targets.map(|target| OperatorProgram { package: package.name.clone(), name: target.name.clone() }).collect()
    };
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
    let others = metadata.packages.iter().filter(|package| package.name != definer.package.name);
    for package in std::iter::once(definer.package).chain(others) {
        let own = programs(package);
        let stands_out = |program: &&OperatorProgram| {
            own.len() == 1
                || package.default_run.as_ref() == Some(&program.name)
                || package.default_run.is_none() && program.name == package.name
        };
        if let Some(program) = own.iter().find(stands_out) {
            return Ok(Some(program.clone()));
        }
    }
    let Some(first) = choices.first() else { return Ok(None) };
    Err(Error::user(format!("one of these programs is the operator: `{}`", choices.join("`, `")))
        .hint(format!("opctl adopt --bin {first}")))
}
