// Package push speaks the distribution protocol to one registry: blobs that are streamed, mounted or there already, and
// manifests. Nothing is buffered and no byte is resent here: the caller knows how to start over.
package push

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
	"github.com/google/go-containerregistry/pkg/v1/remote/transport"
)

// Registry is where images are pushed.
type Registry struct {
	// Host and port.
	Address string
	// Without TLS, as on the bridge of a single machine.
	Plain bool
	// A ServiceAccount's token, read again for every save because the kubelet replaces it; "" or absent: without a login.
	TokenFile string
	// How long nothing may move.
	Silence time.Duration
	// How long the registry may take before it answers; it computes the digest of a whole blob.
	Answer time.Duration
	// For tests that break connections.
	Transport http.RoundTripper
}

// Error is an answer that is no success, or none at all.
type Error struct {
	// 0 when there was no answer.
	Status int
	// When the registry asked to be left alone until then; zero if it did not.
	RetryAfter time.Duration
	Sentence   string
	// Its storage is full.
	IsFull bool
	cause  error
}

func (e *Error) Error() string { return e.Sentence }
func (e *Error) Unwrap() error { return e.cause }

// Repository is one of the registry's, with the right to push to it.
type Repository struct {
	registry *Registry
	path     string
	client   *http.Client
	base     *url.URL
	retry    *retryAfter
	host     name.Registry
	login    authn.Authenticator
	scopes   []string
	loggedIn time.Time
}

// Open logs in: to pull and push `path`, and to pull the repositories that blobs may be mounted from.
func (r *Registry) Open(ctx context.Context, path string, mountFrom []string) (*Repository, error) {
	options := []name.Option{name.WeakValidation}
	scheme := "https"
	if r.Plain {
		options, scheme = append(options, name.Insecure), "http"
	}
	host, err := name.NewRegistry(r.Address, options...)
	if err != nil {
		return nil, err
	}
	scopes := []string{"repository:" + path + ":pull,push"}
	for _, from := range mountFrom {
		scopes = append(scopes, "repository:"+from+":pull")
	}
	login, err := r.login()
	if err != nil {
		return nil, err
	}
	inner := r.Transport
	if inner == nil {
		inner = shared
	}
	repository := &Repository{
		registry: r, path: path, retry: &retryAfter{inner: inner}, base: &url.URL{Scheme: scheme, Host: host.RegistryStr()},
		host: host, login: login, scopes: scopes,
	}
	return repository, repository.logIn(ctx)
}

// A token to push lives for a minute at least; one that is younger than this outlives the beginning of an upload.
const freshFor = 10 * time.Second

// logIn takes a new token.
func (r *Repository) logIn(ctx context.Context) error {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	began := time.Now()
	tripper, err := transport.NewWithContext(ctx, r.host, r.login, r.retry, r.scopes)
	if err != nil {
		return r.said(ctx, "login", err)
	}
	r.client, r.loggedIn = &http.Client{Transport: tripper}, began
	return nil
}

var shared = &http.Transport{
	Proxy:               http.ProxyFromEnvironment,
	DialContext:         (&net.Dialer{Timeout: 5 * time.Second, KeepAlive: 15 * time.Second}).DialContext,
	TLSHandshakeTimeout: 10 * time.Second,
	MaxIdleConnsPerHost: 4,
	IdleConnTimeout:     30 * time.Second,
	WriteBufferSize:     128 << 10,
	DisableCompression:  true,
}

func (r *Registry) login() (authn.Authenticator, error) {
	if r.TokenFile == "" {
		return authn.Anonymous, nil
	}
	token, err := os.ReadFile(r.TokenFile)
	if errors.Is(err, os.ErrNotExist) {
		return authn.Anonymous, nil
	}
	if err != nil {
		return nil, fmt.Errorf("the agent's token for the registry: %w", err)
	}
	return &authn.Basic{Username: "serviceaccount", Password: strings.TrimSpace(string(token))}, nil
}

// retryAfter remembers a refusal's Retry-After: the libraries above keep only its status.
type retryAfter struct {
	inner http.RoundTripper
	mutex sync.Mutex
	value time.Duration
}

func (h *retryAfter) RoundTrip(request *http.Request) (*http.Response, error) {
	answer, err := h.inner.RoundTrip(request)
	if err == nil && (answer.StatusCode == http.StatusTooManyRequests || answer.StatusCode == http.StatusServiceUnavailable) {
		if wait := durationOf(answer.Header.Get("Retry-After"), time.Now()); wait > 0 {
			h.mutex.Lock()
			h.value = wait
			h.mutex.Unlock()
		}
	}
	return answer, err
}

