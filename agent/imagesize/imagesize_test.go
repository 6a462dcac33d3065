package imagesize

import (
	"context"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
)

// registry answers with manifests by tag or digest, and records requests.
type registry struct {
	*httptest.Server
	manifests map[string]string
	asked     []string
}

func serve(t *testing.T) *registry {
	t.Helper()
	r := &registry{manifests: map[string]string{}}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		r.asked = append(r.asked, request.URL.Path)
		found, is := r.manifests[request.URL.Path[strings.LastIndex(request.URL.Path, "/")+1:]]
		if !is && request.URL.Path != "/v2/" {
			w.WriteHeader(http.StatusNotFound)
		}
		fmt.Fprint(w, found)
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *registry) host() string { return r.Listener.Addr().String() }

func (r *registry) put(manifest string) (digest string) {
	digest = fmt.Sprintf("sha256:%x", sha256.Sum256([]byte(manifest)))
	r.manifests[digest] = manifest
	return digest
}

func (r *registry) size() (int64, error) {
	asked := Question{Source: r.host() + "/a/b:1", Architecture: "amd64", Inner: []string{r.host()}}
	found, err := Of(context.Background(), asked)
	return found.Bytes, err
}

// needs returns them as the agent writes them.
func (r *registry) needs(t *testing.T) string {
	t.Helper()
	asked := Question{Source: r.host() + "/a/b:1", Architecture: "amd64", Inner: []string{r.host()}}
	found, _ := Of(context.Background(), asked)
	text, err := json.Marshal(found.Needs)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func indexOf(children ...string) string {
	return `{"manifests":[` + strings.Join(children, ",") + `]}`
}

func childOf(os, architecture, digest string) string {
	return fmt.Sprintf(`{"platform":{"os":%q,"architecture":%q},"digest":%q}`, os, architecture, digest)
}

const small, large = `{"config":{"size":1},"layers":[{"size":10}]}`, `{"config":{"size":1},"layers":[{"size":10},{"size":90}]}`

func TestSizes(t *testing.T) {
	for title, law := range map[string]struct {
		tag  func(r *registry) string
		want int64
	}{
		"layers and config count":   {func(*registry) string { return large }, 101},
		"an empty one has no size":  {func(*registry) string { return `{}` }, 0},
		"sums stay in their number": {func(*registry) string { return `{"layers":[{"size":9223372036854775807},{"size":9}]}` }, math.MaxInt64},
		"of an index this platform counts": {func(r *registry) string {
			return indexOf(childOf("linux", "arm64", r.put(large)), childOf("linux", "amd64", r.put(small)), childOf("windows", "amd64", r.put(large)))
		}, 11},
		"of several the largest counts": {func(r *registry) string {
			return indexOf(childOf("linux", "amd64", r.put(small)), childOf("linux", "amd64", r.put(large)))
		}, 101},
		"one without a platform may suit": {func(r *registry) string { return indexOf(`{"digest":"` + r.put(large) + `"}`) }, 101},
		"an index may name an index": {func(r *registry) string {
			return indexOf(childOf("linux", "amd64", r.put(indexOf(childOf("linux", "amd64", r.put(large))))))
		}, 101},
		"an index for others has no size": {func(r *registry) string { return indexOf(childOf("linux", "s390x", r.put(large))) }, 0},
	} {
		t.Run(title, func(t *testing.T) {
			r := serve(t)
			r.manifests["1"] = law.tag(r)
			if got, err := r.size(); err != nil || got != law.want {
				t.Errorf("%d, %v; want %d", got, err, law.want)
			}
		})
	}
}

func TestAbsurdImagesAreRefused(t *testing.T) {
	nest := func(r *registry, times int) string {
		manifest := small
		for range times {
			manifest = indexOf(childOf("linux", "amd64", r.put(manifest)))
		}
		return manifest
	}
	for title, tag := range map[string]func(r *registry) string{
		"a negative layer":           func(*registry) string { return `{"layers":[{"size":200},{"size":-100}]}` },
		"a negative config":          func(*registry) string { return `{"config":{"size":-1}}` },
		"a manifest of 4 MiB":        func(*registry) string { return large + strings.Repeat(" ", answerLimit) },
		"indexes within indexes":     func(r *registry) string { return nest(r, deepest) },
		"a digest that leads astray": func(*registry) string { return indexOf(childOf("linux", "amd64", "../../../token?x=")) },
		"too many for a platform": func(r *registry) string {
			return indexOf(slices.Repeat([]string{childOf("linux", "amd64", r.put(small))}, 1000)...)
		},
	} {
		t.Run(title, func(t *testing.T) {
			r := serve(t)
			r.manifests["1"] = tag(r)
			var refusal Refusal
			if got, err := r.size(); !errors.As(err, &refusal) {
				t.Errorf("%d, %v", got, err)
			}
			if len(r.asked) > mostManifests+2 {
				t.Errorf("asked %d times", len(r.asked))
			}
		})
	}
}

func TestWhatARegistryDoesNotSay(t *testing.T) {
	for title, tag := range map[string]string{
		"an image that is not there": "",
		"a page that is no manifest": "<html>",
		"sizes that are no numbers":  `{"layers":[{"size":"1"}]}`,
		"sizes beyond any number":    `{"layers":[{"size":92233720368547758070}]}`,
	} {
		r := serve(t)
		if tag != "" {
			r.manifests["1"] = tag
		}
		var refusal Refusal
		if got, err := r.size(); err == nil || errors.As(err, &refusal) || got != 0 {
			t.Errorf("%s: %d, %v", title, got, err)
		}
	}
}

func TestWhatIsMissingHidesNoSize(t *testing.T) {
	r := serve(t)
	absent := "sha256:" + strings.Repeat("0", 64)
	r.manifests["1"] = indexOf(childOf("linux", "amd64", r.put(large)), childOf("linux", "amd64", absent))
	if got, err := r.size(); got != 101 || err == nil {
		t.Errorf("%d, %v", got, err)
	}
}

func TestAnotherManifestThanItsDigestSays(t *testing.T) {
	r := serve(t)
	digest := r.put(large)
	r.manifests["1"], r.manifests[digest] = indexOf(childOf("linux", "amd64", digest)), small
	if got, err := r.size(); err == nil || got != 0 {
		t.Errorf("%d, %v", got, err)
	}
}

func TestARegistryThatNeverAnswersIsLeft(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	r := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, request *http.Request) {
		cancel()
		<-request.Context().Done()
	}))
	defer r.Close()
	host := r.Listener.Addr().String()
	if _, err := Of(ctx, Question{Source: host + "/a/b:1", Inner: []string{host}}); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
}

