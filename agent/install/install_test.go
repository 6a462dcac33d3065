package install

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestInto(t *testing.T) {
	dir := t.TempDir()
	defer syscall.Umask(syscall.Umask(0o077))
	// Twice: an init container may be restarted.
	for range 2 {
		if err := Into(dir); err != nil {
			t.Fatal(err)
		}
	}

	installed, err := os.Stat(filepath.Join(dir, Name))
	if err != nil {
		t.Fatal(err)
	}
	if mode := installed.Mode(); mode != 0o755 {
		t.Errorf("mode %v, want 0755: the instance's user may be any", mode)
	}
	self, err := os.Stat("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	if installed.Size() != self.Size() {
		t.Errorf("%d bytes, want %d", installed.Size(), self.Size())
	}
	left, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(left) != 1 {
		t.Errorf("left behind: %v", left)
	}
}

func TestIntoSaysWhatIsWrong(t *testing.T) {
	if err := Into(filepath.Join(t.TempDir(), "absent")); err == nil {
		t.Error("a missing directory went unnoticed")
	}
}
