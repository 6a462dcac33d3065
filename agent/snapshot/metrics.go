package snapshot

import (
	"net/http"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promhttp"
)

// metrics of one agent; a separate registry, without the default metrics.
type metrics struct {
	registry       *prometheus.Registry
	saves, retries *prometheus.CounterVec
	seconds        *prometheus.HistogramVec
	bytes          prometheus.Counter
	kept           prometheus.Gauge
	modelBytes     prometheus.Gauge
}

func newMetrics() *metrics {
	m := &metrics{
		registry: prometheus.NewRegistry(),
		saves: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gantry_agent_saves_total", Help: "Snapshots that came to an end, by what they are of and how they ended.",
		}, []string{"of", "phase"}),
		retries: prometheus.NewCounterVec(prometheus.CounterOpts{
			Name: "gantry_agent_retries_total", Help: "Attempts that failed and are made again.",
		}, []string{"of"}),
		seconds: prometheus.NewHistogramVec(prometheus.HistogramOpts{
			Name: "gantry_agent_save_seconds", Help: "From the beginning of the attempt that succeeded to the image read back.",
			Buckets: []float64{0.1, 0.3, 1, 3, 10, 30, 100, 300, 1000, 3000},
		}, []string{"of"}),
		bytes: prometheus.NewCounter(prometheus.CounterOpts{
			Name: "gantry_agent_sent_bytes_total", Help: "Compressed bytes of layers sent to the registry, those of failed attempts too.",
		}),
		kept: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "gantry_agent_kept_containers", Help: "Containers whose changes the agent holds on to.",
		}),
		modelBytes: prometheus.NewGauge(prometheus.GaugeOpts{
			Name: "gantry_agent_model_cache_bytes", Help: "Files of models that the node keeps for the next replicas.",
		}),
	}
	// From the start, or the alert about them would not see the first.
	for _, of := range subjects {
		m.retries.WithLabelValues(of)
	}
	m.registry.MustRegister(m.saves, m.retries, m.seconds, m.bytes, m.kept, m.modelBytes)
	return m
}

func (m *metrics) handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{})
}
