// Package weights keeps models' files on a node for the replicas that come next. A file is kept once for each organisation, under
// its SHA-256, as another name of the very file that a replica took in: it takes no room of its own while that replica is there.
//
// Organisations share nothing: whoever guesses a digest finds what its own replicas had here, and no more.
package weights

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"regexp"
	"slices"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"gantry.dev/agent/receive"
)

// Below the folder of an organisation's namespace: files by their digests, and lists by theirs. A list is as old as its last use.
const (
	filesFolder = "files"
	listsFolder = "lists"
	// A list that is unused for this long is dropped.
	unusedAfter = 7 * 24 * time.Hour
	// A list that no replica has used yet counts as unused since then: what replicas used lately goes after it.
	aheadFor = unusedAfter / 2
	// Percentage of the disk that stays free for others: the kubelet evicts Pods below 10 %.
	leastFree = 15
)

var (
	digestForm    = regexp.MustCompile("^[0-9a-f]{64}$")
	namespaceForm = regexp.MustCompile("^org-[a-z0-9-]{1,59}$")
)

var (
	// ErrTooLarge: the files take more than all of what the cache may have.
	ErrTooLarge = errors.New("the files are larger than the cache may be")
	// ErrNoRoom: something else would have to go.
	ErrNoRoom = errors.New("the cache has no room left for files that nobody needs yet")
	// ErrBusy: a model is being kept just now, which may take minutes.
	ErrBusy = errors.New("a model is being cached")
)

// Model is a list of files that is kept in full.
type Model struct {
	Namespace, Digest string
	UsedAt            time.Time
}

// Cache is a folder of the node that no container mounts.
type Cache struct {
	root *os.Root
	// Percentages of the disk: what it may take, and what is to stay free.
	share, free int64
	// One change at a time. Bring changes nothing that others could miss.
	mutex sync.Mutex
}

// Open makes the folder where there is none. It may take this percentage of its file system.
func Open(folder string, share int) (*Cache, error) {
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	return &Cache{root: root, share: int64(share), free: leastFree}, nil
}

// Close gives up the folder, and leaves what is in it.
func (c *Cache) Close() error { return c.root.Close() }

func namesFit(namespace, digest string) bool {
	return namespaceForm.MatchString(namespace) && digestForm.MatchString(digest)
}

// Has reports whether the files of a list are here.
func (c *Cache) Has(namespace, digest string) bool {
	if !namesFit(namespace, digest) {
		return false
	}
	_, err := c.root.Stat(path.Join(namespace, listsFolder, digest))
	return err == nil
}

// Holds reports whether a volume has the very files that are kept: one that was fetched anew replaces what is here.
func (c *Cache) Holds(namespace, digest string, volume *os.Root) bool {
	if !namesFit(namespace, digest) {
		return false
	}
	list, err := c.list(namespace, digest)
	if err != nil {
		return false
	}
	for _, file := range list {
		ours, err := c.root.Stat(path.Join(namespace, filesFolder, file.SHA256))
		if err != nil {
			return false
		}
		if theirs, err := volume.Stat(file.Path); err != nil || !os.SameFile(ours, theirs) {
			return false
		}
	}
	return true
}

// Bring puts the files of a list that is here into a replica's volume. The replica's first container checks them, as it checks
// whatever it finds there.
func (c *Cache) Bring(namespace, digest string, volume *os.Root) error {
	if !namesFit(namespace, digest) {
		return fmt.Errorf("%q in %q: not a digest and an organisation's namespace", digest, namespace)
	}
	list, err := c.list(namespace, digest)
	if err != nil {
		return err
	}
	files, err := c.root.Open(path.Join(namespace, filesFolder))
	if err != nil {
		return err
	}
	defer files.Close()
	for _, file := range list {
		if err := bringOne(files, file, volume); err != nil {
			return fmt.Errorf("%s: %w", file.Path, err)
		}
	}
	return c.Use(namespace, digest)
}

// Use says that a replica has a list's files now.
func (c *Cache) Use(namespace, digest string) error {
	if !namesFit(namespace, digest) {
		return fmt.Errorf("%q in %q: not a digest and an organisation's namespace", digest, namespace)
	}
	now := time.Now()
	return c.root.Chtimes(path.Join(namespace, listsFolder, digest), now, now)
}

func bringOne(files *os.File, file receive.File, volume *os.Root) error {
	if err := makeFolder(volume, path.Dir(file.Path)); err != nil {
		return err
	}
	folder, err := volume.Open(path.Dir(file.Path))
	if err != nil {
		return err
	}
	defer folder.Close()
	err = unix.Linkat(int(files.Fd()), file.SHA256, int(folder.Fd()), path.Base(file.Path), 0)
	// The existing files arrived by another way.
	if errors.Is(err, unix.EEXIST) {
		return nil
	}
	return err
}

