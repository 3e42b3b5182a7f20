crate::resource!("WebServer", "v1alpha1", WebServerSpec { message: String });
