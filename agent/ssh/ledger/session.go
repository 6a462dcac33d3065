package ledger

import (
	"os"
	"strconv"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const sessionLook = 20 * time.Millisecond

// EndSession hangs up every process of the session that this process leads, kills those that remain, and returns when they have
// ended. Processes that ignore SIGHUP stay: that is what nohup asks for. The leader is the caller's child: ended is closed once
// it was waited for.
func EndSession(leader int, ended <-chan struct{}) {
	signalMembers(leader, syscall.SIGHUP)
	signalMembers(leader, syscall.SIGKILL)
	select {
	case <-ended:
	default:
		// A shell that ignores hang-ups has lost its terminal all the same.
		_ = syscall.Kill(leader, syscall.SIGKILL)
	}
}

// signalMembers signals each member once, also those that are started meanwhile, until there are none or patience ends.
func signalMembers(leader int, signal syscall.Signal) {
	signalled := map[int]bool{}
	for deadline := time.Now().Add(patience); time.Now().Before(deadline); time.Sleep(sessionLook) {
		pids := members(leader)
		if len(pids) == 0 {
			return
		}
		for _, pid := range pids {
			if signalled[pid] {
				continue
			}
			signalled[pid] = true
			_ = syscall.Kill(pid, signal)
			// Stopped processes are woken, or they would not hear it.
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
}

// members are the processes of a session that a hang-up ends. The leader's number stays its own while it is not waited for.
func members(leader int) (pids []int) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil {
			continue
		}
		if session, err := unix.Getsid(pid); err == nil && session == leader && !Ignores(pid, syscall.SIGHUP) {
			pids = append(pids, pid)
		}
	}
	return pids
}
