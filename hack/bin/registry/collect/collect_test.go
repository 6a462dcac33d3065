package main

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"io"
	"math/rand"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/handlers"
	"github.com/distribution/distribution/v3/registry/storage/driver/factory"
)

// Random pushes, mounts, deletions of tags and passes against each other: what a finished push named is there, always.
func TestNoFinishedPushMissesABlob(t *testing.T) {
	ctx := context.Background()
	// So many passes are longer than a push takes.
	const steps = 60
	const age = steps * time.Hour
	root := t.TempDir()
	config := &configuration.Configuration{Storage: configuration.Storage{
		"filesystem": configuration.Parameters{"rootdirectory": root}, "delete": configuration.Parameters{"enabled": true},
		"maintenance": configuration.Parameters{"uploadpurging": map[any]any{"enabled": false}},
	}}
	config.Log.Level = "fatal"
	config.Log.AccessLog.Disabled = true
	config.HTTP.Secret = "of the test"
	server := httptest.NewServer(handlers.NewApp(ctx, config))
	defer server.Close()
	driver, err := factory.Create(ctx, "filesystem", map[string]any{"rootdirectory": root})
	if err != nil {
		t.Fatal(err)
	}
	call := func(method, where, kind string, body []byte) (int, string, string) {
		if !strings.HasPrefix(where, "http") {
			where = server.URL + where
		}
		request, _ := http.NewRequest(method, where, strings.NewReader(string(body)))
		request.Header.Set("Content-Type", kind)
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Error(err)
			return 0, "", ""
		}
		defer answer.Body.Close()
		text, _ := io.ReadAll(answer.Body)
		return answer.StatusCode, answer.Header.Get("Location"), string(text)
	}
	digestOf := func(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }
	const kind = "application/vnd.oci.image.manifest.v1+json"
	// push skips what the registry says it has, mounts what another repository has, and retries from the start as clients do.
	push := func(random *rand.Rand, repository, tag string) bool {
		contents := [][]byte{fmt.Appendf(nil, `{"config":%d}`, random.Intn(6)), fmt.Appendf(nil, "layer %d", random.Intn(6))}
		var described []map[string]any
		for _, content := range contents {
			digest := digestOf(content)
			described = append(described, map[string]any{"mediaType": "application/octet-stream", "digest": digest, "size": len(content)})
			if status, _, _ := call("HEAD", "/v2/"+repository+"/blobs/"+digest, "", nil); status == 200 {
				continue
			}
			status, where, _ := call("POST", fmt.Sprintf("/v2/%s/blobs/uploads/?mount=%s&from=org-r%d/x", repository, digest, random.Intn(3)), "", nil)
			if status == 201 {
				continue
			}
			if status, _, _ = call("PUT", where+"&digest="+digest, "application/octet-stream", content); status != 201 {
				return false
			}
		}
		manifest, _ := json.Marshal(map[string]any{"schemaVersion": 2, "mediaType": kind, "config": described[0], "layers": described[1:]})
		status, _, _ := call("PUT", "/v2/"+repository+"/manifests/"+tag, kind, manifest)
		if status != 201 {
			return false
		}
		// A finished push, until its tag goes: nobody else has this tag.
		for _, content := range contents {
			digest := digestOf(content)
			if status, _, text := call("GET", "/v2/"+repository+"/blobs/"+digest, "", nil); status != 200 || text != string(content) {
				t.Errorf("%s:%s misses %s: %d", repository, tag, digest, status)
			}
		}
		return true
	}
	var pushing sync.WaitGroup
	pushed := make([]int, 4)
	for worker := range 4 {
		pushing.Add(1)
		go func() {
			defer pushing.Done()
			random := rand.New(rand.NewSource(int64(worker)))
			for range 150 {
				repository, tag := fmt.Sprintf("org-r%d/x", random.Intn(3)), fmt.Sprintf("t%d", worker)
				if push(random, repository, tag) {
					pushed[worker]++
				}
				call("DELETE", "/v2/"+repository+"/manifests/"+tag, "", nil)
			}
		}()
	}
	done := make(chan struct{})
	go func() { pushing.Wait(); close(done) }()
	now := time.Now()
	passes := 0
	for running := true; running; passes++ {
		select {
		case <-done:
			running = false
		default:
		}
		now = now.Add(time.Hour)
		if err := collect(ctx, driver, now, age); err != nil {
			t.Error(err)
		}
	}
	for range 4 * steps {
		now = now.Add(time.Hour)
		if err := collect(ctx, driver, now, age); err != nil {
			t.Error(err)
		}
	}
	c := &collector{driver: driver}
	left, err := c.digestsUnder(ctx, blobs, true)
	for digest := range left {
		// Its empty folder stays: deleting that could take along what is uploaded at that moment.
		if _, err := driver.Stat(ctx, dataOf(digest)); isMissing(err) {
			delete(left, digest)
		}
	}
	if err != nil || len(left) > 0 {
		t.Errorf("%v; nothing names %d blobs, and they stay", err, len(left))
	}
	t.Logf("finished pushes: %v, passes: %d", pushed, passes)
	for _, each := range pushed {
		if each == 0 {
			t.Error("a worker finished no push")
		}
	}
}
