package sshd

import (
	"fmt"
	"net"
	"sync"
	"time"

	"gantry.dev/agent/ssh/ledger"
	"gantry.dev/agent/ssh/wire"
	"golang.org/x/crypto/ssh"
)

// connection is one client that has logged in.
type connection struct {
	ssh     *ssh.ServerConn
	account account
	key     string
	ledger  *ledger.Ledger
	guard   wire.Guard

	sessionSlots, forwardSlots wire.Slots

	mu sync.Mutex
	// Remote forwards by the address that the client named; nil once the connection is over.
	listeners map[string]net.Listener
	terminals []ssh.Channel
	// The client said that it opens no more sessions, so that nobody can through it.
	noMoreSessions bool
}

func (c *connection) serve(channels <-chan ssh.NewChannel, requests <-chan *ssh.Request) {
	done := make(chan struct{})
	defer close(done)
	c.guard.Go(func() { wire.KeepAlive(c.ssh, askEvery, deadAfter, done) })
	c.guard.Go(func() { c.answer(requests) })
	defer c.closeListeners()
	for channel := range channels {
		switch channel.ChannelType() {
		case "session":
			c.open(channel, c.sessionSlots, c.session)
		case "direct-tcpip":
			c.forward(channel, "tcp")
		case "direct-streamlocal@openssh.com":
			c.forward(channel, "unix")
		default:
			_ = channel.Reject(ssh.UnknownChannelType, "this server has no channels of the type "+channel.ChannelType())
		}
	}
}

// open accepts a channel while there is a slot and holds the slot until serve returns.
func (c *connection) open(offer ssh.NewChannel, room wire.Slots, serve func(ssh.Channel, <-chan *ssh.Request)) {
	c.mu.Lock()
	isRefused := c.noMoreSessions && offer.ChannelType() == "session"
	c.mu.Unlock()
	if isRefused || !room.Take() {
		_ = offer.Reject(ssh.ResourceShortage, fmt.Sprintf("not more than %d at a time on one connection", cap(room)))
		return
	}
	channel, requests, err := offer.Accept()
	if err != nil {
		room.Free()
		return
	}
	c.guard.Go(func() {
		defer room.Free()
		serve(channel, requests)
	})
}

// answer serves what a client asks of the connection as a whole. Unknown requests, keepalives among them, are answered
// with a failure, which is all that they want.
func (c *connection) answer(requests <-chan *ssh.Request) {
	for request := range requests {
		var reply []byte
		ok := false
		switch request.Type {
		case "tcpip-forward":
			reply, ok = c.listen(request.Payload)
		case "cancel-tcpip-forward":
			ok = c.unlisten(request.Payload)
		case "no-more-sessions@openssh.com":
			c.mu.Lock()
			c.noMoreSessions = true
			c.mu.Unlock()
			ok = true
		}
		if request.WantReply {
			_ = request.Reply(ok, reply)
		}
	}
}

// dismiss ends the connection and with it every session. Users at a terminal get the reason, if they listen.
func (c *connection) dismiss(reason error) {
	time.AfterFunc(200*time.Millisecond, func() { _ = c.ssh.Close() })
	c.mu.Lock()
	terminals := append([]ssh.Channel(nil), c.terminals...)
	c.mu.Unlock()
	for _, terminal := range terminals {
		_, _ = fmt.Fprintf(terminal.Stderr(), "\r\nThe connection ends here: %v.\r\n", reason)
	}
}
