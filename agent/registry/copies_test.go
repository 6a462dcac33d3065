package registry

import (
	"bytes"
	"context"
	"errors"
	"io"
	"log"
	"log/slog"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	fake "github.com/google/go-containerregistry/pkg/registry"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/mutate"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/client-go/tools/cache"
)

// A registry at the wire, and one image in it: two layers from elsewhere, one that was saved.
func withImage(t *testing.T) (*Images, v1.Image) {
	t.Helper()
	server := httptest.NewServer(fake.New(fake.Logger(log.New(io.Discard, "", 0))))
	t.Cleanup(server.Close)
	address, _ := url.Parse(server.URL)
	images, err := newImages(address, set(t).signer)
	if err != nil {
		t.Fatal(err)
	}
	base, err := random.Image(512, 2)
	if err != nil {
		t.Fatal(err)
	}
	saved, _ := random.Layer(300, "application/vnd.oci.image.layer.v1.tar+gzip")
	image, err := mutate.Append(base, mutate.Addendum{Layer: saved, History: v1.History{CreatedBy: savedBy}})
	if err != nil {
		t.Fatal(err)
	}
	target, _ := name.NewTag(address.Host+"/org-a/dev.root:3", name.Insecure)
	if err := remote.Write(target, image); err != nil {
		t.Fatal(err)
	}
	return images, image
}

func TestACopyIsTheSameImage(t *testing.T) {
	images, image := withImage(t)
	digest, _ := image.Digest()
	from := "registry.test/org-a/dev.root@" + digest.String()
	done, err := images.copy(context.Background(), from, "registry.test/org-a/exports/mine:1")
	if err != nil {
		t.Fatal(err)
	}
	if done.digest != digest.String() || done.layers != 1 || done.totalBytes < 300 {
		t.Errorf("copied %+v", done)
	}
	if found, err := images.digestOf(context.Background(), "org-a/exports/mine", "1"); err != nil || found != digest.String() {
		t.Errorf("%s: %v", found, err)
	}
	_, err = images.copy(context.Background(), "registry.test/org-a/dev.root@"+digestC, "registry.test/org-a/exports/mine:2")
	if !errors.Is(err, errGone) {
		t.Errorf("what is not there: %v", err)
	}
}

func TestTagsComeAndGo(t *testing.T) {
	images, image := withImage(t)
	ctx := context.Background()
	digest, _ := image.Digest()
	if err := images.keep(ctx, "org-a/dev.root", digest.String(), "more"); err != nil {
		t.Fatal(err)
	}
	if err := images.untag(ctx, "org-a/dev.root", "3"); err != nil {
		t.Fatal(err)
	}
	if err := images.untag(ctx, "org-a/dev.root", "3"); err != nil {
		t.Errorf("what has gone: %v", err)
	}
	repositories, err := images.repositories(ctx)
	if err != nil || len(repositories) != 1 {
		t.Errorf("%v: %v", repositories, err)
	}
	tags, err := images.tags(ctx, "org-a/dev.root")
	if err != nil || len(tags) != 1 || tags[0] != "more" {
		t.Errorf("%v: %v", tags, err)
	}
	if tags, err = images.tags(ctx, "org-a/absent"); err != nil || len(tags) != 0 {
		t.Errorf("%v: %v", tags, err)
	}
}

type copier struct {
	err   error
	calls int
}

func (c *copier) copy(context.Context, string, string) (copied, error) {
	c.calls++
	return copied{digest: digestA, totalBytes: 7, layers: 1}, c.err
}

func TestWhatASnapshotIsTold(t *testing.T) {
	const from, target = "registry.test/org-a/dev.root@" + digestA, "registry.test/org-a/mine:1"
	for name, row := range map[string]struct {
		wish          wish
		err           error
		phase, reason string
		again         bool
		calls         int
	}{
		"all well":                     {wish{from: from, target: target}, nil, "ready", "Saved", false, 1},
		"the registry is down":         {wish{from: from, target: target}, errors.New("refused"), "processing", "Retrying", true, 1},
		"the source is gone":           {wish{from: from, target: target}, errGone, "failed", "SourceGone", false, 1},
		"from another organisation":    {wish{from: "registry.test/org-b/x@" + digestA, target: target}, nil, "failed", "Refused", false, 0},
		"into another organisation":    {wish{from: from, target: "registry.test/org-b/x:1"}, nil, "failed", "Refused", false, 0},
		"into one that begins alike":   {wish{from: from, target: "registry.test/org-a2/x:1"}, nil, "failed", "Refused", false, 0},
		"into another registry":        {wish{from: from, target: "registry.evil/org-a/x:1"}, nil, "failed", "Refused", false, 0},
		"from a tag, which may change": {wish{from: "registry.test/org-a/x:1", target: target}, nil, "failed", "Refused", false, 0},
	} {
		t.Run(name, func(t *testing.T) {
			clock := &clock{at: time.Now()}
			worker := &copier{err: row.err}
			copies := &Copies{
				images: worker, log: slog.New(slog.NewJSONHandler(&bytes.Buffer{}, nil)), host: "registry.test",
				metrics: newMetrics(), now: clock.now,
			}
			row.wish.namespace = "org-a"
			var told []map[string]any
			again, err := copies.carryOut(context.Background(), row.wish, 0, func(status map[string]any) error {
				told = append(told, status)
				return nil
			})
			last := told[len(told)-1]
			if err != nil || again != row.again || last["phase"] != row.phase || last["reason"] != row.reason || worker.calls != row.calls {
				t.Errorf("%v, again %v, %d calls: %v", err, again, worker.calls, last)
			}
			if row.calls > 0 && (told[0]["phase"] != "processing" || last["attempts"] != int64(1)) {
				t.Errorf("told %v", told)
			}
			if row.again && (last["nextTryAt"] == "" || !strings.Contains(last["message"].(string), "refused")) {
				t.Errorf("told %v", last)
			}
		})
	}
}

