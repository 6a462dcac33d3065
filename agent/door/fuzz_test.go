package door

import (
	"bytes"
	"net"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// Whatever stands in a request for a way, it leads to one of the key's instances, or nowhere.
func FuzzWays(f *testing.F) {
	type asked struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}
	f.Add(ssh.Marshal(asked{oneHost, 22, "127.0.0.1", 4000}))
	f.Add(ssh.Marshal(asked{oneHost + ".cluster.local", 22, "", 0}))
	f.Add(ssh.Marshal(asked{twoHost, 22, oneHost, 22}))
	f.Add(ssh.Marshal(asked{"one.instances.[org-a.svc", 22, "", 0}))
	f.Add([]byte{0, 0, 0, 9, 'x'})
	f.Add([]byte{255, 255, 255, 255})
	f.Fuzz(func(t *testing.T, extra []byte) {
		host, port := wanted(extra)
		target, ok := targetOf(host, both)
		if !ok || port != 22 {
			return
		}
		if back := target.Host(); host != back && host != back+".cluster.local" {
			t.Errorf("%q leads to %s", host, target)
		}
		if _, _, err := net.SplitHostPort(net.JoinHostPort(target.Host(), "22")); err != nil {
			t.Errorf("%q is no host: %v", host, err)
		}
	})
}

// Whatever a stranger sends, the door goes on, and lets nobody in.
func FuzzStrangers(f *testing.F) {
	f.Add([]byte("SSH-2.0-x\r\n"))
	f.Add([]byte("GET / HTTP/1.1\r\n\r\n"))
	f.Add(append([]byte("SSH-2.0-x\r\n"), 0, 0, 0, 12, 10, 20, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
	f.Add(append([]byte("SSH-2.0-x\r\n"), 255, 255, 255, 255))
	hostKey, _ := newSigner(f)
	f.Fuzz(func(t *testing.T, sent []byte) {
		connections := NewConnections(NewRights(), quiet)
		door := newServer([]ssh.Signer{hostKey}, connections, both, quiet)
		near, far := net.Pipe()
		over := make(chan struct{})
		network := networkOf(near.RemoteAddr())
		door.strangers.take(network)
		go func() {
			door.handle(far, network)
			close(over)
		}()
		go func() { _, _ = bytes.NewBuffer(nil).ReadFrom(near) }()
		_ = near.SetWriteDeadline(time.Now().Add(time.Second))
		_, _ = near.Write(sent)
		_ = near.Close()
		<-over
		if connections.Counters().Logins != 0 || door.strangers.taken() != 0 {
			t.Errorf("%q logged in, or is still counted", sent)
		}
	})
}

// Whatever a client asks for once it is in, the door goes on, and so does the connection.
func FuzzClients(f *testing.F) {
	f.Add("direct-tcpip", ssh.Marshal(struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}{oneHost, 22, "127.0.0.1", 4000}))
	f.Add("session", []byte{})
	f.Add("exec", ssh.Marshal(struct{ Command string }{"id"}))
	f.Add("tcpip-forward", []byte{0, 0, 0, 9, 'x'})
	f.Add("x11-req", []byte{255, 255, 255, 255})
	key, ann := newSigner(f)
	f.Fuzz(func(t *testing.T, kind string, payload []byte) {
		d := openDoor(t, echo, object(t, "org-a", "one", ann))
		client := d.login(key)
		for _, opens := range []string{kind, "session"} {
			channel, requests, err := client.OpenChannel(opens, payload)
			if err != nil {
				continue
			}
			go ssh.DiscardRequests(requests)
			_, _ = channel.SendRequest(kind, true, payload)
			_ = channel.Close()
		}
		if isTaken, _, err := client.SendRequest(kind, true, payload); isTaken || err != nil {
			t.Errorf("%q is granted, or ended the connection: %v", kind, err)
		}
		if !d.opens(client, oneHost) {
			t.Errorf("%q %x: nothing goes through any more", kind, payload)
		}
	})
}
