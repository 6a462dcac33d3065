package install

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func TestInto(t *testing.T) {
	volume := t.TempDir()
	dir, mountpoint := filepath.Join(volume, "bin"), filepath.Join(volume, "keys")
	defer syscall.Umask(syscall.Umask(0o077))
	// Twice: an init container may be restarted.
	for range 2 {
		if err := Into(dir, mountpoint); err != nil {
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
	for _, folder := range []string{dir, mountpoint} {
		made, err := os.Stat(folder)
		if err != nil {
			t.Fatal(err)
		}
		if mode := made.Mode().Perm(); mode != 0o755 {
			t.Errorf("%s has mode %v, want 0755", folder, mode)
		}
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
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := Into(filepath.Join(file, "bin")); err == nil {
		t.Error("a folder below a file went unnoticed")
	}
}
