package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"net/http"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

const (
	trackingRoot = "/api/2.0/mlflow"
	artifactRoot = "/api/2.0/mlflow-artifacts/artifacts/"
	// Names of each sort in one run; MLflow's own limits of a batch and of a name.
	mostTracked      = 256
	mostBatchMetrics = 1000
	mostBatchTexts   = 100
	mostTrackingBody = 1 << 20
	// Of an artifact: it is read to its end, so that the client gets its answer, and dropped.
	mostArtifact = 64 << 20
	experiment   = "0"
)

var trackedName = regexp.MustCompile(`^[A-Za-z0-9_./: -]{1,250}$`)

// tracking takes MLflow's tracking calls of the worker and makes lines of the journal of them, by the same rules as the worker's own:
// `param`, `tag`, `metric` and `artifact`. A Pod has one run, whatever a client creates.
type tracking struct {
	// 32 hex digits, as MLflow's ids are.
	run     string
	journal *journal
	pause   func(time.Duration)
	places  chan struct{}

	mu     sync.Mutex
	pace   pace
	status string
	params map[string]string
	tags   map[string]string
	// The last value of each.
	metrics   map[string]metric
	artifacts map[string]bool
}

type metric struct {
	Key       string  `json:"key"`
	Value     float64 `json:"value"`
	Timestamp int64   `json:"timestamp"`
	Step      int64   `json:"step"`
}

type pair struct {
	Key   string `json:"key"`
	Value string `json:"value"`
}

// logged is what one call logs, understood as a whole before any of it is written.
type logged struct {
	params, tags []pair
	metrics      []metric
}

// newTracking takes so many calls at once: the body of each is in memory.
func newTracking(run string, journal *journal, atOnce int) *tracking {
	return &tracking{
		run: run, journal: journal, pause: journal.pause, places: make(chan struct{}, atOnce), pace: pace{perSecond: linesPerSecond},
		status: "RUNNING", params: map[string]string{}, tags: map[string]string{}, metrics: map[string]metric{}, artifacts: map[string]bool{},
	}
}

// Statuses of MLflow's; what else a client says of a run changes nothing.
var trackedStatus = map[string]bool{"RUNNING": true, "SCHEDULED": true, "FINISHED": true, "FAILED": true, "KILLED": true}

func isTracking(path string) bool {
	return strings.HasPrefix(path, trackingRoot+"/") || strings.HasPrefix(path, artifactRoot)
}

func (t *tracking) ServeHTTP(w http.ResponseWriter, q *http.Request) {
	var answer any
	err := error(refusal{http.StatusTooManyRequests, fmt.Sprintf("More than %d calls are under way; try again.", cap(t.places))})
	select {
	case t.places <- struct{}{}:
		defer func() { <-t.places }()
		answer, err = t.answer(w, q)
	default:
	}
	if err == nil {
		_ = writeJSON(w, answer)
		return
	}
	var no refusal
	if !errors.As(err, &no) {
		no = refusal{http.StatusBadRequest, "The call " + err.Error() + "."}
	}
	text, _ := compact(map[string]any{"error_code": trackingCodes[no.status], "message": no.sentence})
	_ = write(w, "application/json", no.status, text, workerWithin)
}

var trackingCodes = map[int]string{
	http.StatusBadRequest: "INVALID_PARAMETER_VALUE", http.StatusNotFound: "RESOURCE_DOES_NOT_EXIST",
	http.StatusTooManyRequests: "REQUEST_LIMIT_EXCEEDED", http.StatusRequestEntityTooLarge: "INVALID_PARAMETER_VALUE",
}

