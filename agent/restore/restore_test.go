package restore

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"gantry.dev/agent/snapshot/layer"
	"golang.org/x/sys/unix"
)

const mark = "sha256:4d1f1c6a0d5f5a7a"

// The test binary is the restore too, so that it can be killed.
func TestMain(m *testing.M) {
	if args := os.Getenv("RESTORE_ARGS"); args != "" {
		of := strings.Split(args, "\n")
		if err := Run(of[0], of[1], of[2], os.Stderr); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func needsRoot(t testing.TB) {
	if os.Geteuid() != 0 {
		t.Skip("owners, devices and capabilities need root")
	}
}

// Two folders: a saved home and a fresh volume.
func folders(t testing.TB) (from, to string) {
	t.Helper()
	base := t.TempDir()
	from, to = filepath.Join(base, "gantry-home"), filepath.Join(base, "home")
	must(t, os.Mkdir(from, 0o755))
	must(t, os.Mkdir(to, 0o755))
	return from, to
}

func write(t testing.TB, path string, content []byte, mode os.FileMode) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(path), 0o755))
	must(t, os.WriteFile(path, content, 0o600))
	must(t, unix.Chmod(path, uint32(mode)))
}

// acl is one as the kernel keeps it: owner, one named user, group, mask, others.
func acl(user uint32) []byte {
	text := binary.LittleEndian.AppendUint32(nil, 2)
	for _, entry := range [][3]uint32{{1, 7, 1<<32 - 1}, {2, 5, user}, {4, 5, 1<<32 - 1}, {16, 5, 1<<32 - 1}, {32, 0, 1<<32 - 1}} {
		text = binary.LittleEndian.AppendUint16(text, uint16(entry[0]))
		text = binary.LittleEndian.AppendUint16(text, uint16(entry[1]))
		text = binary.LittleEndian.AppendUint32(text, entry[2])
	}
	return text
}

