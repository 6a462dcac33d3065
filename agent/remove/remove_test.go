package remove

import (
	"fmt"
	"os"
	"path/filepath"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

func open(t *testing.T, path string) int {
	t.Helper()
	fd, err := unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = unix.Close(fd) })
	return fd
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func TestLinksAreRemovedAndNeverFollowed(t *testing.T) {
	base := t.TempDir()
	canary := filepath.Join(base, "outside")
	must(t, os.MkdirAll(filepath.Join(canary, "deep"), 0o755))
	must(t, os.WriteFile(filepath.Join(canary, "deep", "file"), []byte("stays"), 0o644))
	must(t, os.MkdirAll(filepath.Join(base, "disk", "gone", "below"), 0o755))
	must(t, os.Symlink(canary, filepath.Join(base, "disk", "gone", "below", "absolute")))
	must(t, os.Symlink("../../../outside", filepath.Join(base, "disk", "gone", "below", "relative")))
	must(t, unix.Mkfifo(filepath.Join(base, "disk", "gone", "pipe"), 0o600))
	must(t, os.Chmod(filepath.Join(base, "disk", "gone", "below"), 0o500))

	must(t, Tree(open(t, filepath.Join(base, "disk")), "gone"))
	if _, err := os.Lstat(filepath.Join(base, "disk", "gone")); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
	if content, err := os.ReadFile(filepath.Join(canary, "deep", "file")); err != nil || string(content) != "stays" {
		t.Errorf("what a link pointed to: %q, %v", content, err)
	}
}

// Far deeper than a path may be long, and than a process may have files open.
func TestADeepFolderNeedsFewOpenFiles(t *testing.T) {
	base := t.TempDir()
	must(t, os.Mkdir(filepath.Join(base, "deep"), 0o755))
	at := open(t, filepath.Join(base, "deep"))
	const levels = 5000
	for level := range levels {
		must(t, unix.Mkdirat(at, "level", 0o755))
		next, err := unix.Openat(at, "level", unix.O_RDONLY|unix.O_DIRECTORY, 0)
		must(t, err)
		if level > 0 {
			_ = unix.Close(at)
		}
		at = next
	}
	_ = unix.Close(at)

	var before, few unix.Rlimit
	must(t, unix.Getrlimit(unix.RLIMIT_NOFILE, &before))
	few = unix.Rlimit{Cur: 256, Max: before.Max}
	must(t, unix.Setrlimit(unix.RLIMIT_NOFILE, &few))
	defer func() { _ = unix.Setrlimit(unix.RLIMIT_NOFILE, &before) }()
	must(t, Tree(open(t, base), "deep"))
	if _, err := os.Lstat(filepath.Join(base, "deep")); !os.IsNotExist(err) {
		t.Errorf("the folder is still there: %v", err)
	}
}

func TestContentsSparesWhatItIsToldTo(t *testing.T) {
	base := t.TempDir()
	for at := range 3000 {
		must(t, os.WriteFile(filepath.Join(base, fmt.Sprint("file-", at)), nil, 0o644))
	}
	must(t, os.MkdirAll(filepath.Join(base, "lost+found", "kept"), 0o700))
	must(t, os.MkdirAll(filepath.Join(base, "folder", "lost+found"), 0o700))
	must(t, Contents(open(t, base), func(name string) bool { return name == "lost+found" }))
	left, err := os.ReadDir(base)
	must(t, err)
	if len(left) != 1 || left[0].Name() != "lost+found" {
		t.Errorf("left: %v", left)
	}
	if _, err := os.Stat(filepath.Join(base, "lost+found", "kept")); err != nil {
		t.Error("what was spared lost its contents:", err)
	}
}

func TestAMissingNameIsNoError(t *testing.T) {
	must(t, Tree(open(t, t.TempDir()), "nothing"))
}

// Between the look at a name and the step into it, a tenant makes it a link to the outside.
func TestASwapWhileRemovingLeadsNowhere(t *testing.T) {
	base := t.TempDir()
	outside := filepath.Join(base, "outside")
	must(t, os.MkdirAll(filepath.Join(outside, "folder"), 0o755))
	must(t, os.WriteFile(filepath.Join(outside, "file"), []byte("stays"), 0o644))
	must(t, os.WriteFile(filepath.Join(outside, "folder", "file"), []byte("stays"), 0o644))
	must(t, os.MkdirAll(filepath.Join(base, "disk"), 0o755))
	disk := open(t, filepath.Join(base, "disk"))
	swap, spare := filepath.Join(base, "disk", "gone", "swap"), filepath.Join(base, "spare")
	must(t, os.Symlink(outside, spare))
	// The result of such a race; hitting the moment is luck.
	if fd, err := openFolder(open(t, base), "spare"); err == nil {
		t.Errorf("a link was opened as a folder: %d", fd)
	}

	var over atomic.Bool
	ended := make(chan int)
	go func() {
		swaps := 0
		for !over.Load() {
			if unix.Renameat2(unix.AT_FDCWD, swap, unix.AT_FDCWD, spare, unix.RENAME_EXCHANGE) == nil {
				swaps++
			}
		}
		ended <- swaps
	}()
	for range 500 {
		_ = os.MkdirAll(filepath.Join(base, "disk", "gone"), 0o755)
		_ = os.Mkdir(swap, 0o755)
		_ = os.Mkdir(spare, 0o755)
		_ = os.Symlink(outside, spare)
		_ = os.Symlink(outside, swap)
		_ = Tree(disk, "gone") // It may fail, with so much going on.
	}
	over.Store(true)
	if swaps := <-ended; swaps == 0 {
		t.Error("nothing was swapped")
	}
	for _, name := range []string{"file", "folder/file"} {
		if text, err := os.ReadFile(filepath.Join(outside, name)); err != nil || string(text) != "stays" {
			t.Errorf("outside, %s: %q, %v", name, text, err)
		}
	}
}