func (t *tracking) answer(w http.ResponseWriter, q *http.Request) (any, error) {
	if path, isArtifact := strings.CutPrefix(q.URL.Path, artifactRoot); isArtifact && q.Method == http.MethodPut {
		return struct{}{}, t.takeArtifact(w, q, path)
	}
	switch call := q.Method + " " + strings.TrimPrefix(q.URL.Path, trackingRoot); call {
	case "GET /experiments/get-by-name", "GET /experiments/get":
		return map[string]any{"experiment": map[string]any{
			"experiment_id": experiment, "name": "Default", "lifecycle_stage": "active", "artifact_location": "mlflow-artifacts:/" + experiment,
		}}, nil
	case "GET /runs/get":
		query := q.URL.Query()
		if err := t.isRun(orElse(query.Get("run_id"), query.Get("run_uuid"))); err != nil {
			return nil, err
		}
		return t.told(), nil
	case "POST /runs/create", "POST /runs/update", "POST /runs/log-parameter", "POST /runs/log-metric", "POST /runs/log-batch", "POST /runs/set-tag":
		body, err := trackingBody(w, q)
		if err != nil {
			return nil, err
		}
		return t.post(strings.TrimPrefix(call, "POST /runs/"), body)
	}
	return nil, refusal{http.StatusNotFound, "Here MLflow's calls are taken of runs (create, get, update, log-parameter, log-metric, log-batch, set-tag) and experiments/get-by-name, and no others."}
}

func trackingBody(w http.ResponseWriter, q *http.Request) (map[string]json.RawMessage, error) {
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(workerWithin))
	raw, err := io.ReadAll(http.MaxBytesReader(w, q.Body, mostTrackingBody))
	var tooLong *http.MaxBytesError
	if errors.As(err, &tooLong) {
		return nil, refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("The body must be at most %d bytes long.", mostTrackingBody)}
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Time{})
	body, bad := object(raw)
	if err != nil || bad != nil || !utf8.Valid(raw) {
		return nil, refusal{http.StatusBadRequest, "The body must be a JSON object in UTF-8; NaN and Infinity are no JSON."}
	}
	return body, nil
}

func (t *tracking) post(call string, body map[string]json.RawMessage) (any, error) {
	if call != "create" {
		id, err := textIn(body, "run_id")
		if err != nil || id == "" {
			id, err = textIn(body, "run_uuid")
		}
		if err == nil {
			err = t.isRun(id)
		}
		if err != nil {
			return nil, err
		}
	}
	said, err := readLogged(call, body)
	if err == nil {
		err = t.log(said)
	}
	if err != nil {
		return nil, err
	}
	switch call {
	case "create":
		return t.told(), nil
	case "update":
		status, err := textIn(body, "status")
		if err != nil {
			return nil, err
		}
		t.mu.Lock()
		defer t.mu.Unlock()
		if status != "" && trackedStatus[status] {
			t.status = status
		}
		return map[string]any{"run_info": t.info()}, nil
	}
	return struct{}{}, nil
}

// readLogged understands what a call logs; nothing is written where any of it is refused.
func readLogged(call string, body map[string]json.RawMessage) (said logged, err error) {
	whole, err := json.Marshal(body)
	if err != nil {
		return said, err
	}
	one := []json.RawMessage{whole}
	var params, tags, metrics []json.RawMessage
	switch call {
	case "create":
		tags, err = listIn(body, "tags", mostBatchTexts)
	case "log-parameter":
		params = one
	case "set-tag":
		tags = one
	case "log-metric":
		metrics = one
	case "log-batch":
		var errs [3]error
		params, errs[0] = listIn(body, "params", mostBatchTexts)
		tags, errs[1] = listIn(body, "tags", mostBatchTexts)
		metrics, errs[2] = listIn(body, "metrics", mostBatchMetrics)
		err = errors.Join(errs[:]...)
	}
	if err != nil {
		return said, err
	}
	if said.params, err = each(params, func(raw json.RawMessage) (pair, error) { return readPair("parameter", raw) }); err != nil {
		return said, err
	}
	if said.tags, err = each(tags, func(raw json.RawMessage) (pair, error) { return readPair("tag", raw) }); err != nil {
		return said, err
	}
	said.metrics, err = each(metrics, readMetric)
	return said, err
}

