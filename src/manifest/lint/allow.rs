//! Applies the marker `// +opctl:allow:OP152 reason="…"`. The marker is a comment above a field, a type, a line of code
//! or another marker, and removes one warning at that location.

use super::refusals::WARNED;
use crate::finding::{Finding, Lint, Severity};
use crate::manifest::against::LOSS;
use crate::source::markers::line_comments;
use crate::source::places::LazyPlaces;
use std::ops::RangeInclusive;
use std::path::Path;

pub(crate) static LINTS: &[&Lint] = &[&NO_REASON, &NOT_ALLOWABLE, &UNUSED_ALLOWANCE];

pub(crate) static NO_REASON: Lint = Lint::error(
    "OP402",
    "an `+opctl:allow` marker without a reason",
    "The next reader of the code needs to know why the warning is allowed here.",
    "// +opctl:allow:OP421",
    "// +opctl:allow:OP421 reason=\"granted by the platform team's role\"",
);

pub(crate) static NOT_ALLOWABLE: Lint = Lint::error(
    "OP403",
    "an `+opctl:allow` marker for an error or an unknown code",
    "Only warnings and OP620 can be allowed, by their code: another error means that the API server would refuse the \
     CRD or lose data.",
    "// +opctl:allow:OP102 reason=\"we like tuples\"",
    "struct Port { name: String, number: u16 } // as `opctl explain OP102` says",
);

pub(crate) static UNUSED_ALLOWANCE: Lint = Lint::warning(
    "OP404",
    "an `+opctl:allow` marker for a finding that does not occur",
    "The allowed problem has been fixed or has moved; a leftover marker would hide the next one.",
    "// +opctl:allow:OP421 reason=\"granted by the platform team's role\"\nlet pods = api.list(&all).await?;",
    "let pods = api.list(&all).await?;",
);

const MARKER: &str = "+opctl:allow";

#[derive(Debug, PartialEq, Eq)]
struct Allowance<'a> {
    code: &'a str,
    reason: &'a str,
}

/// Removes the warnings that an `+opctl:allow` marker allows at the marker's location, and adds findings about wrong
/// and unused markers. `lints` must contain all lints.
///
/// `looked_for` returns true for each code that this run checks. A marker is reported as unused only if this run checks
/// the marker's code. A marker for warnings of an API server is never reported as unused.
pub(crate) fn apply(
    mut findings: Vec<Finding>,
    sources: &LazyPlaces,
    looked_for: impl Fn(&str) -> bool,
    lints: &[&'static Lint],
) -> Vec<Finding> {
    // After an error not everything is checked, so that an allowance may only seem to be unused.
    let complete = findings.iter().all(|finding| finding.severity == Severity::Warning);
    for (file, source) in sources.texts().iter().filter(|(_, source)| source.contains(MARKER)) {
        for comment in line_comments(source) {
            let Some(allowance) = read(comment.text) else { continue };
            match marker_problem(&allowance, lints) {
                Some((lint, reason, hint)) => findings.push(Finding::new(lint, file, comment.line, reason, hint)),
                // The CRD carries this allowance as an annotation, so that `opctl install` honors it too.
                None if allowance.code == LOSS.code => {}
                None => {
                    let item = sources.places().item_below(file, comment.line);
                    let lines = marker_lines(source, comment.line);
                    let is_there = |finding: &Finding| {
                        let at = Path::new(&finding.file);
                        item.is_some() && sources.places().item(at, finding.line) == item
                            || at == file && lines.contains(&finding.line)
                    };
                    let before = findings.len();
                    findings.retain(|finding| finding.code != allowance.code || !is_there(finding));
                    let looked_for = allowance.code != WARNED.code && looked_for(allowance.code);
                    if findings.len() == before && complete && looked_for {
                        let reason = format!("the marker allows `{}`, which is not found here", allowance.code);
                        findings.push(Finding::new(&UNUSED_ALLOWANCE, file, comment.line, reason, "remove the marker"));
                    }
                }
            }
        }
    }
    findings
}

/// Returns the reason in the marker that allows `code` for the type at `line` of `file`.
pub(crate) fn reason(code: &str, sources: &LazyPlaces, (file, line): (&Path, usize)) -> Option<String> {
    let (_, source) = sources.texts().iter().find(|(path, source)| path == file && source.contains(code))?;
    let item = sources.places().item(file, line)?;
    line_comments(source).into_iter().find_map(|comment| {
        let allowance =
            read(comment.text).filter(|allowance| allowance.code == code && !allowance.reason.is_empty())?;
        (sources.places().item_below(file, comment.line) == Some(item)).then(|| allowance.reason.to_owned())
    })
}

fn read(comment: &str) -> Option<Allowance<'_>> {
    let rest = comment.trim().strip_prefix(MARKER)?;
    let rest = rest.strip_prefix(':').unwrap_or(rest).trim_start();
    let (code, rest) = rest.split_once(char::is_whitespace).unwrap_or((rest, ""));
    let reason = rest.trim().strip_prefix("reason=").unwrap_or_default().trim();
    let reason = reason.strip_prefix('"').and_then(|reason| reason.strip_suffix('"')).unwrap_or_default();
    Some(Allowance { code, reason: reason.trim() })
}

/// Returns the lint, the reason and the hint of a finding about the marker, if the marker is wrong.
fn marker_problem(allowance: &Allowance, lints: &[&'static Lint]) -> Option<(&'static Lint, String, String)> {
    let code = allowance.code;
    match lints.iter().find(|lint| lint.code.eq_ignore_ascii_case(code)) {
        None => Some((
            &NOT_ALLOWABLE,
            format!("the marker allows `{code}`, which is an unknown code"),
            "opctl explain".to_owned(),
        )),
        Some(lint) if lint.severity == Severity::Error && code != LOSS.code => {
            let reason = format!("the marker allows `{code}`, which is an error, and only warnings can be allowed");
            Some((&NOT_ALLOWABLE, reason, format!("opctl explain {code}")))
        }
        Some(_) if allowance.reason.is_empty() => {
            let hint = format!("// {MARKER}:{code} reason=\"why this is right here\"");
            Some((&NO_REASON, format!("the marker allows `{code}` without a reason"), hint))
        }
        Some(_) => None,
    }
}

/// Returns the lines to which a marker at `line` applies: the comments directly below the marker, and the next line
/// of code.
fn marker_lines(source: &str, line: usize) -> RangeInclusive<usize> {
    let code = source.lines().skip(line).position(|text| !text.trim_start().starts_with("//"));
    line + 1..=code.map_or(usize::MAX, |comments| line + comments + 1)
}

#[cfg(test)]
mod tests {
    use super::{Allowance, read};

    #[test]
    fn markers_are_read() {
        let allowance = |code, reason| Some(Allowance { code, reason });
        assert_eq!(read(" +opctl:allow:OP152 reason=\"it is read only\""), allowance("OP152", "it is read only"));
        assert_eq!(read("+opctl:allow:OP152"), allowance("OP152", ""));
        assert_eq!(read("+opctl:allow:OP152 reason=bare"), allowance("OP152", ""));
        assert_eq!(read("+opctl:allow"), allowance("", ""));
        assert_eq!(read("about +opctl:allow:OP152"), None);
    }
}
