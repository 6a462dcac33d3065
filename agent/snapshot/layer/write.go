// Package layer writes folders of a node as one layer of an image: the changes of a container, several such changes as one, or a
// plain folder. It reads through file descriptors and follows no symbolic link, because tenants created the content.
package layer

import (
	"archive/tar"
	"context"
	"errors"
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

// Limits of what a node can unpack. It joins the target folder with the path in the layer, and the kernel accepts no path over
// 4096 bytes; ext4 has one block of 4 KiB for all attributes of a file.
const (
	longestPath    = unix.PathMax - 256
	longestName    = 255
	attributesRoom = 3584
)

// Limits on the agent's resources per save: a descriptor for each open folder and each layer, 16 MiB of names of the open
// folders, and this many bytes to remember about hard-linked files.
const (
	deepest     = 512
	namesAtOnce = 4096
	namesDeep   = 64
	linksRoom   = 48 << 20
	// The cost of an entry of the map beside the bytes of its name.
	linkCost = 136
)

// Change is what an overlay's upper folder holds, or several of them one above another as if they were one.
type Change struct {
	// Topmost first. These are written.
	Uppers []string
	// The layers below, topmost first: a whiteout that hides nothing there is left out.
	Lowers []string
	// Paths, as a container sees them, where something was mounted: what the topmost upper has there was made by the runtime.
	Mounts []string
	// Folders of the root that never belong to a layer.
	Excluded []string
	// Opens the uppers and lowers; os.Open when it is nil.
	Open func(path string) (*os.File, error)
	// How many bytes a node may have to write beyond those that the files take here; no limit when it is 0.
	Growth int64
}

// Counts says what a layer contains, and what it could not contain.
type Counts struct {
	Entries int
	// Sockets, which mean nothing without their listening process; entries that an image cannot contain, and attributes that no
	// image can contain.
	Sockets, Unsupported, Attributes int
	// Sentences about the first entries that an image cannot contain.
	Named []string
}

// ErrForm: overlayfs keeps something in a form that its folders do not say. It is never written as something else.
var ErrForm = errors.New("overlayfs keeps it in a form that its layer alone does not say")

const mostNamed = 3

func (c *Counts) name(cannot *Unsupported) {
	if len(c.Named) < mostNamed {
		c.Named = append(c.Named, cannot.Error())
	}
}

// Unsupported is an entry that an image cannot contain, or that no node could unpack from it.
type Unsupported struct{ path, why string }

func (u *Unsupported) Error() string { return fmt.Sprintf("%s: %s", shown(u.path), u.why) }

// shown is a path that somebody can recognise, however long it is.
func shown(path string) string {
	const end = 70
	if len(path) <= 2*end+10 {
		return fmt.Sprintf("%q", path)
	}
	return fmt.Sprintf("%q…%q", path[:end], path[len(path)-end:])
}

// WriteChange writes the layer as a tar stream, the same bytes for the same files.
func WriteChange(ctx context.Context, into io.Writer, change Change) (Counts, error) {
	w := newWriter(ctx, into)
	w.overlay = true
	w.uppers, w.growth = len(change.Uppers), change.Growth
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

// WriteFolder writes a folder and everything below it under `name`, up to where another file system begins. It may be the last
// copy: an entry that an image cannot contain is not left out but an error, an Unsupported. For growth see Change.
func WriteFolder(ctx context.Context, into io.Writer, root *os.File, name string, growth int64) (Counts, error) {
	w := newWriter(ctx, into)
	w.uppers, w.growth = 1, growth
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

// first name of a file that has several. `at` is shared by all names of a folder.
type first struct {
	at, name string
	// Names that were not met yet.
	left uint64
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
	// Hard-linked files with names still to come, the memory for that, and the folder that was counted last.
	links      map[inode]first
	linksTake  int
	linksRoom  int
	lastLinked string
	// How much more a node will write than the files take here, and the limit on that.
	grown, growth int64
	counts        Counts
	buffer        []byte
}

func newWriter(ctx context.Context, into io.Writer) *writer {
	return &writer{
		ctx: ctx, tar: tar.NewWriter(into), hidden: map[string]bool{}, excluded: map[string]bool{},
		links: map[inode]first{}, linksRoom: linksRoom, buffer: make([]byte, 256<<10),
	}
}

const openFolder = unix.O_RDONLY | unix.O_DIRECTORY

func (w *writer) written(layer int) bool { return layer < w.uppers }

// folder writes the layers' content of the folder `at` ("" or "a/b/"), which is written already. The names of a layer come sorted
// in batches: a folder may have millions, and memory must not grow with that.
func (w *writer) folder(at string, stack []folder) error {
	atOnce := max(namesAtOnce/(strings.Count(at, "/")+1), namesDeep)
	for from, part := range stack {
		if !w.written(part.layer) {
			break
		}
		for {
			names, readErr := part.Readdirnames(atOnce)
			slices.Sort(names)
			for _, name := range names {
				if err := w.ctx.Err(); err != nil {
					return err
				}
				if at == "" && w.excluded[name] {
					continue
				}
				if err := w.entry(at, name, stack, from); err != nil {
					return err
				}
			}
			if readErr == io.EOF {
				break
			}
			if readErr != nil {
				return fmt.Errorf("%s: %w", at, readErr)
			}
		}
	}
	return nil
}

// entry writes the entry `name`, or leaves it out and counts it if an image cannot contain it: that does not reveal a lower
// entry.
func (w *writer) entry(at, name string, stack []folder, from int) error {
	err := w.whole(at, name, stack, from)
	var cannot *Unsupported
	if !w.overlay || !errors.As(err, &cannot) {
		return err
	}
	w.counts.Unsupported++
	w.counts.name(cannot)
	return w.whiteout(at+name, name, stack)
}

// sayable refuses what no node could unpack, before anything below it is looked at.
func (w *writer) sayable(path, name string, stat *unix.Stat_t) error {
	switch {
	case strings.HasPrefix(name, whiteoutPrefix):
		return &Unsupported{path, "its name begins with .wh., which marks in an image what was deleted"}
	case len(w.prefix)+len(path) > longestPath:
		return &Unsupported{path, fmt.Sprintf("its path is longer than %d bytes", longestPath)}
	case len(name) > longestName:
		return &Unsupported{path, fmt.Sprintf("its name is longer than %d bytes", longestName)}
	case stat.Mode&unix.S_IFMT == unix.S_IFDIR && strings.Count(path, "/") >= deepest:
		return &Unsupported{path, fmt.Sprintf("it lies deeper than %d folders", deepest)}
	}
	return nil
}

// whole finds what `name` stands for when all layers lie on each other, and writes it if it is of the layer `from` of the stack:
// what a layer above has of that name was written with that one's names.
func (w *writer) whole(at, name string, stack []folder, from int) error {
	path := at + name
	var top *unix.Stat_t
	var parts []folder
	defer func() { closeAll(parts) }()
	opaque := false
	for i, part := range stack {
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
			if i != from {
				return nil
			}
			if w.isWhiteout(stat) {
				return w.whiteout(path, name, stack)
			}
			if err := w.sayable(path, name, stat); err != nil {
				return err
			}
			if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
				return w.file(path, name, part, stat, stack)
			}
			top = stat
		} else if stat.Mode&unix.S_IFMT != unix.S_IFDIR {
			// A folder over something else: what lies below that is hidden by it, and must stay so.
			opaque = opaque || w.written(part.layer)
			break
		}
		opened, err := openSeen(part, name, stat, openFolder)
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

// openSeen opens the file that was seen, and nothing that has taken its place since: its owner may be at work. A path descriptor
// opens neither a device nor a pipe, and its file can no longer be swapped.
func openSeen(part folder, name string, seen *unix.Stat_t, flags int) (*os.File, error) {
	held, err := unix.Openat(int(part.Fd()), name, unix.O_PATH|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	defer unix.Close(held)
	var stat unix.Stat_t
	if err := unix.Fstat(held, &stat); err != nil {
		return nil, err
	}
	if stat.Dev != seen.Dev || stat.Ino != seen.Ino || stat.Mode&unix.S_IFMT != seen.Mode&unix.S_IFMT {
		return nil, errReplaced
	}
	fd, err := unix.Open(fmt.Sprintf("/proc/self/fd/%d", held), flags|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}

var errReplaced = errors.New("it was replaced while it was read")

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
		return false, fmt.Errorf("%s: %w (redirect_dir)", path, ErrForm)
	} else if !hasNone(err) {
		return false, fmt.Errorf("%s: attribute %s: %w", path, overlayRedirect, err)
	}
	var value [4]byte
	n, err := unix.Fgetxattr(fd, overlayOpaque, value[:])
	if hasNone(err) {
		return false, nil
	}
	if err != nil {
		return false, fmt.Errorf("%s: attribute %s: %w", path, overlayOpaque, err)
	}
	return n == 1 && value[0] == 'y', nil
}

// hasNone: the file has no such attribute, or its file system has none at all.
func hasNone(err error) bool { return errors.Is(err, unix.ENODATA) || errors.Is(err, unix.ENOTSUP) }

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

func (w *writer) file(path, name string, part folder, stat *unix.Stat_t, stack []folder) error {
	header := tar.Header{}
	switch stat.Mode & unix.S_IFMT {
	case unix.S_IFREG:
		return w.regular(path, name, part, stat)
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
			// On the node it would hide what lies below.
			return &Unsupported{path, "it is a device 0:0, which marks on a node what was deleted"}
		}
		header.Typeflag = tar.TypeChar
		if stat.Mode&unix.S_IFMT == unix.S_IFBLK {
			header.Typeflag = tar.TypeBlock
		}
		header.Devmajor, header.Devminor = int64(unix.Major(stat.Rdev)), int64(unix.Minor(stat.Rdev))
	default:
		w.counts.Sockets++
		return w.whiteout(path, name, stack)
	}
	if linked, err := w.link(path, part, stat); linked || err != nil {
		return err
	}
	if err := w.header(path, stat, header, -1); err != nil {
		return err
	}
	w.remember(path, name, part, stat)
	return nil
}

func readlink(part folder, name string, size int64) (string, error) {
	buffer := make([]byte, max(size, 1)+1)
	n, err := unix.Readlinkat(int(part.Fd()), name, buffer)
	if err == nil && n == len(buffer) {
		err = fmt.Errorf("the link changed while it was read")
	}
	return string(buffer[:max(n, 0)]), err
}

func (w *writer) regular(path, name string, part folder, seen *unix.Stat_t) error {
	file, err := openSeen(part, name, seen, unix.O_RDONLY|unix.O_NONBLOCK)
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
	grows := w.grows(part, &stat)
	if w.growth > 0 && grows > w.growth-w.grown {
		return &Unsupported{path, fmt.Sprintf("as an image has no holes, it and files like it would take %d MiB more on a node than here", w.growth>>20)}
	}
	if err := w.header(path, &stat, tar.Header{Typeflag: tar.TypeReg, Size: stat.Size}, fd); err != nil {
		return err
	}
	w.grown += grows
	w.remember(path, name, part, &stat)
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

// grows returns how many more bytes a file takes where an image is unpacked: holes become zeros, and if a hard-linked file cannot
// be remembered each name becomes a file.
func (w *writer) grows(part folder, stat *unix.Stat_t) int64 {
	more := max(stat.Size-stat.Blocks*512, 0)
	if stat.Nlink > 1 && w.linksTake >= w.linksRoom {
		more = max(more, stat.Size-stat.Size/int64(stat.Nlink))
	}
	return more
}

// link writes a further name of a file that is written already.
func (w *writer) link(path string, part folder, stat *unix.Stat_t) (bool, error) {
	if stat.Nlink < 2 {
		return false, nil
	}
	key := inode{part.layer, stat.Dev, stat.Ino}
	known, isKnown := w.links[key]
	if !isKnown {
		return false, nil
	}
	if known.left--; known.left > 0 {
		w.links[key] = known
	} else {
		delete(w.links, key)
		w.linksTake -= linkCost + len(known.name)
	}
	return true, w.header(path, stat, tar.Header{Typeflag: tar.TypeLink, Linkname: w.prefix + known.at + known.name}, -1)
}

// remember stores the first name of a hard-linked file, as long as there is room: without it, the next name is a separate file.
func (w *writer) remember(path, name string, part folder, stat *unix.Stat_t) {
	if stat.Nlink < 2 || w.linksTake >= w.linksRoom {
		return
	}
	at := path[:len(path)-len(name)]
	if at == w.lastLinked {
		at = w.lastLinked
	} else {
		at = strings.Clone(at)
		w.lastLinked = at
		w.linksTake += len(at)
	}
	w.linksTake += linkCost + len(name)
	w.links[inode{part.layer, stat.Dev, stat.Ino}] = first{at, strings.Clone(name), uint64(stat.Nlink) - 1}
}

func (w *writer) header(path string, stat *unix.Stat_t, header tar.Header, fd int) error {
	header.Name = w.prefix + path
	header.Mode = int64(stat.Mode & 0o7777)
	header.Uid, header.Gid = int(stat.Uid), int(stat.Gid)
	header.ModTime = time.Unix(stat.Mtim.Sec, stat.Mtim.Nsec)
	// The only format with nanoseconds, names of any length and attributes.
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

// attributes that mean the same in another container: capabilities, access lists, the tenant's own. The tenant's attributes that
// an image cannot contain are left out.
func (w *writer) attributes(fd int, path string) (map[string]string, error) {
	names, err := attributeNames(fd)
	if err != nil {
		return nil, fmt.Errorf("%s: attributes: %w", path, err)
	}
	records, room := map[string]string{}, attributesRoom
	// The kernel's come before `user.`: they have the room first.
	for _, name := range names {
		if w.overlay && (name == overlayMetacopy || name == overlayRedirect || name == overlayWhiteout) {
			return nil, fmt.Errorf("%s: %w (%s)", path, ErrForm, name)
		}
		isOwn := strings.HasPrefix(name, "user.")
		if name != "security.capability" && !isOwn && !strings.HasPrefix(name, "system.posix_acl_") {
			continue
		}
		value, err := attribute(fd, name)
		if errors.Is(err, unix.ENODATA) {
			continue // It was taken away just now.
		}
		if err != nil {
			return nil, fmt.Errorf("%s: attribute %s: %w", path, name, err)
		}
		room -= len(name) + len(value) + 16
		var cannot *Unsupported
		switch {
		case strings.Contains(name, "="):
			cannot = &Unsupported{path, fmt.Sprintf("its attribute %s has a = in its name", shown(name))}
		case room < 0:
			cannot = &Unsupported{path, fmt.Sprintf("its attributes take more than %d bytes together", attributesRoom)}
		}
		if cannot == nil {
			records[paxXattr+name] = value
			continue
		}
		// A file without its access list would be open to more people than it was.
		if !w.overlay || !isOwn {
			return nil, cannot
		}
		room += len(name) + len(value) + 16
		w.counts.Attributes++
		w.counts.name(cannot)
	}
	return records, nil
}

// attributeNames are sorted, so that the same file yields the same layer.
func attributeNames(fd int) ([]string, error) {
	size, err := unix.Flistxattr(fd, nil)
	if errors.Is(err, unix.ENOTSUP) {
		return nil, nil
	}
	if err != nil || size == 0 {
		return nil, err
	}
	list := make([]byte, size)
	if size, err = unix.Flistxattr(fd, list); err != nil || size == 0 {
		return nil, err
	}
	names := strings.Split(strings.TrimRight(string(list[:size]), "\x00"), "\x00")
	slices.Sort(names)
	return names, nil
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
