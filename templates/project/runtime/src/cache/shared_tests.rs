//! Tests of caches that several controllers share.

use super::tests::{
    Pods, all_pods, child, named, naming, naming_secrets, of, of_deployments, owned,
};
use super::*;
use k8s_openapi::api::core::v1::Pod;
use serde_json::json;
use std::sync::OnceLock;

#[test]
fn a_cache_is_shared_by_those_that_select_the_same() {
    let mut pool = Pool::default();
    let view = |labels: Option<&str>| {
        let mut view = all_pods();
        view.own().watched.label_selector = labels.map(str::to_owned);
        view
    };
    let some = [Some("a".to_owned()), Some("b".to_owned())];
    let again = [some[1].clone(), some[0].clone(), some[0].clone()];
    pool.join(&mut view(None), &some);
    pool.join(&mut view(None), &again);
    assert_eq!(pool.caches.len(), 1);
    let mut metadata = view(None);
    metadata.own().metadata_only = true;
    for mut other in [view(Some("a=b")), metadata] {
        pool.join(&mut other, &some);
    }
    pool.join(&mut view(None), &[None]);
    assert_eq!(pool.caches.len(), 4);
}

#[test]
fn an_own_write_is_a_change_to_the_other_views_of_the_cache() {
    let pool = &mut Pool::default();
    let (one, other) = (Pods::new(pool, all_pods()), Pods::new(pool, all_pods()));
    let children = Pods::new(pool, of_deployments());
    one.put(child("1", &owned()));
    assert_eq!(
        (other.told(), children.told()),
        (vec![of("a")], vec![of("o")])
    );
    assert_eq!(one.write(of("a")).done(child("3", &owned())), Done::Kept);
    assert_eq!(one.told(), []);
    assert_eq!(
        (other.told(), children.told()),
        (vec![of("a")], vec![of("o")])
    );
    // Of what was between, only the writer has not been told.
    one.view.put(child("2", &owned()));
    assert_eq!(one.told(), [of("a")], "by somebody else");
    assert_eq!((other.told(), children.told()), (vec![], vec![]));
    one.view.put(child("3", &owned()));
    assert_eq!((one.told(), other.told()), (vec![], vec![]), "an echo");

    // Each of two writers is told of the other's write, and both of what neither has seen.
    one.write(of("a")).done(child("5", &owned()));
    assert_eq!((one.told(), other.told()), (vec![], vec![of("a")]));
    other.write(of("a")).done(child("6", &owned()));
    assert_eq!((one.told(), other.told()), (vec![of("a")], vec![]));
    one.view.put(child("4", &owned()));
    assert_eq!((one.told(), other.told()), (vec![of("a")], vec![of("a")]));
}

#[test]
fn a_view_of_children_has_only_those_of_its_own_kind_of_owner() {
    let pool = &mut Pool::default();
    let mut of_pods = of_deployments();
    let kind = ApiResource::erase::<Pod>(&());
    of_pods.owners = Some((kind, true));
    let (one, other) = (Pods::new(pool, of_deployments()), Pods::new(pool, of_pods));
    assert_eq!(pool.caches.len(), 1);
    one.put(child("1", &owned()));
    assert_eq!(
        (other.told(), other.get(&of("a")).is_none()),
        (vec![], true)
    );
    assert_eq!(
        (
            one.with_subject(&of("o")).len(),
            other.with_subject(&of("o")).len()
        ),
        (1, 0)
    );
    let mut others = owned();
    (others[0]["apiVersion"], others[0]["kind"]) = ("v1".into(), "Pod".into());
    one.view.put(child("2", &others));
    assert_eq!((one.told(), other.told()), (vec![of("o")], vec![of("o")]));
    assert_eq!(
        (one.select(None, None).len(), other.select(None, None).len()),
        (0, 1)
    );
    assert_eq!(
        (
            one.with_subject(&of("o")).len(),
            other.with_subject(&of("o")).len()
        ),
        (0, 1)
    );
    one.view.put(child("3", &json!([])));
    assert_eq!(
        (one.told(), other.told()),
        (vec![], vec![of("o")]),
        "disowned"
    );
}

#[test]
fn each_view_has_its_own_indexes() {
    let pool = &mut Pool::default();
    let values = |value: &'static str| -> Values { Arc::new(move |_| vec![of(value)]) };
    let mut spec = all_pods();
    spec.indexes = vec![(Some("by"), values("x"))];
    let (one, other) = (Pods::new(pool, spec), Pods::new(pool, naming_secrets()));
    one.put(naming("1", &["y"]));
    assert_eq!((one.index("by"), other.index("by")), (Some(0), None));
    assert_eq!(
        (named(&one, 0, "x"), named(&one, 0, "y")),
        (vec![of("a")], vec![])
    );
    assert_eq!(
        (named(&other, 0, "x"), named(&other, 0, "y")),
        (vec![], vec![of("a")])
    );
}

#[test]
fn a_new_controller_is_told_of_all_objects_already_in_the_cache() {
    let pool = &mut Pool::default();
    let one = Pods::new(pool, all_pods());
    for name in ["b", "a"] {
        let mut pod = child("1", &owned());
        pod.metadata.name = Some(name.into());
        one.put(pod);
    }
    let late = Pods::new(pool, all_pods());
    assert_eq!(late.told(), [of("a"), of("b")]);
}

#[test]
fn functions_of_the_author_may_use_the_cache_that_calls_them() {
    let used = Arc::<OnceLock<Arc<Cache>>>::default();
    let (of_index, pool) = (used.clone(), &mut Pool::default());
    let mut spec = all_pods();
    let values: Values = Arc::new(move |_| {
        let known = of_index.wait().known(&of("a")).into_iter();
        known.map(|_| of("x")).collect()
    });
    spec.indexes = vec![(None, values)];
    let mut pods = Pods::new(pool, spec);
    let _ = used.set(pool.caches[0].clone());
    pods.view.predicates.update = Some(Box::new(move |_, _| used.wait().known(&of("a")).is_some()));
    pods.put(child("1", &json!([])));
    assert_eq!(pods.put(child("2", &json!([]))), Some(of("a")));
    pods.write(of("a")).done(child("3", &json!([])));
    assert_eq!(named(&pods, 0, "x"), [of("a")]);
}
