use super::{Conversion, conversion};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

#[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
pub struct Item {
    pub name: String,
    /// A field that the conversions between the versions leave out.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub port: Option<i32>,
}

macro_rules! version {
    ($module:ident, $name:literal, $($spec:tt)*) => {
        mod $module {
            use kube::CustomResource;
            use schemars::JsonSchema;
            use serde::{Deserialize, Serialize};

            #[derive(CustomResource, Serialize, Deserialize, JsonSchema, Clone, Debug)]
            #[kube(group = "example.com", version = $name, kind = "Site", status = "Status")]
            #[serde(rename_all = "camelCase")]
            $($spec)*

            #[derive(Serialize, Deserialize, JsonSchema, Clone, Debug)]
            pub struct Status {
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub ready: Option<bool>,
                #[serde(default, skip_serializing_if = "Option::is_none")]
                pub phase: Option<String>,
            }
        }
    };
}

version! { v1, "v1",
    pub struct SiteSpec {
        pub replicas: i32,
        #[serde(default = "two")]
        pub retries: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub tls: Option<String>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub items: Vec<super::Item>,
    }

    fn two() -> i32 {
        2
    }
}

version! { v1alpha1, "v1alpha1",
    pub struct SiteSpec {
        pub size: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub legacy_port: Option<i32>,
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pub names: Vec<super::Item>,
    }
}

version! { v1beta1, "v1beta1",
    pub struct SiteSpec {
        pub replicas: i32,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        pub legacy_port: Option<i32>,
    }
}

impl TryFrom<v1alpha1::Site> for v1::Site {
    type Error = String;

    fn try_from(value: v1alpha1::Site) -> Result<Self, String> {
        let size = &value.spec.size;
        assert!(size != "panic", "as it was asked to");
        let replicas = size.parse();
        let replicas = replicas.map_err(|error| format!("spec.size: {error}, and is {size:?}"))?;
        let items = value.spec.names.into_iter().map(|item| Item {
            name: item.name,
            port: None,
        });
        Ok(Self {
            metadata: value.metadata,
            spec: v1::SiteSpec {
                replicas,
                retries: 2,
                tls: None,
                items: items.collect(),
            },
            status: value.status.map(|status| v1::Status {
                ready: status.ready,
                phase: None,
            }),
        })
    }
}

impl From<v1::Site> for v1alpha1::Site {
    fn from(value: v1::Site) -> Self {
        let names = value.spec.items.into_iter().map(|item| Item {
            name: item.name,
            port: None,
        });
        Self {
            metadata: value.metadata,
            spec: v1alpha1::SiteSpec {
                size: value.spec.replicas.to_string(),
                legacy_port: None,
                names: names.collect(),
            },
            status: value.status.map(|status| v1alpha1::Status {
                ready: status.ready,
                phase: None,
            }),
        }
    }
}

impl From<v1beta1::Site> for v1::Site {
    fn from(value: v1beta1::Site) -> Self {
        Self {
            metadata: value.metadata,
            spec: v1::SiteSpec {
                replicas: value.spec.replicas,
                retries: 2,
                tls: None,
                items: Vec::new(),
            },
            status: None,
        }
    }
}

impl From<v1::Site> for v1beta1::Site {
    fn from(value: v1::Site) -> Self {
        Self {
            metadata: value.metadata,
            spec: v1beta1::SiteSpec {
                replicas: value.spec.replicas,
                legacy_port: None,
            },
            status: None,
        }
    }
}

fn sites() -> Conversion<v1::Site> {
    let sites = conversion()
        .spoke::<v1alpha1::Site>()
        .spoke::<v1beta1::Site>();
    sites.seal.set(b"the secret of all replicas");
    sites
}

fn site(version: &str, spec: Value) -> Value {
    json!({
        "apiVersion": format!("example.com/{version}"),
        "kind": "Site",
        "metadata": { "name": "a", "uid": "1", "unknown": "stays", "annotations": { "a": "b" } },
        "spec": spec,
    })
}

