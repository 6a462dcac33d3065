// Package imagesize asks a registry how large an image is, before a node pulls it, and what the image says that it needs. Registries
// are hostile: all that they say is bounded, and they lead to no address inside.
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
	// Through which all others are asked; nil for none.
	Proxy *url.URL
}

// Answer is about the largest image, if several suit the platform.
type Answer struct {
	// Bytes that a pull would fetch, from the manifest: compressed.
	Bytes int64
	Needs Needs
}

// Of asks the image's registry. An error other than a Refusal comes with what is known so far, and means that a pull would report
// the reason.
func Of(ctx context.Context, asked Question) (Answer, error) {
	return of(ctx, asked, newTransport(asked.Inner, asked.Proxy))
}

func of(ctx context.Context, asked Question, round http.RoundTripper) (Answer, error) {
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	reference, err := name.ParseReference(asked.Source)
	if err != nil {
		return Answer{}, err
	}
	repository := reference.Context()
	scopes := []string{repository.Scope(transport.PullScope)}
	round, err = transport.NewWithContext(ctx, repository.Registry, loginFor(asked.PullSecret, repository), round, scopes)
	if err != nil {
		return Answer{}, err
	}
	asking := &asking{client: &http.Client{Transport: round}, repository: repository, architecture: asked.Architecture}
	found, err := asking.look(ctx, reference.Identifier(), 1)
	return Answer{Bytes: found.bytes, Needs: asking.needs(ctx, found.config)}, err
}

type asking struct {
	client       *http.Client
	repository   name.Repository
	architecture string
	read         int
}

// found is an image, or an index and its largest image.
type found struct {
	bytes int64
	// The digest of the image's configuration; empty without one.
	config string
}

func (a *asking) look(ctx context.Context, identifier string, depth int) (found, error) {
	if a.read++; a.read > mostManifests || depth > deepest {
		return found{}, Refusal("its index names too many images for one platform")
	}
	body, err := a.get(ctx, "manifests", identifier)
	if err != nil {
		return found{}, err
	}
	own, children, err := parse(body, a.architecture)
	if err != nil {
		return found{}, err
	}
	largest, unknown := found{config: own.config}, error(nil)
	for _, child := range children {
		below, err := a.look(ctx, child, depth+1)
		if _, isRefused := err.(Refusal); isRefused {
			return found{}, err
		}
		if err != nil {
			unknown = err
		}
		if below.bytes > largest.bytes {
			largest = below
		}
	}
	largest.bytes = sum(own.bytes, largest.bytes)
	return largest, unknown
}

const accepted = "application/vnd.oci.image.index.v1+json, application/vnd.docker.distribution.manifest.list.v2+json, " +
	"application/vnd.oci.image.manifest.v1+json, application/vnd.docker.distribution.manifest.v2+json, */*"

// get returns a manifest, or a blob that is as small as one.
func (a *asking) get(ctx context.Context, kind, identifier string) ([]byte, error) {
	address := url.URL{
		Scheme: a.repository.Scheme(), Host: a.repository.RegistryStr(),
		Path: "/v2/" + a.repository.RepositoryStr() + "/" + kind + "/" + identifier,
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
