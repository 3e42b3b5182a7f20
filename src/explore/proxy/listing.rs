//! Gives the operator stale lists, or lists in pages of one object, if the query of the operator's list or watch
//! request permits such a response.

use super::decision::Before;
use crate::explore::record::call::Call;

/// A change of the responses to lists of one resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Listing {
    /// Lists and watches whose query permits stale objects show the objects at this resource version.
    From(String),
    /// Lists come in pages of one object. If `expires` is true, the next request with a continue token is refused with
    /// status 410, as if the token had expired; later requests are not.
    Pages { expires: bool },
}

/// Returns the query to send instead of `query`; `None` if `query` does not permit the change.
///
/// `resourceVersion=0` permits any version, and `limit` permits fewer objects (kubernetes.io, "Kubernetes API
/// Concepts": the semantics of `resourceVersion` for lists, and "Retrieving large results sets in chunks").
pub fn rewritten(query: &str, listing: &Listing) -> Option<String> {
    let pairs: Vec<&str> = query.split('&').filter(|pair| !pair.is_empty()).collect();
    match listing {
        Listing::From(version) => {
            is_of_any_age(query).then_some(())?;
            let others = pairs.into_iter().filter(|pair| !key(pair).starts_with("resourceVersion"));
            let exact = [format!("resourceVersion={version}"), "resourceVersionMatch=Exact".to_owned()];
            Some(others.map(str::to_owned).chain(exact).collect::<Vec<_>>().join("&"))
        }
        Listing::Pages { .. } => {
            is_limited(query).then_some(())?;
            let small = |pair: &str| if key(pair) == "limit" { "limit=1".to_owned() } else { pair.to_owned() };
            Some(pairs.into_iter().map(small).collect::<Vec<_>>().join("&"))
        }
    }
}

/// Returns the proxy's action on a list or watch request, such as a changed query or a refusal, and a description of
/// the action; `None` if the request is forwarded unchanged.
pub fn decide(call: &Call, listing: &mut Listing) -> Option<(Before, String)> {
    if call.verb == "watch" {
        let Listing::From(version) = listing else { return None };
        let text = format!("{call} starts with the objects from before the step");
        return is_of_any_age(&call.query).then(|| (Before::BeginAt(version.clone()), text));
    }
    let asked = rewritten(&call.query, listing)?;
    if let Listing::Pages { expires } = listing
        && goes_on(&call.query)
        && std::mem::take(expires)
    {
        return Some((Before::Refuse(410), format!("the rest of {call} is no longer available: 410")));
    }
    let text = match listing {
        Listing::From(_) => format!("{call} is answered with the objects from before the step"),
        Listing::Pages { .. } => format!("{call} is answered with one object and a continue token"),
    };
    Some((Before::Ask(asked), text))
}

fn key(pair: &str) -> &str {
    pair.split('=').next().unwrap_or_default()
}

/// Returns true if the query of a list, or of a watch that begins with a list, permits stale objects.
pub fn is_of_any_age(query: &str) -> bool {
    query.split('&').any(|pair| pair == "resourceVersion=0")
        && !query.split('&').any(|pair| pair == "resourceVersionMatch=Exact")
}

/// Returns true if the query permits a list in pages.
pub fn is_limited(query: &str) -> bool {
    query.split('&').any(|pair| key(pair) == "limit")
}

/// Returns true if the query asks for a further page of a list.
pub fn goes_on(query: &str) -> bool {
    query.split('&').any(|pair| key(pair) == "continue")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_the_operator_allows_is_asked_for() {
        let past = Listing::From("7".to_owned());
        let pages = Listing::Pages { expires: true };
        for (query, listing, expected) in [
            ("resourceVersion=0", &past, Some("resourceVersion=7&resourceVersionMatch=Exact")),
            (
                "labelSelector=a&resourceVersion=0&resourceVersionMatch=NotOlderThan",
                &past,
                Some("labelSelector=a&resourceVersion=7&resourceVersionMatch=Exact"),
            ),
            ("", &past, None),
            ("limit=500", &past, None),
            ("resourceVersion=5", &past, None),
            ("resourceVersion=07", &past, None),
            ("resourceVersion=0&resourceVersionMatch=Exact", &past, None),
            ("limit=500", &pages, Some("limit=1")),
            ("&limit=500&continue=abc", &pages, Some("limit=1&continue=abc")),
            ("labelSelector=limit", &pages, None),
            ("", &pages, None),
        ] {
            assert_eq!(rewritten(query, listing).as_deref(), expected, "{query}");
        }
        assert!(goes_on("limit=1&continue=abc") && !goes_on("limit=1"));
    }
}
