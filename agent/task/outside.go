package task

import (
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// Calls of the gateway at once; further ones come again.
	mostCalls = 64
	// Answers on their way to the worker at once: each is in memory until the worker has it.
	mostAnswers = 8
	// Codes above mean signals.
	mostCode = 125

	fileChunk = 1 << 20
)

// Variables, because tests cannot wait that long.
var (
	// How long a call waits for something to tell.
	poll = 20 * time.Second
	// How long a connection of the gateway's may stall.
	idle = time.Minute
)

type refusal struct {
	status   int
	sentence string
}

func (r refusal) Error() string { return r.sentence }

// outside is the gateway's side.
type outside struct {
	root    *os.File
	journal *journal
	relay   *relay
	// The SHA-256 of the token.
	door [sha256.Size]byte
	// What numbers of lines and asks belong to: process 1 may be started anew, and counts from 1 again.
	boot string
	// Closed by POST /over, and by POST /refuse.
	left    chan struct{}
	leaving sync.Once
	// The code with which the gateway ends everything; 0 while it does not.
	refused atomic.Int32
	// Ends the worker, if it still runs.
	stop func()
	// When the gateway last fetched or kept something.
	fetched atomic.Pointer[time.Time]

	places, answers chan struct{}
}

// newOutside has a boot of its own, no folder, and nothing to stop.
func newOutside(journal *journal, door [sha256.Size]byte) *outside {
	boot := make([]byte, 8)
	_, _ = rand.Read(boot)
	return &outside{
		journal: journal, relay: newRelay(), door: door, boot: hex.EncodeToString(boot), left: make(chan struct{}), stop: func() {},
		places: make(chan struct{}, mostCalls), answers: make(chan struct{}, mostAnswers),
	}
}

type call struct {
	do     func(o *outside, w http.ResponseWriter, q *http.Request, query url.Values) error
	params string
}

var calls = map[string]call{
	"GET /journal": {(*outside).tellJournal, "boot after"},
	"GET /file":    {(*outside).sendFile, "boot path offset"},
	"POST /kept":   {(*outside).takeKept, "boot path"},
	"GET /ask":     {(*outside).tellAsks, "boot after most"},
	"PUT /answer":  {(*outside).takeAnswer, "boot id status"},
	"POST /over":   {(*outside).leave, "boot"},
	"POST /refuse": {(*outside).refuse, "boot code"},
}

func (o *outside) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	if q.Method+" "+q.URL.Path == "GET /healthz" {
		w.WriteHeader(http.StatusNoContent)
		return
	}
	err := o.serve(w, q)
	var no refusal
	if errors.As(err, &no) {
		_ = write(w, "text/plain; charset=utf-8", no.status, []byte(no.sentence+"\n"), idle)
	} else if err != nil {
		_ = write(w, "text/plain; charset=utf-8", http.StatusInternalServerError, []byte(err.Error()+"\n"), idle)
	}
}

func (o *outside) serve(w http.ResponseWriter, q *http.Request) error {
	if !o.isGateway(q) {
		return refusal{http.StatusUnauthorized, "Authorization must be 'Bearer' and the token of this task"}
	}
	chosen, isKnown := calls[q.Method+" "+q.URL.Path]
	if !isKnown {
		return refusal{http.StatusNotFound, "there is no such call"}
	}
	query, err := parseQuery(q.URL.RawQuery, chosen.params)
	if err != nil {
		return err
	}
	if query.Get("boot") != o.boot && !(q.URL.Path == "/journal" && isFirst(query)) {
		return refusal{http.StatusConflict, "boot is not the present one: read the journal without it, from its start"}
	}
	select {
	case o.places <- struct{}{}:
		defer func() { <-o.places }()
	default:
		return refusal{http.StatusServiceUnavailable, fmt.Sprintf("more than %d calls at once", mostCalls)}
	}
	return chosen.do(o, w, q, query)
}

// isFirst is whether a caller asks for the journal without knowing the boot. It is answered at once.
func isFirst(query url.Values) bool {
	return query.Get("boot") == "" && strings.Trim(query.Get("after"), "0") == ""
}