// A home with everything that a home may hold.
func furnish(t testing.TB, home string) {
	t.Helper()
	write(t, home+"/notes.txt", []byte("hello"), 0o644)
	write(t, home+"/etc/hosts", []byte("a tenant's own"), 0o644)
	write(t, home+"/dev/null", []byte("a file by that name"), 0o600)
	write(t, home+"/bin/tool", []byte("#!/bin/sh\n"), 0o4755)
	write(t, home+"/bin/other", []byte("#!/bin/sh\n"), 0o2711)
	must(t, os.Chown(home+"/bin/other", 1000, 100))
	must(t, unix.Chmod(home+"/bin/other", 0o2711))
	write(t, home+"/secret", nil, 0o000)
	must(t, os.MkdirAll(home+"/empty/er/est", 0o755))
	must(t, os.Mkdir(home+"/sticky", 0o755))
	must(t, unix.Chmod(home+"/sticky", 0o3777))
	must(t, os.Mkdir(home+"/closed", 0o755))
	write(t, home+"/closed/inner", []byte("x"), 0o400)
	must(t, os.Link(home+"/notes.txt", home+"/empty/second name"))
	must(t, os.Link(home+"/notes.txt", home+"/a third name"))
	must(t, os.Symlink("notes.txt", home+"/link"))
	must(t, os.Link(home+"/link", home+"/second link"))
	must(t, os.Symlink("/etc/passwd", home+"/away"))
	must(t, os.Symlink("../../gone", home+"/bin/gone"))
	must(t, os.Lchown(home+"/away", 4321, 1234))
	must(t, unix.Mkfifo(home+"/pipe", 0o640))
	must(t, unix.Mknod(home+"/socket", unix.S_IFSOCK|0o700, 0))
	must(t, unix.Mknod(home+"/device", unix.S_IFCHR|0o620, int(unix.Mkdev(1, 3))))
	for _, strange := range []string{"new\nline", "\xff\xfe", "名前", "-rf", strings.Repeat("n", 255), "a b", "\\"} {
		write(t, filepath.Join(home, "names", strange), []byte(strange), 0o644)
	}
	deep := home + strings.Repeat("/deep", 300)
	write(t, deep+"/file", []byte("deep"), 0o644)

	// Sparse at the start, between, and at the end; and with zeros that are no hole yet.
	sparse, err := os.Create(home + "/sparse")
	must(t, err)
	must(t, sparse.Truncate(5<<30+123))
	for _, at := range []int64{3 << 20, 3<<20 + 70_000, 4 << 30} {
		_, err = sparse.WriteAt(bytes.Repeat([]byte("data"), 5000), at)
		must(t, err)
	}
	must(t, sparse.Close())
	zeroed := make([]byte, 8<<20)
	copy(zeroed[5<<20+17:], "in between")
	copy(zeroed[8<<20-1:], "!")
	write(t, home+"/zeroed", zeroed, 0o644)
	write(t, home+"/zeros", make([]byte, 3<<20+5), 0o644)
	random := make([]byte, 5<<20+77)
	source := rand.NewChaCha8([32]byte{})
	_, _ = source.Read(random)
	write(t, home+"/random", random, 0o644)
	write(t, home+"/exactly", random[:hole], 0o644)
	write(t, home+"/one more", random[:hole+1], 0o644)

	must(t, unix.Setxattr(home+"/notes.txt", "user.comment", []byte("kept\x00with a zero"), 0))
	must(t, unix.Setxattr(home+"/notes.txt", "user.empty", nil, 0))
	must(t, unix.Setxattr(home+"/closed", "user.folder", []byte("too"), 0))
	for number := range 40 {
		must(t, unix.Setxattr(home+"/random", fmt.Sprintf("user.a-rather-long-name-of-an-attribute-%d", number), []byte("v"), 0))
	}
	capability := binary.LittleEndian.AppendUint32(nil, 0x02000001)
	capability = append(capability, make([]byte, 16)...)
	capability[5] = 0x04 // CAP_NET_BIND_SERVICE
	must(t, os.Chown(home+"/bin/tool", 1000, 1000))
	must(t, unix.Chmod(home+"/bin/tool", 0o4755))
	must(t, unix.Setxattr(home+"/bin/tool", "security.capability", capability, 0))
	must(t, unix.Setxattr(home+"/one more", "system.posix_acl_access", acl(4711), 0))
	must(t, unix.Setxattr(home+"/sticky", "system.posix_acl_default", acl(4712), 0))
	write(t, home+"/sticky/inner", []byte("inherited"), 0o640)
	must(t, unix.Chmod(home+"/closed", 0o500))
	must(t, os.Chown(home, 1000, 1000))
	must(t, unix.Chmod(home, 0o750))

	old := []unix.Timespec{{Sec: 1_000_000_000, Nsec: 123_456_789}, {Sec: 981_173_106, Nsec: 987_654_321}}
	for _, path := range []string{"notes.txt", "link", "closed", "empty/er", "pipe", "sticky", "."} {
		must(t, unix.UtimesNanoAt(unix.AT_FDCWD, filepath.Join(home, path), old, unix.AT_SYMLINK_NOFOLLOW))
	}
}

// everything is a line for each entry with all that has to survive. Same lines, same tree.
func everything(t testing.TB, root string) []string {
	t.Helper()
	var lines []string
	firsts := map[uint64]string{}
	must(t, filepath.WalkDir(root, func(path string, _ fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, _ := filepath.Rel(root, path)
		if relative == Marker {
			return nil
		}
		if relative == lostAndFound {
			return fs.SkipDir
		}
		var of unix.Stat_t
		if err := unix.Lstat(path, &of); err != nil {
			return err
		}
		line := fmt.Sprintf("%q mode %o of %d:%d at %d.%d device %d", relative, of.Mode, of.Uid, of.Gid, of.Mtim.Sec, of.Mtim.Nsec, of.Rdev)
		if !isFolder(of) {
			first, known := firsts[of.Ino]
			if !known {
				first = relative
				firsts[of.Ino] = first
			}
			line += fmt.Sprintf(" names %d first %q", of.Nlink, first)
		}
		switch of.Mode & unix.S_IFMT {
		case unix.S_IFLNK:
			target, err := os.Readlink(path)
			if err != nil {
				return err
			}
			line += fmt.Sprintf(" to %q", target)
		case unix.S_IFREG:
			line += fmt.Sprintf(" size %d digest %s", of.Size, digest(t, path, of))
			fallthrough
		case unix.S_IFDIR:
			line += attributes(t, path)
		}
		lines = append(lines, line)
		return nil
	}))
	return lines
}