func TestNoAddressInsideIsAsked(t *testing.T) {
	r, other := serve(t), serve(t)
	r.manifests["1"], other.manifests["1"] = large, large
	_, port, _ := strings.Cut(r.host(), ":")
	for title, source := range map[string]string{"an address": r.host(), "a name": "localhost:" + port} {
		_, err := Of(context.Background(), Question{Source: source + "/a/b:1", Inner: []string{other.host()}})
		if err == nil || len(r.asked) > 0 {
			t.Errorf("%s: %v, %v", title, err, r.asked)
		}
	}
	leads := httptest.NewServer(http.RedirectHandler("http://"+r.host()+"/v2/a/b/manifests/1", http.StatusTemporaryRedirect))
	defer leads.Close()
	host := leads.Listener.Addr().String()
	if _, err := Of(context.Background(), Question{Source: host + "/a/b:1", Inner: []string{host}}); err == nil || len(r.asked) > 0 {
		t.Errorf("a redirect: %v, %v", err, r.asked)
	}
}

func TestPublicAddresses(t *testing.T) {
	for text, want := range map[string]bool{
		"1.1.1.1": true, "151.101.1.1": true, "2606:4700::1111": true,
		"10.0.0.1": false, "172.31.9.9": false, "192.168.1.1": false, "100.64.0.1": false, "169.254.169.254": false,
		"127.0.0.53": false, "0.0.0.0": false, "0.1.2.3": false, "192.0.0.8": false, "198.19.0.1": false, "224.0.0.1": false,
		"240.0.0.1": false, "255.255.255.255": false, "::": false, "::1": false, "::7f00:1": false, "fe80::1": false,
		"fe80::1%eth0": false, "fc00::1": false, "fd12::1": false, "ff02::1": false, "::ffff:10.0.0.1": false,
		"::ffff:169.254.169.254": false, "64:ff9b::a00:1": false, "2002:a00:1::": false, "fec0::1": false,
		"64:ff9b:1::a00:1": false, "2001:0:a00:1::1": false, "::ffff:0:a00:1": false, "::ffff:0:0:0%eth0": false,
		"::ffff:1.1.1.1": true, "2001:4860:4860::8888": true,
	} {
		if got := isPublic(netip.MustParseAddr(text)); got != want {
			t.Errorf("%s: %v", text, got)
		}
	}
}

