package task

import (
	"context"
	"encoding/hex"
	"fmt"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// Each has its body in memory, and a small container is enough.
const mostTrackingCalls = 8

// TrackOptions say where to listen: Listen is for the gateway, Ask for the program, in another container of the same Pod.
type TrackOptions struct {
	Listen, Ask string
	// Door is the SHA-256 of the gateway's token in hex. Its first 32 digits are the id of the run, also after a new start.
	Door string
	// Rank of the worker. The first, 0, speaks for all; what the others log is answered and dropped.
	Rank int
	// Grace is how long lines wait for the gateway after SIGTERM.
	Grace time.Duration
}

// Track takes MLflow's calls of a program and gives them to the gateway, by a task's journal, until SIGTERM. It returns once the gateway
// has the lines, or after Grace without them, and an error only if it could not start: it has no say in how the program's Pod ended.
func Track(options TrackOptions) error {
	_ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0)
	door, err := readDoor([]byte(options.Door))
	if err != nil {
		return fmt.Errorf("--door: %w", err)
	}
	// Before anything is served: an unheard signal would end this process with its lines.
	told := make(chan os.Signal, 1)
	signal.Notify(told, syscall.SIGTERM, syscall.SIGINT)
	defer signal.Stop(told)
	gateway, err := net.Listen("tcp", options.Listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	program, err := listenInside(options.Ask)
	if err != nil {
		return fmt.Errorf("--ask: %w", err)
	}
	journal := newJournal()
	journal.drops, journal.isMute = true, options.Rank > 0
	outside := newOutside(journal, door)
	webOutside := newWeb(outside)
	webInside := newWeb(newTracking(hex.EncodeToString(door[:])[:32], journal, mostTrackingCalls))
	go func() { _ = webOutside.Serve(gateway) }()
	go func() { _ = webInside.Serve(program) }()
	fmt.Fprintf(os.Stderr, "agent track: the gateway is served at %s, the worker at %s\n", gateway.Addr(), program.Addr())
	select {
	case <-told:
	case <-outside.left:
	}
	journal.finish(end{})
	if left := outside.drain(options.Grace); left > 0 {
		fmt.Fprintf(os.Stderr, "agent track: nobody fetched the last %d lines\n", left)
	}
	journal.close()
	limit, cancel := context.WithTimeout(context.Background(), farewell)
	defer cancel()
	_ = webInside.Close()
	if webOutside.Shutdown(limit) != nil {
		_ = webOutside.Close()
	}
	return nil
}

// drain waits until no line is left, the gateway says that it has enough, or the time is over, and returns how many lines are left.
func (o *outside) drain(grace time.Duration) int {
	late := time.After(grace)
	for {
		_, isFetched, changed := o.journal.state()
		if isFetched {
			return 0
		}
		select {
		case <-changed:
			continue
		case <-o.left:
		case <-late:
		}
		return o.journal.held()
	}
}
