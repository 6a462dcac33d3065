package task

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

const (
	logMetric = trackingRoot + "/runs/log-metric"
	logBatch  = trackingRoot + "/runs/log-batch"
)

func (b *bench) runID() string { return b.task.outside.boot + b.task.outside.boot }

// tracks is a call of an MLflow client; RUN in it is the run's id.
func (b *bench) tracks(method, path, body string) reply {
	put := func(text string) string { return strings.ReplaceAll(text, "RUN", b.runID()) }
	return send(method, b.worker+put(path), "", put(body))
}

func (b *bench) lines() (lines []map[string]any) {
	b.Helper()
	for _, one := range understood[told](b, b.call("GET", "/journal", "")).Lines {
		lines = append(lines, one.Line)
	}
	return lines
}

// What mlflow-skinny 3.17.2 sent for set_experiment, start_run, log_param, log_params, log_metric, log_metrics, set_tag and log_text.
var wire = [][3]string{
	{"GET", trackingRoot + "/experiments/get-by-name?experiment_name=Default", ``},
	{"POST", trackingRoot + "/runs/create", `{"experiment_id": "0", "user_id": "root", "run_name": "mine", "start_time": 1796067932954, "tags": [{"key": "mlflow.user", "value": "root"}]}`},
	{"POST", trackingRoot + "/runs/log-parameter", `{"run_uuid": "RUN", "key": "lr", "value": "0.001", "run_id": "RUN"}`},
	{"POST", logBatch, `{"run_id": "RUN", "params": [{"key": "batch", "value": "8"}, {"key": "optimizer", "value": "adamw"}]}`},
	{"POST", logMetric, `{"run_uuid": "RUN", "key": "loss", "value": 1.25, "timestamp": 1796067932990, "step": 1, "run_id": "RUN"}`},
	{"POST", logBatch, `{"run_id": "RUN", "metrics": [{"key": "loss", "value": 1.0, "timestamp": 1796067932998, "step": 2, "run_id": "RUN"}, {"key": "eval/accuracy", "value": 0.5, "timestamp": 1796067932998, "step": 2, "run_id": "RUN"}]}`},
	{"POST", trackingRoot + "/runs/set-tag", `{"run_uuid": "RUN", "key": "note", "value": "first", "run_id": "RUN"}`},
	{"GET", trackingRoot + "/runs/get?run_uuid=RUN&run_id=RUN", ``},
	{"PUT", artifactRoot + "0/RUN/artifacts/notes/hello.txt", `hello`},
	{"POST", trackingRoot + "/runs/update", `{"run_uuid": "RUN", "status": "FINISHED", "end_time": 1796067933056, "run_id": "RUN"}`},
}

func TestTheCallsOfAnMLflowClientBecomeLines(t *testing.T) {
	b := newBench(t)
	for _, call := range wire {
		if got := b.tracks(call[0], call[1], call[2]); got.status != 200 {
			t.Errorf("%s %s: %d %q %v", call[0], call[1], got.status, got.body, got.err)
		}
	}
	// Again, as clients do whose connection broke off: what says nothing new is no line.
	b.wants("a parameter again", b.tracks(wire[2][0], wire[2][1], wire[2][2]), 200, "{}")
	b.wants("a tag again", b.tracks(wire[6][0], wire[6][1], wire[6][2]), 200, "{}")
	want := []string{
		"map[name:mlflow.user type:tag value:root]", "map[name:lr type:param value:0.001]", "map[name:batch type:param value:8]",
		"map[name:optimizer type:param value:adamw]", "map[name:loss step:1 time:1.79606793299e+12 type:metric value:1.25]",
		"map[name:loss step:2 time:1.796067932998e+12 type:metric value:1]", "map[name:eval/accuracy step:2 time:1.796067932998e+12 type:metric value:0.5]",
		"map[name:note type:tag value:first]", "map[name:notes/hello.txt size:5 type:artifact]",
	}
	if got := b.lines(); fmt.Sprint(got) != "["+strings.Join(want, " ")+"]" {
		t.Errorf("lines: %v", got)
	}
	run := understood[struct {
		Run struct {
			Info struct {
				Run_id, Status, Artifact_uri string
			}
			Data struct {
				Params, Tags []pair
				Metrics      []metric
			}
		}
	}](t, b.tracks("GET", trackingRoot+"/runs/get?run_id=RUN", "")).Run
	if run.Info.Run_id != b.runID() || run.Info.Status != "FINISHED" || len(run.Data.Params) != 3 || len(run.Data.Tags) != 2 || len(run.Data.Metrics) != 2 {
		t.Errorf("the run: %+v", run)
	}
}

