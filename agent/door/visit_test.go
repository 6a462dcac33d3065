package door

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// opened is a door on loopback, whose instances all answer alike.
type opened struct {
	*testing.T
	*server
	rights  *Rights
	address string
	hostKey ssh.PublicKey
	audit   *lines

	mu    sync.Mutex
	clock time.Time
}

// lines are what was logged.
type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(text []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(text)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// openDoor starts one; `instance` is what answers at each instance's port 22.
func openDoor(t *testing.T, instance func(net.Conn), keyed ...*gpuInstance) *opened {
	t.Helper()
	hostKey, _ := newSigner(t)
	d := &opened{T: t, rights: NewRights(), hostKey: hostKey.PublicKey(), audit: &lines{}, clock: noon}
	d.set(keyed...)
	log := slog.New(slog.NewJSONHandler(d.audit, nil))
	connections := NewConnections(d.rights, log)
	connections.now = func() time.Time {
		d.mu.Lock()
		defer d.mu.Unlock()
		return d.clock
	}
	d.server = newServer([]ssh.Signer{hostKey}, connections, both, log)
	inside, err := net.Listen("tcp", "127.0.0.1:0")
	d.must(err)
	t.Cleanup(func() { _ = inside.Close() })
	go func() {
		for {
			conn, err := inside.Accept()
			if err != nil {
				return
			}
			go instance(conn)
		}
	}()
	d.reach.dial = func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "tcp", inside.Addr().String())
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	d.must(err)
	t.Cleanup(func() { _ = listener.Close(); d.connections.EndAll("the test is over") })
	d.address = listener.Addr().String()
	go d.serve(listener)
	return d
}

func (d *opened) must(err error) {
	d.Helper()
	if err != nil {
		d.Fatal(err)
	}
}

func (d *opened) set(instances ...*gpuInstance) {
	for _, one := range instances {
		_ = store{&follower{rights: d.rights}}.Update(one)
	}
}

func (d *opened) after(since time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.clock = noon.Add(since)
}

func (d *opened) tryLogin(user string, keys ...ssh.Signer) (*ssh.Client, error) {
	return ssh.Dial("tcp", d.address, &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{ssh.PublicKeys(keys...)}, HostKeyCallback: ssh.FixedHostKey(d.hostKey),
	})
}

func (d *opened) login(key ssh.Signer) *ssh.Client {
	d.Helper()
	before := d.connections.Live()
	client, err := d.tryLogin(user, key)
	d.must(err)
	d.Cleanup(func() { _ = client.Close() })
	soon(d.T, "the door knows the connection", func() bool { return d.connections.Live() > before && len(d.connections.all()) > before })
	return client
}

// echo sends back what comes, and ends when its peer does.
func echo(conn net.Conn) {
	defer conn.Close()
	_, _ = io.Copy(conn, conn)
}

// isThrough is whether something comes back.
func isThrough(way net.Conn) bool {
	if _, err := way.Write([]byte("hello")); err != nil {
		return false
	}
	back := make([]byte, 5)
	_, err := io.ReadFull(way, back)
	return err == nil && string(back) == "hello"
}

func (d *opened) opens(client *ssh.Client, host string) bool {
	way, err := client.Dial("tcp", host+":22")
	return err == nil && isThrough(way)
}

// sweeps is whether the look that follows ends a connection.
func (d *opened) sweeps() bool {
	d.connections.Sweep()
	return strings.Contains(d.audit.String(), `"event":"ended"`)
}

const (
	oneHost   = "one.instances.org-a.svc"
	twoHost   = "two.instances.org-a.svc"
	threeHost = "three.instances.org-a.svc"
	bobsHost  = "bobs.instances.org-b.svc"
)
