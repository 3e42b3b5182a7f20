// +kubebuilder:webhookconfiguration:mutating=true,name=my-mutating
// +kubebuilder:webhookconfiguration:mutating=false,name=my-validating
// +kubebuilder:webhook:path=/validate-apps-example-com-v1-webserver,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=vwebserver-v1.kb.io,admissionReviewVersions=v1
// +kubebuilder:webhook:path=/mutate-apps-example-com-v1-webserver,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=mwebserver-v1.kb.io,admissionReviewVersions=v1
