// +kubebuilder:webhookconfiguration:mutating=true,nam=a
