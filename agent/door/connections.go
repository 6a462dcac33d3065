package door

import (
	"log/slog"
	"net"
	"sync"
	"time"

	"gantry.dev/agent/ssh/wire"
)

const (
	// Logged in connections, of one key and in all.
	mostPerKey      = 128
	mostConnections = 1024
	// Of a connection: channels in all, and those without a way, on which the greeting is said.
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
	room   *share[Fingerprint]

	mu    sync.Mutex
	live  map[*connection]struct{}
	last  int
	count Counters
}

// Counters only grow.
type Counters struct{ Logins, Opened, Denied, Ended int }

type connection struct {
	meter    *meter
	id       int
	key      Fingerprint
	address  string
	since    time.Time
	channels wire.Slots
	sessions wire.Slots

	// Both belong to Connections.
	opened   map[Target]bool
	hasEnded bool
}

// NewConnections judges by these rights.
func NewConnections(rights *Rights, audit *slog.Logger) *Connections {
	return &Connections{
		rights: rights, audit: audit, now: time.Now,
		room: newShare[Fingerprint](mostPerKey, mostConnections), live: map[*connection]struct{}{},
	}
}

// Enter is nil where the key, or all of them together, have as many connections as they may.
func (c *Connections) Enter(key Fingerprint, conn *meter) *connection {
	made := &connection{
		meter: conn, key: key, address: conn.RemoteAddr().String(), since: c.now(),
		channels: make(wire.Slots, mostChannels), sessions: make(wire.Slots, mostSessions), opened: map[Target]bool{},
	}
	if !c.room.take(key) {
		c.audit.Warn("too many connections", append(made.attributes(), "event", "full")...)
		return nil
	}
	names := []string{}
	for _, target := range c.rights.Of(key, c.now()) {
		names = append(names, target.String())
	}
	c.mu.Lock()
	defer c.mu.Unlock()
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
	c.room.free(gone.key)
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
		if why := c.judge(known, now); why != "" {
			c.end(known, why)
		}
	}
}

func (c *Connections) judge(known *connection, now time.Time) string {
	if !c.rights.MayAny(known.key, now) {
		return "no instance takes this key any more"
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	for target := range known.opened {
		if !c.rights.May(known.key, target, now) {
			return target.String() + " no longer takes this key"
		}
	}
	return ""
}

func (c *Connections) end(known *connection, why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !known.hasEnded {
		known.hasEnded = true
		c.count.Ended++
		c.audit.Info(why, append(known.attributes(), "event", "ended")...)
		_ = known.meter.Close()
	}
}

// EndAll ends every connection.
func (c *Connections) EndAll(why string) {
	for _, known := range c.all() {
		c.end(known, why)
	}
}

func (c *Connections) all() []*connection {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := make([]*connection, 0, len(c.live))
	for known := range c.live {
		all = append(all, known)
	}
	return all
}

// Live says how many there are.
func (c *Connections) Live() int { return c.room.taken() }

// Counters returns the totals so far.
func (c *Connections) Counters() Counters {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.count
}

func (k *connection) attributes() []any {
	return []any{"key", k.key.String(), "address", k.address, "connection", k.id}
}
