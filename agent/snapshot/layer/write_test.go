package layer

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// mountOverlay returns the merged folder of real layers: the kernel decides what an upper folder means, not this test.
func mountOverlay(t *testing.T, upper string, lowers []string) (merged string, unmount func()) {
	t.Helper()
	work, merged := t.TempDir(), t.TempDir()
	options := fmt.Sprintf("upperdir=%s,workdir=%s,lowerdir=%s", upper, work, strings.Join(lowers, ":"))
	if err := unix.Mount("overlay", merged, "overlay", 0, options); err != nil {
		t.Skipf("overlay cannot be mounted here: %v", err)
	}
	isMounted := true
	unmount = func() {
		if isMounted {
			isMounted = false
			if err := unix.Unmount(merged, 0); err != nil {
				t.Error(err)
			}
		}
	}
	t.Cleanup(unmount)
	return merged, unmount
}

func write(t *testing.T, change Change) ([]byte, Counts) {
	t.Helper()
	var layer bytes.Buffer
	counts, err := WriteChange(context.Background(), &layer, change)
	if err != nil {
		t.Fatal(err)
	}
	return layer.Bytes(), counts
}

// apply does what a runtime does with a layer.
func apply(t *testing.T, layer []byte, onto string) {
	t.Helper()
	reader := tar.NewReader(bytes.NewReader(layer))
	isNew := map[string]bool{}
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		path := filepath.Join(onto, header.Name)
		dir, name := filepath.Split(path)
		switch {
		case name == opaqueMark:
			entries, _ := os.ReadDir(dir)
			for _, entry := range entries {
				if !isNew[filepath.Join(dir, entry.Name())] {
					must(t, os.RemoveAll(filepath.Join(dir, entry.Name())))
				}
			}
			continue
		case strings.HasPrefix(name, whiteoutPrefix):
			must(t, os.RemoveAll(filepath.Join(dir, strings.TrimPrefix(name, whiteoutPrefix))))
			continue
		}
		isNew[path] = true
		if info, err := os.Lstat(path); err == nil && (header.Typeflag != tar.TypeDir || !info.IsDir()) {
			must(t, os.RemoveAll(path))
		}
		switch header.Typeflag {
		case tar.TypeDir:
			must(t, os.MkdirAll(path, 0o755))
		case tar.TypeSymlink:
			must(t, os.Symlink(header.Linkname, path))
			continue
		case tar.TypeLink:
			must(t, os.Link(filepath.Join(onto, header.Linkname), path))
			continue
		case tar.TypeReg:
			content, err := io.ReadAll(reader)
			must(t, err)
			must(t, os.WriteFile(path, content, 0o600))
		default:
			t.Fatalf("%s: type %c", header.Name, header.Typeflag)
		}
		must(t, unix.Chmod(path, uint32(header.Mode)))
	}
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// listing of a tree: path, mode, content or target.
func listing(t *testing.T, root string) []string {
	t.Helper()
	var lines []string
	must(t, filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == root {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		line := fmt.Sprintf("%s %s", path[len(root):], info.Mode())
		switch {
		case info.Mode().IsRegular():
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			line += " " + string(content)
		case info.Mode()&fs.ModeSymlink != 0:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line += " -> " + target
		}
		lines = append(lines, line)
		return nil
	}))
	return lines
}

// live does something random to a tree, as a tenant would.
func live(t *testing.T, random *rand.Rand, root string, steps int) {
	t.Helper()
	name := func() string { return string(rune('a' + random.Intn(4))) }
	place := func() string {
		path := root
		for range random.Intn(3) {
			path = filepath.Join(path, name())
		}
		return filepath.Join(path, name())
	}
	for step := range steps {
		path, other := place(), place()
		if info, err := os.Lstat(filepath.Dir(path)); err != nil || !info.IsDir() {
			continue
		}
		info, err := os.Lstat(path)
		isThere, isDir := err == nil, err == nil && info.IsDir()
		switch random.Intn(8) {
		case 0, 1:
			if !isDir {
				os.Remove(path)
				must(t, os.WriteFile(path, []byte(fmt.Sprint(random.Intn(1000), step)), 0o600))
			}
		case 2:
			if isThere {
				must(t, os.RemoveAll(path))
			}
		case 3:
			if !isThere {
				must(t, os.Mkdir(path, 0o755))
			}
		case 4:
			// A new folder in place of the old: nothing of the old may shine through.
			must(t, os.RemoveAll(path))
			must(t, os.Mkdir(path, 0o711))
			must(t, os.WriteFile(filepath.Join(path, name()), []byte("fresh"), 0o640))
		case 5:
			if !isThere {
				must(t, os.Symlink(name(), path))
			}
		case 6:
			if isThere && info.Mode().IsRegular() {
				if other != path {
					_ = os.Remove(other)
				}
				// Fails where the other is a full folder, or below nothing.
				_ = os.Link(path, other)
			}
		case 7:
			if isThere && info.Mode()&fs.ModeSymlink == 0 {
				must(t, os.Chmod(path, 0o700|fs.FileMode(random.Intn(64))))
			}
		}
	}
}

