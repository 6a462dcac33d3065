package task

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

const chat = "/v1/chat/completions"

type asked struct {
	Asks []struct {
		ID                      int64
		Key, Method, Path, Body string
	}
}

// asks starts a call of the worker.
func (b *bench) asks(path, body string, headers ...string) <-chan reply {
	got := make(chan reply, 1)
	go func() { got <- send("POST", b.worker+path, "", body, headers...) }()
	return got
}

func (b *bench) waits(n int) {
	b.Helper()
	eventually(b, fmt.Sprintf("%d asks to wait", n), func() bool {
		asks, _ := b.task.outside.relay.page(0, mostAsks)
		return len(asks) == n
	})
}

func TestAnAskIsAnswered(t *testing.T) {
	b := newBench(t)
	polled := make(chan reply, 1)
	go func() { polled <- b.call("GET", "/ask", "") }()
	eventually(t, "the gateway to wait", func() bool { return len(b.task.outside.places) == 1 })
	body := ` {"model":"m", "input":["é\u0000<"]} `
	got := b.asks("/v1/embeddings", body, "Gantry-Unit", hash+"/3")
	asks := understood[asked](t, <-polled).Asks
	if len(asks) != 1 || asks[0].ID != 1 || asks[0].Key != hash+"/3" || asks[0].Method != "POST" || asks[0].Path != "/v1/embeddings" || asks[0].Body != body {
		t.Fatalf("asked: %+v", asks)
	}
	b.wants("the answer", b.call("PUT", "/answer", `{"data":[]}`, "id", "1", "status", "200"), 204, "")
	b.wants("what the worker gets", <-got, 200, `{"data":[]}`)
	b.wants("a second answer", b.call("PUT", "/answer", `{}`, "id", "1", "status", "200"), 404, "nobody waits")
	// What is no success is the worker's too.
	got = b.asks(chat, `{}`)
	b.waits(1)
	b.wants("a refusal", b.call("PUT", "/answer", `{"error":{"message":"slower"}}`, "id", "2", "status", "429"), 204, "")
	b.wants("what the worker gets of it", <-got, 429, "slower")
}

func TestAsksThatAreRefused(t *testing.T) {
	b := newBench(t)
	for name, row := range map[string]struct {
		got    reply
		status int
		says   string
	}{
		"another path":      {<-b.asks("/v1/models", `{}`), 404, "can call POST /v1/chat/completions"},
		"the gateway's":     {<-b.asks("/over", `{}`), 404, "can call"},
		"a path around":     {<-b.asks("/v1/../v1/chat/completions", `{}`), 404, "can call"},
		"another method":    {send("GET", b.worker+chat, "", ""), 404, "can call"},
		"health":            {send("GET", b.worker+"/healthz", "", ""), 404, "can call"},
		"a stream":          {<-b.asks(chat, `{"stream":true}`), 400, "stream must be false"},
		"a stream of sorts": {<-b.asks(chat, `{"stream":1}`), 400, "stream must be false"},
		"the last stream":   {<-b.asks(chat, `{"stream":false,"stream":true}`), 400, "stream must be false"},
		"no body":           {<-b.asks(chat, ``), 400, "JSON object"},
		"no object":         {<-b.asks(chat, `[]`), 400, "JSON object"},
		"no JSON":           {<-b.asks(chat, `{"a":NaN}`), 400, "JSON object"},
		"no text":           {<-b.asks(chat, "{\"a\":\"\xff\"}"), 400, "JSON object"},
		"deep nesting":      {<-b.asks(chat, strings.Repeat(`{"a":`, 20000)), 400, "JSON object"},
		"a long body":       {<-b.asks(chat, `{"a":"`+strings.Repeat("a", mostAskBytes)+`"}`), 413, "1048576 bytes"},
		"a key that is not": {<-b.asks(chat, `{}`, "Gantry-Unit", hash), 400, "Gantry-Unit"},
		"a negative call":   {<-b.asks(chat, `{}`, "Gantry-Unit", hash+"/-1"), 400, "Gantry-Unit"},
	} {
		b.wants(name, row.got, row.status, row.says)
		if !strings.HasPrefix(row.got.body, `{"error":{`) {
			t.Errorf("%s: clients do not understand %q", name, row.got.body)
		}
	}
	if asks, _ := b.task.outside.relay.page(0, mostAsks); len(asks) != 0 {
		t.Errorf("%d were passed on", len(asks))
	}
	for _, body := range []string{`{"stream":false}`, `{"stream":null}`, `{"Stream":true}`} {
		got := b.asks(chat, body)
		b.waits(1)
		b.wants("the answer", b.call("PUT", "/answer", `{}`, "id", strconv.FormatInt(b.task.outside.relay.last, 10), "status", "200"), 204, "")
		b.wants(body, <-got, 200, "{}")
	}
}

