package diskserver

import (
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"strconv"
	"sync"
	"sync/atomic"
	"time"
	"unicode/utf8"

	"golang.org/x/sys/unix"
)

// An upload is written beside its place, into a part file whose name follows from the place's name and the upload's own id,
// and takes the place when it is complete. The part's size is the offset: a server that was killed knows no less.

// A call's part of the file. Whole: no Content-Range, everything in one body, total -1 if unknown.
type span struct {
	whole       bool
	from, until int64 // until is exclusive
	total       int64
}

var (
	spanForm = regexp.MustCompile(`^bytes ([0-9]{1,18})-([0-9]{1,18})/([0-9]{1,18})$`)
	doneForm = regexp.MustCompile(`^bytes \*/([0-9]{1,18})$`)
	idForm   = regexp.MustCompile(`^[A-Za-z0-9_-]{8,64}$`)
)

func parseSpan(r *http.Request) (span, error) {
	ranges := r.Header.Values("Content-Range")
	if len(ranges) == 0 {
		return span{whole: true, total: r.ContentLength}, nil
	}
	number := func(text string) int64 { n, _ := strconv.ParseInt(text, 10, 64); return n }
	wrong := refuse(400, "RangeNotUnderstood", "Content-Range",
		"Content-Range must read 'bytes <first>-<last>/<total>', or 'bytes */<total>' to finish.")
	if len(ranges) > 1 {
		return span{}, wrong
	}
	if form := doneForm.FindStringSubmatch(ranges[0]); form != nil {
		total := number(form[1])
		if r.ContentLength != 0 {
			return span{}, refuse(400, "LengthDiffers", "Content-Length", "Content-Length must be 0 with 'bytes */<total>'.")
		}
		return span{from: total, until: total, total: total}, nil
	}
	form := spanForm.FindStringSubmatch(ranges[0])
	if form == nil {
		return span{}, wrong
	}
	of := span{from: number(form[1]), until: number(form[2]) + 1, total: number(form[3])}
	if of.from >= of.until || of.until > of.total {
		return span{}, wrong
	}
	if r.ContentLength >= 0 && r.ContentLength != of.until-of.from {
		return span{}, refuse(400, "LengthDiffers", "Content-Length", "Content-Length must be the length of Content-Range.")
	}
	return of, nil
}

// partName is at most 255 bytes and cut between letters; names that are cut alike still differ by the digest.
func partName(name, id string) string {
	digest := sha256.Sum256([]byte(name + "\x00" + id))
	end := "." + hex.EncodeToString(digest[:8]) + partSuffix
	if room := longestName - len(end); len(name) > room {
		name = name[:room]
		for cut := 0; cut < utf8.UTFMax && !utf8.ValidString(name); cut++ {
			name = name[:len(name)-1]
		}
	}
	return name + end
}

// target parses what upload calls have in common: where to, and which upload.
func (s *server) target(q query, idNeeded bool) (to, part *place, err error) {
	id := q.text("upload")
	if (id != "" || idNeeded) && !idForm.MatchString(id) {
		return nil, nil, refuse(400, "UploadId", "upload",
			"upload must be 8 to 64 letters, digits, '-' or '_', chosen by the caller for this file and this content.")
	}
	to, err = s.placeOf("path", q.text("path"))
	if err != nil {
		return nil, nil, err
	}
	if err := mayBeNamed("path", to.name); err != nil {
		to.close()
		return nil, nil, err
	}
	return to, &place{folder: to.folder, name: partName(to.name, cmp.Or(id, rand.Text()))}, nil
}

func (s *server) upload(w http.ResponseWriter, r *http.Request, q query) error {
	overwrite, err := q.flag("overwrite")
	if err != nil {
		return err
	}
	of, err := parseSpan(r)
	if err != nil {
		return err
	}
	to, part, err := s.target(q, !of.whole)
	if err != nil {
		return err
	}
	defer to.close()
	if err := mayTake(to, overwrite); err != nil {
		return err
	}
	resumable := q.text("upload") != ""

	turn, err := s.writers.take(r.Context(), part, http.NewResponseController(w))
	if err != nil {
		return err
	}
	defer turn.end()

	file, offset, err := openPart(part, of)
	if err != nil {
		return err
	}
	defer file.Close()
	if err := roomFor(to.folder, of, offset); err != nil {
		if offset == 0 {
			_ = unix.Unlinkat(part.at(), part.name, 0)
		}
		return err
	}
	offset, err = receive(file, r.Body, of, offset, turn)
	failed := func(err error) error {
		if resumable {
			return problemOf(err, "path").at(offset)
		}
		// Nobody could ask for it again: it would only take room.
		_ = unix.Unlinkat(part.at(), part.name, 0)
		return err
	}
	if err != nil {
		return failed(err)
	}
	if !of.whole && offset < of.total {
		w.Header().Set("Upload-Offset", strconv.FormatInt(offset, 10))
		answerJSON(w, http.StatusAccepted, "application/json", map[string]int64{"offset": offset, "total": of.total})
		return nil
	}
	replaced, err := finish(file, part, to, overwrite)
	if err != nil {
		return failed(err)
	}
	w.WriteHeader(map[bool]int{false: http.StatusCreated, true: http.StatusOK}[replaced])
	return nil
}

