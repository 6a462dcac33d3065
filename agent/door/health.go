package door

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// health answers the kubelet and Prometheus.
type health struct {
	follower *follower
	// Whether connections are taken in.
	isOpen atomic.Bool
}

func (h *health) serve(ctx context.Context, address string, connections *Connections) error {
	listener, err := net.Listen("tcp", address)
	if err != nil {
		return err
	}
	routes := http.NewServeMux()
	routes.HandleFunc("/healthz", func(answer http.ResponseWriter, _ *http.Request) { fmt.Fprintln(answer, "ok") })
	routes.HandleFunc("/readyz", func(answer http.ResponseWriter, _ *http.Request) {
		status, sentence := h.ready()
		answer.WriteHeader(status)
		fmt.Fprintln(answer, sentence)
	})
	routes.Handle("/metrics", promhttp.HandlerFor(h.metrics(connections), promhttp.HandlerOpts{}))
	server := &http.Server{Handler: routes, ReadHeaderTimeout: 5 * time.Second}
	context.AfterFunc(ctx, func() { _ = server.Close() })
	go func() { _ = server.Serve(listener) }()
	return nil
}

// ready says in a sentence how the door is. A stale one stays ready: its keys go on working, and a door that closes
// because the API server is away would only make an outage larger.
func (h *health) ready() (int, string) {
	if !h.follower.synced.Load() {
		return http.StatusServiceUnavailable, "the instances and their keys are not read yet"
	}
	if !h.isOpen.Load() {
		return http.StatusServiceUnavailable, "no connections are taken in"
	}
	if silence := h.follower.silence(); silence > staleAfter {
		return http.StatusOK, fmt.Sprintf("stale: the API server has not been heard for %d s; the keys known so far go on working", int(silence.Seconds()))
	}
	return http.StatusOK, "ok"
}

func (h *health) metrics(connections *Connections) *prometheus.Registry {
	registry := prometheus.NewRegistry()
	gauge := func(name, help string, read func() float64) {
		registry.MustRegister(prometheus.NewGaugeFunc(prometheus.GaugeOpts{Name: name, Help: help}, read))
	}
	counter := func(name, help string, read func(Counters) int) {
		value := func() float64 { return float64(read(connections.Counters())) }
		registry.MustRegister(prometheus.NewCounterFunc(prometheus.CounterOpts{Name: name, Help: help}, value))
	}
	gauge("gantry_door_connections", "Logged in connections that are open.", func() float64 { return float64(connections.Live()) })
	gauge("gantry_door_instances", "Instances with at least one key.", func() float64 {
		instances, _ := connections.rights.Counts()
		return float64(instances)
	})
	gauge("gantry_door_keys", "Distinct keys, expired ones included.", func() float64 {
		_, keys := connections.rights.Counts()
		return float64(keys)
	})
	gauge("gantry_door_stale_seconds", "How long the API server has not been heard.", func() float64 { return h.follower.silence().Seconds() })
	counter("gantry_door_logins_total", "Logins with a key.", func(c Counters) int { return c.Logins })
	counter("gantry_door_opened_total", "Ways opened to instances.", func(c Counters) int { return c.Opened })
	counter("gantry_door_denied_total", "Ways that a key does not open.", func(c Counters) int { return c.Denied })
	counter("gantry_door_ended_total", "Connections ended by the door.", func(c Counters) int { return c.Ended })
	return registry
}