// The law: layers applied one after the other, and any adjacent ones merged, yield the tree that the container saw.
func TestLayersAndTheirMergesGiveTheSameTree(t *testing.T) {
	const rounds = 4
	for seed := range int64(15) {
		random := rand.New(rand.NewSource(seed))
		base := t.TempDir()
		live(t, random, base, 60)
		lowers := []string{base}
		var seen []string
		for range rounds {
			upper := t.TempDir()
			merged, unmount := mountOverlay(t, upper, lowers)
			live(t, random, merged, 25)
			seen = listing(t, merged)
			unmount()
			lowers = append([]string{upper}, lowers...)
		}
		for from := 0; from < rounds; from++ {
			// The layers below `from`, one by one; those above as one.
			onto := t.TempDir()
			copyTree(t, base, onto)
			for at := rounds - 1; at > from; at-- {
				layer, _ := write(t, Change{Uppers: lowers[at : at+1], Lowers: lowers[at+1:]})
				apply(t, layer, onto)
			}
			layer, _ := write(t, Change{Uppers: lowers[:from+1], Lowers: lowers[from+1:]})
			again, _ := write(t, Change{Uppers: lowers[:from+1], Lowers: lowers[from+1:]})
			if !bytes.Equal(layer, again) {
				t.Fatalf("seed %d: the same files gave two layers", seed)
			}
			once := names(t, layer)
			slices.Sort(once)
			if len(slices.Compact(slices.Clone(once))) != len(once) {
				t.Fatalf("seed %d: something is in the layer twice: %v", seed, once)
			}
			apply(t, layer, onto)
			if have := listing(t, onto); !slices.Equal(have, seen) {
				t.Fatalf("seed %d, %d merged:\nwant %s\nhave %s", seed, from+1, strings.Join(seen, "\n     "), strings.Join(have, "\n     "))
			}
		}
	}
}

func copyTree(t *testing.T, from, to string) {
	t.Helper()
	must(t, filepath.WalkDir(from, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || path == from {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		target := to + path[len(from):]
		switch {
		case info.IsDir():
			err = os.Mkdir(target, 0o755)
		case info.Mode()&fs.ModeSymlink != 0:
			link, _ := os.Readlink(path)
			return os.Symlink(link, target)
		default:
			content, readErr := os.ReadFile(path)
			if readErr != nil {
				return readErr
			}
			err = os.WriteFile(target, content, 0o600)
		}
		if err != nil {
			return err
		}
		return os.Chmod(target, info.Mode())
	}))
}

// Files created and deleted again between saves must not accumulate in what is kept forever.
func TestAMergeForgetsWhatNothingBelowHas(t *testing.T) {
	base, lowers := t.TempDir(), []string(nil)
	must(t, os.WriteFile(base+"/kept", nil, 0o600))
	lowers = []string{base}
	for round := range 5 {
		upper := t.TempDir()
		merged, unmount := mountOverlay(t, upper, lowers)
		must(t, os.WriteFile(fmt.Sprintf("%s/log-%d", merged, round), []byte("x"), 0o600))
		_ = os.Remove(fmt.Sprintf("%s/log-%d", merged, round-1))
		unmount()
		lowers = append([]string{upper}, lowers...)
	}
	layer, counts := write(t, Change{Uppers: lowers[:5], Lowers: lowers[5:]})
	if counts.Entries != 1 {
		t.Fatalf("want the last log alone, have %v", names(t, layer))
	}
}

func names(t *testing.T, layer []byte) []string {
	t.Helper()
	var all []string
	for _, header := range headers(t, layer) {
		all = append(all, header.Name)
	}
	return all
}

func headers(t *testing.T, layer []byte) []*tar.Header {
	t.Helper()
	var all []*tar.Header
	reader := tar.NewReader(bytes.NewReader(layer))
	for {
		header, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		must(t, err)
		all = append(all, header)
	}
}

