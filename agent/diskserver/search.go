package diskserver

import (
	"context"
	"errors"
	"net/http"
	"slices"
	"strings"
	"time"
	"unicode/utf8"
)

// A search ends after so many finds, names or seconds, and then says that it is not complete.
const (
	mostFinds    = 200
	mostSearched = 500_000
	// The limit for paths and link targets together.
	mostFoundBytes = 512 << 10
)

// A variable, because tests cannot wait that long.
var searchFor = 8 * time.Second

const longestSearch = 255

// A hit is an entry, and the folder that it is in.
type hit struct {
	entry
	Folder string `json:"folder"`
}

type hits struct {
	Path       string `json:"path"`
	Entries    []hit  `json:"entries"`
	IsComplete bool   `json:"isComplete"`
}

var errEnough = errors.New("enough")

// search finds names below a folder that contain a text, in any case.
func (s *server) search(w http.ResponseWriter, r *http.Request, q query) error {
	text := strings.ToLower(q.text("text"))
	if text == "" || len(text) > longestSearch {
		return refuse(400, "OutOfRange", "text", "text must have 1 to 255 bytes.")
	}
	folder, path, err := s.askedFolder(q)
	if err != nil {
		return err
	}
	defer folder.Close()
	end, err := s.walking()
	if err != nil {
		return err
	}
	defer end()
	ctx, cancel := context.WithTimeout(r.Context(), searchFor)
	defer cancel()

	result := hits{Path: shownPath(path), Entries: []hit{}}
	looked, size := 0, 0
	err = walk{ctx: ctx, each: func(one found) error {
		if looked++; looked > mostSearched {
			return errEnough
		}
		if !strings.Contains(strings.ToLower(one.name), text) {
			return nil
		}
		full := joined(path, one.path)
		if size += len(full); len(result.Entries) == mostFinds || size > mostFoundBytes {
			return errEnough
		}
		within := strings.TrimSuffix(strings.TrimSuffix(full, one.name), "/")
		if found, there := s.describe(one.at, within, one.name); there {
			size += len(found.Target)
			if !utf8.ValidString(within) {
				// Its own name alone would lead nowhere.
				found.Encoded = percent(one.name)
			}
			result.Entries = append(result.Entries, hit{entry: found, Folder: shownPath(within)})
		}
		return nil
	}}.below(folder)
	var refusal *problem
	switch {
	case r.Context().Err() != nil:
		return callerGone()
	case err == nil:
		result.IsComplete = true
	case errors.Is(err, errEnough), errors.Is(err, context.DeadlineExceeded), errors.As(err, &refusal):
	default:
		return problemOf(err, "path")
	}
	slices.SortFunc(result.Entries, func(a, b hit) int {
		return compareNames(a.Folder+"/"+a.Name, b.Folder+"/"+b.Name)
	})
	answerJSON(w, 200, "application/json", result)
	return nil
}

// joined puts two relative paths together; "." is the root.
func joined(path, below string) string {
	if path == "." || path == "" {
		return below
	}
	return path + "/" + below
}

// shownPath is a relative path as callers write it.
func shownPath(path string) string {
	if path == "." || path == "" {
		return "/"
	}
	return "/" + strings.ToValidUTF8(path, "\uFFFD")
}
