package imagesize

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"testing"
)

// proxy leads whatever it is asked for to one place, and records the hosts.
type proxy struct {
	*httptest.Server
	asked []string
}

func proxyTo(t *testing.T, place string) *proxy {
	t.Helper()
	p := &proxy{}
	p.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		p.asked = append(p.asked, request.Method+" "+request.Host)
		onward, err := net.Dial("tcp", place)
		if err != nil || request.Method != http.MethodConnect {
			w.WriteHeader(http.StatusBadGateway)
			return
		}
		defer onward.Close()
		w.WriteHeader(http.StatusOK)
		client, buffered, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		defer client.Close()
		go func() { _, _ = io.Copy(onward, buffered) }()
		_, _ = io.Copy(client, onward)
	}))
	t.Cleanup(p.Close)
	return p
}

func (p *proxy) address(t *testing.T) *url.URL {
	t.Helper()
	found, err := url.Parse(p.URL)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// trusting has the certificate of the test's registry for any name.
func trusting(allowed []string, through *url.URL, certificate *x509.Certificate) http.RoundTripper {
	pool := x509.NewCertPool()
	pool.AddCert(certificate)
	round := newTransport(allowed, through).(bounded)
	round.inner.(*http.Transport).TLSClientConfig = &tls.Config{RootCAs: pool, ServerName: "example.com"}
	return round
}

func TestRegistriesAreAskedThroughTheProxy(t *testing.T) {
	registry := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		_, _ = io.WriteString(w, large)
	}))
	t.Cleanup(registry.Close)
	p := proxyTo(t, registry.Listener.Addr().String())
	round := trusting(nil, p.address(t), registry.Certificate())
	found, err := of(context.Background(), Question{Source: "registry.invalid/a/b:1", Architecture: "amd64"}, round)
	if err != nil || found.Bytes != 101 || !slices.Contains(p.asked, "CONNECT registry.invalid:443") {
		t.Errorf("%d bytes, %v, %v", found.Bytes, err, p.asked)
	}
}

func TestTheProxyIsNotAskedForAddressesInside(t *testing.T) {
	r := serve(t)
	r.manifests["1"] = large
	p := proxyTo(t, r.host())
	for _, host := range []string{r.host(), "localhost:5000", "10.1.2.3:5000", "registry.corp.internal", "127.1:80", p.Listener.Addr().String()} {
		_, err := Of(context.Background(), Question{Source: host + "/a/b:1", Proxy: p.address(t)})
		if err == nil || len(p.asked) > 0 || len(r.asked) > 0 {
			t.Errorf("%s: %v, %v, %v", host, err, p.asked, r.asked)
		}
	}
}

func TestARedirectThroughTheProxyLeadsNowhereInside(t *testing.T) {
	r := serve(t)
	leads := httptest.NewTLSServer(http.RedirectHandler("http://"+r.host()+"/v2/", http.StatusTemporaryRedirect))
	t.Cleanup(leads.Close)
	p := proxyTo(t, leads.Listener.Addr().String())
	round := trusting(nil, p.address(t), leads.Certificate())
	_, err := of(context.Background(), Question{Source: "registry.invalid/a/b:1"}, round)
	if err == nil || len(r.asked) > 0 || len(p.asked) == 0 {
		t.Errorf("%v, %v, %v", err, r.asked, p.asked)
	}
}

func TestAllowedRegistriesAreAskedDirectly(t *testing.T) {
	r := serve(t)
	r.manifests["1"] = large
	p := proxyTo(t, r.host())
	asked := Question{Source: r.host() + "/a/b:1", Architecture: "amd64", Inner: []string{r.host()}, Proxy: p.address(t)}
	if found, err := Of(context.Background(), asked); err != nil || found.Bytes != 101 || len(p.asked) > 0 {
		t.Errorf("%d bytes, %v, %v", found.Bytes, err, p.asked)
	}
}