func each[T any](raws []json.RawMessage, read func(json.RawMessage) (T, error)) ([]T, error) {
	found := make([]T, 0, len(raws))
	for _, raw := range raws {
		one, err := read(raw)
		if err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, nil
}

func readPair(what string, raw json.RawMessage) (pair, error) {
	fields, err := object(raw)
	if err != nil {
		return pair{}, refusal{http.StatusBadRequest, "A " + what + " must be an object with key and value."}
	}
	name, err := nameIn(what, fields)
	if err != nil {
		return pair{}, err
	}
	value, err := text(orNull(fields["value"], `""`))
	if err != nil {
		return pair{}, refusal{http.StatusBadRequest, fmt.Sprintf("The %s %q must have a text of at most %d bytes as its value.", what, name, mostText)}
	}
	return pair{name, value.(string)}, nil
}

func readMetric(raw json.RawMessage) (metric, error) {
	fields, err := object(raw)
	if err != nil {
		return metric{}, refusal{http.StatusBadRequest, "A metric must be an object with key, value, timestamp and step."}
	}
	name, err := nameIn("metric", fields)
	if err != nil {
		return metric{}, err
	}
	value, err := numberIn(fields, "value")
	if err != nil || math.IsNaN(value) || math.IsInf(value, 0) {
		return metric{}, refusal{http.StatusBadRequest, fmt.Sprintf("The metric %q is no finite number: NaN and Infinity are refused.", name)}
	}
	at := map[string]int64{}
	for _, field := range []string{"timestamp", "step"} {
		number, err := numberIn(fields, field)
		if err != nil || number != math.Trunc(number) || number < 0 || number > mostCount {
			return metric{}, refusal{http.StatusBadRequest, fmt.Sprintf("The metric %q: %s must be a whole number from 0 on.", name, field)}
		}
		at[field] = int64(number)
	}
	return metric{name, value, at["timestamp"], at["step"]}, nil
}

func nameIn(what string, fields map[string]json.RawMessage) (string, error) {
	name, err := textIn(fields, "key")
	if err != nil || !trackedName.MatchString(name) {
		return "", refusal{http.StatusBadRequest, "The key of a " + what + " must be 1 to 250 letters, digits, blanks and _ - . / : of ASCII."}
	}
	return name, nil
}

// textIn is empty where the field is absent.
func textIn(fields map[string]json.RawMessage, name string) (string, error) {
	var value string
	if raw := fields[name]; !isAbsent(raw) && json.Unmarshal(raw, &value) != nil {
		return "", refusal{http.StatusBadRequest, name + " must be a text."}
	}
	return value, nil
}

// numberIn is 0 where the field is absent. A text is as protobuf's JSON has numbers: NaN and Infinity by name, and int64.
func numberIn(fields map[string]json.RawMessage, name string) (value float64, err error) {
	raw := fields[name]
	switch {
	case isAbsent(raw):
		return 0, nil
	case raw[0] == '"':
		var said string
		if err = json.Unmarshal(raw, &said); err == nil && len(said) <= 32 {
			return strconv.ParseFloat(said, 64)
		}
		return 0, errors.Join(err, errors.New("is no number"))
	}
	err = json.Unmarshal(raw, &value)
	return value, err
}

func listIn(fields map[string]json.RawMessage, name string, most int) (found []json.RawMessage, err error) {
	raw := fields[name]
	if isAbsent(raw) {
		return nil, nil
	}
	if json.Unmarshal(raw, &found) != nil || len(found) > most {
		return nil, refusal{http.StatusBadRequest, fmt.Sprintf("%s must be a list of at most %d.", name, most)}
	}
	return found, nil
}

func orElse(value, other string) string {
	if value == "" {
		return other
	}
	return value
}

func orNull(raw json.RawMessage, other string) json.RawMessage {
	if isAbsent(raw) {
		return json.RawMessage(other)
	}
	return raw
}

func (t *tracking) isRun(id string) error {
	if id == t.run {
		return nil
	}
	return refusal{http.StatusNotFound, "This Pod has no such run."}
}

// log writes what there is room for as a whole: a call is refused before the first of its lines, or waits as the worker does at its pipe.
func (t *tracking) log(said logged) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if err := t.hasRoom(said); err != nil {
		return err
	}
	for _, one := range said.params {
		if _, isKnown := t.params[one.Key]; isKnown {
			continue
		}
		if err := t.write(map[string]any{"type": "param", "name": one.Key, "value": one.Value}); err != nil {
			return err
		}
		t.params[one.Key] = one.Value
	}
	for _, one := range said.tags {
		if before, isKnown := t.tags[one.Key]; isKnown && before == one.Value {
			continue
		}
		if err := t.write(map[string]any{"type": "tag", "name": one.Key, "value": one.Value}); err != nil {
			return err
		}
		t.tags[one.Key] = one.Value
	}
	for _, one := range said.metrics {
		line := map[string]any{"type": "metric", "name": one.Key, "value": one.Value, "step": one.Step, "time": one.Timestamp}
		if err := t.write(line); err != nil {
			return err
		}
		t.metrics[one.Key] = one
	}
	return nil
}

