package restore

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"sort"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sys/unix"
)

// One goroutine walks and creates folders, links and pipes; several copy files. Hard links come after all files, and the metadata
// of folders last, deepest first, because every entry created in them changes their time.
type copying struct {
	from     tree
	to       int
	toPath   string
	toDev    uint64
	all      amount
	says     io.Writer
	files    chan entry
	first    map[inode]string
	names    []name
	folders  []entry
	entries  atomic.Uint64
	bytes    atomic.Uint64
	lost     atomic.Uint64
	failed   atomic.Pointer[error]
	copiable atomic.Bool
}

type entry struct {
	path string
	of   unix.Stat_t
}

// name is a further name of a file.
type name struct{ first, path string }

func newCopying(from tree, to int, toPath string, all amount, says io.Writer) *copying {
	c := &copying{from: from, to: to, toPath: toPath, all: all, says: says, files: make(chan entry, 256), first: map[inode]string{}}
	c.toDev = uint64(from.besides.Dev)
	c.copiable.Store(true)
	return c
}

func (c *copying) run() error {
	stop := c.report()
	defer stop()
	var workers sync.WaitGroup
	for range min(8, 2*runtime.NumCPU()) {
		workers.Add(1)
		go func() {
			defer workers.Done()
			buffer := make([]byte, chunk)
			for file := range c.files {
				if c.failed.Load() == nil {
					c.note(c.file(file, buffer), file.path)
				}
			}
		}()
	}
	err := c.from.walk(func(string) {}, c.visit)
	close(c.files)
	workers.Wait()
	if failed := c.failed.Load(); failed != nil {
		return *failed
	}
	if err != nil {
		return err
	}
	for _, one := range c.names {
		if err := c.anew(one.path, func() error { return unix.Linkat(c.to, one.first, c.to, one.path, 0) }); err != nil {
			return c.wrong(one.path, err)
		}
		c.entries.Add(1)
	}
	sort.Slice(c.folders, func(a, b int) bool { return c.folders[a].path > c.folders[b].path })
	for _, one := range c.folders {
		if err := c.folderFacts(one.path, one.of); err != nil {
			return c.wrong(one.path, err)
		}
	}
	if lost := c.lost.Load(); lost > 0 {
		fmt.Fprintf(c.says, "%d extended attributes or devices could not be kept: %s does not allow them.\n", lost, c.toPath)
	}
	if entries := c.entries.Load(); entries != c.all.entries {
		return fmt.Errorf("%s changed while it was copied: %d entries became %d", c.from.path, c.all.entries, entries)
	}
	return nil
}

// finishTop gives the volume's own folder its owner, mode and time, after the mark was written into it.
func (c *copying) finishTop() error {
	if err := c.folderFacts(".", c.from.facts); err != nil {
		return c.wrong(".", err)
	}
	return unix.Fsync(c.to)
}

func (c *copying) visit(path string, of unix.Stat_t) error {
	if c.failed.Load() != nil {
		return io.EOF // The error itself is told by run.
	}
	if isFolder(of) {
		c.folders = append(c.folders, entry{path, of})
		c.entries.Add(1)
		err := unix.Mkdirat(c.to, path, 0o700)
		if errors.Is(err, unix.EEXIST) {
			var there unix.Stat_t
			if unix.Fstatat(c.to, path, &there, unix.AT_SYMLINK_NOFOLLOW) == nil && isFolder(there) {
				return nil // lost+found
			}
		}
		return c.wrong(path, err)
	}
	if of.Nlink > 1 {
		if first, known := c.first[inodeOf(of)]; known {
			c.names = append(c.names, name{first, path})
			return nil
		}
		c.first[inodeOf(of)] = path
	}
	if isFile(of) {
		c.files <- entry{path, of}
		return nil
	}
	return c.wrong(path, c.special(path, of))
}

func (c *copying) note(err error, path string) {
	if err != nil {
		wrapped := c.wrong(path, err)
		c.failed.CompareAndSwap(nil, &wrapped)
	}
}

func (c *copying) wrong(path string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s cannot be restored: %w", filepath.Join(c.toPath, path), err)
}

// anew replaces an existing entry, which only lost+found may contain.
func (c *copying) anew(path string, do func() error) error {
	err := do()
	if errors.Is(err, unix.EEXIST) {
		if err := unix.Unlinkat(c.to, path, 0); err != nil {
			return err
		}
		return do()
	}
	return err
}

