package door

import (
	"context"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/rand"
	"encoding/json"
	"encoding/pem"
	"fmt"
	"maps"
	"net/http"
	"slices"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/client-go/rest"

	"golang.org/x/crypto/ssh"
)

// Files of the Secret; each is a private key in OpenSSH's own form.
var hostKeyMakers = map[string]func() (any, error){
	"ssh_host_ed25519_key": func() (any, error) {
		_, key, err := ed25519.GenerateKey(rand.Reader)
		return &key, err
	},
	// For clients that must not use anything but NIST's curves.
	"ssh_host_ecdsa_key": func() (any, error) { return ecdsa.GenerateKey(elliptic.P256(), rand.Reader) },
}

type secret struct {
	APIVersion string            `json:"apiVersion"`
	Kind       string            `json:"kind"`
	Metadata   map[string]any    `json:"metadata"`
	Type       string            `json:"type,omitempty"`
	Data       map[string][]byte `json:"data,omitempty"`
}

// hostKeys returns the door's host keys. They are in a Secret that the platform creates empty: the first replica fills it, and all
// others use its content. So the door may read and change this one Secret, and create none.
func hostKeys(ctx context.Context, client rest.Interface, namespace, name string) ([]ssh.Signer, error) {
	path := "/api/v1/namespaces/" + namespace + "/secrets/" + name
	for {
		body, err := client.Get().AbsPath(path).Do(ctx).Raw()
		if err != nil {
			return nil, fmt.Errorf("Secret %s/%s, which holds the host keys: %w", namespace, name, err)
		}
		var found secret
		if err := json.Unmarshal(body, &found); err != nil {
			return nil, err
		}
		if found.Data == nil {
			found.Data = map[string][]byte{}
		}
		made := false
		for file, make := range hostKeyMakers {
			if len(found.Data[file]) > 0 {
				continue
			}
			text, err := privateKey(make)
			if err != nil {
				return nil, err
			}
			found.Data[file], made = text, true
		}
		if !made {
			return parseHostKeys(found.Data)
		}
		changed, err := json.Marshal(found)
		if err != nil {
			return nil, err
		}
		// With the version that was read: of two replicas one is refused, and reads the other's.
		err = client.Verb(http.MethodPut).AbsPath(path).SetHeader("Content-Type", "application/json").Body(changed).Do(ctx).Error()
		if err != nil && !apierrors.IsConflict(err) {
			return nil, fmt.Errorf("Secret %s/%s does not take the host keys: %w", namespace, name, err)
		}
	}
}

func privateKey(make func() (any, error)) ([]byte, error) {
	key, err := make()
	if err != nil {
		return nil, err
	}
	block, err := ssh.MarshalPrivateKey(key, "")
	if err != nil {
		return nil, err
	}
	return pem.EncodeToMemory(block), nil
}

func parseHostKeys(data map[string][]byte) ([]ssh.Signer, error) {
	var keys []ssh.Signer
	for _, file := range slices.Sorted(maps.Keys(hostKeyMakers)) {
		key, err := ssh.ParsePrivateKey(data[file])
		if err != nil {
			return nil, fmt.Errorf("the host key %s: %w", file, err)
		}
		keys = append(keys, key)
	}
	return keys, nil
}
