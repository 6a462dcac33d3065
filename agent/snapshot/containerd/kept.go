package containerd

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sort"
	"strings"
	"time"

	containersapi "github.com/containerd/containerd/api/services/containers/v1"
	imagesapi "github.com/containerd/containerd/api/services/images/v1"
	leasesapi "github.com/containerd/containerd/api/services/leases/v1"
	snapshotsapi "github.com/containerd/containerd/api/services/snapshots/v1"
	tasksapi "github.com/containerd/containerd/api/services/tasks/v1"
	"github.com/containerd/containerd/api/types/task"
	"google.golang.org/protobuf/types/known/fieldmaskpb"
)

const (
	// The kubelet's labels on containers.
	labelKind          = "io.cri-containerd.kind"
	labelContainerName = "io.kubernetes.container.name"
	labelPodName       = "io.kubernetes.pod.name"
	labelPodNamespace  = "io.kubernetes.pod.namespace"
	labelPodUID        = "io.kubernetes.pod.uid"
	extensionMetadata  = "io.cri-containerd.container.metadata"
	// Labels of an instance's Pod; the sandbox has the Pod's own labels.
	labelGantryKind = "gantry.dev/kind"
	kindInstance    = "GpuInstance"
	kindJob         = "Job"

	// MainContainer is the tenant's container in a Pod of ours.
	MainContainer = "main"

	// On our leases: the data needed about a container after it is gone.
	leaseContainer   = "gantry.dev/container"
	leaseNamespace   = "gantry.dev/namespace"
	leasePodName     = "gantry.dev/pod"
	leasePodUID      = "gantry.dev/pod-uid"
	leaseSnapshotter = "gantry.dev/snapshotter"
	leaseImage       = "gantry.dev/image"
	leaseImageID     = "gantry.dev/image-id"
	leaseImageName   = "gantry.dev/image-name"
	leaseCreated     = "gantry.dev/created"
	leaseShifted     = "gantry.dev/user-namespace"
	leaseLog         = "gantry.dev/log"
	// A label per mount: one alone may be as long as a label can be.
	leaseMount  = "gantry.dev/mount."
	leasePrefix = "gantry."
)

// Kept is a container's writable layer that outlives the container, its Pod and its image: a lease of ours holds it.
type Kept struct {
	Container, Namespace, PodName, PodUID string
	Snapshotter                           string
	// Digest of the manifest, or index, that the container's image stands for; "" while the node has no such image.
	Image string
	// Digest of that image's config, and the name by which the container was made from it.
	ImageID, ImageName string
	// The paths at which something is mounted over the container's files.
	Mounts  []string
	Created time.Time
	// The newest file of its log; "" if the runtime notes none.
	LogPath string
	// In a user namespace the ids of its files are the node's, not the container's.
	Shifted bool
}

// Keep makes the writable layer of a tenant's container ours to remove, if it is one and has started; false: it is none.
//
// The runtime removes a container's layer together with its record, at once when a Pod is deleted, and whether an agent
// is there in that moment is chance. So as soon as the container runs, a lease of ours holds the layer and the image, and
// the record forgets the layer's key: then removing the record removes nothing else.
func (c *Client) Keep(ctx context.Context, id string) (bool, error) {
	calling, cancel := call(ctx)
	defer cancel()
	answer, err := c.containers.Get(calling, &containersapi.GetContainerRequest{ID: id})
	if err != nil {
		return false, said("container "+id, err)
	}
	return c.keep(ctx, answer.GetContainer())
}

func (c *Client) keep(ctx context.Context, container *containersapi.Container) (bool, error) {
	labels := container.GetLabels()
	if labels[labelKind] != "container" || labels[labelContainerName] != MainContainer || container.GetSnapshotKey() == "" {
		return false, nil
	}
	if kind, err := c.kindOf(ctx, labels[labelPodUID]); err != nil || kind != kindInstance {
		return false, err
	}
	// Until its first process is made, the runtime still looks the layer up.
	calling, cancel := call(ctx)
	defer cancel()
	state, err := c.tasks.Get(calling, &tasksapi.GetRequest{ContainerID: container.GetID()})
	switch {
	case absent(err):
		if started, err := c.hasRun(ctx, container); err != nil || !started {
			return false, err
		}
	case err != nil:
		return false, said("task "+container.GetID(), err)
	case state.GetProcess().GetStatus() == task.Status_CREATED || state.GetProcess().GetStatus() == task.Status_UNKNOWN:
		return false, ErrNotStarted
	}
	return true, c.hold(ctx, container)
}

