//! Conversion of `Database` between its versions, with the `From` of the api crate.
use api::apps::{v1, v1alpha1};
use runtime::webhook::Conversion;
use runtime::{Manager, webhook};

/// Adds the conversion to the manager, which serves it.
pub fn setup(manager: &mut Manager) {
    manager.webhook(conversion());
}

/// Objects are stored in `v1`; the other versions are converted to it and from it.
fn conversion() -> Conversion<v1::Database> {
    webhook::conversion().spoke::<v1alpha1::Database>()
}

#[cfg(test)]
mod tests {
    use super::*;
    use kube::api::{Api, PostParams};
    use runtime::testing;
    use serde_json::json;

    #[test]
    fn nothing_is_lost() {
        testing::conversion_loses_nothing(&conversion());
    }

    #[tokio::test]
    #[ignore = "opctl test"]
    async fn the_api_server_converts() {
        let (client, namespace) = testing::namespace().await;
        let old: Api<v1alpha1::Database> = Api::all(client.clone());
        let new: Api<v1::Database> = Api::all(client);
        let spec = json!({});
        let object = json!({ "metadata": { "name": namespace }, "spec": spec });
        let object = serde_json::from_value(object).unwrap();
        old.create(&PostParams::default(), &object).await.unwrap();
        let object = testing::with_status(&old, &namespace).await;
        let converted = json!(new.get(&namespace).await.unwrap());
        let expected = json!(v1::Database::from(object.clone()));
        for part in ["spec", "status"] {
            assert_eq!(converted[part], expected[part]);
        }
        let back = json!(old.get(&namespace).await.unwrap());
        assert_eq!(back["status"], json!(object)["status"]);
    }
}
