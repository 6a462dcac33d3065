package diskserver

import (
	"cmp"
	"errors"
	"io"
	"net/http"
	"os"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"gantry.dev/agent/remove"
	"golang.org/x/sys/unix"
)

// So far into a folder a page may reach: what bounds the memory of a listing.
const furthest = 200_000

type entry struct {
	Name string `json:"name"`
	// Only where the name is not valid UTF-8: its bytes, percent-encoded as a query wants them.
	Encoded string    `json:"encoded,omitempty"`
	Type    string    `json:"type"`
	Size    int64     `json:"sizeBytes"`
	At      time.Time `json:"modifiedAt"`
	// For links only: the target, and its type (file, folder, other, outside, nothing).
	Target string `json:"target,omitempty"`
	Leads  string `json:"leadsTo,omitempty"`
}

type listing struct {
	Path    string  `json:"path"`
	Entries []entry `json:"entries"`
	Page    int     `json:"page"`
	Size    int     `json:"size"`
	Total   int     `json:"total"`
}

// listed is the data for sorting one name; kept for at most twice as many names as the page reaches to.
type listed struct {
	name string
	size int64
	at   int64
	kind kind
}

type kind byte

const (
	aFolder kind = iota
	aFile
	aLink
	anUpload
	another
)

var kindNames = [...]string{aFolder: "folder", aFile: "file", aLink: "link", anUpload: "upload", another: "other"}

func kindOf(name string, mode uint32) kind {
	switch mode & unix.S_IFMT {
	case unix.S_IFDIR:
		return aFolder
	case unix.S_IFLNK:
		return aLink
	case unix.S_IFREG:
		if strings.HasSuffix(name, partSuffix) {
			return anUpload
		}
		return aFile
	}
	return another
}

func byName(a, b listed) int { return compareNames(a.name, b.name) }

var orders = map[string]func(a, b listed) int{
	"name": byName,
	"size": func(a, b listed) int { return cmp.Or(cmp.Compare(a.size, b.size), byName(a, b)) },
	"time": func(a, b listed) int { return cmp.Or(cmp.Compare(a.at, b.at), byName(a, b)) },
	"type": func(a, b listed) int { return cmp.Or(cmp.Compare(a.kind, b.kind), byName(a, b)) },
}

func (s *server) listFolder(w http.ResponseWriter, _ *http.Request, q query) error {
	page, err := q.number("page", 1, 1, furthest)
	if err != nil {
		return err
	}
	size, err := q.number("size", 100, 1, 1000)
	if err != nil {
		return err
	}
	if page*size > furthest {
		return refuse(400, "PageTooFar", "page", "page times size must be at most 200000.")
	}
	sorted := cmp.Or(q.text("sort"), "name")
	order, known := orders[sorted]
	if !known {
		return refuse(400, "NotKnown", "sort", "sort must be name, size, time or type.")
	}
	switch cmp.Or(q.text("order"), "asc") {
	case "asc":
	case "desc":
		ascending := order
		order = func(a, b listed) int { return ascending(b, a) }
	default:
		return refuse(400, "NotKnown", "order", "order must be asc or desc.")
	}

	folder, path, err := s.askedFolder(q)
	if err != nil {
		return err
	}
	defer folder.Close()
	at := int(folder.Fd())

	best, total, err := s.firstOf(folder, order, page*size, sorted != "name")
	if err != nil {
		return problemOf(err, "path")
	}
	from := min((page-1)*size, len(best))
	result := listing{Path: shownPath(path), Page: page, Size: size, Total: total, Entries: []entry{}}
	for _, one := range best[from:] {
		if entry, there := s.describe(at, path, one.name); there {
			result.Entries = append(result.Entries, entry)
		}
	}
	answerJSON(w, 200, "application/json", result)
	return nil
}

// askedFolder opens the folder that the query names.
func (s *server) askedFolder(q query) (folder *os.File, path string, err error) {
	path, err = parsePath("path", q.text("path"))
	if err != nil {
		return nil, "", err
	}
	folder, err = s.openFolder(path)
	if errors.Is(err, unix.ENOTDIR) {
		if _, statErr := s.root.Stat(path); statErr == nil {
			return nil, "", refuse(409, "NotFolder", "path", "path names something that is not a folder.")
		}
	}
	if err != nil {
		return nil, "", problemOf(err, "path")
	}
	return folder, path, nil
}

