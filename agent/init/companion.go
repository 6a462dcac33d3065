package pidone

import (
	"fmt"
	"os"
	"syscall"
	"time"

	"gantry.dev/agent/ssh/ledger"
)

const (
	firstWait = 100 * time.Millisecond
	longWait  = 30 * time.Second
	// After living this long it restarts as if for the first time.
	steadyAfter = time.Minute
)

// companion is a process of this same binary that is started again whenever it ends. Nothing that happens to it touches
// the command.
type companion struct {
	args []string
	// Its sessions, which it cannot end itself once it is dead.
	sessions *ledger.Ledger

	pid       int
	startedAt time.Time
	wait      time.Duration
	// When to start it again.
	due <-chan time.Time
}

func (c *companion) start() {
	c.due = nil
	if len(c.args) == 0 {
		return
	}
	argv := append([]string{"agent"}, c.args...)
	files := []uintptr{0, 1, 2}
	if c.sessions == nil {
		c.sessions, _ = ledger.New()
	}
	if c.sessions != nil {
		argv = append(argv, "--sessions", fmt.Sprint(len(files)))
		files = append(files, c.sessions.Fd())
	}
	c.startedAt = time.Now()
	pid, err := syscall.ForkExec("/proc/self/exe", argv, &syscall.ProcAttr{
		Env:   os.Environ(),
		Files: files,
		Sys:   &syscall.SysProcAttr{Setpgid: true},
	})
	if err != nil {
		c.again(err.Error())
		return
	}
	c.pid = pid
}

func (c *companion) ended(status syscall.WaitStatus) {
	c.pid = 0
	if c.sessions != nil {
		ledger.End(c.sessions.TakeAll())
	}
	c.again(fmt.Sprintf("exit code %d", exitCode(status)))
}

func (c *companion) again(reason string) {
	if c.wait = min(2*c.wait, longWait); c.wait == 0 || time.Since(c.startedAt) > steadyAfter {
		c.wait = firstWait
	}
	fmt.Fprintf(os.Stderr, "agent init: %s ended (%s); it starts again in %s\n", c.args[0], reason, c.wait)
	c.due = time.After(c.wait)
}

func (c *companion) kill() {
	if c.pid != 0 {
		_ = syscall.Kill(c.pid, syscall.SIGKILL)
	}
}
