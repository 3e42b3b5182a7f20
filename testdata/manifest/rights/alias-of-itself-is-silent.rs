use kube::Api;
use std::sync::Arc;

type Itself = Itself;
type One = Arc<Other>;
type Other = Api<One>;

async fn f(itself: Itself, one: One, api: Api<Itself>) {
    itself.get("a").await;
    one.get("a").await;
    api.get("a").await;
}
