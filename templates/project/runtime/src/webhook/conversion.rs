//! Conversion of objects from one version of their kind to another, without loss.

mod check;
mod defaults;
#[cfg(test)]
mod hostile_tests;
mod restore;
mod review;
mod seal;
#[cfg(test)]
mod tests;

use super::call::call;
use super::handler::{Asker, Webhook};
use super::review::fit;
use anyhow::{Context, bail, ensure};
use futures::FutureExt;
use kube::{CustomResourceExt, Resource};
use restore::restore;
use seal::unsigned;
pub use seal::{Seal, random};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Map, Value, json};
use std::{collections::BTreeMap, fmt::Display, marker::PhantomData, sync::Arc};

/// The maximum total size of an object's annotations (`TotalAnnotationSizeLimitB` in Kubernetes).
const ANNOTATIONS: usize = 256 << 10;
/// The members of an object that are not converted.
const RAW: [&str; 3] = ["apiVersion", "kind", "metadata"];

type Step = Box<dyn Fn(&Value) -> anyhow::Result<Value> + Send + Sync>;

/// A version of a custom resource: the type that `#[derive(CustomResource)]` makes.
pub trait Version:
    Resource<DynamicType = ()> + CustomResourceExt + DeserializeOwned + Serialize + 'static
{
}

impl<K> Version for K where
    K: Resource<DynamicType = ()> + CustomResourceExt + DeserializeOwned + Serialize + 'static
{
}

/// A version that can be converted to the hub `H` and back.
#[diagnostic::on_unimplemented(
    message = "`{Self}` cannot be converted to `{H}` and back",
    note = "write `impl From<{Self}> for {H}` and `impl From<{H}> for {Self}`, or `TryFrom`, in the api crate"
)]
pub trait Spoke<H>: Version + TryFrom<H, Error: Display> {
    /// Converts the object to the hub version.
    ///
    /// # Errors
    /// Fails if the `TryFrom` fails.
    fn into_hub(self) -> anyhow::Result<H>;
}

impl<H, S> Spoke<H> for S
where
    H: Version + TryFrom<S, Error: Display>,
    S: Version + TryFrom<H, Error: Display>,
{
    fn into_hub(self) -> anyhow::Result<H> {
        H::try_from(self).map_err(|error| anyhow::anyhow!("{error}"))
    }
}

/// The versions of a kind: the hub `H`, in which objects are stored, and the other versions, which
/// can be converted to the hub and back. See [`conversion`].
pub struct Conversion<H> {
    versions: BTreeMap<String, Steps>,
    seal: Arc<Seal>,
    hub: PhantomData<fn() -> H>,
}

/// The conversions of one version to the hub and back, and the schema of the version's objects.
struct Steps {
    /// The conversion of JSON to the version's Rust type and back. Fails if the JSON does not fit.
    same: Step,
    to_hub: Step,
    from_hub: Step,
    schema: Value,
}

/// Begins the conversion of a kind whose objects are stored in the version `H`, the hub.
///
/// [`Conversion::spoke`] adds the other versions. If the target of a conversion lacks a field, the
/// field is kept in the annotation `conversion.<group>/<version>`, named after the version that has
/// the field. The conversion back restores the field wherever the object has not been changed
/// since. A client that replaces the object without that annotation removes the fields that only
/// the annotation had. If another client changes the annotation, a conversion to the hub fails if
/// the hub's schema forbids the new values or if only the API server can check them.
///
/// ```
/// use runtime::webhook::{self, Conversion};
///
/// mod v1 {
///     use kube::CustomResource;
///     use schemars::JsonSchema;
///     use serde::{Deserialize, Serialize};
///
///     #[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
///     #[kube(group = "example.com", version = "v1", kind = "Site")]
///     pub struct SiteSpec {
///         pub replicas: i32,
///     }
/// }
///
/// mod v1alpha1 {
/// #   use kube::CustomResource;
/// #   use schemars::JsonSchema;
/// #   use serde::{Deserialize, Serialize};
///     #[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
///     #[kube(group = "example.com", version = "v1alpha1", kind = "Site")]
///     pub struct SiteSpec {
///         pub size: i32,
///     }
/// }
///
/// impl From<v1alpha1::Site> for v1::Site {
///     fn from(value: v1alpha1::Site) -> Self {
///         let spec = v1::SiteSpec { replicas: value.spec.size };
///         Self { metadata: value.metadata, spec }
///     }
/// }
///
/// impl From<v1::Site> for v1alpha1::Site {
///     fn from(value: v1::Site) -> Self {
///         let spec = v1alpha1::SiteSpec { size: value.spec.replicas };
///         Self { metadata: value.metadata, spec }
///     }
/// }
///
/// fn conversion() -> Conversion<v1::Site> {
///     webhook::conversion().spoke::<v1alpha1::Site>()
/// }
/// ```
pub fn conversion<H: Version>() -> Conversion<H> {
    let hub = Steps {
        same: Box::new(through::<H>),
        to_hub: Box::new(through::<H>),
        from_hub: Box::new(through::<H>),
        schema: schema::<H>(),
    };
    Conversion {
        versions: BTreeMap::from([(H::version(&()).into_owned(), hub)]),
        seal: Arc::new(Seal::new()),
        hub: PhantomData,
    }
}

