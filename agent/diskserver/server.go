// Package diskserver is the HTTP server behind the file browser of one disk. README.md has its calls.
//
// It refuses every path that leaves the disk: paths are walked below an os.Root, and an action on a name is relative to its
// folder, without following the name.
package diskserver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// How long a connection may stall. A transfer as a whole has no limit. A variable, because tests cannot wait that long.
var idle = time.Minute

// How long calls in progress may go on after SIGTERM; the kubelet's usual grace is 30 s.
const grace = 20 * time.Second

// Calls beyond this number are refused and should come again. Bounds memory and open files.
const atOnce = 128

type server struct {
	root      *os.Root
	tokenFile string
	writers   writers
	places    chan struct{}
	walks     chan struct{}
}

// Serve serves the folder root at an address until SIGTERM or SIGINT, to callers with the token in the file. It returns nil after
// a requested stop.
func Serve(root, listen, tokenFile string) error {
	if _, err := readToken(tokenFile); err != nil {
		return fmt.Errorf("--token-file: %w", err)
	}
	disk, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("--root: %w", err)
	}
	defer disk.Close()
	listener, err := net.Listen("tcp", listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	asked, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	web := newWeb(disk, tokenFile)
	fmt.Fprintf(os.Stderr, "agent disk-server: %s is served at %s\n", root, listener.Addr())
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-asked.Done():
	}
	limit, cancel := context.WithTimeout(context.Background(), grace)
	defer cancel()
	if web.Shutdown(limit) != nil {
		_ = web.Close()
	}
	return nil
}

// newWeb asks for the token in the file; without a file for none. It gives a caller ten seconds for its headers, and two minutes between calls.
func newWeb(disk *os.Root, tokenFile string) *http.Server {
	return &http.Server{
		Handler:           handler(disk, tokenFile),
		ReadHeaderTimeout: min(10*time.Second, idle),
		IdleTimeout:       2 * idle,
		MaxHeaderBytes:    64 << 10,
		ErrorLog:          log.New(os.Stderr, "agent disk-server: ", 0),
	}
}

type call func(s *server, w http.ResponseWriter, r *http.Request, q query) error

// The calls, and the query parameters that each knows.
var calls = map[string]map[string]struct {
	do     call
	params string
}{
	"/dir": {
		"GET":    {(*server).listFolder, "path page size sort order"},
		"POST":   {(*server).makeFolder, "path"},
		"DELETE": {(*server).removeFolder, "path"},
	},
	"/file": {
		"GET":    {(*server).download, "path"},
		"HEAD":   {(*server).download, "path"},
		"PUT":    {(*server).upload, "path overwrite upload"},
		"DELETE": {(*server).removeFile, "path"},
	},
	"/upload": {
		"GET":    {(*server).uploadState, "path upload"},
		"HEAD":   {(*server).uploadState, "path upload"},
		"DELETE": {(*server).dropUpload, "path upload"},
	},
	"/rename": {"POST": {(*server).rename, "path to overwrite"}},
	"/copy":   {"POST": {(*server).copyTo, "path to overwrite"}},
	"/search": {"GET": {(*server).search, "path text"}},
	"/zip":    {"GET": {(*server).archive, "path"}},
	"/usage":  {"GET": {(*server).usage, ""}},
}

func handler(disk *os.Root, tokenFile string) http.Handler {
	s := &server{
		root: disk, tokenFile: tokenFile, writers: writers{busy: map[string]*turn{}},
		places: make(chan struct{}, atOnce), walks: make(chan struct{}, walksAtOnce),
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		header := w.Header()
		header.Set("X-Content-Type-Options", "nosniff")
		header.Set("Cache-Control", "private, no-cache")
		if r.URL.Path == "/healthz" {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		if err := s.answer(w, r); err != nil {
			p := problemOf(err, "path")
			if p.status == http.StatusInternalServerError {
				// Without the path: names of a tenant's files are nobody's business.
				log.Printf("agent disk-server: %s %s: %d %s: %s", r.Method, r.URL.Path, p.status, p.code, p.detail)
			}
			answerProblem(w, p)
		}
	})
}

func (s *server) answer(w http.ResponseWriter, r *http.Request) error {
	if err := s.authorize(r); err != nil {
		return err
	}
	methods, known := calls[r.URL.Path]
	if !known {
		return refuse(404, "NoSuchCall", "URL", "URL must be one of /dir, /file, /upload, /rename, /copy, /search, /zip and /usage.")
	}
	chosen, known := methods[r.Method]
	if !known {
		return refuse(405, "NoSuchCall", "method", "method "+r.Method+" does not exist for "+r.URL.Path+".")
	}
	q, err := parseQuery(r.URL.RawQuery, chosen.params)
	if err != nil {
		return err
	}
	select {
	case s.places <- struct{}{}:
		defer func() { <-s.places }()
	default:
		return refuse(503, "Busy", "connection", fmt.Sprintf("connection is one of more than %d at once; try again.", atOnce))
	}
	return chosen.do(s, w, r, q)
}

// authorize compares digests, so that neither content nor length of the token shows in the time it takes.
func (s *server) authorize(r *http.Request) error {
	if s.tokenFile == "" {
		return nil // ServePipe
	}
	token, err := readToken(s.tokenFile)
	if err != nil {
		log.Printf("agent disk-server: --token-file: %v", err)
		return refuse(503, "TokenUnreadable", "Authorization", "Authorization cannot be checked: this server cannot read its token.")
	}
	given, isBearer := strings.CutPrefix(r.Header.Get("Authorization"), "Bearer ")
	expected, actual := sha256.Sum256(token), sha256.Sum256([]byte(given))
	if !isBearer || subtle.ConstantTimeCompare(expected[:], actual[:]) != 1 {
		return refuse(401, "Unauthorized", "Authorization", "Authorization must be 'Bearer' and the token of this disk.")
	}
	return nil
}

// Read for every call: a Secret's volume changes without notice, and a call costs far more than this.
func readToken(path string) ([]byte, error) {
	file, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, 4096))
	if err != nil {
		return nil, err
	}
	token := bytes.TrimSpace(text)
	if len(token) == 0 {
		return nil, errors.New("the file is empty")
	}
	return token, nil
}

// A query knows each parameter once; one too many is more likely a mistake than a wish.
type query url.Values

func parseQuery(raw, params string) (query, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, refuse(400, "QueryNotUnderstood", "query", "query must be parameters in percent-encoding, joined by '&'.")
	}
	allowed := strings.Fields(params)
	for name, given := range values {
		known := false
		for _, one := range allowed {
			known = known || one == name
		}
		if !known {
			return nil, refuse(400, "NotKnown", name, fmt.Sprintf("%q is not a parameter of this call; it knows: %s.", name, params))
		}
		if len(given) > 1 {
			return nil, refuse(400, "GivenTwice", name, name+" must be given once.")
		}
	}
	return query(values), nil
}

func (q query) text(name string) string { return url.Values(q).Get(name) }

func (q query) number(name string, otherwise, least, most int) (int, error) {
	text := q.text(name)
	if text == "" {
		return otherwise, nil
	}
	n, err := strconv.Atoi(text)
	if err != nil || n < least || n > most {
		return 0, refuse(400, "OutOfRange", name, fmt.Sprintf("%s must be a whole number from %d to %d.", name, least, most))
	}
	return n, nil
}

func (q query) flag(name string) (bool, error) {
	switch q.text(name) {
	case "", "false":
		return false, nil
	case "true":
		return true, nil
	}
	return false, refuse(400, "NotKnown", name, name+" must be true or false.")
}
