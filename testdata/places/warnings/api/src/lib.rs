pub mod parts;
pub mod shop;
pub mod v1;
pub mod v1alpha1;

#[allow(unused_macros)]
macro_rules! hidden { //~ OP304
    () => {
        #[derive(kube::CustomResource)]
        #[kube(group = "example.com", version = "v1", kind = "Hidden")]
        pub struct HiddenSpec;
    };
}
