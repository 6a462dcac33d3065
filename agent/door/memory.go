package door

import (
	"errors"
	"net"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"

	"golang.org/x/crypto/ssh"
)

const (
	// The memory that the garbage collector aims to stay below, half of the container's usual limit; the memory in use above which connections
	// end; and the amount that is then freed.
	memoryLimit = 512 << 20
	tooMuchLive = memoryLimit / 4 * 3
	enoughFreed = memoryLimit / 4
	// A connection that holds no more than this is never ended for its memory.
	littleIsFine = 256 << 10
	// A way with nothing to carry: its goroutines, and a buffer in each direction.
	wayHolds = 96 << 10
	// An SSH packet around data: length, padding, message, authentication code.
	packetOverhead = 36
	// Until it has logged in: one with ten large keys sends some 40 KiB.
	mostOfStranger = 128 << 10
)

var errTalksTooMuch = errors.New("it sent too much before it logged in")

// meter counts what a client has sent and nobody has read yet: the SSH library keeps up to 2 MiB of each channel, many times that
// in packets of one byte, and does not say how much. The count is exact only while there is one channel; it serves to find who
// holds most, and never to refuse anybody.
type meter struct {
	net.Conn

	mu       sync.Mutex
	isKnown  bool
	unread   int
	channels int
}

func (m *meter) Read(into []byte) (int, error) {
	n, err := m.Conn.Read(into)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unread += n
	if !m.isKnown && m.unread > mostOfStranger {
		return n, errTalksTooMuch
	}
	return n, err
}

func (m *meter) loggedIn() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.isKnown, m.unread = true, 0
}

func (m *meter) opened(channels int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.channels += channels
}

func (m *meter) took(n int, isEmpty bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unread = max(0, m.unread-n-packetOverhead)
	if isEmpty && m.channels == 1 {
		m.unread = 0
	}
}

func (m *meter) holds() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.unread + m.channels*wayHolds
}

// counted is a channel whose reads its meter knows of.
type counted struct {
	ssh.Channel
	*meter
}

func (c counted) Read(into []byte) (int, error) {
	n, err := c.Channel.Read(into)
	// One that gives less than there was room for had no more.
	c.took(n, err == nil && n < len(into))
	return n, err
}

// limitMemory makes the collector work harder rather than let the container end.
func limitMemory() { debug.SetMemoryLimit(memoryLimit) }

// liveMemory is what the last collection left, and what goroutines have.
func liveMemory() int {
	samples := []metrics.Sample{{Name: "/gc/heap/live:bytes"}, {Name: "/memory/classes/heap/stacks:bytes"}}
	metrics.Read(samples)
	return int(samples[0].Value.Uint64() + samples[1].Value.Uint64())
}

// Relieve ends connections that hold most, of ways and of what nobody reads, until `enough` is freed, when the door has too much in
// memory. What the last ones held counts as live until they are over and collected; until then nobody else ends.
func (c *Connections) Relieve(live func() int, enough int) {
	if live() < tooMuchLive || c.isAnyLive(c.relieved) {
		return
	}
	if len(c.relieved) > 0 {
		c.relieved = nil
		// Outside the lock, which whoever enters or leaves needs.
		runtime.GC()
		if live() < tooMuchLive {
			return
		}
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	freed := 0
	for _, one := range c.mostFirst(func(known *connection) int { return known.meter.holds() }, nil) {
		holds := one.meter.holds()
		if freed >= enough {
			break
		}
		if holds > littleIsFine {
			freed += holds
			c.relieved = append(c.relieved, one)
			c.end(one, "the door is short of memory, and nobody has more of it")
		}
	}
}

func (c *Connections) isAnyLive(of []*connection) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.ContainsFunc(of, func(one *connection) bool {
		_, isLive := c.live[one]
		return isLive
	})
}
