package snapshot

import (
	"context"
	"errors"
	"io"
	"os"
	"syscall"

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
)

var errTooMany = errors.New("too many files to count")

// usageOf is what files take of the volume at path: the kernel counts as used what the file system keeps for itself, too (tens
// of MiB of an empty XFS). known is that part, of a file system of that size; nil where it is not known yet.
func usageOf(ctx context.Context, path string, knownOf int64, known *int64) (cluster.Usage, error) {
	usage, files, err := spaceOf(path)
	if err != nil {
		return cluster.Usage{}, err
	}
	usage.OwnBytes = known
	if known == nil || knownOf != usage.TotalBytes {
		// Of a volume that has grown since, the former figure is better than none.
		if own, isKnown := ownBytes(ctx, path, usage, files); isKnown {
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
func ownBytes(ctx context.Context, path string, before cluster.Usage, files uint64) (int64, bool) {
	if files > mostCounted {
		return 0, false
	}
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
// followed, nothing above path is reached, and names are read a few at a time.
func fileBytes(ctx context.Context, path string) (int64, error) {
	root, err := os.OpenRoot(path)
	if err != nil {
		return 0, err
	}
	defer root.Close()
	of := &counting{root: root, linked: map[uint64]bool{}}
	facts, err := root.Lstat(".")
	if err != nil {
		return 0, err
	}
	of.add(facts)
	err = of.folder(ctx, ".", 0)
	return of.bytes, err
}

type counting struct {
	root   *os.Root
	names  int
	bytes  int64
	linked map[uint64]bool
}

func (c *counting) folder(ctx context.Context, path string, depth int) error {
	if depth > mostDeep {
		return errTooMany
	}
	// A pipe that took the folder's place would be waited for.
	folder, err := c.root.OpenFile(path, os.O_RDONLY|syscall.O_DIRECTORY|syscall.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer folder.Close()
	for {
		names, err := folder.Readdirnames(namesAtOnce)
		if errors.Is(err, io.EOF) {
			return ctx.Err()
		}
		if err != nil {
			return err
		}
		for _, name := range names {
			if c.names++; c.names > mostCounted {
				return errTooMany
			}
			inner := path + "/" + name
			facts, err := c.root.Lstat(inner)
			if err != nil {
				return err
			}
			c.add(facts)
			if facts.IsDir() {
				if err := c.folder(ctx, inner, depth+1); err != nil {
					return err
				}
			}
		}
	}
}

// add counts a file with several names once.
func (c *counting) add(facts os.FileInfo) {
	stat, isOne := facts.Sys().(*syscall.Stat_t)
	if !isOne || c.linked[stat.Ino] {
		return
	}
	if stat.Nlink > 1 && !facts.IsDir() {
		c.linked[stat.Ino] = true
	}
	c.bytes += stat.Blocks * 512
}
