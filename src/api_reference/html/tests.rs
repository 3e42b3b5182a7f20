use super::*;
use crate::api_reference::{Sample, page};
use serde_json::json;

fn hostile() -> String {
    let text = "<script>alert(\"1\")</script> & `a<b`\n- [x](https://a.example/?a=1&b=\"2\")\n```\n</pre>\n```";
    let inner = json!({"type": "object", "description": text, "properties": {"a\" onload=": {"type": "string", "default": text}}});
    let schema = json!({"type": "object", "properties": {"spec": {"type": "object", "properties": {"inner": inner}}}});
    let version =
        json!({"name": "v1", "schema": {"openAPIV3Schema": schema}, "deprecated": true, "deprecationWarning": text});
    let definition = json!({"spec": {"group": "a.example", "scope": "Cluster", "names": {"kind": "K", "plural": "ks"}, "versions": [version]}});
    let samples = Sample::read("config/samples/<k>.yaml", "apiVersion: a.example/v1\nkind: K\nspec: '</pre>'\n");
    html(&page("<project>", &[definition], &samples, false))
}

#[test]
fn nothing_of_the_definitions_is_markup() {
    let html = hostile();
    for unwanted in ["<script", "</pre>\n</pre>", "'</pre>'", "onload=\"", "<project>", "<k>", "a\" onload"] {
        assert!(!html.contains(unwanted), "{unwanted}\n{html}");
    }
    for wanted in [
        "&lt;script&gt;alert(&quot;1&quot;)",
        "<code>a&lt;b</code>",
        "<li>[x](<a href=\"https://a.example/?a=1&amp;b=\">",
    ] {
        assert!(html.contains(wanted), "{wanted}\n{html}");
    }
}

#[test]
fn the_page_needs_nothing_else_and_its_links_lead_somewhere() {
    let html = hostile();
    assert!(html.lines().next().is_some_and(|first| first.contains(GENERATED)));
    for outside in ["src=", "<link", "@import", "url("] {
        assert!(!html.contains(outside), "{outside}");
    }
    let links: Vec<&str> = html.split("href=\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(links.len() > 5);
    for link in links {
        assert_eq!(html.matches(&format!(" id=\"{link}\"")).count(), 1, "{link}");
    }
    for tag in ["section", "div", "ul", "li", "details", "nav", "main", "dl", "pre", "code", "p"] {
        let opened = html.matches(&format!("<{tag}>")).count() + html.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, html.matches(&format!("</{tag}>")).count(), "<{tag}>");
    }
}
