package snapshot

import (
	"compress/gzip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	inmemory "github.com/google/go-containerregistry/pkg/registry"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/containerd"
	"gantry.dev/agent/snapshot/host"
	"gantry.dev/agent/snapshot/push"
)

func TestALogIsPushedAsOnePackedLayer(t *testing.T) {
	server := httptest.NewServer(inmemory.New(inmemory.Logger(log.New(io.Discard, "", 0))))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "0.log")
	if err := os.WriteFile(file, []byte("2026-11-23T10:00:00.1Z stdout F boom\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	root, err := host.OpenRoot("/")
	if err != nil {
		t.Fatal(err)
	}
	one := &save{memory: &memory{}, snapshot: &cluster.Snapshot{}, saver: &saver{root: root, logBytes: 1 << 20, registry: &push.Registry{
		Address: strings.TrimPrefix(server.URL, "http://"), Plain: true, Silence: time.Minute, Answer: time.Minute,
	}}}
	kept, err := one.readLog(containerd.Program{LogPath: file, Namespace: "org-a"})
	if err != nil || kept.log.Bytes != 28 || kept.log.IsCut || kept.namespace != "org-a" {
		t.Fatalf("%+v %q %v", kept.log, kept.namespace, err)
	}
	if err := one.pushLog(context.Background(), "org-a/dev.log", "1", kept); err != nil {
		t.Fatal(err)
	}
	get := func(path string) io.ReadCloser {
		answer, err := server.Client().Get(server.URL + "/v2/org-a/dev.log/" + path)
		if err != nil || answer.StatusCode != 200 {
			t.Fatalf("%s: %v %v", path, answer, err)
		}
		return answer.Body
	}
	var manifest struct {
		ArtifactType string
		Layers       []struct{ Digest string }
	}
	if err := json.NewDecoder(get("manifests/1")).Decode(&manifest); err != nil || manifest.ArtifactType != logType || len(manifest.Layers) != 1 {
		t.Fatalf("%+v %v", manifest, err)
	}
	packed, err := gzip.NewReader(get("blobs/" + manifest.Layers[0].Digest))
	if err != nil {
		t.Fatal(err)
	}
	if text, err := io.ReadAll(packed); err != nil || string(text) != "2026-11-23T10:00:00.1Z boom\n" {
		t.Errorf("%q %v", text, err)
	}
}

func TestALogOfNothingIsNotPushed(t *testing.T) {
	one := &save{saver: &saver{}}
	if err := one.pushLog(context.Background(), "org-a/dev.log", "1", keptLog{}); err != nil {
		t.Error(err)
	}
}

func TestAContainerWithoutALogFileHasNone(t *testing.T) {
	if _, err := (&saver{}).readLog(containerd.Program{}); !os.IsNotExist(err) {
		t.Error(err)
	}
}

func TestCapturedLogsAreBounded(t *testing.T) {
	var all captured
	one := keptLog{packed: make([]byte, mostCapturedBytes/4)}
	for i := range 10 {
		all.put(fmt.Sprint(i), one)
		all.put(fmt.Sprint(i), one)
	}
	if _, isThere := all.get("5"); isThere || len(all.logs) != 4 || len(all.order) != 4 || all.bytes != mostCapturedBytes {
		t.Errorf("%d logs, %d bytes", len(all.logs), all.bytes)
	}
	all.put("large", keptLog{packed: make([]byte, mostCapturedBytes+1)})
	if len(all.logs) != 0 || all.bytes != 0 {
		t.Errorf("%d logs, %d bytes", len(all.logs), all.bytes)
	}
	all.put("a", one)
	all.take("a")
	all.take("a")
	if len(all.order) != 0 || all.bytes != 0 {
		t.Errorf("%v %d", all.order, all.bytes)
	}
}

func TestANamespacesManyLogsPushOutItsOwn(t *testing.T) {
	var all captured
	quarter := func(namespace string) keptLog {
		return keptLog{packed: make([]byte, mostCapturedBytes/4), namespace: namespace}
	}
	all.put("quiet", quarter("org-a"))
	for i := range 10 {
		all.put(fmt.Sprint(i), quarter("org-b"))
	}
	for _, container := range []string{"quiet", "7", "8", "9"} {
		if _, isThere := all.get(container); !isThere {
			t.Errorf("the log of %s is gone", container)
		}
	}
	if len(all.order) != 4 {
		t.Errorf("%v", all.order)
	}
}

func TestOnlyTheOrganisationsOwnPlaceTakesItsLogs(t *testing.T) {
	one := &save{saver: &saver{registryName: "registry.test"}, snapshot: &cluster.Snapshot{}}
	one.snapshot.Metadata.Namespace = "org-a"
	for _, name := range []string{"registry.test/org-b/dev.log:1", "elsewhere/org-a/dev.log:1", "registry.test/org-a/dev.log", "registry.test/org-a/dev.log@sha256:1", ""} {
		if _, _, err := one.place("spec.log", name); err == nil {
			t.Errorf("%q was taken", name)
		}
	}
	if repository, tag, err := one.place("spec.log", "registry.test/org-a/dev.log:7"); err != nil || repository != "org-a/dev.log" || tag != "7" {
		t.Error(repository, tag, err)
	}
}

func TestTheEndOfAContainerHoldsNoOtherEventUp(t *testing.T) {
	s := &saver{queue: newQueue(1), ends: make(chan string, 1)}
	// Nobody takes the first one: the second would wait for ever.
	s.ended("first")
	s.ended("second")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		s.captureLogs(ctx)
		close(done)
	}()
	s.ends <- "third"
	s.ends <- "fourth"
	cancel()
	<-done
}
