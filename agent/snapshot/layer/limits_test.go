package layer

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"golang.org/x/sys/unix"
)

// home writes a folder as a home is written.
func home(t *testing.T, path string, growth int64) ([]byte, error) {
	t.Helper()
	root, err := os.Open(path)
	must(t, err)
	defer root.Close()
	var layer bytes.Buffer
	_, err = WriteFolder(context.Background(), &layer, root, "gantry-home", growth)
	return layer.Bytes(), err
}

// deep makes folders in each other by `cd`, which has no limit, and a file in the last.
func deep(t *testing.T, root, name string, levels int) {
	t.Helper()
	at, err := unix.Open(root, openFolder, 0)
	must(t, err)
	for range levels {
		must(t, unix.Mkdirat(at, name, 0o755))
		next, err := unix.Openat(at, name, openFolder, 0)
		must(t, err)
		unix.Close(at)
		at = next
	}
	file, err := unix.Openat(at, "last", unix.O_CREAT|unix.O_WRONLY, 0o600)
	must(t, err)
	unix.Close(file)
	unix.Close(at)
	// Go's own removal goes by path.
	t.Cleanup(func() { removeDeep(root, name) })
}

func removeDeep(root, name string) {
	var fds []int
	for at, err := unix.Open(root, openFolder, 0); err == nil; at, err = unix.Openat(at, name, openFolder, 0) {
		fds = append(fds, at)
	}
	for i := len(fds) - 1; i >= 0; i-- {
		unix.Unlinkat(fds[i], "last", 0)
		unix.Unlinkat(fds[i], name, unix.AT_REMOVEDIR)
		unix.Close(fds[i])
	}
}

// Unpacks the layer of a container with all of this, by path, the way a node does; an omitted entry hides nothing and reveals
// nothing.
func TestWhatNoNodeCouldUnpackIsNeverWritten(t *testing.T) {
	base, upper := t.TempDir(), t.TempDir()
	for _, path := range []string{"data/models", "data/kept", "etc"} {
		must(t, os.MkdirAll(base+"/"+path, 0o755))
		must(t, os.WriteFile(base+"/"+path+"/file", []byte("base"), 0o600))
	}
	merged, unmount := mountOverlay(t, upper, []string{base})
	must(t, os.MkdirAll(merged+"/data/.wh.models/sha256", 0o755))
	must(t, os.WriteFile(merged+"/data/.wh.models/sha256/x", []byte("x"), 0o600))
	must(t, os.Mkdir(merged+"/data/.wh..wh..opq", 0o755))
	must(t, os.Symlink("x", merged+"/data/.wh.kept"))
	must(t, os.WriteFile(merged+"/data/new", []byte("new"), 0o600))
	deep(t, merged, strings.Repeat("n", 200), 30)
	deep(t, merged, "d", deepest+5)
	// A device 0:0 in place of a file: the file must not be there again.
	must(t, os.Remove(merged+"/etc/file"))
	must(t, unix.Mknod(merged+"/etc/file", unix.S_IFBLK|0o600, 0))
	unmount()

	layer, counts := write(t, Change{Uppers: []string{upper}, Lowers: []string{base}})
	if counts.Unsupported != 6 || len(counts.Named) != mostNamed {
		t.Errorf("%d are left out: %q", counts.Unsupported, counts.Named)
	}
	onto := t.TempDir()
	copyTree(t, base, onto)
	apply(t, layer, onto)
	for _, path := range []string{"data/models/file", "data/kept/file", "data/new", filepath.Join(slices.Repeat([]string{strings.Repeat("n", 200)}, 19)...)} {
		if _, err := os.Stat(onto + "/" + path); err != nil {
			t.Error(err)
		}
	}
	if _, err := os.Lstat(onto + "/etc/file"); !os.IsNotExist(err) {
		t.Errorf("what the device had replaced is there again: %v", err)
	}
	for _, name := range names(t, layer) {
		if len(name) > longestPath || strings.Count(name, "/") > deepest {
			t.Errorf("in the layer: %d bytes, %d folders", len(name), strings.Count(name, "/"))
		}
	}
}

// A home's volume is deleted once it is saved: of that nothing may be left out.
func TestAHomeOfWhichSomethingWouldBeLeftOutIsRefused(t *testing.T) {
	cases := map[string]func(home string){
		"is longer than 3840 bytes":               func(home string) { deep(t, home, strings.Repeat("n", 200), 30) },
		"deeper than 512 folders":                 func(home string) { deep(t, home, "d", deepest+5) },
		`"x/.wh.models": its name begins`:         func(home string) { must(t, os.MkdirAll(home+"/x/.wh.models", 0o755)) },
		`"null": it is a device 0:0`:              func(home string) { must(t, unix.Mknod(home+"/null", unix.S_IFCHR|0o600, 0)) },
		`its attribute "user.a=b" has a =`:        func(home string) { setAttribute(t, home+"/f", "user.a=b", 1) },
		"attributes take more than 3584 bytes":    func(home string) { setAttribute(t, home+"/f", "user.a", 3700) },
		`"hole": as an image has no holes, it an`: func(home string) { sparse(t, home+"/hole", 2<<20) },
	}
	for want, make := range cases {
		path := t.TempDir()
		make(path)
		_, err := home(t, path, 1<<20)
		var cannot *Unsupported
		if !errors.As(err, &cannot) || !strings.Contains(err.Error(), want) {
			t.Errorf("want %q, have %v", want, err)
		}
		if err != nil && len(err.Error()) > 500 {
			t.Errorf("nobody reads %d bytes", len(err.Error()))
		}
	}
}

