package task

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"
)

const (
	hash = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
	of   = `"sha256":"` + hash + `","bytes":5`
)

func partOf(units string) string {
	return `{"type":"part","path":"out/parts/1.parquet",` + of + `,"units":` + units + `}`
}

func unitOf(more string) string {
	return `{"unit":"` + hash + `","label":"a.pdf p. 3","state":"done","rows":4,"rejected":1` + more + `}`
}

func TestWhatALineIsPassedOnAs(t *testing.T) {
	for name, row := range map[string]struct{ said, passed string }{
		"a plan":                    {`{"type":"plan","units":7,"kept":2}`, `{"kept":2,"type":"plan","units":7}`},
		"an unknown field is gone":  {`{"type":"plan","units":7,"kept":2,"x":{"y":[1]},"z":"z"}`, `{"kept":2,"type":"plan","units":7}`},
		"the last of two counts":    {`{"type":"plan","units":7,"units":8,"kept":2}`, `{"kept":2,"type":"plan","units":8}`},
		"blanks around it":          {" \t{ \"type\" : \"plan\", \"units\" : 7 , \"kept\":2 } \r", `{"kept":2,"type":"plan","units":7}`},
		"a whole float is a number": {`{"type":"plan","units":7.0,"kept":2e1}`, `{"kept":20,"type":"plan","units":7}`},
		"progress":                  {`{"type":"progress","step":"chunking","done":1,"of":9}`, `{"done":1,"of":9,"step":"chunking","type":"progress"}`},
		"a part": {
			partOf("[" + unitOf("") + "," + unitOf(`,"reason":"TooLong","z":1`) + "]"),
			`{"bytes":5,"path":"out/parts/1.parquet","sha256":"` + hash + `","type":"part","units":[` +
				`{"label":"a.pdf p. 3","rejected":1,"rows":4,"state":"done","unit":"` + hash + `"},` +
				`{"label":"a.pdf p. 3","reason":"TooLong","rejected":1,"rows":4,"state":"done","unit":"` + hash + `"}]}`,
		},
		"an output, with a null for nothing": {
			`{"type":"output","path":"out/v/a","name":"a","rows":null,` + of + `}`,
			`{"bytes":5,"name":"a","path":"out/v/a","sha256":"` + hash + `","type":"output"}`,
		},
		"an output of a kind": {
			`{"type":"output","path":"out/v/a","name":"a","kind":"vectors","rows":2,"dimensions":8,"x":1,` + of + `}`,
			`{"bytes":5,"dimensions":8,"kind":"vectors","name":"a","path":"out/v/a","rows":2,"sha256":"` + hash + `","type":"output"}`,
		},
		"rejected rows": {
			`{"type":"rejected","path":"out/r","rows":3,` + of + `}`,
			`{"bytes":5,"path":"out/r","rows":3,"sha256":"` + hash + `","type":"rejected"}`,
		},
		"the end": {`{"type":"done","rows":3,"rejected":0}`, `{"rejected":0,"rows":3,"type":"done"}`},
		"an end too early": {
			`{"type":"done","rows":3,"rejected":0,"ended":"TokenBudgetSpent","unitsLeft":9}`,
			`{"ended":"TokenBudgetSpent","rejected":0,"rows":3,"type":"done","unitsLeft":9}`,
		},
		"the end, with what was left out": {
			`{"type":"done","rows":3,"rejected":0,"removed":{"Duplicate":4},"masked":{"email":2,"my-number":1,"x":[1]}}`,
			`{"masked":{"email":2,"my-number":1},"rejected":0,"removed":{"Duplicate":4},"rows":3,"type":"done"}`,
		},
		"a failure in words": {
			`{"type":"failed","code":"X","sentence":"It is\nbroken."}`, `{"code":"X","sentence":"It is broken.","type":"failed"}`,
		},
		"a failure":       {`{"type":"failed","code":"TooManyRejected"}`, `{"code":"TooManyRejected","type":"failed"}`},
		"with its values": {`{"type":"failed","code":"X","values":{"most":10,"n":[1],"é":1}}`, `{"code":"X","type":"failed","values":{"most":10}}`},
		"a type of later": {`{"type":"point","name":"loss","step":3,"value":-0.25,"ok":true,"x":null,"y":{}}`, `{"name":"loss","ok":true,"step":3,"type":"point","value":-0.25}`},
		"one with a file": {`{"type":"checkpoint","step":3,"path":"out/c/a",` + of + `}`, `{"bytes":5,"path":"out/c/a","sha256":"` + hash + `","step":3,"type":"checkpoint"}`},
		"control letters": {`{"type":"x","a":"1\u0000\n\u001b[2J\u007f\u009b2"}`, `{"a":"1   [2J  2","type":"x"}`},
		"half a letter":   {`{"type":"x","a":"\ud800"}`, "{\"a\":\"\uFFFD\",\"type\":\"x\"}"},
		"bytes, no text":  {"{\"type\":\"x\",\"a\":\"\xff\"}", "{\"a\":\"\uFFFD\",\"type\":\"x\"}"},
		"markup as it is": {`{"type":"x","a":"<b>&"}`, `{"a":"<b>&","type":"x"}`},
		"large and small": {`{"type":"x","a":1e300,"b":1e-300,"c":-0.0}`, `{"a":1e+300,"b":1e-300,"c":0,"type":"x"}`},
		"names that no field has": {
			`{"type":"x","__proto__":1,"Type":2,"a b":3,"":4,"` + strings.Repeat("a", 33) + `":5,"ok":6}`, `{"ok":6,"type":"x"}`,
		},
	} {
		made, err := readLine([]byte(row.said))
		if err != nil || string(made.text) != row.passed {
			t.Errorf("%s: %s %v, want %s", name, made.text, err, row.passed)
		}
	}
}

