// +kubebuilder:webhookconfiguration:mutating=false,name=one
// +kubebuilder:webhookconfiguration:mutating=false,name=two
// +kubebuilder:webhook:path=/validate-apps-example-com-v1-webserver,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=vwebserver-v1.kb.io,admissionReviewVersions=v1
