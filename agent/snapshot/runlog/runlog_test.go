package runlog

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/klauspost/compress/gzip"
)

const at = "2026-11-23T10:00:00.123456789Z"

func open(path string, flags int) (*os.File, error) { return os.OpenFile(path, flags, 0) }

func written(t *testing.T, files map[string]string) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		raw := []byte(content)
		if strings.HasSuffix(name, ".gz") {
			var packed bytes.Buffer
			to := gzip.NewWriter(&packed)
			to.Write(raw)
			to.Close()
			raw = packed.Bytes()
		}
		if err := os.WriteFile(filepath.Join(dir, name), raw, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	return filepath.Join(dir, "0.log")
}

func line(text string) string { return at + " stdout F " + text + "\n" }

func TestALogIsReadAsKubectlShowsIt(t *testing.T) {
	for name, one := range map[string]struct{ raw, text string }{
		"whole lines":                   {line("a") + at + " stderr F b\n", at + " a\n" + at + " b\n"},
		"a long line in parts":          {at + " stdout P on\n" + at + " stdout P e l\n" + line("ine"), at + " one line\n"},
		"parts of two streams":          {at + " stdout P a\n" + at + " stderr F b\n", at + " a\n" + at + " b\n"},
		"a line that never ended":       {at + " stdout P a", at + " a\n"},
		"tags of several parts":         {at + " stdout F:x a\n", at + " a\n"},
		"an empty line":                 {line(""), at + " \n"},
		"any bytes":                     {line("\x00\xff\x1b[31m\u202e"), at + " \x00\xff\x1b[31m\u202e\n"},
		"what is no line of a log":      {"\n \n   \nhello\nstdout F x y\n" + line("a"), at + " a\n"},
		"nothing":                       {"", ""},
		"a time that would be too long": {strings.Repeat("2", 5000) + " stdout F x\n", ""},
	} {
		t.Run(name, func(t *testing.T) {
			tail, err := Read(open, written(t, map[string]string{"0.log": one.raw}), 1<<20)
			if err != nil || string(tail.Text) != one.text || tail.IsCut {
				t.Errorf("%q %v %v", tail.Text, tail.IsCut, err)
			}
		})
	}
}

func TestRotatedFilesComeBeforeTheNewestOne(t *testing.T) {
	file := written(t, map[string]string{
		"0.log": line("new"), "0.log.20261123-100002": line("old"), "0.log.20261123-100001.gz": line("older"),
		"1.log": line("another container's"), "0.log.20261123-100001.tmp": line("half packed"),
	})
	tail, err := Read(open, file, 1<<20)
	if want := at + " older\n" + at + " old\n" + at + " new\n"; err != nil || string(tail.Text) != want || tail.IsCut {
		t.Errorf("%q %v %v", tail.Text, tail.IsCut, err)
	}
}

func TestOfALongLogTheEndIsKept(t *testing.T) {
	var all, packed strings.Builder
	for i := range 10_000 {
		fmt.Fprint(&all, line(fmt.Sprint("line ", i)))
		fmt.Fprint(&packed, line(fmt.Sprint("old ", i)))
	}
	for name, files := range map[string]map[string]string{
		"of one file":               {"0.log": all.String()},
		"of a packed one before":    {"0.log": line("line 9999"), "0.log.1.gz": packed.String()},
		"of a rotated one before":   {"0.log": line("line 9999"), "0.log.1": packed.String()},
		"with others not looked at": {"0.log": all.String()[len(all.String())-4096:], "0.log.1": "x"},
	} {
		t.Run(name, func(t *testing.T) {
			tail, err := Read(open, written(t, files), 4096)
			if err != nil || !tail.IsCut || len(tail.Text) > 4096 || len(tail.Text) < 1000 {
				t.Fatalf("%d bytes, cut: %v, %v", len(tail.Text), tail.IsCut, err)
			}
			if !bytes.HasSuffix(tail.Text, []byte(" line 9999\n")) || !bytes.HasPrefix(tail.Text, []byte(at+" ")) {
				t.Errorf("%q…%q", tail.Text[:60], tail.Text[len(tail.Text)-60:])
			}
		})
	}
}

func TestALogThatIsGoneIsSaidToBe(t *testing.T) {
	if _, err := Read(open, filepath.Join(t.TempDir(), "none", "0.log"), 10); !errors.Is(err, os.ErrNotExist) {
		t.Error(err)
	}
}

// Whatever a node's files hold: no panic, no more than was asked for, and whole lines.
func FuzzRead(f *testing.F) {
	f.Add([]byte(line("a")), int64(10))
	f.Add([]byte(at+" stdout P a\n \n  x y\n"), int64(1000))
	f.Fuzz(func(t *testing.T, raw []byte, most int64) {
		most = 1 + (most&0xfff+0xfff)&0xfff
		tail, err := Read(open, written(t, map[string]string{"0.log": string(raw)}), most)
		if err != nil {
			t.Fatal(err)
		}
		if len(tail.Text) > 0 && (int64(len(tail.Text)) > most+1 || tail.Text[len(tail.Text)-1] != '\n') {
			t.Errorf("%d bytes of %d: %q", len(tail.Text), most, tail.Text)
		}
	})
}
