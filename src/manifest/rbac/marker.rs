//! The grammar of `+kubebuilder:rbac:` markers (controller-tools `pkg/markers/parse.go`, `pkg/rbac/parser.go`), and a
//! little more: blanks around separators, the spelling `+opctl:rbac:`, and an error wherever controller-gen is silent.

use super::comments::Comment;

/// What one marker grants.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Grant {
    /// API groups; `core` is the one without a name.
    pub groups: Vec<String>,
    /// Resources and subresources.
    pub resources: Vec<String>,
    /// Names of objects.
    pub resource_names: Vec<String>,
    /// Paths that are not resources.
    pub urls: Vec<String>,
    /// Verbs.
    pub verbs: Vec<String>,
    /// The namespace, for a Role.
    pub namespace: String,
    /// The role's name, if not the default one.
    pub role_name: String,
}

/// What is wrong with a marker, and the column.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Wrong {
    pub(super) column: usize,
    pub(super) message: String,
    pub(super) hint: Option<String>,
}

const PREFIXES: [&str; 2] = ["opctl:", "kubebuilder:"];
const NAMES: [&str; 5] = ["allow", "rbac", "scaffold", "webhook", "webhookconfiguration"];
const ARGUMENTS: [&str; 7] = ["groups", "resources", "resourceNames", "verbs", "urls", "namespace", "roleName"];
const VERBS: [&str; 16] = [
    "get",
    "list",
    "watch",
    "create",
    "update",
    "patch",
    "delete",
    "deletecollection",
    "use",
    "bind",
    "escalate",
    "impersonate",
    "approve",
    "sign",
    "attest",
    "*",
];

/// Reads a comment; `None` if it is no RBAC marker.
pub(super) fn parse(comment: Comment) -> Result<Option<Grant>, Wrong> {
    let trimmed = comment.text.trim_start();
    let column = comment.column + comment.text.chars().count() - trimmed.chars().count();
    let Some(marker) = trimmed.strip_prefix('+') else { return Ok(None) };
    let Some(rest) = PREFIXES.iter().find_map(|prefix| marker.strip_prefix(prefix)) else { return Ok(None) };
    let name = rest.split([':', '=', ' ']).next().unwrap_or_default();
    if name != "rbac" {
        return unknown_name(marker, name, column);
    }
    let arguments = rest["rbac".len()..].strip_prefix(':').unwrap_or_default();
    let start = column + trimmed.chars().count() - arguments.chars().count();
    let grant = Reader { rest: arguments.trim_end(), column: start, grant: Grant::default(), given: Vec::new() }
        .read(column)?;
    check(&grant, column)?;
    Ok(Some(grant))
}

fn unknown_name(marker: &str, name: &str, column: usize) -> Result<Option<Grant>, Wrong> {
    if NAMES.contains(&name) {
        return Ok(None);
    }
    // kubebuilder has many more, for Go types; only a slip of the pen is an error there.
    match closest(name, &NAMES) {
        Some(meant) => Err(Wrong {
            column: column + 1,
            message: format!("there is no marker `+{}`", marker.split('=').next().unwrap_or(marker).trim()),
            hint: Some(format!("did you mean `{}`?", marker_start(marker, name, meant))),
        }),
        None if marker.starts_with("opctl:") => Err(Wrong {
            column: column + 1,
            message: format!("there is no marker `+opctl:{name}`"),
            hint: Some(
                "opctl knows `+opctl:rbac:`, `+opctl:webhook:`, `+opctl:scaffold:` and `+opctl:allow:`".to_owned(),
            ),
        }),
        None => Ok(None),
    }
}

fn marker_start(marker: &str, name: &str, meant: &str) -> String {
    let prefix = marker.split(':').next().unwrap_or_default();
    debug_assert!(marker.contains(name));
    format!("+{prefix}:{meant}:")
}

struct Reader<'a> {
    rest: &'a str,
    column: usize,
    grant: Grant,
    given: Vec<String>,
}