func TestFilesOfEveryKind(t *testing.T) {
	upper := t.TempDir()
	long := strings.Repeat("long/", 60)
	must(t, os.MkdirAll(upper+"/"+long, 0o750))
	must(t, os.WriteFile(upper+"/"+long+"end", []byte("x"), 0o4755))
	must(t, unix.Chmod(upper+"/"+long+"end", 0o4755))
	must(t, os.WriteFile(upper+"/bytes-\xff\xfe", []byte("odd"), 0o600))
	must(t, os.Link(upper+"/bytes-\xff\xfe", upper+"/second-name"))
	must(t, os.Symlink("/etc/passwd", upper+"/link"))
	must(t, unix.Mkfifo(upper+"/pipe", 0o622))
	must(t, os.WriteFile(upper+"/.wh.mine", nil, 0o600))
	must(t, os.MkdirAll(upper+"/dev/x", 0o755))
	must(t, os.MkdirAll(upper+"/data/below", 0o755))
	must(t, os.Chtimes(upper+"/second-name", unixTime(1_700_000_000, 123456789), unixTime(1_700_000_000, 123456789)))
	socket, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	must(t, err)
	must(t, unix.Bind(socket, &unix.SockaddrUnix{Name: upper + "/socket"}))
	defer unix.Close(socket)
	capability := "\x01\x00\x00\x02\x00\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	hasCapability := unix.Setxattr(upper+"/second-name", "security.capability", []byte(capability), 0) == nil
	hasDevice := unix.Mknod(upper+"/null", unix.S_IFCHR|0o666, int(unix.Mkdev(1, 3))) == nil

	layer, counts := write(t, Change{Uppers: []string{upper}, Lowers: []string{t.TempDir()}, Mounts: []string{"/data/"}, Excluded: []string{"dev"}})
	found := map[string]*tar.Header{}
	for _, header := range headers(t, layer) {
		found[header.Name] = header
	}
	if counts.Sockets != 1 || counts.Unsupported != 1 {
		t.Errorf("left out: %+v", counts)
	}
	for _, absent := range []string{"socket", ".wh.mine", "dev/", "data/", "data/below/"} {
		if found[absent] != nil {
			t.Errorf("%s is in the layer", absent)
		}
	}
	if end := found[long+"end"]; end == nil || end.Mode != 0o4755 {
		t.Errorf("the file at the end of a long path: %+v", end)
	}
	odd := found["bytes-\xff\xfe"]
	if odd == nil || !odd.ModTime.Equal(unixTime(1_700_000_000, 123456789)) {
		t.Errorf("the file with an odd name: %+v", odd)
	}
	if hasCapability && odd != nil && odd.PAXRecords[paxXattr+"security.capability"] != capability {
		t.Errorf("capability: %q", odd.PAXRecords)
	}
	if second := found["second-name"]; second == nil || second.Typeflag != tar.TypeLink || second.Linkname != "bytes-\xff\xfe" {
		t.Errorf("second name: %+v", second)
	}
	if link := found["link"]; link == nil || link.Linkname != "/etc/passwd" {
		t.Errorf("link: %+v", link)
	}
	if pipe := found["pipe"]; pipe == nil || pipe.Typeflag != tar.TypeFifo {
		t.Errorf("pipe: %+v", pipe)
	}
	if null := found["null"]; hasDevice && (null == nil || null.Devmajor != 1 || null.Devminor != 3) {
		t.Errorf("device: %+v", null)
	}
}

func TestAHomeIsWrittenWhole(t *testing.T) {
	home := t.TempDir()
	must(t, os.Chmod(home, 0o710))
	must(t, os.MkdirAll(home+"/lost+found", 0o700))
	must(t, os.WriteFile(home+"/file", []byte("x"), 0o640))
	root, err := os.Open(home)
	must(t, err)
	defer root.Close()
	var layer bytes.Buffer
	_, err = WriteFolder(context.Background(), &layer, root, "gantry-home", 0)
	must(t, err)
	all := headers(t, layer.Bytes())
	if all[0].Name != "gantry-home/" || all[0].Mode != 0o710 {
		t.Errorf("the home itself: %+v", all[0])
	}
	if have := names(t, layer.Bytes()); !slices.Equal(have, []string{"gantry-home/", "gantry-home/file", "gantry-home/lost+found/"}) {
		t.Errorf("have %v", have)
	}
}

// A wrong layer would be a silent loss: what overlayfs keeps in another form is refused.
func TestWhatOverlayKeepsOtherwiseIsRefused(t *testing.T) {
	for _, attribute := range []string{overlayRedirect, overlayMetacopy} {
		upper := t.TempDir()
		must(t, os.Mkdir(upper+"/moved", 0o755))
		must(t, os.WriteFile(upper+"/moved/half", []byte("x"), 0o600))
		path := upper + "/moved"
		if attribute == overlayMetacopy {
			path += "/half"
		}
		if err := unix.Setxattr(path, attribute, []byte("/old"), 0); err != nil {
			t.Skipf("%s cannot be set here: %v", attribute, err)
		}
		_, err := WriteChange(context.Background(), io.Discard, Change{Uppers: []string{upper}})
		if !errors.Is(err, ErrForm) || !strings.Contains(err.Error(), "moved") {
			t.Errorf("%s: %v", attribute, err)
		}
	}
}

func unixTime(seconds, nanoseconds int64) time.Time { return time.Unix(seconds, nanoseconds) }
