package task

import (
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path"
	"strings"

	"golang.org/x/sys/unix"
)

// within calls do with the opened folder of a path and the path's last name. No part of the path is followed if it is a link: the
// worker makes links and changes them at any time, and this process can read what the worker cannot.
func within(root *os.File, name string, do func(folder int, base string) error) error {
	folder, err := unix.FcntlInt(root.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return err
	}
	defer func() { _ = unix.Close(folder) }()
	for _, part := range strings.Split(path.Dir(name), "/") {
		next, err := unix.Openat(folder, part, unix.O_PATH|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		_ = unix.Close(folder)
		folder = next
	}
	return do(folder, path.Base(name))
}

// openFile opens a file that the journal named. It is as long as was said; what is in it is for the gateway to judge, which hashes
// all that it takes in.
func openFile(root *os.File, of file) (opened *os.File, err error) {
	err = within(root, of.path, func(folder int, base string) error {
		var seen unix.Stat_t
		if err := unix.Fstatat(folder, base, &seen, unix.AT_SYMLINK_NOFOLLOW); err != nil {
			return err
		}
		// Not even opened: a pipe would wait for its other end, and a device may do something.
		if seen.Mode&unix.S_IFMT != unix.S_IFREG {
			return refusal{http.StatusConflict, "path is not a regular file any more"}
		}
		fd, err := unix.Openat(folder, base, unix.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
		if err != nil {
			return err
		}
		opened = os.NewFile(uintptr(fd), base)
		return nil
	})
	if err == nil {
		err = isAsSaid(opened, of)
	}
	if err != nil && opened != nil {
		_ = opened.Close()
	}
	return opened, sentenceOf(err)
}

func isAsSaid(opened *os.File, of file) error {
	is, err := opened.Stat()
	switch {
	case err != nil:
		return err
	case !is.Mode().IsRegular():
		return refusal{http.StatusConflict, "path is not a regular file any more"}
	case is.Size() != of.bytes:
		return refusal{http.StatusConflict, "path is not as long as the journal said"}
	}
	return nil
}

// removeFile removes the name. It is nothing to the gateway if the worker has put something else there, or lets nobody remove it.
func removeFile(root *os.File, name string) {
	_ = within(root, name, func(folder int, base string) error { return unix.Unlinkat(folder, base, 0) })
}

// sentenceOf makes every error about a file the worker's fault: the gateway does not come again for it.
func sentenceOf(err error) error {
	var errno unix.Errno
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return refusal{http.StatusNotFound, "path is not there any more"}
	case errors.Is(err, unix.ELOOP), errors.Is(err, unix.ENOTDIR):
		return refusal{http.StatusConflict, "path leads through a link, or through something that is not a folder"}
	case errors.As(err, &errno):
		return refusal{http.StatusConflict, "path cannot be read: " + errno.Error()}
	}
	return err
}
