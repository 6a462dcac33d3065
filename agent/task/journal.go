package task

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// What the journal holds until the gateway has kept it. Beyond any of these the worker waits at its pipe.
const (
	mostHeld      = 2000
	mostHeldBytes = 4 << 20
	// Files that were named and that the gateway has not kept.
	mostNamed = 4096

	// One answer.
	mostLines      = 500
	mostLinesBytes = 1 << 20

	linesPerSecond = 200
	// Reasons in the container's log; all refusals are counted.
	mostReasons = 20
)

// entry is a line as the gateway gets it.
type entry struct {
	seq  int64
	text []byte
}

// end is how the worker ended. Code is 128+n where signal n killed it.
type end struct {
	Code   int    `json:"code"`
	Signal string `json:"signal"`
}

// journal is what the worker said and the gateway has not kept yet.
type journal struct {
	mu      sync.Mutex
	changed chan struct{}
	// The lines above the last one that was kept, in order.
	entries []entry
	bytes   int
	last    int64
	named   map[string]file
	refused int64
	// What finds no room is dropped: nobody waits.
	drops bool
	// Another worker speaks: what is understood is dropped.
	isMute bool
	// Set once no line comes any more.
	over *end
	// Closed when nobody waits for anything any more.
	closed chan struct{}
}

func newJournal() *journal {
	return &journal{changed: make(chan struct{}), named: map[string]file{}, closed: make(chan struct{})}
}

// bell tells everybody who waits to look again. The caller holds the lock.
func (j *journal) bell() {
	close(j.changed)
	j.changed = make(chan struct{})
}

// read takes the worker's lines until the pipe ends. What does not end with a newline is no line: the worker died in it.
func (j *journal) read(pipe io.Reader, pause func(time.Duration), now func() time.Time) {
	lines := bufio.NewReaderSize(pipe, mostLine+1)
	pace := pace{perSecond: linesPerSecond}
	isTooLong := false
	for {
		raw, err := lines.ReadSlice('\n')
		if len(raw) == 0 && err != nil {
			return
		}
		// A piece of an endless line costs as much as a line.
		pause(pace.wait(now()))
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			isTooLong = true
		case err != nil:
			j.refuse(errors.New("breaks off"))
			return
		case isTooLong:
			isTooLong = false
			j.refuse(fmt.Errorf("is longer than %d bytes", mostLine))
		default:
			if err := j.take(raw[:len(raw)-1], now()); err != nil {
				j.refuse(err)
			}
		}
	}
}

// take waits for room, or refuses a line that finds none. It refuses a line that is not understood, and one that says something else of a file than an earlier one.
func (j *journal) take(raw []byte, at time.Time) error {
	made, err := readLine(raw)
	if err != nil {
		return err
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.isMute {
		return nil
	}
	for !j.hasRoom(made) && j.over == nil {
		if j.drops {
			return errNoRoom
		}
		changed := j.changed
		j.mu.Unlock()
		select {
		case <-changed:
		case <-j.closed:
		}
		j.mu.Lock()
		if j.isClosed() {
			return nil
		}
	}
	// The pipe is read to its end before; a call of the worker may come later.
	if j.over != nil {
		return errors.New("comes after the end")
	}
	if of := made.file; of.path != "" {
		if before, isNamed := j.named[of.path]; isNamed && before != of {
			return errors.New("contradicts what was said of its file")
		}
		j.named[of.path] = of
	}
	j.last++
	text := fmt.Appendf(nil, `{"seq":%d,"at":%d,"line":%s}`, j.last, at.UnixMilli(), made.text)
	j.entries = append(j.entries, entry{j.last, text})
	j.bytes += len(text)
	j.bell()
	return nil
}

func (j *journal) hasRoom(made line) bool {
	_, isNamed := j.named[made.file.path]
	return len(j.entries) < mostHeld && j.bytes < mostHeldBytes && (made.file.path == "" || isNamed || len(j.named) < mostNamed)
}

var errNoRoom = errors.New("finds no room: the gateway has not fetched the lines before it")

func (j *journal) refuse(why error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.refused++; j.refused <= mostReasons {
		fmt.Fprintf(os.Stderr, "agent: a line of the journal, after line %d, %v\n", j.last, why)
	}
	j.bell()
}

// finish says that no line comes any more.
func (j *journal) finish(how end) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.over = &how
	j.bell()
}

