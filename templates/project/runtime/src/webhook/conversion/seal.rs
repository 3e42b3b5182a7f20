//! Signs the annotations in which conversions keep fields: any client can write annotations.
//!
//! The API server checks a write in the version of the request, but not the result of a conversion
//! to the hub, the version in which objects are stored. So annotations could bring values into the
//! hub that the API server refuses there. Therefore each annotation is signed for its object:
//!
//! - Signed fields are restored without a check: these fields were in the hub, so the API server
//!   has accepted them there. The API server also keeps a stored value that a newer rule forbids.
//!   A conversion could not check rules that compare old and new values.
//! - Unsigned fields are restored if the hub's schema allows the values and has only rules for
//!   them that a conversion can check. Otherwise the conversion fails with the reason, because
//!   leaving out the fields would lose them. Unsigned annotations come from an earlier release,
//!   another cluster, a copy of an object, or the time before a key was lost. An unsigned status
//!   is left out: some users may write an object but not its status, and the operator reports the
//!   status again.
//! - Fields that are restored in a version other than the hub are not checked: objects are not
//!   stored in that version, and the API server checks a write that sends the restored fields.
//!
//! All replicas sign with a key that is stored beside the certificate of the webhooks and is never
//! renewed. With a certificate from `--webhook-cert-path`, the key derives from the certificate's
//! private key. A signature covers the object's uid, because rules could compare a copy of the
//! object with another old value. The generation is not covered: objects that are stored in a
//! version other than the hub keep their annotation over many generations until they are migrated.
//! So an old annotation can bring back former values, and a change in the other version can leave
//! fields that do not fit together. To prevent this, put a rule into an admission policy, which
//! checks every object in the hub.

use k8s_openapi::ByteString;
use parking_lot::RwLock;
use rustls::SupportedCipherSuite;
use rustls::crypto::ring::{cipher_suite::TLS13_AES_128_GCM_SHA256, default_provider};
use rustls::crypto::tls13::OkmBlock;
use serde_json::{Value, json};

type Bytes = [u8; 32];

/// The current key of signatures, and the previous key.
pub struct Seal(RwLock<[Bytes; 2]>);

impl Seal {
    /// Makes a random key, which is valid until [`Seal::set`] sets the key of all replicas.
    pub fn new() -> Self {
        let key = random();
        Self(RwLock::new([key; 2]))
    }

    /// Sets a key derived from `secret` for new signatures. The previous key stays valid.
    pub fn set(&self, secret: &[u8]) {
        let (key, mut keys) = (sign(b"conversion", secret), self.0.write());
        if keys[0] != key {
            *keys = [key, keys[0]];
        }
    }

    /// Adds a signature to `json`, a JSON object for the annotation `name` of `object`.
    pub fn signed(&self, json: &str, name: &str, object: &Value) -> String {
        let signature = sign(&self.0.read()[0], &signed_part(json, name, uid(object)));
        format!("{}{}", head(signature), &json[1..])
    }

    /// Returns the JSON object in the annotation, and true if it is signed for `object`. A new
    /// object may have been signed without a uid, before its creation.
    pub fn opened(&self, annotation: &str, name: &str, object: &Value) -> (String, bool) {
        let rest = annotation.get(head(Bytes::default()).len()..);
        let json = format!("{{{}", rest.unwrap_or_default());
        let generation = object["metadata"]["generation"].as_i64();
        let uids = [uid(object), ""];
        let uids = &uids[..1 + usize::from(generation.is_none_or(|generation| generation <= 1))];
        let is_signed = |key: &Bytes, uid: &&str| {
            let expected = head(sign(key, &signed_part(&json, name, uid)));
            let pairs = expected.bytes().zip(annotation.bytes());
            // In constant time: who tries signatures cannot tell how much of one is right.
            pairs.fold(0, |unlike, (one, other)| unlike | (one ^ other)) == 0
        };
        let mut keys = self.0.read().into_iter();
        if rest.is_some() && keys.any(|key| uids.iter().any(|uid| is_signed(&key, uid))) {
            return (json, true);
        }
        (annotation.to_owned(), false)
    }
}

