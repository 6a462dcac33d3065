package diskserver

import (
	"encoding/json"
	"errors"
	"net/http"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
)

// A problem is what a refused call answers (RFC 9457): code for programs, detail for people, one sentence that names the
// field and the rule. Offset is set where an upload can go on.
type problem struct {
	status int
	code   string
	field  string
	detail string
	offset int64
}

func (p *problem) Error() string { return p.detail }

func refuse(status int, code, field, detail string) *problem {
	return &problem{status: status, code: code, field: field, detail: detail, offset: -1}
}

func (p *problem) at(offset int64) *problem {
	p.offset = offset
	return p
}

// Every other error than a problem and these rows is a fault of the disk or of this server: 500.
var errnos = []struct {
	errno  unix.Errno
	status int
	code   string
	rule   string
}{
	{unix.ENOENT, 404, "NotFound", "names nothing on this disk"},
	{unix.ENOTDIR, 404, "NotFound", "leads through something that is not a folder"},
	{unix.EEXIST, 409, "Exists", "names something that is there already"},
	{unix.EISDIR, 409, "IsFolder", "names a folder, not a file"},
	{unix.ELOOP, 409, "LinkLoop", "leads through too many links"},
	{unix.ENOTEMPTY, 409, "Filling", "names a folder that something keeps writing into"},
	{unix.EBUSY, 409, "Busy", "names something that the system is using"},
	{unix.EXDEV, 409, "OtherVolume", "leads to another volume"},
	{unix.ENAMETOOLONG, 400, "NameTooLong", "has a name that this disk finds too long"},
	{unix.EILSEQ, 400, "NameNotAllowed", "has a name that this disk does not allow"},
	{unix.EINVAL, 400, "NameNotAllowed", "has a name that this disk does not allow"},
	{unix.EACCES, 403, "Forbidden", "names something that may not be changed or read"},
	{unix.EPERM, 403, "Forbidden", "names something that may not be changed or read"},
	{unix.EROFS, 403, "ReadOnly", "is on a disk that is read-only now"},
	{unix.ENOSPC, 507, "DiskFull", "does not fit: the disk is full"},
	{unix.EDQUOT, 507, "DiskFull", "does not fit: the quota of the disk is used up"},
	{unix.EFBIG, 413, "FileTooLarge", "is larger than this disk lets a file be"},
}

// problemOf says what an error about the named query parameter means.
func problemOf(err error, field string) *problem {
	var known *problem
	if errors.As(err, &known) {
		return known
	}
	var errno unix.Errno
	if errors.As(err, &errno) {
		for _, row := range errnos {
			if row.errno == errno {
				return refuse(row.status, row.code, field, field+" "+row.rule+".")
			}
		}
		return refuse(500, "DiskFault", field, field+" met a fault of the disk: "+errno.Error()+".")
	}
	// os.Root's refusal has no name that could be compared; it is the one path error that carries no errno.
	var path *os.PathError
	if errors.As(err, &path) && path.Err.Error() == "path escapes from parent" {
		return refuse(403, "LeadsOutside", field, field+" leads out of the disk through a link, which is never followed.")
	}
	return refuse(500, "Fault", field, field+" met a fault of the file server: "+err.Error()+".")
}

func answerProblem(w http.ResponseWriter, p *problem) {
	header := w.Header()
	for _, of := range []string{"Content-Disposition", "Content-Length", "ETag", "Last-Modified"} {
		header.Del(of)
	}
	if p.status == http.StatusUnauthorized {
		header.Set("WWW-Authenticate", "Bearer")
	}
	if p.status == http.StatusServiceUnavailable {
		header.Set("Retry-After", "2")
	}
	body := map[string]any{
		"type": "about:blank", "title": http.StatusText(p.status), "status": p.status,
		"code": p.code, "field": p.field, "detail": p.detail,
	}
	if p.offset >= 0 {
		body["offset"] = p.offset
		header.Set("Upload-Offset", strconv.FormatInt(p.offset, 10))
	}
	answerJSON(w, p.status, "application/problem+json", body)
}

func answerJSON(w http.ResponseWriter, status int, kind string, body any) {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // Only maps and structs of this package come here.
	}
	// Before it answers, the server reads the rest of a short body: the caller gets less time for that than for the answer.
	control, now := http.NewResponseController(w), time.Now()
	_ = control.SetReadDeadline(now.Add(idle / 4))
	_ = control.SetWriteDeadline(now.Add(idle))
	header := w.Header()
	header.Set("Content-Type", kind)
	header.Set("Content-Length", strconv.Itoa(len(text)))
	w.WriteHeader(status)
	_, _ = w.Write(text)
}
