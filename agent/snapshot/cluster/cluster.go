// Package cluster is what the node's agent reads from and writes to the API server: Snapshots and Pods of its node, its own
// Lease, the claim on its node, and the usage of disks.
package cluster

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
	"k8s.io/client-go/tools/clientcmd"
)

const (
	group            = "gantry.dev"
	version          = "v1alpha1"
	fieldManager     = "gantry-agent"
	platform         = "gantry-system"
	annotationWipe   = group + "/wipe"
	annotationWiped  = group + "/wiped"
	indexPod         = "pod"
	requestLimit     = 20 * time.Second
	leaseSeconds     = 90
	microTime        = "2006-01-02T15:04:05.000000Z07:00"
	agentLeaseSuffix = ".agent"
	initStatuses     = "initContainerStatuses"
)

var (
	snapshots  = schema.GroupVersionResource{Group: group, Version: version, Resource: "snapshots"}
	disks      = schema.GroupVersionResource{Group: group, Version: version, Resource: "datadisks"}
	instances  = schema.GroupVersionResource{Group: group, Version: version, Resource: "gpuinstances"}
	claims     = schema.GroupVersionResource{Version: "v1", Resource: "persistentvolumeclaims"}
	pods       = schema.GroupVersionResource{Version: "v1", Resource: "pods"}
	nodes      = schema.GroupVersionResource{Version: "v1", Resource: "nodes"}
	namespaces = schema.GroupVersionResource{Version: "v1", Resource: "namespaces"}
	leases     = schema.GroupVersionResource{Group: "coordination.k8s.io", Version: "v1", Resource: "leases"}
)

// Cluster is the API server, as the agent of one node sees it.
type Cluster struct {
	node, self string
	client     dynamic.Interface
	snapshots  cache.SharedIndexInformer
	pods       cache.SharedIndexInformer
}

// Open connects as the Pod's ServiceAccount, or with a kubeconfig. `changed` hears the key of every Snapshot of this node, `moved`
// that its Pods are others now, or further on.
func Open(kubeconfig, node, self string, changed func(key string), moved func()) (*Cluster, error) {
	load := rest.InClusterConfig
	if kubeconfig != "" {
		load = func() (*rest.Config, error) { return clientcmd.BuildConfigFromFlags("", kubeconfig) }
	}
	config, err := load()
	if err != nil {
		return nil, err
	}
	config.QPS, config.Burst, config.UserAgent = 50, 100, "gantry-node-agent"
	config.WarningHandler = rest.NoWarnings{}
	client, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, err
	}
	c := &Cluster{node: node, self: self, client: client}
	c.snapshots = c.informer(snapshots, "", cache.Indexers{indexPod: func(object any) ([]string, error) {
		return []string{string(read(object).Spec.PodUID)}, nil
	}})
	// Only the names of the others stay in memory.
	if err := c.snapshots.SetTransform(c.thin); err != nil {
		return nil, err
	}
	tell := func(object any) {
		if key, err := cache.DeletionHandlingMetaNamespaceKeyFunc(object); err == nil {
			changed(key)
		}
	}
	_, err = c.snapshots.AddEventHandler(cache.FilteringResourceEventHandler{
		FilterFunc: func(object any) bool {
			if gone, isGone := object.(cache.DeletedFinalStateUnknown); isGone {
				object = gone.Obj
			}
			return read(object).Spec.Node == node
		},
		Handler: cache.ResourceEventHandlerFuncs{AddFunc: tell, UpdateFunc: func(_, object any) { tell(object) }, DeleteFunc: tell},
	})
	if err != nil {
		return nil, err
	}
	c.pods = c.informer(pods, "spec.nodeName="+node, cache.Indexers{})
	_, err = c.pods.AddEventHandler(cache.ResourceEventHandlerFuncs{
		AddFunc: func(any) { moved() }, UpdateFunc: func(any, any) { moved() }, DeleteFunc: func(any) { moved() },
	})
	if err != nil {
		return nil, err
	}
	return c, c.pods.SetTransform(thinPod)
}

