use super::super::web_server::WebServerSpec;
pub(in crate::v1alpha1) struct Limits(super::Part, Option<Box<crate::v1alpha1::web_server::WebServerSpec>>);
