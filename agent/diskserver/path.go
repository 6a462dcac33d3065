package diskserver

import (
	"errors"
	"io/fs"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// The suffix of an unfinished upload's file. Nothing else can get such a name through this server.
const partSuffix = ".gantry-upload"

const longestPath, longestName = 4096, 255

// parsePath turns a path as a caller writes it ("/a/b", "a/b", "/") into one relative to the root ("a/b", "."). It may hold
// any bytes that Linux allows. "." and ".." are refused rather than resolved: after a link they would mean something else.
func parsePath(field, path string) (string, error) {
	if len(path) > longestPath {
		return "", refuse(400, "PathTooLong", field, field+" must have at most 4096 bytes.")
	}
	if strings.IndexByte(path, 0) >= 0 {
		return "", refuse(400, "PathNotAllowed", field, field+" must not contain a NUL character.")
	}
	var names []string
	for name := range strings.SplitSeq(path, "/") {
		switch {
		case name == "":
			continue
		case name == "." || name == "..":
			return "", refuse(400, "PathNotAllowed", field, field+" must not contain the names '.' and '..'.")
		case len(name) > longestName:
			return "", refuse(400, "NameTooLong", field, field+" must consist of names of at most 255 bytes each.")
		}
		names = append(names, name)
	}
	if len(names) == 0 {
		return ".", nil
	}
	return strings.Join(names, "/"), nil
}

// A place is a name in an open folder of the disk. What is done to it is done relative to that folder, with calls that do
// not follow the name if it is a link, so that no swap on the way can lead elsewhere.
type place struct {
	folder *os.File
	name   string
}

// placeOf opens the folder that a path's last name is in. Links on the way are followed as long as they stay on the disk.
func (s *server) placeOf(field, path string) (*place, error) {
	relative, err := parsePath(field, path)
	if err != nil {
		return nil, err
	}
	if relative == "." {
		return nil, refuse(409, "IsRoot", field, field+" must name something on the disk, not the disk itself.")
	}
	above, name := ".", relative
	if at := strings.LastIndexByte(relative, '/'); at >= 0 {
		above, name = relative[:at], relative[at+1:]
	}
	folder, err := s.openFolder(above)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, refuse(404, "NoParent", field, field+" is in a folder that does not exist.")
	}
	if err != nil {
		return nil, problemOf(err, field)
	}
	return &place{folder: folder, name: name}, nil
}

func (p *place) close()  { _ = p.folder.Close() }
func (p *place) at() int { return int(p.folder.Fd()) }

// stat tells what the name is itself; a link is a link.
func (p *place) stat() (unix.Stat_t, error) {
	var of unix.Stat_t
	err := unix.Fstatat(p.at(), p.name, &of, unix.AT_SYMLINK_NOFOLLOW)
	return of, err
}

func isFolder(of unix.Stat_t) bool { return of.Mode&unix.S_IFMT == unix.S_IFDIR }
func isFile(of unix.Stat_t) bool   { return of.Mode&unix.S_IFMT == unix.S_IFREG }

func (s *server) openFolder(relative string) (*os.File, error) {
	return s.root.OpenFile(relative, os.O_RDONLY|unix.O_DIRECTORY, 0)
}

// giveTo makes what the server created the property of whom the folder belongs to: programs in an instance may run as
// another user than root, and would be locked out otherwise. Not every volume knows owners, so a refusal is not a failure.
func giveTo(fd int, folder *os.File) {
	var of unix.Stat_t
	if unix.Fstat(int(folder.Fd()), &of) == nil {
		_ = unix.Fchown(fd, int(of.Uid), int(of.Gid))
	}
}