func (c *Cluster) informer(resource schema.GroupVersionResource, fields string, indexers cache.Indexers) cache.SharedIndexInformer {
	of := c.client.Resource(resource)
	return cache.NewSharedIndexInformer(&cache.ListWatch{
		ListWithContextFunc: func(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
			options.FieldSelector = fields
			return of.List(ctx, options)
		},
		WatchFuncWithContext: func(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
			options.FieldSelector = fields
			return of.Watch(ctx, options)
		},
	}, &unstructured.Unstructured{}, 0, indexers)
}

// Run follows the API server until ctx is done.
func (c *Cluster) Run(ctx context.Context) {
	go c.snapshots.RunWithContext(ctx)
	c.pods.RunWithContext(ctx)
}

// Wait returns when the first lists are there; false: ctx ended before.
func (c *Cluster) Wait(ctx context.Context) bool {
	return cache.WaitForCacheSync(ctx.Done(), c.snapshots.HasSynced, c.pods.HasSynced)
}

// Synced says whether the first lists are there.
func (c *Cluster) Synced() bool { return c.snapshots.HasSynced() && c.pods.HasSynced() }

// Snapshot is what the agent reads of one.
type Snapshot struct {
	Metadata struct {
		Name              string      `json:"name"`
		Namespace         string      `json:"namespace"`
		UID               types.UID   `json:"uid"`
		Generation        int64       `json:"generation"`
		CreationTimestamp metav1.Time `json:"creationTimestamp"`
	} `json:"metadata"`
	Spec struct {
		Of       string    `json:"of"`
		Instance string    `json:"instance"`
		Node     string    `json:"node"`
		PodName  string    `json:"podName"`
		PodUID   types.UID `json:"podUID"`
		Target   string    `json:"target"`
		Log      string    `json:"log"`
	} `json:"spec"`
	Status Status `json:"status"`
}

// Status of a Snapshot, written as a whole: omitted fields are removed.
type Status struct {
	Phase              string            `json:"phase,omitempty"`
	Reason             string            `json:"reason,omitempty"`
	ReasonArgs         map[string]string `json:"reasonArgs,omitempty"`
	Message            string            `json:"message,omitempty"`
	ObservedGeneration int64             `json:"observedGeneration,omitempty"`
	Digest             string            `json:"digest,omitempty"`
	SizeBytes          *int64            `json:"sizeBytes,omitempty"`
	TotalBytes         *int64            `json:"totalBytes,omitempty"`
	Layers             *int              `json:"layers,omitempty"`
	Log                *Log              `json:"log,omitempty"`
	StartedAt          string            `json:"startedAt,omitempty"`
	FinishedAt         string            `json:"finishedAt,omitempty"`
	Attempts           int               `json:"attempts,omitempty"`
	NextTryAt          string            `json:"nextTryAt,omitempty"`
}

// Log is what was kept of a run's log.
type Log struct {
	Bytes int64 `json:"bytes"`
	IsCut bool  `json:"isCut"`
}

// Phases that a Snapshot can be in.
const (
	Processing = "processing"
	Success    = "success"
	Ready      = "ready"
	Failed     = "failed"
)

// Done says that nothing is left to do for it.
func (s *Snapshot) Done() bool { return s.Status.Phase == Ready || s.Status.Phase == Failed }

func read(object any) *Snapshot {
	snapshot := &Snapshot{}
	if one, isOne := object.(*unstructured.Unstructured); isOne {
		// A field of another type than ours is as good as absent.
		_ = runtime.DefaultUnstructuredConverter.FromUnstructured(one.Object, snapshot)
	}
	return snapshot
}

