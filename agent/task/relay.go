package task

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	// Calls of the worker that wait at once, their bodies in memory.
	mostAsks      = 64
	mostAskBytes  = 1 << 20
	mostAnswer    = 8 << 20
	mostAsksGiven = 64
	// One answer with asks ends before it is longer, but has at least one.
	mostAsksBytes = 4 << 20
)

// Variables, because tests cannot wait that long.
var (
	// How long the worker waits for an answer.
	answerWithin = 10 * time.Minute
	// How long the worker may take to send its body, and to take its answer.
	workerWithin = 30 * time.Second
)

// The calls of `/v1` that the worker can make; the gateway knows no other of a task.
var askPaths = map[string]bool{"/v1/chat/completions": true, "/v1/completions": true, "/v1/embeddings": true}

var keyForm = regexp.MustCompile(`^[0-9a-f]{64}/[0-9]{1,9}$`)

// ask is a call of the worker that waits for its answer.
type ask struct {
	ID     int64  `json:"id"`
	Key    string `json:"key,omitempty"`
	Method string `json:"method"`
	Path   string `json:"path"`
	Body   string `json:"body"`

	answers chan answer
	// Closed once nobody waits; took says whether the worker has its answer.
	done chan struct{}
	took bool
}

type answer struct {
	status int
	body   []byte
}

// relay is the worker's way to `/v1`: it has none of its own.
type relay struct {
	places chan struct{}

	mu      sync.Mutex
	changed chan struct{}
	last    int64
	// By id; whoever takes one out answers it.
	waiting []*ask
}

func newRelay() *relay {
	return &relay{places: make(chan struct{}, mostAsks), changed: make(chan struct{})}
}

// ServeHTTP is the worker's side.
func (r *relay) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.Method != http.MethodPost || !askPaths[q.URL.Path] {
		refuseAsk(w, refusal{http.StatusNotFound, "This task can call POST /v1/chat/completions, /v1/completions and /v1/embeddings only."})
		return
	}
	select {
	case r.places <- struct{}{}:
		defer func() { <-r.places }()
	default:
		w.Header().Set("Retry-After", "1")
		refuseAsk(w, refusal{http.StatusTooManyRequests, fmt.Sprintf("More than %d calls wait for their answers; try again.", mostAsks)})
		return
	}
	one, err := readAsk(w, q)
	if err == nil {
		err = r.wait(w, q.Context(), one)
	}
	var no refusal
	if errors.As(err, &no) {
		refuseAsk(w, no)
	}
}

func readAsk(w http.ResponseWriter, q *http.Request) (*ask, error) {
	key := q.Header.Get("Gantry-Unit")
	if key != "" && !keyForm.MatchString(key) {
		return nil, refusal{http.StatusBadRequest, "Gantry-Unit must be the 64 hexadecimal digits of a unit, '/', and the number of the call."}
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(workerWithin))
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, mostAskBytes))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return nil, refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("The body must be at most %d bytes long.", mostAskBytes)}
	case err != nil:
		return nil, refusal{http.StatusBadRequest, "The body broke off."}
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	fields, err := object(body)
	if err != nil || !utf8.Valid(body) {
		return nil, refusal{http.StatusBadRequest, "The body must be a JSON object in UTF-8."}
	}
	if stream := fields["stream"]; !isAbsent(stream) && string(stream) != "false" {
		return nil, refusal{http.StatusBadRequest, "stream must be false: a task gets each answer as a whole."}
	}
	return &ask{
		Key: key, Method: q.Method, Path: q.URL.Path, Body: string(body),
		answers: make(chan answer, 1), done: make(chan struct{}),
	}, nil
}

// wait hands the ask out and its answer back.
func (r *relay) wait(w http.ResponseWriter, worker context.Context, one *ask) error {
	r.add(one)
	defer close(one.done)
	defer r.remove(one.ID)
	limit := time.NewTimer(answerWithin)
	defer limit.Stop()
	select {
	case <-worker.Done():
		return worker.Err()
	case <-limit.C:
		return refusal{http.StatusGatewayTimeout, fmt.Sprintf("No answer came within %s.", answerWithin)}
	case got := <-one.answers:
		// The worker sees a fault of the connection where this fails, and asks again.
		err := write(w, "application/json", got.status, got.body, workerWithin)
		one.took = err == nil
		return err
	}
}

func (r *relay) add(one *ask) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last++
	one.ID = r.last
	r.waiting = append(r.waiting, one)
	close(r.changed)
	r.changed = make(chan struct{})
}

// remove returns the ask if it still waits: once to whoever comes first.
func (r *relay) remove(id int64) *ask {
	r.mu.Lock()
	defer r.mu.Unlock()
	at := r.find(id)
	if at < 0 {
		return nil
	}
	one := r.waiting[at]
	r.waiting = slices.Delete(r.waiting, at, at+1)
	return one
}

func (r *relay) find(id int64) int {
	return slices.IndexFunc(r.waiting, func(one *ask) bool { return one.ID == id })
}

func (r *relay) isWaiting(id int64) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.find(id) >= 0
}

// page is the asks above an id that wait for an answer, and what is closed when there are more.
func (r *relay) page(after int64, most int) ([]*ask, <-chan struct{}) {
	r.mu.Lock()
	defer r.mu.Unlock()
	page, bytes := []*ask{}, 0
	for _, one := range r.waiting {
		if one.ID <= after {
			continue
		}
		if bytes += len(one.Body); len(page) == most || bytes > mostAsksBytes && len(page) > 0 {
			break
		}
		page = append(page, one)
	}
	return page, r.changed
}

// answer hands an answer to the worker, and returns whether the worker has it.
func (r *relay) answer(id int64, with answer) bool {
	one := r.remove(id)
	if one == nil {
		return false
	}
	one.answers <- with
	<-one.done
	return one.took
}

// refuseAsk is a refusal as clients of the OpenAI API expect it.
func refuseAsk(w http.ResponseWriter, no refusal) {
	kind := "invalid_request_error"
	if no.status >= 500 || no.status == http.StatusTooManyRequests {
		kind = "server_error"
	}
	text, _ := json.Marshal(map[string]any{"error": map[string]any{"message": no.sentence, "type": kind, "code": strconv.Itoa(no.status)}})
	_ = write(w, "application/json", no.status, text, workerWithin)
}
