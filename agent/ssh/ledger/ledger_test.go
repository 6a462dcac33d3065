package ledger

import (
	"os"
	"os/exec"
	"slices"
	"strconv"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

func TestWhatOneWritesTheOtherReads(t *testing.T) {
	one, err := New()
	if err != nil {
		t.Fatal(err)
	}
	inherited, err := unix.Dup(int(one.Fd()))
	if err != nil {
		t.Fatal(err)
	}
	other, err := Open(inherited)
	if err != nil {
		t.Fatal(err)
	}
	_, remove := other.Add(101), other.Add(102)
	other.Add(103)
	remove()
	if got := one.TakeAll(); !slices.Equal(got, []int{101, 103}) {
		t.Errorf("%v", got)
	}
	if got := one.TakeAll(); len(got) != 0 {
		t.Errorf("not cleared: %v", got)
	}
	// More than there is room for is not written down, and hurts nobody.
	for n := range slots + 5 {
		other.Add(1000 + n)()
		other.Add(1000 + n)
	}
	if got := one.TakeAll(); len(got) > slots || len(got) < slots-5 {
		t.Errorf("%d of %d", len(got), slots)
	}
	var none *Ledger
	none.Add(1)()
}

// start runs a shell line in its own process group.
func start(t *testing.T, line string) *exec.Cmd {
	t.Helper()
	command := exec.Command("/bin/sh", "-c", line)
	command.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	if _, err := out.Read(make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	return command
}

func TestKillSparesWhoIgnoresHangUps(t *testing.T) {
	stubborn := start(t, "trap : HUP; echo; while :; do sleep 0.1; done")
	deaf := start(t, "trap '' HUP; echo; while :; do sleep 0.1; done")
	stranger := start(t, "echo; while :; do sleep 0.1; done")
	defer func() {
		for _, each := range []*exec.Cmd{deaf, stranger} {
			_ = syscall.Kill(-each.Process.Pid, syscall.SIGKILL)
			_ = each.Wait()
		}
	}()
	groups := []int{stubborn.Process.Pid, deaf.Process.Pid}
	EndNow(groups)
	_ = stubborn.Wait()
	if status := stubborn.ProcessState.Sys().(syscall.WaitStatus); status.Signal() != syscall.SIGKILL {
		t.Errorf("the stubborn one: %v", status)
	}
	for name, each := range map[string]*exec.Cmd{"who ignores hang-ups": deaf, "who is of another group": stranger} {
		if _, err := os.Stat("/proc/" + strconv.Itoa(each.Process.Pid) + "/exe"); err != nil {
			t.Errorf("%s was killed too", name)
		}
	}
}
