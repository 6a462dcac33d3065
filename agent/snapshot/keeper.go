package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/containerd"
)

const (
	// Every container of the node is looked at so often, events or not.
	lookEvery = time.Minute
	// Changes that nobody has needed for this long are given up.
	orphanAfter  = 10 * time.Minute
	eventsPause  = time.Second
	renewEvery   = 20 * time.Second
	measureEvery = 30 * time.Second
	measureLimit = 10 * time.Second
	// A figure that moved by this part of the whole is written at once, one that moved visibly soon, any other when it is old.
	measureStep  = 100
	measureLeast = 1 << 20
	measureSoon  = 45 * time.Second
	measureOld   = 5 * time.Minute
)

// keepAgain are the waits before a container that could not be kept is tried again: it may end before the next look at all.
var keepAgain = []time.Duration{time.Second, 3 * time.Second, 10 * time.Second}

// follow keeps containers as they start, until ctx is done. Events are hints; each new stream begins with a look at all.
func (s *saver) follow(ctx context.Context) {
	for ctx.Err() == nil {
		watching, cancel := context.WithCancel(ctx)
		ended := make(chan error, 1)
		go func() {
			ended <- s.runtime.Watch(watching, containerd.Events{
				Started: func(id string) { s.started(ctx, id) }, Ended: s.ended, Removed: s.tidySoon,
			})
		}()
		s.look(ctx)
		select {
		case <-ctx.Done():
		case err := <-ended:
			s.log.Warn("containerd's events end; they are asked for again", "error", err.Error())
			sleep(ctx, eventsPause)
		}
		cancel()
	}
}

func sleep(ctx context.Context, limit time.Duration) {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// started never waits, as ended does not.
func (s *saver) started(ctx context.Context, id string) {
	if !s.keeps(ctx, id) {
		go repeated(ctx, keepAgain, func() bool { return s.keeps(ctx, id) })
	}
}

// repeated attempts after each wait, until it is done.
func repeated(ctx context.Context, waits []time.Duration, attempt func() bool) {
	for _, wait := range waits {
		if sleep(ctx, wait); ctx.Err() != nil || attempt() {
			return
		}
	}
}

// keeps reports whether nothing is left to do about a container that started.
func (s *saver) keeps(ctx context.Context, id string) bool {
	kept, err := s.runtime.Keep(ctx, id)
	switch {
	case errors.Is(err, containerd.ErrNotFound):
	case errors.Is(err, containerd.ErrNoImage):
		s.log.Error("what a container changes is kept, and cannot be saved yet", "container", id, "error", err.Error())
	case err != nil:
		s.log.Error("what a container changes is not kept yet", "container", id, "error", err.Error())
		return false
	case kept:
		s.log.Info("keeps what a container changes", "container", id)
	}
	return true
}

// ended never waits: the next event may be a container that starts. In a burst logs are read from their files when they are saved.
func (s *saver) ended(id string) {
	select {
	case s.ends <- id:
	default:
		s.queue.hurry(longestRunning)
	}
}

// captureLogs takes the logs of containers that ended, one by one.
func (s *saver) captureLogs(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case id := <-s.ends:
			s.captureLog(ctx, id)
			s.queue.hurry(longestRunning)
		}
	}
}

// look finds what events did not tell.
func (s *saver) look(ctx context.Context) {
	err := s.runtime.KeepAll(ctx, func(container string, err error) {
		s.log.Error("what a container changes is not kept as it should be", "container", container, "error", err.Error())
	})
	if err != nil {
		if ctx.Err() == nil {
			s.log.Error("containers could not be looked at", "error", err.Error())
		}
		return
	}
	s.captureMissed(ctx)
	s.looked.Store(true)
	s.tidySoon()
}

// tidy gives up what no container, Pod or Snapshot needs any more.
func (s *saver) tidy(ctx context.Context) {
	if !s.cluster.Synced() {
		return
	}
	all, err := s.runtime.Kept(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.log.Error("what is kept could not be listed", "error", err.Error())
		}
		return
	}
	s.metrics.kept.Set(float64(len(all)))
	s.forget()
	since := map[string]time.Time{}
	for _, one := range all {
		state, _, err := s.runtime.StateOf(ctx, one.Container)
		if err != nil || state != containerd.Gone {
			continue
		}
		wait := s.neededFor(one, since)
		if wait > 0 {
			continue
		}
		if err := s.runtime.Release(ctx, one); err != nil {
			s.log.Error("what is kept could not be given up", "container", one.Container, "error", err.Error())
			continue
		}
		s.log.Info("gives up what a container changed", "container", one.Container, "pod", one.PodName, "namespace", one.Namespace)
	}
	s.mutex.Lock()
	s.unneeded = since
	s.mutex.Unlock()
}

