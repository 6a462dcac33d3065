// Package imagesize asks a registry how large an image is, before a node pulls it. Registries are hostile: all that they say is
// bounded, and they lead to no address inside.
package imagesize

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

const (
	within = 30 * time.Second
	// As much as registries take of a manifest.
	answerLimit = 4 << 20
	// Indexes may name indexes. Two levels and a handful of images for one platform are more than anybody builds.
	deepest       = 3
	mostManifests = 16
)

// Refusal is a sentence about an image that no honest builder makes.
type Refusal string

func (r Refusal) Error() string { return string(r) }

// Question is about one image, as the node that asks would pull it.
type Question struct {
	Source       string
	Architecture string
	// A .dockerconfigjson; empty without one.
	PullSecret string
	// Registries, as host[:port], that may have addresses inside.
	Inner []string
}

// Of returns the bytes that a pull would fetch, from the manifest: compressed. If several images suit the platform, it is the
// largest. An error other than a Refusal comes with what is known so far, and means that a pull would report the reason.
func Of(ctx context.Context, asked Question) (int64, error) {
	return of(ctx, asked, newTransport(asked.Inner))
}

func of(ctx context.Context, asked Question, round http.RoundTripper) (int64, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	reference, err := name.ParseReference(asked.Source)
	if err != nil {
		return 0, err
	}
	repository := reference.Context()
	scopes := []string{repository.Scope(transport.PullScope)}
	round, err = transport.NewWithContext(ctx, repository.Registry, loginFor(asked.PullSecret, repository), round, scopes)
	if err != nil {
		return 0, err
	}
	asking := &asking{client: &http.Client{Transport: round}, repository: repository, architecture: asked.Architecture}
	return asking.sizeOf(ctx, reference.Identifier(), 1)
}

type asking struct {
	client       *http.Client
	repository   name.Repository
	architecture string
	read         int
}

func (a *asking) sizeOf(ctx context.Context, identifier string, depth int) (int64, error) {
	if a.read++; a.read > mostManifests || depth > deepest {
		return 0, Refusal("its index names too many images for one platform")
	}
	body, err := a.manifest(ctx, identifier)
	if err != nil {
		return 0, err
	}
	own, children, err := parse(body, a.architecture)
	if err != nil {
		return 0, err
	}
	largest, unknown := int64(0), error(nil)
	for _, child := range children {
		size, err := a.sizeOf(ctx, child, depth+1)
		if _, isRefused := err.(Refusal); isRefused {
			return 0, err
		}
		if err != nil {
			unknown = err
		}
		largest = max(largest, size)
	}
	return sum(own, largest), unknown
}

const accepted = "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, " +
	"application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json, */*"

func (a *asking) manifest(ctx context.Context, identifier string) ([]byte, error) {
	address := url.URL{
		Scheme: a.repository.Scheme(), Host: a.repository.RegistryStr(),
		Path: "/v2/" + a.repository.RepositoryStr() + "/manifests/" + identifier,
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", accepted)
	answer, err := a.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer answer.Body.Close()
	if answer.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("the registry answers %d", answer.StatusCode)
	}
	body, err := io.ReadAll(answer.Body)
	if err != nil {
		return nil, err
	}
	if len(body) >= answerLimit {
		return nil, Refusal("its manifest is larger than 4 MiB")
	}
	if digest, isDigest := strings.CutPrefix(identifier, "sha256:"); isDigest {
		if is := sha256.Sum256(body); hex.EncodeToString(is[:]) != digest {
			return nil, fmt.Errorf("the registry answers with something other than %s", identifier)
		}
	}
	return body, nil
}
