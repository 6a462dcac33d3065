package door

import (
	"errors"
	"log/slog"
	"os"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"
)

// How long a connection that was asked to end may take, before it is killed.
const endsWithin = 2 * time.Second

// Connections are the live ones, each identified by its sshd monitor process, which leads its own session. What they do is read
// from sshd's log, line by line as sshd writes it.
type Connections struct {
	rights  *Rights
	domains []string
	audit   *slog.Logger
	now     func() time.Time

	mu   sync.Mutex
	live map[int]*connection
	// The targets that sshd was given, by monitor and key, before the client proved that it has the key.
	told  map[int]map[Fingerprint][]Target
	count Counters
}

// Counters only grow.
type Counters struct{ Logins, Opened, Denied, Ended int }

type connection struct {
	// The kernel's handle on it: its number may be another's once it is gone.
	monitor *os.Process
	pid     int
	key     Fingerprint
	address string
	since   time.Time
	// The targets that sshd lets it open for as long as it lives, whatever happens to the key's rights.
	granted map[Target]bool
	opened  map[Target]bool
	// When it was asked to end; zero while it may live.
	ending time.Time
}

// NewConnections judges by these rights.
func NewConnections(rights *Rights, domains []string, audit *slog.Logger) *Connections {
	return &Connections{
		rights: rights, domains: domains, audit: audit, now: time.Now,
		live: map[int]*connection{}, told: map[int]map[Fingerprint][]Target{},
	}
}

// Answer is what sshd may know of a key that somebody offers: nothing when it may open nothing.
func (c *Connections) Answer(monitor int, key PublicKey) string {
	fingerprint := key.Fingerprint()
	targets, until := c.rights.Of(fingerprint, c.now())
	if len(targets) == 0 {
		return ""
	}
	granted := withinLimit(targets, c.domains)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.told[monitor] == nil {
		c.told[monitor] = map[Fingerprint][]Target{}
	}
	// The latest answer counts: sshd asks again once the client has signed.
	c.told[monitor][fingerprint] = granted
	return line(key, granted, until, c.domains)
}

// Lines of sshd. What a client typed stands in the last two: of the target only the end of the line counts, and no name
// with a blank is ever permitted.
var (
	accepted = regexp.MustCompile(`^Accepted publickey for gantry from (\S+) port (\d+) ssh2: \S+ SHA256:([A-Za-z0-9+/]{43})$`)
	opening  = regexp.MustCompile(`^(?:debug1: )?serverloop\.c:server_request_direct_tcpip\(\):\d+ \(pid=\d+\): originator .* port \d+, target (\S+) port (\d+)$`)
	denied   = regexp.MustCompile(`^Received request from (\S+) port (\d+) to connect to host (.*) port (\d+), but the request was denied\.$`)
)

// Logged takes one line of sshd's log, with the process and user that wrote it as the kernel tells them.
func (c *Connections) Logged(pid int, user uint32, text string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	// Only a monitor is root: what lets strangers in is not believed from a process that works for one.
	if parts := accepted.FindStringSubmatch(text); parts != nil && user == uint32(os.Getuid()) {
		c.login(pid, parts[1]+":"+parts[2], parts[3])
		return
	}
	if parts := opening.FindStringSubmatch(text); parts != nil {
		c.open(leaderOf(pid), parts[1], parts[2])
		return
	}
	if parts := denied.FindStringSubmatch(text); parts != nil {
		c.count.Denied++
		attributes := []any{"event", "denied", "target", parts[3] + ":" + parts[4]}
		if known := c.live[leaderOf(pid)]; known != nil {
			attributes = append(attributes, known.attributes()...)
		}
		c.audit.Warn("the key does not open this", attributes...)
		return
	}
	c.audit.Info(text, "event", "sshd", "process", pid)
}

