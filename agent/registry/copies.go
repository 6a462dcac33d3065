package registry

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/google/go-containerregistry/pkg/name"
	v1 "github.com/google/go-containerregistry/pkg/v1"
	"github.com/google/go-containerregistry/pkg/v1/remote"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/util/workqueue"
)

const (
	ofCopy       = "Copy"
	fieldManager = "gantry-registry"
	// How a layer that was saved is marked in its image's history.
	savedBy = "gantry snapshot"
	// Several organisations' at once, of each one after the other.
	copiers = 3
	// Blobs are mounted, which takes no time; where the registry refuses that, layers go through this process.
	copyWithin = 15 * time.Minute
	firstTry   = time.Second
	latestTry  = time.Minute
)

// Copies carries out the Snapshots that copy an image within the registry: an instance's root becomes a separate image.
type Copies struct {
	cluster *Cluster
	images  interface {
		copy(ctx context.Context, from, to string) (copied, error)
	}
	log     *slog.Logger
	metrics *metrics
	now     func() time.Time
	host    string
}

// copied is what there is after a copy.
type copied struct {
	digest     string
	totalBytes int64
	layers     int
}

// errGone says that the source is not in the registry.
var errGone = errors.New("the source is gone")

// wish is a Snapshot of a copy.
type wish struct {
	namespace, name, uid string
	generation           int64
	from, target         string
	phase                string
	attempts             int64
	startedAt            string
}

func wishOf(object *unstructured.Unstructured) (wish, bool) {
	text := func(path ...string) string {
		found, _, _ := unstructured.NestedString(object.Object, path...)
		return found
	}
	attempts, _, _ := unstructured.NestedInt64(object.Object, "status", "attempts")
	w := wish{
		namespace: object.GetNamespace(), name: object.GetName(), uid: string(object.GetUID()),
		generation: object.GetGeneration(),
		from:       text("spec", "from"), target: text("spec", "target"),
		phase: text("status", "phase"), attempts: attempts, startedAt: text("status", "startedAt"),
	}
	isWanted := text("spec", "of") == ofCopy && w.phase != "ready" && w.phase != "failed"
	return w, isWanted && object.GetDeletionTimestamp() == nil
}

// refusal is a sentence where the copy is not the namespace's to make: neither end may be anybody else's.
func (w wish) refusal(host string) string {
	for _, end := range []struct{ field, image string }{{"spec.from", w.from}, {"spec.target", w.target}} {
		if !strings.HasPrefix(end.image, host+"/"+w.namespace+"/") {
			return fmt.Sprintf("%s: must be an image of %s/%s", end.field, host, w.namespace)
		}
	}
	if !strings.Contains(w.from, "@sha256:") {
		return "spec.from: must name a digest"
	}
	return ""
}

// run follows the Snapshots until ctx is done; it waits for a cluster that is not there yet.
func (c *Copies) run(ctx context.Context) {
	var client dynamic.Interface
	for {
		var err error
		if client, err = c.cluster.client(); err == nil {
			break
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(time.Second):
		}
	}
	queue := workqueue.NewTypedRateLimitingQueue(
		workqueue.NewTypedItemExponentialFailureRateLimiter[cache.ObjectName](firstTry, latestTry),
	)
	// Not client-go's factory of such informers: it brings the typed client of every kind there is, 20 MB of it.
	informer := cache.NewSharedInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			return client.Resource(snapshots).List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			return client.Resource(snapshots).Watch(ctx, options)
		},
	}, &unstructured.Unstructured{}, 0)
	_ = informer.SetTransform(func(object any) (any, error) {
		if found, ok := object.(*unstructured.Unstructured); ok {
			found.SetManagedFields(nil)
		}
		return object, nil
	})
	look := func(object any) {
		if found, ok := object.(*unstructured.Unstructured); ok {
			if _, isWanted := wishOf(found); isWanted {
				queue.Add(cache.NewObjectName(found.GetNamespace(), found.GetName()))
			}
		}
	}
	_, _ = informer.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: look,
		// Our own status would otherwise cut each pause between two tries short.
		UpdateFunc: func(before, after any) {
			if before.(*unstructured.Unstructured).GetGeneration() != after.(*unstructured.Unstructured).GetGeneration() {
				look(after)
			}
		},
	})
	go informer.Run(ctx.Done())
	go func() { <-ctx.Done(); queue.ShutDown() }()
	order := &turns{waiting: map[string][]cache.ObjectName{}}
	var all sync.WaitGroup
	for range copiers {
		all.Add(1)
		go func() {
			defer all.Done()
			for {
				key, ended := queue.Get()
				if ended {
					return
				}
				if !order.begin(key) {
					queue.Done(key)
					continue
				}
				c.work(ctx, client, informer.GetStore(), queue, key)
				queue.Done(key)
				for _, next := range order.end(key) {
					queue.Add(next)
				}
			}
		}()
	}
	all.Wait()
}

