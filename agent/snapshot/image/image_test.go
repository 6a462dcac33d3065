package image

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
	"time"
)

const dockerManifest = "application/vnd.docker.distribution.manifest.v2+json"

// store of documents, as a node has them.
type store map[string][]byte

func (s store) read(_ context.Context, digest string) ([]byte, error) {
	if raw, found := s[digest]; found {
		return raw, nil
	}
	return nil, fmt.Errorf("%s is not here", digest)
}

func (s store) add(t *testing.T, document any) (string, int64) {
	t.Helper()
	raw, err := json.Marshal(document)
	if err != nil {
		t.Fatal(err)
	}
	s[Digest(raw)] = raw
	return Digest(raw), int64(len(raw))
}

func diffID(n int) string { return Digest([]byte(fmt.Sprint("layer ", n))) }

func (s store) image(t *testing.T, mediaType string, layers int, history []map[string]any) (target, chain string) {
	t.Helper()
	var diffIDs []string
	var descriptors []map[string]any
	for n := range layers {
		diffIDs = append(diffIDs, diffID(n))
		descriptors = append(descriptors, map[string]any{"mediaType": "application/vnd.docker.image.rootfs.diff.tar.gzip", "digest": diffID(100 + n), "size": 10 + n})
	}
	config, size := s.add(t, map[string]any{
		"architecture": "amd64", "os": "linux", "author": "somebody",
		"config":  map[string]any{"Env": []string{"A=1"}, "Entrypoint": []string{"/run"}, "User": "7", "StopSignal": "SIGQUIT"},
		"history": history, "rootfs": map[string]any{"type": "layers", "diff_ids": diffIDs},
	})
	target, _ = s.add(t, map[string]any{
		"schemaVersion": 2, "mediaType": mediaType, "layers": descriptors,
		"config": map[string]any{"mediaType": "application/vnd.docker.container.image.v1+json", "digest": config, "size": size},
	})
	return target, chainID(diffIDs)
}

func line(by string, empty bool) map[string]any {
	return map[string]any{"created_by": by, "empty_layer": empty}
}

func read(t *testing.T, documents store, target, chain string) *Image {
	t.Helper()
	found, err := Read(context.Background(), documents.read, target, chain)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func created(t *testing.T, image *Image) (history []historyLine, rest map[string]any) {
	t.Helper()
	var config struct {
		History []historyLine `json:"history"`
	}
	for _, into := range []any{&config, &rest} {
		if err := json.Unmarshal(image.ConfigBytes, into); err != nil {
			t.Fatal(err)
		}
	}
	return config.History, rest
}

func TestALayerIsAddedAndAllElseStays(t *testing.T) {
	documents := store{}
	target, chain := documents.image(t, dockerManifest, 2, []map[string]any{line("ADD", false), line("ENV", true), line("RUN", false)})
	base := read(t, documents, target, chain)
	next, raw, err := base.With(Layer{Digest: diffID(200), DiffID: diffID(2), Size: 5}, 0, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	history, config := created(t, next)
	if len(history) != 4 || history[3].CreatedBy != CreatedBy || history[3].EmptyLayer {
		t.Errorf("history %+v", history)
	}
	if config["author"] != "somebody" || fmt.Sprint(config["config"]) != "map[Entrypoint:[/run] Env:[A=1] StopSignal:SIGQUIT User:7]" {
		t.Errorf("config %v", config)
	}
	if next.Own() != 1 || base.Own() != 0 {
		t.Errorf("own layers: %d, and %d of the base", next.Own(), base.Own())
	}
	documents[next.Config.Digest], documents[Digest(raw)] = next.ConfigBytes, raw
	again := read(t, documents, Digest(raw), chainID([]string{diffID(0), diffID(1), diffID(2)}))
	if again.MediaType != dockerManifest || len(again.Layers) != 3 || !strings.Contains(again.Layers[2].MediaType, "docker") {
		t.Errorf("%s with %+v", again.MediaType, again.Layers)
	}

	// The next save takes the last one in.
	merged, _, err := again.With(Layer{Digest: diffID(201), DiffID: diffID(3), Size: 6}, 1, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	history, _ = created(t, merged)
	if len(history) != 4 || merged.Own() != 1 || !slices.Equal(merged.diffIDs, []string{diffID(0), diffID(1), diffID(3)}) {
		t.Errorf("merged: %+v, %v", history, merged.diffIDs)
	}
}

// OCI allows a history without layers: then ours begins one with them.
func TestAHistoryThatDoesNotFitIsBegunAnew(t *testing.T) {
	documents := store{}
	target, chain := documents.image(t, dockerManifest, 3, nil)
	next, _, err := read(t, documents, target, chain).With(Layer{Digest: diffID(200), DiffID: diffID(3), Size: 5}, 0, time.Unix(0, 0))
	if err != nil {
		t.Fatal(err)
	}
	if history, _ := created(t, next); len(history) != 4 || next.Own() != 1 {
		t.Errorf("%+v", history)
	}
}

func TestOfAnIndexTheImageIsFoundThatTheContainerRanOn(t *testing.T) {
	documents := store{}
	one, _ := documents.image(t, dockerManifest, 1, nil)
	two, chain := documents.image(t, dockerManifest, 2, nil)
	index, _ := documents.add(t, map[string]any{"manifests": []map[string]any{{"digest": diffID(9)}, {"digest": one}, {"digest": two}}})
	if found := read(t, documents, index, chain); len(found.Layers) != 2 {
		t.Errorf("%d layers", len(found.Layers))
	}
	if _, err := Read(context.Background(), documents.read, index, diffID(5)); err == nil {
		t.Error("an image was found for layers that none has")
	}
	if _, err := Read(context.Background(), documents.read, one, chain); err == nil {
		t.Error("an image passes for one with other layers")
	}
}

// However sizes fall: never more than 16 own layers, and each byte is written again a bounded number of times.
func TestSavesStayFewAndCheap(t *testing.T) {
	sizes := map[string]func(random *rand.Rand) int64{
		"equal":   func(*rand.Rand) int64 { return 1000 },
		"random":  func(random *rand.Rand) int64 { return 1 + random.Int63n(1_000_000) },
		"falling": func(random *rand.Rand) int64 { return 1 << random.Intn(40) },
		"empty":   func(*rand.Rand) int64 { return 1 },
	}
	for name, size := range sizes {
		random := rand.New(rand.NewSource(1))
		var own []int64
		var written, saved int64
		for range 2000 {
			one := size(random)
			saved += one
			absorbed := Absorbed(one, own)
			for _, below := range own[:absorbed] {
				one += below
			}
			written += one
			own = append([]int64{one}, own[absorbed:]...)
			if len(own) > maxOwn {
				t.Fatalf("%s: %d own layers", name, len(own))
			}
		}
		if written > 24*saved {
			t.Errorf("%s: each byte is written %d times", name, written/saved)
		}
	}
	// One huge save is not written again for every small one after it.
	if absorbed := Absorbed(1000, []int64{1000, 10_000_000_000}); absorbed != 1 {
		t.Errorf("takes in %d", absorbed)
	}
}
