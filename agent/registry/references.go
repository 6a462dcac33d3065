package registry

import (
	"context"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// References is what the cluster's objects name of this registry. A tag or a digest in it is needed.
type References struct {
	tags    map[tag]bool
	digests map[manifest]bool
}

type tag struct{ repository, name string }
type manifest struct{ repository, digest string }

func newReferences() References {
	return References{tags: map[tag]bool{}, digests: map[manifest]bool{}}
}

// add takes "org-acme/work:1@sha256:…", "org-acme/work@sha256:…" or "org-acme/work:1"; without either the tag is latest.
func (r References) add(image string) {
	rest, digest, hasDigest := strings.Cut(image, "@")
	repository, name := rest, ""
	if at := strings.LastIndex(rest, ":"); at > strings.LastIndex(rest, "/") {
		repository, name = rest[:at], rest[at+1:]
	}
	if hasDigest {
		r.digests[manifest{repository, digest}] = true
	} else if name == "" {
		name = "latest"
	}
	if name != "" {
		r.tags[tag{repository, name}] = true
	}
}

// addAll collects every string in an object that is an image of this registry, wherever it is: better to keep too much than too
// little, and a new field needs no code here.
func (r References) addAll(host string, value any) {
	switch value := value.(type) {
	case string:
		if image, ok := strings.CutPrefix(value, host+"/"); ok {
			r.add(image)
		}
	case map[string]any:
		for _, member := range value {
			r.addAll(host, member)
		}
	case []any:
		for _, member := range value {
			r.addAll(host, member)
		}
	}
}

// addObject also joins what an object says in two places: where an image is, and by which digest it was checked or saved.
func (r References) addObject(host string, object map[string]any) {
	r.addAll(host, object)
	digest, _, _ := unstructured.NestedString(object, "status", "digest")
	if !strings.HasPrefix(digest, "sha256:") {
		return
	}
	// The image of an Image, and of a Snapshot, whose target always has a tag.
	source, _, _ := unstructured.NestedString(object, "spec", "source")
	target, _, _ := unstructured.NestedString(object, "spec", "target")
	for _, place := range []string{source, target} {
		if bare, _, _ := strings.Cut(place, "@"); bare != "" {
			r.addAll(host, bare+"@"+digest)
		}
	}
}

const perPage = 500

// references reads them all, or fails: with half of them too much would be deleted.
func (c *Cluster) references(ctx context.Context, host string) (References, error) {
	found := newReferences()
	client, err := c.client()
	if err != nil {
		return found, err
	}
	for _, kind := range []schema.GroupVersionResource{snapshots, images, instances, jobs, processes, tunings, evaluations, deployed, pods} {
		options := metav1.ListOptions{Limit: perPage}
		for {
			page, err := client.Resource(kind).List(ctx, options)
			if err != nil {
				return found, err
			}
			for _, item := range page.Items {
				found.addObject(host, item.Object)
			}
			if options.Continue = page.GetContinue(); options.Continue == "" {
				break
			}
		}
	}
	return found, nil
}
