// Package install puts this very binary where another container of the Pod can run it.
package install

import (
	"fmt"
	"io"
	"os"
	"path/filepath"
)

// Name is the file's name below the directory.
const Name = "agent"

// Into copies the running binary to dir/agent, mode 0755. A reader sees the whole file or none. It makes dir, and the folders
// of mountpoints, where other volumes are mounted once this one is read-only.
func Into(dir string, mountpoints ...string) error {
	for _, folder := range append(mountpoints, dir) {
		if err := makeFolder(folder); err != nil {
			return err
		}
	}
	self, err := os.Executable()
	if err != nil {
		return err
	}
	from, err := os.Open(self)
	if err != nil {
		return err
	}
	defer from.Close()

	to, err := os.CreateTemp(dir, "."+Name+"-*")
	if err != nil {
		return err
	}
	defer os.Remove(to.Name()) // fails, as it should, once renamed
	defer to.Close()

	if _, err := io.Copy(to, from); err != nil {
		return fmt.Errorf("copy to %s: %w", to.Name(), err)
	}
	// Chmod, because the mode that a file is created with passes through the umask.
	if err := to.Chmod(0o755); err != nil {
		return err
	}
	// Closed before the rename: executing a file that is still open for writing fails with "text file busy".
	if err := to.Close(); err != nil {
		return err
	}
	return os.Rename(to.Name(), filepath.Join(dir, Name))
}

// Chmod, because the mode that a folder is made with passes through the umask.
func makeFolder(folder string) error {
	if err := os.MkdirAll(folder, 0o755); err != nil {
		return err
	}
	return os.Chmod(folder, 0o755)
}
