// Judges bundles and catalogs with the code of operator-framework.
//
// `olm-validator bundle DIR...` prints a line of JSON for each bundle: what operator-registry and the validators of
// operator-framework/api say about it. `olm-validator catalog DIR` loads a file-based catalog as opm does.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"regexp"

	"github.com/operator-framework/api/pkg/manifests"
	"github.com/operator-framework/api/pkg/validation"
	"github.com/operator-framework/operator-registry/alpha/declcfg"
	"github.com/operator-framework/operator-registry/pkg/lib/bundle"
	"github.com/sirupsen/logrus"
)

// said is one finding of a validator.
type said struct {
	Level   string `json:"level"`
	Message string `json:"message"`
}

// address is what a message shows of a pointer, which differs from run to run.
var address = regexp.MustCompile("0x[0-9a-f]+")

func main() {
	logrus.SetOutput(io.Discard)
	if len(os.Args) < 3 {
		fail(fmt.Errorf("usage: olm-validator bundle|catalog DIR..."))
	}
	for _, directory := range os.Args[2:] {
		switch os.Args[1] {
		case "bundle":
			all := judged(directory)
			for index := range all {
				all[index].Message = address.ReplaceAllString(all[index].Message, "0x")
			}
			line, err := json.Marshal(all)
			if err != nil {
				fail(err)
			}
			fmt.Println(string(line))
		case "catalog":
			catalog(directory)
		}
	}
}

// judged returns what the validators say: the format and the content as `operator-sdk bundle validate` checks them, then
// the default validators and the optional suites.
func judged(directory string) []said {
	all := []said{}
	registry := bundle.NewImageValidator(nil, logrus.NewEntry(logrus.StandardLogger()))
	add := func(err error) {
		if err == nil {
			return
		}
		if several, ok := err.(bundle.ValidationError); ok {
			for _, one := range several.Errors {
				all = append(all, said{"error", one.Error()})
			}
			return
		}
		all = append(all, said{"error", err.Error()})
	}
	// operator-registry panics on a bundle without a ClusterServiceVersion.
	guarded := func(validate func(string) error, directory string) {
		defer func() {
			if reason := recover(); reason != nil {
				all = append(all, said{"error", fmt.Sprintf("panic: %v", reason)})
			}
		}()
		add(validate(directory))
	}
	guarded(registry.ValidateBundleFormat, directory)
	guarded(registry.ValidateBundleContent, filepath.Join(directory, "manifests"))
	loaded, err := manifests.GetBundleFromDir(directory)
	if err != nil {
		return append(all, said{"error", "loading: " + err.Error()})
	}
	validators := validation.DefaultBundleValidators.WithValidators(
		validation.OperatorHubV2Validator,
		validation.StandardCapabilitiesValidator,
		validation.StandardCategoriesValidator,
		validation.ObjectValidator,
		validation.GoodPracticesValidator,
	)
	for _, result := range validators.Validate(loaded.ObjectsToValidate()...) {
		for _, one := range result.Errors {
			all = append(all, said{"error", one.Error()})
		}
		for _, one := range result.Warnings {
			all = append(all, said{"warning", one.Error()})
		}
	}
	return all
}

// catalog prints the packages, channels and bundles of a file-based catalog.
func catalog(directory string) {
	config, err := declcfg.LoadFS(context.Background(), os.DirFS(directory))
	if err != nil {
		fail(err)
	}
	model, err := declcfg.ConvertToModel(*config)
	if err != nil {
		fail(err)
	}
	for _, pkg := range model {
		for _, channel := range pkg.Channels {
			head, err := channel.Head()
			if err != nil {
				fail(err)
			}
			fmt.Printf("%s %s %s %d\n", pkg.Name, channel.Name, head.Name, len(channel.Bundles))
		}
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}
