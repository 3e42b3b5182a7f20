//! YAML with Helm's actions in it: actions stand as words in a value tree, and are put in when that is text.

use crate::yaml;
use serde_json::Value;

/// The actions of one file.
#[derive(Debug, Default)]
pub(super) struct Actions {
    actions: Vec<Action>,
}

#[derive(Debug)]
enum Action {
    /// Takes the word's place.
    Inline(String),
    /// Takes the place of the word's whole line.
    Lines(String),
}

/// The placeholder for the indentation of an action's line.
const INDENT: &str = "<indent>";
/// And for that of what is below its line.
const INNER: &str = "<inner>";

impl Actions {
    /// A word that becomes `action`, such as `{{ .Values.replicas }}`.
    pub(super) fn inline(&mut self, action: impl Into<String>) -> String {
        self.add(Action::Inline(action.into()))
    }

    /// A word whose whole line becomes `lines`, each as far to the right as the line is.
    pub(super) fn lines(&mut self, lines: impl Into<String>) -> String {
        self.add(Action::Lines(lines.into()))
    }

    fn add(&mut self, action: Action) -> String {
        self.actions.push(action);
        word(self.actions.len() - 1)
    }

    /// The text of `value`, with the actions in it. What looks like an action in the value itself is written as text.
    pub(super) fn render(&self, value: &Value) -> String {
        let mut text = yaml::document(value).replace("{{", "{{ \"{{\" }}");
        for (number, action) in self.actions.iter().enumerate() {
            let word = word(number);
            text = text.split_inclusive('\n').map(|line| replaced(line, &word, action)).collect();
        }
        text
    }
}

/// Sorts behind all keys of Kubernetes: the first key of an item of a list is never a whole line.
fn word(number: usize) -> String {
    format!("zz-helm-action-{number}-")
}

fn replaced(line: &str, word: &str, action: &Action) -> String {
    if !line.contains(word) {
        return line.to_owned();
    }
    let indent = line.len() - line.trim_start().len();
    let filled = |text: &str| text.replace(INDENT, &indent.to_string()).replace(INNER, &(indent + 2).to_string());
    match action {
        Action::Inline(text) => line.replace(word, &filled(text)),
        Action::Lines(text) => {
            let text = filled(text);
            let (start, mut lines) = (" ".repeat(indent), String::new());
            for line in text.lines() {
                lines.extend([start.as_str(), line, "\n"]);
            }
            lines
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn actions_take_the_place_of_words_and_lines() {
        let mut actions = Actions::default();
        let replicas = actions.inline("{{ .Values.replicas }}");
        let item = actions.lines("{{- if .Values.x }}\n- b\n{{- end }}");
        let resources = actions.inline("{{- toYaml .Values.resources | nindent <inner> }}");
        let value = json!({"a": replicas, "l": ["{{ x }}", item], "m": {"r": resources}});
        let expected = "a: {{ .Values.replicas }}\nl:\n- '{{ \"{{\" }} x }}'\n{{- if .Values.x }}\n- b\n{{- end }}\nm:\n  r: {{- toYaml .Values.resources | nindent 4 }}\n";
        assert_eq!(actions.render(&value), expected);
    }
}