// mayTake refuses before a byte is sent; what changes until the end is refused there.
func mayTake(to *place, overwrite bool) error {
	of, err := to.stat()
	switch {
	case errors.Is(err, unix.ENOENT):
		return nil
	case err != nil:
		return problemOf(err, "path")
	case isFolder(of):
		return refuse(409, "IsFolder", "path", "path names a folder, which a file cannot replace.")
	case !overwrite:
		return refuse(409, "Exists", "path", "path names a file that is there already; overwrite=true replaces it.")
	}
	return nil
}

func openPart(part *place, of span) (file *os.File, offset int64, err error) {
	flags := unix.O_RDWR | unix.O_NOFOLLOW | unix.O_NONBLOCK | unix.O_CLOEXEC
	if of.from == 0 {
		flags |= unix.O_CREAT
	}
	fd, err := unix.Openat(part.at(), part.name, flags, 0o600)
	if errors.Is(err, unix.ENOENT) {
		return nil, 0, offsetDiffers(0)
	}
	if err != nil {
		return nil, 0, problemOf(err, "path")
	}
	opened := os.NewFile(uintptr(fd), "part")
	defer func() {
		if err != nil {
			_ = opened.Close()
		}
	}()
	var facts unix.Stat_t
	if err := unix.Fstat(fd, &facts); err != nil {
		return nil, 0, problemOf(err, "path")
	}
	if !isFile(facts) {
		return nil, 0, refuse(409, "NotFile", "upload", "upload names a part that is no longer a file; remove it first.")
	}
	// Another server for the same disk, during a change from one to the next.
	if err := unix.Flock(fd, unix.LOCK_EX|unix.LOCK_NB); errors.Is(err, unix.EWOULDBLOCK) {
		return nil, 0, refuse(409, "UploadBusy", "upload", "upload is being written by another file server of this disk.")
	}
	if of.whole {
		if err := opened.Truncate(0); err != nil {
			return nil, 0, problemOf(err, "path")
		}
		return opened, 0, nil
	}
	if facts.Size != of.from {
		return nil, 0, offsetDiffers(facts.Size)
	}
	return opened, facts.Size, nil
}

func offsetDiffers(offset int64) error {
	return refuse(409, "OffsetDiffers", "Content-Range",
		fmt.Sprintf("Content-Range must go on at byte %d, where the upload stands.", offset)).at(offset)
}

func roomFor(folder *os.File, of span, offset int64) error {
	space, err := spaceOf(folder)
	if err != nil || of.total < 0 {
		return nil // Found out while writing.
	}
	if needed := of.total - offset; uint64(needed) > space.AvailableBytes {
		return refuse(507, "DiskFull", "path", fmt.Sprintf(
			"path does not fit: %d bytes are still to come, %d are available on the disk.", needed, space.AvailableBytes)).at(offset)
	}
	return nil
}

var buffers = sync.Pool{New: func() any { return new([256 << 10]byte) }}

// So much may be lost to a power cut, and has to reach the disk at the end at once.
const syncEvery = 256 << 20

// receive appends the body, and tells how far the part has come whatever happened.
func receive(file *os.File, body io.Reader, of span, offset int64, turn *turn) (int64, error) {
	buffer := buffers.Get().(*[256 << 10]byte)
	defer buffers.Put(buffer)
	synced := offset
	for of.whole || offset < of.until {
		if err := turn.wait(); err != nil {
			return offset, err
		}
		room := buffer[:]
		if !of.whole {
			room = room[:min(int64(len(room)), of.until-offset)]
		}
		n, readErr := body.Read(room)
		if n > 0 {
			written, err := file.WriteAt(room[:n], offset)
			offset += int64(written)
			if err != nil {
				return offset, err
			}
		}
		if offset-synced >= syncEvery {
			if err := unix.Fdatasync(int(file.Fd())); err != nil {
				return offset, err
			}
			synced = offset
		}
		if readErr == io.EOF {
			break
		}
		if readErr != nil {
			if turn.taken.Load() {
				return offset, takenOver()
			}
			if errors.Is(readErr, os.ErrDeadlineExceeded) {
				return offset, refuse(408, "TooSlow", "body", "body must go on within a minute.")
			}
			return offset, refuse(400, "BodyEndsEarly", "body", "body ended before all of it was there.")
		}
	}
	if !of.whole && offset < of.until {
		return offset, refuse(400, "BodyEndsEarly", "body", "body must be as long as Content-Range says.")
	}
	// A body in chunks tells no length before; one byte more than announced is one too many.
	if n, _ := io.ReadFull(body, buffer[:1]); n > 0 {
		return offset, refuse(400, "BodyTooLong", "body", "body must be as long as Content-Range says.")
	}
	turn.received()
	return offset, nil
}

