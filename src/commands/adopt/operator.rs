//! Finds the operator among the programs of a workspace.

use super::chosen::Flags;
use super::definer::Definer;
use crate::error::{Hint, hint};
use crate::exec::{Metadata, Package, Target};
use crate::model::{Adopted, OperatorProgram};
use crate::reading;
use crate::{Error, Result};

/// Returns the program that is the operator, or `None` if the workspace has no program. Takes the program that the flag
/// `--bin` names. Without the flag, takes the program that an earlier `opctl adopt` recorded in `PROJECT`, if the
/// program still exists. Otherwise searches the packages that `having_operator` returns. If `having_operator` returns a
/// single package, takes the `default-run` program of this package, the program named like the package, or the only
/// program. If this search finds no program, takes the program whose name is a prefix of the names of all packages with
/// kinds, such as `shop` for `shop-orders` and `shop-stock`.
///
/// # Errors
/// Fails if no program has the name that the flag gives, or if several programs could be the operator.
pub(super) fn operator(
    flags: Flags<'_>,
    metadata: &Metadata,
    definers: &[Definer<'_>],
    known: Option<&Adopted>,
) -> Result<Option<OperatorProgram>> {
    let all: Vec<OperatorProgram> = metadata.packages.iter().flat_map(programs).collect();
    let before = known.and_then(|known| known.operator.as_ref()).filter(|program| all.contains(program));
    if let Some(named) = flags.program.or(before.map(|program| program.name.as_str())) {
        return all.iter().find(|program| program.name == named).cloned().map(Some).ok_or_else(|| {
            let names = names(&all);
            Error::usage(format!("no package here has a program `{named}`")).hint(match likeliest(&all, metadata) {
                Some(one) => {
                    hint!("opctl adopt --bin {}    # programs here: {}", one.name, Hint::join(&names, ", "))
                }
                None => "cargo metadata --no-deps    # lists what the packages make".into(),
            })
        });
    }
    let having = having_operator(metadata, definers);
    if let [only] = having[..]
        && let Some(program) = named_like_it(only).or_else(|| only_program(only))
    {
        return Ok(Some(program));
    }
    let choices: Vec<OperatorProgram> = having.into_iter().flat_map(programs).collect();
    if let Some(program) = choices.iter().find(|program| begins_all(&program.name, definers)) {
        return Ok(Some(program.clone()));
    }
    let Some(one) = likeliest(&choices, metadata) else { return Ok(None) };
    Err(Error::user(format!("several programs could be the operator: `{}`", names(&choices).join("`, `")))
        .hint(hint!("opctl adopt --bin {}", one.name)))
}

/// Returns the program to suggest in a hint: the first program whose root module mentions a `Controller`, else the
/// first program. Programs whose names contain `gen`, `crd` or `schema` come last, because they likely generate
/// files.
fn likeliest<'p>(programs: &'p [OperatorProgram], metadata: &Metadata) -> Option<&'p OperatorProgram> {
    let root_of = |program: &OperatorProgram| {
        let package = metadata.packages.iter().find(|package| package.name == program.package)?;
        let is_it = |target: &&Target| target.name == program.name && target.kind.iter().any(|one| one == "bin");
        reading::rust(&package.targets.iter().find(is_it)?.src_path).ok()
    };
    let rank = |program: &&OperatorProgram| {
        let is_generator = ["gen", "crd", "schema"].iter().any(|word| program.name.contains(word));
        let runs_controllers = || root_of(program).is_some_and(|text| text.contains("Controller"));
        if is_generator { 2 } else { usize::from(!runs_controllers()) }
    };
    programs.iter().min_by_key(rank)
}

/// Returns true if several packages have kinds, and the names of all these packages begin with `name` and a `-` or
/// `_`: the names `shop-orders` and `shop-stock`, for example, begin with `shop`.
fn begins_all(name: &str, definers: &[Definer<'_>]) -> bool {
    let begins = |package: &str| package.strip_prefix(name).is_some_and(|rest| rest.starts_with(['-', '_']));
    definers.len() > 1 && definers.iter().all(|definer| begins(&definer.package.name))
}

fn names(programs: &[OperatorProgram]) -> Vec<&str> {
    programs.iter().map(|program| program.name.as_str()).collect()
}

fn programs(package: &Package) -> Vec<OperatorProgram> {
    let targets = package.targets.iter().filter(|target| target.kind.iter().any(|one| one == "bin"));
    targets.map(|target| OperatorProgram { package: package.name.clone(), name: target.name.clone() }).collect()
}

/// Returns the program that `default-run` names; without `default-run`, the program named like the package. Returns
/// `None` if the package has no program of this name.
fn named_like_it(package: &Package) -> Option<OperatorProgram> {
    let name = package.default_run.as_ref().unwrap_or(&package.name);
    programs(package).into_iter().find(|program| program.name == *name)
}

fn only_program(package: &Package) -> Option<OperatorProgram> {
    let mut own = programs(package);
    own.pop().filter(|_| own.is_empty())
}

/// Returns the packages that may contain the operator. Considers only packages with a program, and counts for each the
/// packages with kinds among the package itself and its dependencies. Returns the packages with the highest count,
/// because packages that use no kinds may be tools. Exception: if exactly one of the packages with the highest count
/// defines kinds, and this package has a `default-run` program or a program named like the package, returns only this
/// package. The exception needs such a program, because a package with kinds may have a program that only prints CRDs.
fn having_operator<'m>(metadata: &'m Metadata, definers: &[Definer<'_>]) -> Vec<&'m Package> {
    let defines = |package: &Package| definers.iter().any(|definer| definer.package.name == package.name);
    let reach = |package: &Package| {
        let knows = |definer: &&Definer<'_>| {
            let name = &definer.package.name;
            *name == package.name || package.dependencies.iter().any(|one| one.name == *name && one.kind.is_none())
        };
        definers.iter().filter(knows).count()
    };
    let candidates = || metadata.packages.iter().filter(|package| !programs(package).is_empty());
    let most = candidates().map(reach).max().unwrap_or_default();
    let (own, using): (Vec<&Package>, Vec<&Package>) =
        candidates().filter(|package| reach(package) == most).partition(|package| defines(package));
    match own[..] {
        [only] if named_like_it(only).is_some() => own,
        _ => own.into_iter().chain(using).collect(),
    }
}
