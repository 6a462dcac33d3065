// Package receive takes in the files of a model, and ends once it has them all. Whoever sends them proves nothing: the list of the
// files has a digest that was known before, and each file has one in the list, so that nothing else can arrive.
package receive

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"log"
	"net"
	"net/http"
	"os"
	"os/signal"
	"path"
	"strconv"
	"sync"
	"syscall"
	"time"
)

// MostList bytes are more than the list of a thousand files with the longest paths takes.
const MostList = 4 << 20

// How long a connection may stall. A variable, because tests cannot wait that long.
var idle = time.Minute

// Calls at once; further ones come again.
const atOnce = 16

const checkingSoon = 500 * time.Millisecond

const partSuffix = ".part"

// ListName is the file in which the folder itself says what it holds: the node's agent keeps that for the next replica.
const ListName = ".list"

// File is a row of the list. Paths are below the folder.
type File struct {
	Path   string `json:"path"`
	SHA256 string `json:"sha256"`
	Bytes  int64  `json:"bytes"`
}

// Options say what may arrive: Bytes in all, as the list with the digest Manifest has it.
type Options struct {
	Root, Listen, Manifest string
	Bytes                  int64
}

// Run serves until all files are there, or until SIGTERM, which is an error: then they are not.
func Run(options Options) error {
	root, err := os.OpenRoot(options.Root)
	if err != nil {
		return err
	}
	defer root.Close()
	listener, err := net.Listen("tcp", options.Listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	asked, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	r := newReceiver(root, options)
	web := &http.Server{
		Handler:           r,
		ReadHeaderTimeout: 10 * time.Second,
		IdleTimeout:       2 * idle,
		MaxHeaderBytes:    16 << 10,
		ErrorLog:          log.New(io.Discard, "", 0),
	}
	ended := make(chan error, 1)
	go func() { ended <- web.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-asked.Done():
		_ = web.Close()
		return errors.New("ended before all files had arrived")
	case <-r.complete:
	}
	// Whoever sent the last file gets the answer.
	limit, cancel := context.WithTimeout(context.Background(), 5*time.Second)
	defer cancel()
	_ = web.Shutdown(limit)
	return nil
}

type receiver struct {
	root     *os.Root
	options  Options
	places   chan struct{}
	complete chan struct{}

	mu    sync.Mutex
	files map[string]*arriving
	order []string
	left  int
	// It still looks at what was in the folder before; what went wrong with that.
	checking bool
	checked  chan struct{}
	wrong    error
}

// arriving is one file: its hash runs along with its bytes.
type arriving struct {
	File
	mu   sync.Mutex
	have int64
	sum  hash.Hash
	done bool
}

func newReceiver(root *os.Root, options Options) *receiver {
	return &receiver{root: root, options: options, places: make(chan struct{}, atOnce), complete: make(chan struct{}), checked: make(chan struct{})}
}

func (r *receiver) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	select {
	case r.places <- struct{}{}:
		defer func() { <-r.places }()
	default:
		http.Error(w, "too many calls at once", http.StatusServiceUnavailable)
		return
	}
	var err error
	switch q.Method + " " + q.URL.Path {
	case "GET /missing":
		err = r.missing(w)
	case "PUT /list":
		err = r.takeList(w, q)
	case "PUT /file":
		err = r.takeFile(w, q)
	default:
		err = refusal{http.StatusNotFound, "there is no such call"}
	}
	var no refusal
	if errors.As(err, &no) {
		http.Error(w, no.sentence, no.status)
	} else if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
	}
}

type refusal struct {
	status   int
	sentence string
}

func (r refusal) Error() string { return r.sentence }

// Missing is what the sender goes on from.
type Missing struct {
	// HasList: without it, nothing is known to be missing.
	HasList bool `json:"hasList"`
	// Checking: files that are there already are hashed, and nothing is known to be missing before that is done.
	Checking bool      `json:"checking"`
	Files    []Partial `json:"files"`
}

// Partial is a file that has not arrived in full.
type Partial struct {
	Path string `json:"path"`
	Have int64  `json:"have"`
}

func (r *receiver) missing(w http.ResponseWriter) error {
	r.mu.Lock()
	answer := Missing{HasList: r.files != nil, Checking: r.checking, Files: []Partial{}}
	wrong := r.wrong
	all := make([]*arriving, 0, len(r.order))
	if !r.checking {
		for _, name := range r.order {
			all = append(all, r.files[name])
		}
	}
	r.mu.Unlock()
	if wrong != nil {
		return wrong
	}
	for _, file := range all {
		file.mu.Lock()
		if !file.done {
			answer.Files = append(answer.Files, Partial{file.Path, file.have})
		}
		file.mu.Unlock()
	}
	w.Header().Set("Content-Type", "application/json")
	return json.NewEncoder(w).Encode(answer)
}

func (r *receiver) takeList(w http.ResponseWriter, q *http.Request) error {
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, MostList))
	if err != nil {
		return refusal{http.StatusRequestEntityTooLarge, "the list is too long, or broke off"}
	}
	list, err := ReadList(body, r.options.Manifest)
	if err != nil {
		return err
	}
	files, order, total := map[string]*arriving{}, []string{}, int64(0)
	for _, file := range list {
		files[file.Path] = &arriving{File: file, sum: sha256.New()}
		order = append(order, file.Path)
		total += file.Bytes
	}
	if total > r.options.Bytes {
		return refusal{http.StatusBadRequest, "the list has more than was announced"}
	}
	checked, err := r.begin(files, order, body)
	if err != nil {
		return err
	}
	// Hashing hundreds of gigabytes takes minutes: nobody waits for that on one call. What is quick is answered at once, for when
	// nothing is missing this ends.
	select {
	case <-checked:
	case <-time.After(checkingSoon):
	}
	return r.missing(w)
}

