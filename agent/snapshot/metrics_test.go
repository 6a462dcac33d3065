package snapshot

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// Prometheus counts an increase from what it has seen, and would miss the first attempt that failed.
func TestRetriesAreMeasuredBeforeThereAreAny(t *testing.T) {
	answer := httptest.NewRecorder()
	newMetrics().handler().ServeHTTP(answer, httptest.NewRequest("GET", "/metrics", nil))
	for _, of := range subjects {
		if line := `gantry_agent_retries_total{of="` + of + `"} 0`; !strings.Contains(answer.Body.String(), line) {
			t.Errorf("%s is missing", line)
		}
	}
}