fn converted(object: &Value, version: &str) -> Value {
    let converted = sites().convert(object, &format!("example.com/{version}"));
    converted.unwrap()
}

#[test]
fn fields_that_the_other_version_lacks_survive_a_round_trip() {
    let full =
        json!({"replicas": 2, "retries": 5, "tls": "s", "items": [{"name": "a", "port": 1}]});
    let old = json!({"size": "2", "legacyPort": 80, "names": [{"name": "a", "port": 1}]});
    for (from, spec, others) in [
        ("v1", full, ["v1alpha1", "v1beta1"]),
        (
            "v1",
            json!({"replicas": 2, "retries": 2}),
            ["v1alpha1", "v1beta1"],
        ),
        ("v1alpha1", old, ["v1", "v1beta1"]),
        ("v1alpha1", json!({"size": "2"}), ["v1", "v1beta1"]),
        (
            "v1beta1",
            json!({"replicas": 2, "legacyPort": 80}),
            ["v1", "v1alpha1"],
        ),
    ] {
        for to in others {
            let mut first = site(from, spec.clone());
            first["status"] = json!({"ready": true, "phase": "up"});
            let there = converted(&first, to);
            assert_eq!(there["apiVersion"], format!("example.com/{to}"));
            assert_eq!(there["metadata"]["unknown"], "stays");
            assert_eq!(converted(&there, from), first, "{from} to {to}");
        }
    }
}

#[test]
fn fields_that_only_a_newer_crd_has_survive_a_round_trip() {
    let plain = json!({"replicas": 2, "retries": 2});
    let field = json!({"replicas": 2, "retries": 2, "newer": {"a": [1]}});
    let item = json!({"replicas": 2, "retries": 2, "items": [{"name": "a", "newer": false}]});
    for (spec, status) in [
        (&field, json!({"ready": true})),
        (&item, json!({"ready": true})),
        (&plain, json!({"ready": true, "newer": 1})),
    ] {
        let mut first = site("v1", spec.clone());
        first["status"] = status;
        let mut there = converted(&first, "v1alpha1");
        assert_eq!(converted(&there, "v1"), first);
        // Somebody writes the object in the other version.
        there["spec"]["size"] = "3".into();
        first["spec"]["replicas"] = 3.into();
        assert_eq!(converted(&there, "v1"), first);
    }
}

#[test]
fn a_value_that_both_have_leaves_no_annotation() {
    let there = converted(&site("v1beta1", json!({"replicas": 2})), "v1");
    assert_eq!(there["spec"], json!({"replicas": 2, "retries": 2}));
    assert_eq!(there["metadata"]["annotations"], json!({"a": "b"}));
}

#[test]
fn changes_are_kept_with_what_only_the_other_version_has() {
    let items = json!([{"name": "a", "port": 1}, {"name": "b", "port": 2}]);
    let spec = json!({"replicas": 2, "retries": 5, "tls": "s", "items": items});
    let mut old = converted(&site("v1", spec), "v1alpha1");
    old["spec"]["size"] = "3".into();
    old["spec"]["legacyPort"] = 80.into();
    old["spec"]["names"] = json!([{"name": "new"}, {"name": "b"}]);
    let new = converted(&old, "v1");
    let items = json!([{"name": "new"}, {"name": "b", "port": 2}]);
    let spec = json!({"replicas": 3, "retries": 5, "tls": "s", "items": items});
    assert_eq!(new["spec"], spec);
    let again = converted(&new, "v1alpha1");
    assert_eq!(again["spec"], old["spec"]);
    // By way of a third version, which has fewer fields than both.
    let third = converted(&new, "v1beta1");
    assert_eq!(third["spec"], json!({"replicas": 3}));
    assert_eq!(
        converted(&converted(&third, "v1"), "v1alpha1")["spec"],
        old["spec"]
    );
}

