package registry

import (
	"context"
	"sync"
	"time"
)

// Door is shut to pushes while garbage is collected: a blob that was just pushed and that no manifest names yet would be taken
// for garbage. It lives in this process, so there is one process for one registry.
type Door struct {
	mutex  sync.Mutex
	closed bool
	// Until then a token with which somebody may push can be about.
	pushableUntil time.Time
	now           func() time.Time
	// How long a token to push lives.
	pushTTL time.Duration
}

// A process before this one may have given tokens up to now.
func newDoor(now func() time.Time, pushTTL time.Duration) *Door {
	return &Door{now: now, pushTTL: pushTTL, pushableUntil: now().Add(pushTTL + leeway)}
}

// collecting is the announced duration of a collection: the actual one is unknown.
const collecting = 5 * time.Second

// enter notes a token for pushing that is given now; or says after how long to ask again.
func (d *Door) enter() (retryAfter time.Duration, ok bool) {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	now := d.now()
	if d.closed {
		return max(d.pushableUntil.Sub(now), 0) + collecting, false
	}
	d.pushableUntil = now.Add(d.pushTTL + leeway)
	return 0, true
}

// close refuses pushes from now on, and returns when nobody can push any more.
func (d *Door) close(ctx context.Context) error {
	d.mutex.Lock()
	d.closed = true
	left := d.pushableUntil.Sub(d.now())
	d.mutex.Unlock()
	if left <= 0 {
		return nil
	}
	timer := time.NewTimer(left)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

func (d *Door) open() {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	d.closed = false
}

func (d *Door) isClosed() bool {
	d.mutex.Lock()
	defer d.mutex.Unlock()
	return d.closed
}
