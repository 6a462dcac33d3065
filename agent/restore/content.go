package restore

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"golang.org/x/sys/unix"
)

// So much is read at once, and so much has to be zero to become a hole.
const chunk, hole = 1 << 20, 64 << 10

var zeros [hole]byte

// content copies a file's bytes and preserves its holes. On the same file system the kernel copies. Otherwise long runs of zeros
// become holes too: an image's layer has no holes, so sparse parts have become zeros on the way.
func (c *copying) content(in, out int, of unix.Stat_t, buffer []byte) error {
	if of.Size == 0 {
		return nil
	}
	end := int64(0)
	for at := int64(0); at < of.Size; {
		from, until, err := data(in, at, of)
		if err != nil {
			return err
		}
		if from >= of.Size {
			break
		}
		if end, err = c.segment(in, out, from, min(until, of.Size), end, of, buffer); err != nil {
			return err
		}
		at = until
	}
	if end < of.Size {
		return unix.Ftruncate(out, of.Size)
	}
	return nil
}

// data finds the next part of a file that is no hole.
func data(in int, at int64, of unix.Stat_t) (from, until int64, err error) {
	if of.Blocks*512 >= of.Size {
		return at, of.Size, nil
	}
	from, err = unix.Seek(in, at, unix.SEEK_DATA)
	if errors.Is(err, unix.ENXIO) {
		return of.Size, of.Size, nil
	}
	if errors.Is(err, unix.EINVAL) {
		return at, of.Size, nil // A file system that knows no holes.
	}
	if err != nil {
		return 0, 0, err
	}
	until, err = unix.Seek(in, from, unix.SEEK_HOLE)
	return from, until, err
}

// segment copies a part and returns where the last byte written ends.
func (c *copying) segment(in, out int, from, until, end int64, of unix.Stat_t, buffer []byte) (int64, error) {
	if uint64(of.Dev) == c.toDev && until-from > hole && c.copiable.Load() {
		copied, err := c.inKernel(in, out, from, until)
		if err != nil {
			return end, err
		}
		if copied > from {
			end, from = copied, copied
		}
	}
	for from < until {
		room := buffer[:min(int64(len(buffer)), until-from)]
		n, err := unix.Pread(in, room, from)
		if errors.Is(err, unix.EINTR) {
			continue
		}
		if err != nil {
			return end, err
		}
		if n == 0 {
			return end, fmt.Errorf("it became shorter while it was copied: %w", io.ErrUnexpectedEOF)
		}
		for at := 0; at < n; {
			// As many pieces with something in them as follow each other, in one write.
			stop := at
			for stop < n && !isHole(room[stop:min(stop+hole, n)]) {
				stop = min(stop+hole, n)
			}
			if stop == at {
				at = min(at+hole, n)
				continue
			}
			for at < stop {
				written, err := unix.Pwrite(out, room[at:stop], from+int64(at))
				if errors.Is(err, unix.EINTR) {
					continue
				}
				if err != nil {
					return end, err
				}
				at += written
			}
			end = from + int64(stop)
		}
		from += int64(n)
		c.bytes.Add(uint64(n))
	}
	return end, nil
}

// written counts the bytes of a file that segment writes.
func written(in int, of unix.Stat_t) (uint64, error) {
	all, buffer := uint64(0), make([]byte, chunk)
	for at := int64(0); at < of.Size; {
		from, until, err := data(in, at, of)
		if err != nil {
			return 0, err
		}
		for end := min(until, of.Size); from < end; {
			n, err := unix.Pread(in, buffer[:min(chunk, end-from)], from)
			if errors.Is(err, unix.EINTR) {
				continue
			}
			if err != nil {
				return 0, err
			}
			if n == 0 {
				return 0, io.ErrUnexpectedEOF
			}
			for at := 0; at < n; at += hole {
				if piece := buffer[at:min(at+hole, n)]; !isHole(piece) {
					all += uint64(len(piece))
				}
			}
			from += int64(n)
		}
		at = until
	}
	return all, nil
}

// A short rest is written as it is: a hole needs whole blocks.
func isHole(piece []byte) bool { return len(piece) == hole && bytes.Equal(piece, zeros[:]) }

// inKernel returns how far it came; the rest, or everything if the kernel cannot copy, is copied by reading and writing.
func (c *copying) inKernel(in, out int, from, until int64) (int64, error) {
	for from < until {
		readAt, writeAt := from, from
		n, err := unix.CopyFileRange(in, &readAt, out, &writeAt, int(min(until-from, 1<<30)), 0)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.ENOSPC), errors.Is(err, unix.EDQUOT), errors.Is(err, unix.EIO):
			return from, err
		case err != nil:
			c.copiable.Store(false)
			return from, nil
		case n == 0:
			return from, nil
		}
		from += int64(n)
		c.bytes.Add(uint64(n))
	}
	return from, nil
}
