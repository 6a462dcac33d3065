package door

import (
	"errors"
	"io"
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
	mostOfPacket   = 32 << 10
	// What the library has read of a client and not yet sorted by channel: 16 packets, and one at each end of their queue.
	mostInHand = 18 * (mostOfPacket + packetOverhead)
	// Until it has logged in: one with ten large keys sends some 40 KiB.
	mostOfStranger = 128 << 10
)

var errTalksTooMuch = errors.New("it sent too much before it logged in")

// meter counts what a client has sent and nobody has read yet: the SSH library keeps up to 2 MiB of each channel, many times that
// in packets of one byte, and does not say how much. It serves to find who holds most, and never to refuse anybody.
//
// What comes in is encrypted, so the meter does not see which channel it is for. It sees when a way is empty: a read gave less than
// there was room for, and the next one waits. A way that is not empty holds at most what has come in since, less what was read.
type meter struct {
	net.Conn

	mu      sync.Mutex
	isKnown bool
	// What came in, less what was read of ways and what answers data that was sent. It says nothing alone, only since a way was empty.
	unread   int
	sent     int
	channels int
	ways     map[*way]struct{}
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
	m.isKnown = true
}

// opened counts channels that are read without a pause, so that they hold nothing.
func (m *meter) opened(channels int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.channels += channels
}

func (m *meter) holds() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	buffered := 0
	for one := range m.ways {
		if !one.isRead || !one.wasEmptied {
			buffered = max(buffered, m.unread-one.whenEmpty)
		}
	}
	return buffered + (m.channels+len(m.ways))*wayHolds
}

// way is a channel to an instance, whose reads and writes its meter knows of.
type way struct {
	ssh.Channel
	*meter

	// The meter's lock guards these: whether somebody reads now, whether the last read left nothing, and the count when one did.
	isRead, wasEmptied bool
	whenEmpty          int
}

func (m *meter) open(channel ssh.Channel) *way {
	m.mu.Lock()
	defer m.mu.Unlock()
	opened := &way{Channel: channel, meter: m, isRead: true, wasEmptied: true, whenEmpty: m.unread}
	if m.ways == nil {
		m.ways = map[*way]struct{}{}
	}
	m.ways[opened] = struct{}{}
	return opened
}

func (w *way) forget() {
	w.mu.Lock()
	defer w.mu.Unlock()
	delete(w.ways, w)
}

func (w *way) Read(into []byte) (int, error) {
	w.mu.Lock()
	w.isRead = true
	w.mu.Unlock()
	n, err := w.Channel.Read(into)
	w.mu.Lock()
	defer w.mu.Unlock()
	// After the end nothing comes any more, which is as if somebody went on reading.
	w.isRead, w.wasEmptied = err != nil, n < len(into)
	if n > 0 {
		w.unread -= n + packetOverhead
	}
	if w.wasEmptied {
		// The library may have more in hand that is for this way. With nothing in hand the count is lowest.
		w.whenEmpty = max(min(w.whenEmpty, w.unread), w.unread-mostInHand)
	}
	return n, err
}

// WriteTo has room for more than a packet, or the reads of one that sends whole packets would not show that nothing is left.
func (w *way) WriteTo(target io.Writer) (int64, error) {
	return io.CopyBuffer(struct{ io.Writer }{target}, struct{ io.Reader }{w}, make([]byte, mostOfPacket+1))
}

// Write expects a client to answer each whole packet by widening its window, which nobody reads.
func (w *way) Write(data []byte) (int, error) {
	n, err := w.Channel.Write(data)
	w.mu.Lock()
	defer w.mu.Unlock()
	before := w.sent / mostOfPacket
	w.sent += n
	w.unread -= (w.sent/mostOfPacket - before) * packetOverhead
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
