module kubernetes-types

go 1.26.0

require (
	k8s.io/api v0.37.0
	k8s.io/apiextensions-apiserver v0.37.0
	k8s.io/apimachinery v0.37.0
	sigs.k8s.io/controller-tools v0.21.0
)