func (t *tracking) hasRoom(said logged) error {
	news := map[string]map[string]bool{"parameters": {}, "tags": {}, "metrics": {}}
	for _, one := range said.params {
		before, isKnown := t.params[one.Key]
		if isKnown && before != one.Value {
			return refusal{http.StatusBadRequest, fmt.Sprintf("The parameter %q was logged before with another value.", one.Key)}
		}
		news["parameters"][one.Key] = !isKnown
	}
	for _, one := range said.tags {
		_, isKnown := t.tags[one.Key]
		news["tags"][one.Key] = !isKnown
	}
	for _, one := range said.metrics {
		_, isKnown := t.metrics[one.Key]
		news["metrics"][one.Key] = !isKnown
	}
	have := map[string]int{"parameters": len(t.params), "tags": len(t.tags), "metrics": len(t.metrics)}
	for what, names := range news {
		for _, isNew := range names {
			if isNew {
				have[what]++
			}
		}
		if have[what] > mostTracked {
			return refusal{http.StatusBadRequest, fmt.Sprintf("A run has at most %d %s.", mostTracked, what)}
		}
	}
	return nil
}

// write is called with the lock held: lines of one call stay together.
func (t *tracking) write(line map[string]any) error {
	raw, err := compact(line)
	if err != nil {
		return err
	}
	t.pause(t.pace.wait(time.Now()))
	err = t.journal.take(raw, time.Now())
	if errors.Is(err, errNoRoom) {
		// The program goes on: it can do nothing about a gateway that is away.
		t.journal.refuse(err)
		return nil
	}
	return err
}

// takeArtifact notes name and size. The bytes are dropped: what is kept, the worker names on its own descriptor.
func (t *tracking) takeArtifact(w http.ResponseWriter, q *http.Request, path string) error {
	name, isOurs := strings.CutPrefix(path, experiment+"/"+t.run+"/artifacts/")
	if !isOurs || !fs.ValidPath(name) || len(name) > mostPath || !utf8.ValidString(name) {
		return refusal{http.StatusBadRequest, fmt.Sprintf("An artifact must be a path of at most %d bytes of this Pod's run.", mostPath)}
	}
	_ = http.NewResponseController(w).SetReadDeadline(time.Now().Add(workerWithin))
	bytes, err := io.Copy(io.Discard, http.MaxBytesReader(w, q.Body, mostArtifact))
	var tooLong *http.MaxBytesError
	switch {
	case errors.As(err, &tooLong):
		return refusal{http.StatusRequestEntityTooLarge, fmt.Sprintf("An artifact must be at most %d bytes long.", mostArtifact)}
	case err != nil:
		return refusal{http.StatusBadRequest, "The body broke off."}
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	if !t.artifacts[name] && len(t.artifacts) == mostTracked {
		return refusal{http.StatusBadRequest, fmt.Sprintf("A run has at most %d artifacts.", mostTracked)}
	}
	err = t.write(map[string]any{"type": "artifact", "name": name, "size": bytes})
	t.artifacts[name] = t.artifacts[name] || err == nil
	return err
}

// info is called with the lock held.
func (t *tracking) info() map[string]any {
	return map[string]any{
		"run_id": t.run, "run_uuid": t.run, "experiment_id": experiment, "run_name": "run", "status": t.status, "lifecycle_stage": "active",
		"artifact_uri": "mlflow-artifacts:/" + experiment + "/" + t.run + "/artifacts",
	}
}

func (t *tracking) told() map[string]any {
	t.mu.Lock()
	defer t.mu.Unlock()
	pairs := func(of map[string]string) []pair {
		found := make([]pair, 0, len(of))
		for key, value := range of {
			found = append(found, pair{key, value})
		}
		return found
	}
	last := make([]metric, 0, len(t.metrics))
	for _, one := range t.metrics {
		last = append(last, one)
	}
	return map[string]any{"run": map[string]any{
		"info": t.info(), "data": map[string]any{"params": pairs(t.params), "tags": pairs(t.tags), "metrics": last},
	}}
}
