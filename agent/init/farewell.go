package pidone

import (
	"os"
	"strconv"
	"syscall"
	"time"

	"gantry.dev/agent/ssh/ledger"
)

const farewellLook = 50 * time.Millisecond

// farewell ends an idle instance the way a machine shuts down: every process gets SIGTERM and time to save its work. The kubelet
// decides how much time, or whoever sends another signal. Processes that ignore SIGTERM are not waited for, such as shells at a
// terminal, nor is the SSH server, whose end would hang up those that are still busy.
func farewell(server int, signals, deaths <-chan os.Signal) {
	if !isAlone() {
		return
	}
	told := map[int]bool{}
	for tell(server, told) {
		select {
		case received := <-signals:
			if number, ok := received.(syscall.Signal); ok && !ours(number) {
				return
			}
		case <-deaths:
			reap()
		case <-time.After(farewellLook):
		}
	}
}

// isAlone says that everybody in /proc is ours: elsewhere that would be the machine.
func isAlone() bool {
	self, err := os.Readlink("/proc/self")
	return err == nil && self == "1"
}

// tell sends SIGTERM to every process that has not received it yet, and reports whether any is left.
func tell(server int, told map[int]bool) (isSomebodyLeft bool) {
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err != nil || pid == os.Getpid() || pid == server || ledger.Ignores(pid, syscall.SIGTERM) {
			continue
		}
		isSomebodyLeft = true
		if !told[pid] {
			told[pid] = true
			_ = syscall.Kill(pid, syscall.SIGTERM)
			// A stopped one would not hear it.
			_ = syscall.Kill(pid, syscall.SIGCONT)
		}
	}
	return isSomebodyLeft
}