// special creates what is neither folder nor file: links, pipes, sockets and devices.
func (c *copying) special(path string, of unix.Stat_t) error {
	c.entries.Add(1)
	if of.Mode&unix.S_IFMT == unix.S_IFLNK {
		target := make([]byte, unix.PathMax)
		n, err := unix.Readlinkat(c.from.root, path, target)
		if err != nil {
			return err
		}
		if err := c.anew(path, func() error { return unix.Symlinkat(string(target[:n]), c.to, path) }); err != nil {
			return err
		}
		return c.outerFacts(path, of)
	}
	err := c.anew(path, func() error { return unix.Mknodat(c.to, path, of.Mode&unix.S_IFMT|0o600, int(of.Rdev)) })
	if errors.Is(err, unix.EPERM) {
		c.lost.Add(1) // A device, where the runtime lets nobody make one.
		delete(c.first, inodeOf(of))
		return nil
	}
	if err != nil {
		return err
	}
	if err := unix.Fchownat(c.to, path, int(of.Uid), int(of.Gid), unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	if err := unix.Fchmodat(c.to, path, of.Mode&0o7777, 0); err != nil {
		return err
	}
	return c.times(path, of)
}

func (c *copying) outerFacts(path string, of unix.Stat_t) error {
	if err := unix.Fchownat(c.to, path, int(of.Uid), int(of.Gid), unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	return c.times(path, of)
}

func (c *copying) times(path string, of unix.Stat_t) error {
	return unix.UtimesNanoAt(c.to, path, []unix.Timespec{of.Atim, of.Mtim}, unix.AT_SYMLINK_NOFOLLOW)
}

func (c *copying) file(file entry, buffer []byte) error {
	in, err := c.from.open(file.path, file.of)
	if err != nil {
		return err
	}
	defer unix.Close(in)
	var out int
	err = c.anew(file.path, func() (err error) {
		out, err = unix.Openat(c.to, file.path, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
		return err
	})
	if err != nil {
		return err
	}
	err = c.content(in, out, file.of, buffer)
	if err == nil {
		err = c.facts(in, out, file.of)
	}
	if closed := unix.Close(out); err == nil {
		err = closed
	}
	if err != nil {
		return err
	}
	c.entries.Add(1)
	return c.times(file.path, file.of)
}

func (c *copying) folderFacts(path string, of unix.Stat_t) error {
	flags := unix.O_RDONLY | unix.O_DIRECTORY | unix.O_NOFOLLOW | unix.O_CLOEXEC
	in, err := unix.Openat(c.from.root, path, flags, 0)
	if err != nil {
		return err
	}
	defer unix.Close(in)
	out, err := unix.Openat(c.to, path, flags, 0)
	if err != nil {
		return err
	}
	defer unix.Close(out)
	if err := c.facts(in, out, of); err != nil {
		return err
	}
	return c.times(path, of)
}

// facts in the only order that works: a change of owner drops setuid and capabilities, a change of mode alters an ACL.
func (c *copying) facts(in, out int, of unix.Stat_t) error {
	if err := unix.Fchown(out, int(of.Uid), int(of.Gid)); err != nil {
		return err
	}
	if err := unix.Fchmod(out, of.Mode&0o7777); err != nil {
		return err
	}
	return c.attributes(in, out)
}

func kept(attribute string) bool {
	return strings.HasPrefix(attribute, "user.") || attribute == "security.capability" ||
		attribute == "system.posix_acl_access" || attribute == "system.posix_acl_default"
}

func (c *copying) attributes(in, out int) error {
	var short [1024]byte
	list := short[:]
	n, err := unix.Flistxattr(in, list)
	if errors.Is(err, unix.ERANGE) {
		list = make([]byte, 64<<10) // The kernel's own limit.
		n, err = unix.Flistxattr(in, list)
	}
	if errors.Is(err, unix.ENOTSUP) || n == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	for _, attribute := range strings.Split(strings.TrimSuffix(string(list[:n]), "\x00"), "\x00") {
		if !kept(attribute) {
			continue
		}
		value := make([]byte, 64<<10)
		size, err := unix.Fgetxattr(in, attribute, value)
		if err != nil {
			return fmt.Errorf("attribute %s: %w", attribute, err)
		}
		err = unix.Fsetxattr(out, attribute, value[:size], 0)
		if errors.Is(err, unix.ENOTSUP) || errors.Is(err, unix.EPERM) {
			c.lost.Add(1)
		} else if err != nil {
			return fmt.Errorf("attribute %s: %w", attribute, err)
		}
	}
	return nil
}

// report says every ten seconds how far it is.
func (c *copying) report() (stop func()) {
	ticker, over := time.NewTicker(betweenReports), make(chan struct{})
	var done sync.WaitGroup
	done.Add(1)
	go func() {
		defer done.Done()
		for {
			select {
			case <-ticker.C:
				fmt.Fprintf(c.says, "%d of %d entries, %s of %s are restored.\n",
					c.entries.Load(), c.all.entries, inWords(c.bytes.Load()), inWords(c.all.bytes))
			case <-over:
				return
			}
		}
	}()
	return func() {
		ticker.Stop()
		close(over)
		done.Wait()
	}
}
