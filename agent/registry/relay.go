package registry

import (
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httputil"
	"net/url"
	"strings"
	"time"
)

// front is the one address of the registry. Clients send passwords only to a token address of the very host and port that they ask
// for images (go-containerregistry since 0.22, regctl): so tokens are given beside /v2, which goes on to the registry itself.
func front(relay, token, abandon, metrics http.Handler) http.Handler {
	own := http.NewServeMux()
	own.Handle("GET /token", token)
	own.Handle("POST /token", token)
	own.Handle("POST /abandon", abandon)
	own.Handle("GET /metrics", metrics)
	own.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprintln(w, "ok") })
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// As it is written: the registry, too, reads it before anybody tidies it up.
		if r.URL.Path == "/v2" || strings.HasPrefix(r.URL.Path, "/v2/") {
			relay.ServeHTTP(w, r)
			return
		}
		own.ServeHTTP(w, r)
	})
}

// By these the registry tells clients where it is; it hears what it would hear without us.
var forwarded = []string{"Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Forwarded-Proto"}

// When to ask again while the registry starts.
const answersAgain = 5 * time.Second

// newRelay passes requests on as they are, the host's name included.
func newRelay(to *url.URL, log *slog.Logger) http.Handler {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.Proxy = nil
	transport.DisableCompression = true
	transport.MaxIdleConnsPerHost = 64
	relay := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(to)
			r.Out.Host = r.In.Host
			for _, name := range forwarded {
				if values, ok := r.In.Header[name]; ok {
					r.Out.Header[name] = values
				}
			}
			// The registry believes that an address without this is https.
			if r.Out.Header.Get("X-Forwarded-Proto") == "" {
				r.Out.Header.Set("X-Forwarded-Proto", "http")
			}
		},
		Transport: transport,
		ErrorLog:  slog.NewLogLogger(log.Handler(), slog.LevelWarn),
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() == nil {
				log.Warn("the registry does not answer", "method", r.Method, "path", r.URL.Path, "error", err.Error())
			}
			refuse(w, http.StatusServiceUnavailable, unavailable, "the registry does not answer", answersAgain)
		},
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		// Layers take as long as they take; the limits of serve are for our own answers.
		control := http.NewResponseController(w)
		_ = control.SetReadDeadline(time.Time{})
		_ = control.SetWriteDeadline(time.Time{})
		relay.ServeHTTP(w, r)
	})
}
