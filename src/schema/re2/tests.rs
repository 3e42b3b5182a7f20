use super::fault;

const TAKEN_BY_GO: &[&str] = &[
    "",
    "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
    r"^\d{1,1000}$",
    "(?i)a|b",
    "(?i:a)",
    "(?P<name>x)",
    "(?<name>x)",
    "a{,5}",
    "a{x}",
    "[]a]",
    "[^]a]",
    "[a-]",
    "[[:alpha:]_]",
    r"\Qa(b\E",
    r"\pL\p{Greek}",
    r"\x41\x{10FFFF}",
    r"\12",
    "a*?b+?",
    "(a{10}){100}",
    "a",
    "(|a)",
    "()",
    r"[\d\-]",
    "}",
    "]",
    "a{01}",
    "[&&]",
];

const REFUSED_BY_GO: &[&str] = &[
    "(?=a)",
    "(?!a)",
    "(?<=a)",
    "(?<!a)",
    r"(a)\1",
    "a{1001}",
    "(a{11}){100}",
    "(?x)a",
    "(?R)",
    "(",
    ")",
    "a)",
    "[a",
    "[z-a]",
    "*a",
    "a**",
    "a{2}{3}",
    "a{3,2}",
    r"\Z",
    r"\u0041",
    r"\",
    r"\x{110000}",
    r"\xg",
    r"\p{Alphabetic}",
    r"\p{sc=Greek}",
    "[[:nope:]]",
    r"[\b]",
    "(?P<a-b>x)",
    "(?",
    "(?:",
    "(?i-)",
    "x|+",
    "(?>a)",
    r"\h",
    "a{1000000000000}",
];

#[test]
fn patterns_are_read_as_go_reads_them() {
    for good in TAKEN_BY_GO {
        assert_eq!(fault(good), None, "{good}");
    }
    for bad in REFUSED_BY_GO {
        assert!(fault(bad).is_some(), "{bad}");
    }
}