// begin returns a channel that is closed once the folder has been looked through.
func (r *receiver) begin(files map[string]*arriving, order []string, text []byte) (<-chan struct{}, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.files != nil {
		return r.checked, nil
	}
	if err := r.writeList(text); err != nil {
		return nil, err
	}
	r.files, r.order, r.left, r.checking = files, order, len(files), true
	go r.recallAll()
	return r.checked, nil
}

func (r *receiver) recallAll() {
	for _, name := range r.order {
		file := r.files[name]
		file.mu.Lock()
		err := r.recall(file)
		isHere := file.done
		file.mu.Unlock()
		r.mu.Lock()
		if isHere {
			r.left--
		}
		r.wrong = errors.Join(r.wrong, err)
		r.mu.Unlock()
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.checking = false
	close(r.checked)
	r.settle()
}

func (r *receiver) writeList(body []byte) error {
	// One that an earlier container left cannot be written to.
	if err := r.root.Remove(ListName); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return r.root.WriteFile(ListName, body, 0o444)
}

// ReadList reads a list that has this digest. Errors are sentences for the sender; every path is one below the folder, and none is
// there twice.
func ReadList(text []byte, digest string) ([]File, error) {
	sum := sha256.Sum256(text)
	if hex.EncodeToString(sum[:]) != digest {
		return nil, refusal{http.StatusForbidden, "this is not the list that was announced"}
	}
	var list []File
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, refusal{http.StatusBadRequest, "the list is not understood"}
	}
	seen := map[string]bool{ListName: true}
	for _, file := range list {
		if !fs.ValidPath(file.Path) || file.Path == "." || file.Bytes < 0 || seen[file.Path] || path.Ext(file.Path) == partSuffix {
			return nil, refusal{http.StatusBadRequest, "the list has a path that is none"}
		}
		seen[file.Path] = true
	}
	return list, nil
}

// recall finds a file that was there before: a container that was started anew had taken it in, or the node's agent put it there.
func (r *receiver) recall(file *arriving) error {
	_ = r.root.Remove(file.Path + partSuffix)
	found, err := r.root.Open(file.Path)
	if err != nil {
		return r.makeFolder(path.Dir(file.Path))
	}
	defer found.Close()
	sum := sha256.New()
	size, err := io.Copy(sum, found)
	if err == nil && size == file.Bytes && hex.EncodeToString(sum.Sum(nil)) == file.SHA256 {
		file.done, file.have = true, size
		return nil
	}
	return r.root.Remove(file.Path)
}

func (r *receiver) makeFolder(name string) error {
	if name == "." {
		return nil
	}
	if err := r.makeFolder(path.Dir(name)); err != nil {
		return err
	}
	if err := r.root.Mkdir(name, 0o755); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// The bytes from `offset` on, which is how many there are.
func (r *receiver) takeFile(w http.ResponseWriter, q *http.Request) error {
	r.mu.Lock()
	file, isChecking := r.files[q.URL.Query().Get("path")], r.checking
	r.mu.Unlock()
	if file == nil {
		return refusal{http.StatusNotFound, "the list has no such file"}
	}
	if isChecking {
		return refusal{http.StatusConflict, "what is here already is being checked"}
	}
	if !file.mu.TryLock() {
		return refusal{http.StatusConflict, "this file is arriving already"}
	}
	defer file.mu.Unlock()
	offset, err := strconv.ParseInt(q.URL.Query().Get("offset"), 10, 64)
	if err != nil || offset != file.have || file.done {
		return refusal{http.StatusConflict, fmt.Sprintf("the file goes on at %d", file.have)}
	}
	part, err := r.root.OpenFile(file.Path+partSuffix, os.O_WRONLY|os.O_CREATE, 0o444)
	if err != nil {
		return err
	}
	defer part.Close()
	if _, err := part.Seek(file.have, io.SeekStart); err != nil {
		return err
	}
	alive := http.NewResponseController(w)
	buffer := make([]byte, 1<<20)
	for {
		_ = alive.SetReadDeadline(time.Now().Add(idle))
		n, err := q.Body.Read(buffer)
		if file.have+int64(n) > file.Bytes {
			return r.again(file, "the file is longer than the list says")
		}
		if _, wrong := part.Write(buffer[:n]); wrong != nil {
			return wrong
		}
		file.sum.Write(buffer[:n])
		file.have += int64(n)
		if err == io.EOF {
			break
		}
		if err != nil {
			return refusal{http.StatusBadRequest, "the file broke off"}
		}
	}
	if file.have < file.Bytes {
		return nil
	}
	if hex.EncodeToString(file.sum.Sum(nil)) != file.SHA256 {
		return r.again(file, "these are not the bytes that the list names")
	}
	if err := r.root.Rename(file.Path+partSuffix, file.Path); err != nil {
		return err
	}
	file.done = true
	r.mu.Lock()
	defer r.mu.Unlock()
	r.left--
	r.settle()
	return nil
}

// again forgets what has arrived of a file.
func (r *receiver) again(file *arriving, why string) error {
	_ = r.root.Remove(file.Path + partSuffix)
	file.have = 0
	file.sum.Reset()
	return refusal{http.StatusUnprocessableEntity, why}
}

func (r *receiver) settle() {
	if r.left == 0 && r.files != nil {
		select {
		case <-r.complete:
		default:
			close(r.complete)
		}
	}
}
