package weights

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"gantry.dev/agent/receive"
)

const acme, foe = "org-acme", "org-foe"

func sum(content string) string {
	bytes := sha256.Sum256([]byte(content))
	return hex.EncodeToString(bytes[:])
}

type node struct {
	*testing.T
	folder string
	cache  *Cache
}

func newNode(t *testing.T) *node {
	n := &node{T: t, folder: t.TempDir()}
	n.with(100)
	return n
}

func (n *node) with(share int) {
	cache, err := Open(filepath.Join(n.folder, "cache"), share)
	if err != nil {
		n.Fatal(err)
	}
	n.Cleanup(func() { cache.Close() })
	// Whatever this machine's disk has.
	cache.free = 0
	n.cache = cache
}

func (n *node) volume(name string) *os.Root {
	folder := filepath.Join(n.folder, name)
	if err := os.MkdirAll(folder, 0o755); err != nil {
		n.Fatal(err)
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		n.Fatal(err)
	}
	n.Cleanup(func() { root.Close() })
	return root
}

// arrived is a volume as a replica's first container leaves it, and the digest of its list.
func (n *node) arrived(name string, contents map[string]string) (*os.Root, string) {
	volume := n.volume(name)
	list := []receive.File{}
	// In one order: the digest is of the list.
	for _, path := range slices.Sorted(maps.Keys(contents)) {
		content := contents[path]
		if err := volume.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			n.Fatal(err)
		}
		if err := volume.WriteFile(path, []byte(content), 0o444); err != nil {
			n.Fatal(err)
		}
		list = append(list, receive.File{Path: path, SHA256: sum(content), Bytes: int64(len(content))})
	}
	text, _ := json.Marshal(list)
	if err := volume.WriteFile(receive.ListName, text, 0o444); err != nil {
		n.Fatal(err)
	}
	return volume, sum(string(text))
}

func (n *node) kept(namespace, name string, contents map[string]string) string {
	n.Helper()
	volume, digest := n.arrived(name, contents)
	if err := n.cache.Keep(namespace, digest, volume); err != nil {
		n.Fatal(err)
	}
	return digest
}

func (n *node) brings(namespace, digest, name string) {
	n.Helper()
	if !n.cache.Has(namespace, digest) {
		n.Fatal("it is not here")
	}
	if err := n.cache.Bring(namespace, digest, n.volume(name)); err != nil {
		n.Fatal(err)
	}
}

func (n *node) models() []string {
	n.Helper()
	all, err := n.cache.Models()
	if err != nil {
		n.Fatal(err)
	}
	var digests []string
	for _, one := range all {
		digests = append(digests, one.Digest)
	}
	return digests
}

var small = map[string]string{"model/a.gguf": "weights", "model/sub/b": "more"}

func TestTheNextReplicaFindsTheFilesOfTheFirst(t *testing.T) {
	n := newNode(t)
	digest := n.kept(acme, "first", small)
	if err := os.RemoveAll(filepath.Join(n.folder, "first")); err != nil {
		t.Fatal(err)
	}
	n.brings(acme, digest, "second")
	for path, content := range small {
		if found, err := os.ReadFile(filepath.Join(n.folder, "second", path)); string(found) != content {
			t.Errorf("%s holds %q, %v", path, found, err)
		}
	}
	// Files that arrived by another way in the meantime stay as they are.
	n.brings(acme, digest, "second")
}

func TestNobodyFindsWhatAnotherOrganisationHas(t *testing.T) {
	n := newNode(t)
	digest := n.kept(acme, "first", small)
	for name, row := range map[string]struct{ namespace, digest string }{
		"another's digest":        {foe, digest},
		"a path as a namespace":   {"../" + acme, digest},
		"a path as a digest":      {acme, "../lists/" + digest},
		"a namespace of no one's": {"org-nobody", digest},
	} {
		if n.cache.Has(row.namespace, row.digest) || n.cache.Bring(row.namespace, row.digest, n.volume("second")) == nil {
			t.Errorf("%s opens the files", name)
		}
	}
	if entries, _ := os.ReadDir(filepath.Join(n.folder, "second")); len(entries) != 0 {
		t.Errorf("something arrived: %v", entries)
	}
}

