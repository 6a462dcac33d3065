// Package pidone is process 1 of a container whose image knows nothing of it: it runs one command, or none and idles,
// and reaps every orphan. It needs no shell, no library and no file of the image.
package pidone

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// The exit codes of a shell, so that a status reads the same as in any other container.
const (
	exitNotExecutable = 126
	exitNotFound      = 127
	exitSignalled     = 128
)

const prSetChildSubreaper = 36

// For readers of the log of a container that does nothing.
const idling = "agent init: no command; idle until a signal"

// Run runs argv until it ends and returns its exit code (128+n for signal n). Without argv it idles until the first signal n,
// ends all other processes, and returns 128+n. An end that SIGTERM asked for is never 0: the kubelet calls a Pod whose containers
// all ended with 0 a success, and forgets that it evicted it, and why. Beside, if any, are the arguments with which this same
// binary is kept running next to it: the SSH server. Run must be the only code in its process that waits for children: code that
// starts and waits for its own, like os/exec, belongs in another process.
func Run(argv, beside []string) int {
	return run(argv, beside, Held{Name: "init"})
}

// Held is a command whose results somebody still fetches after its end.
type Held struct {
	// Name of the subcommand, for messages.
	Name string
	// Files are the command's from descriptor 3 on; they are closed here once it has started.
	Files []*os.File
	// Told is called at each SIGTERM, before and after the command's end.
	Told func()
	// A command that is still running so long after the first SIGTERM is killed with its group. 0: never.
	Patience time.Duration
	// Hold is called at the command's end, after SIGKILL to every process that it left behind. Process 1 goes on until Hold
	// returns the exit code: code is what Run would have returned.
	Hold func(code int, status syscall.WaitStatus) int
}

// RunHeld is Run for such a command. A command that cannot be started has no results: then it returns 126 or 127 at once.
func RunHeld(argv []string, held Held) int {
	return run(argv, nil, held)
}

func run(argv, beside []string, held Held) int {
	// Registered before the command starts: a SIGTERM in between would otherwise be lost on process 1.
	signals := make(chan os.Signal, 32)
	signal.Notify(signals)
	defer signal.Stop(signals)
	// A separate channel: a burst of other signals must not crowd out the only notice of a death. One slot is enough, because
	// each notice reaps all dead children.
	deaths := make(chan os.Signal, 1)
	signal.Notify(deaths, syscall.SIGCHLD)
	defer signal.Stop(deaths)

	// In a Pod that shares its process namespace this is not process 1, and orphans would pass it by.
	_, _, _ = syscall.RawSyscall(syscall.SYS_PRCTL, prSetChildSubreaper, 1, 0)

	isToldToEnd := false
	child := 0
	if len(argv) == 0 {
		fmt.Fprintln(os.Stderr, idling)
	} else {
		pid, code, err := start(argv, held.Files)
		if err != nil {
			fmt.Fprintf(os.Stderr, "agent %s: %v\n", held.Name, err)
			return code
		}
		child = pid
	}
	// After the command, which comes first in everything.
	next := &companion{args: beside}
	next.start()
	// In our own process namespace the kernel does this when we end; elsewhere nobody would.
	defer next.kill()

	hasEnded, late := false, (<-chan time.Time)(nil)
	over := make(chan int, 1)
	for {
		select {
		case <-next.due:
			next.start()
		case code := <-over:
			return code
		case <-late:
			if !hasEnded {
				_ = syscall.Kill(-child, syscall.SIGKILL)
			}
		case <-deaths:
			dead := reap()
			if status, ended := dead[child]; ended && child != 0 && !hasEnded {
				code := exitCode(status)
				if code == 0 && isToldToEnd {
					code = exitSignalled + int(syscall.SIGTERM)
				}
				if held.Hold == nil {
					return code
				}
				hasEnded = true
				killAll()
				go func() { over <- held.Hold(code, status) }()
			}
			if hasEnded {
				// What a dead one left behind is a child of ours only now.
				killChildren()
			}
			if status, ended := dead[next.pid]; ended && next.pid != 0 {
				next.ended(status)
			}
		case received := <-signals:
			number, ok := received.(syscall.Signal)
			switch {
			case !ok || ours(number):
			case child == 0:
				// Any signal, because an image may name its own STOPSIGNAL and the kubelet then sends that one.
				farewell(next.pid, signals, deaths)
				return exitSignalled + int(number)
			default:
				if number == syscall.SIGTERM {
					if held.Told != nil {
						held.Told()
					}
					if held.Patience > 0 && !isToldToEnd {
						late = time.After(held.Patience)
					}
					isToldToEnd = true
				}
				// The group: a shell that runs a pipeline does not pass signals on. The child is not reaped yet, so the pid is still
				// its own.
				if !hasEnded {
					_ = syscall.Kill(-child, number)
				}
			}
		}
	}
}

// killAll ends every process of the container but this one, if the container has a process namespace of its own. The kernel signals
// all of them in one step, so that not even a process that keeps forking gets away.
func killAll() {
	if isAlone() {
		_ = syscall.Kill(-1, syscall.SIGKILL)
	}
}

func killChildren() {
	threads, _ := os.ReadDir("/proc/self/task")
	for _, thread := range threads {
		text, _ := os.ReadFile("/proc/self/task/" + thread.Name() + "/children")
		for _, name := range strings.Fields(string(text)) {
			if pid, err := strconv.Atoi(name); err == nil {
				_ = syscall.Kill(pid, syscall.SIGKILL)
			}
		}
	}
}

// ours are the signals that concern this process and not the command.
func ours(number syscall.Signal) bool {
	switch number {
	case syscall.SIGCHLD, // reaped
		syscall.SIGURG,  // the Go scheduler sends it to itself
		syscall.SIGPIPE: // our own stderr went away
		return true
	}
	return false
}

func start(argv []string, files []*os.File) (pid, code int, err error) {
	descriptors := []uintptr{0, 1, 2}
	for _, file := range files {
		defer file.Close()
		descriptors = append(descriptors, file.Fd())
	}
	path, err := exec.LookPath(argv[0])
	if errors.Is(err, fs.ErrPermission) {
		return 0, exitNotExecutable, fmt.Errorf("%s: not executable", argv[0])
	}
	if err != nil {
		return 0, exitNotFound, fmt.Errorf("%s: not found (PATH=%s)", argv[0], os.Getenv("PATH"))
	}
	pid, err = syscall.ForkExec(path, argv, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: descriptors,
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		return 0, exitNotExecutable, fmt.Errorf("%s: %w", path, err)
	}
	return pid, 0, nil
}

// reap takes every dead child there is and says how each ended.
func reap() map[int]syscall.WaitStatus {
	dead := map[int]syscall.WaitStatus{}
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		switch {
		case errors.Is(err, syscall.EINTR):
		case err != nil || pid <= 0:
			return dead
		default:
			dead[pid] = status
		}
	}
}

func exitCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return exitSignalled + int(status.Signal())
	}
	return status.ExitStatus()
}
