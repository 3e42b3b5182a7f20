//! Everything that `opctl manifests` writes, as contents by path.

use super::against::{self, Older};
use super::definition::{Merged, Version, definitions, size};
use super::description::shorten;
use super::discover::{self, ApiType, Features};
use super::enums::Enums;
use super::inputs::Inputs;
use super::lint::{self, Places};
use super::markers::markers;
use super::rbac::{self, Grant};
use super::rights;
use super::schema::{Findings, Problem, Raw, structural};
use super::shim::{self, Answer, Request};
use super::sources::{self, Source};
use super::webhook::Webhooks;
use crate::error::{Category, Finding, Severity};
use crate::model::{STORAGE_LOSS, storage_loss};
use crate::report::Console;
use crate::{Error, Result, error::file_error, exec, yaml};
use serde_json::Value;
use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

/// What may be chosen.
#[derive(Clone, Debug)]
pub struct Options {
    /// The folder of the api crate, below the project's root.
    pub api: PathBuf,
    /// Compile even when nothing changed.
    pub force: bool,
    /// Whether anything is compiled at all; if not, what the types say is known only while it is kept from the last time.
    pub compile: bool,
    /// The bytes that a description may have; 0 leaves descriptions out.
    pub max_description_length: Option<usize>,
    /// The comments above every file.
    pub header: String,
    /// Whether the manager has a Role, in the namespace that it runs in.
    pub namespaced: bool,
    /// Older definitions, to compare the new ones with.
    pub against: Option<Older>,
    /// Types of other crates that the operator has controllers for.
    pub external: Vec<ExternalType>,
}

/// A type of another crate.
#[derive(Clone, Debug)]
pub struct ExternalType {
    /// Its path in Rust, such as `certs::v1::Certificate`.
    pub path: String,
    /// Its kind.
    pub kind: String,
    /// The whole API group.
    pub group: String,
    /// The plural, which names it in roles.
    pub plural: String,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            api: PathBuf::from("api"),
            force: false,
            compile: true,
            max_description_length: None,
            header: String::new(),
            namespaced: false,
            against: None,
            external: Vec::new(),
        }
    }
}

/// The files as they should be.
#[derive(Clone, Debug, Default)]
pub struct Manifests {
    /// Contents by path below the project's root: `config/crd/bases/<group>_<plural>.yaml`,
    /// `config/rbac/role.yaml`, and `config/webhook/manifests.yaml` where a marker states a webhook.
    pub files: BTreeMap<String, String>,
    /// The types that were found.
    pub types: Vec<ApiType>,
    /// What works, but hardly as it is meant; and what breaks the users of an older definition.
    pub findings: Vec<Finding>,
    /// Whether anything had to be compiled.
    pub compiled: bool,
    /// Whether the types were asked, so that the definitions are among the files.
    pub complete: bool,
    /// What the definitions are generated from; `None` where there is no type.
    pub inputs: Option<Inputs>,
    /// The definitions, each with the types that it is made from.
    pub definitions: Vec<Generated>,
    pub(super) sources: Vec<(PathBuf, String)>,
    /// Where what is known from earlier runs is kept.
    pub(super) memory: PathBuf,
}

/// A definition, and the types of its versions in their order.
#[derive(Clone, Debug)]
pub struct Generated {
    /// The definition.
    pub object: Value,
    /// Where its versions come from.
    pub types: Vec<ApiType>,
}

impl Generated {
    /// Its file below the project's root, `config/crd/bases/<group>_<plural>.yaml`.
    pub fn file(&self) -> PathBuf {
        let text = |pointer: &str| self.object.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        format!("config/crd/bases/{}_{}.yaml", text("/spec/group"), text("/spec/names/plural")).into()
    }
}