// neededFor returns how much longer the changes of a removed container are kept; `since` records when that began.
func (s *saver) neededFor(one containerd.Kept, since map[string]time.Time) time.Duration {
	snapshots := s.cluster.SnapshotsOf(one.PodUID)
	if awaitsSave(one, snapshots) {
		return orphanAfter
	}
	for _, snapshot := range snapshots {
		if saves(snapshot, one) && snapshot.Status.Phase == cluster.Ready {
			return 0
		}
	}
	// Its Pod ended or is being deleted, and nobody has asked for its changes yet.
	if s.cluster.HasPod(one.PodUID) {
		return orphanAfter
	}
	s.mutex.Lock()
	began, isKnown := s.unneeded[one.Container]
	s.mutex.Unlock()
	if !isKnown {
		began = time.Now()
	}
	since[one.Container] = began
	return max(0, orphanAfter-time.Since(began))
}

// saves reports whether a Snapshot is of the kept container. A request from another organisation is refused, and says nothing
// about this one's.
func saves(snapshot *cluster.Snapshot, one containerd.Kept) bool {
	return snapshot.Spec.Of == "Root" && snapshot.Metadata.Namespace == one.Namespace
}

// awaitsSave reports whether a Snapshot that may still succeed needs the kept container.
func awaitsSave(one containerd.Kept, snapshots []*cluster.Snapshot) bool {
	return slices.ContainsFunc(snapshots, func(snapshot *cluster.Snapshot) bool { return saves(snapshot, one) && !snapshot.Done() })
}

// renew keeps the node's Lease fresh, and checks whether the node has to be wiped.
func (s *saver) renew(ctx context.Context) {
	for ctx.Err() == nil {
		if err := s.cluster.Renew(ctx, time.Now()); err != nil && ctx.Err() == nil {
			s.log.Warn("the agent's Lease could not be renewed", "error", err.Error())
			sleep(ctx, time.Second)
			continue
		}
		if err := s.wipe(ctx); err != nil && ctx.Err() == nil {
			s.log.Error("the node could not be wiped", "error", err.Error())
		}
		sleep(ctx, renewEvery)
	}
}

// wipe takes everything of an organisation off this node that is not one of its running containers.
func (s *saver) wipe(ctx context.Context) error {
	namespace, version, err := s.cluster.WipeAsked(ctx)
	if err != nil || namespace == "" {
		return err
	}
	if !s.cluster.Synced() {
		return errors.New("which Pods and Snapshots there are is not known yet")
	}
	if !strings.HasPrefix(namespace, "org-") {
		return fmt.Errorf("the claim of this node asks to wipe %q, which is no organisation's namespace", namespace)
	}
	all, err := s.runtime.Kept(ctx)
	if err != nil {
		return err
	}
	for _, one := range all {
		if one.Namespace != namespace {
			continue
		}
		if state, _, err := s.runtime.StateOf(ctx, one.Container); err != nil {
			return err
		} else if state != containerd.Gone {
			return fmt.Errorf("a container of Pod %s/%s is still here", one.Namespace, one.PodName)
		}
		// The operator asks once no Pod is held here; an earlier request, even by hand, must not cost anybody's work.
		if s.cluster.HasPod(one.PodUID) || awaitsSave(one, s.cluster.SnapshotsOf(one.PodUID)) {
			return fmt.Errorf("what Pod %s/%s changed is not saved yet", one.Namespace, one.PodName)
		}
		if err := s.runtime.Release(ctx, one); err != nil {
			return err
		}
	}
	if s.models != nil {
		if err := s.models.cache.Forget(namespace); err != nil {
			return err
		}
		if err := s.sayModels(ctx); err != nil {
			return err
		}
	}
	images, err := s.runtime.RemoveImages(ctx, func(reference string) bool { return strings.Contains(reference, "/"+namespace+"/") })
	if err != nil {
		return err
	}
	s.log.Info("wiped", "namespace", namespace, "images", images)
	return s.cluster.Wiped(ctx, version, time.Now())
}

// hanging are measurements that have not come back: a dead network volume answers nobody, and must not keep others waiting.
type hanging struct{ disks sync.Map }

// within waits this long for a measurement, and starts none of a disk whose last one still hangs.
func (h *hanging) within(limit time.Duration, disk string, measure func() (bool, error)) (bool, error) {
	if _, hangs := h.disks.LoadOrStore(disk, true); hangs {
		return true, errors.New("the last measurement has not come back: its volume does not answer")
	}
	type result struct {
		measured bool
		err      error
	}
	done := make(chan result, 1)
	go func() {
		measured, err := measure()
		h.disks.Delete(disk)
		done <- result{measured, err}
	}()
	timer := time.NewTimer(limit)
	defer timer.Stop()
	select {
	case one := <-done:
		return one.measured, one.err
	case <-timer.C:
		return true, fmt.Errorf("its volume has not answered for %s", limit)
	}
}

