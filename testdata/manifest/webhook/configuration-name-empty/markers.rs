// +kubebuilder:webhookconfiguration:mutating=true,name=""
// +kubebuilder:webhook:path=/mutate-apps-example-com-v1-webserver,mutating=true,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=mwebserver-v1.kb.io,admissionReviewVersions=v1
