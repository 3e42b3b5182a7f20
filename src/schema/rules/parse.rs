//! Parses the text of an expression into a syntax tree, with the crate `cel`.

use cel::IdedExpr;
use cel::parser::PrattParser;

/// The documentation of CEL in Kubernetes.
pub(super) const LANGUAGE: &str = "https://kubernetes.io/docs/reference/using-api/cel/";

/// The maximum nesting in cel-go (`MaxRecursionDepth`).
const DEPTH: u16 = 250;

/// The maximum number of characters in cel-go (`ExpressionSizeCodePointLimit`). This limit also bounds chains such as
/// `a.b.b.b`, whose levels do not count as nesting.
const LONGEST: usize = 100_000;

/// Parses an expression. The error is the cause, with the position of a syntax error. The error is `None` if the
/// expression exceeds a limit of the parser, such as the maximum nesting.
pub(crate) fn expression(source: &str) -> Result<IdedExpr, Option<String>> {
    if source.chars().nth(LONGEST).is_some() {
        return Err(Some(format!("it has more than {LONGEST} characters")));
    }
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_chain_is_refused_as_the_server_does() {
        let chain = format!("self{}", ".a".repeat(LONGEST));
        assert_eq!(expression(&chain).err(), Some(Some("it has more than 100000 characters".to_owned())));
        assert!(expression(&format!("self{}", ".a".repeat(1_000))).is_ok());
    }
}
