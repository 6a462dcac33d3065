package wire

import (
	"io"
	"net"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Slots limit how many are open at a time.
type Slots chan struct{}

// Take is false while all are taken.
func (s Slots) Take() bool {
	select {
	case s <- struct{}{}:
		return true
	default:
		return false
	}
}

// Free gives one back.
func (s Slots) Free() { <-s }

// Relay copies both ways until both have ended, and returns once the client has closed the channel too: until then it may still
// send, and what nobody reads would stay in memory.
func Relay(guard Guard, channel ssh.Channel, requests <-chan *ssh.Request, target net.Conn) {
	guard.Go(func() { drain(channel.Stderr()) })
	var both sync.WaitGroup
	both.Add(2)
	guard.Go(func() {
		toTarget(target, channel, both.Done)
		// Beyond done: a client that only writes hears from the closing of the channel alone that its target is gone.
		drain(channel)
	})
	guard.Go(func() {
		defer both.Done()
		_, _ = io.Copy(channel, target)
		_ = channel.CloseWrite()
	})
	guard.Go(func() {
		both.Wait()
		_ = channel.Close()
		_ = target.Close()
	})
	ssh.DiscardRequests(requests)
	_ = target.Close()
	both.Wait()
}

func toTarget(target net.Conn, channel ssh.Channel, done func()) {
	defer done()
	_, _ = io.Copy(target, channel)
	if half, ok := target.(interface{ CloseWrite() error }); ok {
		_ = half.CloseWrite()
	}
}

// Discard reads all that a client sends, until it says that there is no more.
func Discard(guard Guard, channel ssh.Channel) {
	guard.Go(func() { drain(channel.Stderr()) })
	drain(channel)
}

func drain(from io.Reader) { _, _ = io.Copy(io.Discard, from) }

// KeepAlive asks the client every so often whether it is there, until done is closed, and closes the connection of one that does
// not answer for deadAfter: a client that is gone without a word leaves its TCP connection as it is.
func KeepAlive(connection ssh.Conn, askEvery, deadAfter time.Duration, done <-chan struct{}) {
	for {
		silent := time.AfterFunc(deadAfter, func() { _ = connection.Close() })
		_, _, err := connection.SendRequest("keepalive@openssh.com", true, nil)
		silent.Stop()
		if err != nil {
			return
		}
		select {
		case <-done:
			return
		case <-time.After(askEvery):
		}
	}
}
