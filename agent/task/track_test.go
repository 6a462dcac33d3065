package task

import (
	"fmt"
	"strings"
	"syscall"
	"testing"
	"time"
)

// beside starts an agent beside a worker of this rank.
func beside(t *testing.T, rank int, grace time.Duration) *pod {
	t.Helper()
	p := newPod(t)
	p.begins([]string{p.binary, "-track", fmt.Sprint(rank), grace.String()})
	return p
}

func (p *pod) runID() string { return digest(token)[:32] }

// tracks is a call of an MLflow client; RUN in it is the run's id.
func (p *pod) tracks(method, path, body string) reply {
	put := func(text string) string { return strings.ReplaceAll(text, "RUN", p.runID()) }
	return send(method, "http://"+p.ask+put(path), "", put(body))
}

// logs has each metric named after its number.
func (p *pod) logs(numbers ...int) {
	p.Helper()
	for _, number := range numbers {
		got := p.tracks("POST", logMetric, fmt.Sprintf(`{"run_id":"RUN","key":"m%d","value":1,"step":%d}`, number, number))
		if got.status != 200 {
			p.Fatalf("%d: %d %q %v", number, got.status, got.body, got.err)
		}
	}
}

func (p *pod) isTold() {
	p.Helper()
	must(p, p.process.Process.Signal(syscall.SIGTERM))
}

func TestTheCallsOfAProgramReachTheGateway(t *testing.T) {
	p := beside(t, 0, time.Minute)
	for _, call := range wire {
		if got := p.tracks(call[0], call[1], call[2]); got.status != 200 {
			t.Errorf("%s %s: %d %q %v", call[0], call[1], got.status, got.body, got.err)
		}
	}
	if got := send("GET", p.gateway+"/journal", "Bearer another", ""); got.status != 401 {
		t.Errorf("another token: %+v", got)
	}
	if got := p.tracks("POST", chat, `{}`); got.status != 404 || !strings.Contains(got.body, "RESOURCE_DOES_NOT_EXIST") {
		t.Errorf("a call of a model: %+v", got)
	}
	said := p.reads(func(said told) bool { return len(said.Lines) == 9 })
	if first := said.Lines[1].Line; first["type"] != "param" || first["name"] != "lr" || first["value"] != "0.001" {
		t.Errorf("lines: %+v", said.Lines)
	}
}

func TestItEndsOnceItsLinesAreTaken(t *testing.T) {
	p := beside(t, 0, time.Minute)
	p.logs(1, 2)
	p.isTold()
	if said := p.reads(never); len(said.Lines) != 2 || *said.Over != (end{}) {
		t.Errorf("%+v", said)
	}
	p.call("GET", "/journal", "", "after", "2")
	p.endsWith(0)
}

func TestItEndsWithoutAGateway(t *testing.T) {
	p := beside(t, 0, 50*time.Millisecond)
	p.logs(1)
	p.isTold()
	p.endsWith(0)
}

func TestItEndsAtOnceWithoutLines(t *testing.T) {
	p := beside(t, 0, time.Hour)
	p.isTold()
	p.endsWith(0)
}

func TestOtherWorkersAreAnsweredAndSayNothing(t *testing.T) {
	p := beside(t, 3, time.Hour)
	p.logs(1, 2)
	if got := p.tracks("POST", logMetric, `{"run_id":"RUN","key":"m","value":"NaN"}`); got.status != 400 {
		t.Errorf("what the first worker is refused: %+v", got)
	}
	if said := understood[told](t, p.call("GET", "/journal", "")); len(said.Lines) != 0 || said.Refused != 0 {
		t.Errorf("%+v", said)
	}
	p.isTold()
	p.endsWith(0)
}

func TestAProgramGoesOnWhereNobodyFetches(t *testing.T) {
	j := newJournal()
	j.drops = true
	made := newTracking("bb", j, 1)
	made.pause = noPause
	batch := `{"run_id":"bb","metrics":[` + strings.TrimSuffix(strings.Repeat(`{"key":"m","value":1},`, mostBatchMetrics), ",") + `]}`
	for range mostHeld/mostBatchMetrics + 1 {
		body, err := object([]byte(batch))
		must(t, err)
		_, err = made.post("log-batch", body)
		must(t, err)
	}
	if len(j.entries) != mostHeld || j.refused != mostBatchMetrics {
		t.Errorf("%d lines are held, %d are counted as dropped", len(j.entries), j.refused)
	}
}

func TestTrackOptionsThatAreRefused(t *testing.T) {
	for name, options := range map[string]TrackOptions{
		"--door":   {Door: "x"},
		"--listen": {Door: digest(token), Listen: "nowhere"},
		"--ask":    {Door: digest(token), Listen: "127.0.0.1:0", Ask: "0.0.0.0:0"},
	} {
		if err := Track(options); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