func digest(t testing.TB, path string, of unix.Stat_t) string {
	file, err := os.Open(path)
	must(t, err)
	defer file.Close()
	sum := sha256.New()
	// For a very large file only the parts with data; their positions are part of the digest, but holes and zeros are equal.
	piece := make([]byte, 1<<20)
	for at := int64(0); at < of.Size; at += int64(len(piece)) {
		if of.Size > 1<<30 {
			next, err := file.Seek(at, unix.SEEK_DATA)
			if err != nil {
				break
			}
			at = next / int64(len(piece)) * int64(len(piece))
		}
		n, err := file.ReadAt(piece, at)
		if err != nil && err != io.EOF {
			t.Fatal(err)
		}
		if len(bytes.Trim(piece[:n], "\x00")) > 0 {
			fmt.Fprintf(sum, "%d:", at)
			sum.Write(piece[:n])
		}
	}
	return fmt.Sprintf("%x", sum.Sum(nil)[:8])
}

func attributes(t testing.TB, path string) string {
	list := make([]byte, 64<<10)
	n, err := unix.Listxattr(path, list)
	must(t, err)
	all := strings.Split(strings.TrimSuffix(string(list[:n]), "\x00"), "\x00")
	slices.Sort(all)
	line := ""
	for _, one := range all {
		if one == "" {
			continue
		}
		value := make([]byte, 4096)
		size, err := unix.Getxattr(path, one, value)
		must(t, err)
		line += fmt.Sprintf(" %s=%q", one, value[:size])
	}
	return line
}

func same(t *testing.T, from, to string) {
	t.Helper()
	expected, got := everything(t, from), everything(t, to)
	for at := range max(len(expected), len(got)) {
		a, b := "nothing", "nothing"
		if at < len(expected) {
			a = expected[at]
		}
		if at < len(got) {
			b = got[at]
		}
		if a != b {
			t.Fatalf("entry %d of %d:\n  saved    %s\n  restored %s", at, len(expected), a, b)
		}
	}
}

func blocks(t testing.TB, path string) int64 {
	var of unix.Stat_t
	must(t, unix.Stat(path, &of))
	return of.Blocks * 512
}