// makeFolder is open to whoever the first container runs as, which replaces files that are not what the list says.
func makeFolder(volume *os.Root, name string) error {
	if name == "." {
		return nil
	}
	if err := makeFolder(volume, path.Dir(name)); err != nil {
		return err
	}
	if err := volume.Mkdir(name, 0o777); errors.Is(err, fs.ErrExist) {
		return nil
	} else if err != nil {
		return err
	}
	// The umask took some of it.
	return volume.Chmod(name, 0o777)
}

// Keep takes over what a replica has taken in, once nobody can write to its volume any more. Nothing is believed: the volume says
// itself what it holds, and each file is hashed.
func (c *Cache) Keep(namespace, digest string, volume *os.Root) error {
	return c.keep(namespace, digest, volume, false)
}

// KeepAhead takes over files that no replica has needed here yet: only into room that is free, and they go before others.
func (c *Cache) KeepAhead(namespace, digest string, volume *os.Root) error {
	return c.keep(namespace, digest, volume, true)
}

func (c *Cache) keep(namespace, digest string, volume *os.Root, isAhead bool) error {
	if !namesFit(namespace, digest) {
		return fmt.Errorf("%q in %q: not a digest and an organisation's namespace", digest, namespace)
	}
	c.mutex.Lock()
	defer c.mutex.Unlock()
	text, err := readSmall(volume, receive.ListName)
	if err != nil {
		return err
	}
	list, err := receive.ReadList(text, digest)
	if err != nil {
		return err
	}
	most, _, err := c.space()
	if err != nil {
		return err
	}
	total := int64(0)
	for _, file := range list {
		total += file.Bytes
	}
	if total > most {
		return ErrTooLarge
	}
	if isAhead {
		if room, err := c.Room(); err != nil {
			return err
		} else if total > room {
			return ErrNoRoom
		}
	}
	for _, folder := range []string{filesFolder, listsFolder} {
		if err := c.root.MkdirAll(path.Join(namespace, folder), 0o700); err != nil {
			return err
		}
	}
	files, err := c.root.Open(path.Join(namespace, filesFolder))
	if err != nil {
		return err
	}
	defer files.Close()
	for _, file := range list {
		if err := keepOne(files, file, volume); err != nil {
			return errors.Join(fmt.Errorf("%s: %w", file.Path, err), c.sweep(namespace))
		}
	}
	// Last, and whole: a list says that its files are here.
	name := path.Join(namespace, listsFolder, digest)
	if err := c.root.WriteFile(name+".part", text, 0o400); err != nil {
		return err
	}
	if isAhead {
		at := time.Now().Add(-aheadFor)
		if err := c.root.Chtimes(name+".part", at, at); err != nil {
			return err
		}
	}
	return c.root.Rename(name+".part", name)
}

func keepOne(files *os.File, file receive.File, volume *os.Root) error {
	if !digestForm.MatchString(file.SHA256) {
		return errors.New("it has no SHA-256")
	}
	// A pipe would be waited for.
	open, err := volume.OpenFile(file.Path, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return err
	}
	defer open.Close()
	about, err := open.Stat()
	if err != nil {
		return err
	}
	if !about.Mode().IsRegular() || about.Size() != file.Bytes {
		return errors.New("it is not what the list says")
	}
	sum := sha256.New()
	if _, err := io.Copy(sum, io.LimitReader(open, file.Bytes+1)); err != nil {
		return err
	}
	if hex.EncodeToString(sum.Sum(nil)) != file.SHA256 {
		return errors.New("it does not have the bytes that the list names")
	}
	// By its descriptor: this very file, whatever its name is by now.
	from, to, part := fmt.Sprintf("/proc/self/fd/%d", open.Fd()), int(files.Fd()), file.SHA256+".part"
	_ = unix.Unlinkat(to, part, 0)
	if err := unix.Linkat(unix.AT_FDCWD, from, to, part, unix.AT_SYMLINK_FOLLOW); err != nil {
		return err
	}
	// These bytes were hashed just now; what has the name already may have rotted.
	err = unix.Renameat(to, part, to, file.SHA256)
	// Renaming one name of a file onto another does nothing.
	_ = unix.Unlinkat(to, part, 0)
	return err
}

// Models that are here, the last used first.
func (c *Cache) Models() ([]Model, error) {
	var all []Model
	namespaces, err := c.Namespaces()
	if err != nil {
		return nil, err
	}
	for _, namespace := range namespaces {
		lists, err := names(c.root, path.Join(namespace, listsFolder))
		if err != nil {
			return nil, err
		}
		for _, digest := range lists {
			about, err := c.root.Stat(path.Join(namespace, listsFolder, digest))
			if err == nil && namesFit(namespace, digest) {
				all = append(all, Model{namespace, digest, about.ModTime()})
			}
		}
	}
	slices.SortFunc(all, func(a, b Model) int { return b.UsedAt.Compare(a.UsedAt) })
	return all, nil
}

