// Package restore copies a saved home from an image into a fresh volume, completely or not at all: only a complete copy carries
// the mark. README.md describes the layout of such an image.
package restore

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"time"

	"gantry.dev/agent/remove"
	"golang.org/x/sys/unix"
)

// Marker is the file at the top of the volume that says whose content it holds: a digest and a line end.
const Marker = ".gantry-restored"

// The file system's own folder at the top of a volume; it stays when the volume is emptied.
const lostAndFound = "lost+found"

// A variable, because tests cannot wait that long.
var betweenReports = 10 * time.Second

// Run makes the folder to hold what the folder from holds. If it is already marked with the digest, nothing is done; otherwise it
// is emptied first. Says gets sentences about progress. An error is a sentence; an interrupted copy has no mark, so that running
// again starts over.
func Run(from, to, mark string, says io.Writer) error {
	if mark == "" || strings.TrimSpace(mark) != mark || len(mark) > 1024 || strings.ContainsAny(mark, "\n\x00") {
		return errors.New("--mark must be the digest of what is restored, on one line")
	}
	source, err := openFolder(from)
	if err != nil {
		return fmt.Errorf("<from> %s cannot be read: %w", from, err)
	}
	defer unix.Close(source)
	target, err := openFolder(to)
	if err != nil {
		return fmt.Errorf("<to> %s cannot be written: %w", to, err)
	}
	defer unix.Close(target)
	if marked(target) == mark {
		fmt.Fprintf(says, "%s holds %s already.\n", to, mark)
		return nil
	}
	sourceFacts, targetFacts, err := apart(source, target)
	if err != nil {
		return err
	}

	saved := tree{root: source, path: from, facts: sourceFacts, besides: targetFacts}
	all, err := measure(saved, says, onDisk)
	if err != nil {
		return err
	}
	room, err := roomOf(target, to, targetFacts)
	if err != nil {
		return err
	}
	isTight := all.bytes > room.bytes
	if isTight {
		// Much of it may be zeros that were holes before: they are read only if that decides.
		needed, err := measure(saved, io.Discard, saved.withoutZeros)
		if err != nil {
			return err
		}
		if needed.bytes > room.bytes {
			return fmt.Errorf("%s has room for %d bytes (%s), but %d bytes (%s) are to be restored; nothing was changed",
				to, room.bytes, inWords(room.bytes), needed.bytes, inWords(needed.bytes))
		}
	}
	if all.entries > room.entries {
		return fmt.Errorf("%s has room for %d files, but %d are to be restored; nothing was changed", to, room.entries, all.entries)
	}
	if err := prepare(target); err != nil {
		return fmt.Errorf("%s cannot be emptied: %w", to, err)
	}
	started := time.Now()
	work := newCopying(saved, target, to, all, says)
	if isTight {
		work.copiable.Store(false) // The kernel copies zeros as they are.
	}
	if err := work.run(); err != nil {
		if errors.Is(err, unix.ENOSPC) || errors.Is(err, unix.EDQUOT) {
			return fmt.Errorf("%s became full: %w", to, err)
		}
		return err
	}
	if err := unix.Syncfs(target); err != nil {
		return fmt.Errorf("%s cannot be brought to the disk: %w", to, err)
	}
	if err := setMark(target, mark); err != nil {
		return fmt.Errorf("%s cannot be marked: %w", to, err)
	}
	if err := work.finishTop(); err != nil {
		return err
	}
	took := time.Since(started).Seconds()
	fmt.Fprintf(says, "%s holds %s now: %d entries, %s in %.1f s.\n", to, mark, all.entries, inWords(all.bytes), took)
	return nil
}

