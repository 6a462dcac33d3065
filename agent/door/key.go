package door

import (
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

// PublicKey is a key that parsed. Nothing of the text it came from is left, so that nothing of it can reach sshd.
type PublicKey struct {
	algorithm string
	blob      []byte
}

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

// ParsePublicKey reads "<algorithm> <base64> [remark]". The remark is dropped.
func ParsePublicKey(text string) (PublicKey, error) {
	algorithm, rest, found := strings.Cut(text, " ")
	if !found {
		return PublicKey{}, errors.New("a public key is an algorithm, a blank and the key in base64")
	}
	encoded, _, _ := strings.Cut(rest, " ")
	if !algorithms[algorithm] {
		return PublicKey{}, fmt.Errorf("%q is no algorithm of keys that log in here", algorithm)
	}
	blob, err := base64.StdEncoding.Strict().DecodeString(encoded)
	// Go's decoder skips line ends, wherever they are.
	if err != nil || strings.ContainsAny(encoded, "\r\n") {
		return PublicKey{}, errors.New("what follows the algorithm is not base64")
	}
	parsed, err := ssh.ParsePublicKey(blob)
	if err != nil {
		return PublicKey{}, fmt.Errorf("the key does not parse: %w", err)
	}
	if parsed.Type() != algorithm {
		return PublicKey{}, fmt.Errorf("a key of %s says that it is %s", parsed.Type(), algorithm)
	}
	return PublicKey{algorithm: algorithm, blob: blob}, nil
}

// Fingerprint tells it from any other key.
func (k PublicKey) Fingerprint() Fingerprint { return sha256.Sum256(k.blob) }

func (k PublicKey) String() string {
	return k.algorithm + " " + base64.StdEncoding.EncodeToString(k.blob)
}

// parseFingerprint reads what follows "SHA256:".
func parseFingerprint(text string) (key Fingerprint, ok bool) {
	decoded, err := base64.RawStdEncoding.DecodeString(text)
	if err != nil || len(decoded) != len(key) {
		return key, false
	}
	return Fingerprint(decoded), true
}
