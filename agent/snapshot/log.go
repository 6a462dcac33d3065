package snapshot

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"

	"github.com/klauspost/compress/gzip"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/containerd"
	"gantry.dev/agent/snapshot/image"
	"gantry.dev/agent/snapshot/push"
	"gantry.dev/agent/snapshot/runlog"
)

const (
	logType = "application/vnd.gantry.log.v1+gzip"
	// It is held in memory while it is packed and sent.
	mostLogBytes = 64 << 20
	// A log that cannot be kept does not hold its save up for longer than these attempts.
	logAttempts = 3
	// The limit for captured logs of all containers on the node.
	mostCapturedBytes = 32 << 20
	// Containers that may wait for their logs to be captured.
	mostEnds = 256
)

// keptLog is the end of a log, packed.
type keptLog struct {
	packed            []byte
	log               cluster.Log
	namespace, podUID string
}

// captured are the logs of containers that ended a moment ago: the kubelet removes the files of a deleted Pod at once, before
// anybody asks for a save. Those that nobody asks for are pushed out by newer ones, first of all in the namespace with most bytes.
type captured struct {
	mutex sync.Mutex
	logs  map[string]keptLog
	// Oldest first.
	order []string
	bytes int
}

// missed are the containers of jobs that ended and were looked at since this process began.
type missed struct {
	mutex sync.Mutex
	seen  map[string]bool
}

func (c *captured) put(container string, one keptLog) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.drop(container)
	if c.logs == nil {
		c.logs = map[string]keptLog{}
	}
	c.logs[container], c.order, c.bytes = one, append(c.order, container), c.bytes+len(one.packed)
	for c.bytes > mostCapturedBytes {
		c.drop(c.oldestOfLargest())
	}
}

// oldestOfLargest is of the namespace with most bytes: the many ends of one tenant's containers cost no other tenant a log.
func (c *captured) oldestOfLargest() string {
	sizes := map[string]int{}
	for _, one := range c.logs {
		sizes[one.namespace] += len(one.packed)
	}
	found := c.order[0]
	for _, container := range c.order {
		if sizes[c.logs[container].namespace] > sizes[c.logs[found].namespace] {
			found = container
		}
	}
	return found
}

func (c *captured) get(container string) (keptLog, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	one, ok := c.logs[container]
	return one, ok
}

// ofPod is the newest one of a Pod, and its container.
func (c *captured) ofPod(uid string) (string, keptLog, bool) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, container := range slices.Backward(c.order) {
		if one := c.logs[container]; one.podUID == uid {
			return container, one, true
		}
	}
	return "", keptLog{}, false
}

func (c *captured) take(container string) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.drop(container)
}

func (c *captured) drop(container string) {
	one, ok := c.logs[container]
	if !ok {
		return
	}
	delete(c.logs, container)
	c.bytes -= len(one.packed)
	for i, other := range c.order {
		if other == container {
			c.order = append(c.order[:i], c.order[i+1:]...)
			return
		}
	}
}

// captureLog takes the log of a container that has just ended, if it is one of ours.
func (s *saver) captureLog(ctx context.Context, id string) {
	if s.logBytes <= 0 {
		return
	}
	program, err := s.runtime.LoggedProgram(ctx, id)
	if err == nil {
		s.capture(program)
	} else if !errors.Is(err, containerd.ErrNotFound) && ctx.Err() == nil {
		s.log.Warn("the log of a container that ended is not captured", "container", id, "error", err.Error())
	}
}

func (s *saver) capture(program containerd.Program) {
	err := caught(func() error {
		one, err := s.readLog(program)
		if err == nil {
			s.captured.put(program.Container, one)
		}
		return err
	})
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		s.log.Warn("the log of a container that ended could not be read", "container", program.Container, "error", err.Error())
	}
}

// captureMissed takes the logs of jobs that ended while nobody listened: their files go with their Pods. Those of instances are
// found by what is kept of them.
func (s *saver) captureMissed(ctx context.Context) {
	if s.logBytes <= 0 {
		return
	}
	s.missed.mutex.Lock()
	defer s.missed.mutex.Unlock()
	programs, err := s.runtime.JobPrograms(ctx)
	if err != nil {
		if ctx.Err() == nil {
			s.log.Warn("the containers of jobs could not be listed", "error", err.Error())
		}
		return
	}
	seen := map[string]bool{}
	for _, one := range programs {
		if s.missed.seen[one.Container] {
			seen[one.Container] = true
			continue
		}
		state, _, err := s.runtime.StateOf(ctx, one.Container)
		if err != nil || state != containerd.Ended {
			continue
		}
		// Once: one that made room for others would push them out in turn.
		seen[one.Container] = true
		if _, isCaptured := s.captured.get(one.Container); !isCaptured {
			s.capture(one)
		}
	}
	s.missed.seen = seen
}

func (s *saver) readLog(program containerd.Program) (keptLog, error) {
	if program.LogPath == "" {
		return keptLog{}, os.ErrNotExist
	}
	tail, err := runlog.Read(s.root.Open, program.LogPath, s.logBytes)
	if err != nil {
		return keptLog{}, err
	}
	var packed bytes.Buffer
	to, err := gzip.NewWriterLevel(&packed, gzip.BestSpeed)
	if err != nil {
		return keptLog{}, err
	}
	if _, err := to.Write(tail.Text); err != nil {
		return keptLog{}, err
	}
	if err := to.Close(); err != nil {
		return keptLog{}, err
	}
	log := cluster.Log{Bytes: int64(len(tail.Text)), IsCut: tail.IsCut}
	return keptLog{packed: packed.Bytes(), log: log, namespace: program.Namespace, podUID: program.PodUID}, nil
}

