//! Admission requests, as the API server sends them and as functions get them.

use super::findings::Findings;
use super::reply::{Failure, Reply, Request};
use axum::http::StatusCode;
use kube::Resource;
use kube::core::DynamicObject;
use kube::core::admission::{AdmissionReview, Operation};
use serde::de::DeserializeOwned;
use serde_json::Value;

/// The maximum size of a request in bytes: the new and the old object, each of up to 3 MiB, which
/// is the limit of the API server, and the rest of the request.
pub(super) const LIMIT: usize = 7 << 20;

/// A request as it was received: the objects are still JSON, with all fields.
pub(super) struct Asked {
    pub request: Request,
    pub object: Value,
    pub old: Value,
}

impl Asked {
    pub fn parse(body: &[u8]) -> Result<Self, Failure> {
        let bad = |why: String| Failure::new(StatusCode::BAD_REQUEST, why);
        let mut review: Value = serde_json::from_slice(body)
            .map_err(|error| bad(format!("the request cannot be read as JSON: {error}")))?;
        let of = ["/apiVersion", "/kind"].map(|at| review.pointer(at).and_then(Value::as_str));
        if of != [Some("admission.k8s.io/v1"), Some("AdmissionReview")] {
            let of = of.map(Option::unwrap_or_default).join(" ");
            let said = "the request must be an admission.k8s.io/v1 AdmissionReview";
            return Err(bad(format!("{said}, and is `{of}`")));
        }
        // An object that does not fit its type would make the whole request fail.
        let mut take = |at| review.pointer_mut(at).map(Value::take).unwrap_or_default();
        let (object, old) = (take("/request/object"), take("/request/oldObject"));
        let review: AdmissionReview<DynamicObject> = serde_json::from_value(review)
            .map_err(|error| bad(format!("the AdmissionReview cannot be read: {error}")))?;
        let request: Result<Request, _> = review.try_into();
        let request = request.map_err(|_| bad("the AdmissionReview has no request".into()))?;
        if request.uid.is_empty() {
            return Err(bad("the request has no uid".into()));
        }
        Ok(Self {
            request,
            object,
            old,
        })
    }

    pub fn is_about<K: Resource<DynamicType = ()>>(&self) -> Result<(), Failure> {
        let asked = &self.request.kind;
        let (group, version, kind) = (K::group(&()), K::version(&()), K::kind(&()));
        if (&*asked.group, &*asked.version, &*asked.kind) == (&*group, &*version, &*kind) {
            return Ok(());
        }
        let why = format!(
            "this webhook handles {}, but the request is about {}: its rules name another resource",
            shown(&group, &version, &kind),
            shown(&asked.group, &asked.version, &asked.kind)
        );
        Err(Failure::new(StatusCode::BAD_REQUEST, why))
    }

    pub fn validated<K: Resource<DynamicType = ()>>(&self, found: Findings) -> Reply {
        let object = if self.object.is_null() {
            &self.old
        } else {
            &self.object
        };
        let name = |at| object.pointer(at).and_then(Value::as_str);
        let name = name("/metadata/name").or_else(|| name("/metadata/generateName"));
        let (kind, group) = (K::kind(&()), K::group(&()));
        Reply::found(
            &self.request,
            &kind,
            &group,
            name.unwrap_or_default(),
            found,
        )
    }
}

/// Reads an object into its Rust type. The error names the field that does not fit.
pub(super) fn fit<K: DeserializeOwned>(object: &Value) -> anyhow::Result<K> {
    serde_path_to_error::deserialize(object).map_err(|error| {
        let path = error.path().to_string();
        let error = error.into_inner();
        // A dot stands for the object itself.
        match path.as_str() {
            "." => anyhow::anyhow!("{error}"),
            path => anyhow::anyhow!("{path}: {error}"),
        }
    })
}

fn shown(group: &str, version: &str, kind: &str) -> String {
    let slash = if group.is_empty() { "" } else { "/" };
    format!("{group}{slash}{version} {kind}")
}

/// The input of an async validation function.
#[derive(Clone, Debug)]
pub struct Review<K> {
    /// The object that is about to be stored; `None` if an object is about to be deleted.
    pub object: Option<K>,
    /// The object that is about to be replaced or deleted; `None` if there is no such object, or if
    /// it does not fit the Rust type.
    pub old: Option<K>,
    /// The request of the user, without the objects.
    pub request: Request,
}

impl<K: DeserializeOwned + Resource<DynamicType = ()>> Review<K> {
    /// Reads the new and the old object. Returns a review and the findings so far, or a reply
    /// if no review is possible. If the old object, or an object that is being deleted, does
    /// not fit the type, adds only a warning: otherwise no user could delete or fix the object.
    pub(super) fn new(asked: &Asked) -> Result<(Self, Findings), Reply> {
        let parse = |value: &Value| {
            let value = (!value.is_null()).then_some(value);
            value.map(fit::<K>).transpose()
        };
        let mut found = Findings::default();
        let old = parse(&asked.old).unwrap_or_else(|error| {
            let cannot = "the operator cannot read the object as it is stored";
            found.warn(format!("{cannot}: {error}"));
            None
        });
        let object = match parse(&asked.object) {
            Ok(None) if old.is_none() => return Err(asked.validated::<K>(found)),
            Ok(object) => object,
            Err(error) => {
                let why = format!("the operator cannot read the object: {error}");
                if !asked.is_being_deleted() {
                    return Err(Reply::denied(&asked.request, why));
                }
                found.warn(why);
                return Err(asked.validated::<K>(found));
            }
        };
        let request = asked.request.clone();
        let review = Self {
            object,
            old,
            request,
        };
        Ok((review, found))
    }
}

impl Asked {
    /// Returns true if the object is being deleted, and only waits for the removal of its
    /// finalizers.
    fn is_being_deleted(&self) -> bool {
        let deleted = self.old.pointer("/metadata/deletionTimestamp");
        self.request.operation == Operation::Update && deleted.is_some_and(Value::is_string)
    }
}
