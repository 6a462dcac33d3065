package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path"
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
		"a size without a limit":         {"image-size", "a/b:1"},
		"a limit that is none":           {"image-size", "--most-gi", "-1", "a/b:1"},
		"a size of two images":           {"image-size", "--most-gi", "1", "a/b:1", "a/c:1"},
		"an sftp server with an address": {"sftp-server", ":22"},
		"a pipe that also listens":       {"disk-server", "--root", "/", "--pipe", "--listen", ":80"},
		"a task without a worker":        {"task", "--root", "/", "--listen", ":80", "--ask", "127.0.0.1:81"},
		"a task that holds nothing":      {"task", "--root", "/", "--listen", ":80", "--ask", "127.0.0.1:81", "--hold", "0s", "--", "sh"},
		"a disk server without a token":  {"disk-server", "--root", "/", "--listen", ":80"},
	} {
		if got := run(args); got != 2 {
			t.Errorf("%s: exit code %d, want 2", name, got)
		}
	}
	if got := run([]string{"version"}); got != 0 {
		t.Errorf("version: exit code %d", got)
	}
}

func TestTheSizeOfAnImageIsAnExitCode(t *testing.T) {
	manifests := map[string]string{
		"fits":   `{"layers":[{"size":1073741824}]}`,
		"large":  `{"layers":[{"size":1073741824}],"config":{"size":1}}`,
		"absurd": `{"layers":[{"size":-1}]}`,
	}
	registry := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, request *http.Request) {
		fmt.Fprint(w, manifests[path.Base(request.URL.Path)])
	}))
	defer registry.Close()
	host := registry.Listener.Addr().String()
	for tag, want := range map[string]int{"fits": 0, "large": 3, "absurd": 4, "unknown": 0} {
		if got := run([]string{"image-size", "--most-gi", "1", "--inner", host, host + "/a/b:" + tag}); got != want {
			t.Errorf("%s: exit code %d, want %d", tag, got, want)
		}
	}
	if got := run([]string{"image-size", "--most-gi", "1", host + "/a/b:large"}); got != 0 {
		t.Errorf("a registry inside: exit code %d", got)
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