// image is what a container sees: an overlay whose folders have another device than its files, as layers that lie on several
// file systems have.
func image(t *testing.T, lower string) string {
	t.Helper()
	changes, err := os.MkdirTemp("/dev/shm", "image-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(changes) })
	upper, work, merged := changes+"/upper", changes+"/work", t.TempDir()
	must(t, os.Mkdir(upper, 0o755))
	must(t, os.Mkdir(work, 0o755))
	furnish(t, lower)
	options := fmt.Sprintf("lowerdir=%s,upperdir=%s,workdir=%s", lower, upper, work)
	if err := unix.Mount("overlay", merged, "overlay", 0, options); err != nil {
		t.Skip("this machine lets nobody mount an overlay:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(merged, unix.MNT_DETACH) })
	return merged
}

func TestAHomeComesBackWhole(t *testing.T) {
	needsRoot(t)
	for place, parent := range map[string]string{"the same file system": "", "another file system": "/dev/shm", "an image": "overlay"} {
		t.Run(place, func(t *testing.T) {
			from, to := folders(t)
			if parent == "overlay" {
				from = image(t, from)
			}
			if parent == "/dev/shm" {
				other, err := os.MkdirTemp(parent, "home-")
				must(t, err)
				t.Cleanup(func() { _ = os.RemoveAll(other) })
				to = other
			}
			if parent != "overlay" {
				furnish(t, from)
			}
			// Content that a fresh volume or an earlier use may have left.
			must(t, os.Mkdir(to+"/lost+found", 0o700))
			write(t, to+"/lost+found/#12", []byte("found"), 0o600)
			write(t, to+"/older/file", []byte("older"), 0o600)
			write(t, to+"/"+Marker, []byte("sha256:older\n"), 0o600)
			must(t, unix.Setxattr(to, "system.posix_acl_default", acl(99), 0))
			must(t, unix.Chmod(to, 0o2777))

			var says strings.Builder
			must(t, Run(from, to, mark, &says))
			same(t, from, to)
			if text, err := os.ReadFile(to + "/" + Marker); err != nil || string(text) != mark+"\n" {
				t.Errorf("mark: %q, %v", text, err)
			}
			if text, err := os.ReadFile(to + "/lost+found/#12"); err != nil || string(text) != "found" {
				t.Errorf("lost+found: %q, %v", text, err)
			}
			if !strings.Contains(says.String(), "holds "+mark+" now") {
				t.Errorf("said: %s", says.String())
			}
			for name, most := range map[string]int64{"sparse": 1 << 20, "zeroed": 8 << 20, "zeros": 3<<20 + 4096*2} {
				if parent != "" && name != "sparse" {
					most = 256 << 10 // Zeros become holes where the kernel does not copy.
				}
				if used := blocks(t, to+"/"+name); used > most {
					t.Errorf("%s uses %d bytes of the volume, expected at most %d", name, used, most)
				}
			}

			// Again: nothing is done, not even what would be needed.
			write(t, to+"/newer", []byte("work"), 0o600)
			says.Reset()
			must(t, Run(from, to, mark, &says))
			if _, err := os.Stat(to + "/newer"); err != nil || !strings.Contains(says.String(), "already") {
				t.Errorf("a second run: %v, said %s", err, says.String())
			}
			// Another digest: start over, from a home that contains the mark of its own restore.
			write(t, from+"/"+Marker, []byte(mark+"\n"), 0o600)
			must(t, unix.UtimesNanoAt(unix.AT_FDCWD, from, []unix.Timespec{{Sec: 1}, {Sec: 2}}, 0))
			must(t, Run(from, to, "sha256:another", io.Discard))
			same(t, from, to)
			if text, _ := os.ReadFile(to + "/" + Marker); string(text) != "sha256:another\n" {
				t.Errorf("mark: %q", text)
			}
		})
	}
}

// From a home into a layer, as the node agent writes it, out of it, as containerd would, and back.
func TestAHomeSurvivesItsLayer(t *testing.T) {
	needsRoot(t)
	from, to := folders(t)
	furnish(t, from)
	must(t, os.Remove(from+"/sparse")) // A layer has no holes.
	must(t, os.Remove(from+"/socket")) // Nor sockets.
	home, err := os.Open(from)
	must(t, err)
	defer home.Close()
	image := t.TempDir()
	unpack := exec.Command("tar", "-x", "-p", "--same-owner", "--numeric-owner", "--xattrs", "--xattrs-include=*", "-C", image)
	into, err := unpack.StdinPipe()
	must(t, err)
	must(t, unpack.Start())
	_, err = layer.WriteFolder(t.Context(), into, home, "gantry-home", 0)
	must(t, err)
	must(t, into.Close())
	must(t, unpack.Wait())
	must(t, Run(image+"/gantry-home", to, mark, io.Discard))
	same(t, from, to)
}

func TestWhatTheHomeHadInLostAndFoundIsKept(t *testing.T) {
	from, to := folders(t)
	write(t, from+"/lost+found/#1/file", []byte("found before"), 0o600)
	write(t, from+"/lost+found/#2", []byte("found before"), 0o600)
	write(t, to+"/lost+found/#2", []byte("found here"), 0o600)
	must(t, Run(from, to, mark, io.Discard))
	must(t, os.Remove(to+"/"+Marker))
	must(t, Run(from, to, mark, io.Discard))
	for _, name := range []string{"#1/file", "#2"} {
		if text, err := os.ReadFile(to + "/lost+found/" + name); err != nil || string(text) != "found before" {
			t.Errorf("%s: %q, %v", name, text, err)
		}
	}
}

func TestOtherFileSystemsAndTheVolumeItselfAreLeftOut(t *testing.T) {
	needsRoot(t)
	from, _ := folders(t)
	to := from + "/home"
	must(t, os.Mkdir(to, 0o755))
	must(t, os.Mkdir(from+"/proc", 0o755))
	write(t, from+"/file", []byte("content"), 0o644)
	if err := unix.Mount("tmpfs", from+"/proc", "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("this machine lets nobody mount a tmpfs:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(from+"/proc", unix.MNT_DETACH) })
	write(t, from+"/proc/1/status", []byte("mounted"), 0o644)
	var says strings.Builder
	must(t, Run(from, to, mark, &says))
	entries, err := os.ReadDir(to)
	must(t, err)
	if len(entries) != 2 || entries[1].Name() != "file" {
		t.Errorf("restored: %v", entries)
	}
	if !strings.Contains(says.String(), "/proc is left out") {
		t.Errorf("said: %s", says.String())
	}
}

// The older mark must not remain on an incomplete volume; what is mounted in the volume is not part of it.
func TestAVolumeThatCanNotBeEmptiedLosesItsMark(t *testing.T) {
	needsRoot(t)
	from, to := folders(t)
	write(t, from+"/file", []byte("content"), 0o644)
	must(t, os.Mkdir(to+"/mounted", 0o755))
	if err := unix.Mount("tmpfs", to+"/mounted", "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("this machine lets nobody mount a tmpfs:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(to+"/mounted", unix.MNT_DETACH) })
	write(t, to+"/mounted/other", []byte("of another volume"), 0o644)
	write(t, to+"/"+Marker, []byte("sha256:older\n"), 0o600)
	for number := range 100 {
		write(t, fmt.Sprintf("%s/%d", to, number), nil, 0o600)
	}
	if err := Run(from, to, mark, io.Discard); err == nil || !strings.Contains(err.Error(), "cannot be emptied") {
		t.Errorf("a volume with another in it: %v", err)
	}
	if _, err := os.Lstat(to + "/" + Marker); !os.IsNotExist(err) {
		t.Error("the older mark is still there")
	}
	if _, err := os.Stat(to + "/mounted/other"); err != nil {
		t.Error("what is mounted was emptied:", err)
	}
}

func TestWhatCanNotBeIsRefusedBeforeAnythingIsEmptied(t *testing.T) {
	needsRoot(t)
	from, to := folders(t)
	if err := unix.Mount("tmpfs", to, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("this machine lets nobody mount a tmpfs:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(to, unix.MNT_DETACH) })
	write(t, to+"/older", bytes.Repeat([]byte("o"), 3<<20), 0o600)
	write(t, from+"/large", bytes.Repeat([]byte("l"), 5<<20), 0o600)
	inner := filepath.Join(to, "inner")
	must(t, os.Mkdir(inner, 0o755))
	for _, row := range []struct {
		from, to, mark, says string
	}{
		{from, to, mark, "5242880 bytes (5.0 MiB) are to be restored; nothing was changed"},
		{from, to, "", "--mark must be"},
		{from, to, "two\nlines", "--mark must be"},
		{from + "/nothing", to, mark, "<from>"},
		{from + "/large", to, mark, "<from>"},
		{from, to + "/nothing", mark, "<to>"},
		{to, to, mark, "<from> must not be <to>"},
		{inner, to, mark, "<from> must not be <to>"},
	} {
		if err := Run(row.from, row.to, row.mark, io.Discard); err == nil || !strings.Contains(err.Error(), row.says) {
			t.Errorf("%+v: %v", row, err)
		}
	}
	if blocks(t, to+"/older") != 3<<20 {
		t.Error("the older content is gone")
	}
	// The space that emptying frees counts: this only fits with it.
	must(t, os.Truncate(from+"/large", 3<<20))
	must(t, Run(from, to, mark, io.Discard))
	if _, err := os.Stat(to + "/older"); !os.IsNotExist(err) {
		t.Errorf("older: %v", err)
	}
	// Too many files, on a volume that counts them.
	must(t, unix.Mount("", to, "", unix.MS_REMOUNT, "size=4m,nr_inodes=100"))
	for number := range 200 {
		write(t, fmt.Sprintf("%s/files/%d", from, number), nil, 0o600)
	}
	if err := Run(from, to, "sha256:many", io.Discard); err == nil || !strings.Contains(err.Error(), "202 are to be restored") {
		t.Errorf("files: %v", err)
	}
}

// A layer has no holes: a hole in the saved home must not need space when it is restored.
func TestZerosNeedNoRoom(t *testing.T) {
	needsRoot(t)
	from, to := folders(t)
	if err := unix.Mount("tmpfs", to, "tmpfs", 0, "size=4m"); err != nil {
		t.Skip("this machine lets nobody mount a tmpfs:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(to, unix.MNT_DETACH) })
	disk := make([]byte, 32<<20)
	copy(disk[9<<20:], bytes.Repeat([]byte("d"), 1<<20))
	write(t, from+"/disk.img", disk, 0o600)
	must(t, Run(from, to, mark, io.Discard))
	if content, err := os.ReadFile(to + "/disk.img"); err != nil || !bytes.Equal(content, disk) {
		t.Errorf("%d bytes came back, %v", len(content), err)
	}
	if taken := blocks(t, to+"/disk.img"); taken > 2<<20 {
		t.Errorf("it takes %d bytes", taken)
	}
	copy(disk, bytes.Repeat([]byte("d"), 5<<20))
	write(t, from+"/disk.img", disk, 0o600)
	if err := Run(from, to, "sha256:more", io.Discard); err == nil || !strings.Contains(err.Error(), "6291456 bytes (6.0 MiB) are to be restored; nothing was changed") {
		t.Error(err)
	}
}

type lines struct {
	lock sync.Mutex
	text strings.Builder
}

func (l *lines) Write(text []byte) (int, error) {
	l.lock.Lock()
	defer l.lock.Unlock()
	return l.text.Write(text)
}

func TestWhoWaitsIsToldHowFarItIs(t *testing.T) {
	before := betweenReports
	betweenReports = time.Millisecond
	t.Cleanup(func() { betweenReports = before })
	from, to := folders(t)
	for number := range 500 {
		write(t, fmt.Sprintf("%s/%d", from, number), bytes.Repeat([]byte("x"), block), 0o600)
	}
	var says lines
	must(t, Run(from, to, mark, &says))
	if !strings.Contains(says.text.String(), " of 500 entries, ") || !strings.Contains(says.text.String(), " of 2.0 MiB are restored.\n") {
		t.Errorf("said: %s", says.text.String())
	}
}

// Killed wherever it happens to be, until it is through once.
func TestAfterKill9TheSecondRunGivesTheSame(t *testing.T) {
	needsRoot(t)
	from, to := folders(t)
	furnish(t, from)
	for number := range 1500 {
		write(t, fmt.Sprintf("%s/many/%d/%d", from, number%40, number), bytes.Repeat([]byte{byte(number)}, number%9000), 0o644)
	}
	write(t, to+"/"+Marker, []byte("sha256:older\n"), 0o600)
	killed := 0
	for _, reached := range []int{1, 5, 20, 35} {
		run := exec.Command(os.Args[0])
		run.Env = append(os.Environ(), "RESTORE_ARGS="+strings.Join([]string{from, to, mark}, "\n"))
		must(t, run.Start())
		// Until as many folders are there, or it has ended.
		ended := make(chan struct{})
		go func() {
			_ = run.Wait()
			close(ended)
		}()
		for over := false; !over; {
			entries, _ := os.ReadDir(to + "/many")
			select {
			case <-ended:
				over = true
			default:
				over = len(entries) >= reached
			}
			runtime.Gosched()
		}
		_ = run.Process.Signal(syscall.SIGKILL)
		<-ended
		text, err := os.ReadFile(to + "/" + Marker)
		if err == nil && string(text) == mark+"\n" {
			same(t, from, to)
			must(t, os.Remove(to+"/"+Marker))
			continue
		}
		if err == nil {
			t.Fatalf("killed with the mark %q", text)
		}
		killed++
	}
	if killed == 0 {
		t.Error("no run was killed in the middle")
	}
	must(t, Run(from, to, mark, io.Discard))
	same(t, from, to)
}

func TestAVolumeThatBecomesFullSaysSo(t *testing.T) {
	needsRoot(t)
	from, to := folders(t)
	if err := unix.Mount("tmpfs", to, "tmpfs", 0, "size=1m"); err != nil {
		t.Skip("this machine lets nobody mount a tmpfs:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(to, unix.MNT_DETACH) })
	// By size it fits, but space for the folders is missing: long names in many folders.
	write(t, from+"/file", bytes.Repeat([]byte("x"), 1<<20-3*block), 0o600)
	target, err := openFolder(to)
	must(t, err)
	defer unix.Close(target)
	source, err := openFolder(from)
	must(t, err)
	defer unix.Close(source)
	var sourceFacts, targetFacts unix.Stat_t
	must(t, unix.Fstat(source, &sourceFacts))
	must(t, unix.Fstat(target, &targetFacts))
	write(t, to+"/other", bytes.Repeat([]byte("y"), 1<<19), 0o600)
	work := newCopying(tree{root: source, path: from, facts: sourceFacts, besides: targetFacts}, target, to, amount{entries: 1}, io.Discard)
	if err := work.run(); err == nil || !strings.Contains(err.Error(), "no space left") || !strings.Contains(err.Error(), "/file cannot be restored") {
		t.Errorf("full: %v", err)
	}
}

// Against `cp -a`, on the same volume: go test -run '^$' -bench . ./restore
func BenchmarkRestore(b *testing.B) {
	needsRoot(b)
	for _, load := range []struct {
		name        string
		files, size int
	}{{"20000 files of 4 KiB", 20_000, 4 << 10}, {"4 files of 256 MiB", 4, 256 << 20}} {
		from, to := folders(b)
		content := make([]byte, load.size)
		source := rand.NewChaCha8([32]byte{1})
		for number := range load.files {
			_, _ = source.Read(content)
			write(b, fmt.Sprintf("%s/%d/%d", from, number%100, number), content, 0o644)
		}
		unix.Sync()
		for _, tool := range []string{"agent restore", "cp -a"} {
			b.Run(load.name+"/"+tool, func(b *testing.B) {
				b.SetBytes(int64(load.files) * int64(load.size))
				for b.Loop() {
					b.StopTimer()
					must(b, os.RemoveAll(to))
					must(b, os.Mkdir(to, 0o755))
					b.StartTimer()
					if tool == "cp -a" {
						must(b, exec.Command("cp", "-a", from+"/.", to).Run())
						must(b, exec.Command("sync", "-f", to).Run())
					} else {
						must(b, Run(from, to, mark, io.Discard))
					}
				}
				b.ReportMetric(float64(load.files)*float64(b.N)/b.Elapsed().Seconds(), "files/s")
			})
		}
	}
}
