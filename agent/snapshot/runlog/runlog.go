// Package runlog reads the end of what a container wrote, from the kubelet's files: the newest one and those that were rotated
// away. The result has the lines of `kubectl logs --timestamps`. The bytes are a tenant's, so their amount is bounded first and
// their form is never trusted.
package runlog

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path"
	"sort"
	"strings"

	"github.com/klauspost/compress/gzip"
)

// Tail is the end of a log.
type Tail struct {
	Text []byte
	// Something before it is left out.
	IsCut bool
}

// Open opens a path of the node.
type Open func(path string, flags int) (*os.File, error)

// Read takes at most so many bytes of the kubelet's files, the newest first. The error is os.ErrNotExist if there is no file any more.
func Read(open Open, file string, most int64) (Tail, error) {
	names, err := rotated(open, file)
	if err != nil {
		return Tail{}, err
	}
	var parts [][]byte
	isCut, left := false, most
	for _, name := range names {
		if left <= 0 {
			isCut = true
			break
		}
		end, isPart, err := endOf(open, name, left)
		if errors.Is(err, os.ErrNotExist) && name != file {
			// Rotated away meanwhile: what was in it is in another one, or gone.
			isCut = true
			continue
		}
		if err != nil {
			return Tail{}, err
		}
		parts, left = append(parts, end), left-int64(len(end))
		if isPart {
			isCut = true
			break
		}
	}
	var raw []byte
	for i := len(parts) - 1; i >= 0; i-- {
		raw = append(raw, parts[i]...)
	}
	if isCut {
		// The first line has lost its beginning.
		_, raw, _ = bytes.Cut(raw, []byte{'\n'})
	}
	return Tail{Text: plain(raw), IsCut: isCut}, nil
}

// rotated lists the file and its predecessors, newest first: the kubelet adds the time to their names, and packs all but one.
func rotated(open Open, file string) ([]string, error) {
	dir, err := open(path.Dir(file), os.O_RDONLY)
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	entries, err := dir.Readdirnames(mostFiles)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, err
	}
	var older []string
	for _, name := range entries {
		if strings.HasPrefix(name, path.Base(file)+".") && !strings.HasSuffix(name, ".tmp") {
			older = append(older, path.Join(path.Dir(file), name))
		}
	}
	sort.Sort(sort.Reverse(sort.StringSlice(older)))
	return append([]string{file}, older...), nil
}

const mostFiles = 1000

// endOf is the last part of a file, and whether there was more before it.
func endOf(open Open, name string, most int64) ([]byte, bool, error) {
	file, err := open(name, os.O_RDONLY)
	if err != nil {
		return nil, false, err
	}
	defer file.Close()
	var from io.Reader = file
	if strings.HasSuffix(name, ".gz") {
		packed, err := gzip.NewReader(file)
		if err != nil {
			return nil, false, err
		}
		defer packed.Close()
		from = packed
	} else if info, err := file.Stat(); err != nil {
		return nil, false, err
	} else if info.Size() > most {
		end := make([]byte, most)
		n, err := file.ReadAt(end, info.Size()-most)
		if errors.Is(err, io.EOF) {
			err = nil
		}
		return end[:n], true, err
	}
	keep := &last{most: int(most)}
	if _, err := io.Copy(keep, from); err != nil {
		return nil, false, err
	}
	end, isPart := keep.end()
	return end, isPart, nil
}

// last keeps the end of what is written to it, in at most twice its size.
type last struct {
	most  int
	kept  []byte
	isCut bool
}

func (l *last) Write(some []byte) (int, error) {
	l.kept = append(l.kept, some...)
	if len(l.kept) > 2*l.most {
		l.kept = append(l.kept[:0], l.kept[len(l.kept)-l.most:]...)
		l.isCut = true
	}
	return len(some), nil
}

func (l *last) end() ([]byte, bool) {
	if len(l.kept) > l.most {
		return l.kept[len(l.kept)-l.most:], true
	}
	return l.kept, l.isCut
}

// plain turns lines such as "<time> stdout F text" into "<time> text". The runtime cuts long lines into parts (P); the parts of
// one are joined. A line of another form is left out.
func plain(raw []byte) []byte {
	text := make([]byte, 0, len(raw))
	open := ""
	for len(raw) > 0 {
		var line []byte
		line, raw, _ = bytes.Cut(raw, []byte{'\n'})
		fields := bytes.SplitN(line, []byte{' '}, 4)
		if len(fields) != 4 || !isTime(fields[0]) || len(fields[1]) == 0 || len(fields[2]) == 0 {
			continue
		}
		stream := string(fields[1])
		if open != stream {
			if open != "" {
				text = append(text, '\n')
			}
			text = append(append(text, fields[0]...), ' ')
		}
		text = append(text, fields[3]...)
		// The tag may have more parts, joined by colons.
		if open = ""; fields[2][0] == 'P' {
			open = stream
		} else {
			text = append(text, '\n')
		}
	}
	if open != "" {
		text = append(text, '\n')
	}
	return text
}

// isTime: such as 2026-11-23T10:00:00.123456789Z, or with an offset.
func isTime(word []byte) bool {
	return len(word) >= 20 && len(word) <= 35 && word[4] == '-' && word[10] == 'T'
}
