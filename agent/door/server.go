package door

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/netip"
	"strconv"
	"time"

	"gantry.dev/agent/ssh/wire"
	"golang.org/x/crypto/ssh"
	"golang.org/x/time/rate"
)

const (
	user = "gantry"
	// Clients that have not logged in: half a minute, and a few dozen from one network, so that a crowd from one place leaves room
	// for others. From `some` on chance turns away more and more, so that a crowd from everywhere shuts out nobody for good.
	loginGrace      = 30 * time.Second
	mostAuthTries   = 10
	mostPerNetwork  = 30
	someStrangers   = 200
	mostStrangers   = 600
	acceptPause     = 100 * time.Millisecond
	askEvery        = 30 * time.Second
	deadAfter       = 2 * time.Minute
	channelsPerSec  = 50
	channelsAtFirst = 2 * mostChannels
)

const greeting = "This door leads to instances only. Name it as the jump host:\r\n" +
	"  ssh -J gantry@<this door> root@<instance>.instances.<namespace>.svc\r\n"

// server takes connections in, and opens ways to instances for them. All run in this one process: README.md says why.
type server struct {
	config      *ssh.ServerConfig
	connections *Connections
	reach       *reach
	domains     []string
	strangers   *share[netip.Prefix]
	log         *slog.Logger
}

func newServer(hostKeys []ssh.Signer, connections *Connections, domains []string, log *slog.Logger) *server {
	s := &server{
		config: wire.ServerConfig(), connections: connections, domains: domains, log: log,
		reach:     newReach(connections.rights, log),
		strangers: newShare[netip.Prefix](mostPerNetwork, mostStrangers),
	}
	s.config.MaxAuthTries = mostAuthTries
	s.config.PublicKeyCallback = s.offered
	s.config.VerifiedPublicKeyCallback = func(meta ssh.ConnMetadata, key ssh.PublicKey, _ *ssh.Permissions, _ string) (*ssh.Permissions, error) {
		return s.offered(meta, key)
	}
	for _, key := range hostKeys {
		s.config.AddHostKey(key)
	}
	return s
}

// serve returns once the listener is closed; connections go on.
func (s *server) serve(listener net.Listener) {
	for {
		conn, err := listener.Accept()
		if errors.Is(err, net.ErrClosed) {
			return
		}
		if err != nil {
			s.log.Warn(err.Error(), "event", "accept")
			time.Sleep(acceptPause)
			continue
		}
		network := networkOf(conn.RemoteAddr())
		if isTurnedAway(s.strangers.taken(), chance()) || !s.strangers.take(network) {
			_ = conn.Close()
			continue
		}
		go s.handle(conn, network)
	}
}

// networkOf is what one client has at its disposal: an address, or a whole IPv6 network.
func networkOf(remote net.Addr) netip.Prefix {
	at, err := netip.ParseAddrPort(remote.String())
	if err != nil {
		return netip.Prefix{}
	}
	address := at.Addr().Unmap()
	network, _ := address.WithZone("").Prefix(min(64, address.BitLen()))
	return network
}

// chance is below 100, any number about as likely as any other.
func chance() int {
	var drawn [1]byte
	_, _ = rand.Read(drawn[:])
	return int(drawn[0]) * 100 / 256
}

// isTurnedAway is as OpenSSH's MaxStartups 200:30:600 has it; `chance` is below 100.
func isTurnedAway(strangers, chance int) bool {
	return strangers >= someStrangers && chance < 30+70*(strangers-someStrangers)/(mostStrangers-someStrangers)
}

func (s *server) handle(conn net.Conn, network netip.Prefix) {
	defer conn.Close()
	guard := wire.Guard(func(fault any, stack []byte) {
		s.log.Error(fmt.Sprint(fault), "event", "panic", "address", conn.RemoteAddr().String(), "stack", string(stack))
		_ = conn.Close()
	})
	defer guard.Catch()
	counted := &meter{Conn: conn}
	link, channels, requests, err := s.logIn(counted, network)
	if err != nil {
		return
	}
	known := s.connections.Enter(link.Permissions.ExtraData[user].(Fingerprint), counted, guard)
	defer s.connections.Leave(known)
	ctx, over := context.WithCancel(context.Background())
	defer over()
	guard.Go(func() { wire.KeepAlive(link, askEvery, deadAfter, ctx.Done()) })
	// Whatever a client asks of the connection as a whole, remote forwards for example, is refused.
	guard.Go(func() { ssh.DiscardRequests(requests) })
	s.answer(ctx, known, channels)
}

