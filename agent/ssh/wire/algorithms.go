// Package wire is what the platform's two SSH servers, inside instances and at the door, do alike: the algorithms they offer,
// relaying a channel, counting what is open, and finding clients that are gone.
package wire

import (
	"path"
	"slices"

	"golang.org/x/crypto/ssh"
)

// refused are the algorithms that no SSH server of this platform offers: broken hashes, small or classic groups, and modes that
// were attacked. What is left begins with the post-quantum key exchange.
var refused = struct{ keyExchanges, ciphers, macs []string }{
	keyExchanges: []string{"diffie-hellman-*", "ecdh-sha2-*"},
	ciphers:      []string{"*-cbc", "*-cbc@*", "arcfour*", "3des*"},
	macs:         []string{"*sha1*", "*md5*", "umac-64*"},
}

// ServerConfig has the algorithms and the version; host keys and callbacks are the server's own.
func ServerConfig() *ssh.ServerConfig {
	supported := ssh.SupportedAlgorithms()
	return &ssh.ServerConfig{
		Config: ssh.Config{
			KeyExchanges: without(supported.KeyExchanges, refused.keyExchanges),
			Ciphers:      without(supported.Ciphers, refused.ciphers),
			MACs:         without(supported.MACs, refused.macs),
		},
		ServerVersion:           "SSH-2.0-Gantry",
		PublicKeyAuthAlgorithms: supported.PublicKeyAuths,
	}
}

func without(known, patterns []string) []string {
	return slices.DeleteFunc(known, func(name string) bool {
		return slices.ContainsFunc(patterns, func(pattern string) bool {
			isRefused, err := path.Match(pattern, name)
			return isRefused || err != nil
		})
	})
}
