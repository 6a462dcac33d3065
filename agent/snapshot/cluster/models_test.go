package cluster

import (
	"maps"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func replica(status map[string]any, container map[string]any) *unstructured.Unstructured {
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "chat-model-1", "namespace": "org-a", "uid": "u", "labels": map[string]any{labelModel: "chat"}},
		"spec":     map[string]any{"initContainers": []any{map[string]any{"name": "agent", "args": []any{"--manifest=other"}}, container}},
		"status":   status,
	}}
}

func ended(code int64) map[string]any {
	return map[string]any{"phase": "Running", initStatuses: []any{map[string]any{
		"name": receiver, "state": map[string]any{"terminated": map[string]any{"exitCode": code}},
	}}}
}

func TestHowFarAReplicaIs(t *testing.T) {
	takesIn := map[string]any{"name": receiver, "args": []any{"receive", "--manifest=d1"}}
	rows := map[string]struct {
		pod       *unstructured.Unstructured
		isWaiting bool
		hasIt     bool
		serves    bool
	}{
		"new":                      {replica(map[string]any{"phase": "Pending"}, takesIn), true, false, true},
		"with its files":           {replica(ended(0), takesIn), false, true, true},
		"that failed to take them": {replica(ended(1), takesIn), false, false, true},
		"that is over":             {replica(map[string]any{"phase": "Failed"}, takesIn), false, false, false},
		"without a list":           {replica(ended(0), map[string]any{"name": receiver}), false, false, false},
	}
	for name, row := range rows {
		kept, err := thinPod(row.pod)
		if err != nil {
			t.Fatal(err)
		}
		pod, serves := modelPodOf(kept.(*unstructured.Unstructured))
		if serves != row.serves || serves && (pod.IsWaiting != row.isWaiting || pod.HasIt != row.hasIt || pod.Manifest != "d1") {
			t.Errorf("one %s: %+v, %v", name, pod, serves)
		}
	}
	for _, wrong := range wrongTypes(t) {
		for _, pod := range []*unstructured.Unstructured{
			replica(map[string]any{"phase": "Running", initStatuses: wrong}, takesIn),
			replica(ended(0), map[string]any{"name": receiver, "args": wrong}),
			replica(map[string]any{"phase": "Running", initStatuses: []any{map[string]any{"name": receiver, "state": wrong}}}, takesIn),
		} {
			kept, err := thinPod(pod)
			if err != nil {
				t.Fatal(err)
			}
			if one, serves := modelPodOf(kept.(*unstructured.Unstructured)); serves && one.HasIt && one.Manifest != "d1" {
				t.Errorf("%v reads as %+v", wrong, one)
			}
		}
	}
}

func TestANodeSaysWhatItHas(t *testing.T) {
	if label := WeightsLabel("org-acme", "0123456789012345678901234567890123456789"); label != "acme.models.gantry.dev/01234567890123456789012345678901" {
		t.Error(label)
	}
	wanted := NodeLabels([]string{"a.models.gantry.dev/2", "b.models.gantry.dev/3"}, 5<<30+7)
	said := map[string]string{"zone": "a", "a.models.gantry.dev/1": "", "a.models.gantry.dev/2": "", "node.models.gantry.dev/room-gib": "6"}
	got := changedLabels(said, wanted)
	if want := map[string]any{"a.models.gantry.dev/1": nil, "b.models.gantry.dev/3": "", "node.models.gantry.dev/room-gib": "5"}; !maps.Equal(got, want) {
		t.Errorf("it changes %v", got)
	}
	if again := changedLabels(wanted, wanted); len(again) != 0 {
		t.Errorf("said again: %v", again)
	}
}

func TestAPodThatServesNothingTakesInFilesForOthers(t *testing.T) {
	pod := replica(ended(0), map[string]any{"name": receiver, "args": []any{"receive", "--manifest=d1"}})
	pod.SetLabels(map[string]string{labelFills: "chat"})
	kept, err := thinPod(pod)
	if err != nil {
		t.Fatal(err)
	}
	if one, takes := modelPodOf(kept.(*unstructured.Unstructured)); !takes || !one.HasIt || !one.IsAhead || one.Manifest != "d1" {
		t.Errorf("%+v, %v", one, takes)
	}
}