impl Reader<'_> {
    fn read(mut self, marker_column: usize) -> Result<Grant, Wrong> {
        self.blanks();
        while !self.rest.is_empty() {
            let key_column = self.column;
            let length = self.rest.find(['=', ',']).unwrap_or(self.rest.len());
            let key = self.take(length).trim().to_owned();
            if !self.eat('=') {
                return Err(Wrong {
                    column: key_column,
                    message: format!("`{key}` has no value"),
                    hint: Some(format!("write `{key}=..`")),
                });
            }
            let values = self.values()?;
            self.assign(&key, key_column, values)?;
            self.blanks();
            if !self.rest.is_empty() && !self.eat(',') {
                return Err(self.wrong(format!("expected `,` before `{}`", self.rest)));
            }
            self.blanks();
        }
        if !self.given.iter().any(|key| key == "verbs") {
            let hint = Some("add for example `verbs=get;list;watch`".to_owned());
            return Err(Wrong { column: marker_column, message: "missing argument `verbs`".to_owned(), hint });
        }
        Ok(self.grant)
    }

    fn take(&mut self, length: usize) -> &str {
        let (taken, rest) = self.rest.split_at(length);
        self.rest = rest;
        self.column += taken.chars().count();
        taken
    }

    fn eat(&mut self, expected: char) -> bool {
        let found = self.rest.starts_with(expected);
        if found {
            self.take(expected.len_utf8());
        }
        found
    }

    fn blanks(&mut self) {
        let length = self.rest.len() - self.rest.trim_start().len();
        self.take(length);
    }

    fn wrong(&self, message: impl Into<String>) -> Wrong {
        Wrong { column: self.column, message: message.into(), hint: None }
    }

    /// `a;b`, `{a, b}`, or one value.
    fn values(&mut self) -> Result<Vec<String>, Wrong> {
        self.blanks();
        let braces = self.eat('{');
        let mut values = Vec::new();
        loop {
            self.blanks();
            let value = self.value(braces)?;
            self.blanks();
            let more = if braces { self.eat(',') || self.eat(';') } else { self.eat(';') };
            values.extend(value);
            if !more {
                break;
            }
        }
        if braces && !self.eat('}') {
            return Err(self.wrong("expected `}`"));
        }
        Ok(values)
    }

    /// `None` for nothing at all, which an empty list is; `""` is an empty string.
    fn value(&mut self, braces: bool) -> Result<Option<String>, Wrong> {
        match self.rest.chars().next() {
            Some('"') => self.quoted().map(Some),
            Some('`') => {
                self.take(1);
                let Some(length) = self.rest.find('`') else { return Err(self.wrong("a \"`\" is missing")) };
                let text = self.take(length).to_owned();
                self.take(1);
                Ok(Some(text))
            }
            _ => {
                let end = if braces { [',', ';', '}'] } else { [',', ';', ';'] };
                let length = self.rest.find(end).unwrap_or(self.rest.len());
                let text = self.take(length).trim().to_owned();
                Ok((!text.is_empty()).then_some(text))
            }
        }
    }

    fn quoted(&mut self) -> Result<String, Wrong> {
        self.take(1);
        let mut text = String::new();
        let mut characters = self.rest.char_indices();
        while let Some((index, character)) = characters.next() {
            match character {
                '"' => {
                    self.take(index + 1);
                    return Ok(text);
                }
                '\\' => text.extend(characters.next().map(|(_, escaped)| match escaped {
                    'n' => '\n',
                    't' => '\t',
                    other => other,
                })),
                other => text.push(other),
            }
        }
        Err(self.wrong("a closing `\"` is missing"))
    }

    fn assign(&mut self, key: &str, column: usize, values: Vec<String>) -> Result<(), Wrong> {
        if self.given.iter().any(|given| given == key) {
            return Err(Wrong {
                column,
                message: format!("`{key}` is given twice"),
                hint: Some(format!("write `{key}=a;b`")),
            });
        }
        self.given.push(key.to_owned());
        match key {
            "groups" => self.grant.groups = values,
            "resources" => self.grant.resources = values,
            "resourceNames" => self.grant.resource_names = values,
            "urls" => self.grant.urls = values,
            "verbs" => self.grant.verbs = values,
            "namespace" | "roleName" => {
                let [value] = values.as_slice() else {
                    return Err(Wrong { column, message: format!("`{key}` takes one value"), hint: None });
                };
                if key == "namespace" {
                    self.grant.namespace.clone_from(value);
                } else {
                    self.grant.role_name.clone_from(value);
                }
            }
            _ => {
                let hint = closest(key, &ARGUMENTS).map_or_else(
                    || format!("the arguments are {}", ARGUMENTS.map(|name| format!("`{name}`")).join(", ")),
                    |meant| format!("did you mean `{meant}`?"),
                );
                return Err(Wrong { column, message: format!("unknown argument `{key}`"), hint: Some(hint) });
            }
        }
        Ok(())
    }
}

/// What the API server refuses in a role (`pkg/apis/rbac/validation`), and verbs that are a slip of the pen.
fn check(grant: &Grant, column: usize) -> Result<(), Wrong> {
    let wrong =
        |message: &str, hint: &str| Err(Wrong { column, message: message.to_owned(), hint: Some(hint.to_owned()) });
    if grant.verbs.is_empty() {
        return wrong("the marker grants no verb", "add for example `verbs=get;list;watch`");
    }
    if grant.resources.is_empty() && grant.urls.is_empty() {
        return wrong("the marker names no resource", "add `resources=..`, or `urls=..`");
    }
    if !grant.resources.is_empty() && !grant.urls.is_empty() {
        return wrong("a rule is either for resources or for URLs", "write two markers");
    }
    if !grant.urls.is_empty() && !grant.namespace.is_empty() {
        return wrong("URLs have no namespace", "remove `namespace`");
    }
    if !grant.resources.is_empty() && grant.groups.is_empty() {
        return wrong(
            "the marker names no API group",
            "add `groups=..`; for pods, secrets and the like it is `groups=core`",
        );
    }
    if let Some(url) = grant.urls.iter().find(|url| !url.starts_with('/') && *url != "*") {
        return wrong(
            &format!("the URL `{url}` does not begin with `/`"),
            "write the path of the URL, such as `/metrics`",
        );
    }
    for verb in &grant.verbs {
        if !VERBS.contains(&verb.as_str())
            && let Some(meant) = closest(verb, &VERBS)
        {
            return wrong(&format!("unknown verb `{verb}`"), &format!("did you mean `{meant}`?"));
        }
    }
    Ok(())
}

/// The nearest of `words`, if it is near.
fn closest<'a>(word: &str, words: &[&'a str]) -> Option<&'a str> {
    let near = if word.chars().count() <= 3 { 1 } else { 2 };
    words
        .iter()
        .map(|known| (distance(&word.to_lowercase(), &known.to_lowercase()), *known))
        .min()
        .filter(|(distance, known)| *distance <= near && known.len() > 1)
        .map(|(_, known)| known)
}

/// The number of letters to add, drop or change.
fn distance(one: &str, other: &str) -> usize {
    let other: Vec<char> = other.chars().collect();
    let mut row: Vec<usize> = (0..=other.len()).collect();
    for (index, left) in one.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = index + 1;
        for (at, right) in other.iter().enumerate() {
            let substituted = diagonal + usize::from(left != *right);
            diagonal = row[at + 1];
            row[at + 1] = substituted.min(row[at] + 1).min(diagonal + 1);
        }
    }
    row[other.len()]
}