func (c *Cluster) thin(object any) (any, error) {
	one, isOne := object.(*unstructured.Unstructured)
	if !isOne {
		return object, nil
	}
	one.SetManagedFields(nil)
	if read(one).Spec.Node != c.node {
		one.Object = map[string]any{"apiVersion": one.GetAPIVersion(), "kind": one.GetKind(), "metadata": map[string]any{
			"name": one.GetName(), "namespace": one.GetNamespace(), "uid": string(one.GetUID()), "resourceVersion": one.GetResourceVersion(),
		}}
	}
	return one, nil
}

func thinPod(object any) (any, error) {
	if one, isOne := object.(*unstructured.Unstructured); isOne {
		one.SetManagedFields(nil)
		phase, _, _ := unstructured.NestedString(one.Object, "status", "phase")
		status := map[string]any{"phase": phase}
		if inits, found, _ := unstructured.NestedSlice(one.Object, "status", initStatuses); found && takesModel(one) {
			status[initStatuses] = inits
		}
		one.Object["status"] = status
		unstructured.RemoveNestedField(one.Object, "spec", "containers")
	}
	return object, nil
}

// Snapshot by its key; nil if this node has none.
func (c *Cluster) Snapshot(key string) *Snapshot {
	object, exists, err := c.snapshots.GetStore().GetByKey(key)
	if err != nil || !exists {
		return nil
	}
	if one := read(object); one.Spec.Node == c.node {
		return one
	}
	return nil
}

// SnapshotUIDs returns the UIDs of all Snapshots.
func (c *Cluster) SnapshotUIDs() map[types.UID]bool {
	uids := map[types.UID]bool{}
	for _, object := range c.snapshots.GetStore().List() {
		if one, isOne := object.(*unstructured.Unstructured); isOne {
			uids[one.GetUID()] = true
		}
	}
	return uids
}

// SnapshotsOf a Pod, by its UID.
func (c *Cluster) SnapshotsOf(podUID string) []*Snapshot {
	objects, _ := c.snapshots.GetIndexer().ByIndex(indexPod, podUID)
	all := make([]*Snapshot, 0, len(objects))
	for _, object := range objects {
		all = append(all, read(object))
	}
	return all
}

// HasPod says whether the Pod's object is still there.
func (c *Cluster) HasPod(uid string) bool {
	for _, object := range c.pods.GetStore().List() {
		if one, isOne := object.(*unstructured.Unstructured); isOne && string(one.GetUID()) == uid {
			return true
		}
	}
	return false
}

// HasEnded says whether a Pod that is there will run nothing any more.
func (c *Cluster) HasEnded(uid string) bool {
	for _, object := range c.pods.GetStore().List() {
		one, isOne := object.(*unstructured.Unstructured)
		if !isOne || string(one.GetUID()) != uid {
			continue
		}
		phase, _, _ := unstructured.NestedString(one.Object, "status", "phase")
		return phase == "Succeeded" || phase == "Failed"
	}
	return true
}

// WriteStatus replaces what this agent says of a Snapshot.
func (c *Cluster) WriteStatus(ctx context.Context, snapshot *Snapshot, status Status) error {
	m := snapshot.Metadata
	return c.applyStatus(ctx, snapshots, "Snapshot", m.Namespace, m.Name, m.UID, status)
}

func (c *Cluster) applyStatus(ctx context.Context, resource schema.GroupVersionResource, kind, namespace, name string, uid types.UID, status any) error {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	body, err := json.Marshal(map[string]any{
		"apiVersion": group + "/" + version, "kind": kind,
		// With the uid it can only be this very object, never one that was made since.
		"metadata": map[string]any{"name": name, "namespace": namespace, "uid": uid},
		"status":   status,
	})
	if err != nil {
		return err
	}
	force := true
	_, err = c.client.Resource(resource).Namespace(namespace).Patch(ctx, name, types.ApplyPatchType, body,
		metav1.PatchOptions{FieldManager: fieldManager, Force: &force}, "status")
	return err
}

// IsGone tells that the object is no more, or is another one.
func IsGone(err error) bool { return apierrors.IsNotFound(err) || apierrors.IsConflict(err) }

