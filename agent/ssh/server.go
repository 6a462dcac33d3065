// Package sshd is the SSH server inside instances. It needs nothing of the image: users, shell and terminal are taken as
// the image has them. It lets in the keys of a list and nothing else, and reaches nothing but the instance itself.
package sshd

import (
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"gantry.dev/agent/ssh/ledger"
	"gantry.dev/agent/ssh/wire"
	"golang.org/x/crypto/ssh"
)

const (
	maxConnections     = 64
	maxUnauthenticated = 16
	maxSessions        = 16  // of a connection
	maxForwards        = 128 // of a connection, listeners included
	maxAuthTries       = 20  // agents with many keys offer them all

	loginGrace = 30 * time.Second

	// How often keys of live connections are looked at: a little more than keysFreshFor, so that the list is read each
	// time. Counted together with a session's end, what a key let in is gone within 5 s of the key.
	watchEvery = 1100 * time.Millisecond

	// A connection whose client does not answer for so long is dead. A closed notebook may come back before.
	askEvery  = time.Minute
	deadAfter = 15 * time.Minute
)

// Options say where the server listens, and which files hold the authorized keys and the host's key.
type Options struct {
	Address, KeysFile, HostKeyFile string
	// Sessions is where process 1 reads which sessions were live; nil for none.
	Sessions *ledger.Ledger
}

type server struct {
	options         Options
	config          *ssh.ServerConfig
	keys            *keyring
	connections     wire.Slots
	unauthenticated wire.Slots

	mu   sync.Mutex
	live map[*connection]struct{}
	// Set while a goroutine looks at the keys of live connections.
	watching bool
}

func logLine(format string, args ...any) {
	fmt.Fprintf(os.Stderr, "agent ssh: "+format+"\n", args...)
}

// Run serves until the process ends. What is in its way (a taken port, a missing file) it says, and tries again.
func Run(options Options) error {
	// Otherwise the end of the container's log would be the end of us. Caught and not ignored: sessions would inherit that.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)

	s := &server{
		options:         options,
		keys:            &keyring{path: options.KeysFile, log: logLine},
		connections:     make(wire.Slots, maxConnections),
		unauthenticated: make(wire.Slots, maxUnauthenticated),
		live:            map[*connection]struct{}{},
	}
	signer, err := hostKey(options.HostKeyFile)
	if signer == nil {
		return err
	}
	if err != nil {
		logLine("%v; until it can be kept, the host key is another one after every start", err)
	}
	s.config = wire.ServerConfig()
	s.config.MaxAuthTries = maxAuthTries
	s.config.PublicKeyCallback = s.authenticate
	s.config.AddHostKey(signer)
	s.keys.mu.Lock()
	s.keys.refresh() // says at once what is wrong with the file
	s.keys.mu.Unlock()

	listener := s.listen()
	logLine("listening on %s, host key %s", listener.Addr(), ssh.FingerprintSHA256(signer.PublicKey()))
	for {
		conn, err := listener.Accept()
		if err != nil {
			// Out of files or memory: others' doing, and it passes.
			logLine("accept: %v", err)
			time.Sleep(time.Second)
			continue
		}
		s.accept(conn)
	}
}

func (s *server) listen() net.Listener {
	said := ""
	for wait := time.Second; ; wait = min(2*wait, 30*time.Second) {
		listener, err := net.Listen("tcp", s.options.Address)
		if err == nil {
			return listener
		}
		if said != err.Error() {
			said = err.Error()
			logLine("%v; trying again", err)
		}
		time.Sleep(wait)
	}
}

func (s *server) accept(conn net.Conn) {
	if !s.connections.Take() {
		logLine("more than %d connections: %s is turned away", maxConnections, conn.RemoteAddr())
		_ = conn.Close()
		return
	}
	if !s.unauthenticated.Take() {
		s.connections.Free()
		logLine("more than %d connections that have not logged in: %s is turned away", maxUnauthenticated, conn.RemoteAddr())
		_ = conn.Close()
		return
	}
	guard := wire.Guard(func(fault any, stack []byte) {
		logLine("%v, and %s is disconnected\n%s", fault, conn.RemoteAddr(), stack)
		_ = conn.Close()
	})
	guard.Go(func() {
		defer s.connections.Free()
		defer conn.Close()
		s.serve(conn, guard)
	})
}

func (s *server) serve(conn net.Conn, guard wire.Guard) {
	transport, channels, requests, err := s.logIn(conn)
	if err != nil {
		var refused *ssh.ServerAuthError
		if errors.As(err, &refused) && len(refused.Errors) > 1 {
			// The last one says why; the first is always that no method was chosen yet.
			logLine("login from %s refused: %v", conn.RemoteAddr(), refused.Errors[len(refused.Errors)-1])
		}
		return
	}
	_ = conn.SetDeadline(time.Time{})

	who, _ := accountOf(transport.User())
	key := transport.Permissions.Extensions[keyOfLogin]
	c := &connection{
		ssh: transport, account: who, key: key, sessionSlots: make(wire.Slots, maxSessions), forwardSlots: make(wire.Slots, maxForwards),
		ledger: s.options.Sessions, guard: guard, listeners: map[string]net.Listener{},
	}
	logLine("%s logged in from %s with %s", who.name, conn.RemoteAddr(), fingerprint(key))
	s.enter(c)
	defer s.leave(c)
	c.serve(channels, requests)
}

func (s *server) logIn(conn net.Conn) (*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request, error) {
	defer s.unauthenticated.Free()
	_ = conn.SetDeadline(time.Now().Add(loginGrace))
	return ssh.NewServerConn(conn, s.config)
}

// The name under which the connection stores the key that logged in.
const keyOfLogin = "gantry-key"

// authenticate may be asked about keys that the client then does not use: what is remembered is bound to this one key.
func (s *server) authenticate(meta ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	blob := string(key.Marshal())
	if _, err := s.keys.mayLogIn(blob); err != nil {
		return nil, fmt.Errorf("%s: %w", ssh.FingerprintSHA256(key), err)
	}
	who, found := accountOf(meta.User())
	if !found {
		return nil, fmt.Errorf("the image has no user %q", meta.User())
	}
	if self := os.Geteuid(); self != 0 && self != int(who.uid) {
		return nil, fmt.Errorf("the server runs as uid %d and cannot become %q", self, who.name)
	}
	return &ssh.Permissions{Extensions: map[string]string{keyOfLogin: blob}}, nil
}

func fingerprint(blob string) string {
	key, err := ssh.ParsePublicKey([]byte(blob))
	if err != nil {
		return "a key"
	}
	return ssh.FingerprintSHA256(key)
}

func (s *server) enter(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.live[c] = struct{}{}
	if !s.watching {
		s.watching = true
		go s.watch()
	}
}

func (s *server) leave(c *connection) {
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.live, c)
}

// watch ends the connections whose key has expired or is listed no more. It rests while nobody is connected.
func (s *server) watch() {
	for {
		time.Sleep(watchEvery)
		s.mu.Lock()
		if len(s.live) == 0 {
			s.watching = false
			s.mu.Unlock()
			return
		}
		for c := range s.live {
			if err := s.keys.mayStay(c.key); err != nil {
				logLine("%s from %s is disconnected: %v", c.account.name, c.ssh.RemoteAddr(), err)
				delete(s.live, c)
				go c.dismiss(err)
			}
		}
		s.mu.Unlock()
	}
}
