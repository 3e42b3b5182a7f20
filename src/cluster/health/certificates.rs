//! Checks how long the certificates of a cluster are valid.

use crate::error::Hint;
use crate::report::Check;
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use k8s_openapi::jiff::Timestamp;
use serde_json::Value;
use x509_parser::pem::Pem;

const NAME: &str = "certificates";
/// The number by which a certificate's lifetime is divided: if less than a tenth of the lifetime is left, the
/// certificate was not renewed in time. cert-manager and the operators that opctl generates renew a certificate
/// earlier, when a third of its lifetime is left.
const LAST_PART: i64 = 10;

/// The period for which a certificate is valid, with the certificate's use and a hint for messages.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Certificate {
    /// The certificate's use, such as "the client certificate of context `a`".
    pub(super) what: String,
    /// The time from which the certificate is valid.
    pub(super) begins: Timestamp,
    /// The time at which the certificate expires.
    pub(super) ends: Timestamp,
    /// The hint on how to renew the certificate.
    pub(super) hint: Hint,
}

impl Certificate {
    /// Returns the first certificate of a PEM text, which is the leaf of a chain; `None` without a certificate.
    pub(super) fn first(pem: &[u8], what: &str, hint: impl Into<Hint>) -> Option<Self> {
        certificates_in_pem(pem, what, hint).next()
    }

    /// Returns the certificate that expires last in a PEM bundle, because a bundle of authorities is valid as long as
    /// any
    /// certificate in it is valid; `None` without a certificate.
    pub(super) fn of_bundle(pem: &[u8], what: &str, hint: impl Into<Hint>) -> Option<Self> {
        certificates_in_pem(pem, what, hint).max_by_key(|one| one.ends)
    }
}

fn certificates_in_pem(pem: &[u8], what: &str, hint: impl Into<Hint>) -> impl Iterator<Item = Certificate> {
    let hint = hint.into();
    Pem::iter_from_buffer(pem).filter_map(Result::ok).filter_map(move |pem| {
        let validity = pem.parse_x509().ok()?.validity().clone();
        Some(Certificate {
            what: what.to_owned(),
            begins: Timestamp::from_second(validity.not_before.timestamp()).ok()?,
            ends: Timestamp::from_second(validity.not_after.timestamp()).ok()?,
            hint: hint.clone(),
        })
    })
}

/// Decodes a base64 field of a Kubernetes object; returns `None` if `field` is not base64 text.
pub(super) fn decode_base64(field: &Value) -> Option<Vec<u8>> {
    STANDARD.decode(field.as_str()?).ok()
}

/// Returns a check for each certificate that has expired or expires soon; one check if all certificates are good.
pub(super) fn judge(certificates: &[Certificate], now: Timestamp) -> Vec<Check> {
    let shown = |time: Timestamp| time.strftime("%Y-%m-%d %H:%M UTC").to_string();
    let near = certificates.iter().filter_map(|one| {
        let life = one.ends.as_second() - one.begins.as_second();
        let left = one.ends.as_second() - now.as_second();
        if left <= 0 {
            let message = format!("{} ended on {}", one.what, shown(one.ends));
            return Some(Check::error(NAME, message, one.hint.clone()));
        }
        let message = format!("{} expires on {} and has not been renewed", one.what, shown(one.ends));
        (left < life / LAST_PART).then(|| Check::warning(NAME, message, one.hint.clone()))
    });
    let near: Vec<Check> = near.collect();
    match certificates.iter().min_by_key(|one| one.ends) {
        Some(first) if near.is_empty() => {
            vec![Check::ok(NAME, format!("valid; the first to expire is {}, on {}", first.what, shown(first.ends)))]
        }
        _ => near,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::Verdict;
    use rcgen::{CertificateParams, KeyPair};

    fn pem(begins: i64, ends: i64) -> String {
        let mut params = CertificateParams::new(vec!["a.example.com".to_owned()]).unwrap();
        let time = |seconds| time::OffsetDateTime::from_unix_timestamp(seconds).unwrap();
        (params.not_before, params.not_after) = (time(begins), time(ends));
        params.self_signed(&KeyPair::generate().unwrap()).unwrap().pem()
    }

    #[test]
    fn the_last_tenth_of_a_life_is_too_late() {
        let certificate = Certificate::first(pem(1_000, 101_000).as_bytes(), "`a`", "renew it").unwrap();
        let at = |now| judge(std::slice::from_ref(&certificate), Timestamp::from_second(now).unwrap());
        let verdict = |now| at(now)[0].verdict;
        assert_eq!(verdict(50_000), Verdict::Ok);
        assert_eq!(verdict(91_000), Verdict::Ok);
        assert_eq!(verdict(91_001), Verdict::Warning);
        assert_eq!(verdict(100_999), Verdict::Warning);
        assert_eq!(at(101_000)[0], Check::error(NAME, "`a` ended on 1970-01-02 04:03 UTC", "renew it"));
        assert_eq!(judge(&[], Timestamp::from_second(1).unwrap()), []);
    }

    #[test]
    fn a_chain_is_its_owners_and_a_bundle_is_good_for_as_long_as_one() {
        let text = format!("# comment\n{}{}", pem(0, 2_000), pem(0, 5_000));
        let end = |certificate: Option<Certificate>| certificate.unwrap().ends.as_second();
        assert_eq!(end(Certificate::first(text.as_bytes(), "", "")), 2_000);
        assert_eq!(end(Certificate::of_bundle(text.as_bytes(), "", "")), 5_000);
        for damaged in ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
            assert_eq!(Certificate::first(damaged.as_bytes(), "", ""), None, "{damaged}");
        }
    }
}
