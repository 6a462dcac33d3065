// Package snapshot is the agent of a node: it keeps what containers changed until that is saved in the registry, saves it
// when a Snapshot asks for it, measures mounted disks and wipes the node when it is given back.
package snapshot

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"sync"
	"time"

	"k8s.io/apimachinery/pkg/types"
	"k8s.io/klog/v2"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/containerd"
	"gantry.dev/agent/snapshot/host"
	"gantry.dev/agent/snapshot/push"
)

// Main runs the agent of this node until ctx is done.
func Main(ctx context.Context, args []string) error {
	flags := flag.NewFlagSet("node-agent run", flag.ContinueOnError)
	node := flags.String("node", os.Getenv("NODE_NAME"), "this node's name")
	self := flags.String("name", os.Getenv("POD_NAME"), "this agent's name, for its Lease")
	kubeconfig := flags.String("kubeconfig", "", "how to reach the API server; without it as the Pod's ServiceAccount")
	hostRoot := flags.String("host-root", "/", "the node's root folder, below which its paths are; \"parent\" is that of the process that started this one")
	socket := flags.String("containerd", "/run/containerd/containerd.sock", "containerd's socket")
	kubeletDir := flags.String("kubelet-dir", "/var/lib/kubelet", "where the kubelet mounts volumes")
	registry := flags.String("registry", "registry.gantry.internal", "host and port of the registry")
	registryName := flags.String("registry-name", "registry.gantry.internal", "what images of this registry are called")
	plain := flags.Bool("registry-plain-http", false, "the registry speaks no TLS")
	token := flags.String("registry-token-file", "", "a ServiceAccount token for the registry; it is read anew for every save")
	silence := flags.Duration("registry-silence", time.Minute, "how long nothing may move in a call to the registry")
	sparse := flags.Int64("sparse-limit", 64<<30, "how many bytes more than here the files of one save may take where they are unpacked, since images have no holes; 0: any number")
	logBytes := flags.Int64("log-bytes", 4<<20, "how many bytes of the end of a run's log are kept; 0: none")
	modelShare := flags.Int("model-cache-percent", 20, "percentage of --kubelet-dir's file system that cached model files may take; 0 turns the cache off")
	listen := flags.String("listen", ":9901", "address of /healthz, /readyz and /metrics")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if *node == "" || *self == "" {
		return errors.New("--node and --name, or NODE_NAME and POD_NAME, must say which node this is and which Pod")
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil)).With("node", *node)
	klog.SetSlogLogger(log)
	root, err := host.OpenRoot(*hostRoot)
	if err != nil {
		return fmt.Errorf("--host-root: %w", err)
	}
	runtime, err := containerd.Open(root, *socket)
	if err != nil {
		return fmt.Errorf("--containerd: %w", err)
	}
	defer runtime.Close()
	agent := &saver{
		log: log, root: root, runtime: runtime, registryName: *registryName, kubeletDir: *kubeletDir, queue: newQueue(workers - 1), metrics: newMetrics(),
		registry: &push.Registry{Address: *registry, Plain: *plain, TokenFile: *token, Silence: *silence, Answer: 10 * time.Minute},
		saves:    map[types.UID]*memory{}, unneeded: map[string]time.Time{},
		untidy: make(chan struct{}, 1), ends: make(chan string, mostEnds), sparseLimit: *sparse, logBytes: min(*logBytes, mostLogBytes),
	}
	// Without them saves go on all the same.
	if agent.models, err = agent.openModels(*modelShare); err != nil {
		log.Error("models are not kept on this node", "error", err.Error())
	}
	agent.cluster, err = cluster.Open(*kubeconfig, *node, *self, agent.changed, agent.podsMoved)
	if err != nil {
		return fmt.Errorf("API server: %w", err)
	}
	listener, err := net.Listen("tcp", *listen)
	if err != nil {
		return fmt.Errorf("--listen: %w", err)
	}
	log.Info("the agent is here", "containerd", *socket, "registry", *registry)
	return agent.run(ctx, listener)
}

func (s *saver) run(ctx context.Context, listener net.Listener) error {
	server := &http.Server{Handler: s.pages(), ReadHeaderTimeout: 5 * time.Second}
	go server.Serve(listener)
	defer server.Close()
	var all sync.WaitGroup
	start := func(part func(context.Context)) {
		all.Add(1)
		go func() {
			defer all.Done()
			part(ctx)
		}()
	}
	start(s.cluster.Run)
	// Before the API server is asked anything: containers end whether it answers or not.
	start(s.captureLogs)
	start(s.follow)
	start(s.renew)
	start(s.tidyWhenAsked)
	start(s.every(lookEvery, s.look))
	if s.cluster.Wait(ctx) {
		start(s.measure)
		if s.models != nil {
			start(s.bringModels)
			start(s.every(keepEvery, s.keepModels))
		}
		for range workers {
			start(s.work)
		}
	}
	all.Wait()
	return nil
}

func (s *saver) every(pause time.Duration, do func(context.Context)) func(context.Context) {
	return func(ctx context.Context) {
		for {
			sleep(ctx, pause)
			if ctx.Err() != nil {
				return
			}
			do(ctx)
		}
	}
}

// changed hears of every Snapshot of this node.
func (s *saver) changed(key string) {
	if snapshot := s.cluster.Snapshot(key); snapshot != nil && !snapshot.Done() {
		s.queue.add(snapshot.Metadata.Namespace, key)
		return
	}
	s.tidySoon()
}

// tidySoon: kept containers may no longer be needed.
func (s *saver) tidySoon() {
	select {
	case s.untidy <- struct{}{}:
	default:
	}
}

func (s *saver) tidyWhenAsked(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-s.untidy:
			s.tidy(ctx)
		}
	}
}

func (s *saver) pages() http.Handler {
	pages := http.NewServeMux()
	pages.HandleFunc("/healthz", func(answer http.ResponseWriter, _ *http.Request) { fmt.Fprintln(answer, "ok") })
	pages.HandleFunc("/readyz", func(answer http.ResponseWriter, _ *http.Request) {
		if !s.cluster.Synced() || !s.looked.Load() {
			http.Error(answer, "the API server's lists, or containerd's, are not there yet", http.StatusServiceUnavailable)
			return
		}
		fmt.Fprintln(answer, "ok")
	})
	pages.Handle("/metrics", s.metrics.handler())
	return pages
}
