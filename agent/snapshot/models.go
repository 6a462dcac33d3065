package snapshot

import (
	"context"
	"errors"
	"fmt"
	"os"
	"time"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/weights"
)

const (
	// Beside the Pods' volumes: a file has a second name only within a file system.
	modelsFolder = "gantry-models"
	modelsVolume = "volumes/kubernetes.io~empty-dir/models"
	// A Pod that has just come has no volume yet.
	bringAgain = 100 * time.Millisecond
	keepEvery  = 5 * time.Second
	tidyEvery  = 10 * time.Minute
	// The scheduler reads all labels of a node for every Pod.
	mostModelLabels = 50
)

// models that this node has, for the replicas that come next.
type models struct {
	cache *weights.Cache
	// Whether it may take over more.
	keeps bool
	// Holds one wish at most.
	moved chan struct{}
	// UIDs of Pods that nothing is left to do for. Each map belongs to one loop.
	brought, kept map[string]bool
	tidied        time.Time
}

// openModels also opens for a share of 0: what was kept before goes when the cache is trimmed, or with a wipe.
func (s *saver) openModels(share int) (*models, error) {
	kubelet, err := s.root.OpenFolder(s.kubeletDir)
	if err != nil {
		return nil, err
	}
	defer kubelet.Close()
	cache, err := weights.Open(fmt.Sprintf("/proc/self/fd/%d/%s", kubelet.Fd(), modelsFolder), max(0, share))
	if err != nil {
		return nil, err
	}
	return &models{
		cache: cache, keeps: share > 0,
		moved: make(chan struct{}, 1), brought: map[string]bool{}, kept: map[string]bool{},
	}, nil
}

// podsMoved never waits: it runs inside of an informer.
func (s *saver) podsMoved() {
	if s.models == nil {
		return
	}
	select {
	case s.models.moved <- struct{}{}:
	default:
	}
}

// bringModels puts files that are here into the volumes of Pods that wait for them, before the gateway sends them.
func (s *saver) bringModels(ctx context.Context) {
	for ctx.Err() == nil {
		pods := s.cluster.ModelPods()
		forgetOthers(s.models.brought, pods)
		isEarly := false
		for _, pod := range pods {
			if !pod.IsWaiting || s.models.brought[pod.UID] {
				continue
			}
			done, err := s.bringModel(pod)
			if err != nil {
				s.log.Warn("a cached model could not be linked into a replica", "namespace", pod.Namespace, "pod", pod.Name, "error", err.Error())
			}
			s.models.brought[pod.UID] = done
			isEarly = isEarly || !done
		}
		if isEarly {
			sleep(ctx, bringAgain)
			continue
		}
		select {
		case <-ctx.Done():
		case <-s.models.moved:
		}
	}
}

// bringModel reports whether nothing is left to try.
func (s *saver) bringModel(pod cluster.ModelPod) (bool, error) {
	if !s.models.cache.Has(pod.Namespace, pod.Manifest) {
		return true, nil
	}
	volume, err := s.modelsVolume(pod)
	if errors.Is(err, os.ErrNotExist) {
		return false, nil
	}
	if err != nil {
		return true, err
	}
	defer volume.Close()
	if err := s.models.cache.Bring(pod.Namespace, pod.Manifest, volume); err != nil {
		return true, err
	}
	s.log.Info("linked a cached model into a replica", "namespace", pod.Namespace, "pod", pod.Name)
	return true, nil
}

// keepModels takes over what replicas have taken in, and says on the node which models it has.
func (s *saver) keepModels(ctx context.Context) {
	pods := s.cluster.ModelPods()
	forgetOthers(s.models.kept, pods)
	isTurn := time.Since(s.models.tidied) >= tidyEvery
	for _, pod := range pods {
		if !s.models.keeps || !pod.HasIt || s.models.kept[pod.UID] || ctx.Err() != nil {
			continue
		}
		// Tried once: what was wrong with a volume stays wrong.
		s.models.kept[pod.UID] = true
		if s.hasKept(pod) {
			continue
		}
		if err := caught(func() error { return s.keepModel(pod) }); err != nil {
			s.log.Warn("a replica's model could not be cached", "namespace", pod.Namespace, "pod", pod.Name, "error", err.Error())
			continue
		}
		s.log.Info("cached a replica's model", "namespace", pod.Namespace, "pod", pod.Name)
		isTurn = true
	}
	if !isTurn {
		return
	}
	s.useModels(pods)
	if err := s.tidyModels(ctx); err != nil && ctx.Err() == nil {
		s.log.Error("the model cache could not be trimmed", "error", err.Error())
		return
	}
	s.models.tidied = time.Now()
}

