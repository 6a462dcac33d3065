package registry

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

// TrustMain writes what the registry trusts: the public half of the signing key, as a set of JSON Web Keys.
func TrustMain(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("node-agent registry-trust", flag.ContinueOnError)
	keyFile := flags.String("signing-key-file", "", "private key (P-256, PEM) that signs tokens")
	out := flags.String("out", "", "file for auth.token.jwks of the registry's configuration")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *keyFile == "" || *out == "" {
		return errors.New("-signing-key-file and -out: must name files")
	}
	signer, err := newSigner(*keyFile, "", "")
	if err != nil {
		return fmt.Errorf("-signing-key-file: %w", err)
	}
	text, err := json.Marshal(trustedKeys(signer))
	if err != nil {
		return err
	}
	// Whole or not at all: the registry reads it once.
	if err := os.WriteFile(*out+".new", text, 0o644); err != nil {
		return fmt.Errorf("-out: %w", err)
	}
	return os.Rename(*out+".new", filepath.Clean(*out))
}

func trustedKeys(signer *Signer) any {
	x, y := coordinates(&signer.key.PublicKey)
	return map[string]any{"keys": []map[string]string{
		{"kty": "EC", "crv": "P-256", "x": x, "y": y, "kid": signer.id, "alg": "ES256", "use": "sig"},
	}}
}
