package registry

import (
	"bytes"
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/golang-jwt/jwt/v5"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
)

// A clock that tests step by hand.
type clock struct {
	mutex sync.Mutex
	at    time.Time
}

func (c *clock) now() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	return c.at
}

func (c *clock) step(by time.Duration) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.at = c.at.Add(by)
}

// An API server of two answers.
type server struct {
	passwords map[string]string
	// By token.
	users           map[string]string
	down            bool
	asked, reviewed int
	unmanaged       bool
}

func (s *server) secret(_ context.Context, namespace, _ string) (*unstructured.Unstructured, error) {
	s.asked++
	if s.down {
		return nil, errors.New("connection refused")
	}
	password, ok := s.passwords[namespace]
	if !ok {
		// Without a namespace there is no Role.
		return nil, apierrors.NewForbidden(schema.GroupResource{Resource: "secrets"}, pullSecret, nil)
	}
	login := fmt.Sprintf(`{"auths":{"registry.test":{"username":%q,"password":%q}}}`, namespace, password)
	object := map[string]any{
		"metadata": map[string]any{"labels": map[string]any{managedLabel: "true"}},
		"data":     map[string]any{".dockerconfigjson": base64.StdEncoding.EncodeToString([]byte(login))},
	}
	if s.unmanaged {
		delete(object, "metadata")
	}
	return &unstructured.Unstructured{Object: object}, nil
}

func (s *server) review(_ context.Context, token string) (string, []string, bool, error) {
	s.reviewed++
	if s.down {
		return "", nil, false, errors.New("connection refused")
	}
	user, ok := s.users[token]
	return user, []string{audience}, ok, nil
}

type stage struct {
	*Endpoint
	clock  *clock
	server *server
	key    *ecdsa.PrivateKey
	log    *bytes.Buffer
	file   string
}

func set(t *testing.T) stage {
	t.Helper()
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	der, _ := x509.MarshalPKCS8PrivateKey(key)
	folder := t.TempDir()
	keyFile, passwordFile := filepath.Join(folder, "key"), filepath.Join(folder, "password")
	text := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: der})
	if os.WriteFile(keyFile, text, 0o600) != nil || os.WriteFile(passwordFile, []byte("staff\n"), 0o600) != nil {
		t.Fatal("no files")
	}
	signer, err := newSigner(keyFile, "issuer", "service")
	if err != nil {
		t.Fatal(err)
	}
	clock := &clock{at: time.Now()}
	server := &server{passwords: map[string]string{"org-acme": "secret-a"}, users: map[string]string{}}
	logins := newLogins(nil, "registry.test", passwordFile, clock.now)
	logins.passwords.cluster, logins.reviews.cluster = server, server
	log := &bytes.Buffer{}
	return stage{
		&Endpoint{logins, signer, slog.New(slog.NewJSONHandler(log, nil)), newMetrics(), clock.now},
		clock, server, key, log, passwordFile,
	}
}

type answer struct {
	status int
	header http.Header
	Token  string `json:"token"`
	Access string `json:"access_token"`
	Scope  string `json:"scope"`
	TTL    int    `json:"expires_in"`
	Errors []struct{ Code, Message string }
}

func (s stage) ask(t *testing.T, request *http.Request) answer {
	t.Helper()
	recorder := httptest.NewRecorder()
	s.ServeHTTP(recorder, request)
	got := answer{status: recorder.Code, header: recorder.Header()}
	body, _ := io.ReadAll(recorder.Body)
	if err := json.Unmarshal(body, &got); err != nil {
		t.Fatalf("%s: %v", body, err)
	}
	return got
}

func get(user, password string, scopes ...string) *http.Request {
	request := httptest.NewRequest("GET", "/token?"+url.Values{"service": {"service"}, "scope": scopes}.Encode(), nil)
	if user != "" || password != "" {
		request.SetBasicAuth(user, password)
	}
	return request
}

func post(form url.Values) *http.Request {
	request := httptest.NewRequest("POST", "/token", strings.NewReader(form.Encode()))
	request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	return request
}

func (s stage) read(t *testing.T, token string) claims {
	t.Helper()
	var found claims
	parser := jwt.NewParser(jwt.WithTimeFunc(s.clock.now), jwt.WithValidMethods([]string{"ES256"}))
	parsed, err := parser.ParseWithClaims(token, &found, func(*jwt.Token) (any, error) { return &s.key.PublicKey, nil })
	if err != nil {
		t.Fatal(err)
	}
	if parsed.Header["kid"] != thumbprint(&s.key.PublicKey) {
		t.Errorf("the key is named %v", parsed.Header["kid"])
	}
	return found
}

