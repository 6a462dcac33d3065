package registry

import (
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/base64"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	pullSecret   = "gantry-pull"
	managedLabel = "gantry.dev/managed"
	// A rotated password is known after so long.
	passwordsFor = 5 * time.Second
	askFor       = 5 * time.Second
)

type digest [sha256.Size]byte

func digestOf(text string) digest { return sha256.Sum256([]byte(text)) }

// Passwords knows those of organisations, from the Secret in each one's namespace. It keeps digests, and those not for long.
type Passwords struct {
	cluster interface {
		secret(ctx context.Context, namespace, name string) (*unstructured.Unstructured, error)
	}
	// The registry's name, under which a docker configuration has its login.
	host   string
	now    func() time.Time
	mutex  sync.Mutex
	known  map[string]password
	flight singleflight.Group
}

type password struct {
	digest digest
	// False: no such organisation, or none that has a password yet.
	exists bool
	at     time.Time
}

// matches compares in constant time, also with the password of nobody.
func (p *Passwords) matches(ctx context.Context, namespace, given string) (bool, error) {
	known, err := p.of(ctx, namespace)
	if err != nil {
		return false, err
	}
	wanted := digestOf(given)
	return subtle.ConstantTimeCompare(known.digest[:], wanted[:]) == 1 && known.exists, nil
}

func (p *Passwords) of(ctx context.Context, namespace string) (password, error) {
	p.mutex.Lock()
	known, ok := p.known[namespace]
	p.mutex.Unlock()
	if ok && p.now().Sub(known.at) < passwordsFor {
		return known, nil
	}
	read, err, _ := p.flight.Do(namespace, func() (any, error) {
		// Not the caller's context: others wait for the same answer.
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askFor)
		defer cancel()
		found, err := p.read(ctx, namespace)
		if err != nil {
			return password{}, err
		}
		p.keep(namespace, found)
		return found, nil
	})
	return read.(password), err
}

func (p *Passwords) read(ctx context.Context, namespace string) (password, error) {
	at := p.now()
	secret, err := p.cluster.secret(ctx, namespace, pullSecret)
	// Without a namespace there is no Role in it: that is forbidden, not absent. Both are reported alike.
	if apierrors.IsNotFound(err) || apierrors.IsForbidden(err) {
		return password{at: at}, nil
	}
	if err != nil {
		return password{}, err
	}
	text, err := passwordIn(secret, p.host, namespace)
	if err != nil {
		return password{at: at}, nil
	}
	return password{digest: digestOf(text), exists: true, at: at}, nil
}

const mostKept = 10_000

func (p *Passwords) keep(namespace string, found password) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if len(p.known) >= mostKept {
		clear(p.known)
	}
	p.known[namespace] = found
}

var errNoLogin = errors.New("holds no login of ours")

// passwordIn reads the platform's own Secret: one that a tenant made under its name says nothing.
func passwordIn(secret *unstructured.Unstructured, host, user string) (string, error) {
	if _, ok := secret.GetLabels()[managedLabel]; !ok {
		return "", errNoLogin
	}
	encoded, _, _ := unstructured.NestedString(secret.Object, "data", ".dockerconfigjson")
	text, err := base64.StdEncoding.DecodeString(encoded)
	if err != nil {
		return "", errNoLogin
	}
	var config struct {
		Auths map[string]struct{ Username, Password string }
	}
	if json.Unmarshal(text, &config) != nil {
		return "", errNoLogin
	}
	login := config.Auths[host]
	if login.Username != user || login.Password == "" {
		return "", errNoLogin
	}
	return login.Password, nil
}

func (c *Cluster) secret(ctx context.Context, namespace, name string) (*unstructured.Unstructured, error) {
	client, err := c.client()
	if err != nil {
		return nil, err
	}
	return client.Resource(secrets).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
}
