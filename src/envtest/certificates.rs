//! The certificates of a throw-away control plane, made as in controller-runtime
//! (pkg/internal/testing/certs/tinyca.go) by authorities that do not trust each other: one authority for the
//! server, one for service accounts, one for users, and a fourth authority for etcd.

use crate::{Error, Result};
use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair, KeyUsagePurpose,
};
use time::{Duration, OffsetDateTime};

/// A certificate and its private key, both as PEM.
#[derive(Clone, Debug)]
pub(super) struct Pair {
    /// The certificate, as PEM.
    pub(super) certificate: String,
    /// The private key, PKCS#8 as PEM.
    pub(super) key: String,
}

/// A certificate authority.
#[derive(Debug)]
pub(super) struct Authority {
    pair: Pair,
    issuer: Issuer<'static, KeyPair>,
}

impl Authority {
    /// Creates a new authority.
    pub(super) fn new() -> Result<Self> {
        Self::make().map_err(|error| certificate_error(&error))
    }

    fn make() -> Result<Self, rcgen::Error> {
        let mut parameters = CertificateParams::new(Vec::new())?;
        parameters.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        parameters.distinguished_name.push(DnType::OrganizationName, "envtest");
        parameters.distinguished_name.push(DnType::CommonName, "envtest-environment");
        parameters.key_usages =
            vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::KeyEncipherment];
        valid_for(&mut parameters, Duration::days(3650));
        let key = KeyPair::generate()?;
        let certificate = parameters.self_signed(&key)?.pem();
        let pair = Pair { certificate, key: key.serialize_pem() };
        Ok(Authority { pair, issuer: Issuer::new(parameters, key) })
    }

    /// Returns the authority's own certificate and key.
    pub(super) fn pair(&self) -> &Pair {
        &self.pair
    }

    /// Creates a certificate for a server at `names`, which are host names and IP addresses.
    pub(super) fn server(&self, names: &[&str]) -> Result<Pair> {
        self.leaf("localhost", None, names, &[ExtendedKeyUsagePurpose::ServerAuth])
    }

    /// Creates a certificate for a server at `names` that is also a client of its peers, such as a member of etcd.
    pub(super) fn member(&self, names: &[&str]) -> Result<Pair> {
        let usages = [ExtendedKeyUsagePurpose::ServerAuth, ExtendedKeyUsagePurpose::ClientAuth];
        self.leaf("localhost", None, names, &usages)
    }

    /// Creates a certificate for a user: the common name is the user name, and the organization is the user's group. At
    /// most one group is possible, because rcgen keeps one value per attribute.
    pub(super) fn user(&self, name: &str, group: Option<&str>) -> Result<Pair> {
        self.leaf(name, group, &[], &[ExtendedKeyUsagePurpose::ClientAuth])
    }

    fn leaf(
        &self,
        name: &str,
        group: Option<&str>,
        hosts: &[&str],
        usages: &[ExtendedKeyUsagePurpose],
    ) -> Result<Pair> {
        let make = || {
            let hosts: Vec<String> = hosts.iter().map(ToString::to_string).collect();
            let mut parameters = CertificateParams::new(hosts)?;
            parameters.distinguished_name.push(DnType::CommonName, name);
            if let Some(group) = group {
                parameters.distinguished_name.push(DnType::OrganizationName, group);
            }
            parameters.key_usages = vec![KeyUsagePurpose::DigitalSignature, KeyUsagePurpose::KeyEncipherment];
            parameters.extended_key_usages = usages.to_vec();
            // A control plane may be kept for long; the certificates of controller-runtime last a week.
            valid_for(&mut parameters, Duration::days(365));
            let key = KeyPair::generate()?;
            let certificate = parameters.signed_by(&key, &self.issuer)?.pem();
            Ok(Pair { certificate, key: key.serialize_pem() })
        };
        make().map_err(|error: rcgen::Error| certificate_error(&error))
    }
}

/// The certificate of a server, signed by an authority that signs no other certificate.
#[derive(Clone, Debug)]
pub struct ServingCertificate {
    /// The authority's certificate, as PEM.
    pub authority: String,
    /// The certificate, as PEM.
    pub certificate: String,
    /// The certificate's private key, PKCS#8 as PEM.
    pub key: String,
}

/// Creates a certificate, valid for a year, for a server at `names`, which are host names and IP addresses.
///
/// # Errors
/// Fails if a name is not valid in a certificate.
pub fn serving_certificate(names: &[&str]) -> Result<ServingCertificate> {
    let authority = Authority::new()?;
    let Pair { certificate, key } = authority.server(names)?;
    Ok(ServingCertificate { authority: authority.pair().certificate.clone(), certificate, key })
}

/// Sets the period for which a certificate is valid. The period starts five minutes before now, because the clocks of
/// machines and of their virtual machines differ.
fn valid_for(parameters: &mut CertificateParams, duration: Duration) {
    let now = OffsetDateTime::now_utc();
    parameters.not_before = now - Duration::minutes(5);
    parameters.not_after = now + duration;
}

fn certificate_error(error: &rcgen::Error) -> Error {
    Error::bug("cannot make certificates for a local control plane").source(error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn authorities_and_leaves_differ() {
        let (one, other) = (Authority::new().unwrap(), Authority::new().unwrap());
        assert_ne!(one.pair().certificate, other.pair().certificate);
        let server = one.server(&["localhost", "127.0.0.1"]).unwrap();
        let admin = one.user("admin", Some("system:masters")).unwrap();
        for pair in [one.pair(), &server, &admin] {
            assert!(pair.certificate.starts_with("-----BEGIN CERTIFICATE-----"));
            assert!(pair.key.starts_with("-----BEGIN PRIVATE KEY-----"));
        }
        assert_ne!(server.key, admin.key);
    }
}