func TestATokenSaysWhatItsBearerMay(t *testing.T) {
	s := set(t)
	got := s.ask(t, get("org-acme", "secret-a", "repository:org-acme/work:pull,push", "repository:org-other/work:pull"))
	said := s.read(t, got.Token)
	if got.status != 200 || got.Access != got.Token || got.Scope != "repository:org-acme/work:pull" || got.TTL != 300 {
		t.Errorf("answered %+v", got)
	}
	lives := said.ExpiresAt.Sub(said.IssuedAt.Time)
	if said.Issuer != "issuer" || said.Audience[0] != "service" || said.Subject != "org-acme" || said.ID == "" || lives != tokenTTL {
		t.Errorf("says %+v", said)
	}
	if spell(said.Access) != got.Scope {
		t.Errorf("grants %v", said.Access)
	}
	if s.read(t, s.ask(t, get("", "")).Token).ID == said.ID {
		t.Error("two tokens have one name")
	}
}

func TestWhatIsAsked(t *testing.T) {
	const mine = "repository:org-acme/work:pull"
	form := func(pairs ...string) url.Values {
		values := url.Values{"grant_type": {"password"}, "service": {"service"}, "scope": {mine}}
		for i := 0; i < len(pairs); i += 2 {
			values.Set(pairs[i], pairs[i+1])
		}
		return values
	}
	broken := get("", "", mine)
	broken.Header.Set("Authorization", "Bearer x")
	other := httptest.NewRequest("GET", "/token?service=other", nil)
	for name, row := range map[string]struct {
		request *http.Request
		status  int
		scope   string
	}{
		"nobody gets a token for nothing":      {get("", "", mine), 200, ""},
		"the right password":                   {get("org-acme", "secret-a", mine), 200, mine},
		"a wrong password":                     {get("org-acme", "secret-b", mine), 401, ""},
		"no password":                          {get("org-acme", "", mine), 401, ""},
		"an organisation that is not there":    {get("org-other", "secret-a", mine), 401, ""},
		"a name of no organisation":            {get("kube-system", "secret-a", mine), 401, ""},
		"no name":                              {get("", "secret-a", mine), 401, ""},
		"the platform":                         {get("platform", "staff", mine), 200, mine},
		"the platform, wrongly":                {get("platform", "stuff", mine), 401, ""},
		"the platform, with nothing":           {get("platform", "", mine), 401, ""},
		"a token that is none":                 {get("serviceaccount", "x", mine), 401, ""},
		"by form":                              {post(form("username", "org-acme", "password", "secret-a")), 200, mine},
		"by form, wrongly":                     {post(form("username", "org-acme", "password", "x")), 401, ""},
		"by form, nobody":                      {post(form()), 200, ""},
		"by form, with what we never gave out": {post(form("grant_type", "refresh_token")), 400, ""},
		"with something else than Basic":       {broken, 400, ""},
		"for another service":                  {other, 400, ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := set(t).ask(t, row.request)
			if got.status != row.status || got.Scope != row.scope {
				t.Errorf("answered %+v", got)
			}
			if row.status != 200 && (len(got.Errors) != 1 || got.Token != "") {
				t.Errorf("refused with %+v", got)
			}
		})
	}
}

func TestARefusalGivesNoHint(t *testing.T) {
	s := set(t)
	scope := "repository:org-acme/work:pull"
	wrong, absent := s.ask(t, get("org-acme", "x", scope)), s.ask(t, get("org-absent", "x", scope))
	if fmt.Sprint(wrong) != fmt.Sprint(absent) {
		t.Errorf("%v differs from %v", wrong, absent)
	}
	there := s.ask(t, get("org-acme", "secret-a", "repository:org-other/work:pull"))
	s.server.passwords["org-other"] = "b"
	s.clock.step(passwordsFor)
	again := s.ask(t, get("org-acme", "secret-a", "repository:org-other/work:pull"))
	if there.status != again.status || there.Scope != again.Scope {
		t.Error("an organisation's being there shows in another's token")
	}
}

func TestANewPasswordIsKnownSoon(t *testing.T) {
	s := set(t)
	login := func(password string) int { return s.ask(t, get("org-acme", password)).status }
	if login("secret-a") != 200 || login("secret-a") != 200 || s.server.asked != 1 {
		t.Fatalf("asked %d times", s.server.asked)
	}
	s.server.passwords["org-acme"] = "secret-b"
	s.clock.step(passwordsFor)
	if login("secret-b") != 200 || login("secret-a") != 401 {
		t.Error("the old password is still the one")
	}
	// One that was looked for before it was there.
	if s.ask(t, get("org-new", "n")).status != 401 {
		t.Error("an absent organisation was let in")
	}
	s.server.passwords["org-new"] = "n"
	s.clock.step(passwordsFor)
	if s.ask(t, get("org-new", "n")).status != 200 {
		t.Error("a new organisation is not let in")
	}
}

