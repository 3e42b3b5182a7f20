package main

// What is looked at and not called, so that `go mod tidy` keeps its version.
import (
	_ "k8s.io/api/core/v1"
	_ "k8s.io/apimachinery/pkg/apis/meta/v1"
)
