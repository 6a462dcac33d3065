package door

import (
	"log/slog"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"gantry.dev/agent/ssh/modern"
)

// Config of sshd. Whatever it does not name is closed: `restrict` on every key says so a second time.
func sshdConfig(port int, hostKeys []string, porter, keysSocket string) string {
	lines := []string{
		"Port " + strconv.Itoa(port),
		"PidFile none",
		// Into the agent's socket, which makes JSON of it.
		"SyslogFacility AUTH",
		"LogLevel INFO",
		"LogVerbose serverloop.c:server_request_direct_tcpip():*",
		"UseDNS no",
		"UsePAM no",
		"AllowUsers gantry",
		"AuthenticationMethods publickey",
		"PubkeyAuthentication yes",
		"PasswordAuthentication no",
		"KbdInteractiveAuthentication no",
		"RequiredRSASize 2048",
		"AuthorizedKeysFile none",
		"AuthorizedKeysCommand " + porter + " keys " + keysSocket + " %t %k",
		"AuthorizedKeysCommandUser porter",
		"PermitTTY no",
		"PermitUserRC no",
		"X11Forwarding no",
		"AllowAgentForwarding no",
		"AllowStreamLocalForwarding no",
		"AllowTcpForwarding local",
		"PermitListen none",
		"PermitTunnel no",
		"GatewayPorts no",
		"Compression no",
		"PrintMotd no",
		"PrintLastLog no",
		// For clients without a key: half a minute, and a few dozen from one address, so that a crowd from one place leaves room
		// for others.
		"LoginGraceTime 30",
		"MaxAuthTries 10",
		"MaxStartups 200:30:600",
		"PerSourceMaxStartups 30",
		"MaxSessions 4",
		"ClientAliveInterval 30",
		"ClientAliveCountMax 4",
	}
	lines = append(lines, modern.Lines()...)
	for _, file := range hostKeys {
		lines = append(lines, "HostKey "+file)
	}
	return strings.Join(lines, "\n") + "\n"
}

// How soon a program that ended is started again: at once, then slower while it keeps ending.
const (
	firstPause = 100 * time.Millisecond
	lastPause  = 5 * time.Second
	// One that ran so long starts over with the first pause.
	settledAfter = 10 * time.Second
)

// supervisor keeps sshd listening, and reaps every process there is: connections outlive the sshd that took them, and
// become children of this process, the container's first.
type supervisor struct {
	argv []string
	log  *slog.Logger

	mu       sync.Mutex
	pid      int
	started  time.Time
	pause    time.Duration
	stopping bool
	ended    chan struct{}
	restarts int
}

func supervise(argv []string, log *slog.Logger) *supervisor {
	s := &supervisor{argv: argv, log: log, pause: firstPause, ended: make(chan struct{})}
	deaths := make(chan os.Signal, 1)
	signal.Notify(deaths, syscall.SIGCHLD)
	s.start()
	go func() {
		for range deaths {
			s.reap()
		}
	}()
	return s
}

func (s *supervisor) start() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.stopping {
		return
	}
	// Under the lock, so that it cannot be reaped before its pid is known.
	pid, err := syscall.ForkExec(s.argv[0], s.argv, &syscall.ProcAttr{
		Env:   []string{"PATH=/usr/sbin:/usr/bin:/sbin:/bin"},
		Files: []uintptr{0, 1, 2},
		Sys:   &syscall.SysProcAttr{Setsid: true},
	})
	s.started = time.Now()
	if err != nil {
		s.log.Error("sshd does not start: "+err.Error(), "event", "supervisor")
		s.again()
		return
	}
	s.pid = pid
}

// again starts it after the pause; the lock is held.
func (s *supervisor) again() {
	if time.Since(s.started) > settledAfter {
		s.pause = firstPause
	}
	s.restarts++
	time.AfterFunc(s.pause, s.start)
	s.pause = min(2*s.pause, lastPause)
}

func (s *supervisor) reap() {
	for {
		var status syscall.WaitStatus
		pid, err := syscall.Wait4(-1, &status, syscall.WNOHANG, nil)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || pid <= 0 {
			return
		}
		s.mu.Lock()
		if pid == s.pid {
			s.pid = 0
			if s.stopping {
				close(s.ended)
			} else {
				s.log.Error("sshd ended and is started again", "event", "supervisor", "exit", status.ExitStatus(), "inMs", s.pause.Milliseconds())
				s.again()
			}
		}
		s.mu.Unlock()
	}
}

// Running says whether sshd is there.
func (s *supervisor) Running() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.pid != 0
}

// stop ends the sshd that listens; those that keep connections go on.
func (s *supervisor) stop() {
	s.mu.Lock()
	s.stopping = true
	pid := s.pid
	s.mu.Unlock()
	if pid == 0 {
		return
	}
	_ = syscall.Kill(pid, syscall.SIGTERM)
	select {
	case <-s.ended:
	case <-time.After(endsWithin):
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