/// Returns the error for an annotation that is refused because it has no signature.
pub fn unsigned(annotation: &str, hub: &str, error: &str) -> anyhow::Error {
    anyhow::anyhow!(
        "the annotation {annotation} was not written by this operator for this object, and the restored \
         object{error}: remove the annotation, or write the object in {hub}"
    )
}

/// Returns 32 random bytes.
pub fn random() -> Bytes {
    let mut bytes = Bytes::default();
    let filled = default_provider().secure_random.fill(&mut bytes);
    assert!(filled.is_ok(), "the system provides no random numbers");
    bytes
}

/// Returns the start of a signed JSON object: the brace and the field `signature`.
fn head(signature: Bytes) -> String {
    format!("{{\"signature\":{},", json!(ByteString(signature.into())))
}

fn uid(object: &Value) -> &str {
    object["metadata"]["uid"].as_str().unwrap_or_default()
}

fn signed_part(json: &str, name: &str, uid: &str) -> Vec<u8> {
    [name, uid, json].join("\n").into_bytes()
}

/// Returns the HMAC-SHA256 of `message`, computed by rustls, which has this function for TLS.
fn sign(key: &[u8], message: &[u8]) -> Bytes {
    let SupportedCipherSuite::Tls13(suite) = TLS13_AES_128_GCM_SHA256 else {
        return random();
    };
    let tag = suite.hkdf_provider.hmac_sign(&OkmBlock::new(key), message);
    tag.as_ref().try_into().unwrap_or_else(|_| random())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_was_signed_for_the_object_is_signed() {
        let object =
            |uid: &str, generation: u8| json!({"metadata": {"uid": uid, "generation": generation}});
        let (seal, kept) = (Seal::new(), r#"{"spec":{"size":1.0}}"#);
        let signed = seal.signed(kept, "a/v1", &object("1", 3));
        assert!(
            signed.starts_with(r#"{"signature":""#)
                && signed.ends_with(r#"","spec":{"size":1.0}}"#)
        );
        assert_eq!(
            seal.opened(&signed, "a/v1", &object("1", 9)),
            (kept.into(), true)
        );
        let (shorter, changed) = (&signed[1..], signed.replace("1.0", "2.0"));
        for (annotation, name, uid) in [
            (&*signed, "a/v2", "1"),
            (&signed, "a/v1", "2"),
            (&signed, "a/v1", ""),
            (&changed, "a/v1", "1"),
            (shorter, "a/v1", "1"),
            (kept, "a/v1", "1"),
            ("", "a/v1", "1"),
            ("ä", "a/v1", "1"),
        ] {
            assert!(
                !seal.opened(annotation, name, &object(uid, 3)).1,
                "{annotation} {uid}"
            );
        }
        // Before it is created, an object has no uid.
        let signed = seal.signed(kept, "a/v1", &json!({}));
        assert!(seal.opened(&signed, "a/v1", &object("1", 1)).1);
        assert!(!seal.opened(&signed, "a/v1", &object("1", 2)).1);
    }

    #[test]
    fn a_new_key_lets_the_one_before_it_be_read() {
        let (one, other, object) = (Seal::new(), Seal::new(), json!({}));
        one.set(b"first");
        let signed = one.signed("{}", "a", &object);
        for (secret, is_signed) in [
            ("first", true),
            ("second", true),
            ("second", true),
            ("third", false),
        ] {
            one.set(secret.as_bytes());
            assert_eq!(one.opened(&signed, "a", &object).1, is_signed, "{secret}");
        }
        assert!(!other.opened(&signed, "a", &object).1);
        other.set(b"first");
        assert!(
            other.opened(&signed, "a", &object).1,
            "replicas share the secret"
        );
    }
}
