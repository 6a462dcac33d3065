package diskserver

import (
	"context"
	"errors"
	"io"
	"os"

	"golang.org/x/sys/unix"
)

// So many folders deep a walk goes; each is an open file.
const deepestWalk = 100

// So many walks at once: searches, copies and zip streams. Bounds open files and memory further than the calls do.
const walksAtOnce = 4

// A found is a name that a walk came by.
type found struct {
	at   int // its folder, open
	name string
	path string // from where the walk began
	of   unix.Stat_t
}

// A walk visits every name below a folder, a folder before its content. It follows no link, enters no other volume, and ends
// with its context. What disappears meanwhile is left out.
type walk struct {
	ctx  context.Context
	each func(found) error
	// After a folder's content; may be nil.
	leave func(found) error
}

func (w walk) below(folder *os.File) error {
	var of unix.Stat_t
	if err := unix.Fstat(int(folder.Fd()), &of); err != nil {
		return err
	}
	return w.content(folder, "", of.Dev, 1)
}

func (w walk) content(folder *os.File, path string, volume uint64, depth int) error {
	if depth > deepestWalk {
		return refuse(413, "FolderTooLarge", "path", "path has folders that are nested too deep for this.")
	}
	at := int(folder.Fd())
	for {
		names, err := folder.Readdirnames(256)
		for _, name := range names {
			if err := w.ctx.Err(); err != nil {
				return err
			}
			one := found{at: at, name: name, path: path + name}
			if unix.Fstatat(at, name, &one.of, unix.AT_SYMLINK_NOFOLLOW) != nil {
				continue
			}
			if err := w.visit(one, volume, depth); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) || (err == nil && len(names) == 0) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (w walk) visit(one found, volume uint64, depth int) error {
	if err := w.each(one); err != nil || !isFolder(one.of) {
		return err
	}
	if one.of.Dev == volume {
		fd, err := unix.Openat(one.at, one.name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil && !isSwapped(err) {
			return err
		}
		if err == nil {
			folder := os.NewFile(uintptr(fd), "folder")
			err = w.content(folder, one.path+"/", volume, depth+1)
			_ = folder.Close()
			if err != nil {
				return err
			}
		}
	}
	if w.leave == nil {
		return nil
	}
	return w.leave(one)
}

// isSwapped: the name is gone, or is something else since it was read.
func isSwapped(err error) bool {
	return errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP)
}

// walking keeps a place for a walk until the function that it returns is called.
func (s *server) walking() (end func(), err error) {
	select {
	case s.walks <- struct{}{}:
		return func() { <-s.walks }, nil
	default:
		return nil, refuse(503, "Busy", "connection", "connection asks for one more search, copy or archive than run at once; try again.")
	}
}

// callerGone is the answer to somebody who no longer waits for it.
func callerGone() error {
	return refuse(400, "BodyEndsEarly", "connection", "connection ended before the call did.")
}
