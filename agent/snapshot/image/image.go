// Package image adds a saved layer to the image that a container ran from: its manifest and its config, and which of the
// layers saved before the new one takes in.
package image

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/google/go-containerregistry/pkg/v1/types"
)

const (
	// CreatedBy marks our layers in an image's history.
	CreatedBy = "gantry snapshot"
	// An overlay of hundreds of folders is slow, and the kernel ends at 500.
	maxOwn = 16
	// An own layer is taken in when it is at most so many times as large as all that lies above it: then each byte is
	// written again only a few times, however many saves follow.
	ratio = 2
)

// Descriptor names a blob the way manifests do. Unknown fields (annotations, urls) are preserved.
type Descriptor struct {
	MediaType string
	Digest    string
	Size      int64
	raw       json.RawMessage
}

func (d *Descriptor) UnmarshalJSON(raw []byte) error {
	var plain struct {
		MediaType string `json:"mediaType"`
		Digest    string `json:"digest"`
		Size      int64  `json:"size"`
	}
	if err := json.Unmarshal(raw, &plain); err != nil {
		return err
	}
	*d = Descriptor{MediaType: plain.MediaType, Digest: plain.Digest, Size: plain.Size, raw: append(json.RawMessage{}, raw...)}
	return nil
}

func (d Descriptor) MarshalJSON() ([]byte, error) {
	if d.raw != nil {
		return d.raw, nil
	}
	return json.Marshal(map[string]any{"mediaType": d.MediaType, "digest": d.Digest, "size": d.Size})
}

// IsForeign: registries do not accept such a layer; clients pull it from elsewhere.
func (d Descriptor) IsForeign() bool { return !types.MediaType(d.MediaType).IsDistributable() }

// Layer is one that was just written.
type Layer struct {
	Digest, DiffID string
	Size           int64
}

// Image is what a manifest says, and its config.
type Image struct {
	MediaType   string
	Config      Descriptor
	Layers      []Descriptor
	ConfigBytes []byte
	diffIDs     []string
	history     []json.RawMessage
	manifest    map[string]json.RawMessage
	config      map[string]json.RawMessage
}

// ErrOther: the container ran on other layers than those of its image.
var ErrOther = errors.New("is not what the container ran on")

// Read finds, behind the digest that a container's image stands for, the image whose layers the container ran on.
func Read(ctx context.Context, document func(ctx context.Context, digest string) ([]byte, error), target, chain string) (*Image, error) {
	raw, err := document(ctx, target)
	if err != nil {
		return nil, err
	}
	var index struct {
		Manifests []Descriptor `json:"manifests"`
	}
	if err := json.Unmarshal(raw, &index); err != nil {
		return nil, fmt.Errorf("image %s: %w", target, err)
	}
	if len(index.Manifests) == 0 {
		return readManifest(ctx, document, raw, target, chain)
	}
	var last error
	for _, one := range index.Manifests {
		// Manifests of other platforms are not on this node.
		raw, err := document(ctx, one.Digest)
		if err == nil {
			var found *Image
			if found, err = readManifest(ctx, document, raw, one.Digest, chain); err == nil {
				return found, nil
			}
		}
		last = err
	}
	return nil, fmt.Errorf("index %s: none of its %d images is the one that the container ran from: %w", target, len(index.Manifests), last)
}

func readManifest(ctx context.Context, document func(context.Context, string) ([]byte, error), raw []byte, digest, chain string) (*Image, error) {
	var manifest struct {
		MediaType string       `json:"mediaType"`
		Config    Descriptor   `json:"config"`
		Layers    []Descriptor `json:"layers"`
	}
	found := &Image{}
	for _, into := range []any{&manifest, &found.manifest} {
		if err := json.Unmarshal(raw, into); err != nil {
			return nil, fmt.Errorf("manifest %s: %w", digest, err)
		}
	}
	found.MediaType, found.Config, found.Layers = manifest.MediaType, manifest.Config, manifest.Layers
	if found.MediaType == "" {
		found.MediaType = string(types.OCIManifestSchema1)
	}
	var err error
	if found.ConfigBytes, err = document(ctx, found.Config.Digest); err != nil {
		return nil, err
	}
	var config struct {
		History []json.RawMessage `json:"history"`
		RootFS  struct {
			DiffIDs []string `json:"diff_ids"`
		} `json:"rootfs"`
	}
	for _, into := range []any{&config, &found.config} {
		if err := json.Unmarshal(found.ConfigBytes, into); err != nil {
			return nil, fmt.Errorf("config %s: %w", found.Config.Digest, err)
		}
	}
	found.diffIDs, found.history = config.RootFS.DiffIDs, config.History
	if len(found.diffIDs) != len(found.Layers) {
		return nil, fmt.Errorf("image %s %w: it has %d layers and its config names %d", digest, ErrOther, len(found.Layers), len(found.diffIDs))
	}
	if have := chainID(found.diffIDs); have != chain {
		return nil, fmt.Errorf("image %s %w: it has the layers %s, and the container those of %s", digest, ErrOther, have, chain)
	}
	return found, nil
}