func TestWhichSnapshotsAreOurs(t *testing.T) {
	object := func(of, phase string, more ...string) *unstructured.Unstructured {
		metadata := map[string]any{"name": "a", "namespace": "org-a"}
		if len(more) > 0 {
			metadata["deletionTimestamp"] = more[0]
		}
		return &unstructured.Unstructured{Object: map[string]any{
			"metadata": metadata, "spec": map[string]any{"of": of}, "status": map[string]any{"phase": phase},
		}}
	}
	for name, row := range map[string]struct {
		object *unstructured.Unstructured
		want   bool
	}{
		"new":      {object(ofCopy, ""), true},
		"begun":    {object(ofCopy, "processing"), true},
		"done":     {object(ofCopy, "ready"), false},
		"given up": {object(ofCopy, "failed"), false},
		"a node's": {object("Root", ""), false},
		"going":    {object(ofCopy, "", "2026-11-21T10:00:00Z"), false},
	} {
		if _, got := wishOf(row.object); got != row.want {
			t.Errorf("%s: %v", name, got)
		}
	}
}

func TestCopiesOfANamespaceComeOneAfterTheOther(t *testing.T) {
	key := cache.NewObjectName
	order := &turns{waiting: map[string][]cache.ObjectName{}}
	if !order.begin(key("org-a", "1")) || order.begin(key("org-a", "2")) || order.begin(key("org-a", "3")) || order.begin(key("org-a", "2")) {
		t.Error("two of one organisation at once")
	}
	if !order.begin(key("org-b", "1")) {
		t.Error("another organisation waits for it")
	}
	if back := order.end(key("org-a", "1")); len(back) != 2 || back[0] != key("org-a", "2") {
		t.Errorf("comes back: %v", back)
	}
	if !order.begin(key("org-a", "3")) || len(order.end(key("org-b", "1"))) != 0 {
		t.Error("nobody's turn")
	}
}

// A copy that hangs ends.
func TestACopyHasALimit(t *testing.T) {
	clock := &clock{at: time.Now()}
	copies := &Copies{
		log: slog.New(slog.NewJSONHandler(&bytes.Buffer{}, nil)), host: "registry.test",
		metrics: newMetrics(), now: clock.now,
	}
	copies.images = copierFunc(func(ctx context.Context) (copied, error) {
		if _, hasLimit := ctx.Deadline(); !hasLimit {
			return copied{}, errors.New("it may hang for ever")
		}
		return copied{digest: digestA}, nil
	})
	wanted := wish{namespace: "org-a", from: "registry.test/org-a/dev.root@" + digestA, target: "registry.test/org-a/mine:1"}
	if again, err := copies.carryOut(context.Background(), wanted, 0, func(status map[string]any) error {
		t.Log(status["message"])
		return nil
	}); again || err != nil {
		t.Errorf("again %v, %v", again, err)
	}
}

func TestAPanicIsAFailureOfOneCopy(t *testing.T) {
	clock := &clock{at: time.Now()}
	copies := &Copies{
		log: slog.New(slog.NewJSONHandler(&bytes.Buffer{}, nil)), host: "registry.test",
		metrics: newMetrics(), now: clock.now,
	}
	copies.images = copierFunc(func(context.Context) (copied, error) { panic("a manifest nobody thought of") })
	wanted := wish{namespace: "org-a", from: "registry.test/org-a/dev.root@" + digestA, target: "registry.test/org-a/mine:1"}
	said := ""
	again, err := copies.carryOut(context.Background(), wanted, 0, func(status map[string]any) error {
		said = status["message"].(string)
		return nil
	})
	if !again || err != nil || !strings.Contains(said, "panic: a manifest nobody thought of") {
		t.Errorf("again %v, %v: %s", again, err, said)
	}
}

type copierFunc func(ctx context.Context) (copied, error)

func (f copierFunc) copy(ctx context.Context, _, _ string) (copied, error) { return f(ctx) }