func durationOf(header string, now time.Time) time.Duration {
	if seconds, err := strconv.Atoi(strings.TrimSpace(header)); err == nil {
		return time.Duration(seconds) * time.Second
	}
	if at, err := http.ParseTime(header); err == nil {
		return at.Sub(now)
	}
	return 0
}

var errSilent = errors.New("silence")

// patience ends a call when nothing has moved for a while, however long the whole takes.
type patience struct {
	timer  *time.Timer
	limit  time.Duration
	cancel context.CancelCauseFunc
}

func (r *Registry) patience(ctx context.Context) (context.Context, *patience) {
	ctx, cancel := context.WithCancelCause(ctx)
	limit := r.Silence
	return ctx, &patience{limit: limit, cancel: cancel, timer: time.AfterFunc(limit, func() { cancel(errSilent) })}
}

func (p *patience) moved()                     { p.timer.Reset(p.limit) }
func (p *patience) extend(limit time.Duration) { p.limit = limit; p.timer.Reset(limit) }
func (p *patience) stop()                      { p.timer.Stop(); p.cancel(nil) }

// watched reports every piece that is accepted to patience; its end starts the wait for the answer.
type watched struct {
	io.Reader
	patience *patience
	answer   time.Duration
}

func (w *watched) Read(into []byte) (int, error) {
	n, err := w.Reader.Read(into)
	if err == nil {
		w.patience.moved()
	} else {
		w.patience.extend(w.answer)
	}
	return n, err
}

func (r *Repository) said(ctx context.Context, what string, err error) error {
	var already *Error
	if errors.As(err, &already) {
		return already
	}
	said := &Error{cause: err}
	r.retry.mutex.Lock()
	said.RetryAfter = r.retry.value
	r.retry.value = 0
	r.retry.mutex.Unlock()
	var answer *transport.Error
	var network *net.OpError
	switch {
	case context.Cause(ctx) == errSilent:
		said.Sentence = fmt.Sprintf("%s: the registry took and said nothing for %s", what, r.registry.Silence)
	case errors.As(err, &answer):
		said.Status = answer.StatusCode
		said.Sentence, said.IsFull = sentenceOf(what, answer)
	case errors.As(err, &network):
		said.Sentence = fmt.Sprintf("%s: the registry cannot be reached: %s", what, network.Err)
	default:
		said.Sentence = fmt.Sprintf("%s: %s", what, err)
	}
	return said
}

func sentenceOf(what string, answer *transport.Error) (sentence string, isFull bool) {
	detail := fmt.Sprintf("the registry answers %d %s", answer.StatusCode, http.StatusText(answer.StatusCode))
	full := fmt.Sprintf("the registry's storage is full (%d)", answer.StatusCode)
	switch answer.StatusCode {
	case http.StatusUnauthorized, http.StatusForbidden:
		detail = fmt.Sprintf("the registry refuses the agent's login (%d)", answer.StatusCode)
	case http.StatusTooManyRequests, http.StatusServiceUnavailable:
		detail = fmt.Sprintf("the registry asks to wait (%d)", answer.StatusCode)
	case http.StatusInsufficientStorage:
		detail, isFull = full, true
	}
	for _, one := range answer.Errors {
		said := one.String()
		if strings.Contains(said, "no space left on device") || strings.Contains(said, "disk quota exceeded") {
			detail, isFull = full, true
			continue
		}
		detail += ": " + said
	}
	return what + ": " + detail, isFull
}

// do returns an answer whose status is one of `wanted`; the caller reads and closes it.
func (r *Repository) do(ctx context.Context, what string, request *http.Request, wanted ...int) (*http.Response, error) {
	answer, err := r.client.Do(request.WithContext(ctx))
	if err != nil {
		return nil, r.said(ctx, what, err)
	}
	if err := transport.CheckError(answer, wanted...); err != nil {
		answer.Body.Close()
		return nil, r.said(ctx, what, err)
	}
	return answer, nil
}

func (r *Repository) url(rest string, query url.Values) string {
	where := *r.base
	where.Path = "/v2/" + r.path + "/" + rest
	where.RawQuery = query.Encode()
	return where.String()
}

func (r *Repository) request(method, where string, body io.Reader) (*http.Request, error) {
	return http.NewRequest(method, where, body)
}

func drop(answer *http.Response) {
	io.Copy(io.Discard, io.LimitReader(answer.Body, 64<<10))
	answer.Body.Close()
}

