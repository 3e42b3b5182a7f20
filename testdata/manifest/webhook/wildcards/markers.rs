// +kubebuilder:webhook:path=/validate-everything,mutating=false,failurePolicy=fail,sideEffects=None,groups=*,resources=*/*,verbs=*,versions=*,name=vwebserver-v1.kb.io,admissionReviewVersions=v1
