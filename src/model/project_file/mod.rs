//! `PROJECT`: the v3 format of kubebuilder, with opctl's settings below the key `plugins."rust.opctl.dev/v1"`.
//!
//! The format is defined in kubebuilder's `pkg/config/v3`. Keys that opctl does not know are kept as they are.

mod adopted;
mod details;
mod entries;
mod resources;
mod texts;

use super::project::{LAYOUT, License, PROJECT_FILE, Project};
use super::{CiService, Domain, OptionalFile, Part, ProjectName, RuntimeSource, is_newer};
use crate::error::hint;
use crate::{Error, Result, conflict, yaml};
use details::details_of;
use entries::{damaged, misnamed, object_entry, path_of, text_of};
use resources::{entry_of, parse_resource};
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

const HEADER: &str = "# What opctl knows about this project; `opctl` commands keep it up to date.\n\
                      # Keys that opctl does not know are kept.\n";

impl Project {
    /// Reads `PROJECT`.
    ///
    /// # Errors
    /// Fails if the file is damaged, or was written by another tool or by a newer opctl. The error names the cause.
    pub fn parse(text: &str) -> Result<Self> {
        let document: Map<String, Value> = serde_yaml::from_str(text).map_err(|error| {
            let error = damaged("it is not a YAML mapping").caused_by(yaml::cause(&error));
            conflict::or(PROJECT_FILE, text, error)
        })?;
        check_layout(&document)?;
        let ours = document.get("plugins").and_then(|plugins| plugins.get(LAYOUT)).cloned().unwrap_or_default();
        let name = required_text(&document, "projectName")?;
        let domain = required_text(&document, "domain")?;
        let license = text_of(&ours, "license").unwrap_or("none");
        let mut project = Project {
            name: ProjectName::parse(name).map_err(|invalid| misnamed(&invalid))?,
            domain: Domain::parse(domain).map_err(|invalid| misnamed(&invalid))?,
            repo: texts::repository(&document)?,
            license: License::parse(license).ok_or_else(|| damaged(&format!("`license: {license}` is unknown")))?,
            owner: texts::line(&ours, "owner")?,
            cli_version: texts::version(&document)?,
            max_description_length: description_length(&ours)?,
            parts: parts(&ours)?,
            header_file: path_of(&ours, "headerFile")?,
            header_year: texts::line(&ours, "headerYear")?,
            json_schema: path_of(&ours, "jsonSchema")?,
            namespaced: match document.get("namespaced") {
                None => false,
                Some(value) => value.as_bool().ok_or_else(|| damaged("`namespaced` is neither true nor false"))?,
            },
            without: left_out(&ours)?,
            ci: parse_setting(&ours, "ci", CiService::default(), CiService::parse)?,
            runtime: parse_setting(&ours, "runtime", RuntimeSource::Vendored, RuntimeSource::parse)?,
            adopted: adopted::parse(&ours)?,
            resources: Vec::new(),
            document: document.clone(),
        };
        let resources = match document.get("resources") {
            None | Some(Value::Null) => &[] as &[Value],
            Some(Value::Array(resources)) => resources,
            Some(_) => return Err(damaged("`resources` is not a list")),
        };
        for entry in resources {
            let resource = parse_resource(entry, &ours, &project.domain)?;
            if project.resource(&resource.key).is_some() {
                return Err(damaged(&format!("`resources` lists `{}` twice", resource.key)));
            }
            project.append(resource);
        }
        resources::check_spokes(&project)?;
        Ok(project)
    }

    /// Checks that no opctl newer than the version `own` has created or updated the project.
    ///
    /// # Errors
    /// Fails if a newer opctl has created or updated the project. The error names both versions.
    pub fn check_opctl(&self, own: &str) -> Result<()> {
        let newer = &self.cli_version;
        if !is_newer(newer, own) {
            return Ok(());
        }
        Err(Error::user(format!("`{PROJECT_FILE}` was written by a newer opctl"))
            .caused_by(format!("opctl `{newer}` has made or updated the project; this is opctl `{own}`"))
            .hint(if semver::Version::parse(newer).is_ok() {
                hint!("cargo install --locked opctl@{newer}", newer)
            } else {
                hint!(
                    "git checkout {PROJECT_FILE}    # restores the committed file; the `cliVersion` in the current \
                       file is not a version of opctl",
                    PROJECT_FILE
                )
            }))
    }

    /// Renders `PROJECT`, with keys sorted as kubebuilder sorts them and unknown keys kept.
    pub fn to_text(&self) -> String {
        let mut document = self.document.clone();
        document.insert("version".into(), json!("3"));
        document.insert("layout".into(), json!([LAYOUT]));
        document.insert("projectName".into(), json!(self.name.as_str()));
        document.insert("domain".into(), json!(self.domain.as_str()));
        document.insert("cliVersion".into(), json!(self.cli_version));
        if let Some(repo) = &self.repo {
            document.insert("repo".into(), json!(repo));
        }
        // kubebuilder writes this key only where it is true.
        if self.namespaced {
            document.insert("namespaced".into(), json!(true));
        } else {
            document.remove("namespaced");
        }
        let known = document.get("resources").and_then(Value::as_array).cloned().unwrap_or_default();
        let resources: Vec<Value> =
            self.resources.iter().map(|resource| entry_of(resource, &self.domain, &known)).collect();
        if resources.is_empty() {
            document.remove("resources");
        } else {
            document.insert("resources".into(), Value::Array(resources));
        }
        let plugins = object_entry(&mut document, "plugins");
        let ours = object_entry(plugins, LAYOUT);
        self.fill_ours(ours);
        format!("{HEADER}{}", yaml::document(&Value::Object(document)))
    }

