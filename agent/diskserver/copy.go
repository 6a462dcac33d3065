package diskserver

import (
	"context"
	"crypto/rand"
	"errors"
	"io"
	"net/http"
	"os"

	"gantry.dev/agent/remove"
	"golang.org/x/sys/unix"
)

// copyTo copies a file, a link, or a folder with its content: aside first, and renamed when it is complete. A folder is never
// replaced. Pipes, sockets and devices in a folder are left out. A caller who goes ends the copy, and what there is of it is removed.
func (s *server) copyTo(w http.ResponseWriter, r *http.Request, q query) error {
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
	of, err := from.stat()
	if err != nil {
		return problemOf(err, "path")
	}
	if err := mayCopy(of, to, overwrite); err != nil {
		return err
	}
	end, err := s.walking()
	if err != nil {
		return err
	}
	defer end()

	part := &place{folder: to.folder, name: partName(to.name, rand.Text())}
	source := found{at: from.at(), name: from.name, of: of}
	if isFile(of) {
		err = duplicateOne(r.Context(), source, part, to)
	} else {
		err = duplicate(r.Context(), source, part)
	}
	if err == nil {
		err = move(part, to, overwrite && !isFolder(of))
	}
	if err == nil {
		err = unix.Fsync(to.at())
	}
	if err != nil {
		_ = remove.Tree(part.at(), part.name)
		switch {
		case r.Context().Err() != nil:
			return callerGone()
		case errors.Is(err, unix.EEXIST):
			return problemOf(err, "to")
		}
		return problemOf(err, "path")
	}
	w.WriteHeader(http.StatusCreated)
	return nil
}

func mayCopy(of unix.Stat_t, to *place, overwrite bool) error {
	switch there, err := to.stat(); {
	case errors.Is(err, unix.ENOENT):
	case err != nil:
		return problemOf(err, "to")
	case isFolder(there):
		return refuse(409, "Exists", "to", "to names a folder that is there already; a folder is never replaced.")
	case isFolder(of) || !overwrite:
		return refuse(409, "Exists", "to", "to names a file that is there already; overwrite=true replaces it with a file.")
	}
	if !isFolder(of) {
		return nil
	}
	switch within, err := isWithin(to.folder, of); {
	case err != nil:
		return problemOf(err, "to")
	case within:
		return refuse(409, "IntoItself", "to", "to must not be inside the folder that path names.")
	}
	return nil
}

// isWithin tells whether an open folder is the other, or anywhere below it.
func isWithin(folder *os.File, other unix.Stat_t) (bool, error) {
	at, err := unix.Openat(int(folder.Fd()), ".", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
	if err != nil {
		return false, err
	}
	defer func() { _ = unix.Close(at) }()
	var here, above unix.Stat_t
	if err := unix.Fstat(at, &here); err != nil {
		return false, err
	}
	for !isSame(here, other) {
		next, err := unix.Openat(at, "..", unix.O_PATH|unix.O_DIRECTORY|unix.O_CLOEXEC, 0)
		if err != nil {
			return false, err
		}
		_ = unix.Close(at)
		at = next
		if err := unix.Fstat(at, &above); err != nil {
			return false, err
		}
		if isSame(here, above) {
			return false, nil
		}
		here = above
	}
	return true, nil
}

func isSame(a, b unix.Stat_t) bool { return a.Dev == b.Dev && a.Ino == b.Ino }

// duplicate copies what was found to a name that does not exist.
func duplicate(ctx context.Context, from found, to *place) error {
	switch {
	case isFolder(from.of):
		return duplicateFolder(ctx, from, to)
	case isFile(from.of):
		return duplicateFile(ctx, from, to)
	case from.of.Mode&unix.S_IFMT == unix.S_IFLNK:
		return duplicateLink(from, to)
	}
	return refuse(409, "NotFile", "path", "path names a pipe, socket or device, which cannot be copied.")
}

func duplicateFolder(ctx context.Context, from found, to *place) error {
	source, err := openBelow(from.at, from.name)
	if err != nil {
		return err
	}
	defer source.Close()
	var into []*os.File
	defer func() {
		for _, one := range into {
			_ = one.Close()
		}
	}()
	enter := func(at int, name string) error {
		if err := unix.Mkdirat(at, name, 0o700); err != nil {
			return err
		}
		made, err := openBelow(at, name)
		if err == nil {
			into = append(into, made)
		}
		return err
	}
	leave := func(one found) error {
		made := into[len(into)-1]
		into = into[:len(into)-1]
		defer made.Close()
		return likeBefore(int(made.Fd()), one.of)
	}
	if err := enter(to.at(), to.name); err != nil {
		return err
	}
	err = walk{
		ctx: ctx,
		each: func(one found) error {
			here := into[len(into)-1]
			switch {
			case isFolder(one.of):
				return enter(int(here.Fd()), one.name)
			case isFile(one.of), one.of.Mode&unix.S_IFMT == unix.S_IFLNK:
				err := duplicate(ctx, one, &place{folder: here, name: one.name})
				if errors.Is(err, unix.ENOENT) {
					return nil // Gone since.
				}
				return err
			}
			return nil
		},
		leave: leave,
	}.below(source)
	if err != nil {
		return err
	}
	if err := unix.Syncfs(int(into[0].Fd())); err != nil {
		return err
	}
	return leave(from)
}

func openBelow(at int, name string) (*os.File, error) {
	fd, err := unix.Openat(at, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), "folder"), nil
}