func TestLinesThatAreRefused(t *testing.T) {
	many := strings.TrimSuffix(strings.Repeat(unitOf("")+",", mostUnits+1), ",")
	var fields strings.Builder
	for n := range mostFields + 1 {
		fmt.Fprintf(&fields, `,"f%d":1`, n)
	}
	for name, row := range map[string]struct{ said, why string }{
		"nothing":                 {"", "not a JSON object"},
		"no JSON":                 {`{"type":"plan"`, "not a JSON object"},
		"two objects":             {`{"type":"x"}{"type":"x"}`, "not a JSON object"},
		"a list":                  {`[{"type":"x"}]`, "not a JSON object"},
		"a null":                  {`null`, "not a JSON object"},
		"a number":                {`1`, "not a JSON object"},
		"NaN":                     {`{"type":"point","value":NaN}`, "not a JSON object"},
		"infinity":                {`{"type":"point","value":Infinity}`, "not a JSON object"},
		"a number beyond all":     {`{"type":"point","value":1e999}`, "finite"},
		"nesting":                 {`{"type":"x","a":` + strings.Repeat("[", 8000) + strings.Repeat("]", 8000) + `,"b":1e999}`, "finite"},
		"nesting without an end":  {strings.Repeat(`{"a":`, 3000), "not a JSON object"},
		"no type":                 {`{"units":1}`, "type is not"},
		"a type that is none":     {`{"type":"Plan"}`, "type is not"},
		"a type with an end":      {`{"type":"plan\n","units":1,"kept":1}`, "type is not"},
		"a long type":             {`{"type":"` + strings.Repeat("a", 17) + `"}`, "type is not"},
		"a type of another type":  {`{"type":["plan"]}`, "type is not"},
		"too little":              {`{"type":"plan","units":1}`, "has no kept"},
		"a null too little":       {`{"type":"plan","units":1,"kept":null}`, "has no kept"},
		"a text for a number":     {`{"type":"plan","units":"1","kept":1}`, "units is not a whole number"},
		"less than nothing":       {`{"type":"plan","units":-1,"kept":1}`, "units is not a whole number"},
		"a half":                  {`{"type":"plan","units":0.5,"kept":1}`, "units is not a whole number"},
		"more than is exact":      {`{"type":"plan","units":9007199254740992,"kept":1}`, "units is not a whole number"},
		"a list for a number":     {`{"type":"plan","units":[1],"kept":1}`, "units is not a whole number"},
		"a long text":             {`{"type":"x","a":"` + strings.Repeat("a", mostText+1) + `"}`, "at most 1024 bytes"},
		"many fields":             {`{"type":"x"` + fields.String() + `}`, "more than 32 fields"},
		"no units":                {partOf("[]"), "1 to 64 units"},
		"too many units":          {partOf("[" + many + "]"), "1 to 64 units"},
		"units that are none":     {partOf(`{"0":1}`), "1 to 64 units"},
		"a unit that is none":     {partOf(`[null]`), "unit that is not a JSON object"},
		"a unit without a key":    {partOf(`[{"label":"a","state":"done","rows":1,"rejected":0}]`), "unit that has no unit"},
		"a unit in another state": {partOf("[" + unitOf(`,"state":"kept"`) + "]"), "unit that state is not"},
		"a hash that is none":     {`{"type":"output","path":"out/a","name":"a","sha256":"` + strings.ToUpper(hash) + `","bytes":5}`, "sha256 is not"},
		"a file without a size":   {`{"type":"checkpoint","path":"out/a","sha256":"` + hash + `"}`, "has no bytes"},
		"a file of less than no":  {`{"type":"checkpoint","path":"out/a","sha256":"` + hash + `","bytes":-1}`, "bytes is not"},
		"a path of another type":  {`{"type":"checkpoint","path":1,` + of + `}`, "path is not"},
		"a file without a name":   {`{"type":"output","path":"out/a","name":"",` + of + `}`, "name is empty"},
		"a code that is a text":   {`{"type":"failed","code":"it broke"}`, "code is not"},
		"a long sentence":         {`{"type":"failed","code":"X","sentence":"` + strings.Repeat("a", mostText+1) + `"}`, "sentence is not"},
		"a kind of many words":    {`{"type":"output","path":"out/a","name":"a","kind":"of words",` + of + `}`, "kind is not"},
		"an early end in words":   {`{"type":"done","rows":1,"rejected":0,"ended":"no more tokens"}`, "ended is not"},
		"values that are none":    {`{"type":"failed","code":"X","values":[1]}`, "values is not a JSON object"},
		"a line that grows":       {"{\"type\":\"x\"" + grown() + "}", "too long"},
	} {
		made, err := readLine([]byte(row.said))
		if err == nil || !strings.Contains(err.Error(), row.why) {
			t.Errorf("%s: %v, want %q; passed on: %.80s", name, err, row.why, made.text)
		}
	}
}