func TestNothingIsKeptThatIsNotWhatTheListSays(t *testing.T) {
	for name, spoil := range map[string]func(volume *os.Root) error{
		"other bytes": func(v *os.Root) error {
			_ = v.Remove("model/sub/b")
			return v.WriteFile("model/sub/b", []byte("less"), 0o444)
		},
		"longer": func(v *os.Root) error {
			_ = v.Remove("model/sub/b")
			return v.WriteFile("model/sub/b", []byte("more!"), 0o444)
		},
		"gone":       func(v *os.Root) error { return v.Remove("model/sub/b") },
		"a folder":   func(v *os.Root) error { _ = v.Remove("model/sub/b"); return v.Mkdir("model/sub/b", 0o755) },
		"a link out": func(v *os.Root) error { _ = v.Remove("model/sub/b"); return v.Symlink("/etc/hostname", "model/sub/b") },
		"another list": func(v *os.Root) error {
			_ = v.Remove(receive.ListName)
			return v.WriteFile(receive.ListName, []byte("[]"), 0o444)
		},
		"no list": func(v *os.Root) error { return v.Remove(receive.ListName) },
	} {
		n := newNode(t)
		volume, digest := n.arrived("first", small)
		if err := spoil(volume); err != nil {
			t.Fatal(err)
		}
		if err := n.cache.Keep(acme, digest, volume); err == nil {
			t.Errorf("%s: it is kept", name)
		}
		if bytes, err := n.cache.Bytes(); bytes != 0 || err != nil || len(n.models()) != 0 {
			t.Errorf("%s: %d bytes stay, %v", name, bytes, err)
		}
	}
}

func TestWhatWasUsedLongestAgoGoesFirst(t *testing.T) {
	n := newNode(t)
	now := time.Now()
	var digests []string
	for i, name := range []string{"one", "two", "three"} {
		digest := n.kept(acme, name, map[string]string{"model/a": name, "model/shared": "shared"})
		at := now.Add(time.Duration(i-10) * 24 * time.Hour)
		if err := n.cache.root.Chtimes(filepath.Join(acme, listsFolder, digest), at, at); err != nil {
			t.Fatal(err)
		}
		digests = append(digests, digest)
	}
	if got := n.models(); !slices.Equal(got, []string{digests[2], digests[1], digests[0]}) {
		t.Errorf("in the order of %v", got)
	}
	// Used again, it is the newest.
	n.brings(acme, digests[0], "again")
	if gone, err := n.cache.Trim(now); gone != 2 || err != nil {
		t.Errorf("%d went, %v", gone, err)
	}
	if got := n.models(); !slices.Equal(got, digests[:1]) {
		t.Errorf("left: %v", got)
	}
	if bytes, _ := n.cache.Bytes(); bytes != int64(len("one")+len("shared")) {
		t.Errorf("%d bytes are left", bytes)
	}
}

func TestItKeepsToItsShareOfTheDisk(t *testing.T) {
	n := newNode(t)
	n.kept(acme, "one", small)
	n.with(0)
	volume, digest := n.arrived("two", map[string]string{"model/c": strings.Repeat("x", 100)})
	if err := n.cache.Keep(acme, digest, volume); !errors.Is(err, ErrTooLarge) {
		t.Errorf("what is larger than its share: %v", err)
	}
	n.with(100)
	n.cache.free = 101
	if gone, err := n.cache.Trim(time.Now()); gone != 1 || err != nil {
		t.Errorf("of a disk that is short of room %d went, %v", gone, err)
	}
	n.kept(acme, "three", small)
	n.with(0)
	if gone, err := n.cache.Trim(time.Now()); gone != 1 || err != nil {
		t.Errorf("%d went, %v", gone, err)
	}
	if bytes, _ := n.cache.Bytes(); bytes != 0 {
		t.Errorf("%d bytes are left", bytes)
	}
}

func TestWhatNobodyNeedsYetTakesFreeRoomAloneAndGoesFirst(t *testing.T) {
	n := newNode(t)
	used := n.kept(acme, "one", small)
	volume, digest := n.arrived("two", map[string]string{"model/c": strings.Repeat("x", 100)})
	n.cache.free = 101
	if room, err := n.cache.Room(); room != 0 || err != nil {
		t.Errorf("a disk that is short of room has %d bytes, %v", room, err)
	}
	if err := n.cache.KeepAhead(acme, digest, volume); !errors.Is(err, ErrNoRoom) {
		t.Errorf("where something else would have to go: %v", err)
	}
	n.cache.free = 0
	before, err := n.cache.Room()
	if before < 100 || err != nil {
		t.Fatal(before, err)
	}
	if err := n.cache.KeepAhead(acme, digest, volume); err != nil {
		t.Fatal(err)
	}
	// Kept later, and yet behind what a replica has used.
	if got := n.models(); !slices.Equal(got, []string{used, digest}) {
		t.Errorf("in the order of %v", got)
	}
	if gone, err := n.cache.Trim(time.Now().Add(unusedAfter/2 + time.Hour)); gone != 1 || err != nil || !n.cache.Has(acme, used) {
		t.Errorf("%d went, %v", gone, err)
	}
}

