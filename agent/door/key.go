package door

import (
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"strings"

	"golang.org/x/crypto/ssh"
)

// Fingerprint is the SHA-256 of a public key's blob: two spellings of one key are one key.
type Fingerprint [sha256.Size]byte

// String is how OpenSSH writes it.
func (f Fingerprint) String() string {
	return "SHA256:" + base64.RawStdEncoding.EncodeToString(f[:])
}

func fingerprintOf(key ssh.PublicKey) Fingerprint { return sha256.Sum256(key.Marshal()) }

// As in the contract: what a person makes with ssh-keygen, hardware keys too; no certificates, no DSA.
var algorithms = map[string]bool{
	ssh.KeyAlgoED25519:    true,
	ssh.KeyAlgoRSA:        true,
	ssh.KeyAlgoECDSA256:   true,
	ssh.KeyAlgoECDSA384:   true,
	ssh.KeyAlgoECDSA521:   true,
	ssh.KeyAlgoSKED25519:  true,
	ssh.KeyAlgoSKECDSA256: true,
}

const fewestBits = 2048

// ParsePublicKey reads "<algorithm> <base64> [remark]". Nothing of the text is kept.
func ParsePublicKey(text string) (Fingerprint, error) {
	none := Fingerprint{}
	algorithm, rest, found := strings.Cut(text, " ")
	if !found {
		return none, errors.New("a public key is an algorithm, a blank and the key in base64")
	}
	encoded, _, _ := strings.Cut(rest, " ")
	if !algorithms[algorithm] {
		return none, fmt.Errorf("%q is no algorithm of keys that log in here", algorithm)
	}
	blob, err := base64.StdEncoding.Strict().DecodeString(encoded)
	// Go's decoder skips line ends, wherever they are.
	if err != nil || strings.ContainsAny(encoded, "\r\n") {
		return none, errors.New("what follows the algorithm is not base64")
	}
	parsed, err := ssh.ParsePublicKey(blob)
	if err != nil {
		return none, fmt.Errorf("the key does not parse: %w", err)
	}
	if parsed.Type() != algorithm {
		return none, fmt.Errorf("a key of %s says that it is %s", parsed.Type(), algorithm)
	}
	if crypto, ok := parsed.(ssh.CryptoPublicKey); ok {
		if key, ok := crypto.CryptoPublicKey().(*rsa.PublicKey); ok && key.N.BitLen() < fewestBits {
			return none, fmt.Errorf("an RSA key has %d bits or more", fewestBits)
		}
	}
	return fingerprintOf(parsed), nil
}
