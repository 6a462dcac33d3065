// Package registry stands in front of the image registry, on its address: it decides who may pull and push what, removes what nobody needs any
// more, and makes copies within it. A caller without rights to a repository cannot tell whether it exists.
package registry

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"
)

type options struct {
	listen, registryURL, registryName string
	service, issuer                   string
	keyFile, platformFile             string
	kubeconfig                        string
	sweepEvery, sweepAge              time.Duration
	memoryFile                        string
	collectEvery                      time.Duration
	collector                         []string
}

const usage = `usage: node-agent registry [flags] [-- collector args…]

The collector makes one pass over the registry's storage each time: registry collect <configuration>.
`

func parse(args []string) (options, error) {
	var o options
	flags := flag.NewFlagSet("registry", flag.ContinueOnError)
	flags.Usage = func() {
		fmt.Fprint(flags.Output(), usage)
		flags.PrintDefaults()
	}
	flags.StringVar(&o.listen, "listen", ":5001", "the registry as everybody sees it: /v2, /token, and /healthz and /metrics")
	flags.StringVar(&o.registryURL, "registry-url", "", "where the registry itself answers, such as http://127.0.0.1:5000")
	flags.StringVar(&o.registryName, "registry-name", "registry.gantry.internal", "what images call it")
	flags.StringVar(&o.service, "service", "gantry-registry", "auth.token.service of the registry's configuration")
	flags.StringVar(&o.issuer, "issuer", "gantry", "auth.token.issuer of the registry's configuration")
	flags.StringVar(&o.keyFile, "signing-key-file", "", "private key (P-256, PEM) whose public half the registry trusts")
	flags.StringVar(&o.platformFile, "platform-password-file", "", "password of the user platform; none: no such user")
	flags.StringVar(&o.kubeconfig, "kubeconfig", "", "may appear later than this process; none: the account of our Pod")
	flags.DurationVar(&o.sweepEvery, "sweep-every", 5*time.Minute, "how often tags that nobody needs are looked for")
	flags.DurationVar(&o.sweepAge, "sweep-age", time.Hour, "how long nobody must have needed a tag before it is deleted")
	flags.StringVar(&o.memoryFile, "sweep-memory", "", "file that takes over a restart what the sweep knows; none: the age of every tag begins anew")
	flags.DurationVar(&o.collectEvery, "collect-every", 30*time.Minute, "how often the collector makes a pass")
	if err := flags.Parse(args); err != nil {
		return o, err
	}
	o.collector = flags.Args()
	switch {
	case o.registryURL == "":
		return o, errors.New("-registry-url: must say where the registry answers")
	case o.keyFile == "":
		return o, errors.New("-signing-key-file: must name a private key")
	case o.sweepEvery <= 0:
		return o, errors.New("-sweep-every: must be longer than nothing")
	}
	return o, nil
}

// Main serves until ctx is done. SIGUSR2 asks for a sweep now.
func Main(ctx context.Context, args []string) error {
	o, err := parse(args)
	if err != nil {
		return err
	}
	log := slog.New(slog.NewJSONHandler(os.Stderr, nil))
	signer, err := newSigner(o.keyFile, o.issuer, o.service)
	if err != nil {
		return fmt.Errorf("-signing-key-file: %w", err)
	}
	address, err := url.Parse(o.registryURL)
	if err != nil || address.Host == "" {
		return fmt.Errorf("-registry-url: %q is no address such as http://127.0.0.1:5000", o.registryURL)
	}
	own, err := newImages(address, signer)
	if err != nil {
		return fmt.Errorf("-registry-url: %w", err)
	}
	listener, err := net.Listen("tcp", o.listen)
	if err != nil {
		return fmt.Errorf("-listen: %w", err)
	}

	cluster := &Cluster{kubeconfig: o.kubeconfig}
	metrics := newMetrics()
	sweeper := &Sweeper{
		images: own, cluster: cluster, log: log, metrics: metrics, now: time.Now,
		host: o.registryName, every: o.sweepEvery, age: o.sweepAge, collectEvery: o.collectEvery,
		collector: o.collector, memoryFile: o.memoryFile,
	}
	copies := &Copies{
		cluster: cluster, images: own, log: log, metrics: metrics, now: time.Now, host: o.registryName,
	}
	endpoint := &Endpoint{
		logins: newLogins(cluster, o.registryName, o.platformFile, time.Now),
		signer: signer, log: log, metrics: metrics, now: time.Now,
	}

	abandon := &Abandon{logins: endpoint.logins, images: own, log: log}
	handler := front(newRelay(address, log), endpoint, abandon, metrics.handler())

	var running sync.WaitGroup
	spawn := func(work func()) {
		running.Add(1)
		go func() {
			defer running.Done()
			work()
		}()
	}
	spawn(func() { sweeper.run(ctx, onSignal(ctx, syscall.SIGUSR2)) })
	spawn(func() { copies.run(ctx) })
	log.Info("tokens are given", "listen", listener.Addr().String(), "registry", o.registryURL)
	err = serve(ctx, listener, handler)
	running.Wait()
	return err
}

func newLogins(cluster *Cluster, host, platformFile string, now func() time.Time) *Logins {
	return &Logins{
		passwords:    &Passwords{cluster: cluster, host: host, now: now, known: map[string]password{}},
		reviews:      &Reviews{cluster: cluster, now: now, known: map[digest]review{}},
		failures:     newFailures(now),
		platformFile: platformFile,
		now:          now,
		trusted:      map[digest]time.Time{},
	}
}

// onSignal forwards a signal; several that come while one is worked on are one.
func onSignal(ctx context.Context, wanted os.Signal) <-chan struct{} {
	caught := make(chan os.Signal, 1)
	signal.Notify(caught, wanted)
	asked := make(chan struct{}, 1)
	go func() {
		defer signal.Stop(caught)
		for {
			select {
			case <-ctx.Done():
				return
			case <-caught:
				select {
				case asked <- struct{}{}:
				default:
				}
			}
		}
	}()
	return asked
}

// How long running answers may take once we are told to end.
const grace = 5 * time.Second

func serve(ctx context.Context, listener net.Listener, handler http.Handler) error {
	server := &http.Server{
		Handler:           handler,
		ReadHeaderTimeout: 5 * time.Second,
		ReadTimeout:       10 * time.Second,
		WriteTimeout:      20 * time.Second,
		IdleTimeout:       time.Minute,
		MaxHeaderBytes:    mostBytes,
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(listener) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	late, cancel := context.WithTimeout(context.WithoutCancel(ctx), grace)
	defer cancel()
	return server.Shutdown(late)
}
