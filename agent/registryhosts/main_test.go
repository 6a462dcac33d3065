package registryhosts

import (
	"context"
	"os"
	"path/filepath"
	"testing"
)

const address = "http://10.96.7.7:5000"

func TestWritesAFileThatContainerdReads(t *testing.T) {
	root := t.TempDir()
	for range 2 {
		if err := Main(context.Background(), []string{"--host-root=" + root, "--url=" + address}); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(filepath.Join(root, "etc/containerd/certs.d/registry.gantry.internal/hosts.toml"))
	if err != nil {
		t.Fatal(err)
	}
	want := "# Written by Gantry's agent.\nserver = \"http://10.96.7.7:5000\"\n\n[host.\"http://10.96.7.7:5000\"]\n  capabilities = [\"pull\", \"resolve\"]\n"
	if string(text) != want {
		t.Errorf("hosts.toml is\n%s\nwant\n%s", text, want)
	}
}

func TestALinkOutOfTheNodeIsRefused(t *testing.T) {
	root, outside := t.TempDir(), t.TempDir()
	if err := os.Symlink(outside, filepath.Join(root, "etc")); err != nil {
		t.Fatal(err)
	}
	if err := Main(context.Background(), []string{"--host-root=" + root, "--url=" + address}); err == nil {
		t.Error("a link that leaves the root was followed")
	}
	if found, _ := os.ReadDir(outside); len(found) > 0 {
		t.Errorf("%v was written outside of the root", found)
	}
}

func TestRefusesWhatIsNoAddressOrName(t *testing.T) {
	for _, args := range [][]string{
		{"--url=10.96.7.7:5000"}, {"--url="}, {"--url=ftp://10.96.7.7"},
		{"--url=" + address, "--name=../other"}, {"--url=" + address, "--name="}, {"--url=" + address, "--dir=relative"},
	} {
		if err := Main(context.Background(), append([]string{"--host-root=" + t.TempDir()}, args...)); err == nil {
			t.Errorf("%v was accepted", args)
		}
	}
}
