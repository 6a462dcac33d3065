package task

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

func TestOnlyTheTokenOpens(t *testing.T) {
	b := newBench(t)
	hear(t, b.task.journal, point(1))
	boot := "?boot=" + b.task.outside.boot
	for name := range calls {
		method, path, _ := strings.Cut(name, " ")
		for what, given := range map[string]string{
			"none": "", "another": "Bearer " + token + "x", "part of it": "Bearer " + token[1:], "an empty one": "Bearer ",
			"its digest": "Bearer " + digest(token), "without Bearer": token, "another way": "Basic " + token,
		} {
			b.wants(name+" with "+what, send(method, b.gateway+path+boot, given, ""), 401, "Authorization")
		}
	}
	b.wants("an unknown call without one", send("GET", b.gateway+"/x", "", ""), 401, "Authorization")
	b.wants("an unknown call", b.call("GET", "/x", ""), 404, "no such call")
	b.wants("another method", b.call("POST", "/journal", ""), 404, "no such call")
	b.wants("health", send("GET", b.gateway+"/healthz", "", ""), 204, "")
	if got := understood[told](t, b.call("GET", "/journal", "")); len(got.Lines) != 1 {
		t.Errorf("with it: %+v", got)
	}
}

func TestADoorThatIsNone(t *testing.T) {
	for _, text := range []string{"", "x", digest(token)[1:], digest(token) + "00", strings.Repeat("g", 64)} {
		if _, err := readDoor([]byte(text)); err == nil {
			t.Errorf("%q is a door", text)
		}
	}
	for name, options := range map[string]Options{
		"--root":   {Root: t.TempDir() + "/nothing"},
		"in/door":  {Root: t.TempDir()},
		"--listen": {Root: newRoot(t), Listen: "nowhere"},
		"--ask":    {Root: newRoot(t), Listen: "127.0.0.1:0", Ask: "0.0.0.0:0"},
	} {
		options.Argv = []string{"true"}
		if _, err := Run(options); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestNumbersBelongToABoot(t *testing.T) {
	b := newBench(t)
	b.write("out/a", "12345")
	for _, call := range []struct{ method, path, query string }{
		{"GET", "/journal", "?after=1"}, {"GET", "/journal", "?boot=x"}, {"GET", "/journal", "?boot=x&after=1"}, {"GET", "/file", "?path=out/a"},
		{"POST", "/kept", "?boot=x&path=out/a"}, {"GET", "/ask", ""}, {"PUT", "/answer", "?id=1&status=200"}, {"POST", "/over", ""},
	} {
		b.wants(call.path+call.query, send(call.method, b.gateway+call.path+call.query, "Bearer "+token, ""), 409, "boot")
	}
	if got := understood[told](t, send("GET", b.gateway+"/journal?after=0", "Bearer "+token, "")); len(got.Lines) != 1 || got.Boot != b.task.outside.boot {
		t.Errorf("nothing may be lost: %+v", got)
	}
}

func TestQueriesThatAreRefused(t *testing.T) {
	b := newBench(t)
	b.write("out/a", "12345")
	for name, got := range map[string]reply{
		"a line that there is not": b.call("GET", "/journal", "", "after", "2"),
		"less than nothing":        b.call("GET", "/journal", "", "after", "-1"),
		"a number that is none":    b.call("GET", "/journal", "", "after", "1e3"),
		"an unknown parameter":     b.call("GET", "/journal", "", "from", "1"),
		"one that is there twice":  send("GET", b.gateway+"/journal?boot="+b.task.outside.boot+"&after=0&after=1", "Bearer "+token, ""),
		"an encoding that is none": send("GET", b.gateway+"/journal?boot=%zz", "Bearer "+token, ""),
		"beyond the file":          b.call("GET", "/file", "", "path", "out/a", "offset", "6"),
		"no asks":                  b.call("GET", "/ask", "", "most", "0"),
		"an answer to nobody":      b.call("PUT", "/answer", "", "status", "200"),
		"an answer without status": b.call("PUT", "/answer", "", "id", "1"),
		"a status that is none":    b.call("PUT", "/answer", "", "id", "1", "status", "101"),
	} {
		b.wants(name, got, 400, "")
	}
}

func TestALongPollWaits(t *testing.T) {
	b := newBench(t)
	got := make(chan reply, 2)
	for range 2 {
		go func() { got <- b.call("GET", "/journal", "") }()
	}
	eventually(t, "both to wait", func() bool { return len(b.task.outside.places) == 2 })
	hear(t, b.task.journal, point(1))
	for range 2 {
		if told := understood[told](t, <-got); len(told.Lines) != 1 || told.Lines[0].Line["n"] != 1.0 {
			t.Errorf("%+v", told)
		}
	}
	// Two gateways: the higher of what they kept counts, and nothing is said twice of what is kept.
	hear(t, b.task.journal, point(2)+point(3))
	if told := understood[told](t, b.call("GET", "/journal", "", "after", "2")); len(told.Lines) != 1 || told.Lines[0].Seq != 3 {
		t.Errorf("after 2: %+v", told)
	}
	if told := understood[told](t, b.call("GET", "/journal", "", "after", "1")); len(told.Lines) != 1 || told.Lines[0].Seq != 3 {
		t.Errorf("after 1, later: %+v", told)
	}
	// Without news it ends with none.
	shorter(t, &poll, 10*time.Millisecond)
	if told := understood[told](t, b.call("GET", "/journal", "", "after", "3")); len(told.Lines) != 0 || told.Over != nil {
		t.Errorf("without news: %+v", told)
	}
	if got := b.call("GET", "/ask", ""); got.body != `{"asks":[]}` {
		t.Errorf("without asks: %+v", got)
	}
	hear(t, b.task.journal, "NaN\n")
	if told := understood[told](t, b.call("GET", "/journal", "", "after", "3")); told.Refused != 1 {
		t.Errorf("a refused line: %+v", told)
	}
}

func TestCallsAreLimited(t *testing.T) {
	b := newBench(t)
	for range mostCalls {
		b.task.outside.places <- struct{}{}
	}
	b.wants("one too many", b.call("GET", "/journal", ""), 503, "more than 64 calls")
	b.wants("a stranger beside them", send("GET", b.gateway+"/journal", "", ""), 401, "")
	b.wants("health beside them", send("GET", b.gateway+"/healthz", "", ""), 204, "")
}

func TestOverIsRefusedBeforeTheEnd(t *testing.T) {
	b := newBench(t)
	hear(t, b.task.journal, point(1))
	b.wants("while it works", b.call("POST", "/over", ""), 409, "not over")
	ended := make(chan int, 1)
	go func() { ended <- b.task.hold(7, end{Code: 7}) }()
	b.wants("while its lines are read", b.call("POST", "/over", ""), 409, "not over")
	close(b.task.read)
	eventually(t, "the end to be told", func() bool {
		told := understood[told](t, b.call("GET", "/journal", ""))
		return len(told.Lines) == 1 && told.Over != nil && *told.Over == end{Code: 7}
	})
	b.wants("at the end", b.call("POST", "/over", ""), 204, "")
	b.wants("once more", b.call("POST", "/over", ""), 204, "")
	if code := <-ended; code != 7 {
		t.Errorf("code %d", code)
	}
}

// Results that are on their way are waited for, and whoever only looks holds nothing.
func TestTheHoldBeginsAnewWithWhatIsFetched(t *testing.T) {
	shorter(t, &poll, time.Millisecond)
	b := newBench(t)
	b.write("out/a", "12345")
	long := time.Now().Add(-time.Hour)
	for _, step := range []struct {
		what, method, path string
		params             []string
		isNews             bool
	}{
		{"looking", "GET", "/journal", []string{"after", "0"}, false},
		{"a file", "GET", "/file", []string{"path", "out/a"}, true},
		{"a file that is none", "GET", "/file", []string{"path", "out/b"}, false},
		{"keeping a line", "GET", "/journal", []string{"after", "1"}, true},
		{"the same line", "GET", "/journal", []string{"after", "1"}, false},
		{"keeping a file", "POST", "/kept", []string{"path", "out/a"}, true},
		{"the same file", "POST", "/kept", []string{"path", "out/a"}, false},
	} {
		b.task.outside.fetched.Store(&long)
		b.call(step.method, step.path, "", step.params...)
		if isNews := b.task.waits(time.Now()) > 0; isNews != step.isNews {
			t.Errorf("%s: the hold begins anew: %t", step.what, isNews)
		}
	}
}

func TestFilesAreServedAndKept(t *testing.T) {
	b := newBench(t)
	b.write("out/parts/文 1", "12345")
	must(t, os.WriteFile(filepath.Join(b.root, "out/unnamed"), []byte("x"), 0o644))
	file := []string{"path", "out/parts/文 1"}
	b.wants("whole", b.call("GET", "/file", "", file...), 200, "12345")
	for offset, want := range map[string]string{"0": "12345", "3": "45", "5": ""} {
		if got := b.call("GET", "/file", "", append(file, "offset", offset)...); got.status != 200 || got.body != want {
			t.Errorf("from %s: %+v", offset, got)
		}
	}
	for _, path := range []string{"out/unnamed", "out/parts", "in/door", "out/../in/door", "/etc/passwd", ""} {
		b.wants(path, b.call("GET", "/file", "", "path", path), 404, "no file that the journal named")
		b.wants("keeping "+path, b.call("POST", "/kept", "", "path", path), 204, "")
	}
	for range 2 {
		b.wants("kept", b.call("POST", "/kept", "", file...), 204, "")
		b.wants("gone", b.call("GET", "/file", "", file...), 404, "")
	}
	for path, isThere := range map[string]bool{"out/parts/文 1": false, "out/unnamed": true, "in/door": true} {
		if _, err := os.Stat(filepath.Join(b.root, path)); (err == nil) != isThere {
			t.Errorf("%s: %v", path, err)
		}
	}
}

func TestFilesThatAreNotWhatWasSaid(t *testing.T) {
	const canary = "canary"
	outside := filepath.Join(t.TempDir(), "outside")
	must(t, os.MkdirAll(outside, 0o755))
	must(t, os.WriteFile(filepath.Join(outside, "a"), []byte(canary), 0o644))
	for name, row := range map[string]struct {
		path   string
		make   func(at string) error
		status int
	}{
		"nothing":               {"out/a", func(string) error { return nil }, 404},
		"a folder":              {"out/a", func(at string) error { return os.Mkdir(at, 0o755) }, 409},
		"a link to outside":     {"out/a", func(at string) error { return os.Symlink(outside+"/a", at) }, 409},
		"a link to in":          {"out/a", func(at string) error { return os.Symlink("../in/door", at) }, 409},
		"a link to this memory": {"out/a", func(at string) error { return os.Symlink("/proc/self/environ", at) }, 409},
		"a link beside it": {"out/a", func(at string) error {
			return errors.Join(os.WriteFile(at+"b", []byte(canary), 0o644), os.Symlink("ab", at))
		}, 409},
		"a link to itself": {"out/a", func(at string) error { return os.Symlink("a", at) }, 409},
		"a folder that leads": {"out/parts/a", func(at string) error {
			return errors.Join(os.Remove(filepath.Dir(at)), os.Symlink(outside, filepath.Dir(at)))
		}, 409},
		"a folder that is none": {"out/parts/a", func(at string) error {
			return errors.Join(os.Remove(filepath.Dir(at)), os.WriteFile(filepath.Dir(at), nil, 0o644))
		}, 409},
		"out itself leads": {"out/a", func(at string) error {
			return errors.Join(os.RemoveAll(filepath.Dir(at)), os.Symlink(outside, filepath.Dir(at)))
		}, 409},
		"a pipe":            {"out/a", func(at string) error { return unix.Mkfifo(at, 0o644) }, 409},
		"a socket":          {"out/a", func(at string) error { return unix.Mknod(at, unix.S_IFSOCK|0o644, 0) }, 409},
		"a device":          {"out/a", func(at string) error { return unix.Mknod(at, unix.S_IFCHR|0o644, int(unix.Mkdev(1, 5))) }, 409},
		"a shorter file":    {"out/a", func(at string) error { return os.WriteFile(at, []byte(canary[1:]), 0o644) }, 409},
		"a longer file":     {"out/a", func(at string) error { return os.WriteFile(at, []byte(canary+"x"), 0o644) }, 409},
		"an endless file":   {"out/a", func(at string) error { return errors.Join(os.WriteFile(at, nil, 0o644), os.Truncate(at, 1<<40)) }, 409},
		"what was said":     {"out/a", func(at string) error { return os.WriteFile(at, []byte(canary), 0o644) }, 200},
		"other bytes of it": {"out/a", func(at string) error { return os.WriteFile(at, []byte("yranac"), 0o644) }, 200},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			if err := row.make(filepath.Join(b.root, row.path)); errors.Is(err, unix.EPERM) {
				t.Skip("a device needs root")
			} else {
				must(t, err)
			}
			b.name(row.path, canary)
			got := b.call("GET", "/file", "", "path", row.path)
			b.wants("the file", got, row.status, "")
			if row.status != 200 && strings.Contains(got.body, canary) {
				t.Errorf("it shows what is outside: %q", got.body)
			}
			b.wants("kept", b.call("POST", "/kept", "", "path", row.path), 204, "")
			b.wants("after that", b.call("GET", "/file", "", "path", row.path), 404, "named")
			if text, err := os.ReadFile(outside + "/a"); err != nil || string(text) != canary {
				t.Fatalf("outside has changed: %q %v", text, err)
			}
			if _, err := os.Stat(filepath.Join(b.root, "in/door")); err != nil {
				t.Error(err)
			}
		})
	}
}

