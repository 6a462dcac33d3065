package cluster

import (
	"context"
	"encoding/json"
	"strings"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/types"
)

// The names are those of contract/: LABEL.modelDeployment, RECEIVER and weightsLabel.
const (
	labelModel    = group + "/model-deployment"
	receiver      = "weights"
	manifestFlag  = "--manifest="
	weightsSuffix = ".models." + group + "/"
	labelDigits   = 32
)

// ModelPod is a Pod of this node that serves a model.
type ModelPod struct {
	Namespace, Name, UID string
	// The digest of the list of files that it takes in, as the operator wrote it.
	Manifest string
	// Its first containers have not ended yet.
	IsWaiting bool
	// They have, with all files taken in: nobody can write to its volume any more.
	HasIt bool
}

// ModelPods of this node that have not ended.
func (c *Cluster) ModelPods() []ModelPod {
	var all []ModelPod
	for _, object := range c.pods.GetStore().List() {
		if one, isOne := object.(*unstructured.Unstructured); isOne && one.GetLabels()[labelModel] != "" {
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
	pod := ModelPod{Namespace: one.GetNamespace(), Name: one.GetName(), UID: string(one.GetUID()), IsWaiting: true}
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

// SayModels makes these the labels of this node that say which models it has.
func (c *Cluster) SayModels(ctx context.Context, labels []string) error {
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
func changedLabels(said map[string]string, wanted []string) map[string]any {
	changes := map[string]any{}
	for label := range said {
		if strings.Contains(label, weightsSuffix) {
			changes[label] = nil
		}
	}
	for _, label := range wanted {
		if _, isSaid := said[label]; isSaid {
			delete(changes, label)
		} else {
			changes[label] = ""
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
