package task

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"regexp"
	"strings"
	"unicode/utf8"
)

const (
	// mostLine is the bytes of a line without its end, as it comes and as it is passed on.
	mostLine   = 16 << 10
	mostText   = 1024
	mostFields = 32
	mostUnits  = 64
	mostValues = 16
	// Every whole number up to here is exact in JSON.
	mostCount = 1<<53 - 1
)

var (
	typeForm  = regexp.MustCompile(`^[a-z]{1,16}$`)
	nameForm  = regexp.MustCompile(`^[a-z][A-Za-z0-9_]{0,31}$`)
	countForm = regexp.MustCompile(`^[A-Za-z][A-Za-z0-9_-]{0,31}$`)
	codeForm  = regexp.MustCompile(`^[A-Z][A-Za-z0-9]{0,63}$`)
	hashForm  = regexp.MustCompile(`^[0-9a-f]{64}$`)
	stepForm  = regexp.MustCompile(`^[a-z][a-zA-Z0-9-]{0,31}$`)
)

// line is what the agent passes on: it is built from values that the agent understood, never from the worker's text.
type line struct {
	// JSON, at most mostLine bytes.
	text []byte
	// The file that the line names; without a path where it names none.
	file file
}

// file is what the worker said of a file of its folder out.
type file struct {
	path, sha256 string
	bytes        int64
}

// A reader makes a Go value of a field, or errs with the rule that it breaks.
type reader func(raw json.RawMessage) (any, error)

type field struct {
	read       reader
	isOptional bool
}

// needs and allows are fields of a known type; others of its line are dropped.
func needs(read reader) field  { return field{read: read} }
func allows(read reader) field { return field{read: read, isOptional: true} }

// What the agent knows of types. Any other type has scalar fields of any name, and the file's three if it has a path.
var shapes = map[string]map[string]field{
	"plan":     {"units": needs(count), "kept": needs(count)},
	"progress": {"step": needs(textLike(stepForm)), "done": needs(count), "of": needs(count)},
	"part":     withFile(map[string]field{"units": needs(units)}),
	"output": withFile(map[string]field{
		"name": needs(filled), "kind": allows(textLike(stepForm)), "rows": allows(count), "dimensions": allows(count),
	}),
	"rejected": withFile(map[string]field{"rows": needs(count)}),
	"done": {
		"rows": needs(count), "rejected": needs(count), "ended": allows(textLike(codeForm)), "unitsLeft": allows(count),
		"removed": allows(counts), "masked": allows(counts),
	},
	"failed": {"code": needs(textLike(codeForm)), "sentence": allows(text), "values": allows(values)},
}

var fileShape = withFile(map[string]field{})

var unitShape = map[string]field{
	"unit": needs(textLike(hashForm)), "label": needs(text), "state": needs(oneOf("done", "failed", "skipped")),
	"reason": allows(text), "rows": needs(count), "rejected": needs(count),
}

func withFile(fields map[string]field) map[string]field {
	fields["path"], fields["sha256"], fields["bytes"] = needs(outPath), needs(textLike(hashForm)), needs(count)
	return fields
}

// readLine understands one line of the worker. An error is a sentence without any text of the worker's.
func readLine(raw []byte) (line, error) {
	given, err := object(raw)
	if err != nil {
		return line{}, err
	}
	kind, err := textLike(typeForm)(given["type"])
	if err != nil {
		return line{}, fmt.Errorf("type %w", err)
	}
	delete(given, "type")
	var fields map[string]any
	if shape, isKnown := shapes[kind.(string)]; isKnown {
		fields, err = take(given, shape)
	} else {
		fields, err = scalars(given, mostFields)
		if !isAbsent(given["path"]) && err == nil {
			var three map[string]any
			three, err = take(given, fileShape)
			for name, value := range three {
				fields[name] = value
			}
		}
	}
	if err != nil {
		return line{}, err
	}
	fields["type"] = kind
	made := line{}
	if path, hasFile := fields["path"].(string); hasFile {
		made.file = file{path, fields["sha256"].(string), fields["bytes"].(int64)}
	}
	if made.text, err = compact(fields); err == nil && len(made.text) > mostLine {
		err = errors.New("is too long once it is written with care")
	}
	return made, err
}

// compact is JSON on one line, with <, > and & as they are.
func compact(value any) ([]byte, error) {
	var into bytes.Buffer
	writer := json.NewEncoder(&into)
	writer.SetEscapeHTML(false)
	err := writer.Encode(value)
	return bytes.TrimSuffix(into.Bytes(), []byte("\n")), err
}

func object(raw json.RawMessage) (map[string]json.RawMessage, error) {
	var given map[string]json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || given == nil {
		return nil, errors.New("is not a JSON object")
	}
	return given, nil
}

