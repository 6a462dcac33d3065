package registry

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWhatObjectsNameIsNeeded(t *testing.T) {
	const host = "registry.test"
	lists := map[string]string{
		"snapshots":    `{"spec":{"of":"Log","target":"registry.test/org-a/train.job.log:3-1"}}`,
		"gpuinstances": `{"status":{"runs":[{"seq":1,"log":{"image":"registry.test/org-a/dev.log:1"}}]}}`,
		"gpujobs": `{"spec":{"image":"registry.test/org-a/mine:1"},"status":{
			"workers":[{"index":0,"log":{"image":"registry.test/org-a/train.job.log:2-0"}}],
			"runs":[{"seq":1,"workers":[{"index":1,"log":{"image":"registry.test/org-a/train.job.log:1-1"}}]}]}}`,
		"dataprocesses":     `{"status":{"workers":[{"index":0,"log":{"image":"registry.test/org-a/base.dataprocess.log:1-0"}}]}}`,
		"finetunes":         `{"status":{"workers":[{"index":3,"log":{"image":"registry.test/org-a/tuned.finetune.log:1-3"}}]}}`,
		"evaluations":       `{"status":{"workers":[{"index":0,"log":{"image":"registry.test/org-a/asked.evaluation.log:1-0"}}]}}`,
		"containerservices": `{"status":{"revisions":[{"revision":1,"image":"registry.test/org-a/web:1"}]}}`,
		"images":            `{"spec":{"source":"registry.test/official/busybox:1"}}`,
		"pods":              `{"spec":{"containers":[{"image":"registry.test/org-a/started:1"}]}}`,
	}
	api := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, asked *http.Request) {
		path := strings.Split(asked.URL.Path, "/")
		item, isKnown := lists[path[len(path)-1]]
		if !isKnown {
			http.NotFound(answer, asked)
			return
		}
		answer.Header().Set("content-type", "application/json")
		fmt.Fprintf(answer, `{"apiVersion":"v1","kind":"List","metadata":{},"items":[{"apiVersion":"v1","kind":"X","metadata":{"name":"x"},%s]}`, strings.TrimPrefix(item, "{"))
	}))
	defer api.Close()
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":%q}}],"contexts":[{"name":"c","context":{"cluster":"c"}}]}`, api.URL)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	cluster := &Cluster{kubeconfig: kubeconfig}
	found, err := cluster.references(context.Background(), host)
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range []tag{
		{"org-a/train.job.log", "3-1"}, {"org-a/train.job.log", "2-0"}, {"org-a/train.job.log", "1-1"}, {"org-a/dev.log", "1"},
		{"org-a/base.dataprocess.log", "1-0"}, {"org-a/tuned.finetune.log", "1-3"}, {"org-a/asked.evaluation.log", "1-0"}, {"org-a/mine", "1"}, {"org-a/web", "1"}, {"official/busybox", "1"}, {"org-a/started", "1"},
	} {
		if !found.tags[name] {
			t.Errorf("%v would be swept", name)
		}
	}
	delete(lists, "gpujobs")
	if _, err := cluster.references(context.Background(), host); err == nil {
		t.Error("with half of the references too much would be swept")
	}
}