func TestASecretOfATenantsIsNoPassword(t *testing.T) {
	s := set(t)
	s.server.unmanaged = true
	if got := s.ask(t, get("org-acme", "secret-a")); got.status != 401 {
		t.Errorf("answered %d", got.status)
	}
}

func TestWithoutTheAPIServer(t *testing.T) {
	s := set(t)
	s.server.down = true
	got := s.ask(t, get("org-acme", "secret-a"))
	if got.status != 503 || got.header.Get("Retry-After") == "" {
		t.Errorf("answered %+v", got)
	}
	if s.ask(t, get("platform", "staff")).status != 200 || s.ask(t, get("", "")).status != 200 {
		t.Error("who needs no API server is not let in either")
	}
	s.server.down = false
	if s.ask(t, get("org-acme", "secret-a")).status != 200 {
		t.Error("it is not asked again")
	}
}

func accountToken(t *testing.T, account, aud string, end time.Time) string {
	t.Helper()
	token, err := jwt.NewWithClaims(jwt.SigningMethodHS256, jwt.RegisteredClaims{
		Subject: account, Audience: jwt.ClaimStrings{aud}, ExpiresAt: jwt.NewNumericDate(end),
	}).SignedString([]byte("not looked at here"))
	if err != nil {
		t.Fatal(err)
	}
	return token
}

func TestServiceAccountsAreReviewed(t *testing.T) {
	s := set(t)
	account := accountsIn + "gantry-agent"
	hour := s.clock.now().Add(time.Hour)
	token := accountToken(t, account, audience, hour)
	s.server.users[token] = account
	scope := "repository:org-acme/dev.root:pull,push"
	if got := s.ask(t, get(serviceUser, token, scope)); got.status != 200 || got.Scope != scope {
		t.Fatalf("answered %+v", got)
	}
	s.ask(t, get(serviceUser, token))
	if s.server.reviewed != 1 {
		t.Errorf("reviewed %d times", s.server.reviewed)
	}
	delete(s.server.users, token)
	s.clock.step(longestCache)
	if s.ask(t, get(serviceUser, token)).status != 401 {
		t.Error("a revoked token is taken")
	}
	// Nothing that could not be ours is worth a question.
	before := s.server.reviewed
	for _, other := range []string{
		"", "x", accountToken(t, accountsIn+"gantry-operator", audience, hour), accountToken(t, account, "other", hour),
		accountToken(t, "system:serviceaccount:org-acme:ann", "other", hour), accountToken(t, "system:serviceaccount:default:ann", audience, hour),
		accountToken(t, "system:serviceaccount:org-acme", audience, hour), accountToken(t, "org-acme:ann", audience, hour),
	} {
		s.server.users[other] = account
		if s.ask(t, get(serviceUser, other)).status != 401 {
			t.Errorf("%q is let in", other)
		}
	}
	if s.server.reviewed != before {
		t.Error("the API server was asked")
	}
	// One that lies about whose it is.
	lie := accountToken(t, account, audience, hour) + "x"
	s.server.users[lie] = accountsIn + "default"
	if s.ask(t, get(serviceUser, lie)).status != 401 {
		t.Error("a lie is believed")
	}
}

// The gateway reads logs for the platform's staff by an account of theirs, which sees logs alone.
func TestStaffPullKeptLogs(t *testing.T) {
	s := set(t)
	account := accountsIn + "gantry-staff"
	token := accountToken(t, account, audience, s.clock.now().Add(time.Hour))
	s.server.users[token] = account
	scope := "repository:org-acme/dev.log:pull"
	if got := s.ask(t, get(serviceUser, token, scope, "repository:org-acme/dev.root:pull")); got.status != 200 || got.Scope != scope {
		t.Fatalf("answered %+v", got)
	}
}

// The gateway reads logs as a member, by a token of the member's account that is for the registry alone.
func TestAMembersAccountPullsWhatIsTheOrganisations(t *testing.T) {
	s := set(t)
	ann := "system:serviceaccount:org-acme:ann"
	token := accountToken(t, ann, audience, s.clock.now().Add(time.Hour))
	s.server.users[token] = ann
	for _, one := range []struct{ asked, granted string }{
		{"repository:org-acme/dev.log:pull", "repository:org-acme/dev.log:pull"},
		{"repository:org-acme/dev.log:pull,push,delete", "repository:org-acme/dev.log:pull"},
		{"repository:org-foe/dev.log:pull", ""}, {"repository:org-acme2/dev.log:pull", ""}, {"registry:catalog:*", ""},
	} {
		if got := s.ask(t, get(serviceUser, token, one.asked)); got.status != 200 || got.Scope != one.granted {
			t.Errorf("%s: answered %+v", one.asked, got)
		}
	}
	// The API server says whose a token is, and one that claims to be another's is nobody's.
	lie := accountToken(t, "system:serviceaccount:org-foe:ann", audience, s.clock.now().Add(time.Hour))
	for _, user := range []string{ann, accountsIn + "gantry-agent"} {
		s.server.users[lie] = user
		if s.ask(t, get(serviceUser, lie)).status != 401 {
			t.Errorf("a token that claims another's name is taken for %s", user)
		}
	}
}

