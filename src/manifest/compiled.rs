//! The CRDs of the api crates' types, made from the answers of the compiled types.

use super::against::LOSS;
use super::asked::ask;
use super::definition::{Merged, Version, definitions, size};
use super::description::{shorten, write_out_controls};
use super::lint;
use super::manifests::{DEFINITIONS, Generated, Manifests};
use super::options::Options;
use super::types::find_types;
use crate::access::webhook::converted;
use crate::finding::{Finding, Lint};
use crate::model::{ProjectPath, STORAGE_LOSS};
use crate::reading::{self, Limit};
use crate::report::Console;
use crate::schema::{Findings, Raw, structural};
use crate::shim::{self, Answer};
use crate::source::discover::ApiType;
use crate::source::enums::Enums;
use crate::source::files::Source;
use crate::source::places::{Located, Places};
use crate::{Error, Result, exec, yaml};
use serde_json::Value;
use std::fs;
use std::path::Path;

pub(crate) static NO_SCHEMA: Lint = Lint::error(
    "OP116",
    "a schema that cannot be made",
    "`json_schema()` of the type, or of one of its fields, panics; no schema comes of it.",
    "#[serde(default = \"unreadable\")]\nname: String,\n// with\nfn unreadable() -> String { panic!() }",
    "fn unreadable() -> String { \"name\".to_owned() }",
);

/// Makes the CRDs of all types that the api crates define.
pub(super) fn definitions_of(
    root: &Path,
    options: &Options,
    console: &Console,
    manifests: &mut Manifests,
    (sources, read): (&Located, &[Source]),
    findings: &mut Vec<Finding>,
) -> Result<()> {
    let found = find_types(root, options, console, findings)?;
    manifests.types = found.concat();
    manifests.converted = converted(read, &manifests.types);
    findings.extend(manifests.converted.iter().flat_map(|converted| converted.check(&manifests.types)));
    manifests.complete = manifests.types.is_empty();
    if manifests.complete {
        return Ok(());
    }
    let target = exec::target_folder(root);
    let Some(asked) = ask(root, options, &target, &found, console)? else { return Ok(()) };
    manifests.compiled = asked.compiled;
    manifests.complete = true;
    let enums = Enums::read(read);
    let mut versions = Vec::new();
    for (found, answer) in manifests.types.iter().zip(&asked.answers) {
        versions.extend(version(found, answer, (sources, &enums), findings)?);
    }
    manifests.memory = shim::folder(root, &target);
    let mut generated = Vec::new();
    let (merged, disagreements) = definitions(versions);
    findings.extend(disagreements);
    for (name, Merged { object: mut definition, types, stored }) in merged {
        let by_code = manifests.converted.iter().find(|converted| types.iter().any(|one| converted.is_of(one)));
        if let Some(converted) = by_code {
            definition["spec"]["conversion"] = converted.to_json();
        }
        // A conversion webhook keeps the fields that the stored version lacks.
        let converted = by_code.is_some()
            || types.len() > 1 && is_patched(root, definition["metadata"]["name"].as_str().unwrap_or_default());
        findings.extend(lint::versions(&definition, &types, sources, converted));
        findings.extend(lint::unverified(&definition, &types, sources));
        if sources.texts().iter().any(|(_, source)| source.contains(LOSS.code))
            && let Some(reason) =
                lint::allowed_reason(LOSS.code, sources.texts(), sources.places(), (&stored.file, stored.line))
        {
            definition["metadata"]["annotations"][STORAGE_LOSS] = reason.into();
        }
        let versions = definition.pointer_mut("/spec/versions").and_then(Value::as_array_mut);
        for schema in versions.into_iter().flatten().filter_map(|one| one.pointer_mut("/schema/openAPIV3Schema")) {
            write_out_controls(schema);
            options.max_description_length.into_iter().for_each(|most| shorten(schema, most));
        }
        findings.extend(size(&definition, stored));
        manifests
            .files
            .insert(ProjectPath::parse(format!("{DEFINITIONS}{name}.yaml"))?, yaml::documents([&definition]));
        generated.push(Generated { object: definition, types: types.into_iter().cloned().collect() });
    }
    manifests.definitions = generated;
    Ok(())
}

/// Returns true if a patch below `config/crd` gives this CRD a conversion webhook.
pub(super) fn is_patched(root: &Path, name: &str) -> bool {
    let folders = [root.join("config/crd"), root.join("config/crd/patches")];
    let files = folders.iter().flat_map(fs::read_dir).flatten().flatten();
    let mut texts = files.filter_map(|entry| reading::text(entry.path(), Limit::Source).ok());
    texts.any(|text| text.contains(name) && text.lines().any(|line| line.trim() == "strategy: Webhook"))
}

/// Makes one version of a CRD from the answer of its compiled type; returns `None` if the type gives no schema.
fn version<'a>(
    found: &'a ApiType,
    answer: &Answer,
    (sources, enums): (&Located, &Enums),
    findings: &mut Vec<Finding>,
) -> Result<Option<Version<'a>>> {
    let name = &found.resource.root;
    if answer.endless {
        findings.extend(lint::recursive(found, sources.places()));
        return Ok(None);
    }
    let Some(read) = &answer.read else {
        let said = answer.read_panic.as_deref().unwrap_or("it says nothing");
        let reason = format!("`{name}::json_schema()` panics: {said}");
        let hint = "look at the `schema_with` functions and the defaults of its fields";
        findings.push(lint::of_type(found, ("kind", 0), &NO_SCHEMA, reason, hint));
        return Ok(None);
    };
    // kube makes the schema along with the CRD and panics if it cannot; our own steps can make the schema, or name the
    // field.
    let crd = answer.crd.clone().unwrap_or_else(|| stated(found, &answer.plural));
    let raw = |value: &Value| {
        let mut raw = raw(value)?;
        enums.complete(&mut raw);
        Ok::<Raw, Error>(raw)
    };
    let written = answer.written.as_ref().map(raw).transpose()?;
    let mut said = Findings::default();
    let schema = structural(&raw(read)?, written.as_ref(), &mut said);
    let usable = said.allow_use();
    findings.extend(said.all().map(|one| lint::of_schema(found, one, sources.places())));
    let checked = usable.then_some(&schema);
    let mut more = lint::definition(found, &crd, checked, &Places::default());
    // The places are needed only for the lines of fields.
    if more.iter().any(|finding| finding.path.is_some()) {
        more = lint::definition(found, &crd, checked, sources.places());
    }
    findings.extend(more);
    Ok(Some(Version { api_type: found, crd, schema }))
}

/// Returns the CRD that the attributes state.
fn stated(found: &ApiType, plural: &str) -> Value {
    let mut crd = found.resource.stated.clone();
    crd["spec"]["names"]["plural"] = plural.into();
    crd["metadata"]["name"] = format!("{plural}.{}", found.resource.group).into();
    crd
}

fn raw(value: &Value) -> Result<Raw> {
    serde_json::from_value(value.clone()).map_err(|error| Error::bug("cannot read a schema").source(&error))
}
