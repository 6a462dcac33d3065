package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

func TestArgumentsThatMakeNoSense(t *testing.T) {
	for name, args := range map[string][]string{
		"none":                           {},
		"an unknown command":             {"unknown"},
		"install without a folder":       {"install"},
		"a version of something":         {"version", "x"},
		"init with a command but no --":  {"init", "sh"},
		"init with half of SSH":          {"init", "--ssh", ":22", "--", "sh"},
		"init with a flag of others":     {"init", "--listen", ":22"},
		"an SSH server without keys":     {"ssh-server", "--listen", ":22", "--host-key", "x"},
		"an SSH server with more":        {"ssh-server", "--listen", ":22", "--host-key", "x", "--keys", "y", "z"},
		"an sftp server with an address": {"sftp-server", ":22"},
	} {
		if got := run(args); got != 2 {
			t.Errorf("%s: exit code %d, want 2", name, got)
		}
	}
	if got := run([]string{"version"}); got != 0 {
		t.Errorf("version: exit code %d", got)
	}
}

func TestInitRefusesAnImageThatLeadsElsewhere(t *testing.T) {
	folder := t.TempDir()
	link, agent := filepath.Join(folder, "gantry"), filepath.Join(folder, "elsewhere", "agent")
	build := exec.Command("go", "build", "-o", agent, ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	if err := os.Symlink(filepath.Dir(agent), link); err != nil {
		t.Fatal(err)
	}
	if text, err := exec.Command(filepath.Join(link, "agent"), "init", "--", "true").CombinedOutput(); err == nil || !strings.Contains(string(text), "none of its folders may be a link") {
		t.Errorf("%v: %s", err, text)
	}
	if text, err := exec.Command(agent, "init", "--", "true").CombinedOutput(); err != nil {
		t.Errorf("in its place: %v: %s", err, text)
	}
}
