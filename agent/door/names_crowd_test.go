//go:build go1.25

package door

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"golang.org/x/net/dns/dnsmessage"
)

func questionFor(t *testing.T, name string) []byte {
	t.Helper()
	builder := dnsmessage.NewBuilder(nil, dnsmessage.Header{ID: 7})
	_ = builder.StartQuestions()
	_ = builder.Question(dnsmessage.Question{Name: dnsmessage.MustNewName(name), Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET})
	question, err := builder.Finish()
	if err != nil {
		t.Fatal(err)
	}
	return question
}

func isAnswered(t *testing.T, names *Names, name string) bool {
	t.Helper()
	var parser dnsmessage.Parser
	header, err := parser.Start(names.answer(t.Context(), questionFor(t, name)))
	return err == nil && header.RCode == dnsmessage.RCodeSuccess
}

func underWay(names *Names) (all int) {
	names.mu.Lock()
	defer names.mu.Unlock()
	for _, held := range names.held {
		all += held
	}
	return all
}

func TestManyQuestionsForOneSilentInstanceAreOneDial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rights := NewRights()
		rights.Set(instanceAt(t, "silent", "10.9.0.9"))
		names := NewNames(rights, []string{""}, quiet)
		var dials atomic.Int32
		names.answers = func(context.Context, netip.Addr) bool {
			dials.Add(1)
			time.Sleep(reachableWithin)
			return false
		}
		var asked sync.WaitGroup
		for range 1000 {
			asked.Go(func() {
				if isAnswered(t, names, "silent.instances.org-a.svc.") {
					t.Error("a silent one was found")
				}
			})
		}
		asked.Wait()
		if isAnswered(t, names, "silent.instances.org-a.svc."); dials.Load() != 1 {
			t.Errorf("%d dials for questions within a second", dials.Load())
		}
		time.Sleep(answerHolds)
		synctest.Wait()
		if isAnswered(t, names, "silent.instances.org-a.svc."); dials.Load() != 2 {
			t.Errorf("%d dials once the answer is old", dials.Load())
		}
	})
}

func TestOneOrganisationDoesNotKeepOthersFromTheirAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rights := NewRights()
		names := NewNames(rights, []string{""}, quiet)
		names.answers = func(_ context.Context, at netip.Addr) bool {
			if at == netip.MustParseAddr("10.8.0.1") {
				return true
			}
			time.Sleep(reachableWithin)
			return false
		}
		other := instanceAt(t, "one", "10.8.0.1")
		other.Namespace = "org-b"
		rights.Set(other)
		var asked sync.WaitGroup
		for index := range 2 * mostDials {
			name := fmt.Sprintf("s%d", index)
			rights.Set(instanceAt(t, name, fmt.Sprintf("10.9.%d.%d", index/250, 1+index%250)))
			asked.Go(func() { isAnswered(t, names, name+".instances.org-a.svc.") })
		}
		synctest.Wait()
		if held := underWay(names); held > mostPerOrganisation {
			t.Errorf("%d dials for one organisation", held)
		}
		if !isAnswered(t, names, "one.instances.org-b.svc.") {
			t.Error("another organisation's instance was not found")
		}
		asked.Wait()
		if held := underWay(names); held != 0 {
			t.Errorf("%d dials are still counted", held)
		}
	})
}

// A socket that returns only errors.
type broken struct {
	net.PacketConn
	reads atomic.Int32
}

func (b *broken) ReadFrom([]byte) (int, net.Addr, error) {
	b.reads.Add(1)
	return 0, nil, errors.New("no buffer space")
}

func TestASocketThatFailsIsReadWithPauses(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		ctx, end := context.WithCancel(t.Context())
		socket := &broken{}
		over := make(chan struct{})
		go func() {
			NewNames(NewRights(), nil, quiet).listen(ctx, socket)
			close(over)
		}()
		time.Sleep(10*readAgainAfter + readAgainAfter/2)
		end()
		<-over
		if reads := socket.reads.Load(); reads > 12 {
			t.Errorf("%d reads", reads)
		}
	})
}
