//! Parses the text of an expression into a syntax tree, with the crate `cel`.

use cel::IdedExpr;
use cel::parser::PrattParser;

/// The page that describes the language.
pub(super) const LANGUAGE: &str = "https://kubernetes.io/docs/reference/using-api/cel/";

/// The limit of nesting in cel-go (`MaxRecursionDepth`).
const DEPTH: u16 = 250;

/// Parses an expression. The error has the place and the cause; it is `None` if the parser gave up because of its own
/// limits.
pub(super) fn expression(source: &str) -> Result<IdedExpr, Option<String>> {
    let parser = PrattParser::new().enable_optional_syntax(true).max_recursion_depth(DEPTH);
    parser.parse(source).map_err(|errors| {
        let first = errors.errors.first()?;
        let own = ["recursion", "limit exceeded"].iter().any(|word| first.msg.contains(word));
        let what = first.msg.trim_start_matches("Syntax error: ").replace("<EOF>", "the end");
        let (line, column) = first.pos;
        (!own).then(|| {
            if source.contains('\n') {
                format!("{what} (line {line}, column {column})")
            } else {
                format!("{what} (column {column})")
            }
        })
    })
}
