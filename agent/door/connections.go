package door

import (
	"cmp"
	"log/slog"
	"maps"
	"net"
	"slices"
	"sync"
	"time"

	"gantry.dev/agent/ssh/wire"
)

const (
	// Logged in connections; one more ends one of whoever has most.
	mostConnections = 1024
	// The most channels of a connection: in all, and those without a way, on which the greeting is said.
	mostChannels = 128
	mostSessions = 4
	// A key in very many instances would make a line longer than log collectors keep, and so would a name that a client made up.
	mostShown = 20
	longShown = 128
)

// Connections are those that have logged in, and what each of them opened.
type Connections struct {
	rights *Rights
	audit  *slog.Logger
	now    func() time.Time
	most   int

	// Those that ended when memory was short, until it is measured anew; only Relieve touches them.
	relieved []*connection

	mu    sync.Mutex
	live  map[*connection]struct{}
	last  int
	count Counters
}

// Counters only grow.
type Counters struct{ Logins, Opened, Denied, Ended int }

type connection struct {
	meter    *meter
	guard    wire.Guard
	id       int
	key      Fingerprint
	address  string
	since    time.Time
	channels wire.Slots
	sessions wire.Slots

	// These belong to Connections. The organisation is that of the first instance it opened, "" before: others may name its key in
	// their instances, but not what it opens.
	opened       map[Target]bool
	organisation string
	hasEnded     bool
}

// NewConnections judges by these rights.
func NewConnections(rights *Rights, audit *slog.Logger) *Connections {
	return &Connections{
		rights: rights, audit: audit, now: time.Now, most: mostConnections, live: map[*connection]struct{}{},
	}
}

// Enter takes in a connection that has logged in.
func (c *Connections) Enter(key Fingerprint, conn *meter, guard wire.Guard) *connection {
	made := &connection{
		meter: conn, guard: guard, key: key, address: conn.RemoteAddr().String(), since: c.now(),
		channels: make(wire.Slots, mostChannels), sessions: make(wire.Slots, mostSessions), opened: map[Target]bool{},
	}
	names := []string{}
	mayBe := map[string]int{}
	for _, target := range c.rights.Of(key, c.now()) {
		names = append(names, target.String())
		mayBe[target.Namespace] = 1
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if all := c.mostFirst(func(*connection) int { return 1 }, mayBe); len(all) >= c.most {
		c.end(all[0], "the door is full, and nobody has more connections")
	}
	c.last++
	made.id = c.last
	c.live[made] = struct{}{}
	c.count.Logins++
	shown := names[:min(len(names), mostShown)]
	c.audit.Info("login", append(made.attributes(), "event", "login", "instances", shown, "instancesCount", len(names))...)
	return made
}

// Leave forgets a connection that is over.
func (c *Connections) Leave(gone *connection) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.live, gone)
	c.audit.Info("closed", append(gone.attributes(), "event", "closed", "seconds", int(c.now().Sub(gone.since).Seconds()))...)
}

// Open says whether the connection's key opens this target now, and remembers that it did.
func (c *Connections) Open(known *connection, target Target) bool {
	if !c.rights.May(known.key, target, c.now()) {
		return false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	known.opened[target] = true
	if known.organisation == "" {
		known.organisation = target.Namespace
	}
	c.count.Opened++
	c.audit.Info("open", append(known.attributes(), "event", "open", "instance", target.String())...)
	return true
}

// Deny notes what the client named.
func (c *Connections) Deny(known *connection, host, port string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.count.Denied++
	target := net.JoinHostPort(host[:min(len(host), longShown)], port)
	c.audit.Warn("the key does not open this", append(known.attributes(), "event", "denied", "target", target)...)
}

// Sweep ends connections that have opened what their key may open no more, or whose key opens nothing any more. A right that a
// connection never used ends nobody's sessions.
func (c *Connections) Sweep() {
	now := c.now()
	for _, known := range c.all() {
		c.judge(known, now)
	}
}

func (c *Connections) all() []*connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Collect(maps.Keys(c.live))
}

func (c *Connections) judge(known *connection, now time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.rights.MayAny(known.key, now) {
		c.end(known, "no instance takes this key any more")
	}
	for target := range known.opened {
		if !c.rights.May(known.key, target, now) {
			c.end(known, target.String()+" no longer takes this key")
		}
	}
}

// end needs the lock.
func (c *Connections) end(known *connection, why string) {
	if !known.hasEnded {
		known.hasEnded = true
		c.count.Ended++
		c.audit.Info(why, append(known.attributes(), "event", "ended")...)
		_ = known.meter.Close()
	}
}

// EndAll ends every connection.
func (c *Connections) EndAll(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for known := range c.live {
		c.end(known, why)
	}
}

// mostFirst is who ends where there is not enough for all: of the organisation that has most in all, the connection that has most,
// of equal ones the oldest. `more` is what comes to organisations now, which then give way to equal ones. Connections that have
// opened nothing count as those of one organisation.
func (c *Connections) mostFirst(has func(*connection) int, more map[string]int) []*connection {
	type holder struct {
		*connection
		has int
	}
	var holders []holder
	together := map[string]int{}
	maps.Copy(together, more)
	for known := range c.live {
		if !known.hasEnded {
			own := has(known)
			holders = append(holders, holder{known, own})
			together[known.organisation] += own
		}
	}
	slices.SortFunc(holders, func(a, b holder) int {
		return cmp.Or(
			cmp.Compare(together[b.organisation], together[a.organisation]),
			cmp.Compare(more[b.organisation], more[a.organisation]),
			cmp.Compare(a.organisation, b.organisation), cmp.Compare(b.has, a.has), cmp.Compare(a.id, b.id),
		)
	})
	sorted := make([]*connection, len(holders))
	for at, one := range holders {
		sorted[at] = one.connection
	}
	return sorted
}

// Live says how many there are.
func (c *Connections) Live() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.live)
}

// Counters returns the totals so far.
func (c *Connections) Counters() Counters {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

func (k *connection) attributes() []any {
	return []any{"key", k.key.String(), "address", k.address, "connection", k.id}
}
