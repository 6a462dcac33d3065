package door

import (
	"cmp"
	"net/netip"
	"regexp"
	"slices"
	"sync"
	"time"
)

// Target is what a key may open: port 22 of one instance.
type Target struct {
	Namespace string
	Name      string
}

// String is how kubectl users write it.
func (t Target) String() string { return t.Namespace + "/" + t.Name }

// Host is the instance's address inside the cluster.
func (t Target) Host() string { return t.Name + ".instances." + t.Namespace + ".svc" }

// Instance is what of a GpuInstance concerns the door.
type Instance struct {
	Target
	// The current run's address; the zero address if no container runs.
	Address netip.Addr
	Keys    []KeyUntil
}

// KeyUntil is a key that logs in until a time; the zero time is for good.
type KeyUntil struct {
	Fingerprint Fingerprint
	Until       time.Time
}

type instance struct {
	Target
	address netip.Addr
	// Until when each logs in, in Unix seconds; 0 is for good.
	keys map[Fingerprint]int64
}

// Rights is who may open what, by key: the basis of logins, of ways and of checks on connections. Keys are stored as fingerprints
// only, because every question includes the key.
type Rights struct {
	mu        sync.RWMutex
	instances map[Target]*instance
	keys      map[Fingerprint][]*instance
}

// NewRights returns an empty set.
func NewRights() *Rights {
	return &Rights{instances: map[Target]*instance{}, keys: map[Fingerprint][]*instance{}}
}

// canBe is whether an instance may be called so.
func (t Target) canBe() bool { return label.MatchString(t.Name) && label.MatchString(t.Namespace) }

// Kubernetes guarantees this for metadata.name and metadata.namespace. Checked, because both go into the log and are compared with
// what clients name.
var label = regexp.MustCompile(`^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?$`)

// Set makes an instance's keys these.
func (r *Rights) Set(wanted Instance) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.set(wanted)
}

// Remove takes an instance out of every key's rights.
func (r *Rights) Remove(target Target) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.remove(target)
}

// Replace forgets all instances but these.
func (r *Rights) Replace(all []Instance) {
	fresh := NewRights()
	for _, wanted := range all {
		fresh.set(wanted)
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.instances, r.keys = fresh.instances, fresh.keys
}

func (r *Rights) set(wanted Instance) {
	r.remove(wanted.Target)
	if !wanted.canBe() {
		return
	}
	made := &instance{Target: wanted.Target, keys: map[Fingerprint]int64{}}
	if isOfPod(wanted.Address) {
		made.address = wanted.Address
	}
	for _, key := range wanted.Keys {
		until := int64(0)
		if !key.Until.IsZero() {
			until = key.Until.Unix()
		}
		known, isTwice := made.keys[key.Fingerprint]
		if !isTwice {
			r.keys[key.Fingerprint] = append(r.keys[key.Fingerprint], made)
		}
		// One key under two remarks logs in as long as either does.
		if !isTwice || known != 0 && (until == 0 || until > known) {
			made.keys[key.Fingerprint] = until
		}
	}
	if len(made.keys) > 0 {
		r.instances[wanted.Target] = made
	}
}

func (r *Rights) remove(target Target) {
	gone, known := r.instances[target]
	if !known {
		return
	}
	delete(r.instances, target)
	for key := range gone.keys {
		left := slices.DeleteFunc(r.keys[key], func(one *instance) bool { return one == gone })
		if len(left) == 0 {
			delete(r.keys, key)
		} else {
			r.keys[key] = left
		}
	}
}

func (i *instance) takes(key Fingerprint, now time.Time) bool {
	until, isListed := i.keys[key]
	return isListed && (until == 0 || until > now.Unix())
}

// Of returns what a key may open at this time, in the order of the names.
func (r *Rights) Of(key Fingerprint, now time.Time) (targets []Target) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	for _, one := range r.keys[key] {
		if one.takes(key, now) {
			targets = append(targets, one.Target)
		}
	}
	slices.SortFunc(targets, func(a, b Target) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	return targets
}

// May says whether a key may open this target at this time.
func (r *Rights) May(key Fingerprint, target Target, now time.Time) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	known := r.instances[target]
	return known != nil && known.takes(key, now)
}

// MayAny says whether a key may open anything at this time.
func (r *Rights) MayAny(key Fingerprint, now time.Time) bool {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return slices.ContainsFunc(r.keys[key], func(one *instance) bool { return one.takes(key, now) })
}

// isOfPod refuses what no Pod can have, whatever a status says: the door's own loopback, the node's metadata server.
func isOfPod(address netip.Addr) bool {
	return address.IsGlobalUnicast()
}

// AddressOf says where an instance that some key opens is now.
func (r *Rights) AddressOf(target Target) (netip.Addr, bool) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	known := r.instances[target]
	if known == nil {
		return netip.Addr{}, false
	}
	return known.address, known.address.IsValid()
}

// Counts are for metrics.
func (r *Rights) Counts() (instances, keys int) {
	r.mu.RLock()
	defer r.mu.RUnlock()
	return len(r.instances), len(r.keys)
}
