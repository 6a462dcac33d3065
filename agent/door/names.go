package door

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"sync"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	// Below the five seconds after which the C library asks again.
	reachableWithin = 3 * time.Second
	// Instances that are tried at once, in all and of one organisation: none keeps the others from their answers.
	mostDials           = 256
	mostPerOrganisation = 16
	// One attempt serves all concurrent questions about the same instance, and those up to this much later.
	answerHolds = time.Second
	// After a read that failed.
	readAgainAfter = time.Second
	// The C library asks no larger questions.
	mostQuestion = 512
)

// Names tells sshd where an instance is now: the one name server of the door's Pod. The cluster's own follows a run through
// EndpointSlices, which lag by more than a minute after an outage of the API server, and whose answers are cached.
//
// An address is given only while port 22 there takes connections: sshd itself would wait two minutes for one that is gone.
type Names struct {
	rights  *Rights
	domains []string
	log     *slog.Logger
	// Whether the instance takes a connection there.
	answers func(ctx context.Context, at netip.Addr) bool

	mu    sync.Mutex
	dials map[place]*dial
	// Dials under way, by namespace and in all.
	held  map[string]int
	total int
}

type place struct {
	Target
	at netip.Addr
}

type dial struct {
	done chan struct{}
	// Once done is closed.
	answers bool
}

// NewNames answers for the instances that some key opens.
func NewNames(rights *Rights, domains []string, log *slog.Logger) *Names {
	return &Names{
		rights: rights, domains: domains, log: log, answers: takesConnections,
		dials: map[place]*dial{}, held: map[string]int{},
	}
}

func takesConnections(ctx context.Context, at netip.Addr) bool {
	ctx, cancel := context.WithTimeout(ctx, reachableWithin)
	defer cancel()
	connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", netip.AddrPortFrom(at, 22).String())
	if err != nil {
		return false
	}
	connection.Close()
	return true
}

// serve answers until ctx ends. It returns the address that it listens on.
func (n *Names) serve(ctx context.Context, address string) (string, error) {
	socket, err := net.ListenPacket("udp", address)
	if err != nil {
		return "", err
	}
	context.AfterFunc(ctx, func() { _ = socket.Close() })
	go n.listen(ctx, socket)
	return socket.LocalAddr().String(), nil
}

func (n *Names) listen(ctx context.Context, socket net.PacketConn) {
	buffer := make([]byte, mostQuestion)
	for ctx.Err() == nil {
		size, asker, err := socket.ReadFrom(buffer)
		if err != nil {
			if ctx.Err() == nil {
				n.log.Warn(err.Error(), "event", "names")
			}
			select {
			case <-ctx.Done():
			case <-time.After(readAgainAfter):
			}
			continue
		}
		question := append([]byte(nil), buffer[:size]...)
		// As many as sshd has connections: each asks one question at a time, and each is two processes.
		go func() {
			if answer := n.answer(ctx, question); answer != nil {
				_, _ = socket.WriteTo(answer, asker)
			}
		}()
	}
}

// answer returns nil for a packet that is not a question.
func (n *Names) answer(ctx context.Context, packet []byte) []byte {
	var parser dnsmessage.Parser
	header, err := parser.Start(packet)
	if err != nil || header.Response {
		return nil
	}
	question, err := parser.Question()
	if err != nil {
		return nil
	}
	answered := dnsmessage.Header{
		ID: header.ID, Response: true, Authoritative: true, RecursionDesired: header.RecursionDesired, RecursionAvailable: true,
	}
	target, at, known := n.addressOf(question.Name.String())
	if !known {
		answered.RCode = dnsmessage.RCodeNameError
	}
	isAsked := known && question.Class == dnsmessage.ClassINET &&
		(question.Type == dnsmessage.TypeA && at.Is4() || question.Type == dnsmessage.TypeAAAA && at.Is6())
	answers, tried := false, true
	if isAsked {
		answers, tried = n.reaches(ctx, place{target, at})
	}
	if !tried {
		// The C library asks again.
		return nil
	}
	if isAsked && !answers {
		n.log.Info("the instance does not answer", "event", "unreachable", "name", question.Name.String(), "address", at.String())
		answered.RCode = dnsmessage.RCodeNameError
		isAsked = false
	}
	builder := dnsmessage.NewBuilder(nil, answered)
	if builder.StartQuestions() != nil || builder.Question(question) != nil || builder.StartAnswers() != nil {
		return nil
	}
	// Zero: the next connection asks again.
	resource := dnsmessage.ResourceHeader{Name: question.Name, Class: dnsmessage.ClassINET, TTL: 0}
	switch {
	case isAsked && at.Is4():
		err = builder.AResource(resource, dnsmessage.AResource{A: at.As4()})
	case isAsked:
		err = builder.AAAAResource(resource, dnsmessage.AAAAResource{AAAA: at.As16()})
	}
	if err != nil {
		return nil
	}
	answer, err := builder.Finish()
	if err != nil {
		return nil
	}
	return answer
}

func (n *Names) addressOf(name string) (Target, netip.Addr, bool) {
	target, isTarget := targetOf(strings.ToLower(strings.TrimSuffix(name, ".")), n.domains)
	if !isTarget {
		return Target{}, netip.Addr{}, false
	}
	at, known := n.rights.AddressOf(target)
	return target, at, known
}

// reaches says whether the instance takes a connection; tried is false where too many are being tried.
func (n *Names) reaches(ctx context.Context, to place) (answers, tried bool) {
	n.mu.Lock()
	known := n.dials[to]
	if known == nil {
		if n.total >= mostDials || n.held[to.Namespace] >= mostPerOrganisation {
			n.mu.Unlock()
			return false, false
		}
		known = &dial{done: make(chan struct{})}
		n.dials[to] = known
		n.held[to.Namespace]++
		n.total++
		go n.try(ctx, to, known)
	}
	n.mu.Unlock()
	select {
	case <-known.done:
		return known.answers, true
	case <-ctx.Done():
		return false, false
	}
}

func (n *Names) try(ctx context.Context, to place, one *dial) {
	one.answers = n.answers(ctx, to.at)
	close(one.done)
	n.mu.Lock()
	defer n.mu.Unlock()
	n.total--
	if n.held[to.Namespace]--; n.held[to.Namespace] == 0 {
		delete(n.held, to.Namespace)
	}
	time.AfterFunc(answerHolds, func() {
		n.mu.Lock()
		defer n.mu.Unlock()
		delete(n.dials, to)
	})
}
