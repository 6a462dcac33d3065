package containerd

import (
	"reflect"
	"strings"
	"testing"
)

func TestFoldersOfAMount(t *testing.T) {
	rows := map[string]struct {
		kind, source string
		options      []string
		want         Dirs
		refused      string
	}{
		"an overlay": {
			"overlay", "overlay", []string{"index=off", "workdir=/s/3/work", "upperdir=/s/3/fs", "lowerdir=/s/2/fs:/s/1/fs"},
			Dirs{Upper: "/s/3/fs", Lowers: []string{"/s/2/fs", "/s/1/fs"}}, "",
		},
		"an image without layers":   {"bind", "/s/1/fs", []string{"rw", "rbind"}, Dirs{Upper: "/s/1/fs"}, ""},
		"renamed folders":           {"overlay", "", []string{"upperdir=/a", "lowerdir=/b", "redirect_dir=on"}, Dirs{}, "redirect_dir"},
		"half copied files":         {"overlay", "", []string{"upperdir=/a", "lowerdir=/b", "metacopy=on"}, Dirs{}, "metacopy"},
		"redirects switched off":    {"overlay", "", []string{"upperdir=/a", "lowerdir=/b", "redirect_dir=off"}, Dirs{Upper: "/a", Lowers: []string{"/b"}}, ""},
		"marks of the tenant's own": {"overlay", "", []string{"upperdir=/a", "lowerdir=/b", "userxattr"}, Dirs{}, "userxattr"},
		"a view":                    {"overlay", "", []string{"lowerdir=/b:/c"}, Dirs{}, "no folder for changes"},
		"another snapshotter":       {"ext4", "/dev/mapper/x", nil, Dirs{}, "only overlayfs"},
		"no absolute folder":        {"overlay", "", []string{"upperdir=fs", "lowerdir=/b"}, Dirs{}, "not absolute"},
	}
	for name, row := range rows {
		have, err := dirsOfMount(row.kind, row.source, row.options)
		if row.refused != "" {
			if err == nil || !strings.Contains(err.Error(), row.refused) {
				t.Errorf("%s: %v", name, err)
			}
			continue
		}
		if err != nil || !reflect.DeepEqual(have, row.want) {
			t.Errorf("%s: %+v %v", name, have, err)
		}
	}
}

func TestALeaseSaysAllThatIsToBeKnownOfAContainer(t *testing.T) {
	kept := Kept{Container: "c", Namespace: "org-a", PodName: "dev-1", PodUID: "u", Snapshotter: "overlayfs", Image: "sha256:1", ImageID: "sha256:2", ImageName: "a/b:1", Mounts: []string{"/data", "/root"}, Shifted: true}
	if back := keptOf(leaseLabels(kept)); !reflect.DeepEqual(back, kept) {
		t.Errorf("%+v", back)
	}
}
