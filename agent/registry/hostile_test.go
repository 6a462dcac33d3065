package registry

import (
	"encoding/json"
	"os"
	"testing"
)

// Images, instances and Pods are the tenants': what one of them says must not keep the sweep from what the others name.
func TestHostileObjectsNameNoImages(t *testing.T) {
	text, err := os.ReadFile("../../test/support/hostile-values.json")
	if err != nil {
		t.Fatal(err)
	}
	var values struct {
		Names      []string
		WrongTypes []any
	}
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	const host = "registry.gantry.internal"
	hostile := values.WrongTypes
	for _, name := range values.Names {
		hostile = append(hostile, name, host+"/"+name, host+"/"+name+"@"+name, host+"/"+name+":"+name+"@sha256:")
	}
	found := newReferences()
	for _, value := range hostile {
		found.addObject(host, map[string]any{"spec": value, "status": value})
		found.addObject(host, map[string]any{"spec": map[string]any{"source": value, "target": value}, "status": map[string]any{"digest": value}})
		found.addObject(host, map[string]any{
			"spec":   map[string]any{"source": value, "target": value},
			"status": map[string]any{"digest": "sha256:aa"},
		})
	}
	found.addObject(host, map[string]any{"spec": map[string]any{"image": host + "/org-a/work:1"}})
	if !found.tags[tag{"org-a/work", "1"}] {
		t.Error("what a sound object names is not kept")
	}
}