func setAttribute(t *testing.T, path, name string, size int) {
	t.Helper()
	must(t, os.WriteFile(path, []byte("x"), 0o600))
	if err := unix.Setxattr(path, name, bytes.Repeat([]byte("v"), size), 0); err != nil {
		t.Skipf("%s cannot be set here: %v", name, err)
	}
}

func sparse(t *testing.T, path string, size int64) {
	t.Helper()
	must(t, os.WriteFile(path, nil, 0o600))
	must(t, os.Truncate(path, size))
}

func TestAttributesThatNoImageHoldsAreLeftOutAndSaid(t *testing.T) {
	upper := t.TempDir()
	setAttribute(t, upper+"/odd", "user.a=b", 1)
	setAttribute(t, upper+"/large", "user.large", 3700)
	must(t, unix.Setxattr(upper+"/large", "user.small", []byte("kept"), 0))
	layer, counts := write(t, Change{Uppers: []string{upper}})
	if counts.Attributes != 2 || counts.Unsupported != 0 || len(counts.Named) != 2 {
		t.Errorf("%+v", counts)
	}
	found := map[string]*tar.Header{}
	for _, header := range headers(t, layer) {
		found[header.Name] = header
	}
	if found["odd"] == nil || found["large"] == nil || found["large"].PAXRecords[paxXattr+"user.small"] != "kept" {
		t.Errorf("%+v", found)
	}
}

// Holes count against the limit, and data do not.
func TestHolesTakeNoMoreThanTheirLimit(t *testing.T) {
	upper := t.TempDir()
	must(t, os.WriteFile(upper+"/a-real", bytes.Repeat([]byte("x"), 4<<20), 0o600))
	sparse(t, upper+"/b-small", 600<<10)
	sparse(t, upper+"/c-huge", 64<<20)
	must(t, os.Link(upper+"/c-huge", upper+"/d-huge"))
	sparse(t, upper+"/e-small", 600<<10)
	sparse(t, upper+"/f-small", 300<<10)
	layer, counts := write(t, Change{Uppers: []string{upper}, Growth: 1 << 20})
	if have := names(t, layer); !slices.Equal(have, []string{"a-real", "b-small", "f-small"}) || counts.Unsupported != 3 {
		t.Errorf("%v, %+v", have, counts)
	}
}

// Beyond the limit of names to remember, another name is a separate file, and nothing is lost.
func TestFilesWithManyNamesInLittleRoom(t *testing.T) {
	upper := t.TempDir()
	const files = 50
	for i := range files {
		name := fmt.Sprintf("%s/%c-%d", upper, 'a'+i%2, i)
		must(t, os.WriteFile(name, []byte(fmt.Sprint(i)), 0o600))
		must(t, os.Link(name, fmt.Sprintf("%s/z-%d", upper, i)))
	}
	root, err := os.Open(upper)
	must(t, err)
	defer root.Close()
	for _, room := range []int{linksRoom, 10 * (linkCost + 4)} {
		var layer bytes.Buffer
		w := newWriter(context.Background(), &layer)
		w.uppers, w.linksRoom = 1, room
		must(t, w.folder("", []folder{{root, 0}}))
		must(t, w.tar.Close())
		_, err := root.Seek(0, io.SeekStart)
		must(t, err)
		kinds := map[byte]int{}
		for _, header := range headers(t, layer.Bytes()) {
			kinds[header.Typeflag]++
		}
		links, isEnough := kinds[tar.TypeLink], room == linksRoom
		if links+kinds[tar.TypeReg] != 2*files || isEnough != (links == files) || links < 10 {
			t.Errorf("room for %d: %v", room, kinds)
		}
		if len(w.links) > 11 || isEnough && (len(w.links) != 0 || w.linksTake > 100) {
			t.Errorf("room for %d: %d are remembered, in %d bytes", room, len(w.links), w.linksTake)
		}
		onto := t.TempDir()
		apply(t, layer.Bytes(), onto)
		for i := range files {
			content, err := os.ReadFile(fmt.Sprintf("%s/z-%d", onto, i))
			if err != nil || string(content) != fmt.Sprint(i) {
				t.Errorf("%d: %q, %v", i, content, err)
			}
		}
	}
}

// Memory in use while a folder is written must not grow with the number of its files.
func TestAFolderWithManyNamesTakesLittleMemory(t *testing.T) {
	upper := t.TempDir()
	const files = 30_000
	at, err := unix.Open(upper, openFolder, 0)
	must(t, err)
	defer unix.Close(at)
	for i := range files {
		must(t, unix.Symlinkat("x", at, fmt.Sprintf("%s-%d", strings.Repeat("n", 200), i)))
	}
	live := func() uint64 {
		runtime.GC()
		var stats runtime.MemStats
		runtime.ReadMemStats(&stats)
		return stats.HeapAlloc
	}
	before, most := live(), uint64(0)
	watch := &every{each: 10 << 20, do: func() { most = max(most, live()) }}
	counts, err := WriteChange(context.Background(), watch, Change{Uppers: []string{upper}})
	must(t, err)
	if counts.Entries != files {
		t.Errorf("%d entries", counts.Entries)
	}
	// All names together take over 7 MB.
	if most == 0 || most-min(before, most) > 4<<20 {
		t.Errorf("%d bytes are alive while %d names are written", most-before, files)
	}
}

// every does something each time so many bytes came.
type every struct {
	each, since int
	do          func()
}

func (e *every) Write(some []byte) (int, error) {
	if e.since += len(some); e.since >= e.each {
		e.since = 0
		e.do()
	}
	return len(some), nil
}
