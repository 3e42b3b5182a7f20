use super::*;
use crate::api_reference::{Sample, page};
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};
use serde_json::{Value, json};

/// Texts that Markdown would show as markup if the page did not escape them.
const HOSTILE: [&str; 12] = [
    "a | b || c \\| d",
    "<script>alert(1)</script> & &lt; &amp;",
    "its `code | with bar` and ``a ` tick``",
    "*no* _emphasis_ __at__ ~~all~~ snake_case_name _x",
    "[no](link) ![no](image) [no]: reference",
    "# no heading",
    "1. no list",
    "--- ### +++ === > - +",
    "größer 値 😀 \u{202e}rtl",
    "path\\to\\file \\` \\* ends with \\",
    "\ttab and $math$ and @user and #12",
    "^(\\+|-)?[a-z`]{1,3}$ https://a.example/x_y?a=1&b=2|c",
];

/// Returns the Markdown API reference of a made-up kind, whose descriptions, defaults and validation rules are the
/// texts in [`HOSTILE`].
fn hostile_page() -> String {
    let field = |text: &&str| {
        json!({"type": "string", "description": text, "default": text, "enum": [text], "pattern": text,
        "x-kubernetes-validations": [{"rule": text, "message": text}]})
    };
    let fields: serde_json::Map<String, Value> =
        HOSTILE.iter().enumerate().map(|(index, text)| (format!("{index:02}"), field(text))).collect();
    let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": fields, "description": HOSTILE.join("\n\n")}}});
    let columns =
        json!([{"name": HOSTILE[0], "type": "string", "jsonPath": ".a[?(@.b|c)]", "description": HOSTILE[2]}]);
    let version = json!({"name": "v1", "served": true, "storage": true, "schema": {"openAPIV3Schema": schema},
        "deprecated": true, "deprecationWarning": HOSTILE[1], "additionalPrinterColumns": columns});
    let definition = json!({"spec": {"group": "a.example", "scope": "Cluster", "names": {"kind": "K", "plural": "ks"}, "versions": [version]}});
    let samples = Sample::read(
        "config/samples/k.yaml",
        "apiVersion: a.example/v1\nkind: K\nspec:\n  text: |\n    ````\n    ```\n",
    );
    markdown(&page("a*b*<c>", &[definition], &samples, false))
}

/// Parses `markdown` with the extension for tables, and returns the visible text, the number of cells of each table
/// row, and the HTML tags.
fn seen(markdown: &str) -> (String, Vec<usize>, Vec<String>) {
    let (mut text, mut rows, mut html) = (String::new(), Vec::new(), Vec::new());
    for event in Parser::new_ext(markdown, Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH) {
        match event {
            Event::Text(words) | Event::Code(words) => text.push_str(&words),
            Event::Html(tag) | Event::InlineHtml(tag) => html.push(tag.trim().to_owned()),
            Event::SoftBreak => text.push(' '),
            Event::End(TagEnd::Paragraph | TagEnd::TableCell | TagEnd::Heading(_) | TagEnd::Item) => text.push('\n'),
            Event::Start(Tag::TableRow | Tag::TableHead) => rows.push(0),
            Event::Start(Tag::TableCell) => *rows.last_mut().unwrap() += 1,
            Event::Start(Tag::Emphasis | Tag::Strong | Tag::Strikethrough | Tag::Image { .. } | Tag::BlockQuote(_)) => {
                panic!("markup in {markdown}")
            }
            _ => {}
        }
    }
    (text, rows, html)
}

#[test]
fn a_reader_sees_every_text_as_it_was_written() {
    let markdown = hostile_page();
    let (text, rows, html) = seen(&markdown);
    for hostile in HOSTILE {
        // Backticks around code are markup; a pattern and a rule are shown as they are.
        let words = hostile.replace('\t', " ");
        assert!(text.matches(words.trim()).count() >= 2, "{hostile:?} is not in\n{text}");
    }
    for part in ["its code | with bar and a ` tick", "a | b || c \\| d", "<script>alert(1)</script> & &lt; &amp;"] {
        assert!(text.matches(part).count() >= 2, "{part:?} is not in\n{text}");
    }
    assert_eq!(rows.iter().filter(|cells| **cells != 4).count(), 0, "{rows:?}");
    let known = |tag: &String| {
        tag.starts_with("<a id=\"") || ["</a>", "<br>"].contains(&tag.as_str()) || tag.starts_with("<!-- ")
    };
    assert_eq!(html.iter().filter(|tag| !known(tag)).collect::<Vec<_>>(), [""; 0]);
    assert!(text.contains("    ````\n    ```\n"), "the sample is whole: {text}");
}

#[test]
fn the_first_line_says_who_wrote_it_and_every_link_has_its_anchor() {
    let markdown = hostile_page();
    assert!(markdown.lines().next().is_some_and(|first| first.contains(crate::api_reference::GENERATED)));
    assert!(markdown.ends_with("|\n") && !markdown.contains("\n\n\n"), "{markdown}");
    let links: Vec<&str> = markdown.split("](#").skip(1).filter_map(|rest| rest.split(')').next()).collect();
    assert!(links.len() > 3);
    for link in links {
        assert_eq!(markdown.matches(&format!("<a id=\"{link}\"></a>")).count(), 1, "{link}");
    }
}
