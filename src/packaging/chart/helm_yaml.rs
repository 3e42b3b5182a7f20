//! YAML with Helm's actions: a value tree holds placeholder words, and the actions replace the words once the tree is
//! rendered as text.

use crate::yaml;
use serde_json::Value;

/// The Helm actions in a template file.
#[derive(Debug)]
pub(super) struct Actions {
    actions: Vec<Action>,
    /// The prefix of all placeholder words. The object that becomes a template does not contain this prefix.
    word: String,
}

#[derive(Debug)]
enum Action {
    /// An action that replaces the placeholder word.
    Inline(String),
    /// An action that replaces the whole line of the placeholder word.
    Lines(String),
}

/// The placeholder for the indentation of an action's line. YAML escapes this character, so no document contains it.
pub(super) const INDENT: &str = "\u{1}";
/// The placeholder for the indentation of lines that are nested one level below an action's line.
pub(super) const INNER: &str = "\u{2}";

impl Actions {
    /// Creates an empty list of actions for the template of `object`.
    pub(super) fn of(object: &Value) -> Self {
        let (text, mut word) = (object.to_string(), "zz-helm-action".to_owned());
        while text.contains(&word) {
            word.insert(0, 'z');
        }
        Actions { actions: Vec::new(), word }
    }

    /// Adds an action such as `{{ .Values.replicas }}`, and returns the placeholder word that the action replaces.
    pub(super) fn inline(&mut self, action: impl Into<String>) -> String {
        self.add(Action::Inline(action.into()))
    }

    /// Adds an action that replaces a whole line of the template with `lines`, and returns the placeholder word to put
    /// in that line. `lines` get the indentation of the replaced line.
    pub(super) fn lines(&mut self, lines: impl Into<String>) -> String {
        self.add(Action::Lines(lines.into()))
    }

    fn add(&mut self, action: Action) -> String {
        self.actions.push(action);
        self.placeholder(self.actions.len() - 1)
    }

    /// Returns the placeholder word of an action. The word sorts after all field names of Kubernetes, so that a line
    /// that is replaced as a whole is never the first line of a list item.
    fn placeholder(&self, number: usize) -> String {
        format!("{}-{number}-", self.word)
    }

    /// Renders `value` as YAML, with the actions in place of the placeholder words.
    pub(super) fn render(&self, value: &Value) -> String {
        let mut text = render_escaped(value);
        // The lines of an action may have words of earlier ones.
        for (number, action) in self.actions.iter().enumerate().rev() {
            let word = self.placeholder(number);
            text = text.split_inclusive('\n').map(|line| replace_placeholder(line, &word, action)).collect();
        }
        text
    }
}

/// Renders `value` as YAML, and escapes text that looks like a Helm action.
pub(super) fn render_escaped(value: &Value) -> String {
    yaml::document(value).replace("{{", "{{ \"{{\" }}")
}

fn replace_placeholder(line: &str, word: &str, action: &Action) -> String {
    if !line.contains(word) {
        return line.to_owned();
    }
    let indent = line.len() - line.trim_start_matches(' ').len();
    let filled = |text: &str| text.replace(INDENT, &indent.to_string()).replace(INNER, &(indent + 2).to_string());
    match action {
        Action::Inline(text) => {
            // Together with the action, a brace before it would begin another one.
            let line = line.replace(&format!("{{{word}"), &format!("{{{{ \"{{\" }}}}{word}"));
            line.replace(word, &filled(text))
        }
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
        let mut actions = Actions::of(&Value::Null);
        let replicas = actions.inline("{{ .Values.replicas }}");
        let item = actions.lines("{{- if .Values.x }}\n- b\n{{- end }}");
        let resources = actions.inline(format!("{{{{- toYaml .Values.resources | nindent {INNER} }}}}"));
        let value = json!({"a": replicas, "l": ["{{ x }}", item], "m": {"r": resources}});
        let expected = "a: {{ .Values.replicas }}\nl:\n- '{{ \"{{\" }} x }}'\n{{- if .Values.x }}\n- b\n{{- end }}\nm:\n  r: {{- toYaml .Values.resources | nindent 4 }}\n";
        assert_eq!(actions.render(&value), expected);
    }

    #[test]
    fn texts_of_users_are_not_taken_for_words_or_actions() {
        let text = json!("zz-helm-action-0-");
        let mut actions = Actions::of(&text);
        let word = actions.inline("{{ .x }}");
        assert_eq!(
            actions.render(&json!([text, format!("{{{word}")])),
            "- zz-helm-action-0-\n- '{{ \"{\" }}{{ .x }}'\n"
        );
        let lines =
            actions.lines(format!("{{{{- if .y }}}}\n{}{{{{- end }}}}", render_escaped(&json!([word, "{{ z }}"]))));
        let expected = "{{- if .y }}\n- {{ .x }}\n- '{{ \"{{\" }} z }}'\n{{- end }}\n";
        assert_eq!(actions.render(&json!([lines])), expected);
    }
}
