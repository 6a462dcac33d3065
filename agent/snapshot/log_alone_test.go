package snapshot

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	containersapi "github.com/containerd/containerd/api/services/containers/v1"
	tasksapi "github.com/containerd/containerd/api/services/tasks/v1"
	"github.com/containerd/containerd/api/types/task"
	inmemory "github.com/google/go-containerregistry/pkg/registry"
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/anypb"
	"k8s.io/apimachinery/pkg/types"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/containerd"
	"gantry.dev/agent/snapshot/host"
	"gantry.dev/agent/snapshot/push"
)

// node is a containerd that knows containers and tasks alone: whatever else a log alone asked for would be refused.
type node struct {
	containersapi.UnimplementedContainersServer
	mutex sync.Mutex
	all   map[string]*containersapi.Container
	runs  map[string]bool
}

var labelFilter = regexp.MustCompile(`labels\."([^"]+)"=="?([^",]+)"?`)

func (n *node) List(_ context.Context, asked *containersapi.ListContainersRequest) (*containersapi.ListContainersResponse, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	found := &containersapi.ListContainersResponse{}
	for _, one := range n.all {
		for _, filter := range asked.GetFilters() {
			matches := true
			for _, part := range labelFilter.FindAllStringSubmatch(filter, -1) {
				matches = matches && one.GetLabels()[part[1]] == part[2]
			}
			if matches {
				found.Containers = append(found.Containers, one)
				break
			}
		}
	}
	return found, nil
}

func (n *node) Get(_ context.Context, asked *containersapi.GetContainerRequest) (*containersapi.GetContainerResponse, error) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	if one := n.all[asked.GetID()]; one != nil {
		return &containersapi.GetContainerResponse{Container: one}, nil
	}
	return nil, status.Error(codes.NotFound, asked.GetID())
}

type tasks struct {
	tasksapi.UnimplementedTasksServer
	node *node
}

func (t *tasks) Get(_ context.Context, asked *tasksapi.GetRequest) (*tasksapi.GetResponse, error) {
	t.node.mutex.Lock()
	defer t.node.mutex.Unlock()
	if !t.node.runs[asked.GetContainerID()] {
		return nil, status.Error(codes.NotFound, asked.GetContainerID())
	}
	return &tasksapi.GetResponse{Process: &task.Process{Status: task.Status_RUNNING, Pid: 7}}, nil
}

