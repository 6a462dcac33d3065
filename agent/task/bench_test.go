package task

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

const token = "the-token-of-this-task"

// bench is a task without a worker: the test says what a worker would.
type bench struct {
	*testing.T
	root            string
	task            *task
	gateway, worker string
}

func newRoot(t testing.TB) string {
	t.Helper()
	root := t.TempDir()
	for _, folder := range []string{"in", "out/parts"} {
		must(t, os.MkdirAll(filepath.Join(root, folder), 0o755))
	}
	must(t, os.WriteFile(filepath.Join(root, "in/door"), []byte(digest(token)+"\n"), 0o444))
	return root
}

func newBench(t *testing.T) *bench {
	t.Helper()
	b := &bench{T: t, root: newRoot(t)}
	made, err := newTask(Options{Root: b.root, Hold: time.Minute, Grace: time.Minute})
	must(t, err)
	b.task = made
	serve := func(handler http.Handler) string {
		server := httptest.NewUnstartedServer(nil)
		server.Config = newWeb(handler)
		server.Start()
		t.Cleanup(func() {
			// Asks that nobody answered end with their connections.
			server.CloseClientConnections()
			server.Close()
		})
		return server.URL
	}
	b.gateway, b.worker = serve(made.outside), serve(made.inside())
	// Before the servers close: they wait for calls in progress.
	t.Cleanup(made.journal.close)
	return b
}

// shorter makes a limit of this package shorter for one test.
func shorter(t *testing.T, limit *time.Duration, to time.Duration) {
	t.Helper()
	before := *limit
	*limit = to
	t.Cleanup(func() { *limit = before })
}

func digest(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

type reply struct {
	status int
	body   string
	err    error
}

func send(method, address, token, body string, headers ...string) reply {
	request, err := http.NewRequest(method, address, strings.NewReader(body))
	if err != nil {
		return reply{err: err}
	}
	if token != "" {
		request.Header.Set("Authorization", token)
	}
	for at := 0; at < len(headers); at += 2 {
		request.Header.Set(headers[at], headers[at+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return reply{err: err}
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return reply{response.StatusCode, string(text), err}
}

// call is one of the gateway's. The parameters are pairs; boot is added.
func (b *bench) call(method, path, body string, params ...string) reply {
	query := url.Values{"boot": {b.task.outside.boot}}
	for at := 0; at < len(params); at += 2 {
		query.Set(params[at], params[at+1])
	}
	return send(method, b.gateway+path+"?"+query.Encode(), "Bearer "+token, body)
}

func (b *bench) wants(what string, got reply, status int, contains string) {
	b.Helper()
	if got.status != status || !strings.Contains(got.body, contains) {
		b.Errorf("%s: %d %q %v, want %d %q", what, got.status, got.body, got.err, status, contains)
	}
}

// write makes a file of the worker's and says so.
func (b *bench) write(path, content string) {
	b.Helper()
	must(b, os.WriteFile(filepath.Join(b.root, path), []byte(content), 0o644))
	b.name(path, content)
}

func (b *bench) name(path, content string) {
	b.Helper()
	hear(b, b.task.journal, fmt.Sprintf(`{"type":"output","path":%q,"name":"x","sha256":%q,"bytes":%d}`+"\n", path, digest(content), len(content)))
}

type told struct {
	Boot  string
	Lines []struct {
		Seq, At int64
		Line    map[string]any
	}
	Refused int64
	Over    *end
}

func understood[T any](t testing.TB, got reply) (value T) {
	t.Helper()
	if got.status != 200 || got.err != nil {
		t.Fatalf("%d %q %v", got.status, got.body, got.err)
	}
	must(t, json.Unmarshal([]byte(got.body), &value))
	return value
}