// useModels keeps what replicas have from being dropped as unused, however long they run.
func (s *saver) useModels(pods []cluster.ModelPod) {
	for _, pod := range pods {
		if !pod.HasIt || pod.IsAhead {
			continue
		}
		if err := s.models.cache.Use(pod.Namespace, pod.Manifest); err != nil && !errors.Is(err, os.ErrNotExist) {
			s.log.Warn("a replica's cached model could not be marked as used", "namespace", pod.Namespace, "pod", pod.Name, "error", err.Error())
		}
	}
}

// hasKept reports whether the cache has these very files: those that the replica had to fetch anew replace what rotted.
func (s *saver) hasKept(pod cluster.ModelPod) bool {
	volume, err := s.modelsVolume(pod)
	if err != nil {
		return s.models.cache.Has(pod.Namespace, pod.Manifest)
	}
	defer volume.Close()
	return s.models.cache.Holds(pod.Namespace, pod.Manifest, volume)
}

func (s *saver) keepModel(pod cluster.ModelPod) error {
	volume, err := s.modelsVolume(pod)
	if err != nil {
		return err
	}
	defer volume.Close()
	if pod.IsAhead {
		return s.models.cache.KeepAhead(pod.Namespace, pod.Manifest, volume)
	}
	return s.models.cache.Keep(pod.Namespace, pod.Manifest, volume)
}

// tidyModels drops what is too much, and all of organisations that are gone.
func (s *saver) tidyModels(ctx context.Context) error {
	namespaces, err := s.models.cache.Namespaces()
	if err != nil {
		return err
	}
	for _, namespace := range namespaces {
		if isThere, err := s.cluster.HasNamespace(ctx, namespace); err != nil {
			return err
		} else if isThere {
			continue
		}
		if err := s.models.cache.Forget(namespace); err != nil {
			return err
		}
	}
	gone, err := s.models.cache.Trim(time.Now())
	if gone > 0 {
		s.log.Info("dropped cached models", "models", gone)
	}
	if err != nil {
		return err
	}
	return s.sayModels(ctx)
}

func (s *saver) sayModels(ctx context.Context) error {
	all, err := s.models.cache.Models()
	if err != nil {
		return err
	}
	bytes, err := s.models.cache.Bytes()
	if err != nil {
		return err
	}
	s.metrics.modelBytes.Set(float64(bytes))
	var labels []string
	for _, one := range all[:min(len(all), mostModelLabels)] {
		labels = append(labels, cluster.WeightsLabel(one.Namespace, one.Digest))
	}
	room, err := s.models.cache.Room()
	if err != nil {
		return err
	}
	return s.cluster.SayModels(ctx, cluster.NodeLabels(labels, room))
}

// modelsVolume is the volume that the files of a Pod are in.
func (s *saver) modelsVolume(pod cluster.ModelPod) (*os.Root, error) {
	kubelet, err := s.root.OpenFolder(s.kubeletDir)
	if err != nil {
		return nil, err
	}
	defer kubelet.Close()
	return os.OpenRoot(fmt.Sprintf("/proc/self/fd/%d/pods/%s/%s", kubelet.Fd(), pod.UID, modelsVolume))
}

// forgetOthers keeps a map of Pods from growing.
func forgetOthers(done map[string]bool, pods []cluster.ModelPod) {
	here := map[string]bool{}
	for _, pod := range pods {
		here[pod.UID] = true
	}
	for uid := range done {
		if !here[uid] {
			delete(done, uid)
		}
	}
}