// put makes a Pod of a sandbox and its container `main`, whose log is in a file of its own.
func (n *node) put(t *testing.T, kind, uid, text string) (file string) {
	t.Helper()
	file = filepath.Join(t.TempDir(), uid+".log")
	if err := os.WriteFile(file, []byte("2026-11-25T10:00:00.1Z stdout F "+text+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	noted, err := json.Marshal(map[string]any{"Metadata": map[string]string{"LogPath": file}})
	if err != nil {
		t.Fatal(err)
	}
	labels := func(more map[string]string) map[string]string {
		more["io.kubernetes.pod.uid"], more["io.kubernetes.pod.namespace"] = uid, "org-a"
		return more
	}
	n.mutex.Lock()
	defer n.mutex.Unlock()
	n.all["box-"+uid] = &containersapi.Container{ID: "box-" + uid, Labels: labels(map[string]string{"io.cri-containerd.kind": "sandbox", "gantry.dev/kind": kind})}
	n.all["main-"+uid] = &containersapi.Container{
		ID: "main-" + uid, SnapshotKey: "main-" + uid, Labels: labels(map[string]string{"io.cri-containerd.kind": "container", "io.kubernetes.container.name": "main"}),
		Extensions: map[string]*anypb.Any{"io.cri-containerd.container.metadata": {Value: noted}},
	}
	return file
}

func (n *node) remove(uid string) {
	n.mutex.Lock()
	defer n.mutex.Unlock()
	delete(n.all, "box-"+uid)
	delete(n.all, "main-"+uid)
}

type scene struct {
	*saver
	node *node
	// Output of the agent, by name of the Snapshot.
	written map[string]cluster.Status
	// Whether the registry answers.
	isUp     bool
	registry *httptest.Server
	mutex    sync.Mutex
}

func newScene(t *testing.T) *scene {
	t.Helper()
	all := &scene{node: &node{all: map[string]*containersapi.Container{}, runs: map[string]bool{}}, written: map[string]cluster.Status{}, isUp: true}
	images := inmemory.New(inmemory.Logger(log.New(io.Discard, "", 0)))
	all.registry = httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, asked *http.Request) {
		if !all.isUp {
			http.Error(answer, "down", http.StatusServiceUnavailable)
			return
		}
		images.ServeHTTP(answer, asked)
	}))
	t.Cleanup(all.registry.Close)
	api := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, asked *http.Request) {
		var object struct {
			Metadata struct{ Name string } `json:"metadata"`
			Status   cluster.Status        `json:"status"`
		}
		raw, _ := io.ReadAll(asked.Body)
		if err := json.Unmarshal(raw, &object); err != nil || asked.Method != http.MethodPatch || !strings.HasSuffix(asked.URL.Path, "/status") {
			http.Error(answer, "unexpected", http.StatusBadRequest)
			return
		}
		all.mutex.Lock()
		all.written[object.Metadata.Name] = object.Status
		all.mutex.Unlock()
		answer.Header().Set("content-type", "application/json")
		answer.Write(raw)
	}))
	t.Cleanup(api.Close)
	root, err := host.OpenRoot("/")
	if err != nil {
		t.Fatal(err)
	}
	runtime, err := containerd.Open(root, serve(t, all.node))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { runtime.Close() })
	kubeconfig := filepath.Join(t.TempDir(), "kubeconfig")
	text := fmt.Sprintf(`{"apiVersion":"v1","kind":"Config","current-context":"c","clusters":[{"name":"c","cluster":{"server":%q}}],"contexts":[{"name":"c","context":{"cluster":"c"}}]}`, api.URL)
	if err := os.WriteFile(kubeconfig, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	to, err := cluster.Open(kubeconfig, "node-a", "agent", func(string) {}, func() {})
	if err != nil {
		t.Fatal(err)
	}
	all.saver = &saver{
		log: slog.New(slog.DiscardHandler), root: root, runtime: runtime, cluster: to, registryName: "registry.test", logBytes: 1 << 20, metrics: newMetrics(),
		registry: &push.Registry{Address: strings.TrimPrefix(all.registry.URL, "http://"), Plain: true, Silence: time.Minute, Answer: time.Minute},
		saves:    map[types.UID]*memory{},
	}
	return all
}

func serve(t *testing.T, n *node) string {
	t.Helper()
	socket := filepath.Join(t.TempDir(), "containerd.sock")
	listener, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	server := grpc.NewServer()
	containersapi.RegisterContainersServer(server, n)
	tasksapi.RegisterTasksServer(server, &tasks{node: n})
	go server.Serve(listener)
	t.Cleanup(server.Stop)
	return socket
}

// save makes one attempt at the Snapshot of a worker's log.
func (s *scene) save(uid, namespace string) error {
	one := &cluster.Snapshot{}
	one.Metadata.Name, one.Metadata.Namespace, one.Metadata.UID = uid, namespace, types.UID("snapshot-"+uid)
	one.Spec.Of, one.Spec.Node, one.Spec.PodUID = "Log", "node-a", types.UID(uid)
	one.Spec.Target = "registry.test/" + namespace + "/train.job.log:1-" + uid
	attempt := &save{saver: s.saver, snapshot: one, memory: s.remember(one), began: time.Now(), log: s.log}
	err := attempt.once(context.Background())
	if err != nil && err != errRunning {
		attempt.failed(context.Background(), attempt.memory.judged(err, time.Now()))
	}
	return err
}

