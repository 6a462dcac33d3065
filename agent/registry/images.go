package registry

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// Images is the registry as this process uses it: with tokens it signs itself, without asking for them.
type Images struct {
	registry name.Registry
	round    http.RoundTripper
	options  []remote.Option
}

// A registry that has not begun to answer by then hangs; none of our calls makes it read a layer.
const answersWithin = 5 * time.Minute

func newImages(address *url.URL, signer *Signer) (*Images, error) {
	var how []name.Option
	if address.Scheme == "http" {
		how = append(how, name.Insecure)
	}
	registry, err := name.NewRegistry(address.Host, how...)
	if err != nil {
		return nil, err
	}
	inner := remote.DefaultTransport.(*http.Transport).Clone()
	inner.ResponseHeaderTimeout = answersWithin
	round := &selfSigned{signer: signer, inner: inner}
	return &Images{registry, round, []remote.Option{remote.WithTransport(round)}}, nil
}

// selfSigned gives each request a token for exactly what it asks for.
type selfSigned struct {
	signer *Signer
	inner  http.RoundTripper
}

func (s *selfSigned) RoundTrip(request *http.Request) (*http.Response, error) {
	token, err := s.signer.sign("registry", accessFor(request.URL), time.Now(), tokenTTL)
	if err != nil {
		return nil, err
	}
	signed := request.Clone(request.Context())
	signed.Header.Set("Authorization", "Bearer "+token)
	return s.inner.RoundTrip(signed)
}

func accessFor(address *url.URL) []Access {
	path := strings.TrimPrefix(address.Path, "/v2/")
	if path == "_catalog" {
		return []Access{{typeRegistry, "catalog", []string{"*"}}}
	}
	for _, part := range []string{"/manifests/", "/blobs/", "/tags/"} {
		if at := strings.LastIndex(path, part); at > 0 {
			access := []Access{{typeRepo, path[:at], []string{actionPull, actionPush, actionDelete}}}
			if from := address.Query().Get("from"); from != "" {
				access = append(access, Access{typeRepo, from, []string{actionPull}})
			}
			return access
		}
	}
	return []Access{}
}

func (i *Images) with(ctx context.Context) []remote.Option {
	return append([]remote.Option{remote.WithContext(ctx)}, i.options...)
}

// repositories lists all names, whether or not anything is left in them.
func (i *Images) repositories(ctx context.Context) ([]string, error) {
	return remote.Catalog(ctx, i.registry, i.with(ctx)...)
}

func (i *Images) tags(ctx context.Context, repository string) ([]string, error) {
	tags, err := remote.List(i.registry.Repo(repository), i.with(ctx)...)
	if isUnknown(err) {
		return nil, nil
	}
	return tags, err
}

// digestOf returns "" if there is no such manifest; reference is a tag or a digest.
func (i *Images) digestOf(ctx context.Context, repository, reference string) (string, error) {
	found, err := remote.Head(i.named(repository, reference), i.with(ctx)...)
	if isUnknown(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	return found.Digest.String(), nil
}

// untag forgets a tag; its manifest stays until garbage is collected.
func (i *Images) untag(ctx context.Context, repository, tag string) error {
	err := remote.Delete(i.registry.Repo(repository).Tag(tag), i.with(ctx)...)
	if isUnknown(err) {
		return nil
	}
	return err
}

// keep gives a manifest one more tag.
func (i *Images) keep(ctx context.Context, repository, digest, tag string) error {
	found, err := remote.Get(i.named(repository, digest), i.with(ctx)...)
	if err != nil {
		return err
	}
	return remote.Tag(i.registry.Repo(repository).Tag(tag), found, i.with(ctx)...)
}

func (i *Images) named(repository, reference string) name.Reference {
	if strings.HasPrefix(reference, "sha256:") {
		return i.registry.Repo(repository).Digest(reference)
	}
	return i.registry.Repo(repository).Tag(reference)
}

// isUnknown says that the registry answered, and has no such thing.
func isUnknown(err error) bool {
	var answer *transport.Error
	return errors.As(err, &answer) && answer.StatusCode == http.StatusNotFound
}