// hasRun tells an ended container from one that never started: both have no task.
func (c *Client) hasRun(ctx context.Context, container *containersapi.Container) (bool, error) {
	dirs, err := c.dirs(ctx, container.GetSnapshotter(), container.GetSnapshotKey())
	if err != nil {
		return false, err
	}
	// The runtime puts its mount points into the layer before it starts the first process.
	return c.isUsed(dirs.Upper)
}

// kindOf whose object a Pod runs; "" for a Pod that is not ours.
func (c *Client) kindOf(ctx context.Context, podUID string) (string, error) {
	ctx, cancel := call(ctx)
	defer cancel()
	answer, err := c.containers.List(ctx, &containersapi.ListContainersRequest{
		Filters: []string{fmt.Sprintf(`labels.%q==sandbox,labels.%q==%q`, labelKind, labelPodUID, podUID)},
	})
	if err != nil {
		return "", said("sandboxes", err)
	}
	for _, sandbox := range answer.GetContainers() {
		if kind := sandbox.GetLabels()[labelGantryKind]; kind != "" {
			return kind, nil
		}
	}
	return "", nil
}

// hold is done in an order in which it can end anywhere and be done again.
func (c *Client) hold(ctx context.Context, container *containersapi.Container) error {
	labels := container.GetLabels()
	kept := Kept{
		Container: container.GetID(), Namespace: labels[labelPodNamespace], PodName: labels[labelPodName], PodUID: labels[labelPodUID],
		Snapshotter: container.GetSnapshotter(), Created: container.GetCreatedAt().AsTime(),
		ImageID: imageID(container), ImageName: container.GetImage(), LogPath: notedOf(container).LogPath,
	}
	var err error
	if kept.Mounts, kept.Shifted, err = specOf(container); err != nil {
		return err
	}
	var noImage error
	if kept.Image, err = c.ImageOf(ctx, kept); errors.Is(err, ErrNoImage) {
		// Its changes are held anyway: the image can be pulled again.
		noImage = err
	} else if err != nil {
		return err
	}
	id := leasePrefix + kept.Container
	calling, cancel := call(ctx)
	_, err = c.leases.Create(calling, &leasesapi.CreateRequest{ID: id, Labels: leaseLabels(kept)})
	cancel()
	if err != nil && !exists(err) {
		return said("lease "+id, err)
	}
	resources := []*leasesapi.Resource{{ID: container.GetSnapshotKey(), Type: "snapshots/" + kept.Snapshotter}}
	if kept.Image != "" {
		resources = append(resources, &leasesapi.Resource{ID: kept.Image, Type: "content"})
	}
	for _, resource := range resources {
		calling, cancel = call(ctx)
		_, err = c.leases.AddResource(calling, &leasesapi.AddResourceRequest{ID: id, Resource: resource})
		cancel()
		if err != nil && !exists(err) {
			return said("lease "+id, err)
		}
	}
	calling, cancel = call(ctx)
	defer cancel()
	_, err = c.containers.Update(calling, &containersapi.UpdateContainerRequest{
		Container:  &containersapi.Container{ID: kept.Container},
		UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"snapshotkey"}},
	})
	if err != nil {
		return said("container "+kept.Container, err)
	}
	return noImage
}

// ErrNotStarted: the first process is made and has not begun.
var ErrNotStarted = errors.New("has not started yet")

// ErrNoImage: the container is there, and the image that it was made from is not.
var ErrNoImage = errors.New("is not on this node any more")

