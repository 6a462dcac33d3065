package diskserver

import (
	"fmt"
	"io"
	"net/http"
	"os"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// download serves GET and HEAD of a file, whole or in ranges. Browsers never render the result: a disk holds a tenant's content,
// possibly somebody else's page.
func (s *server) download(w http.ResponseWriter, r *http.Request, q query) error {
	path, err := parsePath("path", q.text("path"))
	if err != nil {
		return err
	}
	// Not blocking, or opening a pipe would wait for its writer.
	file, err := s.root.OpenFile(path, os.O_RDONLY|unix.O_NONBLOCK|unix.O_NOCTTY, 0)
	if err != nil {
		return problemOf(err, "path")
	}
	defer file.Close()
	var of unix.Stat_t
	if err := unix.Fstat(int(file.Fd()), &of); err != nil {
		return problemOf(err, "path")
	}
	if isFolder(of) {
		return refuse(409, "IsFolder", "path", "path names a folder, not a file.")
	}
	if !isFile(of) {
		return refuse(409, "NotFile", "path", "path names a pipe, socket or device, which cannot be downloaded.")
	}
	header := w.Header()
	header.Set("Content-Type", "application/octet-stream")
	header.Set("Content-Disposition", attachment(path[strings.LastIndexByte(path, '/')+1:]))
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("ETag", fmt.Sprintf(`"%x-%x-%x"`, of.Ino, of.Size, of.Mtim.Nano()))
	sending := &patient{ResponseWriter: w, control: http.NewResponseController(w)}
	http.ServeContent(sending, r, "", time.Unix(of.Mtim.Unix()), file)
	if sending.outOfRange {
		return refuse(http.StatusRequestedRangeNotSatisfiable, "RangeOutside", "Range",
			fmt.Sprintf("Range must lie within the %d bytes of the file.", of.Size))
	}
	return nil
}

// patient lets a transfer last as long as it moves: every piece has a deadline, the whole has none. And it holds back the
// plain text of a 416, for which the caller gets a problem like all others.
type patient struct {
	http.ResponseWriter
	control    *http.ResponseController
	outOfRange bool
}

func (p *patient) WriteHeader(status int) {
	if status == http.StatusRequestedRangeNotSatisfiable {
		p.outOfRange = true
		return
	}
	_ = p.control.SetWriteDeadline(time.Now().Add(idle))
	p.ResponseWriter.WriteHeader(status)
}

func (p *patient) Write(piece []byte) (int, error) {
	if p.outOfRange {
		return len(piece), nil
	}
	_ = p.control.SetWriteDeadline(time.Now().Add(idle))
	return p.ResponseWriter.Write(piece)
}

// Small enough that a caller of 5 kB/s gets it within the deadline, large enough for sendfile to be worth it.
const piece = 256 << 10

// ReadFrom is what lets the kernel send the file itself (sendfile), a piece at a time.
func (p *patient) ReadFrom(from io.Reader) (sent int64, err error) {
	limited, isLimited := from.(*io.LimitedReader)
	if p.outOfRange || !isLimited {
		return io.Copy(struct{ io.Writer }{p}, from)
	}
	for limited.N > 0 {
		_ = p.control.SetWriteDeadline(time.Now().Add(idle))
		n, err := io.CopyN(p.ResponseWriter, limited.R, min(limited.N, piece))
		limited.N -= n
		sent += n
		if err == io.EOF {
			return sent, nil
		}
		if err != nil {
			return sent, err
		}
	}
	return sent, nil
}

// attachment names a file in a header, whatever its name is: plain letters for old programs, the bytes themselves for all
// others (RFC 6266). Neither can end the header or leave the quotes.
func attachment(name string) string {
	plain := strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || strings.ContainsRune(`"\%/;`, r) {
			return '_'
		}
		return r
	}, name)
	return fmt.Sprintf(`attachment; filename="%s"; filename*=UTF-8''%s`, plain, percent(name))
}

// percent writes every byte that is not a letter, a digit or one of -._~ as %XX: right in a query and in a header.
func percent(name string) string {
	var out strings.Builder
	for at := range len(name) {
		c := name[at]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0 {
			out.WriteByte(c)
		} else {
			fmt.Fprintf(&out, "%%%02X", c)
		}
	}
	return out.String()
}