func TestTheLogOfAWorkerIsSavedAlone(t *testing.T) {
	for name, row := range map[string]struct {
		kind, namespace string
		before          func(s *scene, file string)
		phase, reason   string
		bytes           int64
	}{
		"from its file, while that is there": {phase: cluster.Ready, reason: reasonLogSaved, bytes: 28},
		"taken at its end, when its file and its container are gone": {
			before: func(s *scene, file string) {
				s.captureLog(context.Background(), "main-7")
				s.node.remove("7")
				os.Remove(file)
			}, phase: cluster.Ready, reason: reasonLogSaved, bytes: 28,
		},
		"taken by the next look, when it ended while the agent was away": {
			before: func(s *scene, file string) {
				s.captureMissed(context.Background())
				s.node.remove("7")
				os.Remove(file)
			}, phase: cluster.Ready, reason: reasonLogSaved, bytes: 28,
		},
		"its file is gone, and nobody took it": {
			before: func(_ *scene, file string) { os.Remove(file) }, phase: cluster.Failed, reason: reasonLogGone,
		},
		"its container is gone, and nobody took it": {
			before: func(s *scene, _ string) { s.node.remove("7") }, phase: cluster.Failed, reason: reasonLogGone,
		},
		"a Snapshot of another organisation": {namespace: "org-b", phase: cluster.Failed, reason: reasonRefused},
		"a Snapshot of another organisation, when the container is gone": {
			before: func(s *scene, _ string) {
				s.captureLog(context.Background(), "main-7")
				s.node.remove("7")
			}, namespace: "org-b", phase: cluster.Failed, reason: reasonRefused,
		},
		"an agent that keeps no logs": {before: func(s *scene, _ string) { s.logBytes = 0 }, phase: cluster.Failed, reason: reasonNotSaveable},
		"a registry that is down":     {before: func(s *scene, _ string) { s.isUp = false }, phase: cluster.Processing, reason: "Retrying"},
		"it still runs":               {before: func(s *scene, _ string) { s.node.runs["main-7"] = true }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			file := s.node.put(t, "Job", "7", "boom")
			if row.before != nil {
				row.before(s, file)
			}
			namespace := "org-a"
			if row.namespace != "" {
				namespace = row.namespace
			}
			err := s.save("7", namespace)
			said := s.written["7"]
			if said.Phase != row.phase || said.Reason != row.reason || said.Digest != "" || said.Layers != nil {
				t.Errorf("%+v %v", said, err)
			}
			if (said.Log != nil) != (row.bytes > 0) || said.Log != nil && said.Log.Bytes != row.bytes {
				t.Errorf("%+v", said.Log)
			}
			if answer, err := http.Get(s.registry.URL + "/v2/" + namespace + "/train.job.log/manifests/1-7"); err != nil || (answer.StatusCode == 200) != (row.bytes > 0) {
				t.Errorf("the registry: %v %v", answer, err)
			}
		})
	}
}

func TestALogThatCouldNotBePushedIsSentLater(t *testing.T) {
	s := newScene(t)
	file := s.node.put(t, "Job", "7", "boom")
	s.captureLog(context.Background(), "main-7")
	s.node.remove("7")
	os.Remove(file)
	s.isUp = false
	for range logAttempts + 1 {
		if err := s.save("7", "org-a"); err == nil {
			t.Fatal("it was saved in a registry that is down")
		}
	}
	s.isUp = true
	if err := s.save("7", "org-a"); err != nil || s.written["7"].Phase != cluster.Ready {
		t.Error(err, s.written["7"])
	}
	if _, _, isCaptured := s.captured.ofPod("7"); isCaptured {
		t.Error("it stays in memory")
	}
}

func TestWhoseLogsAreTakenAtTheirEnd(t *testing.T) {
	for kind, isTaken := range map[string]bool{"Job": true, "GpuInstance": true, "ContainerService": false, "": false} {
		s := newScene(t)
		s.node.put(t, kind, "7", "boom")
		s.captureLog(context.Background(), "box-7")
		s.captureLog(context.Background(), "main-7")
		if one, isThere := s.captured.get("main-7"); isThere != isTaken || isTaken && (one.namespace != "org-a" || one.podUID != "7") || len(s.captured.logs) > 1 {
			t.Errorf("%q: %v %+v", kind, isThere, one)
		}
	}
}

func TestALogThatMadeRoomIsNotTakenAgain(t *testing.T) {
	s := newScene(t)
	s.node.put(t, "Job", "7", "boom")
	s.node.put(t, "Job", "8", "still here")
	s.node.put(t, "GpuInstance", "9", "kept otherwise")
	s.node.runs["main-8"] = true
	s.captureMissed(context.Background())
	if len(s.captured.logs) != 1 {
		t.Fatalf("%v", s.captured.order)
	}
	s.captured.take("main-7")
	s.node.runs["main-8"] = false
	s.captureMissed(context.Background())
	if _, isThere := s.captured.get("main-8"); !isThere || len(s.captured.logs) != 1 {
		t.Errorf("%v", s.captured.order)
	}
}

func TestWhatAWorkerChangedIsNotKept(t *testing.T) {
	s := newScene(t)
	s.node.put(t, "Job", "7", "boom")
	s.node.runs["main-7"] = true
	// Keeping it would ask for leases, which this containerd does not know.
	if kept, err := s.runtime.Keep(context.Background(), "main-7"); kept || err != nil {
		t.Error(kept, err)
	}
	s.runtime.KeepAll(context.Background(), func(_ string, err error) { t.Error(err) })
}
