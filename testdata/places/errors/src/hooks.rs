use api::shop::Fields;
use api::v1;
use runtime::{Manager, webhook};

pub fn setup(manager: &mut Manager) {
    manager.webhook(webhook::defaulting(default)); //~ OP416
    manager.webhook(webhook::validating(validate));
    manager.webhook(webhook::conversion::<v1::attributes::Stored>().spoke::<v1::attributes::Stored>()); //~ OP417
}

fn default(obj: &mut Fields, _: &webhook::Request) {}

// +opctl:webhook:path=/validate-shop-example-com-v1-fields,mutating=false,failurePolicy=fail,sideEffects=None,groups=shop.example.com,resources=fields,verbs=create,versions=v1,name=vfields-v1.example.com,admissionReviewVersions=v1
fn validate(obj: &Fields, _: Option<&Fields>, _: &webhook::Request) -> webhook::Findings {
    webhook::Findings::default()
}
