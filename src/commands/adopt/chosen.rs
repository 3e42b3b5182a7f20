//! Chooses the crates that define the kinds: the crates that flags name, or the crates of an earlier `opctl adopt`.

use super::definer::{Definer, definer, folder_name, folder_of};
use crate::error::{Hint, hint};
use crate::exec::{Metadata, Package};
use crate::finding::{Finding, Severity};
use crate::model::{Adopted, Domain};
use crate::{Error, Result};

/// The flags that choose the packages of the types, their features and the operator's program.
#[derive(Clone, Copy)]
pub(super) struct Flags<'a> {
    pub(super) packages: &'a [String],
    pub(super) features: &'a [String],
    pub(super) program: Option<&'a str>,
}

/// The crates that define the kinds.
pub(super) struct ChosenCrates<'m> {
    /// The crates that are used, at least one: first the crates that an earlier `opctl adopt` used, in the same order,
    /// then the other crates in the order of their folders.
    pub(super) taken: Vec<Definer<'m>>,
    /// The crates that are not used because `--package` names other packages.
    left: Vec<Definer<'m>>,
    /// The folders of the packages that an earlier run left out because its `--package` flags named other packages.
    left_before: Vec<String>,
    /// The warnings about packages in which opctl can see no type.
    pub(super) warned: Vec<Finding>,
}

impl ChosenCrates<'_> {
    /// Leaves out each crate without a type in the domain. Keeps all crates in `taken` if none of them has a type in
    /// the domain.
    pub(super) fn only_within(&mut self, domain: &Domain) {
        if self.taken.iter().any(|one| one.is_within(domain)) {
            self.taken.retain(|one| one.is_within(domain));
        }
        self.left.retain(|one| one.is_within(domain));
    }

    /// Returns the folders, as written in `PROJECT`, of the packages that are left out because `--package` named other
    /// packages in this run or in an earlier run.
    pub(super) fn left_out_folders(&self) -> Vec<String> {
        let now = self.left.iter().map(|one| folder_name(&one.folder));
        self.left_before.iter().cloned().chain(now).collect()
    }
}

/// Returns the crates that define kinds. If flags name packages, takes the crates of these packages. Otherwise takes
/// the crates of all packages except the packages that an earlier run left out; if these crates define no type, also
/// searches the packages that were left out, because the types may have moved. Reads each package with the features
/// that flags name or, without such flags, with the features that `PROJECT` records.
///
/// # Errors
/// Fails if no crate defines a kind, if a package that a flag names defines no kind, if a flag names an unknown package
/// or feature, or if a source cannot be read.
pub(super) fn definers<'m>(
    flags: Flags<'_>,
    metadata: &'m Metadata,
    known: Option<&Adopted>,
) -> Result<ChosenCrates<'m>> {
    check(flags, metadata)?;
    let root = &metadata.workspace_root;
    let folder = |package: &Package| folder_name(&folder_of(package, root));
    let read = |package: &'m Package| definer(package, root, features(package, flags, known, &folder(package)));
    let named = |package: &&Package| flags.packages.contains(&package.name);
    let left_before = |package: &&Package| known.is_some_and(|known| known.without.contains(&folder(package)));
    let all = || metadata.packages.iter();
    let (mut taken, mut left, mut before) = (Vec::new(), Vec::new(), Vec::new());
    if flags.packages.is_empty() {
        taken = read_all(all().filter(|package| !left_before(package)), read)?;
        if taken.iter().all(|one| one.types.is_empty()) {
            taken.extend(read_all(all().filter(left_before), read)?);
        } else {
            before.extend(all().filter(left_before).map(folder));
        }
    } else {
        for package in all() {
            // A package that the flags do not name need not be valid Rust.
            let read = if named(&package) { read(package)? } else { read(package).unwrap_or_default() };
            if named(&package) { taken.extend(read) } else { left.extend(read.filter(|one| !one.types.is_empty())) }
        }
    }
    let has_kinds = |one: &Definer<'_>| !one.types.is_empty() || !one.findings.iter().all(is_warning);
    let (mut taken, without): (Vec<_>, Vec<_>) = taken.into_iter().partition(has_kinds);
    let warned: Vec<Finding> = without.into_iter().flat_map(|one| one.findings).collect();
    taken.sort_by_key(|one| {
        let folder = folder_name(&one.folder);
        let position = known.and_then(|known| known.types.iter().position(|place| place.package == folder));
        (position.unwrap_or(usize::MAX), folder)
    });
    refuse_none(&taken, &warned, flags)?;
    Ok(ChosenCrates { taken, left, left_before: before, warned })
}

