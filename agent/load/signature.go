package load

import (
	"crypto/ed25519"
	"crypto/x509"
	"encoding/json"
	"encoding/pem"
	"errors"
	"fmt"
	"os"
	"path/filepath"
)

const payloadType = "application/vnd.in-toto+json"

// signed is an envelope of DSSE v1; JSON's bytes are base64.
type signed struct {
	PayloadType string `json:"payloadType"`
	Payload     []byte `json:"payload"`
	Signatures  []struct {
		Sig []byte `json:"sig"`
	} `json:"signatures"`
}

// statement is in-toto's, as far as it matters here.
type statement struct {
	Subject []struct {
		Name   string            `json:"name"`
		Digest map[string]string `json:"digest"`
	} `json:"subject"`
}

// verifySignature says whether the owner of this key has signed SHA256SUMS, and with it all of the bundle.
func verifySignature(folder, keyFile string) error {
	key, err := readKey(keyFile)
	if err != nil {
		return fmt.Errorf("--public-key: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(folder, envelope))
	if errors.Is(err, os.ErrNotExist) {
		return fmt.Errorf("the bundle is not signed: it has no %s", envelope)
	} else if err != nil {
		return err
	}
	var found signed
	if err := json.Unmarshal(text, &found); err != nil || found.PayloadType != payloadType {
		return fmt.Errorf("%s is no signed statement", envelope)
	}
	bytes := fmt.Appendf(nil, "DSSEv1 %d %s %d ", len(payloadType), payloadType, len(found.Payload))
	bytes = append(bytes, found.Payload...)
	isSigned := false
	for _, one := range found.Signatures {
		isSigned = isSigned || ed25519.Verify(key, bytes, one.Sig)
	}
	if !isSigned {
		return errors.New("the bundle is not signed with this key")
	}
	var said statement
	if err := json.Unmarshal(found.Payload, &said); err != nil {
		return fmt.Errorf("%s is no signed statement", envelope)
	}
	sum, err := sumOf(filepath.Join(folder, sums))
	if err != nil {
		return err
	}
	for _, subject := range said.Subject {
		if subject.Name == sums && subject.Digest["sha256"] == sum {
			return nil
		}
	}
	return fmt.Errorf("the signature is of another bundle: it does not name this %s", sums)
}

func readKey(file string) (ed25519.PublicKey, error) {
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	block, _ := pem.Decode(text)
	if block == nil || block.Type != "PUBLIC KEY" {
		return nil, fmt.Errorf("%q has no public key in PEM", file)
	}
	parsed, err := x509.ParsePKIXPublicKey(block.Bytes)
	if err != nil {
		return nil, err
	}
	key, isEd25519 := parsed.(ed25519.PublicKey)
	if !isEd25519 {
		return nil, fmt.Errorf("%q is no Ed25519 key", file)
	}
	return key, nil
}