// Has says whether the repository has a blob of this digest and size.
func (r *Repository) Has(ctx context.Context, digest string, size int64) (bool, error) {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	request, err := r.request(http.MethodHead, r.url("blobs/"+digest, nil), nil)
	if err != nil {
		return false, err
	}
	answer, err := r.do(ctx, "look for "+short(digest), request, http.StatusOK, http.StatusNotFound)
	if err != nil {
		return false, err
	}
	defer drop(answer)
	return answer.StatusCode == http.StatusOK && (answer.ContentLength < 0 || answer.ContentLength == size), nil
}

func short(digest string) string {
	if len(digest) > 19 {
		return digest[:19]
	}
	return digest
}

// Mount takes a blob over from another repository of the registry, if it is there.
func (r *Repository) Mount(ctx context.Context, digest, from string) (bool, error) {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	where := r.url("blobs/uploads/", url.Values{"mount": {digest}, "from": {from}})
	request, err := r.request(http.MethodPost, where, nil)
	if err != nil {
		return false, err
	}
	answer, err := r.do(ctx, "take "+short(digest)+" over from "+from, request, http.StatusCreated, http.StatusAccepted)
	if err != nil {
		return false, err
	}
	drop(answer)
	if answer.StatusCode == http.StatusCreated {
		return true, nil
	}
	// It began an upload instead.
	if location, err := r.location(answer); err == nil {
		r.abandon(location)
	}
	return false, nil
}

// How long an upload's end may take that failed anyway.
const abandonLimit = 20 * time.Second

var realmOf = regexp.MustCompile(`(?i)^Bearer .*realm="([^"]+)"`)

// abandon frees the space of a broken upload. Distribution requires the delete permission for that, for images too; so if the
// registry has a token endpoint, that is asked to do it. The registry purges uploads that nobody abandons, in hours.
func (r *Repository) abandon(location *url.URL) {
	ctx, cancel := context.WithTimeout(context.Background(), abandonLimit)
	defer cancel()
	challenge, err := r.tell(ctx, http.MethodDelete, location, nil)
	if err != nil || challenge.StatusCode != http.StatusUnauthorized {
		return
	}
	realm := realmOf.FindStringSubmatch(challenge.Header.Get("WWW-Authenticate"))
	if realm == nil {
		return
	}
	if at, err := r.base.Parse(realm[1]); err == nil {
		_, _ = r.tell(ctx, http.MethodPost, at.JoinPath("../abandon"), url.Values{"upload": {location.Path}})
	}
}

// tell makes a call without the token, with name and password if it has a form.
func (r *Repository) tell(ctx context.Context, method string, where *url.URL, form url.Values) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, (&url.URL{Scheme: where.Scheme, Host: where.Host, Path: where.Path, RawQuery: where.RawQuery}).String(), strings.NewReader(form.Encode()))
	if err != nil {
		return nil, err
	}
	if form != nil {
		login, err := r.login.Authorization()
		if err != nil {
			return nil, err
		}
		request.Header.Set("Content-Type", "application/x-www-form-urlencoded")
		request.SetBasicAuth(login.Username, login.Password)
	}
	answer, err := r.retry.inner.RoundTrip(request)
	if err == nil {
		drop(answer)
	}
	return answer, err
}

// location of an upload. Only on the registry's own host: its answers do not send a tenant's files elsewhere.
func (r *Repository) location(answer *http.Response) (*url.URL, error) {
	where, err := r.base.Parse(answer.Header.Get("Location"))
	if err == nil && where.Host != r.base.Host {
		err = fmt.Errorf("it names the host %s", where.Host)
	}
	if err != nil {
		return nil, &Error{Sentence: "upload: the registry's answer cannot be followed: " + err.Error(), cause: err}
	}
	return where, nil
}

// Upload streams a blob whose digest is known only when its last byte is read.
func (r *Repository) Upload(ctx context.Context, body io.Reader, digest func() string) error {
	// A half-read body cannot be resent when its token turns out to have expired.
	if time.Since(r.loggedIn) > freshFor {
		if err := r.logIn(ctx); err != nil {
			return err
		}
	}
	location, err := r.start(ctx)
	if err != nil {
		return err
	}
	next, err := r.stream(ctx, location, body)
	if err == nil {
		err = r.patiently(ctx, func() error { return r.commit(ctx, next, digest()) })
	}
	if err != nil {
		r.abandon(location)
	}
	return err
}

func (r *Repository) start(ctx context.Context) (*url.URL, error) {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	request, err := r.request(http.MethodPost, r.url("blobs/uploads/", nil), nil)
	if err != nil {
		return nil, err
	}
	answer, err := r.do(ctx, "begin an upload", request, http.StatusAccepted)
	if err != nil {
		return nil, err
	}
	drop(answer)
	return r.location(answer)
}

