package door

import (
	"cmp"
	"net"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"slices"
	"sync"

	"golang.org/x/crypto/ssh"
)

const (
	// What the garbage collector aims to stay below, half of the container's usual limit; and the live memory above which
	// connections end, so much of which is freed.
	memoryLimit = 512 << 20
	tooMuchLive = memoryLimit / 4 * 3
	enoughFreed = memoryLimit / 4
	// A connection that holds no more than this is never ended for its memory.
	unreadIsFine = 256 << 10
	// An SSH packet around data: length, padding, message, authentication code.
	packetOverhead = 36
)

// meter counts what a client has sent and nobody has read yet: the SSH library keeps up to 2 MiB of each channel, many times that
// in packets of one byte, and does not say how much. The count is exact only while there is one channel; it serves to find who
// holds most, and never to refuse anybody.
type meter struct {
	net.Conn

	mu       sync.Mutex
	unread   int
	channels int
}

func (m *meter) Read(into []byte) (int, error) {
	n, err := m.Conn.Read(into)
	m.mu.Lock()
	defer m.mu.Unlock()
	m.unread += n
	return n, err
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
	return m.unread
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

// liveMemory is what the last collection left.
func liveMemory() int {
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	return int(sample[0].Value.Uint64())
}

// Relieve ends the connections that hold most of what nobody reads, until `enough` is freed, when the door has too much in memory.
func (c *Connections) Relieve(live, enough int) {
	if live < tooMuchLive {
		return
	}
	type holder struct {
		*connection
		holds int
	}
	var holders []holder
	for _, one := range c.all() {
		if holds := one.meter.holds(); holds > unreadIsFine {
			holders = append(holders, holder{one, holds})
		}
	}
	slices.SortFunc(holders, func(a, b holder) int { return cmp.Compare(b.holds, a.holds) })
	freed := 0
	for _, one := range holders {
		if freed >= enough {
			break
		}
		freed += one.holds
		c.end(one.connection, "it sent more than its instance takes, and the door is short of memory")
	}
	if freed > 0 {
		runtime.GC()
	}
}