func TestLoginsGoToTheirRegistryAlone(t *testing.T) {
	auth := func(text string) string { return base64.StdEncoding.EncodeToString([]byte(text)) }
	for title, law := range map[string]struct{ secret, image, want string }{
		"its host":              {`{"auths":{"ghcr.io":{"auth":"` + auth("a:b") + `"}}}`, "ghcr.io/a/b:1", "a b"},
		"another host":          {`{"auths":{"ghcr.io":{"auth":"` + auth("a:b") + `"}}}`, "quay.io/a/b:1", ""},
		"as an address":         {`{"auths":{"https://ghcr.io/v2/":{"username":"a","password":"b"}}}`, "ghcr.io/a/b:1", "a b"},
		"Docker's own":          {`{"auths":{"https://index.docker.io/v1/":{"auth":"` + auth("a:b") + `"}}}`, "a/b:1", "a b"},
		"Docker's name":         {`{"auths":{"docker.io":{"auth":"` + auth("a:b") + `"}}}`, "docker.io/a/b:1", "a b"},
		"a wildcard":            {`{"auths":{"*.azurecr.io":{"auth":"` + auth("a:b") + `"}}}`, "x.azurecr.io/a/b:1", "a b"},
		"the longest path":      {`{"auths":{"q.io":{"auth":"` + auth("a:b") + `"},"q.io/a":{"auth":"` + auth("c:d") + `"}}}`, "q.io/a/b:1", "c d"},
		"half a name is none":   {`{"auths":{"q.io/a":{"auth":"` + auth("a:b") + `"}}}`, "q.io/ab/c:1", ""},
		"a label for several":   {`{"auths":{"*.q.io":{"auth":"` + auth("a:b") + `"}}}`, "a.b.q.io/cc:1", ""},
		"a label for all hosts": {`{"auths":{"*":{"auth":"` + auth("a:b") + `"}}}`, "q.io/cc:1", ""},
		"a pattern that is bad": {`{"auths":{"[":{"auth":"` + auth("a:b") + `"}}}`, "q.io/ab/c:1", ""},
		"no secret":             {``, "q.io/ab/c:1", ""},
		"what nobody can read":  {`{"auths":[{}]}`, "q.io/ab/c:1", ""},
	} {
		reference, err := name.ParseReference(law.image)
		if err != nil {
			t.Fatal(err)
		}
		login, err := loginFor(law.secret, reference.Context()).Authorization()
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.TrimSpace(login.Username + " " + login.Password); got != law.want {
			t.Errorf("%s: %q", title, got)
		}
	}
}

func TestATokenIsAskedForWithTheLogin(t *testing.T) {
	var r *httptest.Server
	r = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		user, password, _ := request.BasicAuth()
		switch {
		case request.URL.Path == "/token" && user == "a" && password == "b":
			fmt.Fprint(w, `{"token":"mine"}`)
		case request.URL.Path == "/token":
			w.WriteHeader(http.StatusUnauthorized)
		case request.Header.Get("Authorization") != "Bearer mine":
			w.Header().Set("WWW-Authenticate", `Bearer realm="`+r.URL+`/token",service="r"`)
			w.WriteHeader(http.StatusUnauthorized)
		default:
			fmt.Fprint(w, large)
		}
	}))
	defer r.Close()
	host := r.Listener.Addr().String()
	asked := Question{Source: host + "/a/b:1", Inner: []string{host}}
	if got, err := Of(context.Background(), asked); err == nil {
		t.Errorf("without a login: %v", got)
	}
	asked.PullSecret = `{"auths":{"` + host + `":{"username":"a","password":"b"}}}`
	if got, err := Of(context.Background(), asked); err != nil || got.Bytes != 101 {
		t.Errorf("%v, %v", got, err)
	}
}