func TestWhatAReplicaThatRunsHasIsInUse(t *testing.T) {
	n := newNode(t)
	running, ended := n.kept(acme, "one", small), n.kept(acme, "two", map[string]string{"model/c": "c"})
	early := time.Now().Add(-2 * unusedAfter)
	for _, digest := range []string{running, ended} {
		if err := n.cache.root.Chtimes(filepath.Join(acme, listsFolder, digest), early, early); err != nil {
			t.Fatal(err)
		}
	}
	if err := n.cache.Use(acme, running); err != nil {
		t.Error(err)
	}
	if gone, err := n.cache.Trim(time.Now()); gone != 1 || err != nil || !n.cache.Has(acme, running) {
		t.Errorf("%d went, %v", gone, err)
	}
	if err := n.cache.Use(acme, ended); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("what is not here: %v", err)
	}
	if err := n.cache.Use("../"+acme, running); err == nil {
		t.Error("outside of it")
	}
}

func TestAnOrganisationIsForgotten(t *testing.T) {
	n := newNode(t)
	n.kept(acme, "one", small)
	digest := n.kept(foe, "two", small)
	if err := n.cache.Forget(acme); err != nil {
		t.Fatal(err)
	}
	if got := n.models(); !slices.Equal(got, []string{digest}) {
		t.Errorf("left: %v", got)
	}
	if err := n.cache.Forget(".."); err == nil {
		t.Error("anything is a namespace")
	}
}

// The first container of a replica runs as no one in particular, and replaces files that are not what its list says.
func TestWhoeverRunsTheFirstContainerMayReplaceFiles(t *testing.T) {
	n := newNode(t)
	n.brings(acme, n.kept(acme, "first", small), "second")
	for _, folder := range []string{"model", "model/sub"} {
		about, err := os.Stat(filepath.Join(n.folder, "second", folder))
		if err != nil || about.Mode().Perm() != 0o777 {
			t.Errorf("%s: %v, %v", folder, about.Mode(), err)
		}
	}
}

func TestAFileThatRottedIsReplacedByTheNextReplicas(t *testing.T) {
	n := newNode(t)
	digest := n.kept(acme, "first", small)
	kept := filepath.Join(n.folder, "cache", acme, "files", sum("weights"))
	if err := os.Remove(kept); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(kept, []byte("rotten!"), 0o444); err != nil {
		t.Fatal(err)
	}
	volume, _ := n.arrived("second", small)
	if n.cache.Holds(acme, digest, volume) {
		t.Error("the volume has another file")
	}
	if err := n.cache.Keep(acme, digest, volume); err != nil {
		t.Fatal(err)
	}
	if found, err := os.ReadFile(kept); string(found) != "weights" {
		t.Errorf("%q is kept, %v", found, err)
	}
	if !n.cache.Holds(acme, digest, volume) {
		t.Error("the volume has the very files")
	}
	if left, _ := filepath.Glob(kept + ".part"); len(left) > 0 {
		t.Error(left)
	}
}

func TestFilesOfAKilledAgentGoWhenItTrims(t *testing.T) {
	n := newNode(t)
	n.kept(foe, "one", small)
	for _, folder := range []string{"files", "lists"} {
		if err := os.MkdirAll(filepath.Join(n.folder, "cache", acme, folder), 0o700); err != nil {
			t.Fatal(err)
		}
	}
	half := filepath.Join(n.folder, "cache", acme, "files", sum("half"))
	unreadable := filepath.Join(n.folder, "cache", acme, "lists", sum("none"))
	for _, file := range []string{half, unreadable} {
		if err := os.WriteFile(file, []byte("half"), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	gone, err := n.cache.Trim(time.Now())
	bytes, _ := n.cache.Bytes()
	if gone != 0 || err != nil || bytes != int64(len("weights")+len("more")) {
		t.Errorf("%d models went, %d bytes are left, %v", gone, bytes, err)
	}
	for _, file := range []string{half, unreadable} {
		if _, err := os.Stat(file); !errors.Is(err, os.ErrNotExist) {
			t.Errorf("%s is left: %v", file, err)
		}
	}
}

func TestForgettingNeverWaits(t *testing.T) {
	n := newNode(t)
	n.cache.mutex.Lock()
	if err := n.cache.Forget(acme); !errors.Is(err, ErrBusy) {
		t.Error(err)
	}
	n.cache.mutex.Unlock()
	if err := n.cache.Forget(acme); err != nil {
		t.Error(err)
	}
}