func TestMLflowCallsThatAreRefused(t *testing.T) {
	b := newBench(t)
	b.wants("a parameter", b.tracks("POST", trackingRoot+"/runs/log-parameter", `{"run_id":"RUN","key":"lr","value":"1"}`), 200, "{}")
	metric := func(field string) string { return `{"run_id":"RUN","key":"loss","step":1,` + field + `}` }
	many := func(of string, n int) string {
		return strings.TrimSuffix(strings.Repeat(of+",", n), ",")
	}
	for name, row := range map[string]struct {
		path, body string
		status     int
		says       string
	}{
		"NaN":                          {logMetric, metric(`"value":"NaN"`), 400, `metric \"loss\" is no finite number: NaN and Infinity are refused`},
		"Infinity":                     {logMetric, metric(`"value":"Infinity"`), 400, "NaN and Infinity are refused"},
		"less than Infinity":           {logMetric, metric(`"value":"-Infinity"`), 400, "NaN and Infinity are refused"},
		"too large a number":           {logMetric, metric(`"value":1e999`), 400, "NaN and Infinity are refused"},
		"too large a text":             {logMetric, metric(`"value":"1e999"`), 400, "NaN and Infinity are refused"},
		"NaN that is no JSON":          {logMetric, metric(`"value":NaN`), 400, "NaN and Infinity are no JSON"},
		"a text as a value":            {logMetric, metric(`"value":"much"`), 400, "no finite number"},
		"a list as a value":            {logMetric, metric(`"value":[1]`), 400, "no finite number"},
		"a step below 0":               {logMetric, `{"run_id":"RUN","key":"loss","value":1,"step":-1}`, 400, "step must be a whole number"},
		"half a step":                  {logMetric, `{"run_id":"RUN","key":"loss","value":1,"step":0.5}`, 400, "step must be a whole number"},
		"a step beyond all":            {logMetric, `{"run_id":"RUN","key":"loss","value":1,"step":1e300}`, 400, "step must be a whole number"},
		"no name":                      {logMetric, `{"run_id":"RUN","value":1}`, 400, "key of a metric"},
		"a long name":                  {logMetric, `{"run_id":"RUN","value":1,"key":"` + strings.Repeat("a", 251) + `"}`, 400, "key of a metric"},
		"a name with control letters":  {logMetric, `{"run_id":"RUN","value":1,"key":"a\u001b[2J"}`, 400, "key of a metric"},
		"a long value":                 {trackingRoot + "/runs/log-parameter", `{"run_id":"RUN","key":"p","value":"` + strings.Repeat("a", 1025) + `"}`, 400, "at most 1024 bytes"},
		"a parameter with other value": {trackingRoot + "/runs/log-parameter", `{"run_id":"RUN","key":"lr","value":"2"}`, 400, "with another value"},
		"another run":                  {logMetric, `{"run_id":"` + strings.Repeat("a", 32) + `","key":"loss","value":1}`, 404, "no such run"},
		"no run":                       {logMetric, `{"key":"loss","value":1}`, 404, "no such run"},
		"another call":                 {trackingRoot + "/runs/search", `{}`, 404, "RESOURCE_DOES_NOT_EXIST"},
		"a call around":                {trackingRoot + "/../mlflow/runs/create", `{}`, 404, ""},
		"no object":                    {logMetric, `[]`, 400, "JSON object"},
		"deep nesting":                 {logMetric, strings.Repeat(`{"a":`, 20000), 400, "JSON object"},
		"a long body":                  {logMetric, `{"a":"` + strings.Repeat("a", mostTrackingBody) + `"}`, 413, "1048576 bytes"},
		"a batch of too many":          {logBatch, `{"run_id":"RUN","metrics":[` + many(`{"key":"m","value":1}`, 1001) + `]}`, 400, "at most 1000"},
		"parameters of too many":       {logBatch, `{"run_id":"RUN","params":[` + many(`{"key":"m","value":"1"}`, 101) + `]}`, 400, "at most 100"},
		"a batch that is no list":      {logBatch, `{"run_id":"RUN","metrics":{}}`, 400, "must be a list"},
		"a batch with one that is NaN": {logBatch, `{"run_id":"RUN","params":[{"key":"p","value":"1"}],"metrics":[{"key":"m","value":1},{"key":"n","value":"NaN"}]}`, 400, `metric \"n\"`},
	} {
		b.wants(name, b.tracks("POST", row.path, row.body), row.status, row.says)
	}
	for name, path := range map[string]string{
		"of another run": "0/" + strings.Repeat("a", 32) + "/artifacts/a", "around": "0/RUN/artifacts/%2e%2e/a", "of no name": "0/RUN/artifacts/",
		"of a long name": "0/RUN/artifacts/" + strings.Repeat("a", mostPath+1),
	} {
		b.wants("an artifact "+name, b.tracks("PUT", artifactRoot+path, "x"), 400, "must be a path")
	}
	// Nothing of what was refused is a line.
	if got := b.lines(); len(got) != 1 {
		t.Errorf("lines: %v", got)
	}
}

