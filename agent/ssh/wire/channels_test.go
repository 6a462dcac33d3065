package wire

import (
	"crypto/ed25519"
	"crypto/rand"
	"io"
	"net"
	"testing"

	"golang.org/x/crypto/ssh"
)

// relayed is a client's channel that is relayed to `target`; `over` closes once Relay has returned.
func relayed(t *testing.T, target net.Conn) (way ssh.Channel, over <-chan struct{}) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	_, private, err := ed25519.GenerateKey(rand.Reader)
	must(err)
	hostKey, err := ssh.NewSignerFromKey(private)
	must(err)
	config := ServerConfig()
	config.NoClientAuth = true
	config.AddHostKey(hostKey)
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	must(err)
	defer listener.Close()
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		guard := Guard(func(any, []byte) { _ = conn.Close() })
		_, channels, requests, err := ssh.NewServerConn(conn, config)
		if err != nil {
			return
		}
		go ssh.DiscardRequests(requests)
		if channel, requests, err := (<-channels).Accept(); err == nil {
			Relay(guard, channel, requests, target)
		}
	}()
	client, err := ssh.Dial("tcp", listener.Addr().String(), &ssh.ClientConfig{HostKeyCallback: ssh.FixedHostKey(hostKey.PublicKey())})
	must(err)
	t.Cleanup(func() { _ = client.Close() })
	way, requests, err := client.OpenChannel("direct-tcpip", nil)
	must(err)
	go ssh.DiscardRequests(requests)
	return way, ended
}

// Once the channel is closed nothing widens the client's window of 2 MiB, and before that little is sent.
const farMore = 16 << 20

// A client that only writes hears that the target is gone.
func TestATargetThatEndsClosesTheChannel(t *testing.T) {
	near, far := net.Pipe()
	way, over := relayed(t, near)
	_ = far.Close()
	for sent, some := 0, make([]byte, 32<<10); ; sent += len(some) {
		if _, err := way.Write(some); err != nil {
			break
		}
		if sent > farMore {
			t.Fatal("the client sends into nothing")
		}
	}
	<-over
}

// A panic in one direction leaves Relay waiting for nobody.
func TestRelayEndsAfterAPanic(t *testing.T) {
	near, far := net.Pipe()
	way, over := relayed(t, faulty{near})
	_ = far.Close()
	_, _ = io.WriteString(way, "hello")
	<-over
}

// faulty panics when something is written to it.
type faulty struct{ net.Conn }

func (faulty) Write([]byte) (int, error) { panic("a fault") }
