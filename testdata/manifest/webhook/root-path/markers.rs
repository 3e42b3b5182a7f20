// +kubebuilder:webhook:path=/,mutating=false,failurePolicy=fail,sideEffects=None,groups=*,resources=webservers,verbs=create;update,versions=v1,name=vwebserver-v1.kb.io,admissionReviewVersions=v1
