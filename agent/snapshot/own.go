package snapshot

import (
	"context"
	"errors"
	"io"
	"maps"
	"os"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"

	"gantry.dev/agent/snapshot/cluster"
)

const (
	// A file system with more files is not counted: its own part stays unknown, and is shown as used.
	mostCounted = 50_000
	namesAtOnce = 256
	// Each level of folders holds a file open.
	mostDeep = 64
	// No file system keeps more for itself than this and a twentieth of its size: what seems to be more are files without a name.
	mostOwn     = 64 << 20
	mostOwnPart = 20
	// Disks are measured one after the other, so a count that takes longer is given up.
	countLimit = 2 * time.Second
	// After a failed count a volume is left alone for this long, and longer after each further one.
	recountAfter   = 10 * time.Minute
	longestRecount = 30 * time.Minute
	// A volume that is still mounted has been counted again by then.
	forgottenAfter = 2 * longestRecount
)

var errTooMany = errors.New("too many files to count")

// uncounted remembers the volumes whose files could not be counted: a tenant decides how much work that is, and whether it fails.
type uncounted struct {
	mutex  sync.Mutex
	failed map[string]failedCount
}

type failedCount struct {
	at   time.Time
	wait time.Duration
}

func (u *uncounted) mayCount(volume string, at time.Time) bool {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	last, hasFailed := u.failed[volume]
	return !hasFailed || at.Sub(last.at) >= last.wait
}

func (u *uncounted) counted(volume string, at time.Time, isKnown bool) {
	u.mutex.Lock()
	defer u.mutex.Unlock()
	maps.DeleteFunc(u.failed, func(_ string, one failedCount) bool { return at.Sub(one.at) > forgottenAfter })
	if isKnown {
		delete(u.failed, volume)
		return
	}
	if u.failed == nil {
		u.failed = map[string]failedCount{}
	}
	u.failed[volume] = failedCount{at, min(u.failed[volume].wait+recountAfter, longestRecount)}
}

// usageOf is what files take of a volume mounted at path: the kernel counts as used what the file system keeps for itself, too
// (tens of MiB of an empty XFS). known is that part, of a file system of that size; nil where it is not known yet.
func (u *uncounted) usageOf(ctx context.Context, at time.Time, volume, path string, knownOf int64, known *int64) (cluster.Usage, error) {
	usage, files, err := spaceOf(path)
	if err != nil {
		return cluster.Usage{}, err
	}
	usage.OwnBytes = known
	if (known == nil || knownOf != usage.TotalBytes) && files <= mostCounted && u.mayCount(volume, at) {
		own, isKnown := ownBytes(ctx, path, usage)
		u.counted(volume, at, isKnown)
		// If the volume has grown since, the old figure is better than none.
		if isKnown {
			usage.OwnBytes = &own
		}
	}
	if usage.OwnBytes != nil {
		usage.UsedBytes = max(0, usage.UsedBytes-*usage.OwnBytes)
	}
	return usage, nil
}

// spaceOf is what the kernel says: everything that is not free is used.
func spaceOf(path string) (usage cluster.Usage, files uint64, err error) {
	var figures syscall.Statfs_t
	if err := syscall.Statfs(path, &figures); err != nil {
		return cluster.Usage{}, 0, &os.PathError{Op: "statfs", Path: path, Err: err}
	}
	size := int64(figures.Frsize)
	if size == 0 {
		size = int64(figures.Bsize)
	}
	return cluster.Usage{
		TotalBytes: int64(figures.Blocks) * size, UsedBytes: int64(figures.Blocks-figures.Bfree) * size,
		AvailableBytes: int64(figures.Bavail) * size, At: now(),
	}, figures.Files - figures.Ffree, nil
}

// ownBytes is what is used and no file's. Counted only where nothing was written meanwhile.
func ownBytes(ctx context.Context, path string, before cluster.Usage) (int64, bool) {
	ctx, cancel := context.WithTimeout(ctx, countLimit)
	defer cancel()
	taken, err := fileBytes(ctx, path)
	if err != nil {
		return 0, false
	}
	after, _, err := spaceOf(path)
	own := before.UsedBytes - taken
	if err != nil || after.UsedBytes != before.UsedBytes || own < 0 || own > mostOwn+before.TotalBytes/mostOwnPart {
		return 0, false
	}
	return own, true
}

// fileBytes adds up the blocks of all files below path. The files are a tenant's, who may change them meanwhile: links are not
// followed, each name is looked up in its open folder, and names are read a few at a time.
func fileBytes(ctx context.Context, path string) (int64, error) {
	root, err := os.OpenFile(path, os.O_RDONLY|unix.O_DIRECTORY, 0)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	of := &counting{linked: map[uint64]bool{}}
	var facts unix.Stat_t
	if err := unix.Fstat(int(root.Fd()), &facts); err != nil {
		return 0, err
	}
	of.add(facts)
	err = of.folder(ctx, root, 0)
	return of.bytes, err
}

type counting struct {
	names  int
	bytes  int64
	linked map[uint64]bool
}

func (c *counting) folder(ctx context.Context, folder *os.File, depth int) error {
	if depth > mostDeep {
		return errTooMany
	}
	for {
		names, err := folder.Readdirnames(namesAtOnce)
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		for _, name := range names {
			if err := ctx.Err(); err != nil {
				return err
			}
			if c.names++; c.names > mostCounted {
				return errTooMany
			}
			if err := c.name(ctx, int(folder.Fd()), name, depth); err != nil {
				return err
			}
		}
	}
}

func (c *counting) name(ctx context.Context, at int, name string, depth int) error {
	var facts unix.Stat_t
	if err := unix.Fstatat(at, name, &facts, unix.AT_SYMLINK_NOFOLLOW); err != nil {
		return err
	}
	c.add(facts)
	if facts.Mode&unix.S_IFMT != unix.S_IFDIR {
		return nil
	}
	// A pipe that took the folder's place would be waited for.
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	inner := os.NewFile(uintptr(fd), name)
	defer inner.Close()
	return c.folder(ctx, inner, depth+1)
}

// add counts a file with several names once.
func (c *counting) add(facts unix.Stat_t) {
	if c.linked[facts.Ino] {
		return
	}
	if facts.Nlink > 1 && facts.Mode&unix.S_IFMT != unix.S_IFDIR {
		c.linked[facts.Ino] = true
	}
	c.bytes += facts.Blocks * 512
}
