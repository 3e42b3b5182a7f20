/// Documented.
// +kubebuilder:webhook:path=/validate-apps-example-com-v1-webserver,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=vwebserver-v1.kb.io,admissionReviewVersions=v1
pub async fn validate() {
    // +kubebuilder:webhook:path=/mutate-apps-example-com-v1-webserver,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=mwebserver-v1.kb.io,admissionReviewVersions=v1
}

macro_rules! hooks {
    () => {
        // +kubebuilder:webhook:path=/validate-apps-example-com-v1-webserver,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=vmacro-v1.kb.io,admissionReviewVersions=v1
    };
}

#[cfg(test)]
mod tests {
    // +kubebuilder:webhook:path=/validate-apps-example-com-v1-webserver,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=vtest-v1.kb.io,admissionReviewVersions=v1
    // +opctl:webhook:nonsense
}
