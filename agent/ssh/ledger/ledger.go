// Package ledger is the list of live sessions that outlives the SSH server: memory that process 1 shares with it, so that
// the sessions of a dead server can be ended. It also says how a session ends: a hang-up first, then no more questions.
package ledger

import (
	"bytes"
	"encoding/binary"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// How long a session's first process has to end by itself, once nobody reads or writes at the other end.
	notice = time.Second
	// How long the rest of a session has between SIGHUP and SIGKILL.
	patience = 2 * time.Second
)

// 64 connections with 16 sessions each; later ones are not recorded.
const slots = 1024

// Ledger holds process groups. Written by one process, read by another after the writer's death.
type Ledger struct {
	mu     sync.Mutex
	memory *os.File
	groups [slots]int32
}

// New makes the shared memory. Its file goes to the SSH server, which opens it.
func New() (*Ledger, error) {
	fd, err := unix.MemfdCreate("sessions", unix.MFD_CLOEXEC)
	if err != nil {
		return nil, err
	}
	return open(fd)
}

// Open takes over what New made, inherited as fd. No child of ours shall have it.
func Open(fd int) (*Ledger, error) {
	unix.CloseOnExec(fd)
	return open(fd)
}

func open(fd int) (*Ledger, error) {
	if err := unix.Ftruncate(fd, 4*slots); err != nil {
		return nil, err
	}
	return &Ledger{memory: os.NewFile(uintptr(fd), "sessions")}, nil
}

// Fd is for handing the memory on.
func (l *Ledger) Fd() uintptr { return l.memory.Fd() }

// Add writes a session's process group down; the caller calls the result once the session's first process was waited
// for. Without a ledger both do nothing.
func (l *Ledger) Add(group int) (remove func()) {
	if l == nil {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for slot, taken := range l.groups {
		if taken == 0 {
			l.write(slot, group)
			return func() {
				l.mu.Lock()
				defer l.mu.Unlock()
				l.write(slot, 0)
			}
		}
	}
	return func() {}
}

func (l *Ledger) write(slot, group int) {
	l.groups[slot] = int32(group)
	// A write to our own fixed-size memory: it cannot fail in a way that anybody could repair.
	_, _ = l.memory.WriteAt(binary.LittleEndian.AppendUint32(nil, uint32(group)), int64(4*slot))
}

// TakeAll reads what the other side had written and clears it for the next one.
func (l *Ledger) TakeAll() []int {
	memory := make([]byte, 4*slots)
	if n, _ := l.memory.ReadAt(memory, 0); n != len(memory) {
		return nil
	}
	var groups []int
	for ; len(memory) > 0; memory = memory[4:] {
		if group := int32(binary.LittleEndian.Uint32(memory)); group > 1 {
			groups = append(groups, int(group))
		}
	}
	_, _ = l.memory.WriteAt(make([]byte, 4*slots), 0)
	return groups
}

// End ends sessions that have lost their client. A session whose first process ends by itself, because its input did, leaves its
// background jobs behind, as with OpenSSH: an editor's server waits there for its editor to come back.
func End(groups []int) {
	time.AfterFunc(notice, func() {
		EndNow(slices.DeleteFunc(groups, func(group int) bool { return syscall.Kill(group, 0) != nil }))
	})
}

// EndNow hangs process groups up, and kills what remains.
func EndNow(groups []int) {
	for _, group := range groups {
		_ = syscall.Kill(-group, syscall.SIGHUP)
		// Stopped processes are woken, or they would not hear it.
		_ = syscall.Kill(-group, syscall.SIGCONT)
	}
	time.AfterFunc(patience, func() { kill(groups) })
}

// kill spares who ignores hang-ups: that is what nohup asks for.
func kill(groups []int) {
	wanted := map[int]bool{}
	for _, group := range groups {
		wanted[group] = true
	}
	entries, _ := os.ReadDir("/proc")
	for _, entry := range entries {
		pid, err := strconv.Atoi(entry.Name())
		if err == nil && wanted[groupOf(pid)] && !Ignores(pid, syscall.SIGHUP) {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
}

func groupOf(pid int) int {
	group, err := unix.Getpgid(pid)
	if err != nil {
		return 0
	}
	return group
}

// Ignores is whether a process ignores a signal. What has ended already ignores them all.
func Ignores(pid int, number syscall.Signal) bool {
	status, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/status")
	if err != nil || bytes.Contains(status, []byte("\nState:\tZ")) {
		return true
	}
	for line := range bytes.Lines(status) {
		if mask, found := strings.CutPrefix(string(line), "SigIgn:"); found {
			bits, err := strconv.ParseUint(strings.TrimSpace(mask), 16, 64)
			return err == nil && bits&(1<<(number-1)) != 0
		}
	}
	return false
}
