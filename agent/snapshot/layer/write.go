// Package layer writes folders of a node as one layer of an image: the change of a container, several such changes as one,
// or a plain folder. It reads through file descriptors and follows no symbolic link, since tenants made what is there.
package layer

import (
	"archive/tar"
	"context"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// OCI's marks in a layer: `.wh.<name>` hides what lies below, `.wh..wh..opq` hides all that lies below in its folder.
	whiteoutPrefix = ".wh."
	opaqueMark     = ".wh..wh..opq"
	// The kernel's marks in an overlay's upper folder.
	overlayOpaque   = "trusted.overlay.opaque"
	overlayRedirect = "trusted.overlay.redirect"
	overlayMetacopy = "trusted.overlay.metacopy"
	overlayWhiteout = "trusted.overlay.whiteout"
	paxXattr        = "SCHILY.xattr."
)

// Change is what an overlay's upper folder holds, or several of them one above another as if they were one.
type Change struct {
	// Topmost first. These are written.
	Uppers []string
	// What they lie on, topmost first: a mark that hides nothing there is left out.
	Lowers []string
	// Paths, as a container sees them, where something was mounted: what the topmost upper has there was made by the runtime.
	Mounts []string
	// Folders of the root that never belong to a layer.
	Excluded []string
	// Opens the uppers and lowers; os.Open when it is nil.
	Open func(path string) (*os.File, error)
}

// Counts says what a layer holds, and what it could not hold.
type Counts struct {
	Entries int
	// Sockets, which mean nothing without the process that listens, and names that an image can not have.
	Sockets, Unsayable int
}

// WriteChange writes the layer as a tar stream, the same bytes for the same files.
func WriteChange(ctx context.Context, into io.Writer, change Change) (Counts, error) {
	w := newWriter(ctx, into)
	w.overlay = true
	w.uppers = len(change.Uppers)
	for _, mount := range change.Mounts {
		w.hidden[strings.Trim(mount, "/")] = true
	}
	for _, name := range change.Excluded {
		w.excluded[name] = true
	}
	if change.Open == nil {
		change.Open = os.Open
	}
	var stack []folder
	defer func() { closeAll(stack) }()
	for i, path := range append(slices.Clone(change.Uppers), change.Lowers...) {
		opened, err := change.Open(path)
		if err != nil {
			return w.counts, err
		}
		stack = append(stack, folder{opened, i})
	}
	if err := w.folder("", stack); err != nil {
		return w.counts, err
	}
	return w.counts, w.tar.Close()
}

// WriteFolder writes a folder and all below it under `name`, up to where another file system begins.
func WriteFolder(ctx context.Context, into io.Writer, root *os.File, name string) (Counts, error) {
	w := newWriter(ctx, into)
	w.uppers = 1
	w.prefix = name + "/"
	var stat unix.Stat_t
	if err := unix.Fstat(int(root.Fd()), &stat); err != nil {
		return w.counts, &os.PathError{Op: "stat", Path: root.Name(), Err: err}
	}
	w.device = stat.Dev
	if err := w.header("", &stat, tar.Header{Typeflag: tar.TypeDir}, int(root.Fd())); err != nil {
		return w.counts, err
	}
	if err := w.folder("", []folder{{root, 0}}); err != nil {
		return w.counts, err
	}
	return w.counts, w.tar.Close()
}

// folder is one layer's part of a folder that several layers may have.
type folder struct {
	*os.File
	layer int
}

func closeAll(folders []folder) {
	for _, one := range folders {
		one.Close()
	}
}

type inode struct {
	layer       int
	device, num uint64
}

type writer struct {
	ctx     context.Context
	tar     *tar.Writer
	overlay bool
	// How many layers, from the top, are written.
	uppers           int
	prefix           string
	device           uint64
	hidden, excluded map[string]bool
	// The first name of every file that has several.
	links  map[inode]string
	counts Counts
	buffer []byte
}

func newWriter(ctx context.Context, into io.Writer) *writer {
	return &writer{
		ctx: ctx, tar: tar.NewWriter(into), hidden: map[string]bool{}, excluded: map[string]bool{},
		links: map[inode]string{}, buffer: make([]byte, 256<<10),
	}
}

const openFolder = unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC

func (w *writer) written(layer int) bool { return layer < w.uppers }

// folder writes what the layers have in the folder `at` ("" or "a/b/"), which is written already.
func (w *writer) folder(at string, stack []folder) error {
	names, err := w.names(at, stack)
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		if at == "" && w.excluded[name] {
			continue
		}
		if err := w.entry(at, name, stack); err != nil {
			return err
		}
	}
	return nil
}

