package snapshot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"k8s.io/apimachinery/pkg/types"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/containerd"
	"gantry.dev/agent/snapshot/host"
	"gantry.dev/agent/snapshot/image"
	"gantry.dev/agent/snapshot/layer"
	"gantry.dev/agent/snapshot/push"
)

const (
	workers = 4
	// A save that takes longer than this reports its progress this often.
	progressEvery = 10 * time.Second
	firstBackOff  = time.Second
	longestOff    = time.Minute
	// The longest wait that a registry may ask for.
	longestAsked = 5 * time.Minute
	// Space in a full registry is freed by people, or by the next collection.
	fullOff = 5 * time.Minute
	// A container that still runs is looked at again after this time, and each time after twice as long. Its end makes it due
	// too.
	stillRunning   = 500 * time.Millisecond
	longestRunning = 2 * time.Second
	messageLimit   = 1000
)

// saver carries out the Snapshots of its node.
type saver struct {
	log      *slog.Logger
	root     *host.Root
	runtime  *containerd.Client
	cluster  *cluster.Cluster
	registry *push.Registry
	// The name of our registry in image references, whatever its address.
	registryName string
	kubeletDir   string
	// How much more than here the files of one save may take where they are unpacked.
	sparseLimit int64
	// Containers were looked at once.
	looked  atomic.Bool
	queue   *queue
	metrics *metrics
	// How many bytes of a run's log are kept; 0: no logs.
	logBytes  int64
	captured  captured
	missed    missed
	uncounted uncounted
	// Nil: their folder could not be opened.
	models *models
	// Containers that ended, whose logs are not captured yet.
	ends chan string

	// Holds one wish at most.
	untidy chan struct{}

	mutex sync.Mutex
	// Snapshots that are not done, or not known to be: the cache may be behind our own writes.
	saves map[types.UID]*memory
	// Since when no container, Pod or Snapshot needs the kept changes.
	unneeded map[string]time.Time
}

// memory of a Snapshot's attempts in this process.
type memory struct {
	attempts int
	started  string
	isDone   bool
	// How many times it found a container running.
	waited int
	// Since when something is missing that a person could bring back.
	lacksSince time.Time
	// How many times the registry gave back something else than was sent.
	spoilt int
	// In the registry already: not sent again.
	sent *sentLayer
	log  *cluster.Log
}

type sentLayer struct {
	layer  image.Layer
	counts leftOut
	// The layer is another one when it takes in others.
	absorbed int
}

func (s *saver) work(ctx context.Context) {
	for {
		key, more := s.queue.next(ctx)
		if !more {
			return
		}
		s.queue.done(key, s.attempt(ctx, key))
	}
}

// Reasons of Snapshot; the sentences of other languages are in the contract.
const (
	reasonSaving        = "Saving"
	reasonPushed        = "Pushed"
	reasonSaved         = "Saved"
	reasonRetrying      = "Retrying"
	reasonContainerGone = "ContainerGone"
	reasonRefused       = "Refused"
	reasonSavingLog     = "SavingLog"
	reasonLogSaved      = "LogSaved"
	reasonLogGone       = "LogGone"
	reasonNotSaveable   = "NotSaveable"
)

// final is an error after which trying again can change nothing.
type final struct{ reason, detail string }

func (f *final) Error() string {
	switch f.reason {
	case reasonContainerGone:
		return "The container is gone from its node; its changes can no longer be saved."
	case reasonLogGone:
		return "The log is gone from its node."
	case reasonNotSaveable:
		return "It cannot be saved: " + f.detail
	}
	return "Saving it is not allowed: " + f.detail
}

var errNoBase = errors.New("is neither on this node nor in the registry")

// mendFor is how long a person has to bring back what a save lacks.
const mendFor = time.Hour

// judged makes failures final that retrying cannot help: an instance whose save never ends neither runs nor rests.
func (m *memory) judged(err error, at time.Time) error {
	switch {
	case errors.Is(err, containerd.ErrForm), errors.Is(err, layer.ErrForm), errors.Is(err, image.ErrOther):
		return &final{reasonNotSaveable, err.Error()}
	case errors.Is(err, containerd.ErrNoImage), errors.Is(err, containerd.ErrNotFound), errors.Is(err, errNoBase):
		if m.lacksSince.IsZero() {
			m.lacksSince = at
		}
		if at.Sub(m.lacksSince) >= mendFor {
			return &final{reasonNotSaveable, fmt.Sprintf("for an hour nobody has brought back what it lacks: %s", err)}
		}
	}
	return err
}

// subjects are what a Snapshot may be of.
var subjects = []string{"Root", "Home", "Log"}

// errRunning: nothing failed; the container has not ended yet, or the one that holds a home has not begun.
var errRunning = errors.New("it still runs")

