package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"gantry.dev/agent/snapshot/containerd"
	"gantry.dev/agent/snapshot/image"
	"gantry.dev/agent/snapshot/layer"
	"gantry.dev/agent/snapshot/push"
)

// How long a holder's Pod may take to be seen here after its Snapshot was made.
const podLate = time.Minute

// excluded folders of the root: the agent's own, and the kernel's.
var excluded = []string{"gantry", "dev", "proc", "sys"}

// homeName is the folder that a saved home lies under in its image, apart from what a runtime puts beside it.
const homeName = "gantry-home"

// leftOut is what a layer could not hold.
type leftOut struct{ layer.Counts }

func (l leftOut) sentence() string {
	if l.Unsupported+l.Attributes == 0 {
		return ""
	}
	said := fmt.Sprintf(" Left out, since an image cannot hold them: %d files or folders and %d attributes. %s", l.Unsupported, l.Attributes, strings.Join(l.Named, "; "))
	if l.Unsupported+l.Attributes > len(l.Named) {
		return said + "; and more."
	}
	return said + "."
}

// unsupported ends a save that may leave nothing out: the home's volume is deleted once it is saved, and stays otherwise.
func unsupported(err error) error {
	var cannot *layer.Unsupported
	if !errors.As(err, &cannot) {
		return err
	}
	return &final{reasonNotSaveable, "an image cannot hold all of the home, which stays where it is. " + cannot.Error()}
}

// source is what to save, and the image it lies on (nil: on nothing).
type source struct {
	base *image.Image
	// Own layers of the base that the new one stands for.
	absorbed int
	write    tarball
	close    func()
}

func (s *save) source(ctx context.Context) (*source, error) {
	if s.snapshot.Spec.Of == "Home" {
		return s.home(ctx)
	}
	return s.changes(ctx)
}

// ended is the container of the Snapshot's Pod, which is this organisation's and does not run any more.
func (s *save) ended(ctx context.Context) (containerd.Kept, error) {
	kept, err := s.kept(ctx)
	if err != nil {
		return kept, err
	}
	if kept.Namespace != s.snapshot.Metadata.Namespace {
		return kept, &final{reasonRefused, fmt.Sprintf("spec.podUID: the container is of the namespace %s, not of %s", kept.Namespace, s.snapshot.Metadata.Namespace)}
	}
	state, _, err := s.runtime.StateOf(ctx, kept.Container)
	if err == nil && state == containerd.Running {
		err = errRunning
	}
	return kept, err
}

func (s *save) changes(ctx context.Context) (*source, error) {
	kept, err := s.ended(ctx)
	if err != nil {
		return nil, err
	}
	if kept.Shifted {
		return nil, &final{reasonNotSaveable, "the container has a user namespace: its files bear ids of the node."}
	}
	dirs, err := s.runtime.Dirs(ctx, kept)
	if errors.Is(err, containerd.ErrNotFound) {
		return nil, &final{reasonNotSaveable, "containerd does not have what the container changed any more: " + err.Error()}
	}
	if err != nil {
		return nil, err
	}
	if kept.Image == "" {
		if kept.Image, err = s.runtime.ImageOf(ctx, kept); err != nil {
			return nil, err
		}
	}
	base, err := image.Read(ctx, s.runtime.Document, kept.Image, dirs.Parent)
	if err != nil {
		return nil, err
	}
	absorbed := image.Absorbed(dirs.UpperBytes, dirs.LowerBytes[:base.Own()])
	change := layer.Change{
		Uppers: append([]string{dirs.Upper}, dirs.Lowers[:absorbed]...), Lowers: dirs.Lowers[absorbed:], Mounts: kept.Mounts, Excluded: excluded, Open: s.root.OpenFolder,
		Growth: s.sparseLimit,
	}
	return &source{
		base: base, absorbed: absorbed, close: func() {},
		write: func(ctx context.Context, into io.Writer) (layer.Counts, error) {
			return layer.WriteChange(ctx, into, change)
		},
	}, nil
}

