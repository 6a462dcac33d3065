package registry

import (
	"sync"
	"time"

	"golang.org/x/time/rate"
)

// Failures throttles repeated failed logins by address. It never blocks a right password because of what others did under the
// same name: logins that succeeded recently bypass it (see Logins).
type Failures struct {
	now   func() time.Time
	mutex sync.Mutex
	// By address, and by address and user.
	limits map[string]*rate.Limiter
}

var (
	perUser    = struct{ every, burst int }{every: 3, burst: 10}
	perAddress = struct{ every, burst int }{every: 1, burst: 60}
)

// wait is how long to hold back now; 0 for not at all. Where it is plain that nobody guesses passwords, failures under other names
// from the same address do not count.
func (f *Failures) wait(address, user string, isPlain bool) time.Duration {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	var longest time.Duration
	limits := f.of(address, user)
	if isPlain {
		limits = limits[1:]
	}
	for _, limit := range limits {
		if missing := 1 - limit.TokensAt(f.now()); missing > 0 {
			longest = max(longest, time.Duration(missing/float64(limit.Limit())*float64(time.Second)))
		}
	}
	return longest
}

func (f *Failures) note(address, user string) {
	f.mutex.Lock()
	defer f.mutex.Unlock()
	for _, limit := range f.of(address, user) {
		limit.AllowN(f.now(), 1)
	}
}

func (f *Failures) of(address, user string) []*rate.Limiter {
	if len(f.limits) >= mostKept {
		clear(f.limits)
	}
	limit := func(key string, every, burst int) *rate.Limiter {
		if f.limits[key] == nil {
			f.limits[key] = rate.NewLimiter(rate.Every(time.Duration(every)*time.Second), burst)
		}
		return f.limits[key]
	}
	return []*rate.Limiter{
		limit(address, perAddress.every, perAddress.burst),
		limit(address+" "+user, perUser.every, perUser.burst),
	}
}

func newFailures(now func() time.Time) *Failures {
	return &Failures{now: now, limits: map[string]*rate.Limiter{}}
}