// finish gives the part the mode and the owner of the file it replaces, or of its folder, syncs it to disk, and only then gives
// it its name.
func finish(file *os.File, part, to *place, overwrite bool) (replaced bool, err error) {
	fd := int(file.Fd())
	mode := uint32(0o644)
	giveTo(fd, to.folder)
	if old, err := to.stat(); err == nil {
		replaced = true
		if isFile(old) {
			mode = old.Mode & 0o777
			_ = unix.Fchown(fd, int(old.Uid), int(old.Gid))
		}
	}
	if err := unix.Fchmod(fd, mode); err != nil {
		return false, err
	}
	// XFS reserves room behind the end of a file that grows, and would count it as used for minutes.
	if err := trim(fd); err != nil {
		return false, err
	}
	if err := unix.Fsync(fd); err != nil {
		return false, err
	}
	switch err := move(part, to, overwrite); {
	case errors.Is(err, unix.ENOENT):
		return false, refuse(409, "UploadGone", "upload", "upload was removed before it was complete.")
	case errors.Is(err, unix.EISDIR):
		return false, refuse(409, "IsFolder", "path", "path names a folder, which a file cannot replace.")
	case errors.Is(err, unix.EEXIST):
		return false, refuse(409, "Exists", "path", "path names a file that is there already; overwrite=true replaces it.")
	case err != nil:
		return false, err
	}
	return replaced, unix.Fsync(to.at())
}

func trim(fd int) error {
	var facts unix.Stat_t
	if err := unix.Fstat(fd, &facts); err != nil {
		return err
	}
	return unix.Ftruncate(fd, facts.Size)
}

// uploadState tells how far an upload has come. While one is being written, the answer is already old.
func (s *server) uploadState(w http.ResponseWriter, _ *http.Request, q query) error {
	to, part, err := s.target(q, true)
	if err != nil {
		return err
	}
	defer to.close()
	of, err := part.stat()
	if err != nil || !isFile(of) {
		return refuse(404, "NotFound", "upload", "upload names none that was begun for this path.")
	}
	w.Header().Set("Upload-Offset", strconv.FormatInt(of.Size, 10))
	w.Header().Set("Cache-Control", "no-store")
	answerJSON(w, 200, "application/json", map[string]int64{"offset": of.Size})
	return nil
}

func (s *server) dropUpload(w http.ResponseWriter, r *http.Request, q query) error {
	to, part, err := s.target(q, true)
	if err != nil {
		return err
	}
	defer to.close()
	turn, err := s.writers.take(r.Context(), part, http.NewResponseController(w))
	if err != nil {
		return err
	}
	defer turn.end()
	if err := unix.Unlinkat(part.at(), part.name, 0); errors.Is(err, unix.ENOENT) {
		return refuse(404, "NotFound", "upload", "upload names none that was begun for this path.")
	} else if err != nil {
		return problemOf(err, "path")
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// writers lets one call at a time write a part. The newest wins: who resumes has given up the connection before, which
// this end may still hold for alive.
type writers struct {
	lock sync.Mutex
	busy map[string]*turn
}

type turn struct {
	of      *writers
	key     string
	control *http.ResponseController
	taken   atomic.Bool
	over    chan struct{}
}

func (of *writers) take(ctx context.Context, part *place, control *http.ResponseController) (*turn, error) {
	var folder unix.Stat_t
	if err := unix.Fstat(part.at(), &folder); err != nil {
		return nil, problemOf(err, "path")
	}
	mine := &turn{of: of, key: fmt.Sprintf("%d:%d:%s", folder.Dev, folder.Ino, part.name), control: control, over: make(chan struct{})}
	for {
		of.lock.Lock()
		before := of.busy[mine.key]
		if before == nil {
			of.busy[mine.key] = mine
			of.lock.Unlock()
			return mine, nil
		}
		before.taken.Store(true)
		_ = before.control.SetReadDeadline(time.Unix(1, 0))
		of.lock.Unlock()
		select {
		case <-before.over:
		case <-ctx.Done():
			return nil, refuse(400, "BodyEndsEarly", "body", "body ended before all of it was there.")
		}
	}
}

// wait sets the deadline for the next piece of the body, unless another call has taken over.
func (t *turn) wait() error {
	_ = t.control.SetReadDeadline(time.Now().Add(idle))
	if t.taken.Load() {
		_ = t.control.SetReadDeadline(time.Unix(1, 0))
		return takenOver()
	}
	return nil
}

func takenOver() error {
	return refuse(409, "TakenOver", "upload", "upload was taken over by a later call.")
}

// received: what follows (bringing it to the disk) may take longer than a caller may be silent.
func (t *turn) received() {
	if !t.taken.Load() {
		_ = t.control.SetReadDeadline(time.Time{})
	}
}

func (t *turn) end() {
	t.of.lock.Lock()
	delete(t.of.busy, t.key)
	close(t.over)
	t.of.lock.Unlock()
}
