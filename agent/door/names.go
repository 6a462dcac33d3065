package door

import (
	"context"
	"log/slog"
	"net"
	"net/netip"
	"strings"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

const (
	// Below the five seconds after which the C library asks again.
	reachableWithin = 3 * time.Second
	// Questions that wait for an instance to answer; sshd asks one at a time for each connection.
	mostQuestions = 256
	// Larger questions are none of the C library's.
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
}

// NewNames answers for the instances that some key opens.
func NewNames(rights *Rights, domains []string, log *slog.Logger) *Names {
	return &Names{rights: rights, domains: domains, log: log, answers: takesConnections}
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
	room := make(chan struct{}, mostQuestions)
	buffer := make([]byte, mostQuestion)
	for ctx.Err() == nil {
		size, asker, err := socket.ReadFrom(buffer)
		if err != nil {
			continue
		}
		question := append([]byte(nil), buffer[:size]...)
		select {
		case room <- struct{}{}:
		default:
			continue
		}
		go func() {
			defer func() { <-room }()
			if answer := n.answer(ctx, question); answer != nil {
				_, _ = socket.WriteTo(answer, asker)
			}
		}()
	}
}

// answer gives nil for what is no question.
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
	at, known := n.addressOf(question.Name.String())
	if !known {
		answered.RCode = dnsmessage.RCodeNameError
	}
	isAsked := known && question.Class == dnsmessage.ClassINET &&
		(question.Type == dnsmessage.TypeA && at.Is4() || question.Type == dnsmessage.TypeAAAA && at.Is6())
	if isAsked && !n.answers(ctx, at) {
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

func (n *Names) addressOf(name string) (netip.Addr, bool) {
	target, isTarget := targetOf(strings.ToLower(strings.TrimSuffix(name, ".")), n.domains)
	if !isTarget {
		return netip.Addr{}, false
	}
	return n.rights.AddressOf(target)
}
