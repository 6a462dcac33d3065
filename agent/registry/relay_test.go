package registry

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// relayed is the front of a registry that answers so; it returns its host and port, and what was logged.
func relayed(t *testing.T, token http.Handler, registry http.HandlerFunc) (host string, log *bytes.Buffer) {
	t.Helper()
	behind := httptest.NewServer(registry)
	t.Cleanup(behind.Close)
	to, _ := url.Parse(behind.URL)
	log = &bytes.Buffer{}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	none := http.NotFoundHandler()
	go func() {
		ended <- serve(ctx, listener, front(newRelay(to, slog.New(slog.NewJSONHandler(log, nil))), token, none, none))
	}()
	t.Cleanup(func() { cancel(); <-ended })
	return listener.Addr().String(), log
}

// As distribution does with `autoredirect`.
func challenge(w http.ResponseWriter, r *http.Request) {
	realm := fmt.Sprintf("%s://%s/token", r.Header.Get("X-Forwarded-Proto"), r.Host)
	w.Header().Set("WWW-Authenticate", fmt.Sprintf(`Bearer realm=%q,service="service"`, realm))
	w.WriteHeader(http.StatusUnauthorized)
}

func TestTokensAreGivenWhereTheRegistryIs(t *testing.T) {
	s := set(t)
	host, _ := relayed(t, s, func(w http.ResponseWriter, r *http.Request) {
		if r.Header.Get("Authorization") == "" {
			challenge(w, r)
		}
	})
	_, port, _ := net.SplitHostPort(host)
	for _, row := range []struct{ asked, proto, want string }{
		{host, "", "http://" + host + "/token"},
		{"localhost:" + port, "", "http://localhost:" + port + "/token"},
		{"registry.example.org", "https", "https://registry.example.org/token"},
	} {
		request, _ := http.NewRequest("GET", "http://"+host+"/v2/", nil)
		request.Host = row.asked
		if row.proto != "" {
			request.Header.Set("X-Forwarded-Proto", row.proto)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		realm := regexp.MustCompile(`realm="([^"]*)"`).FindStringSubmatch(answer.Header.Get("WWW-Authenticate"))
		if realm == nil || realm[1] != row.want {
			t.Errorf("%+v: the realm is %v", row, realm)
		}
	}
	// A client of the registry gets its token there.
	registry, _ := name.NewRegistry(host, name.Insecure)
	login := &authn.Basic{Username: "org-acme", Password: "secret-a"}
	client, err := transport.NewWithContext(context.Background(), registry, login, http.DefaultTransport, []string{"repository:org-acme/x:pull"})
	if err != nil {
		t.Fatal(err)
	}
	request, _ := http.NewRequest("GET", "http://"+host+"/v2/org-acme/x/tags/list", nil)
	if answer, err := client.RoundTrip(request); err != nil || answer.StatusCode != 200 {
		t.Errorf("%v %v", answer, err)
	}
}

// Nothing of a request is changed on its way, and an answer is not looked into.
func TestARequestIsPassedOnAsItIs(t *testing.T) {
	host, _ := relayed(t, http.NotFoundHandler(), func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		w.Header().Set("Location", "/elsewhere")
		w.WriteHeader(http.StatusAccepted)
		fmt.Fprintf(w, "%s %s %s %s %q %q", r.Method, r.URL.RequestURI(), r.Host, body, r.Header["Range"], r.Header["Connection"])
	})
	for _, target := range []string{"/v2/", "/v2/org-a/x/blobs/uploads/?mount=sha256:a&from=org-b/y", "/v2/a%2Fb/x?_state=a%3D%3D"} {
		request, _ := http.NewRequest("PATCH", "http://"+host+target, strings.NewReader("content"))
		request.Header.Set("Range", "0-6")
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		text, _ := io.ReadAll(answer.Body)
		answer.Body.Close()
		want := fmt.Sprintf(`PATCH %s %s content ["0-6"] []`, target, host)
		if string(text) != want || answer.StatusCode != http.StatusAccepted || answer.Header.Get("Location") != "/elsewhere" {
			t.Errorf("%d %s, not %s", answer.StatusCode, text, want)
		}
	}
	for target, want := range map[string]int{"/healthz": 200, "/metrics": 404, "/v1/_ping": 404, "/v2x": 404} {
		answer, err := http.Get("http://" + host + target)
		if err != nil {
			t.Fatal(err)
		}
		answer.Body.Close()
		if answer.StatusCode != want {
			t.Errorf("%s: %d", target, answer.StatusCode)
		}
	}
}

// A client's header can neither take the body's length away nor another header of what goes on: the connection behind is shared.
func TestNoHeaderOfAClientChangesWhereARequestEnds(t *testing.T) {
	seen := make(chan string, 10)
	host, _ := relayed(t, http.NotFoundHandler(), func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		seen <- fmt.Sprintf("%s %s %d %s", r.Method, r.URL.Path, len(body), r.Host)
	})
	inner := "GET /v2/smuggled HTTP/1.1\r\nHost: x\r\n\r\n"
	for _, header := range []string{"Connection: content-length", "Connection: host, content-length", "Connection: transfer-encoding"} {
		connection, err := net.Dial("tcp", host)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Fprintf(connection, "POST /v2/x HTTP/1.1\r\nHost: here\r\n%s\r\nContent-Length: %d\r\n\r\n%s", header, len(inner), inner)
		answer, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil || answer.StatusCode != 200 {
			t.Errorf("%s: %v %v", header, answer, err)
		}
		connection.Close()
		if got := <-seen; got != fmt.Sprintf("POST /v2/x %d here", len(inner)) {
			t.Errorf("%s: arrived as %s", header, got)
		}
	}
	if len(seen) > 0 {
		t.Errorf("smuggled: %s", <-seen)
	}
}

func TestALayerMayTakeLongerThanOurOwnAnswers(t *testing.T) {
	s := httptest.NewRecorder()
	control := &deadlines{ResponseWriter: s}
	to, _ := url.Parse("http://127.0.0.1:1")
	newRelay(to, slog.New(slog.NewJSONHandler(io.Discard, nil))).ServeHTTP(control, httptest.NewRequest("PATCH", "/v2/x", nil))
	if control.read == nil || control.write == nil || !control.read.IsZero() || !control.write.IsZero() {
		t.Errorf("ends at %v and %v", control.read, control.write)
	}
	if s.Code != http.StatusServiceUnavailable || s.Header().Get("Retry-After") == "" {
		t.Errorf("without the registry it answers %d", s.Code)
	}
}

type deadlines struct {
	http.ResponseWriter
	read, write *time.Time
}

func (d *deadlines) SetReadDeadline(at time.Time) error  { d.read = &at; return nil }
func (d *deadlines) SetWriteDeadline(at time.Time) error { d.write = &at; return nil }