// saveLog pushes the end of the log of the Snapshot's container, once. The save goes on without it where it is gone.
func (s *save) saveLog(ctx context.Context) error {
	if s.snapshot.Spec.Of != "Root" || s.snapshot.Spec.Log == "" || s.logBytes <= 0 || s.memory.log != nil {
		return nil
	}
	repository, tag, err := s.place("spec.log", s.snapshot.Spec.Log)
	if err != nil {
		return err
	}
	kept, err := s.ended(ctx)
	if err != nil {
		return err
	}
	one, isCaptured := s.captured.get(kept.Container)
	if !isCaptured {
		if one, err = s.readLog(containerd.Program{Namespace: kept.Namespace, PodUID: kept.PodUID, LogPath: kept.LogPath}); err != nil {
			s.log.Warn("the log of the run is not kept: it could not be read", "error", err.Error())
			return nil
		}
	}
	if err := s.pushLog(ctx, repository, tag, one); err != nil {
		if ctx.Err() != nil || s.memory.attempts < logAttempts {
			return err
		}
		s.log.Warn("the log of the run is not kept: it could not be pushed", "error", err.Error())
		return nil
	}
	s.memory.log = &one.log
	s.captured.take(kept.Container)
	return nil
}

// logAlone carries out a Snapshot of a log: nothing else of the container is saved, held or removed.
func (s *save) logAlone(ctx context.Context) error {
	repository, tag, err := s.target()
	if err != nil {
		return err
	}
	if s.logBytes <= 0 {
		return &final{reasonNotSaveable, "the agent of this node keeps no logs."}
	}
	container, one, err := s.endedLog(ctx)
	if err != nil {
		return err
	}
	if err := s.begin(ctx, reasonSavingLog, "The log is being saved."); err != nil {
		return err
	}
	if err := s.pushLog(ctx, repository, tag, one); err != nil {
		return err
	}
	s.status.Phase, s.status.Reason, s.status.Message = cluster.Ready, reasonLogSaved, "The log is in the registry."
	s.status.Log, s.status.FinishedAt = &one.log, now()
	if err := s.cluster.WriteStatus(ctx, s.snapshot, s.status); err != nil {
		return err
	}
	s.captured.take(container)
	s.log.Info("saved", "target", s.snapshot.Spec.Target, "bytes", one.log.Bytes)
	return nil
}

// endedLog is what the program of the Snapshot's Pod wrote, which has ended and is this organisation's.
func (s *save) endedLog(ctx context.Context) (container string, one keptLog, err error) {
	uid := string(s.snapshot.Spec.PodUID)
	program, err := s.runtime.PodProgram(ctx, uid)
	isGone := errors.Is(err, containerd.ErrNotFound)
	if err != nil && !isGone {
		return "", one, err
	}
	if isGone {
		var isCaptured bool
		if program.Container, one, isCaptured = s.captured.ofPod(uid); !isCaptured {
			return "", one, &final{reason: reasonLogGone}
		}
		program.Namespace = one.namespace
	}
	if program.Namespace != s.snapshot.Metadata.Namespace {
		return "", one, &final{reasonRefused, fmt.Sprintf("spec.podUID: the container is of the namespace %s, not of %s", program.Namespace, s.snapshot.Metadata.Namespace)}
	}
	if isGone {
		return program.Container, one, nil
	}
	if state, _, err := s.runtime.StateOf(ctx, program.Container); err != nil {
		return "", one, err
	} else if state == containerd.Running {
		return "", one, errRunning
	}
	one, isCaptured := s.captured.get(program.Container)
	if !isCaptured {
		if one, err = s.readLog(program); errors.Is(err, os.ErrNotExist) {
			return "", one, &final{reason: reasonLogGone}
		}
	}
	return program.Container, one, err
}

// pushLog sends a log as an artifact of one layer. One of no bytes needs none.
func (s *save) pushLog(ctx context.Context, repository, tag string, one keptLog) error {
	if one.log.Bytes == 0 {
		return nil
	}
	to, err := s.registry.Open(ctx, repository, nil)
	if err != nil {
		return err
	}
	nothing := []byte("{}")
	config := image.Descriptor{MediaType: "application/vnd.oci.empty.v1+json", Digest: image.Digest(nothing), Size: int64(len(nothing))}
	content := image.Descriptor{MediaType: logType, Digest: image.Digest(one.packed), Size: int64(len(one.packed))}
	for _, blob := range []struct {
		image.Descriptor
		raw []byte
	}{{config, nothing}, {content, one.packed}} {
		if err := s.sendBytes(ctx, to, blob.Descriptor, blob.raw); err != nil {
			return err
		}
	}
	return s.putLogManifest(ctx, to, tag, config, content)
}

const manifestType = "application/vnd.oci.image.manifest.v1+json"

func (s *save) putLogManifest(ctx context.Context, to *push.Repository, tag string, config, content image.Descriptor) error {
	raw, err := json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": manifestType, "artifactType": logType,
		"config": config, "layers": []image.Descriptor{content},
	})
	if err != nil {
		return err
	}
	return to.PutManifest(ctx, tag, manifestType, raw)
}
