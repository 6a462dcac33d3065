package layer

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// Between a look at a name and its opening, a tenant puts something else there. A device of the node would be opened as root.
func TestWhatIsSwappedAfterTheLookIsNotOpened(t *testing.T) {
	swaps := map[string]func(path string) error{
		"a pipe":          func(path string) error { return unix.Mkfifo(path, 0o600) },
		"a symbolic link": func(path string) error { return os.Symlink("/etc/passwd", path) },
		"a folder":        func(path string) error { return os.Mkdir(path, 0o700) },
		"another file":    func(path string) error { return os.WriteFile(path, []byte("other"), 0o600) },
		// The null device: harmless where the test opens it after all.
		"a device": func(path string) error { return unix.Mknod(path, unix.S_IFCHR|0o600, int(unix.Mkdev(1, 3))) },
	}
	for what, swap := range swaps {
		t.Run(what, func(t *testing.T) {
			root := t.TempDir()
			path := filepath.Join(root, "work")
			must(t, os.WriteFile(path, []byte("work"), 0o600))
			opened, err := os.Open(root)
			must(t, err)
			defer opened.Close()
			part := folder{opened, 0}
			seen, err := look(part, "work")
			must(t, err)
			// Kept under another name, so that its inode is nobody else's.
			must(t, os.Rename(path, path+"-before"))
			must(t, swap(path))

			var layer bytes.Buffer
			w := newWriter(t.Context(), &layer)
			err = w.file("work", "work", part, seen, []folder{part})
			if err == nil || !strings.Contains(err.Error(), "it was replaced while it was read") {
				t.Errorf("%v", err)
			}
			if layer.Len() > 0 {
				t.Error("it was written")
			}
		})
	}
}

func TestAFolderSwappedAfterTheLookIsNotOpened(t *testing.T) {
	root := t.TempDir()
	path := filepath.Join(root, "work")
	must(t, os.Mkdir(path, 0o700))
	opened, err := os.Open(root)
	must(t, err)
	defer opened.Close()
	part := folder{opened, 0}
	seen, err := look(part, "work")
	must(t, err)
	must(t, os.Rename(path, path+"-before"))
	must(t, os.Mkdir(path, 0o700))
	if _, err := openSeen(part, "work", seen, openFolder); err == nil || !strings.Contains(err.Error(), "it was replaced") {
		t.Errorf("%v", err)
	}
}
