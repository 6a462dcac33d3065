// Package modern is the one list of what SSH servers of this platform do not offer: broken hashes, small or classic groups, and
// modes that were attacked. What is left begins with the post-quantum key exchanges that the server knows.
package modern

import (
	"path"
	"slices"
	"strings"
)

// refused are patterns as sshd_config has them: whatever a server knows besides is offered.
var refused = struct{ keyExchanges, ciphers, macs []string }{
	keyExchanges: []string{"diffie-hellman-*", "ecdh-sha2-*"},
	ciphers:      []string{"*-cbc", "*-cbc@*", "arcfour*", "3des*"},
	macs:         []string{"*sha1*", "*md5*", "umac-64*"},
}

// KeyExchanges are those of the known ones that are offered, in their order.
func KeyExchanges(known []string) []string { return without(known, refused.keyExchanges) }

// Ciphers likewise.
func Ciphers(known []string) []string { return without(known, refused.ciphers) }

// MACs likewise.
func MACs(known []string) []string { return without(known, refused.macs) }

// Lines are the same list for OpenSSH's sshd, whose own order stays: a leading "-" takes away from it.
func Lines() []string {
	return []string{
		"KexAlgorithms -" + strings.Join(refused.keyExchanges, ","),
		"Ciphers -" + strings.Join(refused.ciphers, ","),
		"MACs -" + strings.Join(refused.macs, ","),
	}
}

func without(known, patterns []string) []string {
	return slices.DeleteFunc(slices.Clone(known), func(name string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			isRefused, err := path.Match(pattern, name)
			return isRefused || err != nil
		})
	})
}
