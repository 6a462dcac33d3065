package snapshot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/host"
)

func TestACacheThatIsTurnedOffGivesUpWhatItHolds(t *testing.T) {
	folder := t.TempDir()
	for name, text := range map[string]string{
		"lists/" + strings.Repeat("a", 64): "[]",
		"files/" + strings.Repeat("b", 64): "weights",
	} {
		file := filepath.Join(folder, "kubelet", modelsFolder, "org-a", name)
		if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o400); err != nil {
			t.Fatal(err)
		}
	}
	root, err := host.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	one := &saver{root: root, kubeletDir: "/kubelet"}
	if one.models, err = one.openModels(0); err != nil || one.models == nil {
		t.Fatal(one.models, err)
	}
	if one.models.keeps {
		t.Error("it takes over more")
	}
	if _, err := one.models.cache.Trim(time.Now()); err != nil {
		t.Error(err)
	}
	if bytes, err := one.models.cache.Bytes(); bytes != 0 || err != nil {
		t.Error(bytes, err)
	}
}

func TestListsOfReplicasThatRunAreInUse(t *testing.T) {
	folder := t.TempDir()
	lists := filepath.Join(folder, "kubelet", modelsFolder, "org-a", "lists")
	if err := os.MkdirAll(lists, 0o700); err != nil {
		t.Fatal(err)
	}
	running, filling, waiting := strings.Repeat("a", 64), strings.Repeat("b", 64), strings.Repeat("c", 64)
	early := time.Now().Add(-24 * time.Hour)
	for _, digest := range []string{running, filling, waiting} {
		file := filepath.Join(lists, digest)
		if err := os.WriteFile(file, []byte("[]"), 0o400); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(file, early, early); err != nil {
			t.Fatal(err)
		}
	}
	root, err := host.OpenRoot(folder)
	if err != nil {
		t.Fatal(err)
	}
	one := &saver{root: root, kubeletDir: "/kubelet"}
	if one.models, err = one.openModels(20); err != nil {
		t.Fatal(err)
	}
	one.useModels([]cluster.ModelPod{
		{Namespace: "org-a", Manifest: running, HasIt: true},
		{Namespace: "org-a", Manifest: filling, HasIt: true, IsAhead: true},
		{Namespace: "org-a", Manifest: waiting, IsWaiting: true},
	})
	all, err := one.models.cache.Models()
	if err != nil || len(all) != 3 {
		t.Fatal(all, err)
	}
	for _, model := range all {
		if isUsed := time.Since(model.UsedAt) < time.Hour; isUsed != (model.Digest == running) {
			t.Errorf("%s is in use: %v", model.Digest[:1], isUsed)
		}
	}
}
