//! The result of an MCP tool call: the report of the command, and the command's output on stderr.

use super::child::Ended;
use super::limits::clip_text;
use crate::Error;
use crate::report::Report;
use crate::visible::visible;
use rmcp::model::{CallToolResult, ContentBlock};
use serde_json::Value;

/// Returns the result of a call whose command has ended.
pub(super) fn result(ended: &Ended) -> CallToolResult {
    let whole = parse_output(&ended.stdout);
    // A report is printed for people, with spaces that an agent pays for.
    let printed = whole.as_ref().map_or_else(|| visible(&ended.stdout).into_owned(), Value::to_string);
    let last = || ended.stdout.lines().rev().find_map(parse_output);
    let report = whole.or_else(last).filter(|report| report["kind"] == "Report");
    let mut content = vec![ContentBlock::text(clip_text(&printed))];
    let said = ended.stderr.trim();
    if !said.is_empty() {
        content.push(ContentBlock::text(clip_text(&visible(said))));
    }
    let mut result = CallToolResult::success(content);
    result.structured_content = report;
    // A command that the call itself ends after a time has done what it was asked to.
    result.is_error = Some(ended.code != Some(0) && !ended.interrupted);
    result
}

/// Returns the result of a call that is refused because of `error`.
pub(super) fn refusal_result(command: &str, error: &Error) -> CallToolResult {
    let report = serde_json::to_value(Report::failed(command, error)).unwrap_or_default();
    let mut result = CallToolResult::error(vec![ContentBlock::text(report.to_string())]);
    result.structured_content = Some(report);
    result
}

/// Parses `text` as JSON. `text` is the whole output of a command, or one line of the output. Returns `None` if `text`
/// is not JSON.
fn parse_output(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ended(code: Option<i32>, interrupted: bool, stdout: &str) -> CallToolResult {
        result(&Ended { code, interrupted, stdout: stdout.to_owned(), stderr: "a\u{1b}[2Jb".to_owned() })
    }

    #[test]
    fn the_last_report_is_the_result() {
        let lines = "{\"kind\": \"Report\", \"outcome\": \"shown\"}\nno JSON\n{\"kind\": \"Report\", \"outcome\": \"changed\"}\n";
        let result = ended(Some(0), false, lines);
        assert_eq!(result.structured_content.unwrap()["outcome"], "changed");
        assert_eq!(result.is_error, Some(false));
        assert!(!result.content[1].as_text().unwrap().text.contains('\u{1b}'));
        let whole = ended(Some(3), false, "{\n  \"kind\": \"Report\"\n}\n");
        assert!(whole.structured_content.is_some() && whole.is_error == Some(true));
        assert_eq!(ended(Some(130), true, "").is_error, Some(false));
        assert_eq!(ended(None, false, "{\"kind\": \"Other\"}").structured_content, None);
    }
}