fn is_warning(finding: &Finding) -> bool {
    finding.severity == Severity::Warning
}

fn read_all<'m>(
    packages: impl Iterator<Item = &'m Package>,
    read: impl Fn(&'m Package) -> Result<Option<Definer<'m>>>,
) -> Result<Vec<Definer<'m>>> {
    packages.filter_map(|package| read(package).transpose()).collect()
}

/// Returns the features that a package is read with besides its default features: the package's features that the
/// flags name or, without flags, the recorded features.
fn features(package: &Package, flags: Flags<'_>, known: Option<&Adopted>, folder: &str) -> Vec<String> {
    if flags.features.is_empty() {
        return known.and_then(|known| known.types_in(folder)).map(|place| place.features.clone()).unwrap_or_default();
    }
    flags.features.iter().filter(|feature| package.features.contains_key(*feature)).cloned().collect()
}

/// Fails if a flag names a package or a feature that the workspace does not have.
fn check(flags: Flags<'_>, metadata: &Metadata) -> Result<()> {
    let names: Vec<&str> = metadata.packages.iter().map(|package| package.name.as_str()).collect();
    if let Some(unknown) = flags.packages.iter().find(|name| !names.contains(&name.as_str())) {
        let first = names.first().copied().unwrap_or("my-api");
        return Err(Error::usage(format!("no package here is named `{unknown}`")).hint(hint!(
            "opctl adopt --package {first}    # packages here: {}",
            Hint::join(&names, ", "),
            first
        )));
    }
    let of = |package: &&Package| flags.packages.is_empty() || flags.packages.contains(&package.name);
    let has =
        |feature: &String| metadata.packages.iter().filter(of).any(|package| package.features.contains_key(feature));
    match flags.features.iter().find(|feature| !has(feature)) {
        Some(unknown) => Err(Error::usage(format!("no package here has the feature `{unknown}`"))
            .hint("cargo metadata --no-deps    # lists the features of each package")),
        None => Ok(()),
    }
}

/// Fails if a package that the flags name defines no kind, or if no kind at all can be used.
fn refuse_none(taken: &[Definer<'_>], warned: &[Finding], flags: Flags<'_>) -> Result<()> {
    let without = flags.packages.iter().find(|name| taken.iter().all(|one| one.package.name != **name));
    let place = match without {
        Some(name) => format!("the package `{name}`"),
        None if taken.is_empty() && !warned.is_empty() => {
            return Err(Error::user("no custom resource type here is written directly in the source code")
                .caused_by(
                    "macros or files generated by the build define the types, but opctl reads only types that \
                            are written in the source code",
                )
                .hint("apply the fixes in the findings, then run:\nopctl adopt")
                .with_findings(warned.to_vec()));
        }
        None if taken.is_empty() => "the workspace".to_owned(),
        None if taken.iter().any(|one| !one.types.is_empty()) => return Ok(()),
        None => {
            return Err(Error::user("opctl cannot use any custom resource type here")
                .hint("apply the fixes in the findings, then run:\nopctl adopt")
                .with_findings(taken.iter().flat_map(|one| one.findings.clone()).collect()));
        }
    };
    Err(Error::user(format!("{place} defines no custom resource"))
        .caused_by("no struct in a library or program derives `CustomResource`")
        .hint(
            "opctl init my-operator --domain example.com    # creates a new project, to which `opctl create api` \
               adds kinds",
        ))
}
