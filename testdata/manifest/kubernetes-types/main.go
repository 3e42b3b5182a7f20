// Command kubernetes-types prints what controller-gen knows about Kubernetes' own types and their OpenAPI does not say:
// list and map types, defaults, patterns and limits, one line for each property that has any.
//
// Run it in its folder, after setting the versions in go.mod:
//
//	GOFLAGS=-mod=mod go run . > ../../../src/schema/known/table.txt
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strings"

	apiext "k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1"
	"sigs.k8s.io/controller-tools/pkg/crd"
	crdmarkers "sigs.k8s.io/controller-tools/pkg/crd/markers"
	"sigs.k8s.io/controller-tools/pkg/loader"
	"sigs.k8s.io/controller-tools/pkg/markers"
)

// Groups and versions that no supported Kubernetes serves.
var gone = regexp.MustCompile(`^io\.k8s\.api\.(apps\.v1beta|extensions\.|abac|imagepolicy|admission\.|policy\.v1beta|` +
	`autoscaling\.v2beta|batch\.v1beta|discovery\.v1beta|node\.v1(alpha|beta)|rbac\.v1(alpha|beta)|` +
	`flowcontrol\.v1beta|storage\.v1alpha|events\.v1beta|authentication\.v1(alpha|beta)|authorization\.v1beta|` +
	`networking\.v1alpha|scheduling\.v1alpha1|certificates\.v1alpha1)`)

func main() {
	roots, err := loader.LoadRoots("k8s.io/api/...", "k8s.io/apimachinery/pkg/apis/meta/v1",
		"k8s.io/apiextensions-apiserver/pkg/apis/apiextensions/v1")
	check(err)
	registry := &markers.Registry{}
	check(crdmarkers.Register(registry))
	parser := &crd.Parser{
		Collector: &markers.Collector{Registry: registry}, Checker: &loader.TypeChecker{}, AllowDangerousTypes: true,
	}
	crd.AddKnownTypes(parser)
	for _, root := range roots {
		parser.NeedPackage(root)
	}
	var types []crd.TypeIdent
	for ident := range parser.Types {
		types = append(types, ident)
	}
	lines := map[string][]string{}
	for _, ident := range types {
		parser.NeedSchemaFor(ident)
	}
	for _, ident := range types {
		name := definition(ident)
		if gone.MatchString(name) || strings.HasSuffix(ident.Name, "List") {
			continue
		}
		schema := inlined(parser, ident)
		if words := words(schema); words != "" && len(schema.Properties) > 0 {
			lines[name] = append(lines[name], " . "+words)
		}
		for property, schema := range schema.Properties {
			if words := words(schema); words != "" {
				lines[name] = append(lines[name], " "+property+" "+words)
			}
		}
	}
	info, _ := debug.ReadBuildInfo()
	for _, module := range info.Deps {
		if module.Path == "k8s.io/api" || module.Path == "sigs.k8s.io/controller-tools" {
			fmt.Println("# Made by testdata/manifest/kubernetes-types from", module.Path, module.Version)
		}
	}
	var names []string
	for name := range lines {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		fmt.Println(name)
		slices.Sort(lines[name])
		for _, line := range lines[name] {
			fmt.Println(line)
		}
	}
}

// The name that OpenAPI has for a type.
func definition(ident crd.TypeIdent) string {
	host, rest, _ := strings.Cut(ident.Package.PkgPath, "/")
	parts := strings.Split(host, ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".") + "." + strings.ReplaceAll(rest, "/", ".") + "." + ident.Name
}

// The schema with what the structs that it embeds and the named strings of its properties say.
func inlined(parser *crd.Parser, ident crd.TypeIdent) apiext.JSONSchemaProps {
	schema := parser.Schemata[ident]
	if schema.Properties == nil {
		schema.Properties = map[string]apiext.JSONSchemaProps{}
	}
	for name, property := range schema.Properties {
		if property.Ref != nil && property.Enum == nil {
			property.Enum = parser.Schemata[target(parser, ident, *property.Ref)].Enum
			schema.Properties[name] = property
		}
	}
	for _, part := range schema.AllOf {
		if part.Ref == nil {
			continue
		}
		embedded := inlined(parser, target(parser, ident, *part.Ref))
		if schema.XMapType == nil {
			schema.XMapType = embedded.XMapType
		}
		for name, property := range embedded.Properties {
			if _, own := schema.Properties[name]; !own {
				schema.Properties[name] = property
			}
		}
	}
	return schema
}

// The type that a reference within the schema of another one leads to.
func target(parser *crd.Parser, from crd.TypeIdent, reference string) crd.TypeIdent {
	name, pkg, err := crd.RefParts(reference)
	check(err)
	for known := range parser.Schemata {
		if pkg != "" && known.Name == name && known.Package.PkgPath == pkg {
			return known
		}
	}
	return crd.TypeIdent{Package: from.Package, Name: name}
}

// What is worth a line: `list-atomic`, `list-set` or `map <keys>` for a list, `atomic` for a map or an object, and other
// keywords as JSON.
func words(schema apiext.JSONSchemaProps) string {
	var words []string
	if schema.XListType != nil && *schema.XListType == "map" {
		words = append(append(words, "map"), schema.XListMapKeys...)
	} else if schema.XListType != nil {
		words = append(words, "list-"+*schema.XListType)
	} else if schema.XMapType != nil {
		words = append(words, *schema.XMapType)
	}
	others := apiext.JSONSchemaProps{
		Default: schema.Default, Enum: schema.Enum, Pattern: schema.Pattern, Minimum: schema.Minimum, Maximum: schema.Maximum,
		MinLength: schema.MinLength, MaxLength: schema.MaxLength, MinItems: schema.MinItems, MaxItems: schema.MaxItems,
	}
	text, err := json.Marshal(others)
	check(err)
	if string(text) != "{}" {
		words = append(words, string(text))
	}
	return strings.Join(words, " ")
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
