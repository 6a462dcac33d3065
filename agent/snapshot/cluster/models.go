package cluster

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// The names are those of contract/: LABEL.modelDeployment, LABEL.fills, RECEIVER, weightsLabel and WEIGHTS_ROOM.
const (
	labelModel    = group + "/model-deployment"
	labelFills    = group + "/fills"
	receiver      = "weights"
	manifestFlag  = "--manifest="
	weightsSuffix = ".models." + group + "/"
	labelDigits   = 32
	roomLabel     = "node" + weightsSuffix + "room-gib"
)

// ModelPod is a Pod of this node that takes in a model's files, to serve them or for replicas to come.
type ModelPod struct {
	Namespace, Name, UID string
	// The digest of the list of files that it takes in, as the operator wrote it.
	Manifest string
	// Its first containers have not ended yet.
	IsWaiting bool
	// They have, with all files taken in: nobody can write to its volume any more.
	HasIt bool
	// It serves nothing: its files are for replicas to come.
	IsAhead bool
}

func takesModel(one *unstructured.Unstructured) bool {
	labels := one.GetLabels()
	return labels[labelModel] != "" || labels[labelFills] != ""
}

// ModelPods of this node that have not ended.
func (c *Cluster) ModelPods() []ModelPod {
	var all []ModelPod
	for _, object := range c.pods.GetStore().List() {
		if one, isOne := object.(*unstructured.Unstructured); isOne && takesModel(one) {
			if pod, serves := modelPodOf(one); serves {
				all = append(all, pod)
			}
		}
	}
	return all
}

func modelPodOf(one *unstructured.Unstructured) (ModelPod, bool) {
	phase, _, _ := unstructured.NestedString(one.Object, "status", "phase")
	if one.GetDeletionTimestamp() != nil || phase != "Pending" && phase != "Running" {
		return ModelPod{}, false
	}
	pod := ModelPod{
		Namespace: one.GetNamespace(), Name: one.GetName(), UID: string(one.GetUID()),
		IsWaiting: true, IsAhead: one.GetLabels()[labelFills] != "",
	}
	for _, container := range itemsOf(one, "spec", "initContainers") {
		arguments, _, _ := unstructured.NestedStringSlice(container, "args")
		for _, argument := range arguments {
			if digest, is := strings.CutPrefix(argument, manifestFlag); is && container["name"] == receiver {
				pod.Manifest = digest
			}
		}
	}
	for _, status := range itemsOf(one, "status", initStatuses) {
		code, hasEnded, _ := unstructured.NestedInt64(status, "state", "terminated", "exitCode")
		if status["name"] == receiver && hasEnded {
			pod.IsWaiting, pod.HasIt = false, code == 0
		}
	}
	return pod, pod.Manifest != ""
}

// itemsOf a list; what is none is left out.
func itemsOf(one *unstructured.Unstructured, fields ...string) []map[string]any {
	list, _, _ := unstructured.NestedSlice(one.Object, fields...)
	var all []map[string]any
	for _, item := range list {
		if fields, is := item.(map[string]any); is {
			all = append(all, fields)
		}
	}
	return all
}

// WeightsLabel is the label of a node that has a list of files of an organisation, by which replicas prefer it.
func WeightsLabel(namespace, digest string) string {
	return strings.TrimPrefix(namespace, "org-") + weightsSuffix + digest[:min(len(digest), labelDigits)]
}

// NodeLabels of a node that has these models, and room for so many bytes more. In whole GiB: a label that followed every byte
// would be written all the time.
func NodeLabels(models []string, room int64) map[string]string {
	labels := map[string]string{roomLabel: strconv.FormatInt(room>>30, 10)}
	for _, label := range models {
		labels[label] = ""
	}
	return labels
}

// SayModels makes these the labels of this node that say which models it has.
func (c *Cluster) SayModels(ctx context.Context, labels map[string]string) error {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	node, err := c.client.Resource(nodes).Get(ctx, c.node, metav1.GetOptions{})
	if err != nil {
		return err
	}
	changes := changedLabels(node.GetLabels(), labels)
	if len(changes) == 0 {
		return nil
	}
	body, err := json.Marshal(map[string]any{"metadata": map[string]any{"labels": changes}})
	if err != nil {
		return err
	}
	_, err = c.client.Resource(nodes).Patch(ctx, c.node, types.MergePatchType, body, metav1.PatchOptions{FieldManager: fieldManager})
	return err
}

// changedLabels is the patch from what a node says to what it is to say.
func changedLabels(said, wanted map[string]string) map[string]any {
	changes := map[string]any{}
	for label := range said {
		if _, isWanted := wanted[label]; !isWanted && strings.Contains(label, weightsSuffix) {
			changes[label] = nil
		}
	}
	for label, value := range wanted {
		if before, isSaid := said[label]; !isSaid || before != value {
			changes[label] = value
		}
	}
	return changes
}

// HasNamespace says whether there is such a namespace.
func (c *Cluster) HasNamespace(ctx context.Context, name string) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, requestLimit)
	defer cancel()
	_, err := c.client.Resource(namespaces).Get(ctx, name, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		return false, nil
	}
	return err == nil, err
}