impl<H: Version> Conversion<H> {
    /// Adds a version that can be converted to the hub and back: see [`conversion`].
    #[must_use]
    pub fn spoke<S: Spoke<H>>(mut self) -> Self {
        let steps = Steps {
            same: Box::new(through::<S>),
            to_hub: Box::new(|object| {
                let hub = read::<S>(object)?.into_hub()?;
                Ok(serde_json::to_value(hub)?)
            }),
            from_hub: Box::new(|object| {
                let spoke = S::try_from(read::<H>(object)?);
                let spoke = spoke.map_err(|error| anyhow::anyhow!("{error}"))?;
                Ok(serde_json::to_value(spoke)?)
            }),
            schema: schema::<S>(),
        };
        self.versions.insert(S::version(&()).into_owned(), steps);
        self
    }

    /// Returns the versions, each with the schema of its objects.
    #[cfg(feature = "testing")]
    pub(crate) fn schemas(&self) -> impl Iterator<Item = (&str, &Value)> {
        let each = self.versions.iter();
        each.map(|(version, steps)| (version.as_str(), &steps.schema))
    }

    /// Returns the object as the Rust type of a version writes it, or `None` if it does not fit the
    /// type.
    #[cfg(feature = "testing")]
    pub(crate) fn written(&self, object: &Value, version: &str) -> Option<Value> {
        (self.versions[version].same)(object).ok()
    }

    /// Converts the object to another version, such as `example.com/v1`.
    pub(crate) fn convert(&self, object: &Value, api_version: &str) -> anyhow::Result<Value> {
        let from = self.version(object["apiVersion"].as_str().unwrap_or_default())?;
        let to = self.version(api_version)?;
        let kind = H::kind(&());
        ensure!(
            object["kind"] == *kind,
            "the kind is {}, and not {kind}",
            object["kind"]
        );
        if from == to {
            return Ok(object.clone());
        }
        let hub = &*H::version(&());
        if from != hub && to != hub {
            // By way of the hub: fields that it lacks are kept in its annotations.
            let stored = self.convert(object, &format!("{}/{hub}", H::group(&())))?;
            return self.convert(&stored, api_version);
        }
        let mut converted = self.turn(object, from, to)?;
        defaults::fill(&mut converted, &self.versions[to].schema);
        let mut metadata = object["metadata"].clone();
        let mut annotations = match metadata.get_mut("annotations").map(Value::take) {
            Some(Value::Object(annotations)) => annotations,
            _ => Map::new(),
        };
        if let Some(Value::String(kept)) = annotations.remove(&key::<H>(to)) {
            let (kept, is_signed) = self.seal.opened(&kept, &key::<H>(to), object);
            let is_trusted = is_signed || to != hub;
            if let Some(restored) = self.restored(&converted, &kept, is_trusted, (from, to)) {
                let schema = &self.versions[to].schema;
                if !is_trusted {
                    let checked = check::changes(Some(&converted), &restored, schema);
                    checked.map_err(|error| unsigned(&key::<H>(to), to, &error))?;
                }
                converted = restored;
            }
        }
        match self.lost(object, from, to)? {
            Some(kept) => {
                let kept = self.seal.signed(&kept, &key::<H>(from), object);
                annotations.insert(key::<H>(from), kept.into())
            }
            // An annotation that is there is outdated.
            None => annotations.remove(&key::<H>(from)),
        };
        let size = |(key, value): (&String, &Value)| key.len() + value.as_str().map_or(0, str::len);
        let size: usize = annotations.iter().map(size).sum();
        ensure!(
            size <= ANNOTATIONS,
            "{to} lacks fields of the object, which must be kept in an annotation: all annotations together would \
             have {size} bytes, but at most {ANNOTATIONS} are allowed"
        );
        if let Some(metadata) = metadata.as_object_mut() {
            metadata.remove("annotations");
            if !annotations.is_empty() {
                metadata.insert("annotations".to_owned(), annotations.into());
            }
        }
        converted["metadata"] = metadata;
        converted["apiVersion"] = format!("{}/{to}", H::group(&())).into();
        converted["kind"] = (*kind).into();
        Ok(converted)
    }

    /// Restores fields that only the version `to` has. Their values are in the annotation `kept`.
    /// Returns `None` if the annotation is unusable, for example because a client has changed it.
    fn restored(
        &self,
        converted: &Value,
        kept: &str,
        is_trusted: bool,
        (from, to): (&str, &str),
    ) -> Option<Value> {
        let mut kept: Value = serde_json::from_str(kept).ok()?;
        let members = kept.as_object_mut()?;
        members.remove("signature"); // of another key
        if !is_trusted {
            members.remove("status");
        }
        let back = self.turn(&kept, to, from).ok()?;
        let base = self.turn(&back, from, to).ok()?;
        let mut restored = converted.clone();
        restore(&mut restored, &base, &kept);
        defaults::fill(&mut restored, &self.versions[to].schema);
        // The annotation may be older than the present Rust type.
        (self.versions[to].same)(&restored).ok()?;
        Some(restored)
    }