// attempt is one try at a Snapshot; the time of the next, zero for none.
func (s *saver) attempt(ctx context.Context, key string) time.Time {
	snapshot := s.cluster.Snapshot(key)
	if snapshot == nil || !slices.Contains(subjects, snapshot.Spec.Of) {
		return time.Time{}
	}
	memory := s.remember(snapshot)
	if memory.isDone {
		return time.Time{}
	}
	save := &save{saver: s, snapshot: snapshot, memory: memory, began: time.Now(), log: s.log.With("snapshot", key, "of", snapshot.Spec.Of, "pod", snapshot.Spec.PodName)}
	err := save.once(ctx)
	switch {
	case err == nil:
		memory.isDone = true
		s.metrics.saves.WithLabelValues(snapshot.Spec.Of, cluster.Ready).Inc()
		s.metrics.seconds.WithLabelValues(snapshot.Spec.Of).Observe(time.Since(save.began).Seconds())
		return time.Time{}
	case ctx.Err() != nil:
		// The agent ends; the next one starts over, from the same files.
		return time.Time{}
	case errors.Is(err, errRunning):
		memory.waited++
		return time.Now().Add(min(stillRunning<<min(memory.waited-1, 10), longestRunning))
	case cluster.IsGone(err):
		return time.Time{}
	}
	return save.failed(ctx, memory.judged(err, time.Now()))
}

// remember returns what this process knows about a Snapshot.
func (s *saver) remember(snapshot *cluster.Snapshot) *memory {
	s.mutex.Lock()
	defer s.mutex.Unlock()
	known := s.saves[snapshot.Metadata.UID]
	if known == nil {
		known = &memory{attempts: snapshot.Status.Attempts, started: snapshot.Status.StartedAt, isDone: snapshot.Done(), log: snapshot.Status.Log}
		s.saves[snapshot.Metadata.UID] = known
	}
	return known
}

// forget drops the memory of Snapshots that are gone.
func (s *saver) forget() {
	there := s.cluster.SnapshotUIDs()
	s.mutex.Lock()
	defer s.mutex.Unlock()
	for uid := range s.saves {
		if !there[uid] {
			delete(s.saves, uid)
		}
	}
}

// save is one attempt.
type save struct {
	*saver
	snapshot *cluster.Snapshot
	memory   *memory
	log      *slog.Logger
	began    time.Time
	status   cluster.Status
	progress counted
}

func (s *save) once(ctx context.Context) error {
	// Whatever a panic leaves running ends with this.
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	return caught(func() error { return s.run(ctx) })
}

func (s *save) run(ctx context.Context) error {
	if s.snapshot.Spec.Of == "Log" {
		return s.logAlone(ctx)
	}
	repository, tag, err := s.target()
	if err != nil {
		return err
	}
	source, err := s.source(ctx)
	if err != nil {
		return err
	}
	defer source.close()
	if err := s.begin(ctx, reasonSaving, "The files are being saved."); err != nil {
		return err
	}
	// Once the attempt is counted: a registry that does not answer is seen in the status.
	if err := s.saveLog(ctx); err != nil {
		return err
	}
	s.status.Log = s.memory.log
	stop := s.tellProgress(ctx)
	pushed, err := s.push(ctx, repository, tag, source)
	stop()
	if err != nil {
		return err
	}
	s.status.Phase, s.status.Reason, s.status.Message = cluster.Success, reasonPushed, "The image is in the registry and is being verified."
	s.status.Digest = pushed.digest
	s.status.SizeBytes, s.status.TotalBytes, s.status.Layers = &pushed.size, &pushed.total, &pushed.layers
	if err := s.cluster.WriteStatus(ctx, s.snapshot, s.status); err != nil {
		return err
	}
	if err := s.verify(ctx, repository, pushed); err != nil {
		return err
	}
	s.status.Phase, s.status.Reason = cluster.Ready, reasonSaved
	s.status.ReasonArgs = map[string]string{"digest": pushed.digest}
	s.status.Message = fmt.Sprintf("Saved as %s, and verified.%s", pushed.digest, pushed.left.sentence())
	s.status.FinishedAt = now()
	if err := s.cluster.WriteStatus(ctx, s.snapshot, s.status); err != nil {
		return err
	}
	s.log.Info("saved", "target", s.snapshot.Spec.Target, "digest", pushed.digest, "bytes", pushed.size, "layers", pushed.layers,
		"absorbed", pushed.absorbed, "entries", pushed.left.Entries, "seconds", time.Since(s.began).Seconds())
	return nil
}

// target is the repository and the tag to push, in the Snapshot's own namespace and no other.
func (s *save) target() (repository, tag string, err error) {
	return s.place("spec.target", s.snapshot.Spec.Target)
}

func (s *save) place(field, name string) (repository, tag string, err error) {
	host, rest, _ := strings.Cut(name, "/")
	at := strings.LastIndex(rest, ":")
	if host != s.registryName || at <= 0 || strings.Contains(rest, "@") {
		return "", "", &final{reasonRefused, fmt.Sprintf("%s: %q is not %s/<namespace>/<name>:<tag>", field, name, s.registryName)}
	}
	repository, tag = rest[:at], rest[at+1:]
	if first, _, _ := strings.Cut(repository, "/"); first != s.snapshot.Metadata.Namespace {
		return "", "", &final{reasonRefused, fmt.Sprintf("%s: %q is not of the namespace %s", field, name, s.snapshot.Metadata.Namespace)}
	}
	return repository, tag, nil
}

