package door

import (
	"bytes"
	"fmt"
	"log/slog"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
	"time"
)

// visit is a connection: a process in place of sshd's monitor, whose log lines the test writes.
type visit struct {
	t           *testing.T
	rights      *Rights
	connections *Connections
	audit       *bytes.Buffer
	clock       time.Time
	key         string
	monitor     *exec.Cmd
	gone        chan struct{}
}

func newVisit(t *testing.T, keyed ...*gpuInstance) *visit {
	t.Helper()
	v := &visit{t: t, rights: NewRights(), audit: &bytes.Buffer{}, clock: noon}
	v.set(keyed...)
	v.connections = NewConnections(v.rights, both, slog.New(slog.NewJSONHandler(v.audit, nil)))
	v.connections.now = func() time.Time { return v.clock }
	return v
}

func (v *visit) set(instances ...*gpuInstance) {
	for _, one := range instances {
		_ = store{&follower{rights: v.rights}}.Update(one)
	}
}

// login is what sshd does: it asks, and then says whom it let in.
func (v *visit) login(key, shell string) {
	v.t.Helper()
	v.key = key
	v.monitor = exec.Command("sh", "-c", shell)
	v.monitor.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	ready, err := v.monitor.StdoutPipe()
	if err != nil {
		v.t.Fatal(err)
	}
	if err := v.monitor.Start(); err != nil {
		v.t.Fatal(err)
	}
	if _, err := ready.Read(make([]byte, 1)); err != nil {
		v.t.Fatal(err)
	}
	v.gone = make(chan struct{})
	go func() {
		_ = v.monitor.Wait()
		close(v.gone)
	}()
	v.t.Cleanup(func() { _ = syscall.Kill(-v.pid(), syscall.SIGKILL); <-v.gone })
	parsed, err := ParsePublicKey(key)
	if err != nil {
		v.t.Fatal(err)
	}
	v.connections.Answer(v.pid(), parsed)
	v.connections.Logged(v.pid(), uint32(os.Getuid()), "Accepted publickey for gantry from 192.0.2.7 port 40000 ssh2: ED25519 "+parsed.Fingerprint().String())
}

func (v *visit) pid() int { return v.monitor.Process.Pid }

func (v *visit) opens(host string) {
	v.connections.Logged(v.pid(), 1000, fmt.Sprintf("debug1: serverloop.c:server_request_direct_tcpip():453 (pid=%d): originator 127.0.0.1 port 65535, target %s port 22", v.pid(), host))
}

func (v *visit) isAsked() bool {
	v.connections.Sweep()
	return strings.Contains(v.audit.String(), `"event":"ended"`)
}

const (
	waits   = "echo; exec sleep 60"
	ignores = "trap '' TERM; echo; sleep 60 & wait; wait"
	oneHost = "one.instances.org-a.svc"
	twoHost = "two.instances.org-a.svc"
)

func TestConnectionsEndWithTheirRights(t *testing.T) {
	ann := newKey(t)
	one := func(keys ...string) *gpuInstance { return object(t, "org-a", "one", keys...) }
	two := func(keys ...string) *gpuInstance { return object(t, "org-a", "two", keys...) }
	tests := []struct {
		name string
		does func(*visit)
		ends bool
	}{
		{"nothing changed", func(v *visit) { v.opens(oneHost) }, false},
		{"what it opened is revoked", func(v *visit) { v.opens(oneHost); v.set(one()) }, true},
		{"what it opened by its whole name is revoked", func(v *visit) { v.opens(oneHost + ".cluster.local"); v.set(one()) }, true},
		{"what it never opened is revoked", func(v *visit) { v.opens(oneHost); v.set(two()) }, false},
		{"it opens what was revoked meanwhile", func(v *visit) { v.set(two()); v.opens(twoHost) }, true},
		{"it never opened anything, and can no longer", func(v *visit) { v.set(one(), two()) }, true},
		{"the key expires for what it opened", func(v *visit) {
			v.opens(oneHost)
			v.set(one(ann + "|2026-11-21T12:00:05Z"))
			v.clock = noon.Add(5 * time.Second)
		}, true},
		{"the key has not expired yet", func(v *visit) {
			v.opens(oneHost)
			v.set(one(ann + "|2026-11-21T12:00:05Z"))
			v.clock = noon.Add(4 * time.Second)
		}, false},
		{"what is refused is not opened", func(v *visit) { v.opens("three.instances.org-a.svc"); v.opens("kubernetes.default.svc") }, false},
		{"another instance got the key, which sshd does not know here", func(v *visit) {
			v.set(object(t, "org-a", "three", ann), one(), two())
		}, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			v := newVisit(t, one(ann), two(ann))
			v.login(ann, waits)
			test.does(v)
			if v.isAsked() != test.ends {
				t.Fatalf("asked to end: %v\n%s", !test.ends, v.audit)
			}
			if test.ends {
				<-v.gone
				v.connections.Sweep()
				if v.connections.Live() != 0 || !strings.Contains(v.audit.String(), `"event":"closed"`) {
					t.Errorf("the connection is still known:\n%s", v.audit)
				}
			}
		})
	}
}

func TestWhoDoesNotEndIsKilledWithAllItStarted(t *testing.T) {
	ann := newKey(t)
	v := newVisit(t, object(t, "org-a", "one", ann))
	v.login(ann, ignores)
	v.set(object(t, "org-a", "one"))
	v.connections.Sweep()
	select {
	case <-v.gone:
		t.Fatal("it does not ignore SIGTERM; the test shows nothing")
	default:
	}
	v.clock = noon.Add(endsWithin)
	v.connections.Sweep()
	<-v.gone
}

func TestOnlyAMonitorLetsIn(t *testing.T) {
	ann := newKey(t)
	parsed, err := ParsePublicKey(ann)
	if err != nil {
		t.Fatal(err)
	}
	said := "Accepted publickey for gantry from 192.0.2.7 port 40000 ssh2: ED25519 " + parsed.Fingerprint().String()
	for name, tell := range map[string]func(*Connections){
		"a tenant's process":       func(c *Connections) { c.Logged(os.Getpid(), 1000+uint32(os.Getuid()), said) },
		"a user name that says so": func(c *Connections) { c.Logged(os.Getpid(), uint32(os.Getuid()), "Invalid user "+said) },
		"a line that goes on":      func(c *Connections) { c.Logged(os.Getpid(), uint32(os.Getuid()), said+" [preauth]") },
		"another user": func(c *Connections) {
			c.Logged(os.Getpid(), uint32(os.Getuid()), strings.Replace(said, "gantry", "root", 1))
		},
	} {
		t.Run(name, func(t *testing.T) {
			v := newVisit(t, object(t, "org-a", "one", ann))
			tell(v.connections)
			if v.connections.Live() != 0 {
				t.Errorf("it counts as a login:\n%s", v.audit)
			}
		})
	}
}

// A client names both ends of the connection it requests.
func TestAnOriginatorCanNotHideTheTarget(t *testing.T) {
	ann := newKey(t)
	v := newVisit(t, object(t, "org-a", "one", ann), object(t, "org-a", "two", ann))
	v.login(ann, waits)
	v.connections.Logged(v.pid(), 1000, "debug1: serverloop.c:server_request_direct_tcpip():453 (pid=7): originator x port 1, target "+twoHost+" port 22, target x port 1, target "+oneHost+" port 22")
	v.set(object(t, "org-a", "one"))
	if !v.isAsked() {
		t.Errorf("%s", v.audit)
	}
}
