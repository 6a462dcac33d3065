package diskserver

import (
	"bytes"
	"fmt"
	"io"
	"io/fs"
	"log"
	"mime"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	"golang.org/x/sys/unix"
)

// Must not appear in any answer, nor change: it lies beside the disk.
const canary = "canary-that-lives-outside"

// A guarded disk, on tmpfs if possible: fuzzing creates and removes a great deal.
type guarded struct {
	base    string
	handler http.Handler
	before  string
}

func newGuarded(t testing.TB) *guarded {
	t.Helper()
	parent := ""
	if of, err := os.Stat("/dev/shm"); err == nil && of.IsDir() {
		parent = "/dev/shm"
	}
	base, err := os.MkdirTemp(parent, "disk-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	g := &guarded{base: base}
	for _, folder := range []string{"disk", "outside/folder"} {
		must(t, os.MkdirAll(filepath.Join(base, folder), 0o755))
	}
	for _, file := range []string{"outside/file", "outside/folder/file", "file", "token"} {
		must(t, os.WriteFile(filepath.Join(base, file), []byte(canary), 0o600))
	}
	root, err := os.OpenRoot(filepath.Join(base, "disk"))
	must(t, err)
	t.Cleanup(func() { _ = root.Close() })
	g.handler = handler(root, filepath.Join(base, "token"))
	g.before = g.outside(t)
	g.furnish(t)
	return g
}

// furnish puts back what an input may have taken: links of every kind among files and folders.
func (g *guarded) furnish(t testing.TB) {
	t.Helper()
	disk := filepath.Join(g.base, "disk")
	entries, err := os.ReadDir(disk)
	must(t, err)
	if len(entries) > 64 {
		for _, one := range entries {
			must(t, os.RemoveAll(filepath.Join(disk, one.Name())))
		}
	}
	for _, folder := range []string{"a", "a/b"} {
		if of, err := os.Lstat(filepath.Join(disk, folder)); err == nil && !of.IsDir() {
			must(t, os.Remove(filepath.Join(disk, folder)))
		}
		must(t, os.MkdirAll(filepath.Join(disk, folder), 0o755))
	}
	for _, file := range []string{"f", "a/f", "a/b/f"} {
		if of, err := os.Lstat(filepath.Join(disk, file)); err == nil && of.Mode().IsRegular() {
			continue
		}
		must(t, os.RemoveAll(filepath.Join(disk, file)))
		must(t, os.WriteFile(filepath.Join(disk, file), []byte("0123456789"), 0o644))
	}
	for link, target := range map[string]string{
		"out": filepath.Join(g.base, "outside"), "up": "..", "beside": "../outside", "a/out": "../../outside", "a/b/upfile": "../../../file",
		"outfile": filepath.Join(g.base, "outside/file"), "self": "self", "in": "a/b", "infile": "a/f", "a/round": "../a", "a/b/in": "../../a",
		"over": "a/../../outside", "slash": "/", "dot": ".", "twice": "out/folder", "inout": "a/out", "proc": "/proc/self/root",
	} {
		if there, err := os.Readlink(filepath.Join(disk, link)); err == nil && there == target {
			continue
		}
		must(t, os.RemoveAll(filepath.Join(disk, link)))
		must(t, os.Symlink(target, filepath.Join(disk, link)))
	}
}

// outside is everything beside the disk, with what would show a change or a mere touch.
func (g *guarded) outside(t testing.TB) string {
	t.Helper()
	var all strings.Builder
	must(t, filepath.WalkDir(g.base, func(path string, one fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if path == filepath.Join(g.base, "disk") {
			return fs.SkipDir
		}
		var of unix.Stat_t
		if err := unix.Lstat(path, &of); err != nil {
			return err
		}
		fmt.Fprintf(&all, "%s %o %d %d:%d %d %d", path, of.Mode, of.Ino, of.Uid, of.Gid, of.Mtim.Nano(), of.Nlink)
		if !one.IsDir() {
			content, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			fmt.Fprintf(&all, " %q", content)
		}
		all.WriteByte('\n')
		return nil
	}))
	return all.String()
}

func (g *guarded) ask(method, call, query, span string, body io.Reader) *httptest.ResponseRecorder {
	request := httptest.NewRequest(method, "http://disk"+call, body)
	request.URL.RawQuery = query
	request.Header.Set("Authorization", "Bearer "+canary)
	if span != "" {
		request.Header.Set("Content-Range", span)
	}
	response := httptest.NewRecorder()
	g.handler.ServeHTTP(response, request)
	return response
}

// check fails when an answer shows, or a call did, anything outside.
func (g *guarded) check(t testing.TB, asked string, response *httptest.ResponseRecorder) {
	t.Helper()
	if bytes.Contains(response.Body.Bytes(), []byte(canary)) {
		t.Fatalf("%s: shows what is outside: %s", asked, response.Body)
	}
	if response.Code == http.StatusInternalServerError {
		t.Fatalf("%s: %s", asked, response.Body)
	}
	if after := g.outside(t); after != g.before {
		t.Fatalf("%s: changed what is outside, from\n%sto\n%s", asked, g.before, after)
	}
}

// every asks each call for a path, the removing ones last.
func (g *guarded) every(t testing.TB, path, to string) {
	t.Helper()
	p, both := url.Values{"path": {path}}, url.Values{"path": {path}, "to": {to}, "overwrite": {"true"}}
	up := url.Values{"path": {path}, "upload": {"the-upload"}, "overwrite": {"true"}}
	for _, one := range []struct {
		method, call string
		values       url.Values
		span, body   string
	}{
		{"GET", "/dir", p, "", ""},
		{"GET", "/file", p, "", ""},
		{"HEAD", "/file", p, "", ""},
		{"GET", "/search", url.Values{"path": {path}, "text": {"f"}}, "", ""},
		{"GET", "/zip", p, "", ""},
		{"POST", "/copy", both, "", ""},
		{"POST", "/dir", p, "", ""},
		{"PUT", "/file", p, "", "new"},
		{"PUT", "/file", up, "bytes 0-1/4", "ne"},
		{"GET", "/upload", up, "", ""},
		{"PUT", "/file", up, "bytes 2-3/4", "w."},
		{"POST", "/rename", both, "", ""},
		{"PUT", "/file", up, "", "whole"},
		{"DELETE", "/file", p, "", ""},
		{"POST", "/rename", url.Values{"path": {to}, "to": {path}}, "", ""},
		{"DELETE", "/dir", p, "", ""},
	} {
		values := url.Values{}
		for name, value := range one.values {
			if name == "overwrite" && one.call == "/upload" {
				continue
			}
			values[name] = value
		}
		response := g.ask(one.method, one.call, values.Encode(), one.span, strings.NewReader(one.body))
		g.check(t, fmt.Sprintf("%s %s path=%q to=%q", one.method, one.call, path, to), response)
	}
}

var paths = []string{
	"", "/", "f", "/f", "a/b/f", "..", "/..", "../outside/file", "/../outside", "a/../../outside", "./f", "f/.", "out", "out/file", "out/folder/file",
	"/out/../outside/file", "up", "up/file", "up/outside/file", "beside/file", "a/out/folder", "a/b/upfile", "outfile", "self", "self/f", "in/f", "infile",
	"a/round/round/round/f", "a/b/in/b/in/out/file", "over/file", "slash/etc/passwd", "dot/dot/f", "twice/file", "inout/file", "proc/etc/passwd",
	"f\x00", "a\x00/../f", "a//b///f", "//f", "f/", "a/", "out/", "%2e%2e/outside", "..%2foutside", "..\\outside", "\\..\\outside", "C:/f", "a/...", "...",
	"\xff\xfe", "a/\xc0\xae\xc0\xae/f", "\u2025/f", "\u202e", "a\nb", "a\r\nX: y", "~", "~root", "-rf", "*", "lost+found", ".gantry-restored",
	"f.gantry-upload", "new/../out", "a/b/../b/f", "out\x00", strings.Repeat("x", 255), strings.Repeat("x", 256), strings.Repeat("a/", 2000) + "f",
	strings.Repeat("長", 85), strings.Repeat("../", 100) + "etc/passwd", "a/new", "new", "in/new", "out/new", "up/new", "proc/new", "slash/new",
}

func quietly(f *testing.F) {
	log.SetOutput(io.Discard)
	f.Cleanup(func() { log.SetOutput(os.Stderr) })
}

// FuzzPath: whatever the path, no call reads, writes or removes anything outside.
func FuzzPath(f *testing.F) {
	quietly(f)
	for at, path := range paths {
		f.Add(path, paths[(at*7+3)%len(paths)])
	}
	g := newGuarded(f)
	f.Fuzz(func(t *testing.T, path, to string) {
		g.furnish(t)
		g.every(t, path, to)
	})
}

// FuzzLink: a tenant may put any link on a disk; no call follows it outside, on the way or at the end.
func FuzzLink(f *testing.F) {
	quietly(f)
	for at, target := range paths {
		f.Add(target, paths[(at*5+1)%len(paths)], at%2 == 0)
	}
	g := newGuarded(f)
	f.Fuzz(func(t *testing.T, target, below string, absolute bool) {
		g.furnish(t)
		if absolute {
			target = g.base + "/" + target
		}
		link := filepath.Join(g.base, "disk", "a", "link")
		for _, path := range []string{"a/link", "a/link/" + below, "in/../link"[:3] + "link"} {
			_ = os.RemoveAll(link)
			if os.Symlink(target, link) != nil {
				return // Empty, too long or with a NUL: no link can say that.
			}
			g.every(t, path, "a/"+below)
		}
	})
}

// FuzzQuery: whatever the query and the range, the answer is a refusal in words or a success, and nothing outside is touched.
func FuzzQuery(f *testing.F) {
	quietly(f)
	for at, path := range paths {
		f.Add(byte(at), "path="+percent(path)+"&upload=the-upload", "bytes 0-3/10", []byte("0123"))
	}
	for _, query := range []string{
		"path=/f&path=/out/file", "path=%zz", "path=/f;path=/out", "path=/f&overwrite=true", "path=/f&to=/out/f", "path=%2e%2e%2foutside", "path=f%00",
		"page=1&size=10&sort=time&order=desc", "page=-1", "page=99999999999999999999", "size=0x10", "sort=", "path[]=/f", "PATH=/f", "&&&=", "path=/f&upload=../../../x",
	} {
		for _, span := range []string{"", "bytes 0-0/1", "bytes */0", "bytes 5-3/9", "bytes 0-9223372036854775807/9223372036854775807", "bytes 4-9/10", "items 0-1/2"} {
			f.Add(byte(len(query)), query, span, []byte("body"))
		}
	}
	type one struct{ method, call string }
	var all []one
	for _, call := range []string{"/dir", "/file", "/upload", "/rename", "/copy", "/search", "/zip", "/usage"} {
		for _, method := range []string{"GET", "HEAD", "PUT", "POST", "DELETE"} {
			if _, known := calls[call][method]; known {
				all = append(all, one{method, call})
			}
		}
	}
	g := newGuarded(f)
	f.Fuzz(func(t *testing.T, which byte, query, span string, body []byte) {
		g.furnish(t)
		chosen := all[int(which)%len(all)]
		response := g.ask(chosen.method, chosen.call, query, span, bytes.NewReader(body))
		g.check(t, fmt.Sprintf("%s %s?%s %q", chosen.method, chosen.call, query, span), response)
		if response.Code >= 400 && response.Code != 405 && chosen.method != "HEAD" && !strings.Contains(response.Body.String(), `"detail"`) {
			t.Fatalf("%v?%s %q: %d without a sentence: %q", chosen, query, span, response.Code, response.Body)
		}
	})
}

// FuzzAttachment: whatever the name, the header is one line, parses, and says this name.
func FuzzAttachment(f *testing.F) {
	for _, path := range paths {
		f.Add(path)
	}
	f.Fuzz(func(t *testing.T, name string) {
		header := attachment(name)
		for at := range len(header) {
			if header[at] < ' ' || header[at] > '~' {
				t.Fatalf("%q: byte %d of %q", name, at, header)
			}
		}
		kind, params, err := mime.ParseMediaType(header)
		if err != nil || kind != "attachment" || len(params) != 1 || params["filename"] != name {
			t.Fatalf("%q: %q is read as %s %q, %v", name, header, kind, params, err)
		}
	})
}

// FuzzPartName: a part has a unique name for every destination and upload, and one that a folder can hold.
func FuzzPartName(f *testing.F) {
	for at, path := range paths {
		f.Add(path, paths[(at*3+1)%len(paths)], "the-upload", "another-upload")
	}
	f.Fuzz(func(t *testing.T, name, otherName, id, otherID string) {
		if len(name) > longestName || !idForm.MatchString(id) || !idForm.MatchString(otherID) {
			return
		}
		part := partName(name, id)
		if len(part) > longestName || !strings.HasSuffix(part, partSuffix) {
			t.Fatalf("%q: %q", name, part)
		}
		same := name == otherName && id == otherID
		if len(otherName) <= longestName && (partName(otherName, otherID) == part) != same {
			t.Fatalf("%q %q and %q %q: %q", name, id, otherName, otherID, part)
		}
	})
}

// swapping keeps exchanging a folder of the disk and a link to the outside, until it is told to end.
func swapping(disk string) (end func() int) {
	var over atomic.Bool
	swaps := make(chan int)
	go func() {
		count := 0
		for ; !over.Load(); count++ {
			_ = unix.Renameat2(unix.AT_FDCWD, filepath.Join(disk, "swap"), unix.AT_FDCWD, filepath.Join(disk, "spare"), unix.RENAME_EXCHANGE)
		}
		swaps <- count
	}()
	return func() int {
		over.Store(true)
		return <-swaps
	}
}

// A tenant swaps a folder for a link to the outside while all calls go through it.
func TestASwapLeadsNowhere(t *testing.T) {
	g := newGuarded(t)
	disk := filepath.Join(g.base, "disk")
	inside, refused, swaps := 0, 0, 0
	for round := range 100 {
		for _, name := range []string{"swap", "spare"} {
			must(t, os.RemoveAll(filepath.Join(disk, name)))
		}
		must(t, os.Symlink(filepath.Join(g.base, "outside"), filepath.Join(disk, "spare")))
		must(t, os.MkdirAll(filepath.Join(disk, "swap/folder/deeper"), 0o755))
		must(t, os.WriteFile(filepath.Join(disk, "swap/file"), []byte("inside"), 0o644))
		end := swapping(disk)
		count := func(response *httptest.ResponseRecorder, asked string) {
			if strings.Contains(response.Body.String(), canary) {
				t.Fatalf("%s shows what is outside: %s", asked, response.Body)
			}
			if response.Code < 300 {
				inside++
			} else if strings.Contains(response.Body.String(), "LeadsOutside") {
				refused++
			}
		}
		for range 8 {
			for _, path := range []string{"swap", "swap/file", "swap/folder", "swap/folder/file", "swap/new"} {
				p := url.Values{"path": {path}}.Encode()
				for _, one := range []struct{ method, call, query string }{
					{"GET", "/dir", p}, {"GET", "/file", p}, {"PUT", "/file", p + "&overwrite=true"}, {"POST", "/dir", p},
					{"GET", "/search", p + "&text=f"}, {"GET", "/zip", p},
					{"POST", "/copy", url.Values{"path": {path}, "to": {"copied"}, "overwrite": {"true"}}.Encode()},
					{"POST", "/rename", url.Values{"path": {path}, "to": {"swap/renamed"}, "overwrite": {"true"}}.Encode()},
				} {
					if path == "swap" && one.call == "/rename" {
						continue // It would end the swapping.
					}
					count(g.ask(one.method, one.call, one.query, "", strings.NewReader("inside")), one.method+one.call+one.query)
				}
			}
			count(g.ask("DELETE", "/file", "path=swap/file", "", nil), "DELETE /file swap/file")
			count(g.ask("DELETE", "/dir", "path=swap/folder", "", nil), "DELETE /dir swap/folder")
		}
		count(g.ask("DELETE", "/dir", "path=swap", "", nil), "DELETE /dir swap")
		swaps += end()
		if after := g.outside(t); after != g.before {
			t.Fatalf("round %d changed what is outside, from\n%sto\n%s", round, g.before, after)
		}
	}
	if inside == 0 || refused == 0 {
		t.Errorf("%d calls went inside and %d were refused: the swap met none", inside, refused)
	}
	t.Logf("%d calls inside, %d refused, %d swaps", inside, refused, swaps)
}