// The worker exchanges a folder and a link to the outside while files are fetched and removed.
func TestASwapLeadsNowhere(t *testing.T) {
	b := newBench(t)
	outside := t.TempDir()
	const inner, canary = "inner!", "canary"
	must(t, os.Symlink(outside, filepath.Join(b.root, "out/spare")))
	var over atomic.Bool
	swapped := make(chan int)
	go func() {
		count := 0
		for ; !over.Load(); count++ {
			_ = unix.Renameat2(unix.AT_FDCWD, b.root+"/out/parts", unix.AT_FDCWD, b.root+"/out/spare", unix.RENAME_EXCHANGE)
		}
		swapped <- count
	}()
	counts := map[int]int{}
	for n := range 400 {
		name := "out/parts/" + strconv.Itoa(n)
		must(t, os.WriteFile(filepath.Join(outside, strconv.Itoa(n)), []byte(canary), 0o644))
		for _, folder := range []string{"parts", "spare"} {
			if at := filepath.Join(b.root, "out", folder); isFolder(at) {
				_ = os.WriteFile(filepath.Join(at, strconv.Itoa(n)), []byte(inner), 0o644)
			}
		}
		b.name(name, canary)
		got := b.call("GET", "/file", "", "path", name)
		if got.body == canary {
			// Written through the link by this test itself, or read through it: only the latter is wrong.
			if text, _ := os.ReadFile(filepath.Join(outside, strconv.Itoa(n))); string(text) == canary {
				t.Fatalf("%s shows what is outside", name)
			}
		}
		counts[got.status]++
		b.wants("kept", b.call("POST", "/kept", "", "path", name), 204, "")
	}
	over.Store(true)
	swaps := <-swapped
	if entries, err := os.ReadDir(outside); err != nil || len(entries) != 400 {
		t.Errorf("%d files are left outside: %v", len(entries), err)
	}
	if counts[200] == 0 || counts[409] == 0 {
		t.Errorf("the swap met no call: %v", counts)
	}
	t.Logf("%v, %d swaps", counts, swaps)
}

