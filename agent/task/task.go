// Package task is process 1 of a container that works on data in a tenant's Pod. It starts the worker, passes on what the worker says
// and makes, relays its calls to `/v1`, and holds the container until the gateway has fetched everything. README.md has the protocol.
//
// It believes nothing that the worker says: its parsers read documents of strangers. Only what this package understands is passed on.
package task

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	pidone "gantry.dev/agent/init"
)

// NotFetched is the exit code when nobody fetched the results in time. They are lost with the container.
const NotFetched = 75

const (
	// A connection costs memory even if it asks nothing: further ones are closed.
	mostConnections = 1024
	// The answer to the last call still gets out.
	farewell = 5 * time.Second
	// The SHA-256 of the gateway's token, below the root.
	doorFile = "in/door"
)

// Options say what to run and where. Listen is for the gateway, Ask for the worker, which has to be on this machine.
type Options struct {
	Root, Listen, Ask string
	// Hold is how long results wait after the worker's end, or after the gateway last fetched some of them.
	Hold time.Duration
	// Grace is how long everything may take after SIGTERM: three quarters of it are the worker's, which is killed then.
	Grace time.Duration
	Argv  []string
}

type task struct {
	options Options
	outside *outside
	journal *journal
	read    chan struct{}
	// Gets the time of the first SIGTERM.
	told    chan time.Time
	telling sync.Once
}

// Run is process 1. It returns the exit code, and an error if it could not start.
func Run(options Options) (int, error) {
	// What the worker runs must not read this process's memory, which has the gateway's token, nor become it.
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	t, err := newTask(options)
	if err != nil {
		return 0, err
	}
	gateway, err := net.Listen("tcp", options.Listen)
	if err != nil {
		return 0, fmt.Errorf("--listen: %w", err)
	}
	worker, err := listenInside(options.Ask)
	if err != nil {
		return 0, fmt.Errorf("--ask: %w", err)
	}
	said, says, err := pipe()
	if err != nil {
		return 0, err
	}
	fmt.Fprintf(os.Stderr, "agent task: the gateway is served at %s, the worker at %s\n", gateway.Addr(), worker.Addr())
	webOutside, webInside := newWeb(t.outside), newWeb(t.inside())
	go func() { _ = webOutside.Serve(gateway) }()
	go func() { _ = webInside.Serve(worker) }()
	from := &remains{pipe: said}
	go func() {
		defer close(t.read)
		t.journal.read(from, t.journal.pause, time.Now)
	}()
	code := pidone.RunHeld(options.Argv, pidone.Held{
		Name:     "task",
		Files:    []*os.File{says},
		Told:     func() { t.telling.Do(func() { t.told <- time.Now() }) },
		Patience: options.Grace * 3 / 4,
		Hold: func(code int, status syscall.WaitStatus) int {
			from.cut()
			code = t.hold(code, endOf(status))
			if refused := t.outside.refused.Load(); refused != 0 {
				return int(refused)
			}
			return code
		},
	})
	t.journal.close()
	limit, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_ = webInside.Close()
	if webOutside.Shutdown(limit) != nil {
		_ = webOutside.Close()
	}
	return code, nil
}

func newTask(options Options) (*task, error) {
	root, err := os.Open(options.Root)
	if err != nil {
		return nil, fmt.Errorf("--root: %w", err)
	}
	text, err := os.ReadFile(filepath.Join(options.Root, doorFile))
	if err != nil {
		return nil, err
	}
	door, err := readDoor(text)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", doorFile, err)
	}
	t := &task{options: options, journal: newJournal(), read: make(chan struct{}), told: make(chan time.Time, 1)}
	t.outside = newOutside(t.journal, door)
	t.outside.root = root
	// As the kubelet would: the worker may end well, and is killed if it does not.
	t.outside.stop = func() { _ = syscall.Kill(os.Getpid(), syscall.SIGTERM) }
	return t, nil
}

// inside is the worker's side: its calls of `/v1`, and MLflow's.
func (t *task) inside() http.Handler {
	tracking := newTracking(t.outside.boot+t.outside.boot, t.journal, mostAsks)
	return http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		if isTracking(q.URL.Path) {
			tracking.ServeHTTP(w, q)
			return
		}
		t.outside.relay.ServeHTTP(w, q)
	})
}

// listenInside refuses an address that others than the worker could reach.
func listenInside(address string) (net.Listener, error) {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return nil, err
	}
	if ip := net.ParseIP(host); ip == nil || !ip.IsLoopback() {
		return nil, errors.New("it must be an address of the loopback interface")
	}
	return net.Listen("tcp", address)
}

// pipe makes the worker's end a blocking one: a worker expects to wait when the journal is full.
func pipe() (from, to *os.File, err error) {
	var ends [2]int
	if err := syscall.Pipe2(ends[:], syscall.O_CLOEXEC); err != nil {
		return nil, nil, err
	}
	// Only this end, so that reading it can be broken off.
	if err := syscall.SetNonblock(ends[0], true); err != nil {
		return nil, nil, err
	}
	return os.NewFile(uintptr(ends[0]), "journal"), os.NewFile(uintptr(ends[1]), "journal"), nil
}

func newWeb(handler http.Handler) *http.Server {
	var connections atomic.Int64
	return &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * idle,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(io.Discard, "", 0),
		ConnState: func(connection net.Conn, state http.ConnState) {
			switch state {
			case http.StateNew:
				if connections.Add(1) > mostConnections {
					_ = connection.Close()
				}
			case http.StateClosed:
				connections.Add(-1)
			}
		},
	}
}

func endOf(status syscall.WaitStatus) end {
	if status.Signaled() {
		return end{128 + int(status.Signal()), unix.SignalName(status.Signal())}
	}
	return end{Code: status.ExitStatus()}
}

// hold keeps the container until the gateway says that it has everything. After SIGTERM it is enough that nothing is left to fetch.
func (t *task) hold(code int, how end) int {
	t.outside.fetches()
	limit := time.NewTimer(t.options.Hold)
	defer limit.Stop()
	read, late := t.read, (<-chan time.Time)(nil)
	for isTold := false; ; {
		_, isFetched, changed := t.journal.state()
		if isTold && isFetched {
			return code
		}
		select {
		case <-t.outside.left:
			return code
		case <-read:
			read = nil
			t.journal.finish(how)
		case at := <-t.told:
			isTold, late = true, time.After(time.Until(at.Add(t.options.Grace)))
		case <-changed:
		case <-late:
			return NotFetched
		case <-limit.C:
			left := t.waits(time.Now())
			if left <= 0 {
				return NotFetched
			}
			limit.Reset(left)
		}
	}
}

// waits is how much longer the results wait at this time.
func (t *task) waits(now time.Time) time.Duration {
	return t.options.Hold - now.Sub(*t.outside.fetched.Load())
}