    fn fill_ours(&self, ours: &mut Map<String, Value>) {
        ours.insert("license".into(), json!(self.license.name()));
        if let Some(owner) = &self.owner {
            ours.insert("owner".into(), json!(owner));
        }
        if let Some(length) = self.max_description_length {
            ours.insert("maxDescriptionLength".into(), json!(length));
        }
        if self.parts == Part::defaults() {
            ours.remove("parts");
        } else {
            ours.insert("parts".into(), self.parts.iter().map(|part| part.name()).collect());
        }
        let texts = [
            ("headerFile", self.header_file.as_deref()),
            ("headerYear", self.header_year.as_deref()),
            ("jsonSchema", self.json_schema.as_deref()),
        ];
        for (key, value) in texts {
            match value {
                Some(value) => drop(ours.insert(key.into(), json!(value))),
                None => drop(ours.remove(key)),
            }
        }
        if !self.without.is_empty() {
            let names: Vec<&str> = self.without.iter().map(|file| file.name()).collect();
            ours.insert("without".into(), json!(names));
        }
        let chosen = [
            ("ci", self.ci.name(), self.ci == CiService::default()),
            ("runtime", self.runtime.name(), self.runtime == RuntimeSource::Vendored),
        ];
        for (key, name, is_usual) in chosen {
            if is_usual {
                ours.remove(key);
            } else {
                ours.insert(key.into(), json!(name));
            }
        }
        if let Some(adopted) = &self.adopted {
            ours.insert("adopted".into(), adopted::entry_of(adopted));
        }
        let details = self.resources.iter().enumerate().filter_map(|(index, resource)| {
            details_of(resource, resource.copied && !resource.follows_version(&self.resources[..index]))
        });
        let details: Vec<Value> = details.collect();
        if details.is_empty() {
            ours.remove("resources");
        } else {
            ours.insert("resources".into(), Value::Array(details));
        }
    }
}

fn description_length(ours: &Value) -> Result<Option<usize>> {
    let Some(value) = ours.get("maxDescriptionLength") else { return Ok(None) };
    let length = value.as_u64().and_then(|length| usize::try_from(length).ok());
    length.map(Some).ok_or_else(|| damaged(&format!("`maxDescriptionLength: {value}` is not a number of bytes")))
}

/// Returns the optional parts of `config/`. Without the key `parts`, returns the parts of a new project.
fn parts(ours: &Value) -> Result<BTreeSet<Part>> {
    let Some(names) = ours.get("parts") else { return Ok(Part::defaults()) };
    let names = names.as_array().ok_or_else(|| damaged("`parts` is not a list"))?;
    let parse = |name: &Value| name.as_str().and_then(Part::parse);
    names.iter().map(|name| parse(name).ok_or_else(|| damaged(&format!("`parts` has no part {name}")))).collect()
}

/// Reads the setting at `key`, and parses its text with `parse`. Returns `usual` if the key is missing.
fn parse_setting<Of>(ours: &Value, key: &str, usual: Of, parse: fn(&str) -> Option<Of>) -> Result<Of> {
    let Some(value) = ours.get(key) else { return Ok(usual) };
    value.as_str().and_then(parse).ok_or_else(|| damaged(&format!("`{key}: {value}` is unknown")))
}

fn left_out(ours: &Value) -> Result<Vec<OptionalFile>> {
    let names = ours.get("without").and_then(Value::as_array).into_iter().flatten();
    names
        .map(|name| {
            let known = name.as_str().and_then(OptionalFile::parse);
            known.ok_or_else(|| damaged(&format!("`without` lists {name}, which is unknown")))
        })
        .collect()
}

fn check_layout(document: &Map<String, Value>) -> Result<()> {
    let version = match document.get("version") {
        Some(Value::String(version)) => version.clone(),
        // A version that a user writes by hand may lack the quotes.
        Some(Value::Number(version)) => version.to_string(),
        _ => return Err(damaged("`version` is missing")),
    };
    let layout: Vec<&str> = match document.get("layout") {
        Some(Value::Array(keys)) => keys.iter().filter_map(Value::as_str).collect(),
        Some(Value::String(key)) => vec![key],
        _ => Vec::new(),
    };
    let mine = LAYOUT.split('/').next().unwrap_or_default();
    if layout.contains(&LAYOUT) && version == "3" {
        return Ok(());
    }
    if let Some(newer) = layout.iter().find(|key| key.starts_with(mine)) {
        return Err(Error::user(format!("`{PROJECT_FILE}` was written by a newer opctl"))
            .caused_by(format!(
                "the file has version `{version}` and layout `{newer}`; this opctl supports version `3` and layout \
                 `{LAYOUT}`"
            ))
            .hint("cargo install --locked opctl"));
    }
    if layout.is_empty() {
        return Err(damaged("`layout` is missing"));
    }
    Err(Error::user(format!("`{PROJECT_FILE}` does not describe an opctl project"))
        .caused_by(format!("the file has the layout `{}`, but opctl expects the layout `{LAYOUT}`", layout.join(",")))
        .hint("opctl init --domain example.com    # creates a new opctl project; run this in a separate folder"))
}

fn required_text<'a>(document: &'a Map<String, Value>, key: &str) -> Result<&'a str> {
    document.get(key).and_then(Value::as_str).ok_or_else(|| damaged(&format!("`{key}` is missing")))
}
