// Package host opens files of the node by the names that the node's own programs have for them.
//
// The agent needs no volumes for that. A hostPath volume is a copy of the node's mounts: it pins what the node unmounts and
// misses what the node mounts, unless the node's root happens to be a shared mount. In a Pod with the node's processes the
// agent's parent is containerd's shim, and through that the agent sees what containerd sees, as it is mounted now.
package host

import (
	"context"
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// Root is the node's root folder.
type Root struct{ dir *os.File }

// OfParent stands for the root folder of the process that started this one.
const OfParent = "parent"

// OpenRoot opens the node's root folder: OfParent in a Pod with the node's processes, "/" outside of one.
func OpenRoot(path string) (*Root, error) {
	if path == OfParent {
		path = fmt.Sprintf("/proc/%d/root", os.Getppid())
	}
	dir, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	return &Root{dir}, nil
}

// Open resolves every link of the path below the node's root, not below ours.
func (r *Root) Open(path string, flags int) (*os.File, error) {
	fd, err := unix.Openat2(int(r.dir.Fd()), path, &unix.OpenHow{Flags: uint64(flags | unix.O_CLOEXEC), Resolve: unix.RESOLVE_IN_ROOT})
	if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	return os.NewFile(uintptr(fd), path), nil
}

// OpenFolder opens a folder to be read.
func (r *Root) OpenFolder(path string) (*os.File, error) {
	return r.Open(path, unix.O_RDONLY|unix.O_DIRECTORY)
}

// Dial connects to a socket that the path names now; after a restart of its owner it is another one.
func (r *Root) Dial(ctx context.Context, path string) (net.Conn, error) {
	socket, err := r.Open(path, unix.O_PATH)
	if err != nil {
		return nil, err
	}
	defer socket.Close()
	return (&net.Dialer{}).DialContext(ctx, "unix", fmt.Sprintf("/proc/self/fd/%d", socket.Fd()))
}