// ImageOf finds the image of a container: under its config's digest, where the runtime keeps every image, and only then under a
// name, which may have come to mean another one.
func (c *Client) ImageOf(ctx context.Context, kept Kept) (string, error) {
	for _, name := range []string{kept.ImageID, kept.ImageName} {
		if name == "" {
			continue
		}
		calling, cancel := call(ctx)
		image, err := c.images.Get(calling, &imagesapi.GetImageRequest{Name: name})
		cancel()
		if err == nil {
			return image.GetImage().GetTarget().GetDigest(), nil
		}
		if !absent(err) {
			return "", said("image "+name, err)
		}
	}
	return "", fmt.Errorf("the image %s (%s) that the container ran from %w", kept.ImageName, kept.ImageID, ErrNoImage)
}

// noted is what the kubelet's runtime notes beside a container's record.
type noted struct{ ImageRef, LogPath string }

func notedOf(container *containersapi.Container) noted {
	var said struct{ Metadata noted }
	if json.Unmarshal(container.GetExtensions()[extensionMetadata].GetValue(), &said) != nil {
		return noted{}
	}
	return said.Metadata
}

func imageID(container *containersapi.Container) string {
	if reference := notedOf(container).ImageRef; isDigest(reference) {
		return reference
	}
	return ""
}

func leaseLabels(kept Kept) map[string]string {
	labels := map[string]string{
		leaseContainer: kept.Container, leaseNamespace: kept.Namespace, leasePodName: kept.PodName, leasePodUID: kept.PodUID,
		leaseSnapshotter: kept.Snapshotter, leaseImage: kept.Image, leaseCreated: kept.Created.UTC().Format(time.RFC3339Nano),
	}
	for label, value := range map[string]string{leaseImageID: kept.ImageID, leaseImageName: kept.ImageName, leaseLog: kept.LogPath} {
		if value != "" {
			labels[label] = value
		}
	}
	if kept.Shifted {
		labels[leaseShifted] = "true"
	}
	for i, mount := range kept.Mounts {
		labels[fmt.Sprintf("%s%d", leaseMount, i)] = mount
	}
	return labels
}

func keptOf(labels map[string]string) Kept {
	kept := Kept{
		Container: labels[leaseContainer], Namespace: labels[leaseNamespace], PodName: labels[leasePodName], PodUID: labels[leasePodUID],
		Snapshotter: labels[leaseSnapshotter], Image: labels[leaseImage],
		ImageID: labels[leaseImageID], ImageName: labels[leaseImageName],
		Shifted: labels[leaseShifted] != "", LogPath: labels[leaseLog],
	}
	kept.Created, _ = time.Parse(time.RFC3339Nano, labels[leaseCreated])
	for key, value := range labels {
		if strings.HasPrefix(key, leaseMount) {
			kept.Mounts = append(kept.Mounts, value)
		}
	}
	sort.Strings(kept.Mounts)
	return kept
}

// specOf reads the container's OCI spec, which containerd keeps as JSON, whatever its type's name says.
func specOf(container *containersapi.Container) (mounts []string, shifted bool, err error) {
	var spec struct {
		Mounts []struct {
			Destination string `json:"destination"`
		} `json:"mounts"`
		Linux struct {
			UIDMappings []any `json:"uidMappings"`
		} `json:"linux"`
	}
	if err := json.Unmarshal(container.GetSpec().GetValue(), &spec); err != nil {
		return nil, false, fmt.Errorf("container %s: its spec cannot be read: %w", container.GetID(), err)
	}
	for _, mount := range spec.Mounts {
		mounts = append(mounts, mount.Destination)
	}
	return mounts, len(spec.Linux.UIDMappings) > 0, nil
}

// Hold keeps what a container changed that is known to have ended, whatever its Pod is.
func (c *Client) Hold(ctx context.Context, id string) error {
	calling, cancel := call(ctx)
	defer cancel()
	answer, err := c.containers.Get(calling, &containersapi.GetContainerRequest{ID: id})
	if err != nil {
		return said("container "+id, err)
	}
	return c.hold(ctx, answer.GetContainer())
}