func TestARunHasSoManyNames(t *testing.T) {
	b := newBench(t)
	b.task.journal.pause(0)
	for at := range mostTracked {
		b.task.journal.keep(b.task.journal.last)
		b.wants("a metric", b.tracks("POST", logMetric, fmt.Sprintf(`{"run_id":"RUN","key":"m%d","value":1}`, at)), 200, "{}")
	}
	b.wants("one more", b.tracks("POST", logMetric, `{"run_id":"RUN","key":"more","value":1}`), 400, "at most 256 metrics")
	b.wants("one that is known", b.tracks("POST", logMetric, `{"run_id":"RUN","key":"m0","value":2}`), 200, "{}")
}

func TestACallAfterTheEndIsNoLine(t *testing.T) {
	b := newBench(t)
	b.task.journal.finish(end{})
	b.wants("a metric", b.tracks("POST", logMetric, `{"run_id":"RUN","key":"loss","value":1}`), 400, "after the end")
	if _, isFetched, _ := b.task.journal.state(); !isFetched {
		t.Error("a line that nobody will fetch keeps the Pod")
	}
}

// FuzzTracking: whatever a client sends, each line is one that the worker could have written, and is finite and bounded.
func FuzzTracking(f *testing.F) {
	for _, call := range wire {
		f.Add(strings.TrimPrefix(call[1], trackingRoot+"/runs/"), strings.ReplaceAll(call[2], "RUN", "bb"))
	}
	f.Add("log-metric", `{"run_id":"bb","key":"loss","value":"NaN","step":"7"}`)
	f.Add("log-batch", `{"run_id":"bb","metrics":[{"key":"a","value":1e308},null,{"key":"\u0000"}],"tags":[{}]}`)
	f.Fuzz(func(t *testing.T, call, said string) {
		body, err := object([]byte(said))
		if err != nil {
			t.Skip()
		}
		j := newJournal()
		made := newTracking("bb", j, 1)
		// Without pauses: a second's worth of lines is let through at once.
		made.pause = func(wait time.Duration) {}
		_, err = made.post(call, body)
		for _, entry := range j.entries {
			line := strings.TrimSuffix(strings.SplitN(string(entry.text), `"line":`, 2)[1], "}")
			check(t, []byte(line))
		}
		if err != nil && len(j.entries) > 0 {
			t.Fatalf("%q is refused (%v) after %d lines", said, err, len(j.entries))
		}
		if len(made.metrics) > mostTracked || len(made.params) > mostTracked || len(made.tags) > mostTracked {
			t.Fatal("more names than there may be")
		}
	})
}