func (c *Connections) login(pid int, address, fingerprint string) {
	key, ok := parseFingerprint(fingerprint)
	monitor, err := os.FindProcess(pid)
	if !ok || err != nil {
		return
	}
	made := &connection{
		monitor: monitor, pid: pid, key: key, address: address, since: c.now(),
		granted: map[Target]bool{}, opened: map[Target]bool{},
	}
	names := []string{}
	for _, target := range c.told[pid][key] {
		made.granted[target] = true
		names = append(names, target.String())
	}
	delete(c.told, pid)
	c.live[pid] = made
	c.count.Logins++
	// A key in very many instances would make a line longer than log collectors keep.
	shown := names[:min(len(names), 20)]
	c.audit.Info("login", append(made.attributes(), "event", "login", "instances", shown, "instancesCount", len(names))...)
	c.judge(made)
}

func (c *Connections) open(pid int, host, port string) {
	known := c.live[pid]
	target, ok := targetOf(host, c.domains)
	if known == nil || !ok || port != "22" || !known.granted[target] {
		// sshd refuses it, and logs that itself.
		return
	}
	known.opened[target] = true
	c.count.Opened++
	c.audit.Info("open", append(known.attributes(), "event", "open", "instance", target.String())...)
	c.judge(known)
}

// judge ends a connection that has opened what its key may open no more, or that can open nothing any more. What was
// granted and lost but never opened ends it when it is opened.
func (c *Connections) judge(known *connection) {
	now := c.now()
	if !known.ending.IsZero() {
		if now.Sub(known.ending) >= endsWithin {
			// The whole session: a process that works for the client may not listen.
			_ = syscall.Kill(-known.pid, syscall.SIGKILL)
		}
		return
	}
	why := ""
	if !c.mayAny(known, now) {
		why = "no instance takes this key any more"
	}
	for target := range known.opened {
		if !c.rights.May(known.key, target, now) {
			why = target.String() + " no longer takes this key"
		}
	}
	if why != "" {
		c.end(known, why)
	}
}

func (c *Connections) mayAny(known *connection, now time.Time) bool {
	for target := range known.granted {
		if c.rights.May(known.key, target, now) {
			return true
		}
	}
	return false
}

func (c *Connections) end(known *connection, why string) {
	known.ending = c.now()
	c.count.Ended++
	c.audit.Info(why, append(known.attributes(), "event", "ended")...)
	// The monitor passes it on to the process that works for the client.
	_ = known.monitor.Signal(syscall.SIGTERM)
}

// Sweep forgets connections that are over and judges the others.
func (c *Connections) Sweep() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for pid, known := range c.live {
		if errors.Is(known.monitor.Signal(syscall.Signal(0)), os.ErrProcessDone) {
			delete(c.live, pid)
			_ = known.monitor.Release()
			c.audit.Info("closed", append(known.attributes(), "event", "closed", "seconds", int(c.now().Sub(known.since).Seconds()))...)
			continue
		}
		c.judge(known)
	}
	for pid := range c.told {
		if syscall.Kill(pid, 0) != nil {
			delete(c.told, pid)
		}
	}
}

// EndAll asks every connection to end.
func (c *Connections) EndAll(why string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, known := range c.live {
		if known.ending.IsZero() {
			c.end(known, why)
		}
	}
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
	return []any{"key", k.key.String(), "address", k.address, "connection", k.pid}
}

// leaderOf is the process that leads a process's session: the monitor of whatever sshd runs for a connection.
func leaderOf(pid int) int { return statOf(pid, 6) }

func parentOf(pid int) int { return statOf(pid, 4) }

// statOf reads a numbered field of /proc/<pid>/stat, as proc(5) counts them; 0 when the process is gone.
func statOf(pid, field int) int {
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return 0
	}
	// The second field, the command's name, may hold blanks and brackets.
	text := string(stat)
	fields := strings.Fields(text[strings.LastIndexByte(text, ')')+1:])
	if len(fields) <= field-3 {
		return 0
	}
	number, _ := strconv.Atoi(fields[field-3])
	return number
}
