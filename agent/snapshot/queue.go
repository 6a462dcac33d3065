package snapshot

import (
	"context"
	"sync"
	"time"
)

// queue says what to do next. A key is never worked on twice at once, and of those that are due the one comes first whose
// namespace has the fewest at work: one organisation's hundred saves do not hold up another's one. Nor do its few saves of many
// hours: no namespace has all workers.
type queue struct {
	mutex   sync.Mutex
	entries map[string]*entry
	running map[string]int
	// How many of a namespace are worked on at once.
	most int
	// Tells waiting workers to look again.
	changed chan struct{}
	number  int
}

type entry struct {
	namespace string
	due       time.Time
	// Order of arrival.
	number    int
	isRunning bool
	// Came again while it was worked on.
	again bool
}

func newQueue(most int) *queue {
	return &queue{most: most, entries: map[string]*entry{}, running: map[string]int{}, changed: make(chan struct{})}
}

// add makes a new key due now. One that waits goes on waiting: what changed of its object is what we wrote ourselves.
func (q *queue) add(namespace, key string) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	q.number++
	known := q.entries[key]
	switch {
	case known == nil:
		q.entries[key] = &entry{namespace: namespace, number: q.number}
	case known.isRunning:
		known.again = true
	}
	q.wake()
}

// hurry makes everything due that waits no longer than `within`.
func (q *queue) hurry(within time.Duration) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	now := time.Now()
	for _, one := range q.entries {
		if left := one.due.Sub(now); left > 0 && left <= within {
			one.due = now
		}
	}
	q.wake()
}

func (q *queue) wake() {
	close(q.changed)
	q.changed = make(chan struct{})
}

// next waits for work; false: ctx ended.
func (q *queue) next(ctx context.Context) (string, bool) {
	for {
		key, wait, changed := q.take(time.Now())
		if key != "" {
			return key, true
		}
		timer := time.NewTimer(wait)
		select {
		case <-ctx.Done():
			timer.Stop()
			return "", false
		case <-changed:
		case <-timer.C:
		}
		timer.Stop()
	}
}

func (q *queue) take(now time.Time) (string, time.Duration, <-chan struct{}) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	wait := time.Minute
	var best *entry
	var bestKey string
	for key, one := range q.entries {
		if one.isRunning || q.running[one.namespace] >= q.most {
			continue
		}
		if left := one.due.Sub(now); left > 0 {
			wait = min(wait, left)
			continue
		}
		if best == nil || q.before(one, best) {
			best, bestKey = one, key
		}
	}
	if best != nil {
		best.isRunning = true
		q.running[best.namespace]++
	}
	return bestKey, wait, q.changed
}

func (q *queue) before(a, b *entry) bool {
	if x, y := q.running[a.namespace], q.running[b.namespace]; x != y {
		return x < y
	}
	return a.number < b.number
}

// done ends the work on a key. It comes back at `due`, at once if it was added again meanwhile, or never if due is zero.
func (q *queue) done(key string, due time.Time) {
	q.mutex.Lock()
	defer q.mutex.Unlock()
	one := q.entries[key]
	if q.running[one.namespace]--; q.running[one.namespace] == 0 {
		delete(q.running, one.namespace)
	}
	one.isRunning = false
	// Others of its namespace may have waited for this one.
	defer q.wake()
	switch {
	case one.again && due.IsZero():
		one.due = time.Time{}
	case due.IsZero():
		delete(q.entries, key)
		return
	default:
		one.due = due
	}
	q.number++
	one.number, one.again = q.number, false
}
