package snapshot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"gantry.dev/agent/snapshot/cluster"
)

// newVolume is an XFS as a storage driver makes it, mounted for this test.
func newVolume(t *testing.T, size int64) string {
	t.Helper()
	if os.Getuid() != 0 {
		t.Skip("mounting a volume needs root")
	}
	if _, err := exec.LookPath("mkfs.xfs"); err != nil {
		t.Skip("this machine makes no XFS:", err)
	}
	dir := t.TempDir()
	image, mount := filepath.Join(dir, "disk.xfs"), filepath.Join(dir, "mount")
	for _, step := range []func() error{
		func() error { return os.Mkdir(mount, 0o755) },
		func() error { return os.WriteFile(image, nil, 0o600) },
		func() error { return os.Truncate(image, size) },
		func() error { return exec.Command("mkfs.xfs", "-q", image).Run() },
	} {
		if err := step(); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.Command("mount", "-o", "loop,noatime", image, mount).CombinedOutput(); err != nil {
		t.Skipf("this machine mounts no loop device: %s", out)
	}
	t.Cleanup(func() { _ = unix.Unmount(mount, unix.MNT_DETACH) })
	return mount
}

const mib = 1 << 20

func TestUsedIsWhatFilesTake(t *testing.T) {
	volume := newVolume(t, 2048*mib)
	empty, err := (&uncounted{}).usageOf(context.Background(), time.Now(), "volume", volume, 0, nil)
	if err != nil || empty.OwnBytes == nil || *empty.OwnBytes < 16*mib {
		t.Fatalf("an empty XFS keeps some for itself: %+v, %v", empty, err)
	}
	if empty.UsedBytes != 0 || empty.UsedBytes+empty.AvailableBytes+*empty.OwnBytes != empty.TotalBytes {
		t.Errorf("an empty disk is empty: %+v", empty)
	}
	write(t, filepath.Join(volume, "folder/model.bin"), 50*mib)
	if err := os.Link(filepath.Join(volume, "folder/model.bin"), filepath.Join(volume, "again.bin")); err != nil {
		t.Fatal(err)
	}
	for name, known := range map[string]*int64{"as it was known": empty.OwnBytes, "counted anew": nil} {
		usage, err := (&uncounted{}).usageOf(context.Background(), time.Now(), "volume", volume, empty.TotalBytes, known)
		if err != nil || usage.OwnBytes == nil || usage.UsedBytes < 50*mib || usage.UsedBytes > 51*mib {
			t.Errorf("%s: %+v, %v", name, usage, err)
		}
	}
}

func TestFilesAreCountedWithinBounds(t *testing.T) {
	dir := t.TempDir()
	for at := range 3 {
		write(t, fmt.Sprintf("%s/sub/%d", dir, at), mib)
	}
	outside := t.TempDir()
	write(t, filepath.Join(outside, "large"), 8*mib)
	if err := os.Symlink(outside, filepath.Join(dir, "sub", "out")); err != nil {
		t.Fatal(err)
	}
	if err := unix.Mkfifo(filepath.Join(dir, "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if taken, err := fileBytes(context.Background(), dir); err != nil || taken < 3*mib || taken > 4*mib {
		t.Errorf("links lead nowhere, pipes are not waited for: %d, %v", taken, err)
	}
	of := &counting{names: mostCounted, linked: map[uint64]bool{}}
	root, err := os.Open(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if !errors.Is(of.folder(context.Background(), root, 0), errTooMany) {
		t.Error("there is no end to what is counted")
	}
}

func TestADeepTreeIsNotFollowedToItsEnd(t *testing.T) {
	dir := t.TempDir()
	if err := os.MkdirAll(dir+strings.Repeat("/a", mostDeep+1), 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := fileBytes(context.Background(), dir); !errors.Is(err, errTooMany) {
		t.Errorf("each level holds a file of the agent's open: %v", err)
	}
	ended, end := context.WithCancel(context.Background())
	end()
	if _, err := fileBytes(ended, dir); !errors.Is(err, context.Canceled) {
		t.Errorf("a count that ran out of time goes on: %v", err)
	}
}

func TestAFailedCountIsRepeatedMinutesLater(t *testing.T) {
	if os.Getuid() != 0 {
		t.Skip("mounting a volume needs root")
	}
	volume := t.TempDir()
	if err := unix.Mount("tmpfs", volume, "tmpfs", 0, "size=16m"); err != nil {
		t.Skip("this machine lets nobody mount a tmpfs:", err)
	}
	t.Cleanup(func() { _ = unix.Unmount(volume, unix.MNT_DETACH) })
	write(t, filepath.Join(volume, "file"), mib)
	deep := filepath.Join(volume, "deep")
	if err := os.MkdirAll(deep+strings.Repeat("/a", mostDeep+1), 0o755); err != nil {
		t.Fatal(err)
	}
	all, start := &uncounted{}, time.Now()
	measured := func(name string, after time.Duration) cluster.Usage {
		t.Helper()
		usage, err := all.usageOf(context.Background(), start.Add(after), name, volume, 0, nil)
		if err != nil || usage.UsedBytes != mib || usage.TotalBytes != 16*mib {
			t.Errorf("a disk that cannot be counted shows what the kernel says: %+v, %v", usage, err)
		}
		return usage
	}
	if measured("busy", 0).OwnBytes != nil {
		t.Error("a deep tree was counted")
	}
	if err := os.RemoveAll(deep); err != nil {
		t.Fatal(err)
	}
	if measured("busy", recountAfter-time.Second).OwnBytes != nil {
		t.Error("it was counted again at once")
	}
	if measured("other", measureEvery).OwnBytes == nil {
		t.Error("another volume waits for this one")
	}
	if measured("busy", recountAfter).OwnBytes == nil {
		t.Error("it was not counted again")
	}
}

func TestEachFailedCountWaitsLongerAndIsForgottenWithItsVolume(t *testing.T) {
	all, at := &uncounted{}, time.Now()
	for _, wait := range []time.Duration{10 * time.Minute, 20 * time.Minute, 30 * time.Minute, 30 * time.Minute} {
		all.counted("busy", at, false)
		if all.mayCount("busy", at.Add(wait-time.Second)) || !all.mayCount("busy", at.Add(wait)) {
			t.Errorf("not counted again after %s: %+v", wait, all.failed)
		}
		at = at.Add(wait)
	}
	all.counted("busy", at, true)
	if !all.mayCount("busy", at) || len(all.failed) != 0 {
		t.Errorf("a count that succeeded leaves nothing: %+v", all.failed)
	}
	all.counted("gone", at, false)
	all.counted("next", at.Add(forgottenAfter+time.Second), false)
	if _, isKept := all.failed["gone"]; isKept || len(all.failed) != 1 {
		t.Errorf("volumes that went are remembered: %+v", all.failed)
	}
}

func TestOtherBytesAreNotTheFileSystems(t *testing.T) {
	volume := newVolume(t, 2048*mib)
	path := filepath.Join(volume, "nameless")
	write(t, path, 512*mib)
	open, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer open.Close()
	if err := os.Remove(path); err != nil {
		t.Fatal(err)
	}
	if usage, err := (&uncounted{}).usageOf(context.Background(), time.Now(), "volume", volume, 0, nil); err != nil || usage.OwnBytes != nil || usage.UsedBytes < 512*mib {
		t.Errorf("an open file without a name is used room: %+v, %v", usage, err)
	}
}

func write(t *testing.T, path string, size int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	file, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if _, err := file.Write(bytes.Repeat([]byte("x"), size)); err != nil {
		t.Fatal(err)
	}
	if err := file.Sync(); err != nil {
		t.Fatal(err)
	}
}