// turns lets one copy of a namespace run at a time: an organisation's hundred exports do not hold up another's one.
type turns struct {
	mutex sync.Mutex
	// Keys waiting, by namespaces that are at work.
	waiting map[string][]cache.ObjectName
}

// begin reports whether it is the key's turn; otherwise the end of another one returns it.
func (t *turns) begin(key cache.ObjectName) bool {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	waiting, isAtWork := t.waiting[key.Namespace]
	if !isAtWork {
		t.waiting[key.Namespace] = nil
		return true
	}
	if !slices.Contains(waiting, key) {
		t.waiting[key.Namespace] = append(waiting, key)
	}
	return false
}

// end returns the waiting keys: the first gets the next turn, the others wait again.
func (t *turns) end(key cache.ObjectName) []cache.ObjectName {
	t.mutex.Lock()
	defer t.mutex.Unlock()
	waiting := t.waiting[key.Namespace]
	delete(t.waiting, key.Namespace)
	return waiting
}

type retries = workqueue.TypedRateLimitingInterface[cache.ObjectName]

func (c *Copies) work(ctx context.Context, client dynamic.Interface, store cache.Store, queue retries, key cache.ObjectName) {
	found, exists, _ := store.GetByKey(key.String())
	if !exists {
		queue.Forget(key)
		return
	}
	wanted, isWanted := wishOf(found.(*unstructured.Unstructured))
	if !isWanted {
		queue.Forget(key)
		return
	}
	say := func(status map[string]any) error {
		status["observedGeneration"] = wanted.generation
		return writeStatus(ctx, client, wanted, status)
	}
	again, err := c.carryOut(ctx, wanted, int64(queue.NumRequeues(key)), say)
	if err != nil && ctx.Err() == nil {
		c.log.Warn("a copy is tried again", "namespace", key.Namespace, "snapshot", key.Name, "error", err.Error())
	}
	if again || err != nil {
		queue.AddRateLimited(key)
		return
	}
	queue.Forget(key)
}

// carryOut tries once, and says how that went in the Snapshot's status: again is whether another try may do better. An error
// is a status that could not be written.
func (c *Copies) carryOut(
	ctx context.Context, w wish, failures int64, say func(map[string]any) error,
) (again bool, err error) {
	if detail := w.refusal(c.host); detail != "" {
		c.metrics.copies.WithLabelValues("refused").Inc()
		return false, say(c.failed("Refused", "Saving it is not allowed: "+detail, map[string]any{"detail": detail}))
	}
	started := w.startedAt
	if started == "" {
		started = rfc3339(c.now())
	}
	base := map[string]any{"startedAt": started, "attempts": max(w.attempts, failures) + 1}
	with := func(more map[string]any) map[string]any {
		for key, value := range base {
			more[key] = value
		}
		return more
	}
	if failures == 0 {
		status := map[string]any{"phase": "processing", "reason": "Saving", "message": "The files are being saved."}
		if err := say(with(status)); err != nil {
			return true, err
		}
	}
	copying, cancel := context.WithTimeout(ctx, copyWithin)
	done, err := c.copyOnce(copying, w)
	cancel()
	if errors.Is(err, errGone) {
		c.metrics.copies.WithLabelValues("gone").Inc()
		sentence := fmt.Sprintf("spec.from: the registry no longer has %s.", w.from)
		return false, say(with(c.failed("SourceGone", sentence, map[string]any{"image": w.from})))
	}
	if err != nil {
		c.metrics.copies.WithLabelValues("failed").Inc()
		c.log.Warn("a copy failed", "namespace", w.namespace, "snapshot", w.name, "error", err.Error())
		pause := min(firstTry<<min(failures, 10), latestTry)
		return true, say(with(map[string]any{
			"phase": "processing", "reason": "Retrying",
			"message":    "Saving failed and will be retried: " + err.Error(),
			"reasonArgs": map[string]any{"detail": err.Error()},
			"nextTryAt":  rfc3339(c.now().Add(pause)),
		}))
	}
	c.metrics.copies.WithLabelValues("done").Inc()
	return false, say(with(map[string]any{
		"phase": "ready", "reason": "Saved",
		"message":    fmt.Sprintf("Saved as %s, and verified.", done.digest),
		"reasonArgs": map[string]any{"digest": done.digest},
		"digest":     done.digest,
		// A copy adds nothing to the stored bytes.
		"sizeBytes": int64(0), "totalBytes": done.totalBytes, "layers": int64(done.layers),
		"finishedAt": rfc3339(c.now()),
	}))
}

