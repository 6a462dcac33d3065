package wire

import "runtime/debug"

// Guard is told of a panic in what serves one client, and ends that client's connection: without one, the process would end, and
// with it everybody's.
type Guard func(fault any, stack []byte)

// Go runs work beside its caller.
func (g Guard) Go(work func()) {
	go func() {
		defer g.Catch()
		work()
	}()
}

// Catch is deferred by what serves the client itself.
func (g Guard) Catch() {
	if fault := recover(); fault != nil {
		g(fault, debug.Stack())
	}
}