func TestNeeds(t *testing.T) {
	for configuration, want := range map[string]string{
		`{"config":{"Labels":{"gantry.dev/gpus":"4","gantry.dev/gpu-memory-gi":"80","gantry.dev/cores":"8","gantry.dev/memory-gi":"64"}}}`: `{"gpus":4,"gpuMemoryGi":80,"cores":8,"memoryGi":64}`,
		`{"config":{"Env":["A=b","NVIDIA_REQUIRE_CUDA=cuda>=12.4"]}}`:                                                                      `{"gpus":1}`,
		`{"config":{"Env":["NVIDIA_REQUIRE_CUDA="],"Labels":{"gantry.dev/gpus":"0"}}}`:                                                     `{"gpus":0}`,
		`{"config":{"Labels":{"gantry.dev/gpus":"17","gantry.dev/cores":"-1","gantry.dev/memory-gi":"x"}}}`:                                `{}`,
		`{"config":{"Labels":{"gantry.dev/gpus":4}}}`:                                                                                      `{}`,
		`{"config":null}`: `{}`, `{}`: `{}`, `[]`: `{}`, `<html>`: `{}`, ``: `{}`,
	} {
		r := serve(t)
		r.manifests["1"] = imageOf(r.put(configuration), 10)
		if got := r.needs(t); got != want {
			t.Errorf("%s: %s", configuration, got)
		}
	}
}

func imageOf(config string, size int) string {
	return fmt.Sprintf(`{"config":{"size":1,"digest":%q},"layers":[{"size":%d}]}`, config, size)
}

func TestNeedsAreThoseOfTheLargestImage(t *testing.T) {
	r := serve(t)
	config := func(gpus int) string {
		return r.put(fmt.Sprintf(`{"config":{"Labels":{"gantry.dev/gpus":"%d"}}}`, gpus))
	}
	r.manifests["1"] = indexOf(
		childOf("linux", "amd64", r.put(imageOf(config(1), 10))),
		childOf("linux", "amd64", r.put(imageOf(config(2), 20))),
		childOf("linux", "arm64", r.put(imageOf(config(3), 30))),
	)
	if got := r.needs(t); got != `{"gpus":2}` {
		t.Error(got)
	}
}

func TestAConfigurationThatIsNotThereHidesNoSize(t *testing.T) {
	r := serve(t)
	r.manifests["1"] = imageOf("sha256:"+strings.Repeat("0", 64), 10)
	if got, err := r.size(); err != nil || got != 11 {
		t.Errorf("%d, %v", got, err)
	}
}

func FuzzConfigurations(f *testing.F) {
	f.Add([]byte(`{"config":{"Labels":{"gantry.dev/gpus":"4"},"Env":["NVIDIA_REQUIRE_CUDA=cuda"]}}`))
	f.Fuzz(func(t *testing.T, body []byte) {
		needs := needsOf(body)
		for _, label := range labels {
			if number := *label.field(&needs); number != nil && (*number < 0 || *number > label.most) {
				t.Errorf("%s: %d", label.name, *number)
			}
		}
	})
}

func FuzzManifests(f *testing.F) {
	for _, seed := range []string{large, indexOf(childOf("linux", "amd64", "sha256:"+strings.Repeat("a", 64))), `{"layers":[{"size":-1}]}`, `{"manifests":[null]}`} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		own, children, err := parse(body, "amd64")
		if own.bytes < 0 || len(children) > mostManifests || (err != nil && len(children) > 0) {
			t.Errorf("%v, %v, %v", own, children, err)
		}
		for _, child := range children {
			if !digest.MatchString(child) {
				t.Error(child)
			}
		}
	})
}
