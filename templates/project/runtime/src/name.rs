//! Names of objects to which other objects refer.

use crate::cache::Key;

/// The name of an object, and its namespace if the object that refers to it is in another
/// namespace.
///
/// ```
/// use runtime::Name;
///
/// let same_namespace = Name::from("password");
/// let another = Name::from(("vault", "password"));
/// assert_ne!(same_namespace, another);
/// assert_eq!((another.namespace(), another.name()), (Some("vault"), "password"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Name {
    namespace: Option<String>,
    name: String,
}

impl Name {
    /// Returns the namespace; `None` for a name without a namespace.
    #[must_use]
    pub fn namespace(&self) -> Option<&str> {
        self.namespace.as_deref()
    }

    /// Returns the name of the object in its namespace.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Returns the name of the object with this key.
    pub(crate) fn of(key: &Key) -> Self {
        let namespace = key.namespace().map(str::to_owned);
        let name = key.name().to_owned();
        Self { namespace, name }
    }

    /// Returns the key of the named object. A name without a namespace refers to `namespace`.
    pub(crate) fn key(self, namespace: Option<&str>, namespaced: bool) -> Key {
        let namespace = self.namespace.as_deref().or(namespace);
        Key::new(namespace.filter(|_| namespaced), &self.name)
    }
}

impl From<&str> for Name {
    fn from(name: &str) -> Self {
        name.to_owned().into()
    }
}

impl From<&String> for Name {
    fn from(name: &String) -> Self {
        name.clone().into()
    }
}

impl From<String> for Name {
    fn from(name: String) -> Self {
        let namespace = None;
        Self { namespace, name }
    }
}

impl<N: Into<String>> From<(N, N)> for Name {
    fn from((namespace, name): (N, N)) -> Self {
        let (namespace, name) = (Some(namespace.into()), name.into());
        Self { namespace, name }
    }
}