// kept finds the container of the Snapshot's Pod, and keeps it if nobody has yet.
func (s *save) kept(ctx context.Context) (containerd.Kept, error) {
	uid := string(s.snapshot.Spec.PodUID)
	for attempt := 0; ; attempt++ {
		all, err := s.runtime.Kept(ctx)
		if err != nil {
			return containerd.Kept{}, err
		}
		all = slices.DeleteFunc(all, func(one containerd.Kept) bool { return one.PodUID != uid })
		if len(all) > 0 {
			return slices.MaxFunc(all, func(a, b containerd.Kept) int { return a.Created.Compare(b.Created) }), nil
		}
		id, namespace, err := s.runtime.PodContainer(ctx, uid)
		if errors.Is(err, containerd.ErrNotFound) {
			return containerd.Kept{}, &final{reason: reasonContainerGone}
		}
		if err != nil {
			return containerd.Kept{}, err
		}
		if attempt > 0 {
			return containerd.Kept{}, fmt.Errorf("what container %s changed could not be taken into keeping", id)
		}
		// Before anything is done to a container: it is one that this Snapshot may save.
		if namespace != s.snapshot.Metadata.Namespace {
			return containerd.Kept{Container: id, Namespace: namespace}, nil
		}
		if state, _, err := s.runtime.StateOf(ctx, id); err != nil {
			return containerd.Kept{}, err
		} else if state == containerd.Running {
			return containerd.Kept{}, errRunning
		}
		err = s.runtime.Hold(ctx, id)
		if err != nil && !errors.Is(err, containerd.ErrNotFound) && !errors.Is(err, containerd.ErrNoImage) {
			return containerd.Kept{}, err
		}
	}
}

// home reads the home through the container that holds it, as that container sees it.
func (s *save) home(ctx context.Context) (*source, error) {
	uid := string(s.snapshot.Spec.PodUID)
	id, namespace, err := s.runtime.PodContainer(ctx, uid)
	if errors.Is(err, containerd.ErrNotFound) {
		if s.cluster.HasPod(uid) || time.Since(s.snapshot.Metadata.CreationTimestamp.Time) < podLate {
			return nil, errRunning
		}
		return nil, &final{reason: reasonContainerGone}
	}
	if err != nil {
		return nil, err
	}
	if namespace != s.snapshot.Metadata.Namespace {
		return nil, &final{reasonRefused, fmt.Sprintf("spec.podUID: the container is of the namespace %s, not of %s", namespace, s.snapshot.Metadata.Namespace)}
	}
	state, pid, err := s.runtime.StateOf(ctx, id)
	switch {
	case err != nil:
		return nil, err
	case state == containerd.Ended && s.cluster.HasPod(uid) && !s.cluster.HasEnded(uid):
		// It is made and not started yet.
		return nil, errRunning
	case state != containerd.Running:
		return nil, &final{reason: reasonContainerGone}
	}
	root, err := os.OpenFile(fmt.Sprintf("/proc/%d/root", pid), os.O_RDONLY, 0)
	if err != nil {
		return nil, err
	}
	// The process may have ended, and its number be another's, before the folder was open: then this says so.
	if again, same, err := s.runtime.StateOf(ctx, id); err != nil || again != containerd.Running || same != pid {
		root.Close()
		return nil, errRunning
	}
	defer root.Close()
	fd, err := unix.Openat(int(root.Fd()), "home", unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("the container that holds the home has no folder /home: %w", err)
	}
	home := os.NewFile(uintptr(fd), "/home")
	if err := isMount(root, home); err != nil {
		home.Close()
		return nil, err
	}
	return &source{
		close: func() { home.Close() },
		write: func(ctx context.Context, into io.Writer) (layer.Counts, error) {
			counts, err := layer.WriteFolder(ctx, into, home, homeName, s.sparseLimit)
			return counts, unsupported(err)
		},
	}, nil
}

// pushed is an image that the registry took.
type pushed struct {
	digest, mediaType string
	raw               []byte
	blobs             []image.Descriptor
	// The layers that this save created.
	own              []image.Descriptor
	size, total      int64
	layers, absorbed int
	left             leftOut
}

func (s *save) push(ctx context.Context, repository, tag string, from *source) (*pushed, error) {
	origins := map[string][]string{}
	var mountable []string
	var kept []image.Descriptor
	if from.base != nil {
		kept = from.base.Layers[:len(from.base.Layers)-from.absorbed]
		for _, one := range kept {
			origins[one.Digest] = s.origins(ctx, one.Digest, repository)
			mountable = append(mountable, origins[one.Digest]...)
		}
		slices.Sort(mountable)
	}
	to, err := s.registry.Open(ctx, repository, slices.Compact(mountable))
	if err != nil {
		return nil, err
	}
	for _, one := range kept {
		if err := s.provide(ctx, to, one, origins[one.Digest]); err != nil {
			return nil, err
		}
	}
	top, counts, err := s.layer(ctx, to, from)
	if err != nil {
		return nil, err
	}
	// The time of the request, not of the attempt: a repeated attempt yields the same image.
	at := s.snapshot.Metadata.CreationTimestamp.Time
	var next *image.Image
	var raw []byte
	if from.base == nil {
		next, raw, err = image.FromNothing(top, at)
	} else {
		next, raw, err = from.base.With(top, from.absorbed, at)
	}
	if err != nil {
		return nil, err
	}
	if err := s.sendBytes(ctx, to, next.Config, next.ConfigBytes); err != nil {
		return nil, err
	}
	if err := to.PutManifest(ctx, tag, next.MediaType, raw); err != nil {
		return nil, err
	}
	done := &pushed{
		digest: image.Digest(raw), mediaType: next.MediaType, raw: raw, blobs: append(slices.Clone(next.Layers), next.Config),
		own:  []image.Descriptor{next.Layers[len(next.Layers)-1], next.Config},
		size: top.Size, layers: next.Own(), absorbed: from.absorbed, left: counts,
	}
	for _, own := range next.Layers[len(next.Layers)-done.layers:] {
		done.total += own.Size
	}
	return done, nil
}

