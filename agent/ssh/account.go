package sshd

import (
	"bufio"
	"os"
	"slices"
	"strconv"
	"strings"
)

// account is a user as the image knows them.
type account struct {
	name, home, shell string
	uid, gid          uint32
	groups            []uint32
}

// The folders in which distributions put their programs, for a container whose image sets no PATH.
const defaultPath = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"

// accountOf finds a user in the image. Root is there even if the image has no list of users.
func accountOf(name string) (account, bool) {
	for _, fields := range records("/etc/passwd", 7) {
		uid, uidErr := strconv.ParseUint(fields[2], 10, 32)
		gid, gidErr := strconv.ParseUint(fields[3], 10, 32)
		if fields[0] != name || uidErr != nil || gidErr != nil {
			continue
		}
		return account{
			name: name, home: fields[5], shell: fields[6], uid: uint32(uid), gid: uint32(gid), groups: groupsOf(name),
		}, true
	}
	if name == "root" {
		return account{name: name, home: "/root"}, true
	}
	return account{}, false
}

func groupsOf(name string) []uint32 {
	var groups []uint32
	for _, fields := range records("/etc/group", 4) {
		gid, err := strconv.ParseUint(fields[2], 10, 32)
		if err == nil && slices.Contains(strings.Split(fields[3], ","), name) {
			groups = append(groups, uint32(gid))
		}
	}
	return groups
}

// records are the lines of a file like /etc/passwd that have so many fields.
func records(path string, fields int) (all [][]string) {
	file, err := os.Open(path)
	if err != nil {
		return nil
	}
	defer file.Close()
	for lines := bufio.NewScanner(file); lines.Scan(); {
		if record := strings.Split(lines.Text(), ":"); len(record) == fields {
			all = append(all, record)
		}
	}
	return all
}

// shellOf is the program to start and the name to start it under: the user's own shell, or the first that the image has.
func shellOf(who account) (path, name string, found bool) {
	for _, path := range []string{who.shell, "/bin/bash", "/bin/sh", "/bin/busybox"} {
		info, err := os.Stat(path)
		if !strings.HasPrefix(path, "/") || err != nil || info.IsDir() || info.Mode()&0o111 == 0 {
			continue
		}
		name := path[strings.LastIndexByte(path, '/')+1:]
		if name == "busybox" {
			// It is the shell when it is called so.
			name = "sh"
		}
		return path, name, true
	}
	return "", "", false
}

// homeOf is where a session begins.
func homeOf(who account) string {
	if info, err := os.Stat(who.home); err == nil && info.IsDir() {
		return who.home
	}
	return "/"
}

// Inherited variables that describe the process that inherited them.
var serversOwn = []string{"PWD", "OLDPWD", "SHLVL", "_"}

// environment is the container's own (what the tenant and the image set), then what the client asked for, then who logs
// in and from where. Of a name that is there twice, the last counts (os/exec).
func environment(inherited, asked, facts []string) []string {
	all := []string{"PATH=" + defaultPath}
	for _, entry := range inherited {
		if name, _, _ := strings.Cut(entry, "="); !slices.Contains(serversOwn, name) {
			all = append(all, entry)
		}
	}
	return append(append(all, asked...), facts...)
}
