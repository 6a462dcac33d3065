package diskserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"mime"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

const token = "a token of this disk"

// A disk under test: root is served, outside must never be touched.
type disk struct {
	t             *testing.T
	root, outside string
	address       string
}

func newDisk(t *testing.T) *disk {
	t.Helper()
	base := t.TempDir()
	d := &disk{t: t, root: filepath.Join(base, "disk"), outside: filepath.Join(base, "outside")}
	must(t, os.Mkdir(d.root, 0o755))
	must(t, os.Mkdir(d.outside, 0o755))
	must(t, os.WriteFile(filepath.Join(d.outside, "secret"), []byte("secret"), 0o644))
	d.address = d.serve(base)
	return d
}

func (d *disk) serve(base string) string {
	d.t.Helper()
	tokenFile := filepath.Join(base, "token")
	must(d.t, os.WriteFile(tokenFile, []byte(token+"\n"), 0o600))
	root, err := os.OpenRoot(d.root)
	must(d.t, err)
	web := httptest.NewUnstartedServer(nil)
	web.Config = newWeb(root, tokenFile)
	web.Start()
	d.t.Cleanup(func() {
		web.Close()
		_ = root.Close()
	})
	return web.URL
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

type answer struct {
	status int
	header http.Header
	body   string
}

func (a answer) problem() (code, field, detail string) {
	var of struct{ Code, Field, Detail string }
	_ = json.Unmarshal([]byte(a.body), &of)
	return of.Code, of.Field, of.Detail
}

func at(path string, more ...string) string {
	values := url.Values{"path": {path}}
	for i := 0; i+1 < len(more); i += 2 {
		values.Set(more[i], more[i+1])
	}
	return "?" + values.Encode()
}

func (d *disk) ask(method, target string, body io.Reader, headers ...string) answer {
	d.t.Helper()
	got, err := d.try(method, target, body, headers...)
	must(d.t, err)
	return got
}

// try is ask for goroutines, which cannot end a test.
func (d *disk) try(method, target string, body io.Reader, headers ...string) (answer, error) {
	request, err := http.NewRequest(method, d.address+target, body)
	if err != nil {
		return answer{}, err
	}
	request.Header.Set("Authorization", "Bearer "+token)
	for i := 0; i+1 < len(headers); i += 2 {
		request.Header.Set(headers[i], headers[i+1])
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return answer{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	return answer{response.StatusCode, response.Header, string(text)}, err
}

func (d *disk) expect(status int, code, method, target string, body io.Reader, headers ...string) answer {
	d.t.Helper()
	got := d.ask(method, target, body, headers...)
	gotCode, _, detail := got.problem()
	if got.status != status || gotCode != code {
		d.t.Errorf("%s %s: %d %s (%s), expected %d %s", method, target, got.status, gotCode, got.body, status, code)
	}
	if code != "" && (detail == "" || !strings.HasSuffix(detail, ".")) {
		d.t.Errorf("%s %s: no sentence: %q", method, target, detail)
	}
	return got
}

func (d *disk) write(name, content string) {
	d.t.Helper()
	must(d.t, os.MkdirAll(filepath.Dir(filepath.Join(d.root, name)), 0o755))
	must(d.t, os.WriteFile(filepath.Join(d.root, name), []byte(content), 0o644))
}

func (d *disk) content(name string) string {
	d.t.Helper()
	text, err := os.ReadFile(filepath.Join(d.root, name))
	must(d.t, err)
	return string(text)
}

func (d *disk) list(target string) listing {
	d.t.Helper()
	var result listing
	must(d.t, json.Unmarshal([]byte(d.expect(200, "", "GET", target, nil).body), &result))
	return result
}

func names(of listing) string {
	var all []string
	for _, one := range of.Entries {
		all = append(all, one.Name)
	}
	return strings.Join(all, " ")
}

func TestOnlyTheTokenOpens(t *testing.T) {
	d := newDisk(t)
	for _, given := range []string{"", "Bearer ", "Bearer " + token + "x", "Basic " + token, token} {
		request, err := http.NewRequest("GET", d.address+"/usage", nil)
		must(t, err)
		request.Header.Set("Authorization", given)
		response, err := http.DefaultClient.Do(request)
		must(t, err)
		_ = response.Body.Close()
		if response.StatusCode != 401 {
			t.Errorf("%q: %d", given, response.StatusCode)
		}
	}
	// A Secret's volume changes by a rename.
	file := filepath.Join(filepath.Dir(d.root), "token")
	must(t, os.WriteFile(file+".new", []byte("another"), 0o600))
	must(t, os.Rename(file+".new", file))
	d.expect(401, "Unauthorized", "GET", "/usage", nil)
	must(t, os.WriteFile(file, []byte(" \n"), 0o600))
	d.expect(503, "TokenUnreadable", "GET", "/usage", nil, "Authorization", "Bearer ")
	if got := d.ask("GET", "/healthz", nil, "Authorization", ""); got.status != 204 {
		t.Errorf("health needs no token: %d", got.status)
	}
}

func TestWhatIsRefusedSaysFieldAndRule(t *testing.T) {
	d := newDisk(t)
	d.write("file", "content")
	d.write("folder/inner", "content")
	must(t, unix.Mkfifo(filepath.Join(d.root, "pipe"), 0o600))
	must(t, os.Symlink("loop", filepath.Join(d.root, "loop")))
	must(t, os.Symlink(d.outside, filepath.Join(d.root, "away")))
	must(t, os.Symlink("../outside", filepath.Join(d.root, "beside")))
	long := strings.Repeat("n", 256)
	for _, row := range []struct {
		status              int
		code, field         string
		method, target      string
		header, headerValue string
	}{
		{404, "NoSuchCall", "URL", "GET", "/", "", ""},
		{405, "NoSuchCall", "method", "POST", "/usage", "", ""},
		{400, "NotKnown", "paht", "GET", "/dir?paht=/", "", ""},
		{400, "GivenTwice", "path", "GET", "/dir?path=/&path=/folder", "", ""},
		{400, "QueryNotUnderstood", "query", "GET", "/dir?path=%zz", "", ""},
		{400, "QueryNotUnderstood", "query", "GET", "/dir?path=/;path=/", "", ""},
		{400, "PathNotAllowed", "path", "GET", "/dir" + at("/.."), "", ""},
		{400, "PathNotAllowed", "path", "GET", "/file" + at("/folder/../file"), "", ""},
		{400, "PathNotAllowed", "path", "GET", "/file" + at("/./file"), "", ""},
		{400, "PathNotAllowed", "path", "GET", "/file" + at("/fi\x00le"), "", ""},
		{400, "NameTooLong", "path", "POST", "/dir" + at("/"+long), "", ""},
		{400, "PathTooLong", "path", "GET", "/dir" + at(strings.Repeat("a/", 2049)), "", ""},
		{400, "OutOfRange", "page", "GET", "/dir?page=0", "", ""},
		{400, "OutOfRange", "size", "GET", "/dir?size=1001", "", ""},
		{400, "PageTooFar", "page", "GET", "/dir?page=201&size=1000", "", ""},
		{400, "NotKnown", "sort", "GET", "/dir?sort=colour", "", ""},
		{400, "NotKnown", "order", "GET", "/dir?order=up", "", ""},
		{400, "OutOfRange", "text", "GET", "/search?path=/", "", ""},
		{400, "OutOfRange", "text", "GET", "/search" + at("/", "text", long), "", ""},
		{400, "NameNotAllowed", "to", "POST", "/copy" + at("/file", "to", "/new.gantry-upload"), "", ""},
		{403, "LeadsOutside", "path", "GET", "/search" + at("/away", "text", "secret"), "", ""},
		{403, "LeadsOutside", "path", "GET", "/zip" + at("/away"), "", ""},
		{403, "LeadsOutside", "path", "POST", "/copy" + at("/away/secret", "to", "/here"), "", ""},
		{403, "LeadsOutside", "to", "POST", "/copy" + at("/file", "to", "/beside/file"), "", ""},
		{404, "NotFound", "path", "POST", "/copy" + at("/nothing", "to", "/new"), "", ""},
		{409, "NotFolder", "path", "GET", "/search" + at("/file", "text", "f"), "", ""},
		{409, "NotFolder", "path", "GET", "/zip" + at("/file"), "", ""},
		{409, "NotFile", "path", "POST", "/copy" + at("/pipe", "to", "/new"), "", ""},
		{409, "IsRoot", "path", "POST", "/copy" + at("/", "to", "/new"), "", ""},
		{409, "Exists", "to", "POST", "/copy" + at("/file", "to", "/folder/inner"), "", ""},
		{409, "Exists", "to", "POST", "/copy" + at("/file", "to", "/folder", "overwrite", "true"), "", ""},
		{409, "Exists", "to", "POST", "/copy" + at("/folder", "to", "/file", "overwrite", "true"), "", ""},
		{409, "IntoItself", "to", "POST", "/copy" + at("/folder", "to", "/folder/new"), "", ""},
		{400, "NotKnown", "overwrite", "PUT", "/file" + at("/new", "overwrite", "1"), "", ""},
		{400, "UploadId", "upload", "PUT", "/file" + at("/new", "upload", "short"), "", ""},
		{400, "UploadId", "upload", "PUT", "/file" + at("/new"), "Content-Range", "bytes */4"},
		{400, "RangeNotUnderstood", "Content-Range", "PUT", "/file" + at("/new", "upload", "12345678"), "Content-Range", "bytes 5-3/9"},
		{400, "RangeNotUnderstood", "Content-Range", "PUT", "/file" + at("/new", "upload", "12345678"), "Content-Range", "bytes 0-1/*"},
		{400, "LengthDiffers", "Content-Length", "PUT", "/file" + at("/new", "upload", "12345678"), "Content-Range", "bytes 0-1/4"},
		{400, "NameNotAllowed", "path", "PUT", "/file" + at("/new.gantry-upload"), "", ""},
		{400, "NameNotAllowed", "path", "POST", "/dir" + at("/new.gantry-upload"), "", ""},
		{400, "NameNotAllowed", "to", "POST", "/rename" + at("/file", "to", "/new.gantry-upload"), "", ""},
		{403, "LeadsOutside", "path", "GET", "/dir" + at("/away"), "", ""},
		{403, "LeadsOutside", "path", "GET", "/dir" + at("/beside"), "", ""},
		{403, "LeadsOutside", "path", "GET", "/file" + at("/away/secret"), "", ""},
		{403, "LeadsOutside", "path", "PUT", "/file" + at("/away/new"), "", ""},
		{403, "LeadsOutside", "path", "POST", "/dir" + at("/beside/new"), "", ""},
		{403, "LeadsOutside", "path", "DELETE", "/file" + at("/away/secret"), "", ""},
		{403, "LeadsOutside", "to", "POST", "/rename" + at("/file", "to", "/away/file"), "", ""},
		{403, "LeadsOutside", "path", "POST", "/rename" + at("/away/secret", "to", "/here"), "", ""},
		{404, "NotFound", "path", "GET", "/dir" + at("/nothing"), "", ""},
		{404, "NotFound", "path", "GET", "/file" + at("/file/below"), "", ""},
		{404, "NotFound", "path", "DELETE", "/dir" + at("/nothing"), "", ""},
		{404, "NotFound", "path", "DELETE", "/file" + at("/nothing"), "", ""},
		{404, "NotFound", "path", "POST", "/rename" + at("/nothing", "to", "/new"), "", ""},
		{404, "NoParent", "path", "POST", "/dir" + at("/nothing/new"), "", ""},
		{404, "NoParent", "path", "PUT", "/file" + at("/nothing/new"), "", ""},
		{404, "NotFound", "upload", "GET", "/upload" + at("/new", "upload", "12345678"), "", ""},
		{404, "NotFound", "upload", "DELETE", "/upload" + at("/new", "upload", "12345678"), "", ""},
		{409, "Exists", "path", "POST", "/dir" + at("/folder"), "", ""},
		{409, "Exists", "path", "PUT", "/file" + at("/file"), "", ""},
		{409, "IsFolder", "path", "PUT", "/file" + at("/folder", "overwrite", "true"), "", ""},
		{409, "IsFolder", "path", "GET", "/file" + at("/folder"), "", ""},
		{409, "IsFolder", "path", "DELETE", "/file" + at("/folder"), "", ""},
		{409, "IsFolder", "path", "GET", "/file" + at("/"), "", ""},
		{409, "NotFolder", "path", "GET", "/dir" + at("/file"), "", ""},
		{409, "NotFolder", "path", "DELETE", "/dir" + at("/file"), "", ""},
		{409, "NotFolder", "path", "DELETE", "/dir" + at("/away"), "", ""},
		{409, "NotFile", "path", "GET", "/file" + at("/pipe"), "", ""},
		{409, "LinkLoop", "path", "GET", "/file" + at("/loop"), "", ""},
		{409, "IsRoot", "path", "DELETE", "/dir" + at("/"), "", ""},
		{409, "IsRoot", "path", "DELETE", "/dir", "", ""},
		{409, "IsRoot", "path", "POST", "/dir" + at("//"), "", ""},
		{409, "IsRoot", "to", "POST", "/rename" + at("/file", "to", "/"), "", ""},
		{409, "Exists", "to", "POST", "/rename" + at("/file", "to", "/folder", "overwrite", "true"), "", ""},
		{409, "Exists", "to", "POST", "/rename" + at("/file", "to", "/folder/inner"), "", ""},
		{409, "Exists", "to", "POST", "/rename" + at("/folder", "to", "/file", "overwrite", "true"), "", ""},
		{409, "IntoItself", "to", "POST", "/rename" + at("/folder", "to", "/folder/new"), "", ""},
		{409, "OffsetDiffers", "Content-Range", "PUT", "/file" + at("/new", "upload", "12345678"), "Content-Range", "bytes */4"},
		{416, "RangeOutside", "Range", "GET", "/file" + at("/file"), "Range", "bytes=7-9"},
	} {
		var headers []string
		if row.header != "" {
			headers = []string{row.header, row.headerValue}
		}
		got := d.expect(row.status, row.code, row.method, row.target, nil, headers...)
		if _, field, detail := got.problem(); field != row.field || !strings.Contains(detail, field) {
			t.Errorf("%s %s: field %q, detail %q; expected field %q, named in the detail", row.method, row.target, field, detail, row.field)
		}
	}
	if left := names(d.list("/dir?path=/")); left != "away beside file folder loop pipe" {
		t.Errorf("what was refused left: %s", left)
	}
	if entries, _ := os.ReadDir(d.outside); len(entries) != 1 {
		t.Errorf("outside: %v", entries)
	}
}

func TestAFolderIsListedByPageAndOrder(t *testing.T) {
	d := newDisk(t)
	d.write("b", "22")
	d.write("c", "1")
	d.write("a/inner", "")
	d.write(".hidden", "333")
	early := time.Date(2001, 2, 3, 4, 5, 6, 0, time.UTC)
	must(t, os.Chtimes(filepath.Join(d.root, "c"), early, early))
	must(t, os.Symlink("a", filepath.Join(d.root, "to-a")))
	must(t, os.Symlink("b", filepath.Join(d.root, "to-b")))
	must(t, os.Symlink("gone", filepath.Join(d.root, "to-gone")))
	must(t, os.Symlink("/etc/passwd", filepath.Join(d.root, "to-away")))
	for target, expected := range map[string]string{
		"/dir":                               ".hidden a b c to-a to-away to-b to-gone",
		"/dir?order=desc":                    "to-gone to-b to-away to-a c b a .hidden",
		"/dir?sort=type":                     "a .hidden b c to-a to-away to-b to-gone",
		"/dir?sort=size&order=desc&size=3":   ".hidden b c",
		"/dir?sort=time&size=1":              "c",
		"/dir?size=3&page=2":                 "c to-a to-away",
		"/dir?size=3&page=4":                 "",
		"/dir?path=a":                        "inner",
		"/dir" + at("to-a"):                  "inner",
		"/dir" + at("//a//", "sort", "name"): "inner",
	} {
		result := d.list(target)
		if names(result) != expected {
			t.Errorf("%s: %s, expected %s", target, names(result), expected)
		}
		if !strings.Contains(target, "a") && result.Total != 8 {
			t.Errorf("%s: total %d", target, result.Total)
		}
	}
	facts := map[string]entry{}
	for _, one := range d.list("/dir").Entries {
		facts[one.Name] = one
	}
	if c := facts["c"]; c.Type != "file" || c.Size != 1 || !c.At.Equal(early) {
		t.Errorf("c: %+v", c)
	}
	for name, leads := range map[string]string{"to-a": "folder", "to-b": "file", "to-gone": "nothing", "to-away": "outside"} {
		if one := facts[name]; one.Type != "link" || one.Leads != leads || one.Target == "" {
			t.Errorf("%s: %+v, expected to lead to %s", name, one, leads)
		}
	}
	must(t, os.Mkdir(filepath.Join(d.root, "..dots"), 0o755))
	if result := d.list("/dir" + at("/..dots")); result.Path != "/..dots" {
		t.Errorf("path: %q", result.Path)
	}
}

// Every name that Linux allows can be made, listed, addressed and fetched under its own name.
func TestAnyNameWorks(t *testing.T) {
	d := newDisk(t)
	all := []string{
		"ordinary.txt", "with space", `quote"back\slash`, "line\nbreak\r\nX-Evil: yes", "semi;colon=%2F..", "名前 für ünï.txt", "..hidden", "...",
		"-rf", "\x01\x7f", "bytes-\xff\xfe-end", "\u202egnp.exe", "😀", strings.Repeat("長", 85), "a%00b", "C:\\con", "*?[]", "~",
	}
	for _, name := range all {
		d.expect(201, "", "PUT", "/file"+at("/"+name), strings.NewReader("content of "+name))
		got := d.expect(200, "", "GET", "/file"+at("/"+name), nil)
		if got.body != "content of "+name {
			t.Errorf("%q: content %q", name, got.body)
		}
		kind, params, err := mime.ParseMediaType(got.header.Get("Content-Disposition"))
		if err != nil || kind != "attachment" || params["filename"] != name {
			t.Errorf("%q: %s %q %v", name, kind, params, err)
		}
		if got.header.Get("X-Evil") != "" || got.header.Get("Content-Type") != "application/octet-stream" {
			t.Errorf("%q: headers %v", name, got.header)
		}
	}
	result := d.list("/dir?size=1000")
	if result.Total != len(all) {
		t.Errorf("total: %d of %d", result.Total, len(all))
	}
	for _, one := range result.Entries {
		address := one.Encoded
		if address == "" {
			address = url.QueryEscape(one.Name)
		}
		d.expect(204, "", "DELETE", "/file?path=/"+address, nil)
	}
	if left := d.list("/dir"); left.Total != 0 {
		t.Errorf("left: %s", names(left))
	}
}

func TestTimesThatNoCalendarHas(t *testing.T) {
	d := newDisk(t)
	d.write("late", "")
	d.write("early", "")
	for name, second := range map[string]int64{"late": 1 << 33, "early": -1 << 40} {
		when := []unix.Timespec{{Sec: second}, {Sec: second}}
		_ = unix.UtimesNanoAt(unix.AT_FDCWD, filepath.Join(d.root, name), when, 0)
	}
	if found := names(d.list("/dir?sort=time")); found != "early late" {
		t.Error(found)
	}
	facts := unix.Stat_t{}
	facts.Mtim.Sec = 1 << 50
	if year := shown(facts).Year(); year != 9999 {
		t.Errorf("year %d", year)
	}
}

func TestFoldersAndNames(t *testing.T) {
	d := newDisk(t)
	must(t, os.Chown(d.root, 1000, 1001))
	d.expect(201, "", "POST", "/dir"+at("/one"), nil)
	d.expect(201, "", "POST", "/dir"+at("/one/two"), nil)
	d.expect(201, "", "PUT", "/file"+at("/one/two/file"), strings.NewReader("content"))
	var of unix.Stat_t
	must(t, unix.Stat(filepath.Join(d.root, "one/two/file"), &of))
	if of.Uid != 1000 || of.Gid != 1001 || of.Mode&0o7777 != 0o644 {
		t.Errorf("a new file belongs to %d:%d with mode %o, expected whom the folder belongs to", of.Uid, of.Gid, of.Mode)
	}
	d.expect(204, "", "POST", "/rename"+at("/one/two", "to", "/moved"), nil)
	d.write("other", "older")
	d.expect(204, "", "POST", "/rename"+at("/moved/file", "to", "/other", "overwrite", "true"), nil)
	if d.content("other") != "content" {
		t.Error("a rename that may overwrite did not")
	}
	// A link is moved and removed as itself.
	must(t, os.Symlink(d.outside, filepath.Join(d.root, "one/away")))
	d.expect(204, "", "POST", "/rename"+at("/one/away", "to", "/one/still"), nil)
	d.expect(204, "", "DELETE", "/file"+at("/one/still"), nil)
	must(t, os.Symlink(d.outside, filepath.Join(d.root, "one/away")))
	d.expect(204, "", "DELETE", "/dir"+at("/one"), nil)
	if left := names(d.list("/dir")); left != "moved other" {
		t.Errorf("left: %s", left)
	}
	if text, err := os.ReadFile(filepath.Join(d.outside, "secret")); err != nil || string(text) != "secret" {
		t.Error("a removal followed a link")
	}
}

func TestADownloadKnowsRangesAndVersions(t *testing.T) {
	d := newDisk(t)
	d.write("file", "0123456789")
	must(t, os.Symlink("file", filepath.Join(d.root, "link")))
	whole := d.expect(200, "", "GET", "/file"+at("/link"), nil)
	tag := whole.header.Get("ETag")
	if whole.body != "0123456789" || tag == "" || whole.header.Get("Last-Modified") == "" {
		t.Errorf("whole: %q %v", whole.body, whole.header)
	}
	head := d.expect(200, "", "HEAD", "/file"+at("/file"), nil)
	if head.header.Get("Content-Length") != "10" || head.body != "" || head.header.Get("Accept-Ranges") != "bytes" {
		t.Errorf("head: %v", head.header)
	}
	for asked, expected := range map[string]string{"bytes=2-4": "234", "bytes=7-": "789", "bytes=-2": "89"} {
		if got := d.expect(206, "", "GET", "/file"+at("/file"), nil, "Range", asked, "If-Range", tag); got.body != expected {
			t.Errorf("%s: %q", asked, got.body)
		}
	}
	d.expect(304, "", "GET", "/file"+at("/file"), nil, "If-None-Match", tag)
	outside := d.expect(416, "RangeOutside", "GET", "/file"+at("/file"), nil, "Range", "bytes=10-")
	if outside.header.Get("Content-Range") != "bytes */10" || outside.header.Get("Content-Type") != "application/problem+json" {
		t.Errorf("416: %v", outside.header)
	}
	d.write("file", "abcdefghij")
	if got := d.expect(200, "", "GET", "/file"+at("/file"), nil, "Range", "bytes=2-4", "If-Range", tag); got.body != "abcdefghij" {
		t.Errorf("a range of an older version: %q", got.body)
	}
}

func TestAnUploadGoesOnWhereItStands(t *testing.T) {
	d := newDisk(t)
	put := func(status int, code, upload, span, body string) answer {
		t.Helper()
		return d.expect(status, code, "PUT", "/file"+at("/file", "upload", upload), strings.NewReader(body), "Content-Range", span)
	}
	state := func(upload string) string {
		return d.ask("HEAD", "/upload"+at("/file", "upload", upload), nil).header.Get("Upload-Offset")
	}
	if got := put(202, "", "upload-one", "bytes 0-3/10", "0123"); got.header.Get("Upload-Offset") != "4" {
		t.Errorf("after a piece: %v", got.header)
	}
	// Another upload of the same name, at the same time.
	put(202, "", "upload-two", "bytes 0-1/4", "ab")
	if got := put(409, "OffsetDiffers", "upload-one", "bytes 0-3/10", "0123"); got.header.Get("Upload-Offset") != "4" {
		t.Errorf("a piece again: %v", got.header)
	}
	put(409, "OffsetDiffers", "upload-one", "bytes 6-9/10", "6789")
	put(409, "OffsetDiffers", "upload-one", "bytes */10", "")
	if state("upload-one") != "4" || state("upload-two") != "2" {
		t.Errorf("offsets: %s, %s", state("upload-one"), state("upload-two"))
	}
	found := d.list("/dir")
	if found.Total != 2 || found.Entries[0].Type != "upload" || !strings.HasPrefix(found.Entries[0].Name, "file.") {
		t.Errorf("unfinished uploads are listed: %+v", found)
	}
	put(201, "", "upload-one", "bytes 4-9/10", "456789")
	if d.content("file") != "0123456789" {
		t.Errorf("content: %q", d.content("file"))
	}
	// The other upload is late, keeps its bytes, and may replace on demand.
	put(409, "Exists", "upload-two", "bytes 2-3/4", "cd")
	must(t, os.Chmod(filepath.Join(d.root, "file"), 0o640))
	must(t, os.Chown(filepath.Join(d.root, "file"), 7, 8))
	d.expect(200, "", "PUT", "/file"+at("/file", "upload", "upload-two", "overwrite", "true"), strings.NewReader("cd"), "Content-Range", "bytes 2-3/4")
	var of unix.Stat_t
	must(t, unix.Stat(filepath.Join(d.root, "file"), &of))
	if d.content("file") != "abcd" || of.Mode&0o7777 != 0o640 || of.Uid != 7 || of.Gid != 8 {
		t.Errorf("replaced: %q mode %o of %d:%d", d.content("file"), of.Mode&0o7777, of.Uid, of.Gid)
	}
	// Abandoned, and removed in both ways.
	put(409, "Exists", "upload-bye", "bytes 0-3/10", "0123")
	other := "/file" + at("/other", "upload", "upload-bye")
	d.expect(202, "", "PUT", other, strings.NewReader("01"), "Content-Range", "bytes 0-1/4")
	d.expect(204, "", "DELETE", "/upload"+at("/other", "upload", "upload-bye"), nil)
	d.expect(202, "", "PUT", other, strings.NewReader("01"), "Content-Range", "bytes 0-1/4")
	d.expect(204, "", "DELETE", "/file"+at("/"+d.list("/dir?order=desc").Entries[0].Name), nil)
	if left := names(d.list("/dir")); left != "file" {
		t.Errorf("left: %s", left)
	}
	// Empty files, by both ways.
	d.expect(201, "", "PUT", "/file"+at("/empty"), nil)
	d.expect(201, "", "PUT", "/file"+at("/empty-too", "upload", "upload-empty"), nil, "Content-Range", "bytes */0")
	// In chunks, without a length.
	d.expect(201, "", "PUT", "/file"+at("/chunks"), io.MultiReader(strings.NewReader("in "), strings.NewReader("chunks")))
	if d.content("chunks") != "in chunks" || d.content("empty")+d.content("empty-too") != "" {
		t.Error("chunks or empty files came out wrong")
	}
	tooLong := io.MultiReader(strings.NewReader("abc"), strings.NewReader("def"))
	d.expect(400, "BodyTooLong", "PUT", "/file"+at("/long", "upload", "upload-long"), tooLong, "Content-Range", "bytes 0-3/9")
}

// The first piece hangs in a connection that nobody serves any more; the second call takes over at the offset reached.
func TestALaterCallTakesOver(t *testing.T) {
	d := newDisk(t)
	target := "/file" + at("/file", "upload", "the-upload")
	body, sender := io.Pipe()
	first := make(chan answer, 1)
	go func() {
		got, _ := d.try("PUT", target, body, "Content-Range", "bytes 0-9/10")
		first <- got
	}()
	_, err := sender.Write([]byte("0123"))
	must(t, err)
	d.wait("4 bytes arrive", func() bool {
		return d.ask("HEAD", "/upload"+at("/file", "upload", "the-upload"), nil).header.Get("Upload-Offset") == "4"
	})
	d.expect(201, "", "PUT", target, strings.NewReader("456789"), "Content-Range", "bytes 4-9/10")
	// The rest of its body, without which the server answers nothing; the answer may come before the last byte of it.
	_, _ = sender.Write([]byte("456789"))
	_ = sender.Close()
	if code, _, _ := (<-first).problem(); code != "TakenOver" {
		t.Errorf("the first call: %s", code)
	}
	if d.content("file") != "0123456789" {
		t.Errorf("content: %q", d.content("file"))
	}
}

// wait looks again until a condition holds; the limit is for a broken server only.
func (d *disk) wait(what string, holds func() bool) {
	d.t.Helper()
	for limit := time.Now().Add(30 * time.Second); !holds(); runtime.Gosched() {
		if time.Now().After(limit) {
			d.t.Fatalf("not within 30 s: %s", what)
		}
	}
}

func TestManyUploadsOfOneNameDoNotMix(t *testing.T) {
	d := newDisk(t)
	const callers = 8
	var all sync.WaitGroup
	for caller := range callers {
		all.Add(1)
		go func() {
			defer all.Done()
			whole := bytes.Repeat([]byte{byte('a' + caller)}, 1<<20)
			id := fmt.Sprintf("upload-%d", caller)
			for from := 0; from < len(whole); from += 1 << 18 {
				until := from + 1<<18
				_, _ = d.try("PUT", "/file"+at("/file", "upload", id, "overwrite", "true"), bytes.NewReader(whole[from:until]),
					"Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, until-1, len(whole)))
			}
		}()
	}
	all.Wait()
	text := d.content("file")
	if len(text) != 1<<20 || strings.Count(text, text[:1]) != len(text) {
		t.Errorf("mixed: %d bytes", len(text))
	}
	if left := names(d.list("/dir")); left != "file" {
		t.Errorf("left: %s", left)
	}
}

// impatient makes standing still end soon, for the servers that this test starts.
func impatient(t *testing.T, after time.Duration) {
	before := idle
	idle = after
	t.Cleanup(func() { idle = before })
}

// dial speaks HTTP by hand, as a caller does that stops in the middle.
func (d *disk) dial(text string) net.Conn {
	d.t.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(d.address, "http://"))
	must(d.t, err)
	d.t.Cleanup(func() { _ = connection.Close() })
	must(d.t, connection.SetDeadline(time.Now().Add(30*time.Second)))
	_, err = io.WriteString(connection, text)
	must(d.t, err)
	return connection
}

func TestWhoStandsStillIsLetGo(t *testing.T) {
	// Long enough for the download to be seen before it is given up.
	impatient(t, 2*time.Second)
	d := newDisk(t)
	authorization := "Authorization: Bearer " + token + "\r\n"

	// In the headers.
	text, err := io.ReadAll(d.dial("GET /usage HTTP/1.1\r\nHost: disk\r\n"))
	if err != nil {
		t.Errorf("half a header: %q, %v", text, err)
	}
	// In the body: the caller gets an error, and received bytes stay.
	text, err = io.ReadAll(d.dial("PUT /file" + at("/up", "upload", "stands-still") + " HTTP/1.1\r\nHost: disk\r\n" + authorization +
		"Content-Range: bytes 0-9/10\r\nContent-Length: 10\r\n\r\n0123"))
	if err != nil || !strings.Contains(string(text), "TooSlow") || !strings.Contains(string(text), "Upload-Offset: 4") {
		t.Errorf("half a body: %q, %v", text, err)
	}
	// In the answer: more than sockets buffer, of which nothing is read. The file is released.
	file, err := os.Create(filepath.Join(d.root, "large"))
	must(t, err)
	defer file.Close()
	must(t, file.Truncate(1<<30))
	d.dial("GET /file" + at("/large") + " HTTP/1.1\r\nHost: disk\r\n" + authorization + "\r\n")
	opened := func() (count int) {
		names, _ := os.ReadDir("/proc/self/fd")
		for _, one := range names {
			if target, _ := os.Readlink("/proc/self/fd/" + one.Name()); target == file.Name() {
				count++
			}
		}
		return count
	}
	d.wait("the download begins", func() bool { return opened() == 2 })
	d.wait("the download is given up", func() bool { return opened() == 1 })
}

// Slow is not still: these take longer in all than standing still may last, which is what the pauses are for.
func TestWhoIsSlowIsServed(t *testing.T) {
	impatient(t, 2*time.Second)
	const pauses, pause = 12, 200 * time.Millisecond
	d := newLightDisk(t)
	file, err := os.Create(filepath.Join(d.root, "large"))
	must(t, err)
	defer file.Close()
	must(t, file.Truncate(256<<20))
	download := d.dial("GET /file" + at("/large") + " HTTP/1.1\r\nHost: disk\r\nAuthorization: Bearer " + token + "\r\nConnection: close\r\n\r\n")
	body, sender := io.Pipe()
	received := int64(0)
	go func() {
		for range pauses {
			<-time.After(pause)
			n, _ := io.CopyN(io.Discard, download, 1<<20)
			received += n
			_, _ = sender.Write([]byte("x"))
		}
		_ = sender.Close()
	}()
	d.expect(201, "", "PUT", "/file"+at("/slow"), body)
	if content := d.content("slow"); content != strings.Repeat("x", pauses) {
		t.Errorf("slow upload: %q", content)
	}
	rest, err := io.Copy(io.Discard, download)
	if received += rest; err != nil || received < 256<<20 {
		t.Errorf("slow download: %d bytes, %v", received, err)
	}
}

// A separate volume that really is full.
func smallDisk(t *testing.T, size string) *disk {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting a volume needs root")
	}
	d := &disk{t: t, root: t.TempDir()}
	if err := unix.Mount("tmpfs", d.root, "tmpfs", 0, "size="+size); err != nil {
		t.Skip("this machine lets nobody mount a tmpfs:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(d.root, unix.MNT_DETACH) })
	d.address = d.serve(t.TempDir())
	return d
}

// XFS reserves room behind what grows, and would say for minutes that more is used than was uploaded.
func TestAnUploadTakesNoMoreRoomThanItsBytes(t *testing.T) {
	d := &disk{t: t, root: newXFS(t)}
	d.address = d.serve(t.TempDir())
	const pieces, size = 50, 1 << 20
	piece := strings.Repeat("x", size)
	for at := range pieces {
		span := fmt.Sprintf("bytes %d-%d/%d", at*size, (at+1)*size-1, pieces*size)
		status := 202
		if at == pieces-1 {
			status = 201
		}
		d.expect(status, "", "PUT", "/file?path=/model.bin&upload=upload-one", strings.NewReader(piece), "Content-Range", span)
	}
	var of unix.Stat_t
	must(t, unix.Stat(filepath.Join(d.root, "model.bin"), &of))
	if of.Size != pieces*size || of.Blocks*512 != of.Size {
		t.Errorf("%d bytes take %d", of.Size, of.Blocks*512)
	}
}

func newXFS(t *testing.T) string {
	t.Helper()
	return mountXFS(t, makeXFS(t))
}

func makeXFS(t *testing.T, options ...string) (image string) {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("mounting a volume needs root")
	}
	image = filepath.Join(t.TempDir(), "disk.xfs")
	must(t, os.WriteFile(image, nil, 0o600))
	must(t, os.Truncate(image, 1<<30))
	if out, err := exec.Command("mkfs.xfs", append(options, "-q", image)...).CombinedOutput(); err != nil {
		t.Skipf("this machine makes no XFS: %v %s", err, out)
	}
	return image
}

func mountXFS(t *testing.T, image string) (root string) {
	t.Helper()
	root = t.TempDir()
	if out, err := exec.Command("mount", "-o", "loop,noatime", image, root).CombinedOutput(); err != nil {
		t.Skipf("this machine mounts no loop device: %s", out)
	}
	t.Cleanup(func() { _ = unix.Unmount(root, unix.MNT_DETACH) })
	return root
}

func TestAFullDiskKeepsWhatIsThere(t *testing.T) {
	d := smallDisk(t, "4m")
	d.write("old", "older content")
	piece := strings.Repeat("x", 3<<20)
	// Known before: nothing is written.
	d.expect(507, "DiskFull", "PUT", "/file"+at("/old", "overwrite", "true"), strings.NewReader(piece+piece))
	d.expect(507, "DiskFull", "PUT", "/file"+at("/new", "upload", "too-large"), strings.NewReader(piece), "Content-Range", "bytes 0-3145727/6291456")
	// Found out while writing.
	d.expect(507, "DiskFull", "PUT", "/file"+at("/new"), io.MultiReader(strings.NewReader(piece), strings.NewReader(piece)))
	if left := names(d.list("/dir")); left != "old" || d.content("old") != "older content" {
		t.Errorf("left: %s, %q", left, d.content("old"))
	}
	// A resumable upload keeps its offset, and resumes once there is space.
	resumable := "/file" + at("/new", "upload", "goes-on-later")
	d.expect(202, "", "PUT", resumable, strings.NewReader(piece[:2<<20]), "Content-Range", "bytes 0-2097151/3145728")
	d.write("between", piece[:3<<19])
	got := d.expect(507, "DiskFull", "PUT", resumable, strings.NewReader(piece[:1<<20]), "Content-Range", "bytes 2097152-3145727/3145728")
	if got.header.Get("Upload-Offset") != "2097152" {
		t.Errorf("offset: %v", got.header)
	}
	must(t, os.Remove(filepath.Join(d.root, "between")))
	d.expect(201, "", "PUT", resumable, strings.NewReader(piece[:1<<20]), "Content-Range", "bytes 2097152-3145727/3145728")
	var used usage
	must(t, json.Unmarshal([]byte(d.expect(200, "", "GET", "/usage", nil).body), &used))
	if used.TotalBytes != 4<<20 || used.UsedBytes < 3<<20 || used.AvailableBytes+used.UsedBytes != used.TotalBytes {
		t.Errorf("usage: %+v", used)
	}
}

func TestAReadOnlyDiskSaysSo(t *testing.T) {
	d := smallDisk(t, "1m")
	d.write("file", "content")
	must(t, unix.Mount("", d.root, "", unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	d.expect(403, "ReadOnly", "PUT", "/file"+at("/new"), strings.NewReader("x"))
	d.expect(403, "ReadOnly", "POST", "/dir"+at("/new"), nil)
	d.expect(403, "ReadOnly", "DELETE", "/file"+at("/file"), nil)
	if got := d.expect(200, "", "GET", "/file"+at("/file"), nil); got.body != "content" {
		t.Errorf("content: %q", got.body)
	}
}

// In memory if possible: the same calls, without wearing out a disk.
func newLightDisk(t *testing.T) *disk {
	t.Helper()
	base, err := os.MkdirTemp("/dev/shm", "disk-")
	if err != nil {
		return newDisk(t)
	}
	t.Cleanup(func() { _ = os.RemoveAll(base) })
	d := &disk{t: t, root: filepath.Join(base, "disk")}
	must(t, os.Mkdir(d.root, 0o755))
	d.address = d.serve(base)
	return d
}

// 100,000 names, and more than 4 GiB that are mostly a hole: neither may be held in memory.
func TestLargeFoldersAndFiles(t *testing.T) {
	d := newLightDisk(t)
	const many = 100_000
	must(t, os.Mkdir(filepath.Join(d.root, "many"), 0o755))
	folder, err := unix.Open(filepath.Join(d.root, "many"), unix.O_RDONLY|unix.O_DIRECTORY, 0)
	must(t, err)
	defer unix.Close(folder)
	for number := range many {
		must(t, unix.Mknodat(folder, fmt.Sprintf("file-%06d", number), unix.S_IFREG|0o644, 0))
	}
	last := d.list("/dir" + at("/many", "page", "1000", "size", "100"))
	if last.Total != many || len(last.Entries) != 100 || last.Entries[99].Name != "file-099999" {
		t.Errorf("last page: %d of %d", len(last.Entries), last.Total)
	}
	if first := d.list("/dir" + at("/many", "sort", "time", "size", "2")); first.Total != many || len(first.Entries) != 2 {
		t.Errorf("first page: %+v", first)
	}
	// More than the old format of a zip can list, and as many as this server adds to one.
	if zipped := d.unzip("/many"); len(zipped) != many {
		t.Errorf("zip: %d files", len(zipped))
	}
	d.write("many/one-more", "")
	d.expect(413, "FolderTooLarge", "GET", "/zip"+at("/many"), nil)
	d.expect(204, "", "DELETE", "/dir"+at("/many"), nil)

	const large = 4<<30 + 4<<20
	file, err := os.Create(filepath.Join(d.root, "large"))
	must(t, err)
	defer file.Close()
	must(t, file.Truncate(large))
	_, err = file.WriteAt([]byte("the end"), large-7)
	must(t, err)
	d.expect(200, "", "HEAD", "/file"+at("/large"), nil)
	// Across the four gibibytes, and to the end.
	const from = 4<<30 - 256<<20
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	request, err := http.NewRequest("GET", d.address+"/file"+at("/large"), nil)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Range", fmt.Sprintf("bytes=%d-", int64(from)))
	response, err := http.DefaultClient.Do(request)
	must(t, err)
	defer response.Body.Close()
	end := make([]byte, 7)
	n, err := io.Copy(io.Discard, io.LimitReader(response.Body, large-from-7))
	if err != nil || n != large-from-7 {
		t.Errorf("downloaded %d: %v", n, err)
	}
	if _, err = io.ReadFull(response.Body, end); err != nil || string(end) != "the end" {
		t.Errorf("end: %q, %v", end, err)
	}
	runtime.ReadMemStats(&after)
	if grown := after.TotalAlloc - before.TotalAlloc; grown > 64<<20 {
		t.Errorf("downloading 260 MiB allocated %d bytes", grown)
	}
	// An upload of the same size, whose last piece arrives now.
	part := filepath.Join(d.root, partName("up", "as-large-too"))
	must(t, os.WriteFile(part, nil, 0o600))
	must(t, os.Truncate(part, large-7))
	d.expect(201, "", "PUT", "/file"+at("/up", "upload", "as-large-too"), strings.NewReader("the end"),
		"Content-Range", fmt.Sprintf("bytes %d-%d/%d", int64(large-7), int64(large-1), int64(large)))
	if got := d.expect(206, "", "GET", "/file"+at("/up"), nil, "Range", "bytes=-9"); got.body != "\x00\x00the end" {
		t.Errorf("uploaded: %q", got.body)
	}
}