// names of everything in the layers that are written, sorted: the same files give the same layer.
func (w *writer) names(at string, stack []folder) ([]string, error) {
	var names []string
	for _, part := range stack {
		if !w.written(part.layer) {
			break
		}
		some, err := part.Readdirnames(-1)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", at, err)
		}
		names = append(names, some...)
	}
	slices.Sort(names)
	return slices.Compact(names), nil
}

// entry finds what `name` stands for when all layers lie on each other, and writes it if it is of one that is written.
func (w *writer) entry(at, name string, stack []folder) error {
	path := at + name
	var top *unix.Stat_t
	var parts []folder
	defer func() { closeAll(parts) }()
	opaque := false
	for _, part := range stack {
		if part.layer == 0 && w.hidden[path] {
			continue
		}
		stat, err := look(part, name)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if stat == nil {
			continue
		}
		if top == nil {
			if !w.written(part.layer) {
				return nil
			}
			if w.isWhiteout(stat) {
				return w.whiteout(path, name, stack)
			}
			if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
				return w.file(path, name, part, stat)
			}
			top = stat
		} else if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
			// A folder over something else: what lies below that is hidden by it, and must stay so.
			opaque = opaque || w.written(part.layer)
			break
		}
		opened, err := open(part, name, openFolder)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		parts = append(parts, folder{opened, part.layer})
		isOpaque, err := w.isOpaque(opened, path)
		if err != nil {
			return err
		}
		if isOpaque {
			opaque = opaque || w.written(part.layer)
			break
		}
	}
	if top == nil {
		return nil
	}
	if err := w.header(path+"/", top, tar.Header{Typeflag: tar.TypeDir}, int(parts[0].Fd())); err != nil {
		return err
	}
	if opaque {
		if below, err := w.below(name, stack); err != nil {
			return fmt.Errorf("%s: %w", path, err)
		} else if below {
			if err := w.mark(path + "/" + opaqueMark); err != nil {
				return err
			}
		}
	}
	if !w.overlay && (top.Dev != w.device || path == "lost+found" && isEmpty(parts[0])) {
		return nil
	}
	return w.folder(path+"/", parts)
}

// look is nil when there is nothing of that name.
func look(part folder, name string) (*unix.Stat_t, error) {
	var stat unix.Stat_t
	err := unix.Fstatat(int(part.Fd()), name, &stat, unix.AT_SYMLINK_NOFOLLOW)
	if err == unix.ENOENT {
		return nil, nil
	}
	return &stat, err
}

