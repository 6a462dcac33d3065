package door

import (
	"context"
	"errors"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"
)

const (
	reachableWithin = 3 * time.Second
	// Instances that are dialled at once, of one organisation and in all: none keeps the others from theirs.
	mostPerOrganisation = 16
	mostDials           = 256
	// One attempt serves all concurrent questions about the same instance, and those up to this much later.
	answerHolds = time.Second
)

// Sentences that a client shows behind "open failed: connect failed:".
var (
	errUnreachable = errors.New("Name or service not known")
	errBusy        = errors.New("too many instances of this organisation do not answer; try again")
)

// reach leads to where an instance is now. A silent one is dialled once for all who ask, who then hear the same.
type reach struct {
	rights *Rights
	log    *slog.Logger
	dial   func(ctx context.Context, at netip.AddrPort) (net.Conn, error)
	dials  *share[string]

	mu    sync.Mutex
	tries map[place]*attempt
}

type place struct {
	Target
	at netip.Addr
}

type attempt struct {
	done chan struct{}
	// Once done is closed.
	err error
}

func newReach(rights *Rights, log *slog.Logger) *reach {
	dialer := &net.Dialer{}
	return &reach{
		rights: rights, log: log,
		dial: func(ctx context.Context, at netip.AddrPort) (net.Conn, error) {
			return dialer.DialContext(ctx, "tcp", at.String())
		},
		dials: newShare[string](mostPerOrganisation, mostDials),
		tries: map[place]*attempt{},
	}
}

// open connects to port 22 of the instance; the error is errUnreachable or errBusy. It returns when ctx ends, unless
// it dials for all who ask.
func (r *reach) open(ctx context.Context, target Target) (net.Conn, error) {
	at, isKnown := r.rights.AddressOf(target)
	if !isKnown {
		return nil, errUnreachable
	}
	to := place{target, at}
	r.mu.Lock()
	known := r.tries[to]
	isFirst := known == nil
	if isFirst {
		known = &attempt{done: make(chan struct{})}
		r.tries[to] = known
	}
	r.mu.Unlock()
	if !isFirst {
		select {
		case <-known.done:
		case <-ctx.Done():
			return nil, errBusy
		}
		if known.err != nil {
			return nil, known.err
		}
		return r.connect(ctx, to)
	}
	// What those hear who wait, should the dial panic: the answer has to end all the same, or nobody would dial again.
	known.err = errUnreachable
	defer r.answer(to, known)
	connection, err := r.connect(context.WithoutCancel(ctx), to)
	known.err = err
	return connection, err
}

func (r *reach) answer(to place, known *attempt) {
	close(known.done)
	time.AfterFunc(answerHolds, func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.tries, to)
	})
}

func (r *reach) connect(ctx context.Context, to place) (net.Conn, error) {
	waiting, stop := context.WithTimeout(ctx, reachableWithin)
	defer stop()
	if !r.dials.await(waiting, to.Namespace) {
		return nil, errBusy
	}
	defer r.dials.free(to.Namespace)
	dialling, cancel := context.WithTimeout(ctx, reachableWithin)
	defer cancel()
	connection, err := r.dial(dialling, netip.AddrPortFrom(to.at, 22))
	// Who asked is gone, which says nothing of the instance.
	if err != nil && ctx.Err() != nil {
		return nil, errBusy
	}
	if err != nil {
		r.log.Info("the instance does not answer", "event", "unreachable", "instance", to.String(), "address", to.at.String())
		return nil, errUnreachable
	}
	return connection, nil
}

// targetOf reads the name that a client asked for; ok is false for one that no instance has. `domains` are the suffixes a client
// may append to the address; the empty one is the address itself.
func targetOf(host string, domains []string) (target Target, ok bool) {
	for _, domain := range domains {
		bare, hasDomain := strings.CutSuffix(host, domain)
		if parts := strings.Split(bare, "."); hasDomain && len(parts) == 4 && parts[1] == "instances" && parts[3] == "svc" {
			target = Target{Namespace: parts[2], Name: parts[0]}
			return target, target.canBe()
		}
	}
	return Target{}, false
}