// KeepAll looks at every container of the node: those that started while nobody watched are kept now. Each one that cannot be
// kept is reported; an error means that they could not be looked at.
func (c *Client) KeepAll(ctx context.Context, failed func(container string, err error)) error {
	calling, cancel := call(ctx)
	defer cancel()
	answer, err := c.containers.List(calling, &containersapi.ListContainersRequest{
		Filters: []string{fmt.Sprintf(`labels.%q==container,labels.%q==%s`, labelKind, labelContainerName, MainContainer)},
	})
	if err != nil {
		return said("containers", err)
	}
	for _, container := range answer.GetContainers() {
		if _, err := c.keep(ctx, container); err != nil && !errors.Is(err, ErrNotFound) && !errors.Is(err, ErrNotStarted) {
			failed(container.GetID(), err)
		}
	}
	return nil
}

// Kept lists what our leases hold.
func (c *Client) Kept(ctx context.Context) ([]Kept, error) {
	ctx, cancel := call(ctx)
	defer cancel()
	answer, err := c.leases.List(ctx, &leasesapi.ListRequest{})
	if err != nil {
		return nil, said("leases", err)
	}
	var all []Kept
	for _, lease := range answer.GetLeases() {
		if strings.HasPrefix(lease.GetID(), leasePrefix) && lease.GetLabels()[leaseContainer] != "" {
			all = append(all, keptOf(lease.GetLabels()))
		}
	}
	return all, nil
}

// State of a container, as the runtime has it now.
type State int

// A container that is Gone has no record any more; an Ended one has no process.
const (
	Gone State = iota
	Ended
	Running
)

// StateOf a container; pid is that of its first process while it runs.
func (c *Client) StateOf(ctx context.Context, id string) (state State, pid int, err error) {
	calling, cancel := call(ctx)
	defer cancel()
	answer, err := c.tasks.Get(calling, &tasksapi.GetRequest{ContainerID: id})
	if err == nil {
		if status := answer.GetProcess().GetStatus(); status != task.Status_STOPPED && status != task.Status_UNKNOWN {
			return Running, int(answer.GetProcess().GetPid()), nil
		}
		return Ended, 0, nil
	}
	if !absent(err) {
		return Gone, 0, said("task "+id, err)
	}
	_, err = c.containers.Get(calling, &containersapi.GetContainerRequest{ID: id})
	switch {
	case absent(err):
		return Gone, 0, nil
	case err != nil:
		return Gone, 0, said("container "+id, err)
	}
	return Ended, 0, nil
}

// PodContainer is the newest container `main` of a Pod, kept or not.
func (c *Client) PodContainer(ctx context.Context, podUID string) (id, namespace string, err error) {
	newest, err := c.PodProgram(ctx, podUID)
	return newest.Container, newest.Namespace, err
}

// PodProgram is the program of the newest container `main` of a Pod.
func (c *Client) PodProgram(ctx context.Context, podUID string) (Program, error) {
	ctx, cancel := call(ctx)
	defer cancel()
	answer, err := c.containers.List(ctx, &containersapi.ListContainersRequest{
		Filters: []string{fmt.Sprintf(`labels.%q==container,labels.%q==%s,labels.%q==%q`, labelKind, labelContainerName, MainContainer, labelPodUID, podUID)},
	})
	if err != nil {
		return Program{}, said("containers", err)
	}
	var newest *containersapi.Container
	for _, container := range answer.GetContainers() {
		if newest == nil || container.GetCreatedAt().AsTime().After(newest.GetCreatedAt().AsTime()) {
			newest = container
		}
	}
	if newest == nil {
		return Program{}, fmt.Errorf("a container of Pod %s: %w", podUID, ErrNotFound)
	}
	return programOf(newest), nil
}

// Release gives a kept layer up. The lease goes last: after an interruption, the next look finds it and continues.
func (c *Client) Release(ctx context.Context, kept Kept) error {
	calling, cancel := call(ctx)
	_, err := c.snapshots.Remove(calling, &snapshotsapi.RemoveSnapshotRequest{Snapshotter: kept.Snapshotter, Key: kept.Container})
	cancel()
	if err != nil && !absent(err) {
		return said("snapshot "+kept.Container, err)
	}
	calling, cancel = call(ctx)
	defer cancel()
	_, err = c.leases.Delete(calling, &leasesapi.DeleteRequest{ID: leasePrefix + kept.Container})
	if err != nil && !absent(err) {
		return said("lease of "+kept.Container, err)
	}
	return nil
}
