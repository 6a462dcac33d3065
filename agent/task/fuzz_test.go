package task

import (
	"encoding/json"
	"io/fs"
	"math"
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzJournal: whatever the worker writes, each line that is passed on is one object of scalars and units, of bounded size, names only
// files below out/, and would be passed on as it is. No two lines have the same number.
func FuzzJournal(f *testing.F) {
	for _, said := range []string{
		"", "\n", "\x00\n\xff\n", "null\n[]\n1\n\"\"\nNaN\n", points(3), points(2) + `{"type":"point"`, strings.Repeat("[", 20000) + "\n",
		`{"type":"plan","units":7,"kept":2}` + "\n" + `{"type":"done","rows":3,"rejected":0}` + "\n",
		partOf("["+unitOf(`,"reason":"x"`)+"]") + "\n" + partOf(`[{}]`) + "\n" + partOf("7") + "\n",
		`{"type":"failed","code":"X","values":{"a":1,"b":"c","d":null}}` + "\n" + `{"type":"failed","code":"X","values":null}` + "\n",
		`{"type":"x","path":"out/../in/door",` + of + "}\n" + `{"type":"x","path":"out/a",` + of + "}\n" + `{"type":"x","path":"out/a","sha256":"` + hash + `","bytes":6}` + "\n",
		`{"type":"x","a":1e308,"b":1e309,"c":-0,"d":1e-400,"e":"\u0000\ud800\u2028","__proto__":{"a":1}}` + "\n",
	} {
		f.Add([]byte(said))
	}
	f.Fuzz(func(t *testing.T, said []byte) {
		if len(said) > 1<<18 || strings.Count(string(said), "\n") > mostHeld {
			t.Skip()
		}
		j := newJournal()
		hear(t, j, string(said))
		for at, entry := range j.entries {
			if entry.seq != int64(at)+1 || !json.Valid(entry.text) {
				t.Fatalf("entry %d: %d %q", at, entry.seq, entry.text)
			}
			var passed struct{ Line json.RawMessage }
			must(t, json.Unmarshal(entry.text, &passed))
			check(t, passed.Line)
		}
		for path := range j.named {
			if !fs.ValidPath(path) || !strings.HasPrefix(path, "out/") {
				t.Fatalf("%q is named", path)
			}
		}
		if lines := strings.Count(string(said), "\n"); int64(lines) > j.last+j.refused {
			t.Fatalf("%d lines, %d passed on, %d refused", lines, j.last, j.refused)
		}
	})
}

func check(t *testing.T, text []byte) {
	t.Helper()
	again, err := readLine(text)
	if err != nil || string(again.text) != string(text) {
		t.Fatalf("%q is passed on as %q a second time: %v", text, again.text, err)
	}
	if len(text) > mostLine || !utf8.Valid(text) || strings.ContainsAny(string(text), "\n\r\x00\x1b") {
		t.Fatalf("%q is no line", text)
	}
	var fields map[string]any
	must(t, json.Unmarshal(text, &fields))
	if kind, _ := fields["type"].(string); !typeForm.MatchString(kind) {
		t.Fatalf("type %q", fields["type"])
	}
	isSmall := func(value any) bool {
		switch value := value.(type) {
		case float64:
			return !math.IsInf(value, 0) && !math.IsNaN(value)
		case string:
			return len(value) <= 3*mostText
		case bool:
			return true
		}
		return false
	}
	for name, value := range fields {
		switch value := value.(type) {
		case []any:
			if name != "units" || fields["type"] != "part" || len(value) > mostUnits {
				t.Fatalf("a list: %q", text)
			}
			for _, unit := range value {
				for _, inner := range unit.(map[string]any) {
					if !isSmall(inner) {
						t.Fatalf("a unit: %q", text)
					}
				}
			}
		case map[string]any:
			if name != "values" || fields["type"] != "failed" {
				t.Fatalf("an object: %q", text)
			}
			for _, inner := range value {
				if !isSmall(inner) {
					t.Fatalf("a value: %q", text)
				}
			}
		default:
			if !isSmall(value) {
				t.Fatalf("%s: %q", name, text)
			}
		}
	}
}