func take(given map[string]json.RawMessage, shape map[string]field) (map[string]any, error) {
	taken := map[string]any{}
	for name, field := range shape {
		raw := given[name]
		if isAbsent(raw) {
			if !field.isOptional {
				return nil, fmt.Errorf("has no %s", name)
			}
			continue
		}
		value, err := field.read(raw)
		if err != nil {
			return nil, fmt.Errorf("%s %w", name, err)
		}
		taken[name] = value
	}
	return taken, nil
}

// scalars are the fields that need no shape. What is no scalar is dropped, and so is a name that no field has.
func scalars(given map[string]json.RawMessage, most int) (map[string]any, error) {
	taken := map[string]any{}
	for name, raw := range given {
		if isAbsent(raw) || raw[0] == '{' || raw[0] == '[' || !nameForm.MatchString(name) {
			continue
		}
		value, err := scalar(raw)
		if err != nil {
			return nil, fmt.Errorf("a field %w", err)
		}
		if taken[name] = value; len(taken) > most {
			return nil, fmt.Errorf("has more than %d fields", most)
		}
	}
	return taken, nil
}

func isAbsent(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func scalar(raw json.RawMessage) (any, error) {
	switch {
	case string(raw) == "true", string(raw) == "false":
		return raw[0] == 't', nil
	case raw[0] == '"':
		return text(raw)
	}
	return number(raw)
}

// number is finite. Whole numbers are int64, so that they are written without an exponent.
func number(raw json.RawMessage) (any, error) {
	var value float64
	if err := json.Unmarshal(raw, &value); err != nil {
		return nil, errors.New("is not a finite number")
	}
	if value == math.Trunc(value) && math.Abs(value) <= mostCount {
		return int64(value), nil
	}
	return value, nil
}

func count(raw json.RawMessage) (any, error) {
	value, err := number(raw)
	if whole, isWhole := value.(int64); err == nil && isWhole && whole >= 0 {
		return whole, nil
	}
	return nil, errors.New("is not a whole number from 0 on")
}

// text is short and without control characters, which databases and terminals take badly.
func text(raw json.RawMessage) (any, error) {
	var value string
	if err := json.Unmarshal(raw, &value); err != nil || len(value) > mostText {
		return nil, fmt.Errorf("is not a text of at most %d bytes", mostText)
	}
	return strings.Map(func(letter rune) rune {
		if letter < ' ' || letter >= 0x7f && letter < 0xa0 {
			return ' '
		}
		return letter
	}, strings.ToValidUTF8(value, string(utf8.RuneError))), nil
}

func filled(raw json.RawMessage) (any, error) {
	value, err := text(raw)
	if err == nil && value == "" {
		return nil, errors.New("is empty")
	}
	return value, err
}

func textLike(form *regexp.Regexp) reader {
	return func(raw json.RawMessage) (any, error) {
		var value string
		if err := json.Unmarshal(raw, &value); err != nil || !form.MatchString(value) {
			return nil, fmt.Errorf("is not a text like %s", form)
		}
		return value, nil
	}
}

func oneOf(words ...string) reader {
	return textLike(regexp.MustCompile("^(" + strings.Join(words, "|") + ")$"))
}

const (
	folderOfFiles = "out"
	mostPath      = 512
	mostFolders   = 16
)

// outPath is a path below out/ as it stands: nothing is left to clean, and nothing in it is a control character.
func outPath(raw json.RawMessage) (any, error) {
	var value string
	err := json.Unmarshal(raw, &value)
	isControl := func(letter rune) bool { return letter < ' ' || letter == 0x7f || letter == utf8.RuneError }
	if err != nil || len(value) > mostPath || !fs.ValidPath(value) || !strings.HasPrefix(value, folderOfFiles+"/") ||
		strings.Count(value, "/") > mostFolders || strings.ContainsFunc(value, isControl) {
		return nil, fmt.Errorf("is not a path of at most %d bytes below %s/", mostPath, folderOfFiles)
	}
	return value, nil
}

func units(raw json.RawMessage) (any, error) {
	var given []json.RawMessage
	if err := json.Unmarshal(raw, &given); err != nil || len(given) < 1 || len(given) > mostUnits {
		return nil, fmt.Errorf("is not a list of 1 to %d units", mostUnits)
	}
	taken := make([]map[string]any, len(given))
	for at, one := range given {
		fields, err := object(one)
		if err == nil {
			taken[at], err = take(fields, unitShape)
		}
		if err != nil {
			return nil, fmt.Errorf("has a unit that %w", err)
		}
	}
	return taken, nil
}

// counts are how many of what; names are words or codes, and what is no count is dropped.
func counts(raw json.RawMessage) (any, error) {
	given, err := object(raw)
	if err != nil {
		return nil, err
	}
	taken := map[string]any{}
	for name, one := range given {
		if number, err := count(one); err == nil && countForm.MatchString(name) && len(taken) < mostValues {
			taken[name] = number
		}
	}
	return taken, nil
}

// values fill the sentence of a failure in.
func values(raw json.RawMessage) (any, error) {
	given, err := object(raw)
	if err != nil {
		return nil, err
	}
	return scalars(given, mostValues)
}
