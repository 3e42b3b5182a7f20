//! The renewal of the operator's own certificate authority, which is stored in a `Secret`.
//!
//! `ca.crt` contains the authorities that the API server trusts. A new authority is first put
//! at the start of `ca.crt`, and begins to sign after a delay in which this change spreads. The
//! replaced authority stays in `ca.crt` until the next authority is added.

use super::certificate::{expires, is_valid, parse, verify};
use super::conversion::random;
use anyhow::ensure;
use k8s_openapi::ByteString;
use rcgen::{
    BasicConstraints, CertificateParams, DistinguishedName, DnType, ExtendedKeyUsagePurpose, IsCa,
    Issuer, KeyPair, KeyUsagePurpose, PublicKeyData,
};
use rustls::crypto::ring::default_provider;
use rustls::pki_types::{CertificateDer, PrivateKeyDer, pem::PemObject};
use rustls::sign::CertifiedKey;
use std::{collections::BTreeMap, time::Duration, time::UNIX_EPOCH};

pub type Data = BTreeMap<String, ByteString>;

/// The field of the `Secret` that has the signing key of conversions. The key is never renewed:
/// data signed with an old key could not be distinguished from data that users write.
pub const CONVERSION: &str = "conversion.key";
const END: &str = "-----END CERTIFICATE-----";
/// The number of seconds by which certificates are backdated, because clocks differ.
const BACKDATED: u64 = 3600;

/// The lifetimes of certificates, in seconds. A certificate is renewed when a third of its lifetime
/// is left.
#[derive(Clone, Copy, Debug)]
pub struct Lifetimes {
    pub authority: u64,
    pub serving: u64,
    /// The time for which a new authority is trusted before it signs.
    pub spread: u64,
}

impl Default for Lifetimes {
    fn default() -> Self {
        let day = 24 * 3600;
        Self {
            authority: 3650 * day,
            serving: 90 * day,
            spread: 600,
        }
    }
}

/// The new content of the Secret, and the reason for the change.
#[derive(Debug)]
pub struct Renewed {
    pub data: Data,
    pub why: &'static str,
}

/// A certificate authority: its certificate, as PEM and as DER, and its key.
struct Authority {
    pem: String,
    certificate: CertificateDer<'static>,
    key: String,
    /// The end of the authority's validity, in seconds since 1970.
    end: u64,
}

/// Returns the content that the `Secret` should have at the time `now`, in seconds since 1970, or
/// `None` if the current content is good.
pub fn renew(
    data: &Data,
    names: &[String],
    life: Lifetimes,
    now: u64,
) -> anyhow::Result<Option<Renewed>> {
    let mut next = Authority::find(data, "next.key", now);
    let mut begins = text(data, "next.begins").parse().unwrap_or(u64::MAX);
    let mut why = None;
    let mut signer = match Authority::find(data, "ca.key", now) {
        Some(_) if next.is_some() && begins <= now => {
            why = Some("the new certificate authority is now trusted, and starts to sign");
            next.take()
        }
        Some(signer) => Some(signer),
        None => {
            why = Some("the Secret contains no usable certificate authority");
            next.take()
        }
    };
    let current = match &mut signer {
        Some(current) => current,
        none => none.insert(Authority::new(names, life, now)?),
    };
    if next.is_some() && begins > now + life.spread {
        begins = now + life.spread;
        why = Some("the new certificate authority must start to sign earlier");
    }
    if next.is_none() && why.is_none() && current.end - now < life.authority / 3 {
        next = Some(Authority::new(names, life, now)?);
        begins = now + life.spread;
        why = Some("a new certificate authority must be trusted before it signs");
    }
    let mut serving = (
        text(data, "tls.crt").to_owned(),
        text(data, "tls.key").to_owned(),
    );
    if !current.is_served(&serving, names, life, now) {
        why = why.or(Some("the certificate has to be renewed"));
        serving = current.sign(names, life, now)?;
        if !current.is_served(&serving, names, life, now) {
            // Somebody else's certificate: it looks like an authority, but does not work as one for
            // these names.
            *current = Authority::new(names, life, now)?;
            serving = current.sign(names, life, now)?;
        }
        ensure!(
            current.is_served(&serving, names, life, now),
            "no certificate can be made for {}",
            names.join(", ")
        );
    }
    let has_key = data.get(CONVERSION).is_some_and(|key| key.0.len() >= 32);
    let why = why.or((!has_key).then_some("conversions get a key"));
    let Some(why) = why else { return Ok(None) };

    let trusted = [next.as_ref(), Some(&*current)].into_iter().flatten();
    let mut bundle: Vec<String> = trusted.map(|authority| authority.pem.clone()).collect();
    let before = certificates(data)
        .filter(|(pem, certificate)| !bundle.contains(pem) && is_valid(certificate, now));
    let before: Vec<_> = before.map(|(pem, _)| pem).collect();
    bundle.extend(before);
    bundle.truncate(2);
    let mut new = data.clone();
    let mut put = |key: &str, value: String| {
        new.insert(key.to_owned(), ByteString(value.into_bytes()));
    };
    put("ca.crt", bundle.concat());
    put("ca.key", current.key.clone());
    put("tls.crt", serving.0);
    put("tls.key", serving.1);
    if let Some(next) = next {
        put("next.key", next.key);
        put("next.begins", begins.to_string());
    } else {
        new.retain(|key, _| key != "next.key" && key != "next.begins");
    }
    if !has_key {
        new.insert(CONVERSION.to_owned(), ByteString(random().into()));
    }
    Ok(Some(Renewed { data: new, why }))
}

