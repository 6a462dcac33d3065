// Package askmodel asks an engine for the least that a real request asks for: an engine that says it is healthy may still be unable
// to answer one.
package askmodel

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"
)

// How much of an answer an error message quotes.
const mostQuoted = 300

type question struct {
	path string
	body func(model string) any
}

var questions = map[string]question{
	"Generate": {"/v1/completions", func(model string) any {
		return map[string]any{"model": model, "prompt": "a", "max_tokens": 1}
	}},
	"Embed": {"/v1/embeddings", func(model string) any {
		return map[string]any{"model": model, "input": "a"}
	}},
	"Rerank": {"/v1/rerank", func(model string) any {
		return map[string]any{"model": model, "query": "a", "documents": []string{"a"}}
	}},
}

// Once returns nil if the engine at the address answers a request of the task; otherwise a sentence.
func Once(url, model, task string, within time.Duration) error {
	asked, known := questions[task]
	if !known {
		return fmt.Errorf("--task: %q is none", task)
	}
	limit, cancel := context.WithTimeout(context.Background(), within)
	defer cancel()
	body, err := json.Marshal(asked.body(model))
	if err != nil {
		return err
	}
	request, err := http.NewRequestWithContext(limit, http.MethodPost, url+asked.path, bytes.NewReader(body))
	if err != nil {
		return err
	}
	request.Header.Set("Content-Type", "application/json")
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("the engine does not answer: %w", err)
	}
	defer answer.Body.Close()
	if answer.StatusCode == http.StatusOK {
		return nil
	}
	text, _ := io.ReadAll(io.LimitReader(answer.Body, mostQuoted))
	return fmt.Errorf("the engine answers %d: %s", answer.StatusCode, text)
}
