package registry

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gantry.dev/agent/snapshot/push"
)

// realRegistry starts the distribution that `make up` has built, with our tokens; without one the test is left out.
func realRegistry(t *testing.T, s stage, realm string) (address, storage string) {
	t.Helper()
	cache, _ := os.UserCacheDir()
	built, _ := filepath.Glob(cache + "/gantry/bin/registry-*/registry")
	if len(built) == 0 {
		t.Skip("there is no registry here; make up builds one")
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address, storage = free.Addr().String(), t.TempDir()
	free.Close()
	x, y := make([]byte, 32), make([]byte, 32)
	s.key.X.FillBytes(x)
	s.key.Y.FillBytes(y)
	keys, _ := json.Marshal(map[string]any{"keys": []any{map[string]string{
		"kty": "EC", "crv": "P-256", "alg": "ES256", "use": "sig", "kid": thumbprint(&s.key.PublicKey),
		"x": base64.RawURLEncoding.EncodeToString(x), "y": base64.RawURLEncoding.EncodeToString(y),
	}}})
	trusted, config := filepath.Join(t.TempDir(), "keys"), filepath.Join(t.TempDir(), "config")
	text, _ := json.Marshal(map[string]any{
		"version": "0.1", "log": map[string]any{"level": "error", "accesslog": map[string]any{"disabled": true}},
		"storage": map[string]any{"filesystem": map[string]any{"rootdirectory": storage}, "delete": map[string]any{"enabled": true}},
		"http":    map[string]any{"addr": address},
		"auth": map[string]any{"token": map[string]any{
			"realm": realm, "service": "service", "issuer": "issuer", "jwks": trusted, "signingalgorithms": []string{"ES256"},
		}},
	})
	if os.WriteFile(trusted, keys, 0o600) != nil || os.WriteFile(config, text, 0o600) != nil {
		t.Fatal("no files")
	}
	run := exec.Command(built[len(built)-1], "serve", config)
	run.Env = append(os.Environ(), "OTEL_TRACES_EXPORTER=none")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Process.Kill(); _ = run.Wait() })
	for range 400 {
		if connection, err := net.Dial("tcp", address); err == nil {
			connection.Close()
			return address, storage
		}
		time.Sleep(25 * time.Millisecond)
	}
	t.Fatal("the registry does not come up")
	return "", ""
}

// breaks yields some bytes, and then none ever.
type breaks struct{ left int }

func (b *breaks) Read(into []byte) (int, error) {
	if b.left == 0 {
		return 0, errors.New("a file that cannot be read")
	}
	n := min(len(into), b.left)
	b.left -= n
	return n, nil
}

// uploadsIn are those whose bytes are there; of one that is given up distribution leaves the state of its digest, 108 bytes.
func uploadsIn(t *testing.T, storage string) (found []string) {
	t.Helper()
	found, err := filepath.Glob(storage + "/docker/registry/v2/repositories/org-acme/dev.root/_uploads/*/data")
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// The agent has no delete permission, and its incomplete upload is removed anyway.
func TestABrokenUploadLeavesNothing(t *testing.T) {
	s := set(t)
	mux := http.NewServeMux()
	mux.Handle("/token", s.Endpoint)
	tokens := httptest.NewServer(mux)
	defer tokens.Close()
	address, storage := realRegistry(t, s, tokens.URL+"/token")
	where, _ := url.Parse("http://" + address)
	images, err := newImages(where, s.signer)
	if err != nil {
		t.Fatal(err)
	}
	mux.Handle("POST /abandon", &Abandon{logins: s.logins, images: images, log: s.Endpoint.log})

	token := accountToken(t, accountsIn+"gantry-agent", audience, time.Now().Add(time.Hour))
	s.server.users[token] = accountsIn + "gantry-agent"
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte(token), 0o600); err != nil {
		t.Fatal(err)
	}
	agent := &push.Registry{Address: address, Plain: true, TokenFile: file, Silence: time.Minute, Answer: time.Minute}
	to, err := agent.Open(context.Background(), "org-acme/dev.root", nil)
	if err != nil {
		t.Fatal(err)
	}
	absent := "sha256:" + strings.Repeat("0", 64)
	for name, body := range map[string]io.Reader{
		"files that cannot be read": &breaks{3 << 20}, "nothing that could be sent": &breaks{}, "another digest": bytes.NewReader(make([]byte, 1<<20)),
	} {
		if err := to.Upload(context.Background(), body, func() string { return absent }); err == nil {
			t.Errorf("%s: uploaded", name)
		}
		if left := uploadsIn(t, storage); len(left) > 0 {
			t.Errorf("%s: %d uploads are left", name, len(left))
		}
	}
	// A complete upload is accepted, reads back, and leaves no upload either.
	content := []byte("whole")
	digest := fmt.Sprintf("sha256:%x", digestOf(string(content)))
	if err := to.Upload(context.Background(), bytes.NewReader(content), func() string { return digest }); err != nil {
		t.Fatal(err)
	}
	if wrong, err := to.Compare(context.Background(), digest, int64(len(content))); err != nil || wrong != "" || len(uploadsIn(t, storage)) > 0 {
		t.Errorf("%s %v", wrong, err)
	}
	torn := strings.TrimPrefix(digest, "sha256:")
	if err := os.WriteFile(storage+"/docker/registry/v2/blobs/sha256/"+torn[:2]+"/"+torn+"/data", []byte("wholE"), 0o644); err != nil {
		t.Fatal(err)
	}
	if wrong, err := to.Compare(context.Background(), digest, int64(len(content))); err != nil || !strings.Contains(wrong, "5 of 5 bytes") {
		t.Errorf("torn: %q %v", wrong, err)
	}
}

func TestOnlyThePlatformsAccountsGiveUploadsUp(t *testing.T) {
	s := set(t)
	const upload = "/v2/org-acme/dev.root/blobs/uploads/01234567-89ab-cdef-0123-456789abcdef"
	gone := &goneUploads{}
	abandon := &Abandon{logins: s.logins, images: gone, log: s.Endpoint.log}
	for name, row := range map[string]struct {
		user, password, upload string
		status                 int
	}{
		"the platform":            {"platform", "staff", upload, 204},
		"an organisation's own":   {"org-acme", "secret-a", upload, 403},
		"nobody":                  {"", "", upload, 403},
		"a wrong password":        {"platform", "stuff", upload, 403},
		"a manifest":              {"platform", "staff", "/v2/org-acme/dev.root/manifests/1", 400},
		"a blob":                  {"platform", "staff", "/v2/org-acme/dev.root/blobs/sha256:00", 400},
		"a way out of repository": {"platform", "staff", "/v2/../x/blobs/uploads/01234567-89ab-cdef-0123-456789abcdef", 400},
	} {
		request := httptest.NewRequest("POST", "/abandon", strings.NewReader(url.Values{"upload": {row.upload}}.Encode()))
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.SetBasicAuth(row.user, row.password)
		recorder := httptest.NewRecorder()
		*gone = nil
		abandon.ServeHTTP(recorder, request)
		if recorder.Code != row.status || (row.status == 204) != (len(*gone) == 1) {
			t.Errorf("%s: %d, %v", name, recorder.Code, *gone)
		}
	}
}

type goneUploads []string

func (g *goneUploads) abandon(_ context.Context, repository, upload string) error {
	*g = append(*g, repository+" "+upload)
	return nil
}
