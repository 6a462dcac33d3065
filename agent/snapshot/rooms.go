package snapshot

import (
	"context"
	"fmt"
	"slices"
	"time"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/containerd"
)

const (
	// containerd counts every file of a root file system: less often than a single call to the kernel.
	rootEvery = 4
	// A root file system has no size of its own; changes are reported in steps of this many bytes.
	rootStep = 16 << 20
)

// rooms remembers what was reported about the instances that run here, by the UID of their Pods.
type rooms struct {
	round int
	known map[string]*room
}

type room struct {
	volume string
	said   cluster.Room
	isSaid bool
}

// measureRooms reports the usage of the instances' homes and root file systems. An unchanged value is reported once.
func (s *saver) measureRooms(ctx context.Context, all *rooms, hanging *hanging) {
	all.round++
	pods := s.cluster.InstancePods()
	isNew := func(pod cluster.InstancePod) bool {
		return all.known[pod.UID] == nil || all.known[pod.UID].said.RootBytes == nil
	}
	roots := map[string]containerd.Kept{}
	if isTurn := all.round%rootEvery == 0; isTurn || slices.ContainsFunc(pods, isNew) {
		kept, err := s.runtime.Kept(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("root file systems could not be listed", "error", err.Error())
		}
		for _, one := range kept {
			if isTurn || isNew(cluster.InstancePod{UID: one.PodUID}) {
				roots[one.PodUID] = one
			}
		}
	}
	known := map[string]*room{}
	for _, pod := range pods {
		one := all.known[pod.UID]
		if one == nil {
			one = &room{}
		}
		known[pod.UID] = one
		name := fmt.Sprintf("%s/%s-home", pod.Namespace, pod.Instance)
		if _, err := hanging.within(measureLimit, name, func() (bool, error) { return true, caught(func() error { return s.measureRoom(ctx, pod, one, roots) }) }); err != nil && ctx.Err() == nil {
			s.log.Warn("an instance's disks could not be measured", "namespace", pod.Namespace, "instance", pod.Instance, "error", err.Error())
		}
	}
	all.known = known
}

func (s *saver) measureRoom(ctx context.Context, pod cluster.InstancePod, one *room, roots map[string]containerd.Kept) error {
	next := one.said
	if home, err := s.homeRoom(ctx, pod, one); err != nil {
		return err
	} else if home != nil {
		next.Home = home
	}
	if kept, isKept := roots[pod.UID]; isKept {
		bytes, err := s.runtime.Bytes(ctx, kept)
		if err != nil {
			return err
		}
		next.RootBytes = &bytes
	}
	if next.Home == nil && next.RootBytes == nil || one.isSaid && !hasMoved(one.said, next) {
		return nil
	}
	next.At = now()
	if err := s.cluster.WriteRoom(ctx, pod, next); err != nil {
		return err
	}
	one.said, one.isSaid = next, true
	return nil
}

func (s *saver) homeRoom(ctx context.Context, pod cluster.InstancePod, one *room) (*cluster.HomeRoom, error) {
	if one.volume == "" {
		volume, err := s.cluster.HomeVolume(ctx, pod)
		if err != nil || volume == "" {
			return nil, err
		}
		one.volume = volume
	}
	kubelet, err := s.root.OpenFolder(s.kubeletDir)
	if err != nil {
		return nil, err
	}
	defer kubelet.Close()
	path, err := mountOf(fmt.Sprintf("/proc/self/fd/%d", kubelet.Fd()), pod.UID, one.volume)
	if err != nil || path == "" {
		return nil, err
	}
	last := one.said.Home
	if last == nil {
		last = &cluster.HomeRoom{}
	}
	usage, err := s.uncounted.usageOf(ctx, time.Now(), one.volume, path, last.TotalBytes, last.OwnBytes)
	if err != nil {
		return nil, err
	}
	return &cluster.HomeRoom{TotalBytes: usage.TotalBytes, UsedBytes: usage.UsedBytes, AvailableBytes: usage.AvailableBytes, OwnBytes: usage.OwnBytes}, nil
}

// hasMoved by a hundredth of the home, or by a step of the root file system.
func hasMoved(last, next cluster.Room) bool {
	if (last.Home == nil) != (next.Home == nil) || (last.RootBytes == nil) != (next.RootBytes == nil) {
		return true
	}
	if next.Home != nil {
		moved := next.Home.UsedBytes - last.Home.UsedBytes
		if last.Home.TotalBytes != next.Home.TotalBytes || (last.Home.OwnBytes == nil) != (next.Home.OwnBytes == nil) || max(moved, -moved) >= next.Home.TotalBytes/measureStep && moved != 0 {
			return true
		}
	}
	if next.RootBytes == nil {
		return false
	}
	moved := *next.RootBytes - *last.RootBytes
	return max(moved, -moved) >= rootStep
}
