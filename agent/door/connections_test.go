package door

import (
	"context"
	"crypto/rand"
	"net"
	"net/netip"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

func TestConnectionsEndWithTheirRights(t *testing.T) {
	key, ann := newSigner(t)
	one := func(keys ...string) *gpuInstance { return object(t, "org-a", "one", keys...) }
	two := func(keys ...string) *gpuInstance { return object(t, "org-a", "two", keys...) }
	expiring := ann + "|2026-11-21T12:00:05Z"
	tests := []struct {
		name  string
		opens []string
		does  func(*opened)
		ends  bool
	}{
		{"nothing changed", []string{oneHost}, func(*opened) {}, false},
		{"what it opened is revoked", []string{oneHost}, func(d *opened) { d.set(one()) }, true},
		{"what it opened by its whole name is revoked", []string{oneHost + ".cluster.local"}, func(d *opened) { d.set(one()) }, true},
		{"what it never opened is revoked", []string{oneHost}, func(d *opened) { d.set(two()) }, false},
		{"it never opened anything, and can no longer", nil, func(d *opened) { d.set(one(), two()) }, true},
		{"the key expires for what it opened", []string{oneHost}, func(d *opened) { d.set(one(expiring)); d.after(5 * time.Second) }, true},
		{"the key has not expired yet", []string{oneHost}, func(d *opened) { d.set(one(expiring)); d.after(4 * time.Second) }, false},
		{"what is refused is not opened", []string{"!" + threeHost, "!kubernetes.default.svc"}, func(*opened) {}, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := openDoor(t, echo, one(ann), two(ann))
			client := d.login(key)
			for _, host := range test.opens {
				name, isRefused := strings.CutPrefix(host, "!")
				if d.opens(client, name) == isRefused {
					t.Fatalf("%s: opened: %v\n%s", name, !isRefused, d.audit)
				}
			}
			test.does(d)
			if d.sweeps() != test.ends {
				t.Fatalf("asked to end: %v\n%s", !test.ends, d.audit)
			}
			if !test.ends {
				if !d.opens(client, oneHost) {
					t.Errorf("what the key opens is refused:\n%s", d.audit)
				}
				return
			}
			_ = client.Wait()
			soon(t, "the connection is forgotten", func() bool {
				return d.connections.Live() == 0 && strings.Contains(d.audit.String(), `"event":"closed"`)
			})
		})
	}
}

// A key for twenty instances does not lose nineteen sessions because one instance is gone; and what it gains, it opens.
func TestAConnectionOpensWhatItsKeyOpensNow(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann), object(t, "org-a", "two", ann))
	client := d.login(key)
	if !d.opens(client, oneHost) {
		t.Fatal(d.audit)
	}
	d.set(object(t, "org-a", "two"), object(t, "org-a", "three", ann))
	if d.opens(client, twoHost) {
		t.Error("it opened what was revoked meanwhile")
	}
	if !d.opens(client, threeHost) || d.sweeps() || !d.opens(client, oneHost) {
		t.Errorf("its other instances are refused:\n%s", d.audit)
	}
}

// A right that ends while the instance is being dialled is not used any more.
func TestARightThatEndsDuringTheDial(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann), object(t, "org-a", "two", ann))
	dial := d.reach.dial
	d.reach.dial = func(ctx context.Context, at netip.AddrPort) (net.Conn, error) {
		d.set(object(t, "org-a", "one"))
		return dial(ctx, at)
	}
	if client := d.login(key); d.opens(client, oneHost) {
		t.Errorf("it was opened:\n%s", d.audit)
	}
}

func TestWhoMayLogIn(t *testing.T) {
	key, ann := newSigner(t)
	eve, _ := newSigner(t)
	late, lates := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann, lates+"|2026-11-21T12:00:05Z"))
	d.after(5 * time.Second)
	for name, test := range map[string]struct {
		user string
		keys []ssh.Signer
		isIn bool
	}{
		"a listed key":                   {user, []ssh.Signer{key}, true},
		"a listed key among others":      {user, []ssh.Signer{eve, late, key}, true},
		"a stranger":                     {user, []ssh.Signer{eve}, false},
		"an expired key":                 {user, []ssh.Signer{late}, false},
		"another user with a listed key": {"root", []ssh.Signer{key}, false},
		"no key":                         {user, nil, false},
	} {
		t.Run(name, func(t *testing.T) {
			client, err := d.tryLogin(test.user, test.keys...)
			if (err == nil) != test.isIn {
				t.Errorf("%v", err)
			}
			if client != nil {
				_ = client.Close()
			}
		})
	}
	certificate := &ssh.Certificate{Key: key.PublicKey(), CertType: ssh.UserCert, ValidBefore: ssh.CertTimeInfinity, ValidPrincipals: []string{user}}
	if err := certificate.SignCert(rand.Reader, key); err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewCertSigner(certificate, key)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := d.tryLogin(user, signer); err == nil {
		t.Error("a certificate of a listed key logs in")
	}
	// A client hears of it before the log does.
	soon(t, "the log says why", func() bool {
		said := d.audit.String()
		return strings.Contains(said, `the only user is gantry, not \"root\"`) && strings.Contains(said, `no instance takes SHA256:`)
	})
}
