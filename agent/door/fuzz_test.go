package door

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// fuzzedWay is a client's wish to open a way.
type fuzzedWay struct {
	extra   []byte
	refused chan ssh.RejectionReason
}

func (w fuzzedWay) ChannelType() string { return "direct-tcpip" }
func (w fuzzedWay) ExtraData() []byte   { return w.extra }
func (w fuzzedWay) Accept() (ssh.Channel, <-chan *ssh.Request, error) {
	close(w.refused)
	return nil, nil, errors.New("far enough")
}
func (w fuzzedWay) Reject(reason ssh.RejectionReason, _ string) error {
	w.refused <- reason
	close(w.refused)
	return nil
}

// Whatever a client asks for, and whatever a tenant writes as an instance, a way leads to the address of an instance that takes the
// client's key now, or nowhere.
func FuzzWays(f *testing.F) {
	type asked struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}
	_, anns := newSigner(f)
	_, bobs := newSigner(f)
	at := func(address string, made *gpuInstance) Instance {
		one := made.instance()
		one.Address = netip.MustParseAddr(address)
		return one
	}
	const expiresAfter = 5
	honest := []Instance{
		at("10.9.0.1", object(f, "org-a", "one", anns)),
		at("10.9.0.2", object(f, "org-a", "two", anns+"|2026-11-21T12:00:05Z", bobs)),
		at("10.9.0.3", object(f, "org-b", "bobs", bobs)),
		at("10.9.0.4", object(f, "org-a", "three")),
	}
	const hostileHost, hostileAddress = "x.instances.org-x.svc", "10.9.0.9"
	// In words of the test's own: the host, the key, and the seconds after noon from which on it is refused.
	type way struct {
		host, address string
		key           string
		until         int
	}
	const always = 256
	ways := []way{
		{oneHost, "10.9.0.1", anns, always}, {twoHost, "10.9.0.2", anns, expiresAfter}, {twoHost, "10.9.0.2", bobs, always},
		{bobsHost, "10.9.0.3", bobs, always},
	}
	hostile := fmt.Sprintf(`{"power":"Running","sshKeys":[{"publicKey":%q}]}`, anns)
	for _, host := range []string{oneHost, twoHost, threeHost, bobsHost, hostileHost, oneHost + ".cluster.local", "one.instances.[org-a.svc"} {
		for _, isBob := range []bool{false, true} {
			f.Add(ssh.Marshal(asked{host, 22, "127.0.0.1", 4000}), []byte(hostile), isBob, uint8(4))
			f.Add(ssh.Marshal(asked{host, 22, "", 0}), []byte(`{"sshKeys":[{"publicKey":"ssh-ed25519 AAAA","expiresAt":7}]}`), isBob, uint8(5))
		}
	}
	f.Add(ssh.Marshal(asked{oneHost, 23, oneHost, 22}), []byte(`[]`), false, uint8(0))
	f.Add([]byte{0, 0, 0, 9, 'x'}, []byte(`{"sshKeys":{}}`), true, uint8(0))
	f.Add([]byte{255, 255, 255, 255}, []byte{}, true, uint8(0))
	hostKey, _ := newSigner(f)
	f.Fuzz(func(t *testing.T, extra, spec []byte, isBob bool, seconds uint8) {
		rights := NewRights()
		// Decoded as from the API server, which sends nothing but JSON; name and address are not the tenant's to choose.
		var evil gpuInstance
		if json.Valid(spec) && json.Unmarshal(fmt.Appendf(nil, `{"spec":%s}`, spec), &evil) != nil {
			t.Errorf("%q is an error, which would hide every instance", spec)
		}
		evil.Namespace, evil.Name = "org-x", "x"
		rights.Replace(append(slices.Clone(honest), at(hostileAddress, &evil)))
		key := map[bool]string{false: anns, true: bobs}[isBob]
		fingerprint, err := ParsePublicKey(key)
		if err != nil {
			t.Fatal(err)
		}
		now := noon.Add(time.Duration(seconds) * time.Second)
		connections := NewConnections(rights, quiet)
		connections.now = func() time.Time { return now }
		door := newServer([]ssh.Signer{hostKey}, connections, both, quiet)
		reached := ""
		door.reach.dial = func(_ context.Context, to netip.AddrPort) (net.Conn, error) {
			reached = to.String()
			near, _ := net.Pipe()
			return near, nil
		}
		near, _ := net.Pipe()
		known := connections.Enter(fingerprint, &meter{Conn: near}, func(fault any, stack []byte) { t.Errorf("%v %s", fault, stack) })
		offer := fuzzedWay{extra, make(chan ssh.RejectionReason, 1)}
		door.way(t.Context(), known, offer)
		_, isRefused := <-offer.refused
		want := ""
		var asks asked
		if ssh.Unmarshal(extra, &asks) == nil && asks.Port == 22 {
			for _, one := range ways {
				if (asks.Host == one.host || asks.Host == one.host+".cluster.local") && one.key == key && int(seconds) < one.until {
					want = one.address + ":22"
				}
			}
			// What its own tenant lets in is the tenant's affair, and only there.
			if (asks.Host == hostileHost || asks.Host == hostileHost+".cluster.local") && reached != "" {
				want = hostileAddress + ":22"
			}
		}
		if reached != want || isRefused != (want == "") {
			t.Errorf("%x reached %q (refused: %v), and should reach %q", extra, reached, isRefused, want)
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
