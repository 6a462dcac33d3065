package askmodel

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"
)

func TestAsks(t *testing.T) {
	for task, path := range map[string]string{"Generate": "/v1/completions", "Embed": "/v1/embeddings", "Rerank": "/v1/rerank"} {
		engine := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			var body struct{ Model string }
			if json.NewDecoder(r.Body).Decode(&body) != nil || body.Model != "chat" || r.URL.Path != path {
				w.WriteHeader(400)
			}
		}))
		if err := Once(engine.URL, "chat", task, time.Second); err != nil {
			t.Errorf("%s: %v", task, err)
		}
		engine.Close()
	}
}

func TestSaysWhatIsWrong(t *testing.T) {
	loading := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		http.Error(w, "Loading model", 503)
	}))
	defer loading.Close()
	hanging := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Only then does the server notice that the caller has gone.
		_, _ = io.Copy(io.Discard, r.Body)
		<-r.Context().Done()
	}))
	defer hanging.Close()
	for _, row := range []struct{ url, task, says string }{
		{loading.URL, "Generate", "503: Loading model"},
		{hanging.URL, "Generate", "does not answer"},
		{"http://127.0.0.1:1", "Embed", "does not answer"},
		{loading.URL, "Sing", `"Sing" is none`},
	} {
		if err := Once(row.url, "chat", row.task, 50*time.Millisecond); err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%v, wanted %s", err, row.says)
		}
	}
}
