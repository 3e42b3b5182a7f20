// +opctl:webhook:path=/validate-apps-example-com-v1-webserver,mutating=false,failurePolicy=fail,sideEffects=None,groups=apps.example.com,resources=webservers,verbs=create;update,versions=v1,name=vwebserver-v1.kb.io,admissionReviewVersions=v1
// +opctl:webhookconfiguration:mutating=false,name=named