// grown is fields whose bytes are no text: each becomes three.
func grown() string {
	var all strings.Builder
	for n := range 30 {
		fmt.Fprintf(&all, `,"f%d":"%s"`, n, strings.Repeat("\xff", 300))
	}
	return all.String()
}

func TestPathsOutsideOut(t *testing.T) {
	for _, path := range []string{
		"", "out", "out/", "/out/a", "out//a", "out/./a", "out/../in/door", "out/..", "../out/a", "in/door", "outer/a", "./out/a", "out/a/",
		"/etc/passwd", `out/a\u0000b`, `out/a\nb`, `out/\ud800`, "out/" + strings.Repeat("a", mostPath), "out" + strings.Repeat("/a", mostFolders+1),
	} {
		if made, err := readLine([]byte(`{"type":"x","path":"` + path + `",` + of + `}`)); err == nil {
			t.Errorf("%q is passed on: %s", path, made.text)
		}
	}
	made, err := readLine([]byte(`{"type":"x","path":"out/文件 1/a..b",` + of + `}`))
	if err != nil || made.file != (file{"out/文件 1/a..b", hash, 5}) {
		t.Errorf("a path below out: %+v %v", made.file, err)
	}
}

func TestPace(t *testing.T) {
	start := time.Unix(1_000_000, 0)
	p := pace{perSecond: 200}
	// A second's worth at once, then one in 5 ms.
	now := start
	for n := range 200 {
		if wait := p.wait(now); wait != 0 {
			t.Fatalf("line %d waits %s", n, wait)
		}
	}
	for n := 1; n <= 1000; n++ {
		wait := p.wait(now)
		if want := 5 * time.Millisecond; wait != want {
			t.Fatalf("line %d after them waits %s", n, wait)
		}
		now = now.Add(wait)
	}
	if took := now.Sub(start); math.Abs(took.Seconds()-5) > 0.01 {
		t.Errorf("1200 lines took %s", took)
	}
	// An hour of silence is no right to an hour of noise.
	now = now.Add(time.Hour)
	free := 0
	for p.wait(now) == 0 {
		free++
	}
	if free != 200 {
		t.Errorf("%d at once after an hour", free)
	}
}