// firstOf reads the whole folder and returns its first `reach` names in order, and how many there are.
func (s *server) firstOf(folder *os.File, order func(a, b listed) int, reach int, withFacts bool) ([]listed, int, error) {
	at := int(folder.Fd())
	var best []listed
	total := 0
	for {
		names, err := folder.Readdirnames(1024)
		for _, name := range names {
			one := listed{name: name}
			if withFacts {
				var of unix.Stat_t
				if unix.Fstatat(at, name, &of, unix.AT_SYMLINK_NOFOLLOW) != nil {
					continue // Gone since.
				}
				one.size, one.at, one.kind = sizeOf(of), of.Mtim.Nano(), kindOf(name, of.Mode)
			}
			total++
			best = append(best, one)
			if len(best) >= 2*reach+1024 {
				slices.SortFunc(best, order)
				best = best[:reach]
			}
		}
		if errors.Is(err, io.EOF) || (err == nil && len(names) == 0) {
			break
		}
		if err != nil {
			return nil, 0, err
		}
	}
	slices.SortFunc(best, order)
	return best[:min(reach, len(best))], total, nil
}

func sizeOf(of unix.Stat_t) int64 {
	if isFile(of) {
		return of.Size
	}
	return 0
}

// shown keeps a file's time within the years 0 to 9999, which is all that RFC 3339 can say; anybody can set any other.
func shown(of unix.Stat_t) time.Time {
	const first, last = -62167219200, 253402300799
	return time.Unix(min(max(of.Mtim.Sec, first), last), of.Mtim.Nsec).UTC()
}

func (s *server) describe(at int, path, name string) (entry, bool) {
	var of unix.Stat_t
	if unix.Fstatat(at, name, &of, unix.AT_SYMLINK_NOFOLLOW) != nil {
		return entry{}, false
	}
	kind := kindOf(name, of.Mode)
	result := entry{Name: name, Type: kindNames[kind], Size: sizeOf(of), At: shown(of)}
	if !utf8.ValidString(name) {
		result.Name, result.Encoded = strings.ToValidUTF8(name, "\uFFFD"), percent(name)
	}
	if kind == aLink {
		target := make([]byte, longestPath)
		n, err := unix.Readlinkat(at, name, target)
		if err != nil {
			return entry{}, false
		}
		result.Target = strings.ToValidUTF8(string(target[:n]), "\uFFFD")
		result.Leads = s.leadsTo(joined(path, name))
	}
	return result, true
}

func (s *server) leadsTo(link string) string {
	of, err := s.root.Stat(link)
	switch {
	case err != nil && problemOf(err, "").code == "LeadsOutside":
		return "outside"
	case err != nil:
		return "nothing"
	case of.IsDir():
		return "folder"
	case of.Mode().IsRegular():
		return "file"
	}
	return "other"
}

func (s *server) makeFolder(w http.ResponseWriter, _ *http.Request, q query) error {
	place, err := s.placeOf("path", q.text("path"))
	if err != nil {
		return err
	}
	defer place.close()
	if err := mayBeNamed("path", place.name); err != nil {
		return err
	}
	if err := unix.Mkdirat(place.at(), place.name, 0o755); err != nil {
		return problemOf(err, "path")
	}
	if made, err := unix.Openat(place.at(), place.name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0); err == nil {
		giveTo(made, place.folder)
		_ = unix.Close(made)
	}
	w.WriteHeader(http.StatusCreated)
	return nil
}

// A removal that has begun continues if the caller disconnects: nobody asked for half a folder.
func (s *server) removeFolder(w http.ResponseWriter, _ *http.Request, q query) error {
	place, err := s.placeOf("path", q.text("path"))
	if err != nil {
		return err
	}
	defer place.close()
	of, err := place.stat()
	if err != nil {
		return problemOf(err, "path")
	}
	if !isFolder(of) {
		return refuse(409, "NotFolder", "path", "path names something that is not a folder; DELETE /file removes it.")
	}
	if err := remove.Tree(place.at(), place.name); err != nil {
		return problemOf(err, "path")
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func mayBeNamed(field, name string) error {
	if strings.HasSuffix(name, partSuffix) {
		return refuse(400, "NameNotAllowed", field, field+" must not end in '"+partSuffix+"': such names are kept for unfinished uploads.")
	}
	return nil
}