// Trim drops what was used longest ago: while the cache has more than its share, or others too little room, and whatever nobody has
// used for a week, and files that a killed agent left without a list. It returns how many models went.
func (c *Cache) Trim(now time.Time) (int, error) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	namespaces, err := c.Namespaces()
	if err != nil {
		return 0, err
	}
	for _, namespace := range namespaces {
		if err := c.sweep(namespace); err != nil {
			return 0, err
		}
	}
	all, err := c.Models()
	if err != nil {
		return 0, err
	}
	gone := 0
	for i := len(all) - 1; i >= 0; i-- {
		isUnused := now.Sub(all[i].UsedAt) > unusedAfter
		isFull, err := c.isFull()
		if err != nil {
			return gone, err
		}
		if !isUnused && !isFull {
			break
		}
		if err := c.root.Remove(path.Join(all[i].Namespace, listsFolder, all[i].Digest)); err != nil {
			return gone, err
		}
		gone++
		if err := c.sweep(all[i].Namespace); err != nil {
			return gone, err
		}
	}
	return gone, nil
}

// Forget removes all of an organisation. It never waits, because its caller renews a Lease: ErrBusy says to come again.
func (c *Cache) Forget(namespace string) error {
	if !namespaceForm.MatchString(namespace) {
		return fmt.Errorf("%q is no organisation's namespace", namespace)
	}
	if !c.mutex.TryLock() {
		return ErrBusy
	}
	defer c.mutex.Unlock()
	return c.root.RemoveAll(namespace)
}

func (c *Cache) isFull() (bool, error) {
	most, isTight, err := c.space()
	if err != nil || isTight {
		return isTight, err
	}
	bytes, err := c.Bytes()
	return bytes > most, err
}

// Namespaces of the organisations that have something here.
func (c *Cache) Namespaces() ([]string, error) { return names(c.root, ".") }

// Bytes that its files have.
func (c *Cache) Bytes() (int64, error) {
	namespaces, err := c.Namespaces()
	if err != nil {
		return 0, err
	}
	total := int64(0)
	for _, namespace := range namespaces {
		files, err := names(c.root, path.Join(namespace, filesFolder))
		if err != nil {
			return 0, err
		}
		for _, file := range files {
			if about, err := c.root.Stat(path.Join(namespace, filesFolder, file)); err == nil {
				total += about.Size()
			}
		}
	}
	return total, nil
}

// Room is how many bytes more it may take without anything going.
func (c *Cache) Room() (int64, error) {
	most, _, err := c.space()
	if err != nil {
		return 0, err
	}
	bytes, err := c.Bytes()
	if err != nil {
		return 0, err
	}
	figures, err := c.disk()
	if err != nil {
		return 0, err
	}
	spare := (int64(figures.Bavail) - int64(figures.Blocks)/100*c.free) * int64(figures.Bsize)
	return max(0, min(most-bytes, spare)), nil
}

// space is how many bytes the cache may have, and whether the disk is short of room for others.
func (c *Cache) space() (most int64, isTight bool, err error) {
	figures, err := c.disk()
	if err != nil {
		return 0, false, err
	}
	total := int64(figures.Blocks) * int64(figures.Bsize)
	return total / 100 * c.share, int64(figures.Bavail)*100 < int64(figures.Blocks)*c.free, nil
}

func (c *Cache) disk() (figures unix.Statfs_t, err error) {
	folder, err := c.root.Open(".")
	if err != nil {
		return figures, err
	}
	defer folder.Close()
	err = unix.Fstatfs(int(folder.Fd()), &figures)
	return figures, err
}

// sweep removes files that no list of the organisation names, and lists that cannot be read.
func (c *Cache) sweep(namespace string) error {
	lists, err := names(c.root, path.Join(namespace, listsFolder))
	if err != nil {
		return err
	}
	needed := map[string]bool{}
	for _, digest := range lists {
		list, err := c.list(namespace, digest)
		if err != nil {
			if err := c.root.Remove(path.Join(namespace, listsFolder, digest)); err != nil {
				return err
			}
			continue
		}
		for _, file := range list {
			needed[file.SHA256] = true
		}
	}
	files, err := names(c.root, path.Join(namespace, filesFolder))
	if err != nil {
		return err
	}
	for _, file := range files {
		if !needed[file] {
			err = errors.Join(err, c.root.Remove(path.Join(namespace, filesFolder, file)))
		}
	}
	return err
}

func (c *Cache) list(namespace, digest string) ([]receive.File, error) {
	text, err := readSmall(c.root, path.Join(namespace, listsFolder, digest))
	if err != nil {
		return nil, err
	}
	return receive.ReadList(text, digest)
}

func readSmall(root *os.Root, name string) ([]byte, error) {
	file, err := root.OpenFile(name, os.O_RDONLY|unix.O_NONBLOCK, 0)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, receive.MostList+1))
}

// names in a folder; none where there is no such folder.
func names(root *os.Root, folder string) ([]string, error) {
	open, err := root.Open(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer open.Close()
	return open.Readdirnames(-1)
}