// chainID names a stack of layers, as OCI's image specification defines it.
func chainID(diffIDs []string) string {
	chain := ""
	for i, diffID := range diffIDs {
		if i == 0 {
			chain = diffID
			continue
		}
		chain = Digest([]byte(chain + " " + diffID))
	}
	return chain
}

// Digest of a document.
func Digest(raw []byte) string {
	sum := sha256.Sum256(raw)
	return "sha256:" + hex.EncodeToString(sum[:])
}

type historyLine struct {
	CreatedBy  string `json:"created_by"`
	EmptyLayer bool   `json:"empty_layer"`
}

// lines of the history, one for each layer; nil when the image's own is not of that shape, which OCI allows.
func (i *Image) layerLines() []int {
	var lines []int
	for at, raw := range i.history {
		var line historyLine
		if json.Unmarshal(raw, &line) != nil {
			return nil
		}
		if !line.EmptyLayer {
			lines = append(lines, at)
		}
	}
	if len(lines) != len(i.Layers) {
		return nil
	}
	return lines
}

// Own is how many of the topmost layers are saves of ours.
func (i *Image) Own() int {
	lines := i.layerLines()
	own := 0
	for at := len(lines) - 1; at >= 0; at-- {
		var line historyLine
		if json.Unmarshal(i.history[lines[at]], &line) != nil || line.CreatedBy != CreatedBy {
			break
		}
		own++
	}
	return own
}

// Absorbed says how many own layers a new one of `size` takes in. `below` are the sizes of the own layers, topmost first.
func Absorbed(size int64, below []int64) int {
	count := 0
	for _, one := range below {
		if one > ratio*size && len(below)-count < maxOwn {
			break
		}
		size += one
		count++
	}
	return count
}

// With returns the image with a layer on top, which also replaces the `absorbed` ones it took in.
func (i *Image) With(layer Layer, absorbed int, created time.Time) (*Image, []byte, error) {
	kept := len(i.Layers) - absorbed
	next := &Image{MediaType: i.MediaType}
	next.Layers = append(append([]Descriptor{}, i.Layers[:kept]...), Descriptor{MediaType: layerType(i.MediaType), Digest: layer.Digest, Size: layer.Size})
	next.diffIDs = append(append([]string{}, i.diffIDs[:kept]...), layer.DiffID)
	at := created.UTC().Format(time.RFC3339)
	if lines := i.layerLines(); lines != nil {
		end := len(i.history)
		if absorbed > 0 {
			end = lines[kept]
		}
		next.history = append(next.history, i.history[:end]...)
	} else {
		for range kept {
			next.history = append(next.history, json.RawMessage(`{"created_by":"unknown"}`))
		}
	}
	line, err := json.Marshal(map[string]string{"created": at, "created_by": CreatedBy})
	if err != nil {
		return nil, nil, err
	}
	next.history = append(next.history, line)
	return next.finish(i.config, i.manifest, at)
}

// FromNothing is an image of one layer.
func FromNothing(layer Layer, created time.Time) (*Image, []byte, error) {
	empty := &Image{
		MediaType: string(types.OCIManifestSchema1),
		config: map[string]json.RawMessage{
			"architecture": json.RawMessage(`"` + runtime.GOARCH + `"`), "os": json.RawMessage(`"linux"`), "config": json.RawMessage(`{}`),
		},
		manifest: map[string]json.RawMessage{"schemaVersion": json.RawMessage("2"), "mediaType": json.RawMessage(`"` + string(types.OCIManifestSchema1) + `"`)},
	}
	return empty.With(layer, 0, created)
}

// finish writes config and manifest: what we know nothing of stays as it was.
func (i *Image) finish(config, manifest map[string]json.RawMessage, created string) (*Image, []byte, error) {
	i.config, i.manifest = map[string]json.RawMessage{}, map[string]json.RawMessage{}
	for key, value := range config {
		i.config[key] = value
	}
	for key, value := range manifest {
		i.manifest[key] = value
	}
	// They speak of the image that was there before.
	delete(i.manifest, "annotations")
	delete(i.manifest, "subject")
	for key, value := range map[string]any{"created": created, "history": i.history, "rootfs": map[string]any{"type": "layers", "diff_ids": i.diffIDs}} {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, nil, err
		}
		i.config[key] = raw
	}
	var err error
	if i.ConfigBytes, err = json.Marshal(i.config); err != nil {
		return nil, nil, err
	}
	i.Config = Descriptor{MediaType: configType(i.MediaType), Digest: Digest(i.ConfigBytes), Size: int64(len(i.ConfigBytes))}
	for key, value := range map[string]any{"config": i.Config, "layers": i.Layers} {
		raw, err := json.Marshal(value)
		if err != nil {
			return nil, nil, err
		}
		i.manifest[key] = raw
	}
	raw, err := json.Marshal(i.manifest)
	return i, raw, err
}

func isDocker(mediaType string) bool { return strings.HasPrefix(mediaType, "application/vnd.docker.") }

func layerType(manifest string) string {
	if isDocker(manifest) {
		return string(types.DockerLayer)
	}
	return string(types.OCILayer)
}

func configType(manifest string) string {
	if isDocker(manifest) {
		return string(types.DockerConfigJSON)
	}
	return string(types.OCIConfigJSON)
}