func TestATokenIsForgottenBeforeItEnds(t *testing.T) {
	s := set(t)
	account := accountsIn + "gantry-agent"
	token := accountToken(t, account, audience, s.clock.now().Add(beforeEnd+5*time.Second))
	s.server.users[token] = account
	s.ask(t, get(serviceUser, token))
	s.clock.step(6 * time.Second)
	s.ask(t, get(serviceUser, token))
	if s.server.reviewed != 2 {
		t.Errorf("reviewed %d times", s.server.reviewed)
	}
}

func TestWhoFailsOftenIsHeldBack(t *testing.T) {
	s := set(t)
	last := answer{}
	for range perUser.burst + 1 {
		last = s.ask(t, get("org-acme", "guess"))
	}
	if last.status != 429 || last.header.Get("Retry-After") == "" {
		t.Fatalf("answered %+v", last)
	}
	if s.ask(t, get("org-acme", "secret-a")).status != 429 {
		t.Error("the next guess is judged")
	}
	s.clock.step(time.Duration(perUser.every) * time.Second)
	if s.ask(t, get("org-acme", "secret-a")).status != 200 {
		t.Error("a right one does not get through later")
	}
	// From then on nobody on that machine who guesses keeps the right one out.
	for range perUser.burst {
		s.ask(t, get("org-acme", "guess"))
	}
	if s.ask(t, get("org-acme", "guess")).status != 429 || s.ask(t, get("org-acme", "secret-a")).status != 200 {
		t.Error("guesses keep out who was right")
	}
	if s.ask(t, get("", "")).status != 200 {
		t.Error("who needs no login is held back")
	}
}

func TestManyNamesAreHeldBackToo(t *testing.T) {
	s := set(t)
	for i := range perAddress.burst {
		s.ask(t, get(fmt.Sprintf("org-%d", i), "guess"))
	}
	asked := s.server.asked
	if s.ask(t, get("org-other", "guess")).status != 429 || s.server.asked != asked {
		t.Error("names are tried out without end")
	}
}

func TestNoSecretIsLogged(t *testing.T) {
	s := set(t)
	s.server.down = true
	account := accountToken(t, accountsIn+"gantry-agent", audience, s.clock.now().Add(time.Hour))
	s.ask(t, get("org-acme", "hidden-1"))
	s.ask(t, get(serviceUser, account))
	s.server.down = false
	s.ask(t, get("org-acme", "hidden-2"))
	s.ask(t, get("org-acme\n\x1b[31m", "hidden-3"))
	if text := s.log.String(); !strings.Contains(text, "a login was refused") || strings.Contains(text, "hidden") || strings.Contains(text, account) {
		t.Errorf("logged %s", text)
	}
}

func TestAKeyThatIsNone(t *testing.T) {
	for name, text := range map[string]string{"text": "x", "another block": "-----BEGIN X-----\nAAAA\n-----END X-----\n"} {
		file := filepath.Join(t.TempDir(), "key")
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := newSigner(file, "i", "s"); !errors.Is(err, errKey) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestAnEmptyFileIsNoPassword(t *testing.T) {
	s := set(t)
	if err := os.WriteFile(s.file, []byte("\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	request := get("", "")
	request.SetBasicAuth(platformUser, "")
	if got := s.ask(t, request); got.status != 401 {
		t.Errorf("answered %d", got.status)
	}
}

// Pods behind their node's address guess, and the node itself goes on pulling and saving.
func TestGuessesKeepNobodyElseOut(t *testing.T) {
	s := set(t)
	if s.ask(t, get("org-acme", "secret-a")).status != 200 {
		t.Fatal("the right password is refused")
	}
	s.clock.step(24 * time.Hour)
	for i := range perAddress.burst + 5 {
		s.ask(t, get(fmt.Sprintf("org-guess%d", i), "x"))
	}
	if got := s.ask(t, get("org-acme", "secret-b")).status; got != 429 {
		t.Errorf("a guess is answered %d", got)
	}
	if got := s.ask(t, get("org-acme", "secret-a")).status; got != 200 {
		t.Errorf("the right password of long ago is answered %d", got)
	}
	token := accountToken(t, accountsIn+"gantry-agent", audience, s.clock.now().Add(time.Hour))
	s.server.users[token] = accountsIn + "gantry-agent"
	if got := s.ask(t, get("serviceaccount", token)).status; got != 200 {
		t.Errorf("an account's new token is answered %d", got)
	}
}