    /// Returns, as JSON, the spec and the other members that lose values if the object is converted
    /// to the version `to` and back; `None` if no value is lost. A field that the CRD has and the
    /// Rust type lacks is also lost: during a rollout, the Rust types may be older than the CRD.
    fn lost(&self, object: &Value, from: &str, to: &str) -> anyhow::Result<Option<String>> {
        let back = self.turn(&self.turn(object, from, to)?, to, from)?;
        let mut own = self.turn(object, from, from)?;
        let Some(members) = own.as_object_mut() else {
            bail!("the converted value is not a JSON object")
        };
        let raw = object.as_object().into_iter().flatten();
        for (key, value) in raw.filter(|(key, _)| !RAW.contains(&key.as_str())) {
            let known = members.entry(key).or_insert(Value::Null);
            if has_more(value, known) {
                known.clone_from(value);
            }
        }
        members.retain(|_, value| !value.is_null());
        let differs = |(key, value): (&String, &Value)| back.get(key) != Some(value);
        let lost = members.iter().any(differs);
        // The whole spec is kept, as it shows what has changed since; the status is kept if it
        // loses fields.
        let all = !members.contains_key("spec");
        members.retain(|key, value| all || key == "spec" || back.get(key) != Some(value));
        for (key, value) in members.iter_mut() {
            value.clone_from(object.get(key).unwrap_or(&value.clone()));
        }
        Ok(lost.then(|| own.to_string()))
    }

    fn version<'a>(&self, api_version: &'a str) -> anyhow::Result<&'a str> {
        let version = api_version.strip_prefix(&*H::group(&()));
        let version = version.and_then(|rest| rest.strip_prefix('/'));
        let version = version.filter(|version| self.versions.contains_key(*version));
        version.with_context(|| {
            let known: Vec<&str> = self.versions.keys().map(String::as_str).collect();
            format!(
                "{api_version:?} is not a version that the operator knows: it converts {}",
                known.join(", ")
            )
        })
    }

    /// Converts the object to the version `to`. The result lacks the members in [`RAW`].
    fn turn(&self, object: &Value, from: &str, to: &str) -> anyhow::Result<Value> {
        let mut turned = if from == to {
            (self.versions[from].same)(object)?
        } else {
            (self.versions[to].from_hub)(&(self.versions[from].to_hub)(object)?)?
        };
        if let Some(members) = turned.as_object_mut() {
            members.retain(|key, _| !RAW.contains(&key.as_str()));
        }
        Ok(turned)
    }
}

impl<H: Version> From<Conversion<H>> for Webhook {
    fn from(conversion: Conversion<H>) -> Self {
        let (group, kind) = (H::group(&()).replace('.', "-"), H::kind(&()).to_lowercase());
        let conversion = Arc::new(conversion);
        Self {
            path: format!("/convert-{group}-{kind}"),
            asker: Asker::Definition(format!("{}.{}", H::plural(&()), H::group(&()))),
            seal: Some(conversion.seal.clone()),
            limit: review::LIMIT,
            answer: Arc::new(move |body| {
                let conversion = conversion.clone();
                call(move || review::answer(|object, to| conversion.convert(object, to), &body))
                    .boxed()
            }),
        }
    }
}

/// Returns true if `raw` has a value that `own` lacks. `own` is the same object as its Rust type
/// writes it.
fn has_more(raw: &Value, own: &Value) -> bool {
    match (raw, own) {
        (Value::Object(raw), Value::Object(own)) => raw
            .iter()
            .any(|(key, value)| has_more(value, own.get(key).unwrap_or(&Value::Null))),
        (Value::Array(raw), Value::Array(own)) => {
            raw.iter().zip(own).any(|(raw, own)| has_more(raw, own))
        }
        (Value::Object(raw), Value::Null) => raw.values().any(|value| has_more(value, own)),
        (Value::Array(raw), Value::Null) => !raw.is_empty(),
        (raw, own) => own.is_null() && !raw.is_null(),
    }
}

fn key<H: Version>(version: &str) -> String {
    format!("conversion.{}/{version}", H::group(&()))
}

fn read<K: DeserializeOwned>(object: &Value) -> anyhow::Result<K> {
    if object.get("metadata").is_some() {
        return fit(object);
    }
    let mut object = object.clone();
    if let Some(members) = object.as_object_mut() {
        members.insert("metadata".to_owned(), json!({}));
    }
    fit(&object)
}

fn through<K: Version>(object: &Value) -> anyhow::Result<Value> {
    Ok(serde_json::to_value(read::<K>(object)?)?)
}

/// Returns the schema of the version's objects.
fn schema<K: Version>() -> Value {
    let version = K::crd().spec.versions.into_iter().next();
    let schema = version.and_then(|version| version.schema?.open_api_v3_schema);
    serde_json::to_value(schema).unwrap_or_default()
}
