package containerd

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	snapshotsapi "github.com/containerd/containerd/api/services/snapshots/v1"
)

// Dirs are the folders of a container's files: its changes, and below them, topmost first, the layers of its image.
type Dirs struct {
	Upper  string
	Lowers []string
	// Chain id of the image's topmost layer, as containerd names unpacked layers; "" for an image without any.
	Parent string
	// Bytes on disk: of the changes, and of every lower layer.
	UpperBytes int64
	LowerBytes []int64
}

// ErrForm: a container's changes are stored in a form that is not visible in their folder.
var ErrForm = errors.New("what it changed cannot be read from the node")

// Dirs asks the snapshotter, which alone knows where a layer lies.
func (c *Client) Dirs(ctx context.Context, kept Kept) (Dirs, error) {
	dirs, err := c.dirs(ctx, kept.Snapshotter, kept.Container)
	if err != nil {
		return dirs, err
	}
	if dirs.UpperBytes, err = c.usage(ctx, kept.Snapshotter, kept.Container); err != nil {
		return dirs, err
	}
	for key := dirs.Parent; key != ""; {
		bytes, err := c.usage(ctx, kept.Snapshotter, key)
		if err != nil {
			return dirs, err
		}
		dirs.LowerBytes = append(dirs.LowerBytes, bytes)
		if key, err = c.parent(ctx, kept.Snapshotter, key); err != nil {
			return dirs, err
		}
	}
	if len(dirs.LowerBytes) != len(dirs.Lowers) {
		return dirs, fmt.Errorf("%w: it has %d layers below and is mounted over %d folders", ErrForm, len(dirs.LowerBytes), len(dirs.Lowers))
	}
	return dirs, nil
}

func (c *Client) dirs(ctx context.Context, snapshotter, key string) (Dirs, error) {
	calling, cancel := call(ctx)
	defer cancel()
	answer, err := c.snapshots.Mounts(calling, &snapshotsapi.MountsRequest{Snapshotter: snapshotter, Key: key})
	if err != nil {
		return Dirs{}, said("snapshot "+key, err)
	}
	mounts := answer.GetMounts()
	if len(mounts) != 1 {
		return Dirs{}, fmt.Errorf("%w: snapshotter %s mounts it in %d steps; only overlayfs is read", ErrForm, snapshotter, len(mounts))
	}
	dirs, err := dirsOfMount(mounts[0].GetType(), mounts[0].GetSource(), mounts[0].GetOptions())
	if err != nil {
		return Dirs{}, fmt.Errorf("%w: %w", ErrForm, err)
	}
	dirs.Parent, err = c.parent(ctx, snapshotter, key)
	return dirs, err
}

// dirsOfMount refuses whatever could make the folders mean something else than they seem to.
func dirsOfMount(kind, source string, options []string) (Dirs, error) {
	var dirs Dirs
	switch kind {
	case "bind":
		// An image without layers: all of it is the container's own.
		dirs.Upper = source
	case "overlay":
		for _, option := range options {
			name, value, _ := strings.Cut(option, "=")
			switch name {
			case "upperdir":
				dirs.Upper = value
			case "lowerdir":
				dirs.Lowers = strings.Split(value, ":")
			case "redirect_dir", "metacopy":
				if value == "on" {
					return Dirs{}, fmt.Errorf("overlay option %s: renamed or half copied files cannot be read from its folder", option)
				}
			case "userxattr":
				return Dirs{}, fmt.Errorf("overlay option userxattr: its marks are a tenant's to write, and cannot be trusted")
			}
		}
	default:
		return Dirs{}, fmt.Errorf("mounted as %s; only overlayfs can be read", kind)
	}
	if dirs.Upper == "" {
		return Dirs{}, fmt.Errorf("its mount names no folder for changes")
	}
	for _, dir := range append([]string{dirs.Upper}, dirs.Lowers...) {
		if !filepath.IsAbs(dir) {
			return Dirs{}, fmt.Errorf("its mount names a folder %q that is not absolute", dir)
		}
	}
	return dirs, nil
}

func (c *Client) parent(ctx context.Context, snapshotter, key string) (string, error) {
	ctx, cancel := call(ctx)
	defer cancel()
	answer, err := c.snapshots.Stat(ctx, &snapshotsapi.StatSnapshotRequest{Snapshotter: snapshotter, Key: key})
	if err != nil {
		return "", said("snapshot "+key, err)
	}
	return answer.GetInfo().GetParent(), nil
}

func (c *Client) usage(ctx context.Context, snapshotter, key string) (int64, error) {
	// For an uncommitted layer, containerd counts every file.
	ctx, cancel := context.WithTimeout(inNamespace(ctx), 20*callLimit)
	defer cancel()
	answer, err := c.snapshots.Usage(ctx, &snapshotsapi.UsageRequest{Snapshotter: snapshotter, Key: key})
	if err != nil {
		return 0, said("snapshot "+key, err)
	}
	return answer.GetSize(), nil
}

// Bytes on disk of what a container has changed so far. containerd walks its files, as it does every ten seconds for the kubelet.
func (c *Client) Bytes(ctx context.Context, kept Kept) (int64, error) {
	return c.usage(ctx, kept.Snapshotter, kept.Container)
}

func (c *Client) isUsed(upper string) (bool, error) {
	dir, err := c.root.OpenFolder(upper)
	if err != nil {
		return false, err
	}
	defer dir.Close()
	names, _ := dir.Readdirnames(1)
	return len(names) > 0, nil
}
