use super::*;

#[test]
fn it_is_of_its_version() {
    assert_eq!(WebServer::api_version(&()), "example.com/v1alpha1");
    assert_eq!(WebServer::version(&()), "v1alpha1");
    assert_eq!(Other::api_version(&()), "other.example.com/v1alpha1");
}