// Renew says in the node's agent Lease that this agent is here.
func (c *Cluster) Renew(ctx context.Context, now time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	of := c.client.Resource(leases).Namespace(platform)
	name := c.node + agentLeaseSuffix
	spec := map[string]any{"holderIdentity": c.self, "leaseDurationSeconds": int64(leaseSeconds), "renewTime": now.UTC().Format(microTime)}
	lease, err := of.Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return c.createLease(ctx, name, spec)
	}
	if err != nil {
		return err
	}
	// If two agents overlap for a moment, as in a roll-out, the later one gets it: the other ends.
	for key, value := range spec {
		if err := unstructured.SetNestedField(lease.Object, value, "spec", key); err != nil {
			return err
		}
	}
	_, err = of.Update(ctx, lease, metav1.UpdateOptions{FieldManager: fieldManager})
	return err
}

func (c *Cluster) createLease(ctx context.Context, name string, spec map[string]any) error {
	// Owned by the Node, so that deleting the Node removes it.
	node, err := c.client.Resource(nodes).Get(ctx, c.node, metav1.GetOptions{})
	if err != nil {
		return err
	}
	_, err = c.client.Resource(leases).Namespace(platform).Create(ctx, &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "coordination.k8s.io/v1", "kind": "Lease",
		"metadata": map[string]any{
			"name": name, "namespace": platform, "labels": map[string]any{group + "/kind": "Agent"},
			"ownerReferences": []any{map[string]any{"apiVersion": "v1", "kind": "Node", "name": c.node, "uid": string(node.GetUID())}},
		},
		"spec": spec,
	}}, metav1.CreateOptions{FieldManager: fieldManager})
	return err
}

// WipeAsked returns the organisation's namespace of which nothing may stay on this node, and the version of the Lease that asks;
// "" if nothing is asked or all is done.
func (c *Cluster) WipeAsked(ctx context.Context) (namespace, version string, err error) {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	lease, err := c.client.Resource(leases).Namespace(platform).Get(ctx, c.node, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "", "", nil
	}
	if err != nil {
		return "", "", err
	}
	annotations := lease.GetAnnotations()
	if annotations[annotationWiped] != "" {
		return "", "", nil
	}
	return annotations[annotationWipe], lease.GetResourceVersion(), nil
}

// Wiped answers the request of that version: one that was withdrawn or repeated meanwhile gets no old answer.
func (c *Cluster) Wiped(ctx context.Context, version string, at time.Time) error {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"resourceVersion": version, "annotations": map[string]any{annotationWiped: at.UTC().Format(time.RFC3339)}}})
	if err != nil {
		return err
	}
	_, err = c.client.Resource(leases).Namespace(platform).Patch(ctx, c.node, types.MergePatchType, body, metav1.PatchOptions{FieldManager: fieldManager})
	return err
}

// Claim is a volume claim that a Pod of this node mounts.
type Claim struct{ Namespace, Name, PodUID string }

// Claims that Pods of this node name.
func (c *Cluster) Claims() []Claim {
	var all []Claim
	for _, object := range c.pods.GetStore().List() {
		one, isOne := object.(*unstructured.Unstructured)
		if !isOne {
			continue
		}
		volumes, _, _ := unstructured.NestedSlice(one.Object, "spec", "volumes")
		for _, volume := range volumes {
			fields, _ := volume.(map[string]any)
			if name, found, _ := unstructured.NestedString(fields, "persistentVolumeClaim", "claimName"); found {
				all = append(all, Claim{one.GetNamespace(), name, string(one.GetUID())})
			}
		}
	}
	return all
}

// Usage of a disk's volume.
type Usage struct {
	TotalBytes     int64 `json:"totalBytes"`
	UsedBytes      int64 `json:"usedBytes"`
	AvailableBytes int64 `json:"availableBytes"`
	// The bytes that the file system keeps for itself, which are not in UsedBytes; nil while unknown.
	OwnBytes *int64 `json:"ownBytes,omitempty"`
	At       string `json:"at"`
	Node     string `json:"node,omitempty"`
}

