package imagesize

import (
	"encoding/json"
	"math"
	"regexp"
)

// Only the counted fields: a manifest of 4 MiB may name a million layers.
type document struct {
	Manifests []child `json:"manifests"`
	Layers    []blob  `json:"layers"`
	Config    blob    `json:"config"`
}

type blob struct {
	Size   int64  `json:"size"`
	Digest string `json:"digest"`
}

type child struct {
	Digest   string `json:"digest"`
	Platform *struct {
		OS           string `json:"os"`
		Architecture string `json:"architecture"`
	} `json:"platform"`
}

var digest = regexp.MustCompile(`^sha256:[a-f0-9]{64}$`)

// parse returns what a manifest names itself, and the digests that an index names for Linux on this architecture. An entry without a
// platform may be any.
func parse(body []byte, architecture string) (own found, children []string, err error) {
	var said document
	if err := json.Unmarshal(body, &said); err != nil {
		return found{}, nil, err
	}
	for _, blob := range append(said.Layers, said.Config) {
		if blob.Size < 0 {
			return found{}, nil, Refusal("its manifest names a negative size")
		}
		own.bytes = sum(own.bytes, blob.Size)
	}
	if digest.MatchString(said.Config.Digest) {
		own.config = said.Config.Digest
	}
	for _, one := range said.Manifests {
		if one.Platform != nil && (one.Platform.OS != "linux" || one.Platform.Architecture != architecture) {
			continue
		}
		if !digest.MatchString(one.Digest) {
			return found{}, nil, Refusal("its index names a manifest by something other than a SHA-256 digest")
		}
		if len(children) == mostManifests {
			break
		}
		children = append(children, one.Digest)
	}
	return own, children, nil
}

// sum saturates at the largest number. Neither argument is negative.
func sum(a, b int64) int64 {
	if a > math.MaxInt64-b {
		return math.MaxInt64
	}
	return a + b
}