func now() string { return time.Now().UTC().Format(time.RFC3339) }

func (s *save) begin(ctx context.Context, reason, message string) error {
	s.status = cluster.Status{
		Phase: cluster.Processing, Reason: reason, Message: message,
		ObservedGeneration: s.snapshot.Metadata.Generation, Log: s.memory.log,
	}
	s.count()
	return s.cluster.WriteStatus(ctx, s.snapshot, s.status)
}

// count records which attempt this is, and since when there have been any.
func (s *save) count() {
	s.memory.attempts++
	if s.memory.started == "" {
		s.memory.started = now()
	}
	s.status.Attempts, s.status.StartedAt = s.memory.attempts, s.memory.started
}

// tellProgress writes the progress from time to time; the returned function ends that, and returns when the last write is done.
func (s *save) tellProgress(ctx context.Context) func() {
	ctx, cancel := context.WithCancel(ctx)
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		ticker := time.NewTicker(progressEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-ticker.C:
			}
			said := s.status
			said.Message = fmt.Sprintf("The files are being saved: %s read, %s sent.", sizeInWords(s.progress.read.Load()), sizeInWords(s.progress.sent.Load()))
			if err := s.cluster.WriteStatus(ctx, s.snapshot, said); err != nil && ctx.Err() == nil {
				s.log.Warn("progress could not be written", "error", err.Error())
			}
		}
	}()
	return func() {
		cancel()
		<-ended
		s.metrics.bytes.Add(float64(s.progress.sent.Load()))
	}
}

func sizeInWords(bytes int64) string {
	switch {
	case bytes < 1<<20:
		return fmt.Sprintf("%d KiB", bytes>>10)
	case bytes < 1<<30:
		return fmt.Sprintf("%d MiB", bytes>>20)
	}
	return fmt.Sprintf("%.1f GiB", float64(bytes)/(1<<30))
}

// failed writes why, and says when to try again.
func (s *save) failed(ctx context.Context, err error) time.Time {
	if s.status.Attempts == 0 {
		s.count()
	}
	s.status.ObservedGeneration, s.status.Log = s.snapshot.Metadata.Generation, s.memory.log
	s.status.Digest, s.status.SizeBytes, s.status.TotalBytes, s.status.Layers = "", nil, nil, nil
	detail := err.Error()
	if len(detail) > messageLimit {
		detail = detail[:messageLimit] + "…"
	}
	detail = strings.ToValidUTF8(detail, "?")
	var ends *final
	next := time.Time{}
	if errors.As(err, &ends) {
		s.status.Phase, s.status.Reason, s.status.Message, s.status.FinishedAt = cluster.Failed, ends.reason, detail, now()
		s.status.ReasonArgs = nil
		if ends.detail != "" {
			s.status.ReasonArgs = map[string]string{"detail": ends.detail}
		}
		s.metrics.saves.WithLabelValues(s.snapshot.Spec.Of, cluster.Failed).Inc()
		s.log.Error("given up", "reason", ends.reason, "error", detail)
	} else {
		next = time.Now().Add(backOff(s.status.Attempts, err))
		s.status.Phase, s.status.Reason, s.status.NextTryAt = cluster.Processing, reasonRetrying, next.UTC().Format(time.RFC3339)
		s.status.ReasonArgs = map[string]string{"detail": detail}
		s.status.Message = "Saving failed and will be retried: " + detail
		s.metrics.retries.WithLabelValues(s.snapshot.Spec.Of).Inc()
		s.log.Warn("tried again later", "attempt", s.status.Attempts, "error", detail, "at", s.status.NextTryAt)
	}
	if err := s.cluster.WriteStatus(ctx, s.snapshot, s.status); err != nil {
		if cluster.IsGone(err) || ctx.Err() != nil {
			return time.Time{}
		}
		// An unwritten status counts as not reported: it is written again.
		s.log.Warn("status could not be written", "error", err.Error())
		return time.Now().Add(firstBackOff)
	}
	s.memory.isDone = s.status.Phase == cluster.Failed
	return next
}

// backOff doubles from a second to a minute; a registry that names a time has it.
func backOff(attempt int, err error) time.Duration {
	wait := longestOff
	if shift := attempt - 1; shift >= 0 && shift < 6 {
		wait = firstBackOff << shift
	}
	var answer *push.Error
	if errors.As(err, &answer) && answer.IsFull {
		return fullOff
	}
	if errors.As(err, &answer) && answer.RetryAfter > 0 {
		wait = max(wait, min(answer.RetryAfter, longestAsked))
	}
	return min(wait, max(longestOff, longestAsked))
}
