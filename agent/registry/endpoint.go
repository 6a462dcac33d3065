package registry

import (
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Endpoint issues tokens as the distribution project documents it: by GET with basic authentication, and by POST with a form
// (OAuth2, grant_type=password), which containerd tries first.
type Endpoint struct {
	logins  *Logins
	signer  *Signer
	log     *slog.Logger
	metrics *metrics
	now     func() time.Time
}

type request struct {
	user, password string
	// Neither user nor password came.
	isAnonymous bool
	service     string
	scopes      []string
}

// Names of refusals in the distribution specification.
const (
	unauthorized    = "UNAUTHORIZED"
	tooManyRequests = "TOOMANYREQUESTS"
	unavailable     = "UNAVAILABLE"
	unsupported     = "UNSUPPORTED"
)

const mostBytes = 64 << 10

// When to ask again while the API server is away.
const judgedAgain = 5 * time.Second

func (e *Endpoint) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	start := e.now()
	w.Header().Set("Cache-Control", "no-store")
	asked, err := parseRequest(w, r)
	if err != nil {
		e.metrics.tokens.WithLabelValues("", "bad").Inc()
		refuse(w, http.StatusBadRequest, unsupported, err.Error(), 0)
		return
	}
	who, result := e.answer(w, r, asked)
	e.metrics.tokens.WithLabelValues(string(who.Kind), result).Inc()
	e.metrics.tokenSeconds.Observe(e.now().Sub(start).Seconds())
}

func (e *Endpoint) answer(w http.ResponseWriter, r *http.Request, asked request) (Identity, string) {
	if asked.service != "" && asked.service != e.signer.service {
		refuse(w, http.StatusBadRequest, unsupported, "service: this is "+e.signer.service, 0)
		return Identity{}, "bad"
	}
	who := Identity{Kind: Anonymous}
	if !asked.isAnonymous {
		address, _, _ := net.SplitHostPort(r.RemoteAddr)
		var err error
		if who, err = e.logins.identify(r.Context(), asked.user, asked.password, address); err != nil {
			return Identity{}, e.deny(w, err, asked.user, address)
		}
	}
	granted := grant(who, parseScopes(asked.scopes))
	now := e.now()
	token, err := e.signer.sign(who.Name, granted, now, tokenTTL)
	if err != nil {
		e.log.Error("a token could not be signed", "error", err.Error())
		refuse(w, http.StatusInternalServerError, unavailable, "the token could not be signed", 0)
		return who, "failed"
	}
	writeJSON(w, http.StatusOK, map[string]any{
		"token":        token,
		"access_token": token,
		"expires_in":   int(tokenTTL.Seconds()),
		"issued_at":    now.UTC().Format(time.RFC3339),
		"scope":        spell(granted),
	})
	return who, "granted"
}

// deny refuses, and logs who was refused: never the password.
func (e *Endpoint) deny(w http.ResponseWriter, err error, user, address string) string {
	log := e.log.With("user", printable(user), "address", address)
	var tooMany errTooMany
	switch {
	case errors.Is(err, errDenied):
		log.Warn("a login was refused")
		w.Header().Set("WWW-Authenticate", `Basic realm="gantry"`)
		refuse(w, http.StatusUnauthorized, unauthorized, err.Error(), 0)
		return "denied"
	case errors.As(err, &tooMany):
		refuse(w, http.StatusTooManyRequests, tooManyRequests, err.Error(), tooMany.after)
		return "held back"
	}
	log.Error("a login could not be judged", "error", err.Error())
	refuse(w, http.StatusServiceUnavailable, unavailable, "logins cannot be judged now", judgedAgain)
	return "failed"
}

func parseRequest(w http.ResponseWriter, r *http.Request) (request, error) {
	if r.Method == http.MethodGet {
		query := r.URL.Query()
		user, password, ok := r.BasicAuth()
		if !ok && r.Header.Get("Authorization") != "" {
			return request{}, errors.New("Authorization: must be Basic, or absent")
		}
		return request{user, password, !ok, query.Get("service"), query["scope"]}, nil
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostBytes)
	if err := r.ParseForm(); err != nil {
		return request{}, errors.New("the body must be a form")
	}
	if kind := r.PostForm.Get("grant_type"); kind != "password" {
		return request{}, errors.New("grant_type: must be password")
	}
	user, password := r.PostForm.Get("username"), r.PostForm.Get("password")
	return request{user, password, user == "" && password == "", r.PostForm.Get("service"), r.PostForm["scope"]}, nil
}

func refuse(w http.ResponseWriter, status int, code, message string, after time.Duration) {
	if after > 0 {
		w.Header().Set("Retry-After", strconv.Itoa(int(after.Seconds())+1))
	}
	// "details" is where clients look that know only of OAuth2.
	writeJSON(w, status, map[string]any{
		"errors":  []map[string]string{{"code": code, "message": message}},
		"details": message,
	})
}

func writeJSON(w http.ResponseWriter, status int, body any) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(body)
}

func spell(granted []Access) string {
	words := make([]string, len(granted))
	for i, access := range granted {
		words[i] = fmt.Sprintf("%s:%s:%s", access.Type, access.Name, strings.Join(access.Actions, ","))
	}
	return strings.Join(words, " ")
}

const longestLogged = 80

// printable keeps a log readable, whatever is sent as a name.
func printable(user string) string {
	if len(user) > longestLogged {
		user = user[:longestLogged]
	}
	return strings.ToValidUTF8(user, "?")
}
