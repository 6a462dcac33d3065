package task

import "time"

// pace lets through so many lines in a second, and after a quiet time a second's worth at once.
type pace struct {
	perSecond float64
	// When the line after the last one was due.
	due time.Time
}

// wait is how long the next line has to wait at this time. Each call is a line.
func (p *pace) wait(now time.Time) time.Duration {
	if full := now.Add(-time.Second); p.due.Before(full) {
		p.due = full
	}
	p.due = p.due.Add(time.Duration(float64(time.Second) / p.perSecond))
	return max(0, p.due.Sub(now))
}