// removeFile takes away one name that is not a folder. Of a link, the link.
func (s *server) removeFile(w http.ResponseWriter, _ *http.Request, q query) error {
	place, err := s.placeOf("path", q.text("path"))
	if err != nil {
		return err
	}
	defer place.close()
	if err := unix.Unlinkat(place.at(), place.name, 0); err != nil {
		return problemOf(err, "path")
	}
	w.WriteHeader(http.StatusNoContent)
	return nil
}

// rename moves a file, a folder or a link. A folder is never replaced.
func (s *server) rename(w http.ResponseWriter, _ *http.Request, q query) error {
	overwrite, err := q.flag("overwrite")
	if err != nil {
		return err
	}
	from, err := s.placeOf("path", q.text("path"))
	if err != nil {
		return err
	}
	defer from.close()
	to, err := s.placeOf("to", q.text("to"))
	if err != nil {
		return err
	}
	defer to.close()
	if err := mayBeNamed("to", to.name); err != nil {
		return err
	}
	if _, err := from.stat(); err != nil {
		return problemOf(err, "path")
	}
	if of, err := to.stat(); err == nil && isFolder(of) {
		return refuse(409, "Exists", "to", "to names a folder that is there already; a folder is never replaced.")
	}
	switch err := move(from, to, overwrite); err {
	case nil:
		w.WriteHeader(http.StatusNoContent)
		return nil
	case unix.EINVAL:
		return refuse(409, "IntoItself", "to", "to must not be inside the folder that path names.")
	case unix.ENOENT:
		return problemOf(err, "path")
	case unix.ENOTDIR:
		return refuse(409, "Exists", "to", "to names a file, which a folder cannot replace.")
	default:
		return problemOf(err, "to")
	}
}

// move renames, atomically; without overwrite it fails with EEXIST if the target exists, also on file systems that cannot rename
// so: there a second name of a file fails the same way.
func move(from, to *place, overwrite bool) error {
	if overwrite {
		return unix.Renameat(from.at(), from.name, to.at(), to.name)
	}
	err := unix.Renameat2(from.at(), from.name, to.at(), to.name, unix.RENAME_NOREPLACE)
	if err != unix.EINVAL && err != unix.ENOSYS {
		return err
	}
	of, statErr := from.stat()
	if statErr != nil {
		return statErr
	}
	if isFolder(of) {
		// Onto a folder that is not empty, or onto a file, this fails; EINVAL that meant "into itself" comes again.
		return unix.Renameat(from.at(), from.name, to.at(), to.name)
	}
	if err := unix.Linkat(from.at(), from.name, to.at(), to.name, 0); err != nil {
		return err
	}
	return unix.Unlinkat(from.at(), from.name, 0)
}

type usage struct {
	TotalBytes     uint64 `json:"totalBytes"`
	UsedBytes      uint64 `json:"usedBytes"`
	AvailableBytes uint64 `json:"availableBytes"`
	TotalFiles     uint64 `json:"totalFiles"`
	UsedFiles      uint64 `json:"usedFiles"`
}

func (s *server) usage(w http.ResponseWriter, _ *http.Request, _ query) error {
	disk, err := s.openFolder(".")
	if err != nil {
		return problemOf(err, "path")
	}
	defer disk.Close()
	of, err := spaceOf(disk)
	if err != nil {
		return problemOf(err, "path")
	}
	answerJSON(w, 200, "application/json", of)
	return nil
}

func spaceOf(folder *os.File) (usage, error) {
	var of unix.Statfs_t
	if err := unix.Fstatfs(int(folder.Fd()), &of); err != nil {
		return usage{}, err
	}
	unit := uint64(of.Frsize)
	return usage{
		TotalBytes:     of.Blocks * unit,
		UsedBytes:      (of.Blocks - of.Bfree) * unit,
		AvailableBytes: of.Bavail * unit,
		TotalFiles:     of.Files,
		UsedFiles:      of.Files - of.Ffree,
	}, nil
}
