package push

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	inmemory "github.com/google/go-containerregistry/pkg/registry"
)

func digestOf(content []byte) string {
	sum := sha256.Sum256(content)
	return "sha256:" + hex.EncodeToString(sum[:])
}

// against serves a registry whose answers `fault` may replace; false: it leaves the call to the registry.
func against(t *testing.T, fault func(answer http.ResponseWriter, request *http.Request) bool) *Registry {
	t.Helper()
	registry := inmemory.New(inmemory.Logger(log.New(io.Discard, "", 0)))
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
		if fault == nil || !fault(answer, request) {
			registry.ServeHTTP(answer, request)
		}
	}))
	t.Cleanup(server.Close)
	return &Registry{Address: strings.TrimPrefix(server.URL, "http://"), Plain: true, Silence: time.Minute, Answer: time.Minute}
}

func open(t *testing.T, registry *Registry) *Repository {
	t.Helper()
	repository, err := registry.Open(context.Background(), "org-a/dev.root", nil)
	if err != nil {
		t.Fatal(err)
	}
	return repository
}

func upload(repository *Repository, content []byte) error {
	return repository.Upload(context.Background(), bytes.NewReader(content), func() string { return digestOf(content) })
}

func TestABlobIsThereOnceItIsPushed(t *testing.T) {
	repository := open(t, against(t, nil))
	content := bytes.Repeat([]byte("x"), 3<<20)
	digest := digestOf(content)
	if has, err := repository.Has(context.Background(), digest, int64(len(content))); has || err != nil {
		t.Fatalf("before: %v %v", has, err)
	}
	if err := upload(repository, content); err != nil {
		t.Fatal(err)
	}
	if has, err := repository.Has(context.Background(), digest, int64(len(content))); !has || err != nil {
		t.Fatalf("after: %v %v", has, err)
	}
	if has, err := repository.Has(context.Background(), digest, 5); has || err != nil {
		t.Fatalf("with another size: %v %v", has, err)
	}
	manifest := []byte(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{},"layers":[]}`)
	const kind = "application/vnd.oci.image.manifest.v1+json"
	if err := repository.PutManifest(context.Background(), "1", kind, manifest); err != nil {
		t.Fatal(err)
	}
	back, err := repository.Manifest(context.Background(), digestOf(manifest), kind)
	if err != nil || !bytes.Equal(back, manifest) {
		t.Fatalf("read back: %s %v", back, err)
	}
}

// Possible answers of a registry, and our sentences about them.
func TestFaultsAreSaidInWords(t *testing.T) {
	full := `{"errors":[{"code":"UNKNOWN","message":"unknown error","detail":{"Err":"write /data: no space left on device"}}]}`
	rows := map[string]struct {
		status     int
		retryAfter string
		body       string
		says       string
		wait       time.Duration
	}{
		"a full disk as distribution says it": {500, "", full, "storage is full", 0},
		"a full disk by its own status":       {507, "", "", "storage is full", 0},
		"too many at once":                    {429, "7", "", "asks to wait", 7 * time.Second},
		"closed for a sweep":                  {503, "30", "", "asks to wait", 30 * time.Second},
		"no right to push":                    {403, "", "", "refuses the agent's login", 0},
		"broken":                              {502, "", "", "502", 0},
	}
	for name, row := range rows {
		t.Run(name, func(t *testing.T) {
			repository := open(t, against(t, func(answer http.ResponseWriter, request *http.Request) bool {
				if request.Method != http.MethodPatch {
					return false
				}
				if row.retryAfter != "" {
					answer.Header().Set("Retry-After", row.retryAfter)
				}
				answer.WriteHeader(row.status)
				io.WriteString(answer, row.body)
				return true
			}))
			err := upload(repository, bytes.Repeat([]byte("x"), 1<<20))
			var said *Error
			if !errors.As(err, &said) || !strings.Contains(said.Sentence, row.says) || said.RetryAfter != row.wait || said.IsFull != strings.Contains(row.says, "full") {
				t.Fatalf("%#v", err)
			}
		})
	}
}

func TestARegistryThatIsNotThereIsSaidInWords(t *testing.T) {
	registry := against(t, nil)
	registry.Address = "127.0.0.1:1"
	_, err := registry.Open(context.Background(), "org-a/dev.root", nil)
	if err == nil || !strings.Contains(err.Error(), "cannot be reached") {
		t.Fatal(err)
	}
}

// A connection on which nothing moves ends; one on which something moves does not, however long it takes.
func TestOnlySilenceEndsAnUpload(t *testing.T) {
	var stalls atomic.Bool
	ended := make(chan struct{})
	registry := against(t, func(_ http.ResponseWriter, request *http.Request) bool {
		if request.Method == http.MethodPatch && stalls.Load() {
			<-ended
			return true
		}
		return false
	})
	// Before the server waits for its calls to end.
	t.Cleanup(func() { close(ended) })
	// Each pause is far below the limit, and their sum is above it.
	const allowed, pieces, pause = 3 * time.Second, 12, 300 * time.Millisecond
	registry.Silence, registry.Answer = allowed, allowed
	repository := open(t, registry)
	piece := bytes.Repeat([]byte("x"), 1<<10)
	slow := &slowly{pieces: pieces, piece: piece, pause: pause}
	whole := bytes.Repeat(piece, pieces)
	if err := repository.Upload(context.Background(), slow, func() string { return digestOf(whole) }); err != nil {
		t.Fatalf("slow and steady: %v", err)
	}
	stalls.Store(true)
	err := upload(repository, bytes.Repeat([]byte("x"), 8<<20))
	if err == nil || !strings.Contains(err.Error(), "said nothing for") {
		t.Fatalf("silent: %v", err)
	}
}

type slowly struct {
	pieces int
	piece  []byte
	pause  time.Duration
}

func (s *slowly) Read(into []byte) (int, error) {
	if s.pieces == 0 {
		return 0, io.EOF
	}
	s.pieces--
	time.Sleep(s.pause)
	return copy(into, s.piece), nil
}

// A tenant's files go to the registry and nowhere else, whatever its answers say.
func TestAnUploadIsNotSentToAnotherHost(t *testing.T) {
	var elsewhere atomic.Int32
	other := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, _ *http.Request) {
		elsewhere.Add(1)
		answer.WriteHeader(http.StatusAccepted)
	}))
	defer other.Close()
	repository := open(t, against(t, func(answer http.ResponseWriter, request *http.Request) bool {
		if request.Method != http.MethodPost {
			return false
		}
		answer.Header().Set("Location", other.URL+"/v2/upload")
		answer.WriteHeader(http.StatusAccepted)
		return true
	}))
	if err := upload(repository, []byte("x")); err == nil || elsewhere.Load() != 0 {
		t.Fatalf("%v, %d calls elsewhere", err, elsewhere.Load())
	}
}

// The token is what the file holds at the time of the save, and no error shows it.
func TestTheLoginIsReadAnew(t *testing.T) {
	file := filepath.Join(t.TempDir(), "token")
	var seen []string
	var scopes url.Values
	var address string
	registry := against(t, func(answer http.ResponseWriter, request *http.Request) bool {
		if request.URL.Path == "/token" {
			_, password, _ := request.BasicAuth()
			seen = append(seen, password)
			scopes = request.URL.Query()
			if password != "second" {
				answer.WriteHeader(http.StatusUnauthorized)
				return true
			}
			io.WriteString(answer, `{"token":"let me in"}`)
			return true
		}
		if request.Header.Get("Authorization") == "Bearer let me in" {
			return false
		}
		answer.Header().Set("WWW-Authenticate", `Bearer realm="http://`+address+`/token",service="registry"`)
		answer.WriteHeader(http.StatusUnauthorized)
		return true
	})
	address, registry.TokenFile = registry.Address, file
	os.WriteFile(file, []byte("first\n"), 0o600)
	_, err := registry.Open(context.Background(), "org-a/dev.root", nil)
	if err == nil || !strings.Contains(err.Error(), "refuses the agent's login") || strings.Contains(err.Error(), "first") {
		t.Fatalf("with an old token: %v", err)
	}
	os.WriteFile(file, []byte("second\n"), 0o600)
	repository, err := registry.Open(context.Background(), "org-a/dev.root", []string{"official/busybox"})
	if err != nil {
		t.Fatal(err)
	}
	if err := upload(repository, []byte("x")); err != nil {
		t.Fatal(err)
	}
	want := "repository:org-a/dev.root:pull,push repository:official/busybox:pull"
	if have := strings.Join(scopes["scope"], " "); have != want {
		t.Errorf("asks for %q", have)
	}
}

// A registry that asked to wait answers again, and what was sent is still there: not a byte is sent twice.
func TestAnUploadIsFinishedWhenTheRegistryAnswersAgain(t *testing.T) {
	var puts, sent atomic.Int32
	busy := func(answer http.ResponseWriter) bool {
		answer.Header().Set("Retry-After", "1")
		answer.WriteHeader(http.StatusServiceUnavailable)
		return true
	}
	repository := open(t, against(t, func(answer http.ResponseWriter, request *http.Request) bool {
		switch {
		case request.Method == http.MethodPatch:
			sent.Add(1)
		case request.Method == http.MethodPut && puts.Add(1)%2 == 1:
			return busy(answer)
		}
		return false
	}))
	if err := upload(repository, []byte("x")); err != nil || sent.Load() != 1 || puts.Load() != 2 {
		t.Fatalf("%v after %d uploads and %d tries to finish", err, sent.Load(), puts.Load())
	}
	manifest := []byte(`{"schemaVersion":2,"mediaType":"application/vnd.oci.image.manifest.v1+json","config":{},"layers":[]}`)
	if err := repository.PutManifest(context.Background(), "1", "application/vnd.oci.image.manifest.v1+json", manifest); err != nil {
		t.Fatal(err)
	}
}

// A token that may end while a layer is begun is replaced before, not in the midst of it.
func TestAnUploadBeginsWithAYoungToken(t *testing.T) {
	var logins atomic.Int32
	repository := open(t, against(t, func(_ http.ResponseWriter, request *http.Request) bool {
		if request.URL.Path == "/v2/" {
			logins.Add(1)
		}
		return false
	}))
	for _, age := range []time.Duration{0, time.Minute} {
		before := logins.Load()
		repository.loggedIn = time.Now().Add(-age)
		if err := upload(repository, []byte("x")); err != nil || (logins.Load() > before) != (age > 0) {
			t.Errorf("%s old: %v, %d logins", age, err, logins.Load()-before)
		}
	}
}