// copyOnce makes a panic an error: what one tenant's manifest is too much for must not end the registry's agent.
func (c *Copies) copyOnce(ctx context.Context, w wish) (done copied, err error) {
	defer func() {
		if found := recover(); found != nil {
			err = fmt.Errorf("panic: %v", found)
		}
	}()
	return c.images.copy(ctx, w.from, w.target)
}

func (c *Copies) failed(reason, message string, args map[string]any) map[string]any {
	return map[string]any{
		"phase": "failed", "reason": reason, "message": message, "reasonArgs": args, "finishedAt": rfc3339(c.now()),
	}
}

func rfc3339(at time.Time) string { return at.UTC().Format(time.RFC3339) }

func writeStatus(ctx context.Context, client dynamic.Interface, w wish, status map[string]any) error {
	body, err := json.Marshal(map[string]any{
		"apiVersion": "gantry.dev/v1alpha1",
		"kind":       "Snapshot",
		"metadata":   map[string]any{"name": w.name, "namespace": w.namespace, "uid": w.uid},
		"status":     status,
	})
	if err != nil {
		return err
	}
	force := true
	options := metav1.PatchOptions{FieldManager: fieldManager, Force: &force}
	_, err = client.Resource(snapshots).Namespace(w.namespace).
		Patch(ctx, w.name, types.ApplyPatchType, body, options, "status")
	return err
}

// copy mounts the blobs and puts the manifest, then reads its result back. from and to begin with the registry's name, as in
// image references.
func (i *Images) copy(ctx context.Context, from, to string) (copied, error) {
	source, err := i.parse(from)
	if err != nil {
		return copied{}, err
	}
	target, err := i.parse(to)
	if err != nil {
		return copied{}, err
	}
	image, err := remote.Image(source, i.with(ctx)...)
	if isUnknown(err) {
		return copied{}, errGone
	}
	if err != nil {
		return copied{}, err
	}
	if err := remote.Write(target, image, i.with(ctx)...); err != nil {
		return copied{}, err
	}
	return i.readBack(ctx, target.Context(), image)
}

// readBack asks for the manifest and for each blob of the copy. They are the very blobs of the source, whose content was compared
// when it was saved.
func (i *Images) readBack(ctx context.Context, target name.Repository, image v1.Image) (copied, error) {
	digest, err := image.Digest()
	if err != nil {
		return copied{}, err
	}
	found, err := remote.Image(target.Digest(digest.String()), i.with(ctx)...)
	if err != nil {
		return copied{}, fmt.Errorf("reading back: %w", err)
	}
	manifest, err := found.Manifest()
	if err != nil {
		return copied{}, fmt.Errorf("reading back: %w", err)
	}
	for _, blob := range append([]v1.Descriptor{manifest.Config}, manifest.Layers...) {
		layer, err := remote.Layer(target.Digest(blob.Digest.String()), i.with(ctx)...)
		if err == nil {
			var size int64
			if size, err = layer.Size(); err == nil && size != blob.Size {
				err = fmt.Errorf("%s has %d bytes, not %d", blob.Digest, size, blob.Size)
			}
		}
		if err != nil {
			return copied{}, fmt.Errorf("reading back: %w", err)
		}
	}
	config, err := found.ConfigFile()
	if err != nil {
		return copied{}, fmt.Errorf("reading back: %w", err)
	}
	done := copied{digest: digest.String()}
	at := 0
	for _, line := range config.History {
		if line.EmptyLayer {
			continue
		}
		if line.CreatedBy == savedBy && at < len(manifest.Layers) {
			done.layers++
			done.totalBytes += manifest.Layers[at].Size
		}
		at++
	}
	return done, nil
}

func (i *Images) parse(image string) (name.Reference, error) {
	_, rest, _ := strings.Cut(image, "/")
	if repository, digest, ok := strings.Cut(rest, "@"); ok {
		bare, _, _ := strings.Cut(repository, ":")
		return name.NewDigest(i.registry.RegistryStr()+"/"+bare+"@"+digest, i.insecure()...)
	}
	return name.NewTag(i.registry.RegistryStr()+"/"+rest, i.insecure()...)
}

func (i *Images) insecure() []name.Option {
	if i.registry.Scheme() == "http" {
		return []name.Option{name.Insecure}
	}
	return nil
}
