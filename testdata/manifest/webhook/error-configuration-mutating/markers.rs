// +kubebuilder:webhookconfiguration:name=a
