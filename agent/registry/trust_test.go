package registry

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"encoding/base64"
	"encoding/json"
	"encoding/pem"
	"math/big"
	"os"
	"path/filepath"
	"testing"
)

func TestTheRegistryTrustsTheKeyThatSigns(t *testing.T) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	// As Helm writes it, which has no PKCS #8.
	der, err := x509.MarshalECPrivateKey(key)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	keyFile, out := filepath.Join(dir, "signing.key"), filepath.Join(dir, "trusted.json")
	if err := os.WriteFile(keyFile, pem.EncodeToMemory(&pem.Block{Type: "EC PRIVATE KEY", Bytes: der}), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := TrustMain(context.Background(), []string{"-signing-key-file", keyFile, "-out", out}); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	var trusted struct {
		Keys []struct{ Kty, Crv, X, Y, Kid, Alg string }
	}
	if err := json.Unmarshal(text, &trusted); err != nil || len(trusted.Keys) != 1 {
		t.Fatalf("%s: %v", text, err)
	}
	got := trusted.Keys[0]
	signer, err := newSigner(keyFile, "", "")
	if err != nil {
		t.Fatal(err)
	}
	number := func(text string) *big.Int {
		bytes, err := base64.RawURLEncoding.DecodeString(text)
		if err != nil {
			t.Fatal(err)
		}
		return new(big.Int).SetBytes(bytes)
	}
	if got.Kid != signer.id || got.Kty != "EC" || got.Crv != "P-256" || got.Alg != "ES256" {
		t.Errorf("the key is named %+v, tokens name it %s", got, signer.id)
	}
	if number(got.X).Cmp(key.X) != 0 || number(got.Y).Cmp(key.Y) != 0 {
		t.Error("another key is trusted")
	}
}