/// Generates the manifests of the project at `root`. Writes nothing but below cargo's target folder.
///
/// # Errors
/// Types that do not compile, whose messages have been shown then; no cargo; or the error that carries all findings, if
/// one of them is an error.
pub fn generate(root: &Path, options: &Options, console: &Console) -> Result<Manifests> {
    let root = std::path::absolute(root).map_err(|error| file_error("find", root, &error))?;
    let mut manifests = Manifests::default();
    let read = sources::read(&root, &options.api)?;
    let sources: Vec<(PathBuf, String)> = read.iter().map(|one| (one.file.clone(), one.text.clone())).collect();
    let mut findings = Vec::new();
    let made = definitions_of(&root, options, console, &mut manifests, (&sources, &Enums::read(&read)), &mut findings);
    for source in read.iter().filter(|source| source.file.starts_with(&options.api)) {
        if let Some(syntax) = &source.syntax {
            findings.extend(lint::attributes(&source.file, &source.text, syntax));
        }
    }
    if !manifests.types.is_empty() {
        manifests.inputs = Some(Inputs::read(&root, &options.api, &read, options.max_description_length)?);
    }
    let grants = from_markers(&read, options.namespaced, &mut manifests, &mut findings);
    // A marker that cannot be read may be the very one that grants what seems to be missing.
    if errors(&findings) == 0 {
        let rights = rights::by_hand(&root)?.with(&grants);
        findings.extend(rights::check(&read, &manifests.types, &options.external, &rights));
    }
    if let (Ok(()), Some(older)) = (&made, options.against.as_ref().filter(|_| errors(&findings) == 0)) {
        let made = manifests.definitions.iter().map(|made| (made.file(), made.object.clone()));
        let newer: Vec<_> = made.chain(older.beside.clone()).collect();
        findings.extend(against::compare(older, &newer, &manifests.types, &Places::read(&sources)));
    }
    if made.is_ok() {
        let losses = losses(&root, &manifests, &sources);
        findings.extend(losses.into_iter().filter(|loss| !findings.contains(loss)).collect::<Vec<_>>());
        findings.retain(|finding| {
            let name = finding.definition.as_deref().unwrap_or_default();
            finding.code != lint::LOSS || !has_conversion(&root, name)
        });
    }
    findings.extend(manifests.remembered(&sources));
    if made.is_ok() && (!findings.is_empty() || sources.iter().any(|(_, source)| source.contains("+opctl:allow"))) {
        findings = lint::apply_allowances(findings, &sources, &Places::read(&sources), options.against.is_some());
    }
    if !manifests.complete {
        // What an allowance takes out may be among what the types were not asked for.
        findings.retain(|finding| finding.code != "OP404");
    }
    findings = lint::joined(findings);
    findings.sort_by(|one, other| {
        let key = |finding: &Finding| (finding.severity, finding.file.clone(), finding.line, finding.code.clone());
        key(one).cmp(&key(other))
    });
    made.map_err(|error| error.with_findings(findings.clone()))?;
    refuse(&findings, options.against.is_some())?;
    manifests.findings = findings;
    if !options.header.is_empty() {
        manifests.files.values_mut().for_each(|content| content.insert_str(0, &options.header));
    }
    manifests.sources = sources;
    manifests.forget_verified();
    Ok(manifests)
}

/// What objects would lose that are stored as the definitions say which were written before.
fn losses(root: &Path, manifests: &Manifests, sources: &[(PathBuf, String)]) -> Vec<Finding> {
    let mut findings = Vec::new();
    for made in &manifests.definitions {
        let file = made.file();
        let Ok(text) = fs::read_to_string(root.join(&file)) else { continue };
        let only = |one: &ApiType| text.contains(&format!("name: {}\n", one.resource.version));
        if made.types.len() == 1 && made.types.iter().all(only) {
            continue;
        }
        // A file that is no definition is not in the way here, but where it is written.
        for (_, old) in Older::read(&file, &text).unwrap_or_default() {
            if storage_loss(&old, &made.object).is_some() {
                let (types, places) = (&manifests.types, Places::read(sources));
                findings.extend(against::storage_loss((&file, &old), &made.object, types, &places));
            }
        }
    }
    findings
}

/// Makes the roles, and the webhooks where there are some; what the markers grant.
fn from_markers(
    sources: &[Source],
    namespaced: bool,
    manifests: &mut Manifests,
    findings: &mut Vec<Finding>,
) -> Vec<Grant> {
    let specs: Vec<Value> = manifests.types.iter().map(|found| found.resource.stated["spec"].clone()).collect();
    let outside = |group: &str, plural: &str| {
        let ours =
            |spec: &Value| spec["scope"] == "Cluster" && spec["group"] == group && spec["names"]["plural"] == plural;
        specs.iter().any(ours) || rights::is_outside_of_namespaces(group, plural)
    };
    let (mut grants, mut webhooks) = (Vec::new(), Webhooks::default());
    for source in sources {
        let text = source.without_tests();
        let markers = markers(&source.file, &text, findings);
        grants.extend(rbac::grants(&source.file, &markers, findings));
        if namespaced {
            rbac::beyond_a_role(&source.file, &markers, &outside, findings);
        }
        webhooks.add(&source.file, &markers, findings);
    }
    manifests.files.insert("config/rbac/role.yaml".to_owned(), yaml::documents(&rbac::roles(&grants, namespaced)));
    let configurations = webhooks.objects(&manifests.types, findings);
    if !configurations.is_empty() {
        manifests.files.insert("config/webhook/manifests.yaml".to_owned(), yaml::documents(&configurations));
    }
    grants
}

