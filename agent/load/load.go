// Package load brings the images of a bundle into a registry, where there is no way to the internet. Nothing is sent before the
// whole bundle has proved to be what was packed, and at the end everything is read back.
package load

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/validate"
)

// imageName is where an index says what an image is called, such as gateway:1.1.5.
const imageName = "org.opencontainers.image.ref.name"

// Bundle is an unpacked one.
type Bundle struct {
	// Folder has SHA256SUMS, images and chart.
	Folder string
	// PublicKey is a file; without one nobody asks who packed it.
	PublicKey string
	// Said gets a line for each image.
	Said io.Writer
}

// Main reads the flags of `gantry load`. Without --bundle it is the folder that the program lies in.
func Main(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("gantry load", flag.ContinueOnError)
	registry := flags.String("registry", "", "where nodes pull from, with the path in front of the images' names: registry.inner:5000/gantry")
	plainHTTP := flags.Bool("plain-http", false, "whether it speaks plain HTTP")
	publicKey := flags.String("public-key", "", "file with the public key (PEM, Ed25519) of whoever packed it; the bundle must be signed with it. Use a gantry from a trusted source, not the bundle's own")
	folder := flags.String("bundle", "", "folder of the unpacked bundle; else that of this program")
	if err := flags.Parse(args); err != nil {
		return err
	}
	isAsked := false
	flags.Visit(func(one *flag.Flag) { isAsked = isAsked || one.Name == "public-key" })
	if isAsked && *publicKey == "" {
		return errors.New("--public-key: must name a file")
	}
	if *registry == "" {
		return errors.New("--registry: must say where to, such as registry.inner:5000/gantry")
	}
	if *folder == "" {
		program, err := os.Executable()
		if err != nil {
			return err
		}
		*folder = filepath.Dir(program)
	}
	return Bundle{Folder: *folder, PublicKey: *publicKey, Said: os.Stdout}.Into(ctx, *registry, *plainHTTP)
}

// Into checks the bundle, pushes each of its images to <registry>/<name>, reads all of them back, and writes values.yaml for Helm.
// Logins are those of `docker login`, `podman login` or `crane auth login`.
func (b Bundle) Into(ctx context.Context, registry string, plainHTTP bool) error {
	if b.PublicKey != "" {
		if err := verifySignature(b.Folder, b.PublicKey); err != nil {
			return err
		}
		fmt.Fprintf(b.Said, "signed with the key of %s\n", b.PublicKey)
	}
	if err := verify(b.Folder); err != nil {
		return err
	}
	index, err := layout.ImageIndexFromPath(filepath.Join(b.Folder, "images"))
	if err != nil {
		return fmt.Errorf("the bundle's images cannot be read: %w", err)
	}
	list, err := index.IndexManifest()
	if err != nil {
		return err
	}
	var options []name.Option
	if plainHTTP {
		options = append(options, name.Insecure)
	}
	access := []remote.Option{remote.WithContext(ctx), remote.WithAuthFromKeychain(authn.DefaultKeychain)}
	digests := map[string]string{}
	for _, found := range list.Manifests {
		called := found.Annotations[imageName]
		target, err := name.ParseReference(strings.TrimSuffix(registry, "/")+"/"+called, options...)
		if err != nil {
			return fmt.Errorf("--registry: %q is no place for images: %w", registry, err)
		}
		image, err := index.Image(found.Digest)
		if err != nil {
			return fmt.Errorf("%s: %w", called, err)
		}
		if err := remote.Write(target, image, access...); err != nil {
			return fmt.Errorf("%s could not be pushed: %w", called, err)
		}
		there, err := remote.Image(target.Context().Digest(found.Digest.String()), access...)
		if err != nil {
			return fmt.Errorf("%s was pushed and is not there: %w", called, err)
		}
		if err := validate.Image(there); err != nil {
			return fmt.Errorf("%s was pushed and is not the same: %w", called, err)
		}
		short, _, _ := strings.Cut(called, ":")
		digests[short] = found.Digest.String()
		fmt.Fprintf(b.Said, "%s@%s\n", target, found.Digest)
	}
	return b.writeValues(registry, digests)
}

// writeValues says where the images are now. JSON is YAML.
func (b Bundle) writeValues(registry string, digests map[string]string) error {
	image := map[string]any{"registry": strings.TrimSuffix(registry, "/"), "digests": digests}
	text, err := json.MarshalIndent(map[string]any{"image": image}, "", "  ")
	if err != nil {
		return err
	}
	file := filepath.Join(b.Folder, values)
	if err := os.WriteFile(file, append(text, '\n'), 0o644); err != nil {
		return err
	}
	fmt.Fprintf(b.Said, "all of it is there as it was packed: helm install gantry %s --namespace gantry-system --values %s\n",
		filepath.Join(b.Folder, "chart"), file)
	return nil
}
