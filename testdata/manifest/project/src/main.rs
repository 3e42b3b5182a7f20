mod controller;
fn main() { let _ = api::v1alpha1::WebServerSpec::default(); }