/// Makes the definitions of all types that were found.
fn definitions_of(
    root: &Path,
    options: &Options,
    console: &Console,
    manifests: &mut Manifests,
    (sources, enums): (&[(PathBuf, String)], &Enums),
    findings: &mut Vec<Finding>,
) -> Result<()> {
    manifests.types = find_types(root, &options.api, console, findings)?;
    manifests.complete = manifests.types.is_empty();
    if manifests.complete {
        return Ok(());
    }
    let paths: Vec<String> = manifests.types.iter().map(|found| found.path.clone()).collect();
    let target = exec::target_folder(root);
    let roots: Vec<(PathBuf, String)> =
        manifests.types.iter().map(|found| (found.file.clone(), found.resource.root.clone())).collect();
    let request =
        Request { root, api: &options.api, target: &target, types: &paths, roots: &roots, force: options.force };
    let answers = if options.compile {
        let (answers, compiled) = shim::answers(&request, console)?;
        manifests.compiled = compiled;
        Some(answers)
    } else {
        shim::known(&request)?
    };
    let Some(answers) = answers else { return Ok(()) };
    manifests.complete = true;
    let mut versions = Vec::new();
    for found in &manifests.types {
        let answer = answers.iter().find(|answer| answer.path == found.path);
        let answer = answer.ok_or_else(|| Error::bug(format!("the compiled types do not name `{}`", found.path)))?;
        versions.extend(version(found, answer, (sources, enums), findings)?);
    }
    manifests.memory = shim::folder(root, &target);
    let mut generated = Vec::new();
    for (name, Merged { object: mut definition, types, stored }) in definitions(versions, findings) {
        // A webhook sees to it that nothing is lost.
        let converted =
            types.len() > 1 && has_conversion(root, definition["metadata"]["name"].as_str().unwrap_or_default());
        findings.extend(lint::versions(&definition, &types, sources, converted));
        findings.extend(lint::unverified(&definition, &types, &Places::read(sources)));
        if sources.iter().any(|(_, source)| source.contains(lint::LOSS))
            && let Some(reason) =
                lint::allowed_reason(lint::LOSS, sources, &Places::read(sources), (&stored.file, stored.line))
        {
            definition["metadata"]["annotations"][STORAGE_LOSS] = reason.into();
        }
        if let Some(most) = options.max_description_length {
            let versions = definition.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
            for schema in versions.into_iter().flatten().filter_map(|one| one.pointer_mut("/schema/openAPIV3Schema")) {
                shorten(schema, most);
            }
        }
        findings.extend(size(&definition, stored));
        manifests.files.insert(format!("config/crd/bases/{name}.yaml"), yaml::documents([&definition]));
        generated.push(Generated { object: definition, types: types.into_iter().cloned().collect() });
    }
    manifests.definitions = generated;
    Ok(())
}

/// Whether a patch below `config/crd` has the versions of this definition converted by a webhook.
fn has_conversion(root: &Path, name: &str) -> bool {
    let folders = [root.join("config/crd"), root.join("config/crd/patches")];
    let files = folders.iter().flat_map(fs::read_dir).flatten().flatten();
    let mut texts = files.filter_map(|entry| fs::read_to_string(entry.path()).ok());
    texts.any(|text| text.contains(name) && text.lines().any(|line| line.trim() == "strategy: Webhook"))
}

