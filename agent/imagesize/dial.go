package imagesize

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"time"
)

var inner = func() (found []netip.Prefix) {
	for _, text := range innerNetworks {
		found = append(found, netip.MustParsePrefix(text))
	}
	return found
}()

func isPublic(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	return !slices.ContainsFunc(inner, func(network netip.Prefix) bool { return network.Contains(address) })
}

// onlyPublic sees the address that a name was resolved to, also for redirects and token services.
func onlyPublic(_, address string, _ syscall.RawConn) error {
	found, err := netip.ParseAddrPort(address)
	if err != nil {
		return err
	}
	if !isPublic(found.Addr()) {
		return fmt.Errorf("%s is not on the internet", found.Addr())
	}
	return nil
}

var innerName = regexp.MustCompile(innerNames)

const resolvesWithin = 2 * time.Second

// requirePublic is asked of each host before a proxy is, which resolves names itself. A name that nobody here knows is the proxy's to
// judge: behind most proxies no name of the internet is known.
func requirePublic(ctx context.Context, host string) error {
	found := []netip.Addr{}
	if literal, err := netip.ParseAddr(host); err == nil {
		found = append(found, literal)
	} else if innerName.MatchString(strings.ToLower(host)) {
		return fmt.Errorf("%s is not on the internet", host)
	} else {
		ctx, cancel := context.WithTimeout(ctx, resolvesWithin)
		defer cancel()
		found, _ = net.DefaultResolver.LookupNetIP(ctx, "ip", host)
	}
	for _, address := range found {
		if !isPublic(address) {
			return fmt.Errorf("%s is not on the internet", host)
		}
	}
	return nil
}

// newTransport reaches the internet, through the proxy if there is one, and the allowed registries, wherever they are.
func newTransport(allowed []string, proxy *url.URL) http.RoundTripper {
	anywhere := &net.Dialer{Timeout: 5 * time.Second}
	outside := &net.Dialer{Timeout: 5 * time.Second, Control: onlyPublic}
	isAllowed := func(address string) bool {
		return slices.ContainsFunc(allowed, func(one string) bool {
			return strings.EqualFold(one, address) || strings.EqualFold(one+":443", address)
		})
	}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		if isAllowed(address) || proxy != nil && address == withPort(proxy) {
			return anywhere.DialContext(ctx, network, address)
		}
		return outside.DialContext(ctx, network, address)
	}
	through := func(request *http.Request) (*url.URL, error) {
		if proxy == nil || isAllowed(withPort(request.URL)) {
			return nil, nil
		}
		return proxy, requirePublic(request.Context(), request.URL.Hostname())
	}
	return bounded{&http.Transport{
		Proxy:                  through,
		DialContext:            dial,
		TLSHandshakeTimeout:    5 * time.Second,
		ResponseHeaderTimeout:  10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
	}}
}

func withPort(address *url.URL) string {
	port := address.Port()
	if port == "" && address.Scheme == "http" {
		port = "80"
	} else if port == "" {
		port = "443"
	}
	return net.JoinHostPort(address.Hostname(), port)
}

// bounded lets nobody send more than a manifest may have.
type bounded struct{ inner http.RoundTripper }

func (b bounded) RoundTrip(request *http.Request) (*http.Response, error) {
	answer, err := b.inner.RoundTrip(request)
	if err != nil {
		return nil, err
	}
	answer.Body = struct {
		io.Reader
		io.Closer
	}{io.LimitReader(answer.Body, answerLimit), answer.Body}
	return answer, nil
}
