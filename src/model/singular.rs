//! The singular of English words, for the names of types.

use heck::ToSnakeCase;

/// Words in APIs for which no rule yields the singular, each with its singular.
const WORDS: [(&str, &str); 16] = [
    ("alias", "alias"),
    ("aliases", "alias"),
    ("atlas", "atlas"),
    ("aws", "aws"),
    ("caches", "cache"),
    ("cookies", "cookie"),
    ("devops", "devops"),
    ("dns", "dns"),
    ("gitops", "gitops"),
    ("https", "https"),
    ("indices", "index"),
    ("kubernetes", "kubernetes"),
    ("nfs", "nfs"),
    ("series", "series"),
    ("statuses", "status"),
    ("tls", "tls"),
];

/// Returns the singular of an English plural. In a name in camel case, only the last word changes.
pub fn singular(plural: &str) -> String {
    let words = plural.to_snake_case();
    let known = WORDS.iter().find(|(word, _)| words.rsplit('_').next() == Some(*word));
    if let Some((word, one)) = known.filter(|(word, _)| plural.to_ascii_lowercase().ends_with(word)) {
        // The first letter may be a capital.
        let start = plural.len() - word.len() + 1;
        return format!("{}{}", &plural[..start], &one[1..]);
    }
    for (end, one) in [("ies", "y"), ("sses", "ss"), ("xes", "x"), ("ches", "ch"), ("shes", "sh")] {
        if let Some(stem) = plural.strip_suffix(end).filter(|stem| stem.len() > 1) {
            return format!("{stem}{one}");
        }
    }
    let stem = plural.strip_suffix('s').filter(|stem| stem.len() > 1 && !stem.ends_with(['s', 'u', 'i']));
    stem.unwrap_or(plural).to_owned()
}

#[cfg(test)]
mod tests {
    use super::singular;

    #[test]
    fn one_of_several() {
        for (plural, one) in [
            ("ports", "port"),
            ("policies", "policy"),
            ("status", "status"),
            ("addresses", "address"),
            ("dns", "dns"),
            ("extraDns", "extraDns"),
            ("dnsNames", "dnsName"),
            ("clusterIPs", "clusterIP"),
            ("subnetAliases", "subnetAlias"),
            ("indices", "index"),
            ("timeSeries", "timeSeries"),
            ("databases", "database"),
            ("caches", "cache"),
            ("matches", "match"),
            ("analysis", "analysis"),
            ("s", "s"),
            ("größes", "größe"),
            ("", ""),
        ] {
            assert_eq!(singular(plural), one);
        }
    }
}
