//! Forms the plural of a kind, which names a resource in URLs, RBAC rules and the name of its CRD.
//!
//! kubebuilder forms the plural with `flect.Pluralize(strings.ToLower(kind))` of the Go module
//! `github.com/gobuffalo/flect` v1.0.3. A resource must keep its plural when a project moves from kubebuilder to opctl,
//! so opctl returns the same plurals, even if they are wrong English. The tables contain the rules of `plural_rules.go`
//! and `acronyms.go` in that module that affect lower-case words, without redundant entries.

/// Words with an irregular plural that longer words with the same ending do not have: `die` becomes `dice`, but
/// `hoodie` becomes `hoodies`.
const WHOLE_WORDS: &[(&str, &str)] = &[
    ("adieus", "adieus"),
    ("alias", "aliases"),
    ("axis", "axes"),
    ("dice", "dice"),
    ("die", "dice"),
    ("eia", "eias"),
    ("formulae", "formulae"),
    ("lice", "lice"),
    ("louse", "lice"),
    ("octopi", "octopi"),
    ("ox", "oxen"),
    ("oxen", "oxen"),
    ("ssh", "sshs"),
    ("tia", "tias"),
];

/// Acronyms that end in `s`, in lower case. For a kind that is such an acronym, kubebuilder's Go library flect appends
/// the upper-case plural to the lower-case kind: `dns` becomes `dnsDNSes`. This result is not a DNS label, so
/// kubebuilder asks the user for a plural.
const ACRONYMS_IN_S: &[&str] =
    &["aes", "bss", "cmos", "des", "dns", "ess", "fcs", "https", "ids", "ips", "mpls", "pots"];

/// A plural rule: an ending, the ending's plural, and stems. The rule applies to words that end in a stem, followed by
/// the ending or its plural.
type Family = (&'static str, &'static str, &'static [&'static str]);

/// The plural rules of kubebuilder's Go library flect. flect takes the first rule that matches and lists longer
/// endings first; opctl takes the longest match, so the order of the table has no meaning.
const FAMILIES: &[Family] = &[
    // The same in singular and plural.
    ("equipment", "equipment", &[""]),
    ("information", "information", &[""]),
    (
        "",
        "",
        &[
            "aircraft", "beef", "bison", "deer", "fish", "graffiti", "money", "moose", "police", "rice", "salmon",
            "sheep", "shrimp", "swine", "trout", "tuna", "you",
        ],
    ),
    // Regular, though a shorter ending says otherwise.
    (
        "",
        "s",
        &[
            "agenda", "ano", "ay", "bureau", "dwarf", "ey", "formula", "human", "io", "lo", "oo", "oy", "quota", "to",
            "uy", "vedalia",
        ],
    ),
    ("um", "ums", &["curricul", "pretori", "se", "stadi"]),
    // English.
    ("", "es", &["buffalo", "ch", "o", "potato", "sh", "ss", "tomato", "topaz", "tz", "us", "x", "zz"]),
    ("", "zes", &["ez", "iz"]),
    ("y", "ies", &["", "qu"]),
    ("f", "ves", &["ea", "l", "oa", "r", "thie"]),
    ("fe", "ves", &[""]),
    ("child", "children", &[""]),
    ("foot", "feet", &[""]),
    ("goose", "geese", &[""]),
    ("man", "men", &[""]),
    ("mouse", "mice", &[""]),
    ("person", "people", &[""]),
    ("tooth", "teeth", &[""]),
    // French, Greek and Latin.
    ("", "x", &["adieu", "eau", "fabliau"]),
    (
        "is",
        "es",
        &["bas", "cris", "ellips", "genes", "gnos", "ias", "kines", "mes", "oas", "ops", "res", "test", "thes", "ys"],
    ),
    ("on", "a", &["criteri", "gangli", "hedr", "lexic", "noumen", "phenomen", "tax"]),
    ("mitochondrion", "mitochondria", &[""]),
    (
        "um",
        "a",
        &[
            "ant", "at", "br", "cr", "ct", "d", "e", "el", "ent", "ern", "et", "gn", "i", "il", "im", "it", "ll", "o",
            "ol", "ot", "ov", "ser", "strac", "ter", "tr", "ul", "ut", "yl",
        ],
    ),
    ("us", "i", &["alumn", "bacill", "cact", "cocc", "foc", "loc", "nucle", "radi", "syllab"]),
    ("octopus", "octupuses", &[""]),
    ("corpus", "corpora", &[""]),
    ("genus", "genera", &[""]),
    ("ex", "ices", &["ap", "cod", "ind", "lat", "vert", "vort"]),
    ("ix", "ices", &["append", "hel", "rad", "tr"]),
    ("a", "ae", &["alumn", "bul", "larv", "postcav", "praecav", "uv", "vertebr", "vit"]),
    ("tia", "tiae", &["differen", "minu"]),
    ("dula", "bulae", &[""]),
    ("lula", "bulae", &[""]),
    ("nula", "bulae", &[""]),
    ("vula", "bulae", &[""]),
];

/// Returns the plural that kubebuilder gives a kind. `singular` is the kind in lower case.
///
/// A word that ends like a plural counts as a plural and is returned unchanged: `settings`, `redis`, `data`.
pub fn plural(singular: &str) -> String {
    if ACRONYMS_IN_S.contains(&singular) {
        return format!("{singular}es");
    }
    if let Some((_, plural)) = WHOLE_WORDS.iter().find(|(word, _)| *word == singular) {
        return (*plural).to_owned();
    }
    let regular = if singular.ends_with('s') { "" } else { "s" };
    FAMILIES
        .iter()
        .filter_map(|family| inflect(singular, family))
        .max_by_key(|(length, _)| *length)
        .map_or_else(|| format!("{singular}{regular}"), |(_, plural)| plural)
}

/// Applies a plural rule to `word`. Returns the length of the matching end of `word`, which is the stem and the ending,
/// and the plural of `word`. Returns `None` if the rule does not match.
fn inflect(word: &str, (singular, plural, stems): &Family) -> Option<(usize, String)> {
    let recognise = |ending: &str| {
        let rest = word.strip_suffix(ending)?;
        let stem = stems.iter().filter(|stem| rest.ends_with(**stem));
        Some((rest, ending.len() + stem.map(|stem| stem.len()).max()?))
    };
    recognise(plural)
        .map(|(_, length)| (length, word.to_owned()))
        .or_else(|| recognise(singular).map(|(rest, length)| (length, format!("{rest}{plural}"))))
}

#[cfg(test)]
mod tests {
    use super::plural;

    #[test]
    fn agrees_with_flect() {
        for line in include_str!("../../testdata/plurals.tsv").lines() {
            let (singular, expected) = line.split_once('\t').expect("two columns");
            assert_eq!(plural(singular), expected, "plural of {singular}");
        }
    }
}
