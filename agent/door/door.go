// Package door runs OpenSSH's sshd as the one way from outside to every instance, and sees nothing of what passes through it. The
// instances' own sshKeys determine who may open what; sshd asks at each login, and live connections are checked too.
package door

import (
	"context"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"time"

	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
	"k8s.io/klog/v2"
)

const (
	// The user of the image that sshd asks as.
	asker = 101
	// How often connections are checked: a revoked or expired right ends within this and endsWithin.
	sweepEvery = time.Second
	// After so long without an API server a person should know.
	staleAfter = time.Minute
)

type options struct {
	kubeconfig, namespace, secret       string
	port                                int
	health, names, sshd, porter, folder string
	logSocket                           string
	clusterDomain                       string
	grace                               time.Duration
}

func readOptions(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("node-agent door", flag.ContinueOnError)
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "a kubeconfig; else the account of our own Pod")
	flags.StringVar(&o.namespace, "namespace", "gantry-system", "namespace of the Secret with the host keys")
	flags.StringVar(&o.secret, "host-keys", "gantry-door-host-keys", "name of that Secret; it must be there, empty or filled")
	flags.IntVar(&o.port, "port", 2222, "where sshd listens")
	flags.StringVar(&o.health, "health", ":8080", "address of /healthz, /readyz and /metrics")
	flags.StringVar(&o.names, "names", "127.0.0.1:53", "where sshd's C library asks for addresses, over UDP")
	flags.StringVar(&o.sshd, "sshd", "/usr/sbin/sshd", "OpenSSH's sshd")
	flags.StringVar(&o.porter, "porter", "/porter", "the program that sshd asks for keys")
	flags.StringVar(&o.folder, "dir", "/run/door", "folder for what sshd reads; in memory, since host keys lie there")
	flags.StringVar(&o.logSocket, "log-socket", "/dev/log", "where sshd's C library logs to")
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
	rights := NewRights()
	connections := NewConnections(rights, o.domains(), log)
	followed, err := newFollower(config, rights)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(o.folder, 0o755); err != nil {
		return err
	}
	// A volume of a Pod is everybody's to write; what sshd reads must be root's alone.
	if err := os.Chmod(o.folder, 0o755); err != nil {
		return err
	}
	files, err := hostKeys(ctx, followed.client, o.namespace, o.secret, o.folder)
	if err != nil {
		return err
	}
	socket, configFile := filepath.Join(o.folder, "keys.sock"), filepath.Join(o.folder, "sshd_config")
	if err := os.WriteFile(configFile, []byte(sshdConfig(o.port, files, o.porter, socket)), 0o600); err != nil {
		return err
	}
	// Beyond ctx: connections that are still there want to be looked after.
	life, over := context.WithCancel(context.WithoutCancel(ctx))
	defer over()
	if err := listenLog(life, o.logSocket, connections); err != nil {
		return err
	}
	if err := listenKeys(life, socket, asker, connections); err != nil {
		return err
	}
	if _, err := NewNames(rights, o.domains(), log).serve(life, o.names); err != nil {
		return err
	}
	go followed.run(life, log)
	health := &health{follower: followed}
	if err := health.serve(life, o.health, connections); err != nil {
		return err
	}
	if err := followed.firstList(ctx); err != nil {
		return nil
	}
	listener := supervise([]string{o.sshd, "-D", "-f", configFile}, log)
	health.sshd.Store(listener)
	log.Info("the door is open", "event", "open door", "port", o.port)
	return watchOver(ctx, o.grace, listener, connections, log)
}

func clusterConfig(kubeconfig string) (*rest.Config, error) {
	if kubeconfig == "" {
		return rest.InClusterConfig()
	}
	return clientcmd.BuildConfigFromFlags("", kubeconfig)
}

func watchOver(ctx context.Context, grace time.Duration, listener *supervisor, connections *Connections, log *slog.Logger) error {
	tick := time.NewTicker(sweepEvery)
	defer tick.Stop()
	closing := ctx.Done()
	var deadline time.Time
	for {
		select {
		case <-closing:
			closing = nil
			deadline = time.Now().Add(grace)
			listener.stop()
			log.Info("the door is closed", "event", "closed door", "connections", connections.Live())
		case <-tick.C:
		}
		connections.Sweep()
		if closing != nil {
			continue
		}
		switch late := time.Since(deadline); {
		case connections.Live() == 0 || late > 2*endsWithin:
			return nil
		case late > 0:
			connections.EndAll("the door moves; the same command comes in again")
		}
	}
}
