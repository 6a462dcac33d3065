package receive

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func digest(content string) string {
	sum := sha256.Sum256([]byte(content))
	return hex.EncodeToString(sum[:])
}

type bench struct {
	*testing.T
	folder, list string
	r            *receiver
}

func newBench(t *testing.T, files ...File) *bench {
	text, _ := json.Marshal(files)
	b := &bench{T: t, folder: t.TempDir(), list: string(text)}
	b.restart()
	return b
}

func (b *bench) restart() {
	root, err := os.OpenRoot(b.folder)
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { root.Close() })
	b.r = newReceiver(root, Options{Manifest: digest(b.list), Bytes: 100})
}

func (b *bench) call(method, url, body string) *httptest.ResponseRecorder {
	answer := httptest.NewRecorder()
	b.r.ServeHTTP(answer, httptest.NewRequest(method, url, strings.NewReader(body)))
	return answer
}

// takes the list, and looks through what is in the folder.
func (b *bench) takes() {
	b.Helper()
	b.wants("the list", b.call("PUT", "/list", b.list), 200)
	for limit := time.Now().Add(10 * time.Second); strings.Contains(b.call("GET", "/missing", "").Body.String(), `"checking":true`); {
		if time.Now().After(limit) {
			b.Fatal("it looks at what it has for ever")
		}
		time.Sleep(time.Millisecond)
	}
}

func (b *bench) wants(what string, answer *httptest.ResponseRecorder, status int) {
	b.Helper()
	if answer.Code != status {
		b.Errorf("%s: %d %s, wanted %d", what, answer.Code, answer.Body, status)
	}
}

func (b *bench) isComplete() bool {
	select {
	case <-b.r.complete:
		return true
	default:
		return false
	}
}

func file(path, content string) File {
	return File{path, digest(content), int64(len(content))}
}

func TestFilesArriveAndItEnds(t *testing.T) {
	b := newBench(t, file("model/a.gguf", "weights"), file("model/sub/empty", ""), file("adapters/x/b", "lora"))
	b.wants("a file before the list", b.call("PUT", "/file?path=model/a.gguf&offset=0", "weights"), http.StatusNotFound)
	b.takes()
	b.wants("the first half", b.call("PUT", "/file?path=model/a.gguf&offset=0", "wei"), 200)
	if got := b.call("GET", "/missing", "").Body.String(); !strings.Contains(got, `{"path":"model/a.gguf","have":3}`) {
		t.Errorf("missing: %s", got)
	}
	b.wants("from elsewhere", b.call("PUT", "/file?path=model/a.gguf&offset=0", "weights"), http.StatusConflict)
	b.wants("the second half", b.call("PUT", "/file?path=model/a.gguf&offset=3", "ghts"), 200)
	b.wants("an empty file", b.call("PUT", "/file?path=model/sub/empty&offset=0", ""), 200)
	if b.isComplete() {
		t.Error("it ended before all was there")
	}
	b.wants("the last", b.call("PUT", "/file?path=adapters/x/b&offset=0", "lora"), 200)
	if !b.isComplete() {
		t.Error("it does not end")
	}
	content, _ := os.ReadFile(filepath.Join(b.folder, "model/a.gguf"))
	if string(content) != "weights" {
		t.Errorf("it holds %q", content)
	}
}

func TestNothingElseArrives(t *testing.T) {
	b := newBench(t, file("model/a", "weights"))
	b.wants("another list", b.call("PUT", "/list", `[]`), http.StatusForbidden)
	b.wants("a long list", b.call("PUT", "/list", strings.Repeat("x", MostList+1)), http.StatusRequestEntityTooLarge)
	b.takes()
	b.wants("other bytes", b.call("PUT", "/file?path=model/a&offset=0", "wrongly"), http.StatusUnprocessableEntity)
	b.wants("more bytes", b.call("PUT", "/file?path=model/a&offset=0", "weights and more"), http.StatusUnprocessableEntity)
	b.wants("another file", b.call("PUT", "/file?path=../b&offset=0", "x"), http.StatusNotFound)
	b.wants("another call", b.call("GET", "/file?path=model/a", ""), http.StatusNotFound)
	b.wants("the right ones, after all", b.call("PUT", "/file?path=model/a&offset=0", "weights"), 200)
	if !b.isComplete() {
		t.Error("it does not end")
	}
}

func TestListsThatNobodyMeans(t *testing.T) {
	for name, list := range map[string][]File{
		"outside":      {file("../a", "x")},
		"absolute":     {file("/a", "x")},
		"twice":        {file("a", "x"), file("a", "x")},
		"too much":     {{"a", digest("x"), 101}},
		"less than 0":  {{"a", digest("x"), -1}},
		"the folder":   {file(".", "x")},
		"a part":       {file("a.part", "x")},
		"empty string": {file("", "x")},
		"the list":     {file(ListName, "x")},
	} {
		b := newBench(t, list...)
		b.wants(name, b.call("PUT", "/list", b.list), http.StatusBadRequest)
	}
}

func TestWhatWasThereBeforeNeedsNoSender(t *testing.T) {
	b := newBench(t, file("model/a", "one"), file("model/b", "two"))
	if err := os.MkdirAll(filepath.Join(b.folder, "model"), 0o755); err != nil {
		t.Fatal(err)
	}
	for name, content := range map[string]string{"a": "one", "b": "two"} {
		if err := os.WriteFile(filepath.Join(b.folder, "model", name), []byte(content), 0o444); err != nil {
			t.Fatal(err)
		}
	}
	b.takes()
	if !b.isComplete() {
		t.Error("it does not end")
	}
}

func TestAfterARestartOnlyTheRestArrives(t *testing.T) {
	b := newBench(t, file("a", "one"), file("b", "two"), file("c", "three"))
	b.takes()
	b.wants("a", b.call("PUT", "/file?path=a&offset=0", "one"), 200)
	b.wants("half of b", b.call("PUT", "/file?path=b&offset=0", "t"), 200)
	if err := os.WriteFile(filepath.Join(b.folder, "c"), bytes.Repeat([]byte("x"), 5), 0o644); err != nil {
		t.Fatal(err)
	}
	b.restart()
	b.takes()
	if kept, err := os.ReadFile(filepath.Join(b.folder, ListName)); err != nil || string(kept) != b.list {
		t.Errorf("the folder says that it holds %q, %v", kept, err)
	}
	got := strings.TrimSpace(b.call("GET", "/missing", "").Body.String())
	if want := fmt.Sprintf(`{"hasList":true,"checking":false,"files":[%s,%s]}`, `{"path":"b","have":0}`, `{"path":"c","have":0}`); got != want {
		t.Errorf("missing: %s, wanted %s", got, want)
	}
}

func TestNothingArrivesWhileTheFolderIsLookedThrough(t *testing.T) {
	files := []File{file("a", "one"), file("b", "two")}
	b := newBench(t, files...)
	b.r.files, b.r.order, b.r.left, b.r.checking = map[string]*arriving{}, []string{"a", "b"}, 2, true
	for _, one := range files {
		b.r.files[one.Path] = &arriving{File: one, sum: sha256.New()}
	}
	b.wants("a whole file", b.call("PUT", "/file?path=a&offset=0", "one"), http.StatusConflict)
	b.r.recallAll()
	if b.isComplete() {
		t.Error("it ends without b")
	}
	b.wants("the file again", b.call("PUT", "/file?path=a&offset=0", "one"), http.StatusOK)
}
