//! Reconstructs the opctl commands that make a project, from the content of the project's file `PROJECT`.

use serde_json::Value;

/// Returns the text at a key, or `None` if the text is missing or empty.
pub(super) fn said<'a>(value: &'a Value, key: &str) -> Option<&'a str> {
    value[key].as_str().filter(|text| !text.is_empty())
}

/// Returns the fields of a resource that `PROJECT` stores only in opctl's plugin section.
fn details_of(resource: &Value, details: &Value) -> Value {
    let same = |other: &&Value| ["group", "version", "kind"].iter().all(|key| said(other, key) == said(resource, key));
    details.as_array().into_iter().flatten().find(same).cloned().unwrap_or_default()
}

/// Returns the commands that make the policies of a resource.
pub(super) fn policies_of(resource: &Value, details: &Value) -> Vec<Vec<String>> {
    let mut command = vec!["create".to_owned(), "policy".to_owned()];
    for name in ["group", "version", "kind"] {
        command.extend(said(resource, name).into_iter().flat_map(|text| [format!("--{name}"), text.to_owned()]));
    }
    let policies = details_of(resource, details)["policies"].as_array().cloned().unwrap_or_default();
    let mutating = |policy: &Value| (policy == "mutating").then(|| "--mutating".to_owned());
    policies.iter().map(|policy| command.iter().cloned().chain(mutating(policy)).collect()).collect()
}

/// Returns the commands that make a resource of `PROJECT`: the first one makes its types and its first controller, the
/// others make further controllers.
pub(super) fn commands_of(resource: &Value, details: &Value) -> Vec<Vec<String>> {
    let details = details_of(resource, details);
    let is = |flag: &str| resource[flag].as_bool().unwrap_or(false);
    let mut key = vec!["create".to_owned(), "api".to_owned()];
    let mut first: Vec<String> = Vec::new();
    for name in ["group", "version", "kind"] {
        key.extend(said(resource, name).into_iter().flat_map(|text| [format!("--{name}"), text.to_owned()]));
    }
    for (from, name, flag) in [
        (resource, "plural", "plural"),
        (resource, "path", "external-api-path"),
        (resource, "domain", "external-api-domain"),
        (resource, "module", "external-api-module"),
        (&details, "image", "image"),
    ] {
        if !flag.starts_with("external") || is("external") {
            first.extend(said(from, name).into_iter().flat_map(|text| [format!("--{flag}"), text.to_owned()]));
        }
    }
    for (name, flag) in [("categories", "category"), ("shortNames", "short-name"), ("fields", "field")] {
        let texts = details[name].as_array().into_iter().flatten().filter_map(Value::as_str);
        first.extend(texts.flat_map(|text| [format!("--{flag}"), text.to_owned()]));
    }
    let of_controller = |details: &Value| {
        let owns = details["owns"].as_array().into_iter().flatten().filter_map(Value::as_str);
        let mut flags: Vec<String> = owns.flat_map(|kind| ["--owns".to_owned(), kind.to_owned()]).collect();
        flags.extend(details["finalizer"].as_bool().unwrap_or(false).then(|| "--finalizer".to_owned()));
        flags
    };
    first.extend(of_controller(&details));
    if resource["api"].is_object() {
        first
            .extend(said(resource, "domain").into_iter().flat_map(|domain| ["--domain".to_owned(), domain.to_owned()]));
        first.push(format!("--namespaced={}", resource["api"]["namespaced"]));
    } else {
        key.push("--resource=false".to_owned());
        first.extend((details["namespaced"] == false).then(|| "--namespaced=false".to_owned()));
    }
    let mut names = resource["controllers"].as_array().into_iter().flatten().filter_map(|one| said(one, "name"));
    if let Some(name) = names.next() {
        first.extend(["--controller-name".to_owned(), name.to_owned()]);
    } else if !is("controller") {
        first.push("--controller=false".to_owned());
    }
    let made = resource["api"].is_object() || is("controller") || resource["controllers"].is_array();
    let mut commands: Vec<Vec<String>> = made.then(|| [key.clone(), first].concat()).into_iter().collect();
    for name in names {
        let further = details["controllers"].as_array().into_iter().flatten();
        let flags = further.filter(|one| said(one, "name") == Some(name)).flat_map(of_controller).collect();
        let second = vec!["--resource=false".to_owned(), "--controller-name".to_owned(), name.to_owned()];
        let key = key.iter().filter(|word| *word != "--resource=false").cloned().collect();
        commands.push([key, second, flags].concat());
    }
    let admits = resource["webhooks"]["defaulting"] == true || resource["webhooks"]["validation"] == true;
    if admits {
        let key = key.iter().skip(2).filter(|word| *word != "--resource=false").cloned().collect();
        let kinds = ["defaulting", "validation"].iter().filter(|kind| resource["webhooks"][**kind] == true);
        let kinds = kinds.map(|kind| format!("--{kind}")).collect();
        commands.push([vec!["create".to_owned(), "webhook".to_owned()], key, kinds].concat());
    }
    commands
}

/// Returns two commands for the first kind that the project defines in another version than `v2`: one adds the version
/// `v2`, and the other one adds a conversion between `v2` and the existing version. Returns `None` if there is no such
/// kind.
pub(super) fn conversion(project: &Value) -> Option<[Vec<String>; 2]> {
    let own = |one: &&Value| one["api"].is_object() && said(one, "version") != Some("v2");
    let kind = project["resources"].as_array().into_iter().flatten().find(own)?;
    let mut key = Vec::new();
    for (flag, name) in [("--group", "group"), ("--kind", "kind")] {
        key.extend(said(kind, name).into_iter().flat_map(|value| [flag.to_owned(), value.to_owned()]));
    }
    let words = |words: &[&str]| words.iter().map(|&word| word.to_owned()).collect::<Vec<_>>();
    let version = [words(&["create", "api"]), key.clone(), words(&["--version", "v2"])].concat();
    let webhook = [words(&["create", "webhook", "--conversion", "--spoke", "v2"]), key].concat();
    Some([version, webhook])
}
