package snapshot

import (
	"context"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	inmemory "github.com/google/go-containerregistry/pkg/registry"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/layer"
	"gantry.dev/agent/snapshot/push"
)

// A registry that has the layer's name and not its bytes has not saved it; the layer is sent again, as another blob.
func TestASaveIsReadBackByteForByte(t *testing.T) {
	tears := true
	registry := inmemory.New(inmemory.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		if request.Method == http.MethodGet && strings.Contains(request.URL.Path, "/blobs/sha256:") && tears {
			io.WriteString(answer, "torn")
			return
		}
		registry.ServeHTTP(answer, request)
	}))
	defer server.Close()
	one := &save{memory: &memory{}, snapshot: &cluster.Snapshot{}, saver: &saver{registry: &push.Registry{
		Address: strings.TrimPrefix(server.URL, "http://"), Plain: true, Silence: time.Minute, Answer: time.Minute,
	}}}
	files := &source{close: func() {}, write: func(_ context.Context, into io.Writer) (layer.Counts, error) {
		_, err := io.WriteString(into, "a layer")
		return layer.Counts{}, err
	}}
	push := func() *pushed {
		done, err := one.push(context.Background(), "org-a/dev.home", "1", files)
		if err != nil {
			t.Fatal(err)
		}
		return done
	}
	first := push()
	if err := one.verify(context.Background(), "org-a/dev.home", first); err == nil || !strings.Contains(err.Error(), "has 4 of ") {
		t.Fatalf("torn: %v", err)
	}
	tears = false
	second := push()
	if second.own[0].Digest == first.own[0].Digest {
		t.Error("the torn layer was taken for sent")
	}
	if err := one.verify(context.Background(), "org-a/dev.home", second); err != nil {
		t.Error(err)
	}
}