// isGateway compares digests in constant time.
func (o *outside) isGateway(q *http.Request) bool {
	token, isBearer := strings.CutPrefix(q.Header.Get("Authorization"), "Bearer ")
	given := sha256.Sum256([]byte(token))
	return subtle.ConstantTimeCompare(given[:], o.door[:]) == 1 && isBearer
}

// fetches notes that results are on their way: the container is held for them.
func (o *outside) fetches() {
	now := time.Now()
	o.fetched.Store(&now)
}

func parseQuery(raw, params string) (url.Values, error) {
	values, err := url.ParseQuery(raw)
	if err != nil {
		return nil, refusal{http.StatusBadRequest, "the query must be parameters in percent-encoding, joined by '&'"}
	}
	for name, given := range values {
		if len(given) > 1 || !strings.Contains(" "+params+" ", " "+name+" ") {
			return nil, refusal{http.StatusBadRequest, "this call takes each of these parameters once: " + params}
		}
	}
	return values, nil
}

func number64(query url.Values, name string, otherwise, least, most int64) (int64, error) {
	text := query.Get(name)
	if text == "" && otherwise >= least {
		return otherwise, nil
	}
	value, err := strconv.ParseInt(text, 10, 64)
	if err != nil || value < least || value > most {
		return 0, refusal{http.StatusBadRequest, fmt.Sprintf("%s must be a whole number from %d to %d", name, least, most)}
	}
	return value, nil
}

// write is an answer in one piece, to a reader who may be slow, but not for ever.
func write(w http.ResponseWriter, kind string, status int, body []byte, limit time.Duration) error {
	alive := http.NewResponseController(w)
	_ = alive.SetWriteDeadline(time.Now().Add(limit))
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if _, err := w.Write(body); err != nil {
		return err
	}
	err := alive.Flush()
	_ = alive.SetWriteDeadline(time.Time{})
	return err
}

func writeJSON(w http.ResponseWriter, value any) error {
	text, err := compact(value)
	if err != nil {
		return err
	}
	// Whoever does not take it asks again.
	_ = write(w, "application/json", http.StatusOK, text, idle)
	return nil
}

// await returns whether it makes sense to look again: something changed, within the time of a poll.
func (o *outside) await(q *http.Request, changed <-chan struct{}, limit <-chan time.Time) bool {
	select {
	case <-changed:
		return true
	case <-limit:
	case <-q.Context().Done():
	case <-o.journal.closed:
	}
	return false
}

func (o *outside) tellJournal(w http.ResponseWriter, q *http.Request, query url.Values) error {
	after, err := number64(query, "after", 0, 0, mostCount)
	if err != nil {
		return err
	}
	isNews, err := o.journal.keep(after)
	if err != nil {
		return refusal{http.StatusBadRequest, err.Error()}
	}
	if isNews {
		o.fetches()
	}
	limit := time.NewTimer(poll)
	defer limit.Stop()
	found := o.journal.page()
	for refused := found.refused; len(found.lines) == 0 && found.over == nil && found.refused == refused && !isFirst(query); {
		isWorthIt := o.await(q, found.changed, limit.C)
		// Even when nobody waits any more: the last news may be the worker's end.
		if found = o.journal.page(); !isWorthIt {
			break
		}
	}
	return writeJSON(w, struct {
		Boot    string            `json:"boot"`
		Lines   []json.RawMessage `json:"lines"`
		Refused int64             `json:"refused"`
		Over    *end              `json:"over,omitempty"`
	}{o.boot, found.lines, found.refused, found.over})
}

