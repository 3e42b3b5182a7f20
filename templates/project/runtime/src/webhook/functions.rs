//! Makes webhooks from functions that the operator's author writes.

use super::handler::{Answer, Asker, Webhook};
use super::reply::{Failure, Reply, Request};
use super::review::{self, Asked, Review};
use super::{admission, call::call, findings::Findings};
use futures::future::{BoxFuture, FutureExt};
use kube::Resource;
use serde::{Serialize, de::DeserializeOwned};
use std::sync::Arc;

/// Makes a webhook from a function that fills in fields that the user left out. The function may
/// change everything in the object but its name, namespace, version and kind.
///
/// Fields that the Rust type lacks are kept. An object that does not fit the Rust type stays
/// unchanged, and the API server then reports its errors.
pub fn defaulting<K>(default: impl Fn(&mut K, &Request) + Send + Sync + 'static) -> Webhook
where
    K: Resource<DynamicType = ()> + DeserializeOwned + Serialize + 'static,
{
    let default = Arc::new(default);
    Webhook::new::<K>("mutate", move |asked| {
        let default = default.clone();
        let answer = call(move || {
            let Some(mut object) = admission::defaultable::<K>(&asked)? else {
                return Ok(Reply::allowed(&asked.request));
            };
            let before = admission::json(&object)?;
            default(&mut object, &asked.request);
            admission::defaulted(&asked, &before, &object)
        });
        answer.boxed()
    })
}

/// Makes a webhook from an async function that fills in fields that the user left out, for example
/// with data from the cluster. The function takes the object, and returns the changed object: see
/// [`defaulting`].
///
/// ```
/// use k8s_openapi::api::core::v1::{ConfigMap, Pod};
/// use kube::{Api, Client};
/// use runtime::webhook::{self, Webhook};
///
/// fn with(client: Client) -> Webhook {
///     webhook::defaulting_async(move |mut pod: Pod, request| {
///         let namespace = request.namespace.unwrap_or_default();
///         let maps: Api<ConfigMap> = Api::namespaced(client.clone(), &namespace);
///         async move {
///             let map = maps.get_opt("labels").await?;
///             let labels = map.and_then(|map| map.data).unwrap_or_default();
///             pod.metadata.labels.get_or_insert_default().extend(labels);
///             Ok::<_, kube::Error>(pod)
///         }
///     })
/// }
/// ```
pub fn defaulting_async<K, F, E>(
    default: impl Fn(K, Request) -> F + Send + Sync + 'static,
) -> Webhook
where
    K: Resource<DynamicType = ()> + DeserializeOwned + Serialize + Send + 'static,
    F: Future<Output = Result<K, E>> + Send + 'static,
    E: Into<anyhow::Error> + 'static,
{
    let default = Arc::new(default);
    Webhook::new::<K>("mutate", move |asked| {
        let default = default.clone();
        let answer = async move {
            let Some(object) = admission::defaultable::<K>(&asked)? else {
                return Ok(Reply::allowed(&asked.request));
            };
            let before = admission::json(&object)?;
            let object = default(object, asked.request.clone()).await;
            let object = object.map_err(|error| Failure::of_function(&error.into()))?;
            admission::defaulted(&asked, &before, &object)
        };
        answer.boxed()
    })
}

/// Makes a webhook from a function that reports the errors of an object. The function also gets the
/// old object, which the new object replaces. If the marker has the verb `delete`, the function is
/// also called before an object is deleted, with only the deleted object: see
/// [`Request::operation`](AdmissionRequest::operation).
///
/// An object that does not fit the Rust type is refused. A stored object that does not fit can
/// still be deleted, or replaced by an object that fits: `old` is then `None`.
pub fn validating<K>(
    validate: impl Fn(&K, Option<&K>, &Request) -> Findings + Send + Sync + 'static,
) -> Webhook
where
    K: Resource<DynamicType = ()> + DeserializeOwned + 'static,
{
    let validate = Arc::new(validate);
    Webhook::new::<K>("validate", move |asked| {
        let validate = validate.clone();
        let answer = call(move || {
            let (review, known) = match Review::<K>::new(&asked) {
                Ok(review) => review,
                Err(reply) => return Ok(reply),
            };
            let found = match (&review.object, &review.old) {
                (Some(object), old) => validate(object, old.as_ref(), &asked.request),
                (None, Some(deleted)) => validate(deleted, None, &asked.request),
                (None, None) => Findings::default(),
            };
            Ok(asked.validated::<K>(found.after(known)))
        });
        answer.boxed()
    })
}

/// Makes a webhook from an async function that reports the errors of an object, for example after
/// reading other objects in the cluster: see [`validating`]. If the function itself fails, the
/// webhook fails, and the API server acts according to the webhook's `failurePolicy`.
///
/// ```
/// use k8s_openapi::api::core::v1::Secret;
/// use k8s_openapi::api::networking::v1::Ingress;
/// use kube::{Api, Client, Resource};
/// use runtime::webhook::{self, Findings, Review, Webhook};
///
/// fn with(client: Client) -> Webhook {
///     webhook::validating_async(move |review: Review<Ingress>| check(client.clone(), review))
/// }
///
/// async fn check(client: Client, review: Review<Ingress>) -> kube::Result<Findings> {
///     let mut found = Findings::default();
///     let namespace = review.request.namespace.unwrap_or_default();
///     let secrets: Api<Secret> = Api::namespaced(client, &namespace);
///     let spec = review.object.and_then(|ingress| ingress.spec);
///     for tls in spec.and_then(|spec| spec.tls).into_iter().flatten() {
///         let name = tls.secret_name.unwrap_or_default();
///         if secrets.get_metadata_opt(&name).await?.is_none() {
///             found.warn(format!("there is no Secret {name}"));
///         }
///     }
///     if review.old.is_some_and(|old| old.meta().deletion_timestamp.is_some()) {
///         found.warn("it is about to be deleted");
///     }
///     Ok(found)
/// }
/// ```
pub fn validating_async<K, F, E>(
    validate: impl Fn(Review<K>) -> F + Send + Sync + 'static,
) -> Webhook
where
    K: Resource<DynamicType = ()> + DeserializeOwned + Send + 'static,
    F: Future<Output = Result<Findings, E>> + Send + 'static,
    E: Into<anyhow::Error> + 'static,
{
    let validate = Arc::new(validate);
    Webhook::new::<K>("validate", move |asked| {
        let validate = validate.clone();
        let answer = async move {
            let (review, known) = match Review::<K>::new(&asked) {
                Ok(review) => review,
                Err(reply) => return Ok(reply),
            };
            let found = validate(review).await;
            let found = found.map_err(|error| Failure::of_function(&error.into()))?;
            Ok(asked.validated::<K>(found.after(known)))
        };
        answer.boxed()
    })
}

impl Webhook {
    fn new<K: Resource<DynamicType = ()>>(
        verb: &str,
        answer: impl Fn(Asked) -> BoxFuture<'static, Result<Reply, Failure>> + Send + Sync + 'static,
    ) -> Self {
        let (group, kind) = (K::group(&()).replace('.', "-"), K::kind(&()).to_lowercase());
        let path = format!("/{verb}-{group}-{}-{kind}", K::version(&()));
        let asker = match verb {
            "mutate" => Asker::Mutating,
            _ => Asker::Validating,
        };
        let answer: Answer = Arc::new(move |body| {
            let asked = Asked::parse(&body).and_then(|asked| {
                asked.is_about::<K>()?;
                Ok(answer(asked))
            });
            async { asked?.await?.into_json() }.boxed()
        });
        Self {
            path,
            asker,
            seal: None,
            limit: review::LIMIT,
            answer,
        }
    }
}
