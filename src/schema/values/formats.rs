//! Checks strings against the `format` of a schema. Refuses only strings that the API server certainly refuses
//! (`k8s.io/kube-openapi` `pkg/validation/strfmt`); accepts any string for a format that this module does not check.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};

/// Returns true if the API server may accept `text` for this format.
pub(super) fn can_have_format(format: &str, text: &str) -> bool {
    match format {
        "date" => date(text),
        // Go's parser accepts incomplete times, and any offset.
        "date-time" | "datetime" => {
            text.split_once(['t', 'T']).is_some_and(|(day, rest)| date(day) && rest.contains(':'))
        }
        "ipv4" => text.parse::<Ipv4Addr>().is_ok() || text.contains(':'),
        "ipv6" => text.parse::<Ipv6Addr>().is_ok() || text.contains('%'),
        "cidr" => text.split_once('/').is_some_and(|(address, length)| {
            let most = address.parse().map(|address| if matches!(address, IpAddr::V4(_)) { 32 } else { 128 });
            length.parse::<u8>().is_ok_and(|length| most.is_ok_and(|most| length <= most))
        }),
        "uuid" | "uuid3" | "uuid4" | "uuid5" => {
            text.chars().filter(|one| *one != '-').count() == 32
                && text.chars().all(|one| one == '-' || one.is_ascii_hexdigit())
        }
        _ => true,
    }
}

/// Returns true for a date such as `2006-01-02`.
fn date(text: &str) -> bool {
    let mut parts = text.split('-').map(|part| (part.len(), part.parse::<u32>()));
    let mut next = |length: usize, most: u32| {
        parts.next().is_some_and(|(own, part)| own == length && part.is_ok_and(|part| (1..=most).contains(&part)))
    };
    let fits = next(4, 9999) && next(2, 12) && next(2, 31);
    fits && parts.next().is_none()
}

#[cfg(test)]
mod tests {
    use super::can_have_format;

    #[test]
    fn texts_are_values_of_their_format() {
        for (format, text, fine) in [
            ("date", "2026-01-31", true),
            ("date", "2026-1-31", false),
            ("date", "2026-13-01", false),
            ("date-time", "2026-01-31T10:00:00Z", true),
            ("date-time", "2026-01-31", false),
            ("date-time", "now", false),
            ("ipv4", "10.0.0.1", true),
            ("ipv4", "10.0.0", false),
            ("ipv6", "::1", true),
            ("ipv6", "10.0.0.1", false),
            ("cidr", "10.0.0.0/8", true),
            ("cidr", "10.0.0.0/33", false),
            ("cidr", "10.0.0.0", false),
            ("uuid", "123e4567-e89b-12d3-a456-426614174000", true),
            ("uuid", "a", false),
            ("email", "nobody", true),
        ] {
            assert_eq!(can_have_format(format, text), fine, "{format} {text}");
        }
    }
}