const (
	// How long a registry that asks to wait may keep an upload waiting that it has all bytes of.
	waitFor = 15 * time.Minute
	// How long to wait if the answer does not say.
	waitPause = 5 * time.Second
)

// patiently does again what the registry asks to wait with: it starts, or cannot ask the API server who we are, and an upload that is
// begun survives that. What was sent took long to send.
func (r *Repository) patiently(ctx context.Context, do func() error) error {
	for until := time.Now().Add(waitFor); ; {
		err := do()
		var answer *Error
		if !errors.As(err, &answer) || answer.Status != http.StatusServiceUnavailable && answer.Status != http.StatusTooManyRequests {
			return err
		}
		pause := answer.RetryAfter
		if pause <= 0 {
			pause = waitPause
		}
		if time.Now().Add(pause).After(until) {
			return err
		}
		timer := time.NewTimer(pause)
		select {
		case <-ctx.Done():
			timer.Stop()
			return err
		case <-timer.C:
		}
	}
}

func (r *Repository) stream(ctx context.Context, location *url.URL, body io.Reader) (*url.URL, error) {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	request, err := r.request(http.MethodPatch, location.String(), &watched{body, patience, r.registry.Answer})
	if err != nil {
		return nil, err
	}
	request.Header.Set("Content-Type", "application/octet-stream")
	answer, err := r.do(ctx, "upload", request, http.StatusAccepted, http.StatusNoContent, http.StatusCreated)
	if err != nil {
		return nil, err
	}
	drop(answer)
	return r.location(answer)
}

func (r *Repository) commit(ctx context.Context, location *url.URL, digest string) error {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	patience.extend(r.registry.Answer)
	query := location.Query()
	query.Set("digest", digest)
	location.RawQuery = query.Encode()
	request, err := r.request(http.MethodPut, location.String(), nil)
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/octet-stream")
	answer, err := r.do(ctx, "finish the upload of "+short(digest), request, http.StatusCreated)
	if err != nil {
		return err
	}
	drop(answer)
	return nil
}

// PutManifest gives a tag its image.
func (r *Repository) PutManifest(ctx context.Context, tag, mediaType string, raw []byte) error {
	return r.patiently(ctx, func() error { return r.putManifest(ctx, tag, mediaType, raw) })
}

func (r *Repository) putManifest(ctx context.Context, tag, mediaType string, raw []byte) error {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	request, err := r.request(http.MethodPut, r.url("manifests/"+tag, nil), bytes.NewReader(raw))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", mediaType)
	answer, err := r.do(ctx, "write the manifest", request, http.StatusCreated, http.StatusOK)
	if err != nil {
		return err
	}
	drop(answer)
	return nil
}

// Manifest reads one back, by its digest.
func (r *Repository) Manifest(ctx context.Context, digest, mediaType string) ([]byte, error) {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	request, err := r.request(http.MethodGet, r.url("manifests/"+digest, nil), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", mediaType)
	answer, err := r.do(ctx, "read the manifest back", request, http.StatusOK)
	if err != nil {
		return nil, err
	}
	defer drop(answer)
	raw, err := io.ReadAll(io.LimitReader(answer.Body, 8<<20))
	if err != nil {
		return nil, r.said(ctx, "read the manifest back", err)
	}
	return raw, nil
}

// Compare reads a blob back, byte for byte; it returns a sentence about a difference, or "" if it matches its digest.
func (r *Repository) Compare(ctx context.Context, digest string, size int64) (wrong string, err error) {
	ctx, patience := r.registry.patience(ctx)
	defer patience.stop()
	request, err := r.request(http.MethodGet, r.url("blobs/"+digest, nil), nil)
	if err != nil {
		return "", err
	}
	answer, err := r.do(ctx, "read "+short(digest)+" back", request, http.StatusOK, http.StatusNotFound)
	if err != nil {
		return "", err
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusNotFound {
		return fmt.Sprintf("the registry has no blob %s", digest), nil
	}
	sum := sha256.New()
	read, err := io.Copy(sum, &watched{answer.Body, patience, r.registry.Silence})
	if err != nil {
		return "", r.said(ctx, "read "+short(digest)+" back", err)
	}
	if have := "sha256:" + hex.EncodeToString(sum.Sum(nil)); have != digest || read != size {
		return fmt.Sprintf("the registry's blob %s has %d of %d bytes, and the digest %s", digest, read, size, have), nil
	}
	return "", nil
}
