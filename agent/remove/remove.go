// Package remove deletes a file or a whole folder, relative to an open folder: it follows no link, even if names are swapped
// meanwhile, and holds few files open however deep the folder is.
package remove

import (
	"crypto/rand"
	"errors"
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// Folders deeper than this are first moved up into the folder that is being removed, so that open files stay few and the
// stack small.
const deepest = 64

// A folder into which somebody keeps writing is given up after this many passes over it. Every pass also takes `deepest`
// levels off a deep tree, so this bounds its depth too (262,144).
const passes = 4096

// So often a folder is emptied again, when it was filled between its last pass and its own removal.
const attempts = 8

// Tree removes name, a single component, from the open folder parent. What is not there is no error. EBUSY: a volume is mounted
// in it, whose content stays. EPERM: something may not be removed. ENOTEMPTY: somebody keeps filling it.
func Tree(parent int, name string) error {
	return entry(parent, name, -1, 0)
}

// Contents empties the open folder, but keeps the names that spare says yes to.
func Contents(folder int, spare func(name string) bool) error {
	return empty(folder, folder, 0, spare)
}

// entry removes one name. Top is the folder that deeper ones are moved up to; -1: this one becomes it.
func entry(parent int, name string, top, depth int) error {
	err := unix.Unlinkat(parent, name, 0)
	if err == nil || errors.Is(err, unix.ENOENT) {
		return nil
	}
	if !errors.Is(err, unix.EISDIR) {
		return err
	}
	if depth >= deepest {
		return moveUp(parent, name, top)
	}
	for range attempts {
		folder, err := openFolder(parent, name)
		if errors.Is(err, unix.ENOENT) {
			return nil
		}
		if errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.ELOOP) {
			// Swapped for something else since: that is one name, without contents.
			return unix.Unlinkat(parent, name, 0)
		}
		if err != nil {
			return err
		}
		if err := sameDevice(parent, folder); err != nil {
			_ = unix.Close(folder)
			return err
		}
		here := top
		if here == -1 {
			here = folder
		}
		err = empty(folder, here, depth+1, nil)
		_ = unix.Close(folder)
		if err != nil {
			return err
		}
		err = unix.Unlinkat(parent, name, unix.AT_REMOVEDIR)
		if err == nil || errors.Is(err, unix.ENOENT) {
			return nil
		}
		if !errors.Is(err, unix.ENOTEMPTY) && !errors.Is(err, unix.EEXIST) {
			return err
		}
	}
	return unix.ENOTEMPTY
}

// sameDevice refuses to enter a mount: it is not part of the tree.
func sameDevice(parent, folder int) error {
	var above, here unix.Stat_t
	if err := unix.Fstat(parent, &above); err != nil {
		return err
	}
	if err := unix.Fstat(folder, &here); err != nil {
		return err
	}
	if above.Dev != here.Dev {
		return unix.EBUSY
	}
	return nil
}

// Passes repeat until one finds nothing: a folder that changes while it is read may leave names out.
func empty(folder, top, depth int, spare func(name string) bool) error {
	for range passes {
		removed, err := pass(folder, top, depth, spare)
		if err != nil || removed == 0 {
			return err
		}
	}
	return unix.ENOTEMPTY
}

func pass(folder, top, depth int, spare func(name string) bool) (removed int, err error) {
	again, err := openFolder(folder, ".")
	if err != nil {
		return 0, err
	}
	list := os.NewFile(uintptr(again), "folder")
	defer list.Close()
	for {
		names, err := list.Readdirnames(512)
		for _, name := range names {
			if spare != nil && spare(name) {
				continue
			}
			if err := entry(folder, name, top, depth); err != nil {
				return removed, err
			}
			removed++
		}
		if err != nil || len(names) == 0 {
			// Readdirnames says io.EOF at the end; a real error shows as a folder that does not get empty.
			return removed, nil
		}
	}
}

func moveUp(parent int, name string, top int) error {
	err := unix.Renameat(parent, name, top, fmt.Sprintf(".gantry-remove-%s", rand.Text()))
	if errors.Is(err, unix.ENOENT) {
		return nil
	}
	return err
}

func openFolder(parent int, name string) (int, error) {
	for {
		fd, err := unix.Openat(parent, name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
		if !errors.Is(err, unix.EINTR) {
			return fd, err
		}
	}
}