/// The types of the api crate; none if there is no such crate.
fn find_types(root: &Path, api: &Path, console: &Console, findings: &mut Vec<Finding>) -> Result<Vec<ApiType>> {
    if !root.join(api).join("Cargo.toml").is_file() {
        return Ok(Vec::new());
    }
    let manifest = shim::read_manifest(&root.join(api).join("Cargo.toml"))?;
    let lib =
        manifest.get("lib").and_then(|lib| lib.get("path")).and_then(toml_edit::Item::as_str).unwrap_or("src/lib.rs");
    let last = RefCell::new(PathBuf::new());
    let source = |path: &Path| match fs::read_to_string(root.join(path)) {
        Ok(text) => {
            path.clone_into(&mut last.borrow_mut());
            Ok(Some(text))
        }
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(file_error("read", path, &error)),
    };
    let found = discover::types(&api.join(lib), &source, &Features::default_of(&manifest), findings);
    found.map_err(|error| {
        let said =
            if error.category() == Category::User { exec::syntax_errors(root, &last.borrow()) } else { Vec::new() };
        for message in &said {
            console.passthrough(message);
        }
        if said.is_empty() { error } else { error.without_causes() }
    })
}

/// Makes the definition of one version of what the compiled type said; `None` if that is not possible.
fn version<'a>(
    found: &'a ApiType,
    answer: &Answer,
    (sources, enums): (&[(PathBuf, String)], &Enums),
    findings: &mut Vec<Finding>,
) -> Result<Option<Version<'a>>> {
    let name = &found.resource.root;
    if answer.endless {
        findings.extend(lint::recursive(found, &Places::read(sources)));
        return Ok(None);
    }
    let Some(read) = &answer.read else {
        let said = answer.read_panic.as_deref().unwrap_or("it says nothing");
        let reason = format!("`{name}::json_schema()` panics: {said}");
        let hint = "look at the `schema_with` functions and the defaults of its fields";
        findings.push(lint::of(found, ("kind", 0), "OP116", reason, hint));
        return Ok(None);
    };
    // kube makes the schema along with the definition, and panics where it cannot; our own steps can, or name the field.
    let crd = answer.crd.clone().unwrap_or_else(|| stated(found, &answer.plural));
    let raw = |value: &Value| {
        let mut raw = raw(value)?;
        enums.complete(&mut raw);
        Ok::<Raw, Error>(raw)
    };
    let written = answer.written.as_ref().map(raw).transpose()?;
    let mut said = Findings::default();
    let schema = structural(&raw(read)?, written.as_ref(), &mut said);
    let usable = said.problems.is_empty();
    let all: Vec<&Problem> = said.problems.iter().chain(&said.warnings).collect();
    // Reading the source again is needed for the lines only.
    let places = if all.is_empty() { Places::default() } else { Places::read(sources) };
    findings.extend(all.into_iter().map(|problem| lint::of_schema(found, problem, &places)));
    let checked = usable.then_some(&schema);
    let mut more = lint::definition(found, &crd, checked, &places);
    if more.iter().any(|finding| finding.path.is_some()) {
        more = lint::definition(found, &crd, checked, &Places::read(sources));
    }
    findings.extend(more);
    Ok(Some(Version { api_type: found, crd, schema }))
}

/// The definition that the attributes state.
fn stated(found: &ApiType, plural: &str) -> Value {
    let mut crd = found.resource.stated.clone();
    crd["spec"]["names"]["plural"] = plural.into();
    crd["metadata"]["name"] = format!("{plural}.{}", found.resource.group).into();
    crd
}

fn raw(value: &Value) -> Result<Raw> {
    serde_json::from_value(value.clone()).map_err(|error| Error::bug("cannot read a schema").source(&error))
}

/// The number of errors.
fn errors(findings: &[Finding]) -> usize {
    findings.iter().filter(|finding| finding.severity == Severity::Error).count()
}

/// The error that carries all findings, if one of them is an error of the types and markers themselves.
pub(super) fn refuse(findings: &[Finding], compared: bool) -> Result<()> {
    // What a comparison that was asked for finds is said as such.
    let left = |finding: &Finding| finding.is_about_compatibility() && (compared || finding.code != lint::LOSS);
    let errors: Vec<&Finding> =
        findings.iter().filter(|finding| finding.severity == Severity::Error && !left(finding)).collect();
    let Some(first) = errors.first() else { return Ok(()) };
    let number = if errors.len() == 1 { "an error".to_owned() } else { format!("{} errors", errors.len()) };
    let error = Error::user(format!("the API types and markers have {number}, and nothing was written"));
    Err(error.hint(format!("opctl explain {}", first.code)).with_findings(findings.to_vec()))
}