#[test]
fn a_field_that_a_user_removed_stays_removed_after_conversions() {
    let mut old = converted(
        &site("v1alpha1", json!({"size": "2", "legacyPort": 80})),
        "v1",
    );
    old["spec"]["replicas"] = 4.into();
    let mut back = converted(&old, "v1alpha1");
    assert_eq!(back["spec"], json!({"size": "4", "legacyPort": 80}));
    back["spec"].as_object_mut().unwrap().remove("legacyPort");
    let again = converted(&converted(&back, "v1"), "v1alpha1");
    assert_eq!(again["spec"], json!({"size": "4"}));
}

#[test]
fn an_annotation_of_an_earlier_time_is_not_believed() {
    let mut object = site("v1beta1", json!({"replicas": 2}));
    let kept = json!({"spec": {"replicas": 2, "legacyPort": 80}}).to_string();
    object["metadata"]["annotations"]["conversion.example.com/v1beta1"] = kept.into();
    let stored = converted(&object, "v1");
    assert_eq!(
        converted(&stored, "v1beta1")["spec"],
        json!({"replicas": 2})
    );
}

#[test]
fn fields_that_two_spokes_share_are_carried_from_one_to_the_other() {
    let spec = json!({"replicas": 2, "retries": 2, "items": [{"name": "a", "port": 1}]});
    let stored = site("v1", spec.clone());
    let third = converted(&converted(&stored, "v1alpha1"), "v1beta1");
    assert_eq!(
        converted(&third, "v1alpha1")["spec"],
        converted(&stored, "v1alpha1")["spec"]
    );
    assert_eq!(converted(&third, "v1")["spec"], spec);
}

#[test]
fn an_annotation_that_somebody_has_written_does_no_harm() {
    for kept in [
        "",
        "{",
        "null",
        "[]",
        r#"{"spec": 1}"#,
        r#"{"spec": {"size": []}}"#,
        r#"{"spec": {"size": "9", "legacyPort": "x"}}"#,
    ] {
        let mut object = site("v1", json!({"replicas": 2, "retries": 2}));
        object["metadata"]["annotations"]["conversion.example.com/v1alpha1"] = kept.into();
        let converted = converted(&object, "v1alpha1");
        assert_eq!(converted["spec"], json!({"size": "2"}), "{kept}");
        assert_eq!(
            converted["metadata"]["annotations"],
            json!({"a": "b"}),
            "{kept}"
        );
    }
}

#[test]
fn defaults_of_the_schema_hold() {
    let mut object = site("v1beta1", json!({"replicas": 2}));
    let kept = json!({"spec": {"replicas": 2}}).to_string();
    object["metadata"]["annotations"]["conversion.example.com/v1"] = kept.into();
    assert_eq!(
        converted(&object, "v1")["spec"],
        json!({"replicas": 2, "retries": 2})
    );
}

