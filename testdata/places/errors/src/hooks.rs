use api::shop::Fields;
use runtime::{Manager, webhook};

pub fn setup(manager: &mut Manager) {
    manager.webhook(webhook::defaulting(default)); //~ OP416
    manager.webhook(webhook::validating(validate));
}

fn default(obj: &mut Fields, _: &webhook::Request) {}

// +opctl:webhook:path=/validate-shop-example-com-v1-fields,mutating=false,failurePolicy=fail,sideEffects=None,groups=shop.example.com,resources=fields,verbs=create,versions=v1,name=vfields-v1.example.com,admissionReviewVersions=v1
fn validate(obj: &Fields, _: Option<&Fields>, _: &webhook::Request) -> webhook::Findings {
    webhook::Findings::default()
}