func TestAThousandAsks(t *testing.T) {
	b := newBench(t)
	var all sync.WaitGroup
	var mu sync.Mutex
	counts := map[int]int{}
	for range 1000 {
		all.Go(func() {
			got := send("POST", b.worker+chat, "", `{}`)
			mu.Lock()
			defer mu.Unlock()
			counts[got.status]++
		})
	}
	eventually(t, "all but those that wait to be refused", func() bool {
		mu.Lock()
		defer mu.Unlock()
		return counts[429] == 1000-mostAsks
	})
	seen := map[int64]bool{}
	for after := int64(0); len(seen) < mostAsks; {
		asks := understood[asked](t, b.call("GET", "/ask", "", "after", strconv.FormatInt(after, 10))).Asks
		if len(asks) == 0 || len(asks) > 16 {
			t.Fatalf("%d asks at once", len(asks))
		}
		for _, one := range asks {
			if after = one.ID; seen[one.ID] {
				t.Fatalf("ask %d comes twice", one.ID)
			}
			seen[one.ID] = true
			b.wants("the answer", b.call("PUT", "/answer", `{}`, "id", strconv.FormatInt(one.ID, 10), "status", "200"), 204, "")
		}
	}
	all.Wait()
	if counts[200] != mostAsks || counts[429] != 1000-mostAsks || len(counts) != 2 {
		t.Errorf("%v", counts)
	}
}

func TestLargeAsksComeInSeveralAnswers(t *testing.T) {
	b := newBench(t)
	body := `{"a":"` + strings.Repeat("a", mostAskBytes-20) + `"}`
	for range 6 {
		b.asks(chat, body)
	}
	b.waits(4)
	eventually(t, "all six", func() bool {
		b.task.outside.relay.mu.Lock()
		defer b.task.outside.relay.mu.Unlock()
		return len(b.task.outside.relay.waiting) == 6
	})
	asks := understood[asked](t, b.call("GET", "/ask", "")).Asks
	if len(asks) != 4 || asks[3].Body != body {
		t.Fatalf("%d asks", len(asks))
	}
	if rest := understood[asked](t, b.call("GET", "/ask", "", "after", strconv.FormatInt(asks[3].ID, 10))).Asks; len(rest) != 2 {
		t.Errorf("%d more", len(rest))
	}
}

func TestTwoGatewaysAnswerOnce(t *testing.T) {
	b := newBench(t)
	for round := int64(1); round <= 20; round++ {
		got := b.asks(chat, `{}`)
		b.waits(1)
		id := strconv.FormatInt(round, 10)
		answers := make(chan reply, 2)
		for n := range 2 {
			if asks := understood[asked](t, b.call("GET", "/ask", "", "after", strconv.FormatInt(round-1, 10))).Asks; len(asks) != 1 || asks[0].ID != round {
				t.Fatalf("gateway %d: %+v", n, asks)
			}
		}
		for n := range 2 {
			go func() { answers <- b.call("PUT", "/answer", fmt.Sprintf(`{"from":%d}`, n), "id", id, "status", "200") }()
		}
		if first, second := <-answers, <-answers; first.status+second.status != 204+404 {
			t.Fatalf("%+v and %+v", first, second)
		}
		b.wants("the worker", <-got, 200, `{"from":`)
	}
}

func TestNobodyWaitsAnyMore(t *testing.T) {
	b := newBench(t)
	worker, leave := context.WithCancel(context.Background())
	request, err := http.NewRequestWithContext(worker, "POST", b.worker+chat, strings.NewReader(`{}`))
	must(t, err)
	gone := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(request)
		gone <- err
	}()
	b.waits(1)
	leave()
	<-gone
	b.waits(0)
	b.wants("the answer", b.call("PUT", "/answer", `{}`, "id", "1", "status", "200"), 404, "nobody waits")
	if free := mostAsks - len(b.task.outside.relay.places); free != mostAsks {
		eventually(t, "the place to be free", func() bool { return len(b.task.outside.relay.places) == 0 })
	}

	shorter(t, &answerWithin, 20*time.Millisecond)
	b.wants("without an answer", <-b.asks(chat, `{}`), 504, "No answer came within")
	b.waits(0)
}

func TestAnswersAreLimited(t *testing.T) {
	b := newBench(t)
	got := b.asks(chat, `{}`)
	b.waits(1)
	b.wants("a long one", b.call("PUT", "/answer", strings.Repeat("a", mostAnswer+1), "id", "1", "status", "200"), 413, "8388608 bytes")
	shorter(t, &poll, 20*time.Millisecond)
	for range mostAnswers {
		b.task.outside.answers <- struct{}{}
	}
	b.wants("one beside eight", b.call("PUT", "/answer", `{}`, "id", "1", "status", "200"), 503, "more than 8")
	for range mostAnswers {
		<-b.task.outside.answers
	}
	whole := strings.Repeat("a", mostAnswer)
	b.wants("the longest", b.call("PUT", "/answer", whole, "id", "1", "status", "200"), 204, "")
	if answer := <-got; answer.body != whole {
		t.Errorf("%d bytes, %v", len(answer.body), answer.err)
	}
}
