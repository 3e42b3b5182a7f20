// A registry for images in memory, and a reader that checks each part of an image in a registry.
package main

import (
	"fmt"
	"net"
	"net/http"
	"os"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// Serves until it is killed, and prints its address; or, with a reference, prints the digest of that image.
func run(arguments []string) error {
	if len(arguments) == 0 {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			return err
		}
		fmt.Println(listener.Addr())
		return http.Serve(listener, registry.New())
	}
	reference, err := name.ParseReference(arguments[0])
	if err != nil {
		return err
	}
	image, err := remote.Image(reference)
	if err != nil {
		return err
	}
	if err := validate.Image(image); err != nil {
		return err
	}
	digest, err := image.Digest()
	if err != nil {
		return err
	}
	fmt.Println(digest)
	return nil
}
