package diskserver

import (
	"archive/zip"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestNamesAreOrderedAsPeopleDo(t *testing.T) {
	ordered := []string{
		"", "9", "10", "10a", "a", "a0", "a00", "a01", "a1", "a1b", "a2", "a10", "a10.txt", "a99999999999999999999999", "a100000000000000000000000", "b", "é",
	}
	for i, a := range ordered {
		for j, b := range ordered {
			if got, expected := compareNames(a, b), compareInts(i, j); got != expected {
				t.Errorf("%q and %q: %d, expected %d", a, b, got, expected)
			}
		}
	}
	d := newDisk(t)
	for _, name := range []string{"file10", "file2", "file1"} {
		d.write(name, "")
	}
	if got := names(d.list("/dir")); got != "file1 file2 file10" {
		t.Errorf("listed: %s", got)
	}
	if got := names(d.list("/dir?order=desc&size=2")); got != "file10 file2" {
		t.Errorf("listed from the end: %s", got)
	}
}

func compareInts(a, b int) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

func (d *disk) search(path, text string) (found []string, complete bool) {
	d.t.Helper()
	var result hits
	must(d.t, json.Unmarshal([]byte(d.expect(200, "", "GET", "/search"+at(path, "text", text), nil).body), &result))
	for _, one := range result.Entries {
		found = append(found, one.Folder+" "+one.Name)
	}
	return found, result.IsComplete
}

func TestASearchFindsNamesBelowAFolder(t *testing.T) {
	d := newDisk(t)
	d.write("model-10.bin", "")
	d.write("runs/model-2.bin", "")
	d.write("runs/Model/weights", "")
	d.write("runs/deep/er/SUBMODEL", "")
	d.write("runs/other", "")
	must(t, os.Symlink("../outside", filepath.Join(d.root, "models")))
	must(t, os.Symlink("runs", filepath.Join(d.root, "again")))
	for _, row := range []struct{ path, text, expected string }{
		{"/", "MODEL", "/ model-10.bin,/ models,/runs Model,/runs/deep/er SUBMODEL,/runs model-2.bin"},
		{"/runs", "model", "/runs Model,/runs/deep/er SUBMODEL,/runs model-2.bin"},
		{"/again", "weights", "/again/Model weights"},
		{"/", "secret", ""},
	} {
		found, complete := d.search(row.path, row.text)
		if got := strings.Join(found, ","); got != row.expected || !complete {
			t.Errorf("%s in %s: %s, %v; expected %s", row.text, row.path, got, complete, row.expected)
		}
	}
}

func TestASearchEndsAndSaysSo(t *testing.T) {
	d := newDisk(t)
	for number := range mostFinds + 1 {
		d.write(fmt.Sprintf("many/%d", number), "")
	}
	must(t, os.MkdirAll(filepath.Join(d.root, strings.Repeat("d/", deepestWalk+1)), 0o755))
	if found, complete := d.search("/d", "d"); len(found) != deepestWalk || complete {
		t.Errorf("too deep: %d, %v", len(found), complete)
	}
	for number := range mostFinds + 1 {
		d.write(fmt.Sprintf("same/same-%d", number), "")
	}
	if found, complete := d.search("/same", "SAME"); len(found) != mostFinds || complete {
		t.Errorf("too many: %d, %v", len(found), complete)
	}
	if found, complete := d.search("/many", "1"); !complete || len(found) < 100 {
		t.Errorf("many: %d, %v", len(found), complete)
	}
	searchFor = 0
	defer func() { searchFor = 8 * time.Second }()
	if found, complete := d.search("/many", "1"); complete || len(found) != 0 {
		t.Errorf("without time: %d, %v", len(found), complete)
	}
}

// unzip gives what a folder's zip holds, by name; a folder's name ends in a slash.
func (d *disk) unzip(path string) map[string]string {
	d.t.Helper()
	got := d.expect(200, "", "GET", "/zip"+at(path), nil)
	archive, err := zip.NewReader(strings.NewReader(got.body), int64(len(got.body)))
	must(d.t, err)
	all := map[string]string{}
	for _, one := range archive.File {
		if _, twice := all[one.Name]; twice {
			d.t.Errorf("%q is in the zip twice", one.Name)
		}
		content, err := one.Open()
		must(d.t, err)
		text, err := io.ReadAll(content)
		must(d.t, err)
		all[one.Name] = string(text)
	}
	return all
}

func TestAFolderIsDownloadedAsAZip(t *testing.T) {
	d := newDisk(t)
	d.write("data/a.txt", "first")
	d.write("data/in/ner/b.txt", strings.Repeat("second ", 100_000))
	must(t, os.MkdirAll(filepath.Join(d.root, "data/empty"), 0o755))
	must(t, os.Symlink("../../outside/secret", filepath.Join(d.root, "data/away")))
	must(t, os.Symlink("a.txt", filepath.Join(d.root, "data/link")))
	must(t, unix.Mkfifo(filepath.Join(d.root, "data/pipe"), 0o600))
	zipped := d.unzip("/data")
	expected := map[string]string{
		"data/a.txt": "first", "data/empty/": "", "data/in/": "", "data/in/ner/": "", "data/in/ner/b.txt": strings.Repeat("second ", 100_000),
	}
	if fmt.Sprint(zipped) != fmt.Sprint(expected) {
		t.Errorf("the zip has %d names, expected %d", len(zipped), len(expected))
	}
	got := d.ask("GET", "/zip"+at("/data"), nil)
	if name := got.header.Get("Content-Disposition"); !strings.Contains(name, `filename="data.zip"`) {
		t.Errorf("name: %s", name)
	}
	if bytes := got.header.Get("Files-Bytes"); bytes != "700005" {
		t.Errorf("bytes: %s", bytes)
	}
	if root := d.unzip("/"); root["data/a.txt"] != "first" {
		t.Errorf("the disk itself: %v", root)
	}
}

func TestNamesInAZipAreHarmless(t *testing.T) {
	d := newDisk(t)
	hostile := []string{
		`..\..\evil`, ".._.._evil", "a:b", "a_b", "con", "CON.txt", "nul", "dot.", "space ", "line\nbreak", "\x7f", "\xff", "\xfe", "e\u202etxt.exe", "...", "a*b", `q"q`,
	}
	for _, name := range hostile {
		d.write("data/"+name, name)
	}
	zipped := d.unzip("/data")
	var content []string
	for name, text := range zipped {
		content = append(content, text)
		last, below := strings.CutPrefix(name, "data/")
		if !below || strings.ContainsAny(last, "\\/:*?\"<>|\n\x7f\u202e\uFFFD") || strings.HasSuffix(last, ".") || strings.HasSuffix(last, " ") ||
			deviceName.MatchString(last) {
			t.Errorf("%q is in the zip as %q", text, name)
		}
	}
	slices.Sort(content)
	slices.Sort(hostile)
	if !slices.Equal(content, hostile) {
		t.Errorf("the zip holds %q", content)
	}
	if zipped["data/a_b"] != "a_b" {
		t.Error("a harmless name was changed")
	}
}

// A caller who goes ends the reading, and makes room for the next.
func TestAnAbortedZipStopsItsSource(t *testing.T) {
	d := newDisk(t)
	d.write("data/endless", "")
	must(t, os.Truncate(filepath.Join(d.root, "data/endless"), 1<<40))
	ctx, abort := context.WithCancel(t.Context())
	defer abort()
	for range walksAtOnce {
		request, err := http.NewRequestWithContext(ctx, "GET", d.address+"/zip"+at("/data"), nil)
		must(t, err)
		request.Header.Set("Authorization", "Bearer "+token)
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		defer response.Body.Close()
		_, err = io.ReadFull(response.Body, make([]byte, 1<<20))
		must(t, err)
	}
	d.expect(503, "Busy", "GET", "/search"+at("/", "text", "x"), nil)
	abort()
	d.wait("the streams end", func() bool { return d.ask("GET", "/search"+at("/", "text", "x"), nil).status == 200 })
}

func TestAFolderIsCopiedWithItsContent(t *testing.T) {
	d := newDisk(t)
	early := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	d.write("data/a.txt", "first")
	d.write("data/in/b.txt", strings.Repeat("b", 1<<20))
	must(t, os.Chmod(filepath.Join(d.root, "data/a.txt"), 0o750))
	must(t, os.Chtimes(filepath.Join(d.root, "data/a.txt"), early, early))
	must(t, os.Chtimes(filepath.Join(d.root, "data/in"), early, early))
	must(t, os.Symlink("/etc/passwd", filepath.Join(d.root, "data/away")))
	must(t, unix.Mkfifo(filepath.Join(d.root, "data/pipe"), 0o600))
	d.expect(201, "", "POST", "/copy"+at("/data", "to", "/copied"), nil)
	if got := names(d.list("/dir" + at("/copied"))); got != "a.txt away in" {
		t.Errorf("copied: %s", got)
	}
	if d.content("copied/a.txt") != "first" || d.content("copied/in/b.txt") != strings.Repeat("b", 1<<20) {
		t.Error("the content differs")
	}
	of, err := os.Stat(filepath.Join(d.root, "copied/a.txt"))
	must(t, err)
	inner, err := os.Stat(filepath.Join(d.root, "copied/in"))
	must(t, err)
	if of.Mode().Perm() != 0o750 || !of.ModTime().Equal(early) || !inner.ModTime().Equal(early) {
		t.Errorf("facts: %v %v, folder %v", of.Mode(), of.ModTime(), inner.ModTime())
	}
	if to, err := os.Readlink(filepath.Join(d.root, "copied/away")); err != nil || to != "/etc/passwd" {
		t.Errorf("link: %s, %v", to, err)
	}
	d.expect(409, "Exists", "POST", "/copy"+at("/data", "to", "/copied"), nil)
	d.expect(201, "", "POST", "/copy"+at("/data/a.txt", "to", "/data/in/b.txt", "overwrite", "true"), nil)
	if d.content("data/in/b.txt") != "first" {
		t.Error("it was not replaced")
	}
	must(t, os.Symlink("data/in", filepath.Join(d.root, "round")))
	d.expect(409, "IntoItself", "POST", "/copy"+at("/data", "to", "/round/new"), nil)
	if got := names(d.list("/dir")); got != "copied data round" {
		t.Errorf("left: %s", got)
	}
}

func TestACopyKeepsTheModeAndOwnerOfTheFileThatItReplaces(t *testing.T) {
	d := newDisk(t)
	d.write("program", "new")
	d.write("kept", "old")
	must(t, os.Chmod(filepath.Join(d.root, "program"), 0o755))
	must(t, os.Chmod(filepath.Join(d.root, "kept"), 0o640))
	owner := uint32(os.Geteuid())
	if owner == 0 {
		owner = 1000
		must(t, os.Chown(filepath.Join(d.root, "kept"), 1000, 1000))
	}
	d.expect(201, "", "POST", "/copy"+at("/program", "to", "/kept", "overwrite", "true"), nil)
	d.expect(201, "", "POST", "/copy"+at("/kept", "to", "/second"), nil)
	for _, name := range []string{"kept", "second"} {
		var of unix.Stat_t
		must(t, unix.Stat(filepath.Join(d.root, name), &of))
		if of.Mode&0o777 != 0o640 || of.Uid != owner || d.content(name) != "new" {
			t.Errorf("%s: mode %o, owner %d, %q", name, of.Mode&0o777, of.Uid, d.content(name))
		}
	}
}

// XFS_IOC_GOINGDOWN without writing the log: what is not on the disk yet is lost, as in a power cut.
const stopXFS, withoutLog = 0x8004587d, 2

func TestACopiedFileOutlivesAPowerCut(t *testing.T) {
	// Files that shared their blocks would have nothing to lose.
	image := makeXFS(t, "-m", "reflink=0")
	d := &disk{t: t, root: mountXFS(t, image)}
	content := strings.Repeat("x", 1<<20)
	d.write("source", content)
	d.write("replaced", "old")
	must(t, os.Mkdir(filepath.Join(d.root, "folder"), 0o755))
	root, err := os.Open(d.root)
	must(t, err)
	must(t, unix.Syncfs(int(root.Fd())))
	server, ask := d.pipe()
	for _, call := range []string{"path=/source&to=/folder/new", "path=/source&to=/replaced&overwrite=true"} {
		if got := ask("POST /copy?" + call); got != "201 " {
			t.Errorf("%s: %s", call, got)
		}
	}
	must(t, unix.IoctlSetPointerInt(int(root.Fd()), stopXFS, withoutLog))
	must(t, root.Close())
	must(t, server.input.Close())
	must(t, server.command.Wait())
	must(t, unix.Unmount(d.root, 0))
	after := mountXFS(t, image)
	for _, name := range []string{"folder/new", "replaced"} {
		if got, err := os.ReadFile(filepath.Join(after, name)); err != nil || string(got) != content {
			t.Errorf("%s: %d bytes, %v", name, len(got), err)
		}
	}
}

func TestACopyThatEndsEarlyLeavesNothing(t *testing.T) {
	d := newDisk(t)
	d.write("data/endless", "")
	must(t, os.Truncate(filepath.Join(d.root, "data/endless"), 1<<40))
	ctx, abort := context.WithCancel(t.Context())
	request, err := http.NewRequestWithContext(ctx, "POST", d.address+"/copy"+at("/data", "to", "/copied"), nil)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	ended := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(request)
		ended <- err
	}()
	d.wait("the copy begins", func() bool { return len(d.listOfFolder().Entries) == 2 })
	abort()
	if <-ended == nil {
		t.Error("the aborted call succeeded")
	}
	d.wait("the rest is removed", func() bool { return names(d.listOfFolder()) == "data" })
}