// origins are the repositories of our registry that a blob came from.
func (s *save) origins(ctx context.Context, digest, self string) []string {
	labels, err := s.runtime.Labels(ctx, digest)
	if err != nil {
		// It may be in the registry all the same, and is asked for there.
		return nil
	}
	var found []string
	for _, one := range strings.Split(labels["containerd.io/distribution.source."+s.registryName], ",") {
		if one != "" && one != self {
			found = append(found, one)
		}
	}
	return found
}

// provide sees to it that the repository has a blob of the base: it is there, in another repository, or on this node.
func (s *save) provide(ctx context.Context, to *push.Repository, blob image.Descriptor, origins []string) error {
	if blob.IsForeign() {
		return nil
	}
	has, err := to.Has(ctx, blob.Digest, blob.Size)
	if err != nil || has {
		return err
	}
	for _, origin := range origins {
		mounted, err := to.Mount(ctx, blob.Digest, origin)
		if err != nil {
			return err
		}
		if mounted {
			return nil
		}
	}
	reader, err := s.runtime.Read(ctx, blob.Digest)
	if err != nil {
		return err
	}
	defer reader.Close()
	err = to.Upload(ctx, reader, func() string { return blob.Digest })
	if err != nil && errors.Is(err, containerd.ErrNotFound) {
		return fmt.Errorf("layer %s of the image that the container ran from %w", blob.Digest, errNoBase)
	}
	return err
}

func (s *save) sendBytes(ctx context.Context, to *push.Repository, blob image.Descriptor, raw []byte) error {
	has, err := to.Has(ctx, blob.Digest, blob.Size)
	if err != nil || has {
		return err
	}
	return to.Upload(ctx, strings.NewReader(string(raw)), func() string { return blob.Digest })
}

// layer sends the layer, unless an earlier attempt of this agent did.
func (s *save) layer(ctx context.Context, to *push.Repository, from *source) (image.Layer, leftOut, error) {
	if before := s.memory.sent; before != nil && before.absorbed == from.absorbed && s.snapshot.Spec.Of == "Root" {
		if has, err := to.Has(ctx, before.layer.Digest, before.layer.Size); err != nil || has {
			return before.layer, before.counts, err
		}
	}
	top, counts, err := upload(ctx, to, from.write, s.memory.spoilt, &s.progress)
	if err != nil {
		return top, leftOut{counts}, err
	}
	s.memory.sent = &sentLayer{top, leftOut{counts}, from.absorbed}
	return top, leftOut{counts}, nil
}

// verify reads the pushed content back by digest: only then is it a save.
func (s *save) verify(ctx context.Context, repository string, done *pushed) error {
	to, err := s.registry.Open(ctx, repository, nil)
	if err != nil {
		return err
	}
	raw, err := to.Manifest(ctx, done.digest, done.mediaType)
	if err != nil {
		return err
	}
	if string(raw) != string(done.raw) {
		return fmt.Errorf("read back: the registry's manifest %s is not the one that was pushed", done.digest)
	}
	// Every byte that this save added is nowhere else. The layers below existed before.
	for _, blob := range done.own {
		wrong, err := to.Compare(ctx, blob.Digest, blob.Size)
		if err != nil {
			return err
		}
		if wrong != "" {
			// A registry does not take a blob again that it has, as spoilt as it may be: the next one is another blob.
			s.memory.sent = nil
			s.memory.spoilt++
			return fmt.Errorf("read back: %s", wrong)
		}
	}
	for _, blob := range done.blobs {
		if blob.IsForeign() {
			continue
		}
		has, err := to.Has(ctx, blob.Digest, blob.Size)
		if err != nil {
			return err
		}
		if !has {
			return fmt.Errorf("read back: the registry has no blob %s of %d bytes", blob.Digest, blob.Size)
		}
	}
	return nil
}
