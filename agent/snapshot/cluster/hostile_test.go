package cluster

import (
	"encoding/json"
	"os"
	"testing"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
)

func wrongTypes(t *testing.T) []any {
	t.Helper()
	text, err := os.ReadFile("../../../test/support/hostile-values.json")
	if err != nil {
		t.Fatal(err)
	}
	var values struct{ WrongTypes []any }
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	if len(values.WrongTypes) == 0 {
		t.Fatal("there is none")
	}
	return values.WrongTypes
}

func snapshotWith(part, member string, value any) *unstructured.Unstructured {
	object := map[string]any{
		"apiVersion": "gantry.dev/v1alpha1", "kind": "Snapshot",
		"metadata": map[string]any{"name": "dev-1", "namespace": "org-a", "uid": "u", "resourceVersion": "7"},
		"spec":     map[string]any{"of": "Root", "instance": "dev", "node": "here", "podName": "dev-1", "podUID": "p", "target": "t"},
		"status":   map[string]any{"phase": "ready", "startedAt": "2026-11-21T10:00:00Z", "attempts": int64(1)},
	}
	if member == "" {
		object[part] = value
	} else if part != "" {
		object[part].(map[string]any)[member] = value
	}
	return &unstructured.Unstructured{Object: object}
}

// Unreadable parts of one Snapshot or Pod count as absent, and end nothing: these run inside of the informers.
func TestHostileObjectsAreRead(t *testing.T) {
	here := &Cluster{node: "here"}
	for _, wrong := range wrongTypes(t) {
		places := [][2]string{{"spec", ""}, {"status", ""}}
		for member := range snapshotWith("", "", nil).Object["spec"].(map[string]any) {
			places = append(places, [2]string{"spec", member})
		}
		for _, member := range []string{"phase", "startedAt", "attempts", "reasonArgs", "layers"} {
			places = append(places, [2]string{"status", member})
		}
		for _, place := range places {
			kept, err := here.thin(snapshotWith(place[0], place[1], wrong))
			if err != nil {
				t.Errorf("%v = %v: %v", place, wrong, err)
				continue
			}
			_ = read(kept).Done()
			if name := kept.(*unstructured.Unstructured).GetName(); name != "dev-1" {
				t.Errorf("%v = %v: it is called %q", place, wrong, name)
			}
		}
		pod := &unstructured.Unstructured{Object: map[string]any{
			"apiVersion": "v1", "kind": "Pod", "metadata": map[string]any{"name": "p", "annotations": map[string]any{"a": "b"}},
			"spec": wrong, "status": wrong,
		}}
		if _, err := thinPod(pod); err != nil {
			t.Errorf("a Pod of %v: %v", wrong, err)
		}
	}
	if one := read(snapshotWith("", "", nil)); one.Spec.Node != "here" || !one.Done() {
		t.Errorf("a sound one reads as %+v", one)
	}
}