// Disk is what the agent reads of a DataDisk.
type Disk struct {
	Metadata struct {
		UID types.UID `json:"uid"`
	} `json:"metadata"`
	Status struct {
		VolumeName string `json:"volumeName"`
		Usage      *Usage `json:"usage"`
	} `json:"status"`
}

// ErrNoDisk: the claim's name is that of a disk's, and there is none.
var ErrNoDisk = errors.New("there is no such DataDisk")

// Disk reads one.
func (c *Cluster) Disk(ctx context.Context, namespace, name string) (*Disk, error) {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	object, err := c.client.Resource(disks).Namespace(namespace).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return nil, ErrNoDisk
	}
	if err != nil {
		return nil, err
	}
	disk := &Disk{}
	if err := runtime.DefaultUnstructuredConverter.FromUnstructured(object.Object, disk); err != nil {
		return nil, fmt.Errorf("DataDisk %s/%s: %w", namespace, name, err)
	}
	return disk, nil
}

// WriteUsage writes the usage of a disk.
func (c *Cluster) WriteUsage(ctx context.Context, namespace, name string, disk *Disk, usage Usage) error {
	usage.Node = c.node
	return c.applyStatus(ctx, disks, "DataDisk", namespace, name, disk.Metadata.UID, map[string]any{"usage": usage})
}

// InstancePod is a Pod of this node that a GpuInstance runs in.
type InstancePod struct {
	Namespace, UID string
	// The instance: its UID is that of the exact object which the Pod belongs to.
	Instance    string
	InstanceUID types.UID
}

const kindInstance = "GpuInstance"

// InstancePods of this node that have not ended.
func (c *Cluster) InstancePods() []InstancePod {
	var all []InstancePod
	for _, object := range c.pods.GetStore().List() {
		one, isOne := object.(*unstructured.Unstructured)
		if !isOne {
			continue
		}
		phase, _, _ := unstructured.NestedString(one.Object, "status", "phase")
		owner := metav1.GetControllerOf(one)
		if phase != "Running" || owner == nil || owner.Kind != kindInstance || owner.APIVersion != group+"/"+version {
			continue
		}
		all = append(all, InstancePod{one.GetNamespace(), string(one.GetUID()), owner.Name, owner.UID})
	}
	return all
}

// HomeVolume is the name of the volume that an instance's home is bound to; "" while there is none.
func (c *Cluster) HomeVolume(ctx context.Context, pod InstancePod) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	claim, err := c.client.Resource(claims).Namespace(pod.Namespace).Get(ctx, pod.Instance+"-home", metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return "", nil
	}
	if err != nil {
		return "", err
	}
	volume, _, _ := unstructured.NestedString(claim.Object, "spec", "volumeName")
	return volume, nil
}

// Room is what a running instance has used: of its home's volume, and of the node's disk for its root file system.
type Room struct {
	Home      *HomeRoom `json:"home,omitempty"`
	RootBytes *int64    `json:"rootBytes,omitempty"`
	At        string    `json:"at"`
	Node      string    `json:"node"`
	PodUID    string    `json:"podUID"`
}

// HomeRoom is the Usage of a home's volume.
type HomeRoom struct {
	TotalBytes     int64  `json:"totalBytes"`
	UsedBytes      int64  `json:"usedBytes"`
	AvailableBytes int64  `json:"availableBytes"`
	OwnBytes       *int64 `json:"ownBytes,omitempty"`
}

// WriteRoom says what a running instance has used.
func (c *Cluster) WriteRoom(ctx context.Context, pod InstancePod, room Room) error {
	room.Node, room.PodUID = c.node, pod.UID
	return c.applyStatus(ctx, instances, kindInstance, pod.Namespace, pod.Instance, pod.InstanceUID, map[string]any{"usage": room})
}