// openFolder follows links in the path itself: who calls chose it.
func openFolder(path string) (int, error) {
	return unix.Open(path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
}

// apart refuses to copy a folder onto itself, or out of the folder that is emptied first.
func apart(source, target int) (from, to unix.Stat_t, err error) {
	if err = unix.Fstat(source, &from); err != nil {
		return
	}
	if err = unix.Fstat(target, &to); err != nil {
		return
	}
	at, err := unix.Openat(source, ".", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	for err == nil {
		var here, above unix.Stat_t
		if err = unix.Fstat(at, &here); err != nil {
			break
		}
		if sameFile(here, to) {
			err = errors.New("<from> must not be <to>, nor be inside it")
			break
		}
		var up int
		if up, err = unix.Openat(at, "..", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_CLOEXEC, 0); err != nil {
			break
		}
		_ = unix.Close(at)
		at = up
		if err = unix.Fstat(at, &above); err != nil || sameFile(here, above) {
			break
		}
	}
	_ = unix.Close(at)
	return
}

func sameFile(a, b unix.Stat_t) bool { return a.Dev == b.Dev && a.Ino == b.Ino }

func marked(target int) string {
	fd, err := unix.Openat(target, Marker, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return ""
	}
	file := os.NewFile(uintptr(fd), Marker)
	defer file.Close()
	text, _ := io.ReadAll(io.LimitReader(file, 4096))
	mark, whole := strings.CutSuffix(string(text), "\n")
	if !whole {
		return ""
	}
	return mark
}

// prepare empties the volume. An older mark goes first and durably: a half-emptied volume does not match it. A default ACL of the
// volume would be inherited by everything created in it.
func prepare(target int) error {
	if err := unix.Unlinkat(target, Marker, 0); err == nil {
		if err := unix.Fsync(target); err != nil {
			return err
		}
	}
	if err := unix.Fremovexattr(target, "system.posix_acl_default"); err != nil &&
		!errors.Is(err, unix.ENODATA) && !errors.Is(err, unix.ENOTSUP) {
		return err
	}
	return remove.Contents(target, func(name string) bool { return name == lostAndFound })
}

// setMark needs no rename: a file that was cut off lacks its line end.
func setMark(target int, mark string) error {
	fd, err := unix.Openat(target, Marker, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return err
	}
	defer unix.Close(fd)
	if _, err := unix.Write(fd, []byte(mark+"\n")); err != nil {
		return err
	}
	if err := unix.Fsync(fd); err != nil {
		return err
	}
	return unix.Fsync(target)
}

// amount is what a tree needs on another volume.
type amount struct {
	entries, bytes uint64
}

// tree is a folder to walk, without the file systems mounted in it and without one more folder.
type tree struct {
	root    int
	path    string
	facts   unix.Stat_t
	besides unix.Stat_t
}

// walk calls visit for every entry, folders before their content. A path is relative to the tree.
func (t tree) walk(leftOut func(path string), visit func(path string, of unix.Stat_t) error) error {
	folders := []string{"."}
	for len(folders) > 0 {
		path := folders[len(folders)-1]
		folders = folders[:len(folders)-1]
		fd, err := unix.Openat(t.root, path, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return t.wrong(path, err)
		}
		folder := os.NewFile(uintptr(fd), path)
		for {
			names, readErr := folder.Readdirnames(1024)
			for _, name := range names {
				below := filepath.Join(path, name)
				if below == Marker {
					continue // Left by an earlier restore.
				}
				var of unix.Stat_t
				if err := unix.Fstatat(fd, name, &of, unix.AT_SYMLINK_NOFOLLOW); err != nil {
					_ = folder.Close()
					return t.wrong(below, err)
				}
				if isFolder(of) {
					// Files of one overlay may have other devices than its folders; folders of a mount always have.
					if of.Dev != t.facts.Dev || sameFile(of, t.besides) {
						leftOut(below)
						continue
					}
					folders = append(folders, below)
				}
				if err := visit(below, of); err != nil {
					_ = folder.Close()
					return err
				}
			}
			if readErr == io.EOF || (readErr == nil && len(names) == 0) {
				break
			}
			if readErr != nil {
				_ = folder.Close()
				return t.wrong(path, readErr)
			}
		}
		_ = folder.Close()
	}
	return nil
}

func (t tree) wrong(path string, err error) error {
	return fmt.Errorf("%s cannot be read: %w", filepath.Join(t.path, path), err)
}

func isFolder(of unix.Stat_t) bool { return of.Mode&unix.S_IFMT == unix.S_IFDIR }
func isFile(of unix.Stat_t) bool   { return of.Mode&unix.S_IFMT == unix.S_IFREG }

type inode struct{ dev, ino uint64 }

func inodeOf(of unix.Stat_t) inode { return inode{dev: uint64(of.Dev), ino: of.Ino} }

const block = 4096

// onDisk counts blocks, because holes need none.
func onDisk(_ string, of unix.Stat_t) (uint64, error) {
	return uint64(min(of.Blocks*512, (of.Size+block-1)/block*block)), nil
}

// open returns the file that was seen under this name, and nothing that has taken its place since.
func (t tree) open(path string, seen unix.Stat_t) (int, error) {
	fd, err := unix.Openat(t.root, path, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return -1, err
	}
	var of unix.Stat_t
	if err = unix.Fstat(fd, &of); err == nil && !(sameFile(of, seen) && isFile(of)) {
		err = errors.New("it was replaced while it was read")
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, err
	}
	return fd, nil
}

// withoutZeros counts what content would write.
func (t tree) withoutZeros(path string, of unix.Stat_t) (uint64, error) {
	in, err := t.open(path, of)
	if err != nil {
		return 0, t.wrong(path, err)
	}
	defer unix.Close(in)
	bytes, err := written(in, of)
	if err != nil {
		return 0, t.wrong(path, err)
	}
	return (bytes + block - 1) / block * block, nil
}

// measure adds up what the files take; one with several names counts once.
func measure(t tree, says io.Writer, takes func(path string, of unix.Stat_t) (uint64, error)) (amount, error) {
	var all amount
	linked := map[inode]bool{}
	leftOut := func(path string) {
		fmt.Fprintf(says, "%s is left out: it is another file system.\n", filepath.Join(t.path, path))
	}
	err := t.walk(leftOut, func(path string, of unix.Stat_t) error {
		all.entries++
		if of.Nlink > 1 && !isFolder(of) {
			if linked[inodeOf(of)] {
				return nil
			}
			linked[inodeOf(of)] = true
		}
		if isFile(of) {
			bytes, err := takes(path, of)
			if err != nil {
				return err
			}
			all.bytes += bytes
		} else if isFolder(of) {
			all.bytes += block
		}
		return nil
	})
	return all, err
}

// roomOf is the free space of a volume including what emptying it frees.
func roomOf(target int, to string, facts unix.Stat_t) (amount, error) {
	var of unix.Statfs_t
	if err := unix.Fstatfs(target, &of); err != nil {
		return amount{}, fmt.Errorf("%s does not tell its room: %w", to, err)
	}
	free := of.Bavail
	if os.Geteuid() == 0 {
		free = of.Bfree // The share that file systems reserve for root.
	}
	there, err := measure(tree{root: target, path: to, facts: facts}, io.Discard, onDisk)
	if err != nil {
		return amount{}, err
	}
	room := amount{entries: of.Ffree + there.entries, bytes: free*uint64(of.Frsize) + there.bytes}
	if of.Files == 0 {
		room.entries = math.MaxUint64 // It does not count them.
	}
	return room, nil
}

func inWords(bytes uint64) string {
	switch {
	case bytes >= 1<<30:
		return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
	case bytes >= 1<<20:
		return fmt.Sprintf("%.1f MiB", float64(bytes)/(1<<20))
	}
	return fmt.Sprintf("%.1f KiB", float64(bytes)/(1<<10))
}
