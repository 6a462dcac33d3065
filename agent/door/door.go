// Package door is the SSH server that is the one way from outside to every instance, and sees nothing of what passes through it. The
// instances' own sshKeys determine who may open what, at each login and for live connections too.
package door

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"os"
	"strconv"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

const (
	// How often connections are checked: a revoked or expired right ends within this.
	sweepEvery  = time.Second
	memoryEvery = 100 * time.Millisecond
	// After the grace, for the last lines of the log.
	endsWithin = 2 * time.Second
	// After so long without an API server a person should know.
	staleAfter = time.Minute
)

type options struct {
	kubeconfig, namespace, secret, health, clusterDomain string

	port  int
	grace time.Duration
}

func readOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("node-agent door", flag.ContinueOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "a kubeconfig; else the account of our own Pod")
	flags.StringVar(&o.namespace, "namespace", "gantry-system", "namespace of the Secret with the host keys")
	flags.StringVar(&o.secret, "host-keys", "gantry-door-host-keys", "name of that Secret; it must be there, empty or filled")
	flags.IntVar(&o.port, "port", 2222, "where clients come in")
	flags.StringVar(&o.health, "health", ":8080", "address of /healthz, /readyz and /metrics")
	flags.StringVar(&o.clusterDomain, "cluster-domain", "cluster.local", "what clients may put behind …svc")
	flags.DurationVar(&o.grace, "grace", time.Minute, "how long connections may go on once the door closes")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	if flags.NArg() > 0 {
		return o, fmt.Errorf("%q: only flags are read", flags.Arg(0))
	}
	return o, nil
}

func (o options) domains() []string {
	if o.clusterDomain == "" {
		return []string{""}
	}
	return []string{"", "." + o.clusterDomain}
}

// Main runs the door until ctx ends, and then until its connections have ended or the grace is over.
func Main(ctx context.Context, args []string) error {
	o, err := readOptions(args)
	if err != nil {
		return err
	}
	// Detect a silently dead connection to the API server in ten seconds, not in forty-five: revoked keys would work meanwhile.
	// The client reads these two variables and offers nothing else.
	for _, name := range []string{"HTTP2_READ_IDLE_TIMEOUT_SECONDS", "HTTP2_PING_TIMEOUT_SECONDS"} {
		if err := os.Setenv(name, "5"); err != nil {
			return err
		}
	}
	config, err := clusterConfig(o.kubeconfig)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stdout, nil))
	klog.SetSlogLogger(log)
	limitMemory()
	rights := NewRights()
	connections := NewConnections(rights, log)
	followed, err := newFollower(config, rights)
	if err != nil {
		return err
	}
	keys, err := hostKeys(ctx, followed.client, o.namespace, o.secret)
	if err != nil {
		return err
	}
	// Beyond ctx: connections that are still there want to be looked after.
	life, over := context.WithCancel(context.WithoutCancel(ctx))
	defer over()
	go followed.run(life, log)
	health := &health{follower: followed}
	if err := health.serve(life, o.health, connections); err != nil {
		return err
	}
	if err := followed.firstList(ctx); err != nil {
		return nil
	}
	listener, err := net.Listen("tcp", ":"+strconv.Itoa(o.port))
	if err != nil {
		return err
	}
	go newServer(keys, connections, o.domains(), log).serve(listener)
	health.isOpen.Store(true)
	log.Info("the door is open", "event", "open door", "port", o.port)
	go func() {
		<-ctx.Done()
		health.isOpen.Store(false)
		_ = listener.Close()
		log.Info("the door is closed", "event", "closed door", "connections", connections.Live())
	}()
	watchOver(ctx, o.grace, connections)
	return nil
}

func clusterConfig(kubeconfig string) (*rest.Config, error) {
	if kubeconfig == "" {
		return rest.InClusterConfig()
	}
	return clientcmd.BuildConfigFromFlags("", kubeconfig)
}

// watchOver returns once ctx and then all connections have ended, or the grace is over.
func watchOver(ctx context.Context, grace time.Duration, connections *Connections) {
	sweep, memory := time.NewTicker(sweepEvery), time.NewTicker(memoryEvery)
	defer sweep.Stop()
	defer memory.Stop()
	closing := ctx.Done()
	var deadline time.Time
	for {
		select {
		case <-closing:
			closing = nil
			deadline = time.Now().Add(grace)
		case <-memory.C:
			connections.Relieve(liveMemory, enoughFreed)
			continue
		case <-sweep.C:
		}
		connections.Sweep()
		if closing != nil {
			continue
		}
		switch late := time.Since(deadline); {
		case connections.Live() == 0 || late > endsWithin:
			return
		case late > 0:
			connections.EndAll("the door moves; the same command comes in again")
		}
	}
}