/// Returns true if the `Secret` contains a valid authority and its key.
pub fn has_authority(data: &Data, now: u64) -> bool {
    Authority::find(data, "ca.key", now).is_some()
}

fn text<'a>(data: &'a Data, key: &str) -> &'a str {
    let value = data.get(key).map_or(&[][..], |value| &value.0);
    str::from_utf8(value).unwrap_or_default()
}

/// Returns the certificates that the API server trusts, as PEM and as DER.
fn certificates(data: &Data) -> impl Iterator<Item = (String, CertificateDer<'static>)> {
    text(data, "ca.crt")
        .split_inclusive(END)
        .filter_map(|part| {
            let certificate = parse(part.as_bytes()).pop()?;
            Some((format!("{}\n", part.trim()), certificate))
        })
}

fn parameters(name: &str, now: u64, end: u64) -> CertificateParams {
    let at = |second| UNIX_EPOCH + Duration::from_secs(second);
    let mut parameters = CertificateParams::default();
    parameters.not_before = at(now.saturating_sub(BACKDATED)).into();
    parameters.not_after = at(end).into();
    parameters.use_authority_key_identifier_extension = true;
    parameters.distinguished_name = DistinguishedName::new();
    parameters.distinguished_name.push(DnType::CommonName, name);
    parameters
}

impl Authority {
    fn parameters(names: &[String], now: u64, end: u64) -> CertificateParams {
        let name = names.first().map_or("", String::as_str);
        // A common name has at most 64 characters.
        let name: String = format!("CA of {name}").chars().take(64).collect();
        let mut parameters = parameters(&name, now, end);
        parameters.is_ca = IsCa::Ca(BasicConstraints::Constrained(0));
        parameters.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        parameters
    }

    fn new(names: &[String], life: Lifetimes, now: u64) -> anyhow::Result<Self> {
        let (key, end) = (KeyPair::generate()?, now + life.authority);
        let certificate = Self::parameters(names, now, end).self_signed(&key)?;
        Ok(Self {
            pem: certificate.pem(),
            certificate: certificate.der().clone(),
            key: key.serialize_pem(),
            end,
        })
    }

    /// Returns the authority whose private key is stored under `key`, if it is valid.
    fn find(data: &Data, key: &str, now: u64) -> Option<Self> {
        let text = text(data, key);
        let public = KeyPair::from_pem(text).ok()?.subject_public_key_info();
        let holds = |certificate: &CertificateDer| {
            let mut parts = certificate.windows(public.len());
            parts.any(|part| part == public)
        };
        let (pem, certificate) = certificates(data).find(|(_, found)| holds(found))?;
        let end = expires(&certificate)?;
        is_valid(&certificate, now).then(|| Self {
            pem,
            certificate,
            key: text.to_owned(),
            end,
        })
    }

    /// Makes a certificate for `names`, and its key. The certificate does not outlive the
    /// authority.
    fn sign(
        &self,
        names: &[String],
        life: Lifetimes,
        now: u64,
    ) -> anyhow::Result<(String, String)> {
        // An issuer needs only its name and its key.
        let own = Self::parameters(names, now, self.end);
        let issuer = Issuer::new(own, KeyPair::from_pem(&self.key)?);
        let mut parameters = parameters("", now, self.end.min(now + life.serving));
        parameters.distinguished_name = DistinguishedName::new();
        parameters.subject_alt_names = CertificateParams::new(names)?.subject_alt_names;
        parameters.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        let key = KeyPair::generate()?;
        let certificate = parameters.signed_by(&key, &issuer)?;
        Ok((certificate.pem(), key.serialize_pem()))
    }

    /// Returns true if the certificate need not be renewed: clients that trust the authority accept
    /// it for `names`, the key belongs to the certificate, and at least about a third of the
    /// certificate's lifetime is left.
    fn is_served(
        &self,
        (chain, key): &(String, String),
        names: &[String],
        life: Lifetimes,
        now: u64,
    ) -> bool {
        let chain = parse(chain.as_bytes());
        let Ok(key) = PrivateKeyDer::from_pem_slice(key.as_bytes()) else {
            return false;
        };
        let Some((certificate, end)) = chain.first().and_then(|one| Some((one, expires(one)?)))
        else {
            return false;
        };
        let verified = names
            .iter()
            .all(|name| verify(certificate, &self.certificate, name, now).is_ok());
        let longest = self.end.min(now + life.serving);
        let lasts =
            end <= self.end && (end >= longest || end.saturating_sub(now) >= life.serving / 3);
        let fits = CertifiedKey::from_der(chain.clone(), key, &default_provider()).is_ok();
        verified && lasts && fits
    }
}

#[cfg(test)]
mod tests;
