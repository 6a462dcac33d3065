package snapshot

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

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