func open(part folder, name string, flags int) (*os.File, error) {
	fd, err := unix.Openat(int(part.Fd()), name, flags, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

func isEmpty(dir folder) bool {
	names, _ := dir.Readdirnames(1)
	dir.Seek(0, io.SeekStart)
	return len(names) == 0
}

func (w *writer) isWhiteout(stat *unix.Stat_t) bool {
	return w.overlay && stat.Mode&unix.S_IFMT == unix.S_IFCHR && stat.Rdev == 0
}

func (w *writer) isOpaque(dir *os.File, path string) (bool, error) {
	if !w.overlay {
		return false, nil
	}
	fd := int(dir.Fd())
	if _, err := unix.Fgetxattr(fd, overlayRedirect, nil); err == nil {
		return false, fmt.Errorf("%s: overlayfs keeps it as a renamed folder (redirect_dir), which can not be read from its layer", path)
	}
	var value [4]byte
	n, err := unix.Fgetxattr(fd, overlayOpaque, value[:])
	if err != nil {
		return false, nil
	}
	return n == 1 && value[0] == 'y', nil
}

// below says whether the layers that are not written show anything of that name.
func (w *writer) below(name string, stack []folder) (bool, error) {
	for _, part := range stack {
		if w.written(part.layer) {
			continue
		}
		stat, err := look(part, name)
		if err != nil {
			return false, err
		}
		if stat != nil {
			return !w.isWhiteout(stat), nil
		}
	}
	return false, nil
}

func (w *writer) whiteout(path, name string, stack []folder) error {
	below, err := w.below(name, stack)
	if err != nil || !below {
		return err
	}
	return w.mark(path[:len(path)-len(name)] + whiteoutPrefix + name)
}

func (w *writer) mark(path string) error {
	w.counts.Entries++
	// No time: it would differ from save to save for nothing.
	return w.tar.WriteHeader(&tar.Header{Typeflag: tar.TypeReg, Name: w.prefix + path, ModTime: time.Unix(0, 0)})
}

func (w *writer) file(path, name string, part folder, stat *unix.Stat_t) error {
	// It would be read as a mark of OCI's, and hide another file.
	if strings.HasPrefix(name, whiteoutPrefix) {
		w.counts.Unsayable++
		return nil
	}
	header := tar.Header{}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return w.regular(path, name, part)
	case unix.S_IFLNK:
		target, err := readlink(part, name, stat.Size)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		header.Typeflag, header.Linkname = tar.TypeSymlink, target
	case unix.S_IFIFO:
		header.Typeflag = tar.TypeFifo
	case unix.S_IFCHR, unix.S_IFBLK:
		if stat.Rdev == 0 {
			// In an image this device would be a mark that hides.
			w.counts.Unsayable++
			return nil
		}
		header.Typeflag = tar.TypeChar
		if stat.Mode&unix.S_IFMT == unix.S_IFBLK {
			header.Typeflag = tar.TypeBlock
		}
		header.Devmajor, header.Devminor = int64(unix.Major(stat.Rdev)), int64(unix.Minor(stat.Rdev))
	default:
		w.counts.Sockets++
		return nil
	}
	if linked, err := w.link(path, part, stat); linked || err != nil {
		return err
	}
	return w.header(path, stat, header, -1)
}

func readlink(part folder, name string, size int64) (string, error) {
	buffer := make([]byte, max(size, 1)+1)
	n, err := unix.Readlinkat(int(part.Fd()), name, buffer)
	if err == nil && n == len(buffer) {
		err = fmt.Errorf("the link changed while it was read")
	}
	return string(buffer[:max(n, 0)]), err
}

func (w *writer) regular(path, name string, part folder) error {
	file, err := open(part, name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	defer file.Close()
	fd := int(file.Fd())
	var stat unix.Stat_t
	if err := unix.Fstat(fd, &stat); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	if linked, err := w.link(path, part, &stat); linked || err != nil {
		return err
	}
	if err := w.header(path, &stat, tar.Header{Typeflag: tar.TypeReg, Size: stat.Size}, fd); err != nil {
		return err
	}
	for left := stat.Size; left > 0; {
		if err := w.ctx.Err(); err != nil {
			return err
		}
		n, err := unix.Read(fd, w.buffer[:min(int64(len(w.buffer)), left)])
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		if n == 0 {
			return fmt.Errorf("%s: it became shorter while it was read", path)
		}
		if _, err := w.tar.Write(w.buffer[:n]); err != nil {
			return err
		}
		left -= int64(n)
	}
	return nil
}

// link writes a further name of a file that is written already.
func (w *writer) link(path string, part folder, stat *unix.Stat_t) (bool, error) {
	if stat.Nlink < 2 {
		return false, nil
	}
	key := inode{part.layer, stat.Dev, stat.Ino}
	first, isKnown := w.links[key]
	if !isKnown {
		w.links[key] = path
		return false, nil
	}
	return true, w.header(path, stat, tar.Header{Typeflag: tar.TypeLink, Linkname: w.prefix + first}, -1)
}

func (w *writer) header(path string, stat *unix.Stat_t, header tar.Header, fd int) error {
	header.Name = w.prefix + path
	header.Mode = int64(stat.Mode & 0o7777)
	header.Uid, header.Gid = int(stat.Uid), int(stat.Gid)
	header.ModTime = time.Unix(stat.Mtim.Sec, stat.Mtim.Nsec)
	// Of the formats only this one has nanoseconds, names of any length and attributes.
	header.Format = tar.FormatPAX
	if fd >= 0 {
		attributes, err := w.attributes(fd, path)
		if err != nil {
			return err
		}
		header.PAXRecords = attributes
	}
	w.counts.Entries++
	if err := w.tar.WriteHeader(&header); err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return nil
}

// attributes that mean the same in another container: capabilities, access lists, the tenant's own.
func (w *writer) attributes(fd int, path string) (map[string]string, error) {
	size, err := unix.Flistxattr(fd, nil)
	if err != nil || size == 0 {
		return nil, nil
	}
	list := make([]byte, size)
	if size, err = unix.Flistxattr(fd, list); err != nil {
		return nil, fmt.Errorf("%s: attributes: %w", path, err)
	}
	var records map[string]string
	for _, name := range strings.Split(strings.TrimRight(string(list[:size]), "\x00"), "\x00") {
		if w.overlay && (name == overlayMetacopy || name == overlayRedirect || name == overlayWhiteout) {
			return nil, fmt.Errorf("%s: overlayfs keeps it with the attribute %s, so that its layer alone does not say what it is", path, name)
		}
		if name != "security.capability" && !strings.HasPrefix(name, "user.") && !strings.HasPrefix(name, "system.posix_acl_") {
			continue
		}
		value, err := attribute(fd, name)
		if err != nil {
			return nil, fmt.Errorf("%s: attribute %s: %w", path, name, err)
		}
		if records == nil {
			records = map[string]string{}
		}
		records[paxXattr+name] = value
	}
	return records, nil
}

func attribute(fd int, name string) (string, error) {
	size, err := unix.Fgetxattr(fd, name, nil)
	if err != nil || size == 0 {
		return "", err
	}
	value := make([]byte, size)
	size, err = unix.Fgetxattr(fd, name, value)
	return string(value[:max(size, 0)]), err
}
