package imagesize

import (
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"syscall"
	"time"
)

// Besides what netip knows as private, loopback, link-local, multicast and unspecified: the platform's list
// (contract/src/inner-addresses.ts), and networks of IPv6 that stand for addresses of IPv4.
var inner = prefixes(
	"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "198.18.0.0/15", "224.0.0.0/3",
	"::/96", "64:ff9b::/96", "64:ff9b:1::/48", "2001::/32", "2002::/16", "fec0::/10",
)

func prefixes(texts ...string) []netip.Prefix {
	found := make([]netip.Prefix, len(texts))
	for at, text := range texts {
		found[at] = netip.MustParsePrefix(text)
	}
	return found
}

func isPublic(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	return address.IsGlobalUnicast() && !address.IsPrivate() &&
		!slices.ContainsFunc(inner, func(network netip.Prefix) bool { return network.Contains(address) })
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

func newTransport(allowed []string) http.RoundTripper {
	anywhere := &net.Dialer{Timeout: 5 * time.Second}
	outside := &net.Dialer{Timeout: 5 * time.Second, Control: onlyPublic}
	dial := func(ctx context.Context, network, address string) (net.Conn, error) {
		isAllowed := func(one string) bool {
			return strings.EqualFold(one, address) || strings.EqualFold(one+":443", address)
		}
		if slices.ContainsFunc(allowed, isAllowed) {
			return anywhere.DialContext(ctx, network, address)
		}
		return outside.DialContext(ctx, network, address)
	}
	return bounded{&http.Transport{
		DialContext:            dial,
		TLSHandshakeTimeout:    5 * time.Second,
		ResponseHeaderTimeout:  10 * time.Second,
		MaxResponseHeaderBytes: 64 << 10,
		DisableCompression:     true,
	}}
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