func (s *server) logIn(conn *meter, network netip.Prefix) (*ssh.ServerConn, <-chan ssh.NewChannel, <-chan *ssh.Request, error) {
	defer s.strangers.free(network)
	_ = conn.SetDeadline(time.Now().Add(loginGrace))
	link, channels, requests, err := ssh.NewServerConn(conn, s.config)
	var refused *ssh.ServerAuthError
	if errors.As(err, &refused) && len(refused.Errors) > 1 {
		// The last one says why; the first is always that no method was chosen yet.
		s.log.Info(refused.Errors[len(refused.Errors)-1].Error(), "event", "refused", "address", conn.RemoteAddr().String())
	}
	if err == nil {
		conn.loggedIn()
		_ = conn.SetDeadline(time.Time{})
	}
	return link, channels, requests, err
}

// offered is asked about a key when a client offers it, and again once it has proved to have it.
func (s *server) offered(meta ssh.ConnMetadata, key ssh.PublicKey) (*ssh.Permissions, error) {
	if meta.User() != user {
		return nil, fmt.Errorf("the only user is %s, not %.64q", user, meta.User())
	}
	fingerprint := fingerprintOf(key)
	if !s.connections.rights.MayAny(fingerprint, s.connections.now()) {
		return nil, fmt.Errorf("no instance takes %s", fingerprint)
	}
	return &ssh.Permissions{ExtraData: map[any]any{user: fingerprint}}, nil
}

// answer serves a connection's channels until it is over; ctx ends with it.
func (s *server) answer(ctx context.Context, known *connection, channels <-chan ssh.NewChannel) {
	// Each writes a line of the log, which others' lines go through too.
	pace := rate.NewLimiter(channelsPerSec, channelsAtFirst)
	for offer := range channels {
		_ = pace.Wait(ctx)
		switch offer.ChannelType() {
		case "direct-tcpip":
			s.way(ctx, known, offer)
		case "session":
			s.session(known, offer)
		default:
			_ = offer.Reject(ssh.Prohibited, "open failed")
		}
	}
}

// way opens what the connection's key may open, and nothing else.
func (s *server) way(ctx context.Context, known *connection, offer ssh.NewChannel) {
	host, port := wanted(offer.ExtraData())
	target, isTarget := targetOf(host, s.domains)
	mayOpen := func() bool { return s.connections.rights.May(known.key, target, s.connections.now()) }
	if !isTarget || port != 22 || !mayOpen() {
		s.deny(known, offer, host, port)
		return
	}
	if !known.channels.Take() {
		refuseMany(offer, mostChannels)
		return
	}
	known.guard.Go(func() {
		defer known.channels.Free()
		instance, err := s.reach.open(ctx, target)
		if err != nil {
			_ = offer.Reject(ssh.ConnectionFailed, err.Error())
			return
		}
		defer instance.Close()
		if !s.connections.Open(known, target) {
			s.deny(known, offer, host, port)
			return
		}
		channel, requests, err := offer.Accept()
		if err != nil {
			return
		}
		way := known.meter.open(channel)
		defer way.forget()
		wire.Relay(known.guard, way, requests, instance)
	})
}

func (s *server) deny(known *connection, offer ssh.NewChannel, host string, port uint32) {
	s.connections.Deny(known, host, strconv.Itoa(int(port)))
	_ = offer.Reject(ssh.Prohibited, "open failed")
}

func refuseMany(offer ssh.NewChannel, most int) {
	_ = offer.Reject(ssh.ResourceShortage, fmt.Sprintf("not more than %d at a time on one connection", most))
}

// wanted reads what a direct-tcpip channel is to lead to; the port is 0 where that cannot be read.
func wanted(extra []byte) (host string, port uint32) {
	var asked struct {
		Host       string
		Port       uint32
		OriginHost string
		OriginPort uint32
	}
	if ssh.Unmarshal(extra, &asked) != nil {
		return "", 0
	}
	return asked.Host, asked.Port
}

// session says that there is no shell here, whatever program is asked for.
func (s *server) session(known *connection, offer ssh.NewChannel) {
	if !known.sessions.Take() {
		refuseMany(offer, mostSessions)
		return
	}
	channel, requests, err := offer.Accept()
	if err != nil {
		known.sessions.Free()
		return
	}
	known.meter.opened(1)
	known.guard.Go(func() { wire.Discard(known.guard, channel) })
	known.guard.Go(func() {
		defer known.sessions.Free()
		defer known.meter.opened(-1)
		isGreeted := false
		for request := range requests {
			isProgram := request.Type == "shell" || request.Type == "exec"
			_ = request.Reply(isProgram && !isGreeted, nil)
			if isProgram && !isGreeted {
				isGreeted = true
				// Beside this loop: a client that reads nothing would stop it, and with it the whole connection.
				known.guard.Go(func() { greet(channel) })
			}
		}
	})
}

func greet(channel ssh.Channel) {
	_, _ = channel.Stderr().Write([]byte(greeting))
	_, _ = channel.SendRequest("exit-status", false, ssh.Marshal(struct{ Code uint32 }{1}))
	_ = channel.Close()
}
