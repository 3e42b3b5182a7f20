//! Reads certificates: the time until which they are valid, and the authority that signed them.

use rustls::client::WebPkiServerVerifier;
use rustls::client::danger::ServerCertVerifier;
use rustls::crypto::ring::default_provider;
use rustls::pki_types::pem::PemObject;
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{CertificateError, Error, RootCertStore};
use std::{sync::Arc, time::Duration};

/// The end of the year 9999, after which no certificate is valid.
const END_OF_TIME: u64 = 253_402_300_799;

pub fn parse(pem: &[u8]) -> Vec<CertificateDer<'static>> {
    let certificates = CertificateDer::pem_slice_iter(pem);
    certificates.filter_map(Result::ok).collect()
}

/// Returns the end of the certificate's validity, in seconds since 1970.
pub fn expires(certificate: &CertificateDer) -> Option<u64> {
    match verify(certificate, certificate, "localhost", END_OF_TIME) {
        Err(Error::InvalidCertificate(CertificateError::ExpiredContext { not_after, .. })) => {
            Some(not_after.as_secs())
        }
        _ => None,
    }
}

/// Returns true if the certificate is valid at the time `now`, in seconds since 1970.
pub fn is_valid(certificate: &CertificateDer, now: u64) -> bool {
    use CertificateError::{Expired, ExpiredContext, NotValidYet, NotValidYetContext};
    let Err(Error::InvalidCertificate(error)) = verify(certificate, certificate, "localhost", now)
    else {
        return true;
    };
    !matches!(
        error,
        Expired | ExpiredContext { .. } | NotValidYet | NotValidYetContext { .. }
    )
}

/// Checks that a client that trusts `authority` accepts `certificate` for the host `name` at the
/// time `now`. Does not check that `authority` itself is valid at that time, which the caller must
/// check before.
pub fn verify(
    certificate: &CertificateDer,
    authority: &CertificateDer,
    name: &str,
    now: u64,
) -> Result<(), Error> {
    let mut roots = RootCertStore::empty();
    roots.add(authority.clone().into_owned())?;
    let provider = Arc::new(default_provider());
    let verifier = WebPkiServerVerifier::builder_with_provider(roots.into(), provider)
        .build()
        .map_err(|error| Error::General(error.to_string()))?;
    let name = ServerName::try_from(name).map_err(|error| Error::General(error.to_string()))?;
    let now = UnixTime::since_unix_epoch(Duration::from_secs(now));
    let verified = verifier.verify_server_cert(certificate, &[], &name, &[], now);
    verified.map(drop)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rcgen::{CertificateParams, KeyPair, date_time_ymd};

    #[test]
    fn a_certificate_says_when_it_expires() {
        let mut parameters = CertificateParams::new(["a".into()]).unwrap();
        parameters.not_after = date_time_ymd(2031, 2, 3);
        let key = KeyPair::generate().unwrap();
        let certificate = parameters.self_signed(&key).unwrap();
        let read = parse(certificate.pem().as_bytes());
        assert_eq!(expires(&read[0]), Some(1_927_843_200));
        assert_eq!(expires(&CertificateDer::from(vec![1, 2, 3])), None);
        assert!(parse(b"rubbish").is_empty());
    }
}