// measure reports the usage of the disks that are mounted here.
func (s *saver) measure(ctx context.Context) {
	hanging, rooms := &hanging{}, &rooms{}
	for {
		sleep(ctx, measureEvery)
		if ctx.Err() != nil {
			return
		}
		seen := map[string]bool{}
		for _, claim := range s.cluster.Claims() {
			name, isDisk := strings.CutSuffix(claim.Name, "-disk")
			if !isDisk || seen[claim.Namespace+"/"+name] {
				continue
			}
			measured, err := hanging.within(measureLimit, claim.Namespace+"/"+name, func() (bool, error) { return s.measureOne(ctx, claim, name) })
			if err != nil && ctx.Err() == nil {
				s.log.Warn("a disk could not be measured", "namespace", claim.Namespace, "disk", name, "error", err.Error())
			}
			seen[claim.Namespace+"/"+name] = measured
		}
		s.measureRooms(ctx, rooms, hanging)
	}
}

// measureOne says false when the volume is not mounted for this Pod: another one may have it.
func (s *saver) measureOne(ctx context.Context, claim cluster.Claim, name string) (bool, error) {
	disk, err := s.cluster.Disk(ctx, claim.Namespace, name)
	if errors.Is(err, cluster.ErrNoDisk) {
		return true, nil
	}
	if err != nil || disk.Status.VolumeName == "" {
		return false, err
	}
	kubelet, err := s.root.OpenFolder(s.kubeletDir)
	if err != nil {
		return false, err
	}
	defer kubelet.Close()
	path, err := mountOf(fmt.Sprintf("/proc/self/fd/%d", kubelet.Fd()), claim.PodUID, disk.Status.VolumeName)
	if err != nil || path == "" {
		return false, err
	}
	last := disk.Status.Usage
	if last == nil {
		last = &cluster.Usage{}
	}
	usage, err := s.uncounted.usageOf(ctx, time.Now(), disk.Status.VolumeName, path, last.TotalBytes, last.OwnBytes)
	if err != nil {
		return false, err
	}
	if disk.Status.Usage != nil && !worthSaying(*last, usage) {
		return true, nil
	}
	return true, s.cluster.WriteUsage(ctx, claim.Namespace, name, disk, usage)
}

func worthSaying(last, usage cluster.Usage) bool {
	at, err := time.Parse(time.RFC3339, last.At)
	if err != nil || last.TotalBytes != usage.TotalBytes || (last.OwnBytes == nil) != (usage.OwnBytes == nil) {
		return true
	}
	moved, age := max(usage.UsedBytes-last.UsedBytes, last.UsedBytes-usage.UsedBytes), time.Since(at)
	return age >= measureOld || moved >= measureLeast && age >= measureSoon || moved >= usage.TotalBytes/measureStep && moved != 0
}

// mountOf is where the kubelet mounted a volume for a Pod; "" when it has not.
func mountOf(kubeletDir, podUID, volume string) (string, error) {
	if strings.ContainsAny(podUID+volume, "/") {
		return "", fmt.Errorf("volume %q of Pod %q: no names of folders", volume, podUID)
	}
	volumes := kubeletDir + "/pods/" + podUID + "/volumes"
	plugins, err := os.ReadDir(volumes)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	var above syscall.Stat_t
	if err := syscall.Lstat(volumes, &above); err != nil {
		return "", err
	}
	for _, plugin := range plugins {
		for _, path := range []string{volumes + "/" + plugin.Name() + "/" + volume, volumes + "/" + plugin.Name() + "/" + volume + "/mount"} {
			var stat syscall.Stat_t
			// A folder of the node's own file system is the place of a mount that is not there.
			if syscall.Lstat(path, &stat) == nil && stat.Mode&syscall.S_IFMT == syscall.S_IFDIR && stat.Dev != above.Dev {
				return path, nil
			}
		}
	}
	return "", nil
}

func isMount(root, folder *os.File) error {
	var above, at syscall.Stat_t
	if err := syscall.Fstat(int(root.Fd()), &above); err != nil {
		return err
	}
	if err := syscall.Fstat(int(folder.Fd()), &at); err != nil {
		return err
	}
	if at.Dev == above.Dev {
		return errors.New("in the container that holds the home no volume is mounted at /home")
	}
	return nil
}
