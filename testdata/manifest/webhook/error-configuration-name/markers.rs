// +kubebuilder:webhookconfiguration:mutating=true,name=My_Webhooks