// duplicateOne copies a single file and syncs it to disk; like an upload, it gets the mode and the owner of a file that it replaces.
func duplicateOne(ctx context.Context, from found, part, to *place) error {
	made, err := copyContent(ctx, from, part)
	if err != nil {
		return err
	}
	defer made.Close()
	like := from.of
	if old, err := to.stat(); err == nil && isFile(old) {
		like.Mode, like.Uid, like.Gid = old.Mode, old.Uid, old.Gid
	}
	if err := likeBefore(int(made.Fd()), like); err != nil {
		return err
	}
	return unix.Fsync(int(made.Fd()))
}

// duplicateFile copies a file of a folder, which is synced as a whole.
func duplicateFile(ctx context.Context, from found, to *place) error {
	made, err := copyContent(ctx, from, to)
	if err != nil {
		return err
	}
	defer made.Close()
	return likeBefore(int(made.Fd()), from.of)
}

// copyContent copies a file up to the size that it had; what it has made it leaves open.
func copyContent(ctx context.Context, from found, to *place) (*os.File, error) {
	source, err := openSame(from)
	if err != nil {
		return nil, err
	}
	if source == nil {
		return nil, unix.ENOENT
	}
	defer source.Close()
	fd, err := unix.Openat(to.at(), to.name, unix.O_WRONLY|unix.O_CREAT|unix.O_EXCL|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o600)
	if err != nil {
		return nil, err
	}
	made := os.NewFile(uintptr(fd), "copy")
	if err := fill(ctx, made, source, from.of.Size); err != nil {
		_ = made.Close()
		return nil, err
	}
	return made, nil
}

func fill(ctx context.Context, made io.Writer, source io.Reader, size int64) error {
	for left := size; left > 0; {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := io.CopyN(made, source, min(left, copiedAtOnce))
		left -= n
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// How much the kernel copies before it is looked whether the caller is still there.
const copiedAtOnce = 16 << 20

func duplicateLink(from found, to *place) error {
	target := make([]byte, longestPath)
	n, err := unix.Readlinkat(from.at, from.name, target)
	if err != nil {
		return err
	}
	if err := unix.Symlinkat(string(target[:n]), to.at(), to.name); err != nil {
		return err
	}
	_ = unix.Fchownat(to.at(), to.name, int(from.of.Uid), int(from.of.Gid), unix.AT_SYMLINK_NOFOLLOW)
	return nil
}

// likeBefore gives a copy the owner, the mode and the time of what it is a copy of; not every volume knows owners.
func likeBefore(fd int, of unix.Stat_t) error {
	_ = unix.Fchown(fd, int(of.Uid), int(of.Gid))
	if err := unix.Fchmod(fd, of.Mode&0o777); err != nil {
		return err
	}
	times := []unix.Timeval{unix.NsecToTimeval(of.Atim.Nano()), unix.NsecToTimeval(of.Mtim.Nano())}
	_ = unix.Futimes(fd, times)
	return nil
}