#[test]
fn failed_conversions_name_the_field_or_version_at_fault() {
    let mut other = site("v1", json!({"replicas": 2}));
    other["kind"] = "Page".into();
    let long = site("v1", json!({"replicas": 2, "tls": "x".repeat(300_000)}));
    for (object, to, said) in [
        (
            site("v1alpha1", json!({"size": "x"})),
            "v1",
            r#"spec.size: invalid digit found in string, and is "x""#,
        ),
        (
            site("v1", json!({})),
            "v1alpha1",
            "spec: missing field `replicas`",
        ),
        // The error names the field in the version in which the object is written.
        (
            site(
                "v1alpha1",
                json!({"size": "2", "names": [{"name": "a"}, {"name": "b", "port": "x"}]}),
            ),
            "v1",
            r#"spec.names[1].port: invalid type: string "x", expected i32"#,
        ),
        (
            site("v1", json!({"replicas": 2})),
            "v3",
            r#""example.com/v3" is not a version that the operator knows: it converts v1, v1alpha1, v1beta1"#,
        ),
        (
            site("v3", json!({"replicas": 2})),
            "v1",
            r#""example.com/v3" is not a version"#,
        ),
        (other, "v1alpha1", r#"the kind is "Page", and not Site"#),
        (
            long,
            "v1alpha1",
            "which must be kept in an annotation: all annotations together would have 300",
        ),
    ] {
        let error = sites()
            .convert(&object, &format!("example.com/{to}"))
            .unwrap_err();
        let error = format!("{error:#}");
        assert!(error.contains(said), "{error}");
    }
    let object = site("v1", json!({"anything": "goes"}));
    assert_eq!(
        converted(&object, "v1"),
        object,
        "the same version is left alone"
    );
}

#[cfg(feature = "testing")]
#[test]
fn random_objects_come_back() {
    let sites = conversion::<v1::Site>().spoke::<v1beta1::Site>();
    crate::testing::conversion_loses_nothing(&sites);
}

#[cfg(feature = "testing")]
#[test]
#[should_panic(expected = "random objects that the schema of v1alpha1 allows")]
fn a_type_that_refuses_most_objects_is_not_tested() {
    crate::testing::conversion_loses_nothing(&sites());
}

#[cfg(feature = "testing")]
#[test]
#[should_panic(expected = "spec.high changes on each round trip")]
fn fields_that_are_mixed_up_are_found() {
    use mixed::spec::{new, old};
    let ranges = conversion::<new::Range>().spoke::<old::Range>();
    crate::testing::conversion_loses_nothing(&ranges);
}

#[cfg(feature = "testing")]
#[test]
#[should_panic(expected = "status.high changes on each round trip")]
fn fields_of_a_status_that_are_mixed_up_are_found() {
    use mixed::status::{new, old};
    let ranges = conversion::<new::Range>().spoke::<old::Range>();
    crate::testing::conversion_loses_nothing(&ranges);
}

/// Kinds whose conversion to `new`, but not back, swaps two numbers in the spec or in the status.
#[cfg(feature = "testing")]
mod mixed {
    macro_rules! range {
        ($module:ident, $name:literal) => {
            pub mod $module {
                #[derive(
                    kube::CustomResource,
                    serde::Serialize,
                    serde::Deserialize,
                    schemars::JsonSchema,
                    Clone,
                    Debug,
                )]
                #[kube(group = "example.com", version = $name, kind = "Range", status = "Ends")]
                pub struct RangeSpec {
                    pub high: i32,
                    pub low: i32,
                }

                #[derive(
                    serde::Serialize, serde::Deserialize, schemars::JsonSchema, Clone, Debug,
                )]
                pub struct Ends {
                    pub high: i32,
                    pub low: i32,
                }
            }
        };
    }

    macro_rules! ranges {
        ($module:ident, $spec:expr, $status:expr) => {
            pub mod $module {
                range!(new, "v1");
                range!(old, "v1alpha1");

                impl From<old::Range> for new::Range {
                    fn from(value: old::Range) -> Self {
                        let (high, low) = $spec((value.spec.high, value.spec.low));
                        let status = value.status.map(|ends| {
                            let (high, low) = $status((ends.high, ends.low));
                            new::Ends { high, low }
                        });
                        Self {
                            metadata: value.metadata,
                            spec: new::RangeSpec { high, low },
                            status,
                        }
                    }
                }

                impl From<new::Range> for old::Range {
                    fn from(value: new::Range) -> Self {
                        let new::RangeSpec { high, low } = value.spec;
                        let status = value.status.map(|ends| {
                            let new::Ends { high, low } = ends;
                            old::Ends { high, low }
                        });
                        Self {
                            metadata: value.metadata,
                            spec: old::RangeSpec { high, low },
                            status,
                        }
                    }
                }
            }
        };
    }

    fn swapped((high, low): (i32, i32)) -> (i32, i32) {
        (low, high)
    }

    fn kept(ends: (i32, i32)) -> (i32, i32) {
        ends
    }

    ranges!(spec, super::swapped, super::kept);
    ranges!(status, super::kept, super::swapped);
}
