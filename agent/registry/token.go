package registry

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"encoding/hex"
	"encoding/pem"
	"errors"
	"fmt"
	"math/big"
	"os"
	"time"

	"github.com/golang-jwt/jwt/v5"
)

// How long a token lives; the registry takes it for a minute more.
const tokenTTL = 300 * time.Second

// Signer makes the tokens that the registry trusts.
type Signer struct {
	key             *ecdsa.PrivateKey
	id              string
	issuer, service string
}

type claims struct {
	jwt.RegisteredClaims
	Access []Access `json:"access"`
}

// newSigner reads a P-256 key in PEM.
func newSigner(file, issuer, service string) (*Signer, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	key, err := parseKey(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	return &Signer{key: key, id: thumbprint(&key.PublicKey), issuer: issuer, service: service}, nil
}

var errKey = errors.New("must hold a private key on the curve P-256, in PEM")

func parseKey(text []byte) (*ecdsa.PrivateKey, error) {
	block, _ := pem.Decode(text)
	if block == nil {
		return nil, errKey
	}
	parsed, err := x509.ParsePKCS8PrivateKey(block.Bytes)
	if err != nil {
		if parsed, err = x509.ParseECPrivateKey(block.Bytes); err != nil {
			return nil, errKey
		}
	}
	key, ok := parsed.(*ecdsa.PrivateKey)
	if !ok || key.Curve != elliptic.P256() {
		return nil, errKey
	}
	return key, nil
}

// thumbprint is RFC 7638's: everybody with the public key computes the same name for it.
func thumbprint(key *ecdsa.PublicKey) string {
	x, y := coordinates(key)
	sum := sha256.Sum256(fmt.Appendf(nil, `{"crv":"P-256","kty":"EC","x":"%s","y":"%s"}`, x, y))
	return base64.RawURLEncoding.EncodeToString(sum[:])
}

// coordinates are the point of the key, as JSON Web Keys spell it.
func coordinates(key *ecdsa.PublicKey) (x, y string) {
	coordinate := func(number *big.Int) string {
		return base64.RawURLEncoding.EncodeToString(number.FillBytes(make([]byte, 32)))
	}
	return coordinate(key.X), coordinate(key.Y)
}

// sign says that subject may do this, from now on and until ttl has gone by.
func (s *Signer) sign(subject string, access []Access, now time.Time, ttl time.Duration) (string, error) {
	id := make([]byte, 16)
	if _, err := rand.Read(id); err != nil {
		return "", err
	}
	token := jwt.NewWithClaims(jwt.SigningMethodES256, claims{
		RegisteredClaims: jwt.RegisteredClaims{
			Issuer:    s.issuer,
			Subject:   subject,
			Audience:  jwt.ClaimStrings{s.service},
			ExpiresAt: jwt.NewNumericDate(now.Add(ttl)),
			NotBefore: jwt.NewNumericDate(now),
			IssuedAt:  jwt.NewNumericDate(now),
			ID:        hex.EncodeToString(id),
		},
		Access: access,
	})
	token.Header["kid"] = s.id
	return token.SignedString(s.key)
}