// The gateway's way into an instance: calls one after the other on input and output, without a token.
func TestFilesAreServedOnInputAndOutput(t *testing.T) {
	d := newDisk(t)
	d.write("file", "content")
	server, ask := d.pipe()
	if got := ask("GET /file?path=/file"); got != "200 content" {
		t.Errorf("first: %s", got)
	}
	if got := ask("POST /copy?path=/file&to=/copied"); got != "201 " {
		t.Errorf("second: %s", got)
	}
	if got := ask("GET /file?path=/../outside/secret"); !strings.HasPrefix(got, "400 ") {
		t.Errorf("outside: %s", got)
	}
	must(t, server.input.Close())
	if err := server.command.Wait(); err != nil {
		t.Errorf("at the end of its input: %v", err)
	}
	if d.content("copied") != "content" {
		t.Error("not copied")
	}
}

func TestTheEndOfTheInputStopsWhatIsBeingSent(t *testing.T) {
	d := newDisk(t)
	d.write("data/endless", "")
	must(t, os.Truncate(filepath.Join(d.root, "data/endless"), 1<<40))
	server, _ := d.pipe()
	_, err := fmt.Fprint(server.input, "GET /zip?path=/data HTTP/1.1\r\nHost: files\r\n\r\n")
	must(t, err)
	if _, err := io.ReadFull(server.output, make([]byte, 1<<20)); err != nil {
		t.Fatal(err)
	}
	must(t, server.input.Close())
	sent, err := io.Copy(io.Discard, server.output)
	if err != nil || sent > 64<<20 {
		t.Errorf("%d bytes more, %v", sent, err)
	}
	_ = server.command.Wait()
}