func isFolder(path string) bool {
	of, err := os.Lstat(path)
	return err == nil && of.IsDir()
}

// fetching starts to fetch a file and reads the first byte of it.
func (b *bench) fetching(path string) (*http.Response, net.Conn) {
	b.Helper()
	connection, err := net.Dial("tcp", strings.TrimPrefix(b.gateway, "http://"))
	must(b, err)
	b.Cleanup(func() { _ = connection.Close() })
	_, err = fmt.Fprintf(connection, "GET /file?boot=%s&path=%s HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer %s\r\n\r\n", b.task.outside.boot, path, token)
	must(b, err)
	response, err := http.ReadResponse(bufio.NewReaderSize(connection, 512), nil)
	must(b, err)
	_, err = response.Body.Read(make([]byte, 1))
	must(b, err)
	return response, connection
}

func TestAFileThatChangesWhileItIsRead(t *testing.T) {
	// More than all buffers on the way hold.
	const size = 64 << 20
	for name, row := range map[string]struct {
		change func(at string) error
		isCut  bool
	}{
		"shorter": {func(at string) error { return os.Truncate(at, 1) }, true},
		"longer":  {func(at string) error { return os.Truncate(at, 2*size) }, false},
		"removed": {os.Remove, false},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			at := filepath.Join(b.root, "out/a")
			must(t, os.WriteFile(at, nil, 0o644))
			must(t, os.Truncate(at, size))
			hear(t, b.task.journal, fmt.Sprintf(`{"type":"x","path":"out/a","sha256":"%s","bytes":%d}`+"\n", hash, size))
			response, _ := b.fetching("out/a")
			must(t, row.change(at))
			n, err := io.Copy(io.Discard, response.Body)
			if isCut := err != nil; isCut != row.isCut || !isCut && n != size-1 {
				t.Errorf("%d bytes, %v", n, err)
			}
		})
	}
}