// pause waits, but not beyond the end of everything.
func (j *journal) pause(wait time.Duration) {
	if wait <= 0 {
		return
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-j.closed:
	}
}

// close lets everybody go who waits.
func (j *journal) close() {
	j.mu.Lock()
	defer j.mu.Unlock()
	if !j.isClosed() {
		close(j.closed)
	}
}

func (j *journal) isClosed() bool {
	select {
	case <-j.closed:
		return true
	default:
		return false
	}
}

var errAhead = errors.New("after is a line that there is not")

// keep drops the lines up to one that the gateway has kept. Two gateways may ask: the higher one counts.
// isNews says that there was something to drop.
func (j *journal) keep(after int64) (isNews bool, err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if after > j.last {
		return false, errAhead
	}
	dropped := 0
	for ; dropped < len(j.entries) && j.entries[dropped].seq <= after; dropped++ {
		j.bytes -= len(j.entries[dropped].text)
	}
	if dropped > 0 {
		// A copy, so that the dropped ones do not stay behind in the array.
		j.entries = append([]entry(nil), j.entries[dropped:]...)
		j.bell()
	}
	return dropped > 0, nil
}

// page is one answer: the first lines that are not kept. Over is there only when no line comes after these.
type page struct {
	lines   []json.RawMessage
	over    *end
	refused int64
	changed <-chan struct{}
}

func (j *journal) page() page {
	j.mu.Lock()
	defer j.mu.Unlock()
	answer := page{lines: []json.RawMessage{}, refused: j.refused, changed: j.changed}
	bytes := 0
	for _, one := range j.entries {
		if bytes += len(one.text); len(answer.lines) == mostLines || bytes > mostLinesBytes && len(answer.lines) > 0 {
			return answer
		}
		answer.lines = append(answer.lines, one.text)
	}
	answer.over = j.over
	return answer
}

func (j *journal) fileAt(path string) (file, bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	of, isNamed := j.named[path]
	return of, isNamed
}

// forget makes room for another file.
func (j *journal) forget(path string) {
	j.mu.Lock()
	defer j.mu.Unlock()
	delete(j.named, path)
	j.bell()
}

// state is whether no line comes any more, whether there is nothing left to fetch, and what is closed when that may have changed.
func (j *journal) state() (isOver, isFetched bool, changed <-chan struct{}) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.over != nil, j.over != nil && len(j.entries) == 0 && len(j.named) == 0, j.changed
}

// held is how many lines nobody has kept yet.
func (j *journal) held() int {
	j.mu.Lock()
	defer j.mu.Unlock()
	return len(j.entries)
}

// remains reads a pipe whose writers may outlive the worker: once it is cut, it ends with what was in it then.
type remains struct {
	pipe  *os.File
	isCut bool
	left  int
}

// cut is called from elsewhere, once.
func (r *remains) cut() { _ = r.pipe.SetReadDeadline(time.Unix(1, 0)) }

func (r *remains) Read(into []byte) (int, error) {
	if !r.isCut {
		n, err := r.pipe.Read(into)
		if !errors.Is(err, os.ErrDeadlineExceeded) {
			return n, err
		}
		r.isCut = true
		if err := r.measure(); err != nil {
			return 0, err
		}
	}
	if r.left == 0 {
		return 0, io.EOF
	}
	n, err := r.pipe.Read(into[:min(len(into), r.left)])
	r.left -= n
	return n, err
}

func (r *remains) measure() (err error) {
	_ = r.pipe.SetReadDeadline(time.Time{})
	raw, err := r.pipe.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	err = raw.Control(func(fd uintptr) { r.left, failed = unix.IoctlGetInt(int(fd), unix.TIOCINQ) })
	return errors.Join(err, failed)
}
