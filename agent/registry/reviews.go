package registry

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/sync/singleflight"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

const (
	audience     = "gantry-registry"
	accounts     = "system:serviceaccount:"
	accountsIn   = accounts + "gantry-system:"
	longestCache = 30 * time.Second
	// A token is forgotten so long before it ends.
	beforeEnd = 10 * time.Second
)

// The platform's accounts that pull and push everything.
var services = []string{accountsIn + "gantry-agent", accountsIn + "gantry-registry"}

// The account that the gateway reads kept logs by when the platform's staff ask for one.
const staff = accountsIn + "gantry-staff"

// Reviews knows ServiceAccounts by their tokens, which the API server judges.
type Reviews struct {
	cluster interface {
		review(ctx context.Context, token string) (user string, audiences []string, ok bool, err error)
	}
	now    func() time.Time
	mutex  sync.Mutex
	known  map[digest]review
	flight singleflight.Group
}

type review struct {
	who   Identity
	until time.Time
}

// identify asks the API server only for what can be one of our accounts: anything else costs it nothing.
func (r *Reviews) identify(ctx context.Context, token string) (Identity, bool, error) {
	id := digestOf(token)
	if who, ok := r.recall(id); ok {
		return who, true, nil
	}
	end, claims := claimed(token)
	if claims.Kind == "" {
		return Identity{}, false, nil
	}
	found, err, _ := r.flight.Do(string(id[:]), func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), askFor)
		defer cancel()
		user, audiences, ok, err := r.cluster.review(ctx, token)
		who := accountOf(user)
		if err != nil || !ok || who != claims || !slices.Contains(audiences, audience) {
			return Identity{}, err
		}
		r.keep(id, review{who, earlier(r.now().Add(longestCache), end.Add(-beforeEnd))})
		return who, nil
	})
	who := found.(Identity)
	return who, who.Kind != "", err
}

// accountOf says whom a ServiceAccount stands for: the platform's own for themselves, a member's for the organisation. Nobody: it
// may not log in here.
func accountOf(user string) Identity {
	if slices.Contains(services, user) {
		return Identity{Service, user[strings.LastIndex(user, ":")+1:]}
	}
	if user == staff {
		return Identity{Staff, "gantry-staff"}
	}
	name, isAccount := strings.CutPrefix(user, accounts)
	if namespace, _, ok := strings.Cut(name, ":"); isAccount && ok && isOrganisation(namespace) {
		return Identity{Organisation, namespace}
	}
	return Identity{}
}

// claimed reads what a token says of itself, which nobody has confirmed: when it ends, and whose it is; nobody's if it
// can be none of ours.
func claimed(token string) (end time.Time, who Identity) {
	var said jwt.RegisteredClaims
	if _, _, err := jwt.NewParser().ParseUnverified(token, &said); err != nil || said.ExpiresAt == nil || !slices.Contains(said.Audience, audience) {
		return time.Time{}, Identity{}
	}
	return said.ExpiresAt.Time, accountOf(said.Subject)
}

func (r *Reviews) recall(id digest) (Identity, bool) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	known, ok := r.known[id]
	if !ok || !r.now().Before(known.until) {
		return Identity{}, false
	}
	return known.who, true
}

func (r *Reviews) keep(id digest, found review) {
	r.mutex.Lock()
	defer r.mutex.Unlock()
	if len(r.known) >= mostKept {
		clear(r.known)
	}
	r.known[id] = found
}

func earlier(a, b time.Time) time.Time {
	if a.Before(b) {
		return a
	}
	return b
}

func (c *Cluster) review(ctx context.Context, token string) (string, []string, bool, error) {
	client, err := c.client()
	if err != nil {
		return "", nil, false, err
	}
	asked := &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "authentication.k8s.io/v1",
		"kind":       "TokenReview",
		"spec":       map[string]any{"token": token, "audiences": []any{audience}},
	}}
	answer, err := client.Resource(tokenReviews).Create(ctx, asked, metav1.CreateOptions{})
	if err != nil {
		return "", nil, false, err
	}
	ok, _, _ := unstructured.NestedBool(answer.Object, "status", "authenticated")
	user, _, _ := unstructured.NestedString(answer.Object, "status", "user", "username")
	audiences, _, _ := unstructured.NestedStringSlice(answer.Object, "status", "audiences")
	return user, audiences, ok, nil
}
