//! HTML pages that consist of one file without external resources.

use crate::visible::visible_in_page;

/// Returns the start of an HTML page for light and dark mode, with the title and the CSS in `style`. The CSS may use
/// the colours `--line`, `--soft`, `--error`, `--warning` and `--link`.
pub fn head(title: &str, style: &str) -> String {
    format!(
        "<html lang=\"en\">\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
         <title>{}</title>\n<style>\n{COLOURS}{style}</style>\n",
        escaped(title)
    )
}

const COLOURS: &str = "\
:root { color-scheme: light dark; --line: light-dark(#d8dce2, #3a3f47); --soft: light-dark(#f5f6f8, #1d2025);
  --error: light-dark(#b3261e, #ff8a80); --warning: light-dark(#8a5a00, #ffc266); --link: light-dark(#1a56a8, #8ab8ff); }
";

/// Escapes a text for use between HTML tags, or as a quoted attribute value in a tag.
pub fn escaped(text: &str) -> String {
    visible_in_page(text).replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_no_markup() {
        let head = head("<a & \"b\">", "p { }\n");
        assert!(head.contains("<title>&lt;a &amp; &quot;b&quot;&gt;</title>"), "{head}");
        assert!(head.contains("light dark") && head.ends_with("p { }\n</style>\n"), "{head}");
    }
}
