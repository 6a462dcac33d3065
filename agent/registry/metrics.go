package registry

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

type metrics struct {
	registry     *prometheus.Registry
	tokens       *prometheus.CounterVec
	tokenSeconds prometheus.Histogram
	sweepSeconds prometheus.Histogram
	sweptTags    prometheus.Counter
	collections  *prometheus.CounterVec
	copies       *prometheus.CounterVec
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		tokens: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gantry_registry_tokens_total", Help: "Requests for a token, by who asked and how it ended.",
		}, []string{"identity", "result"}),
		tokenSeconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "gantry_registry_token_seconds", Help: "How long a token took.",
			Buckets: []float64{.0005, .001, .002, .005, .01, .02, .05, .1, .5, 1, 5},
		}),
		sweepSeconds: prometheus.NewHistogram(prometheus.HistogramOpts{
			Name: "gantry_registry_sweep_seconds", Help: "How long a sweep took, with its collection.",
			Buckets: []float64{.1, .5, 1, 5, 10, 30, 60, 120, 300},
		}),
		sweptTags: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gantry_registry_swept_tags_total", Help: "Tags that nobody needed and that were deleted.",
		}),
		collections: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gantry_registry_collections_total", Help: "Garbage collections, by how they ended.",
		}, []string{"result"}),
		copies: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gantry_registry_copies_total", Help: "Tries to copy a saved image, by how they ended.",
		}, []string{"result"}),
	}
	// There from the start: an increase from nothing to the first failure would alert nobody.
	for _, result := range []string{"done", "failed"} {
		m.collections.WithLabelValues(result)
	}
	m.registry.MustRegister(m.tokens, m.tokenSeconds, m.sweepSeconds, m.sweptTags, m.collections, m.copies)
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