func (o *outside) sendFile(w http.ResponseWriter, _ *http.Request, query url.Values) error {
	of, isNamed := o.journal.fileAt(query.Get("path"))
	if !isNamed {
		return refusal{http.StatusNotFound, "path is no file that the journal named and that is not kept"}
	}
	offset, err := number64(query, "offset", 0, 0, of.bytes)
	if err != nil {
		return err
	}
	opened, err := openFile(o.root, of)
	if err != nil {
		return err
	}
	defer opened.Close()
	if _, err := opened.Seek(offset, io.SeekStart); err != nil {
		return err
	}
	alive := http.NewResponseController(w)
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("X-Content-Type-Options", "nosniff")
	w.Header().Set("Content-Length", strconv.FormatInt(of.bytes-offset, 10))
	for left := of.bytes - offset; left > 0; {
		_ = alive.SetWriteDeadline(time.Now().Add(idle))
		o.fetches()
		n, err := io.CopyN(w, opened, min(left, fileChunk))
		if left -= n; err != nil {
			// The file is shorter now, or the caller is gone: the connection must not look complete.
			panic(http.ErrAbortHandler)
		}
	}
	return nil
}

// takeKept may come again, for a file that is gone already.
func (o *outside) takeKept(w http.ResponseWriter, _ *http.Request, query url.Values) error {
	name := query.Get("path")
	if _, isNamed := o.journal.fileAt(name); isNamed {
		o.fetches()
		removeFile(o.root, name)
		o.journal.forget(name)
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (o *outside) tellAsks(w http.ResponseWriter, q *http.Request, query url.Values) error {
	after, err := number64(query, "after", 0, 0, mostCount)
	if err != nil {
		return err
	}
	most, err := number64(query, "most", 16, 1, mostAsksGiven)
	if err != nil {
		return err
	}
	limit := time.NewTimer(poll)
	defer limit.Stop()
	asks, changed := o.relay.page(after, int(most))
	for len(asks) == 0 {
		if !o.await(q, changed, limit.C) {
			break
		}
		asks, changed = o.relay.page(after, int(most))
	}
	return writeJSON(w, map[string]any{"asks": asks})
}

var errNobody = refusal{http.StatusNotFound, "nobody waits for this answer any more"}

func (o *outside) takeAnswer(w http.ResponseWriter, q *http.Request, query url.Values) error {
	id, err := number64(query, "id", 0, 1, mostCount)
	if err != nil {
		return err
	}
	status, err := number64(query, "status", 0, 200, 599)
	if err != nil {
		return err
	}
	if !o.relay.isWaiting(id) {
		return errNobody
	}
	select {
	case o.answers <- struct{}{}:
		defer func() { <-o.answers }()
	case <-q.Context().Done():
		return q.Context().Err()
	case <-time.After(poll):
		return refusal{http.StatusServiceUnavailable, fmt.Sprintf("more than %d answers at once", mostAnswers)}
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(idle))
	body, err := io.ReadAll(http.MaxBytesReader(w, q.Body, mostAnswer))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("the answer must be at most %d bytes long", mostAnswer)}
	case err != nil:
		return refusal{http.StatusBadRequest, "the answer broke off"}
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	if !o.relay.answer(id, answer{int(status), body}) {
		return errNobody
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

func (o *outside) leave(w http.ResponseWriter, _ *http.Request, _ url.Values) error {
	if isOver, _, _ := o.journal.state(); !isOver {
		return refusal{http.StatusConflict, "the task is not over"}
	}
	o.leaving.Do(func() { close(o.left) })
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// refuse ends everything now, with the gateway's code: what the worker makes cannot be kept. The first code stays.
func (o *outside) refuse(w http.ResponseWriter, _ *http.Request, query url.Values) error {
	code, err := strconv.ParseUint(query.Get("code"), 10, 8)
	if err != nil || code < 1 || code > mostCode {
		return refusal{http.StatusBadRequest, fmt.Sprintf("code must be a whole number from 1 to %d", mostCode)}
	}
	o.refused.CompareAndSwap(0, int32(code))
	w.WriteHeader(http.StatusNoContent)
	// First: once we may leave, nobody listens to signals, and this one would be our end.
	o.stop()
	o.leaving.Do(func() { close(o.left) })
	return nil
}

// readDoor reads the digest of the token.
func readDoor(text []byte) (door [sha256.Size]byte, err error) {
	decoded, err := hex.DecodeString(strings.TrimSpace(string(text)))
	if err != nil || len(decoded) != len(door) {
		return door, errors.New("it must be a SHA-256 in hexadecimal digits")
	}
	return [sha256.Size]byte(decoded), nil
}