func TestASlowCallerIsNotWaitedForForEver(t *testing.T) {
	shorter(t, &idle, 50*time.Millisecond)
	b := newBench(t)
	at := filepath.Join(b.root, "out/a")
	must(t, os.WriteFile(at, nil, 0o644))
	must(t, os.Truncate(at, 64<<20))
	hear(t, b.task.journal, fmt.Sprintf(`{"type":"x","path":"out/a","sha256":"%s","bytes":%d}`+"\n", hash, 64<<20))
	response, _ := b.fetching("out/a")
	eventually(t, "the place to be free", func() bool { return len(b.task.outside.places) == 0 })
	if n, err := io.Copy(io.Discard, response.Body); err == nil {
		t.Errorf("the caller got all of it: %d bytes", n)
	}
	b.wants("others", b.call("GET", "/journal", ""), 200, "")
}

func TestARefusalStopsTheWorkerBeforeTheEndIsFree(t *testing.T) {
	b := newBench(t)
	stops := 0
	b.task.outside.stop = func() {
		stops++
		select {
		case <-b.task.outside.left:
			t.Error("the process may be gone when its signal comes")
		default:
		}
	}
	if got := b.call("POST", "/refuse", "", "code", "73"); got.status != 204 || stops != 1 {
		t.Errorf("%+v, %d stops", got, stops)
	}
	<-b.task.outside.left
}
