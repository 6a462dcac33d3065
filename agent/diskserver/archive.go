package diskserver

import (
	"archive/zip"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path"
	"regexp"
	"strconv"
	"strings"
	"time"
	"unicode"

	"golang.org/x/sys/unix"
)

// A zip lists its content at its end, so that the list is in memory meanwhile: it bounds what a stream may hold.
const (
	mostZipped     = 100_000
	mostZippedPath = 8 << 20
)

// archive streams a folder as a zip, uncompressed: what is large on a disk of this kind rarely gets smaller. Links, pipes,
// sockets and devices are left out. After the first byte a fault can only show as a broken connection.
func (s *server) archive(w http.ResponseWriter, r *http.Request, q query) error {
	folder, where, err := s.askedFolder(q)
	if err != nil {
		return err
	}
	defer folder.Close()
	end, err := s.walking()
	if err != nil {
		return err
	}
	defer end()
	bytes, err := measure(r.Context(), folder)
	if err != nil {
		if r.Context().Err() != nil {
			return callerGone()
		}
		return problemOf(err, "path")
	}
	again, err := s.openFolder(where)
	if err != nil {
		return problemOf(err, "path")
	}
	defer again.Close()

	// The disk itself has no name.
	name, prefix := "files", ""
	if where != "." {
		name = path.Base(where)
		prefix = zipName(name) + "/"
	}
	header := w.Header()
	header.Set("Content-Type", "application/zip")
	header.Set("Content-Disposition", attachment(name+".zip"))
	header.Set("Content-Security-Policy", "sandbox; default-src 'none'")
	header.Set("Files-Bytes", strconv.FormatInt(bytes, 10))
	out := zip.NewWriter(&patient{ResponseWriter: w, control: http.NewResponseController(w)})
	err = pack(r.Context(), again, prefix, out)
	if err == nil {
		err = out.Close()
	}
	if err != nil {
		panic(http.ErrAbortHandler)
	}
	return nil
}

// measure adds up the files below a folder, and refuses what one zip cannot hold.
func measure(ctx context.Context, folder *os.File) (bytes int64, err error) {
	names, paths := 0, 0
	err = walk{ctx: ctx, each: func(one found) error {
		names++
		paths += len(one.path)
		if names > mostZipped || paths > mostZippedPath {
			return refuse(413, "FolderTooLarge", "path", "path has more than 100000 files and folders, or too long names, for one archive.")
		}
		bytes += sizeOf(one.of)
		return nil
	}}.below(folder)
	return bytes, err
}

var errGrew = errors.New("the folder has grown meanwhile")

func pack(ctx context.Context, folder *os.File, prefix string, out *zip.Writer) error {
	buffer := buffers.Get().(*[256 << 10]byte)
	defer buffers.Put(buffer)
	names, paths := 0, 0
	// The names on the way to where the walk is, as the zip has them.
	above := []string{prefix}
	return walk{
		ctx: ctx,
		each: func(one found) error {
			if names, paths = names+1, paths+len(one.path); names > 2*mostZipped || paths > 2*mostZippedPath {
				return errGrew
			}
			name := above[len(above)-1] + zipName(one.name)
			switch {
			case isFolder(one.of):
				above = append(above, name+"/")
				_, err := out.CreateHeader(zipHeader(name+"/", one.of, fs.ModeDir))
				return err
			case isFile(one.of):
				return packFile(ctx, one, zipHeader(name, one.of, 0), out, buffer[:])
			}
			return nil
		},
		leave: func(found) error {
			above = above[:len(above)-1]
			return nil
		},
	}.below(folder)
}

func zipHeader(name string, of unix.Stat_t, kind fs.FileMode) *zip.FileHeader {
	header := &zip.FileHeader{Name: name, Method: zip.Store, Modified: time.Unix(of.Mtim.Unix())}
	header.SetMode(fs.FileMode(of.Mode&0o777) | kind)
	return header
}

// packFile adds a file up to the size that it had: one that grows all the time would never end.
func packFile(ctx context.Context, one found, header *zip.FileHeader, out *zip.Writer, buffer []byte) error {
	file, err := openSame(one)
	if file == nil {
		return err
	}
	defer file.Close()
	to, err := out.CreateHeader(header)
	if err != nil {
		return err
	}
	_, err = io.CopyBuffer(to, io.LimitReader(untilDone{ctx, file}, one.of.Size), buffer)
	return err
}

// openSame opens the file that was found; nil if the name is gone, or is something else since.
func openSame(one found) (*os.File, error) {
	// Not blocking, or opening a pipe would wait for its writer.
	fd, err := unix.Openat(one.at, one.name, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		if isSwapped(err) {
			return nil, nil
		}
		return nil, err
	}
	file := os.NewFile(uintptr(fd), "file")
	var of unix.Stat_t
	if unix.Fstat(fd, &of) != nil || !isFile(of) {
		_ = file.Close()
		return nil, nil
	}
	return file, nil
}

// untilDone reads until the context ends.
type untilDone struct {
	ctx  context.Context
	from io.Reader
}

func (u untilDone) Read(into []byte) (int, error) {
	if err := u.ctx.Err(); err != nil {
		return 0, err
	}
	return u.from.Read(into)
}

// Names that Windows keeps for devices, whatever follows the dot.
var deviceName = regexp.MustCompile(`(?i)^(con|prn|aux|nul|com[0-9]|lpt[0-9])(\.|$)`)

// zipName makes a name harmless for whoever unpacks it: no separator and no drive of Windows, no control character, nothing
// that reorders text. A changed name gets a digest of the old one, so that two never become the same.
func zipName(name string) string {
	safe := strings.Map(func(r rune) rune {
		if r == unicode.ReplacementChar || unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || strings.ContainsRune(`\/:*?"<>|`, r) {
			return '_'
		}
		return r
	}, name)
	if end := strings.TrimRight(safe, ". "); end != safe {
		safe = end + "_"
	}
	if deviceName.MatchString(safe) {
		safe = "_" + safe
	}
	if safe == name {
		return name
	}
	digest := sha256.Sum256([]byte(name))
	extension := path.Ext(safe)
	return strings.TrimSuffix(safe, extension) + "~" + hex.EncodeToString(digest[:4]) + extension
}
