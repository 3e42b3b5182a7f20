//! YAML with Helm's actions: a value tree holds placeholder words, and the actions replace the words once the tree is
//! rendered as text.

use crate::yaml;
use serde_json::Value;

/// The actions of one file.
#[derive(Debug, Default)]
pub(super) struct Actions {
    actions: Vec<Action>,
}

#[derive(Debug)]
enum Action {
    /// Replaces the word.
    Inline(String),
    /// Replaces the whole line of the word.
    Lines(String),
}

/// The placeholder for the indentation of an action's line.
const INDENT: &str = "<indent>";
/// The placeholder for the indentation of the lines below it.
const INNER: &str = "<inner>";

impl Actions {
    /// Returns a placeholder word for `action`, such as `{{ .Values.replicas }}`.
    pub(super) fn inline(&mut self, action: impl Into<String>) -> String {
        self.add(Action::Inline(action.into()))
    }

    /// Returns a placeholder word whose whole line is replaced by `lines`, all indented like that line.
    pub(super) fn lines(&mut self, lines: impl Into<String>) -> String {
        self.add(Action::Lines(lines.into()))
    }

    fn add(&mut self, action: Action) -> String {
        self.actions.push(action);
        word(self.actions.len() - 1)
    }

    /// Renders `value` with the actions. Text in the value itself that looks like an action is escaped.
    pub(super) fn render(&self, value: &Value) -> String {
        let mut text = yaml::document(value).replace("{{", "{{ \"{{\" }}");
        for (number, action) in self.actions.iter().enumerate() {
            let word = word(number);
            text = text.split_inclusive('\n').map(|line| replaced(line, &word, action)).collect();
        }
        text
    }
}

/// Returns the placeholder word of an action. It sorts after all keys of Kubernetes, so that a line that is replaced as
/// a whole is never the first key of a list item.
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
