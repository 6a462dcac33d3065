package door

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
)

func instanceAt(t *testing.T, name, address string) Instance {
	t.Helper()
	made := Instance{Target: Target{Namespace: "org-a", Name: name}, Keys: []KeyUntil{{Fingerprint: Fingerprint{1}}}}
	made.Address, _ = netip.ParseAddr(address)
	return made
}

func TestTargetsAreReadAsTheyAreWritten(t *testing.T) {
	for host, want := range map[string]string{
		"dev.instances.org-a.svc":               "org-a/dev",
		"dev.instances.org-a.svc.cluster.local": "org-a/dev",
		"dev.instances.org-a.svc.":              "",
		"dev.services.org-a.svc":                "",
		"dev.instances.org-a":                   "",
		"a.dev.instances.org-a.svc":             "",
		"dev.instances.org-a.svc.other.domain":  "",
		"kubernetes.default.svc":                "",
		"":                                      "",
	} {
		target, ok := targetOf(host, both)
		if got := target.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%s is %q, %v", host, got, ok)
		}
	}
}

// dialling reaches every address but the silent ones, and says which it reached.
func dialling(rights *Rights, silent ...string) (*reach, *string) {
	reached := ""
	made := newReach(rights, quiet)
	made.dial = func(_ context.Context, at netip.AddrPort) (net.Conn, error) {
		if slices.Contains(silent, at.Addr().String()) {
			return nil, errors.New("nobody is there")
		}
		reached = at.String()
		near, _ := net.Pipe()
		return near, nil
	}
	return made, &reached
}

func TestWhereAnInstanceIs(t *testing.T) {
	rights := NewRights()
	rights.Set(instanceAt(t, "one", "10.9.0.7"))
	rights.Set(instanceAt(t, "six", "fd00::7"))
	rights.Set(instanceAt(t, "rests", ""))
	rights.Set(instanceAt(t, "silent", "10.9.0.9"))
	for name, address := range map[string]string{"loopback": "127.0.0.1", "metadata": "169.254.169.254", "anywhere": "0.0.0.0", "many": "224.0.0.1"} {
		rights.Set(instanceAt(t, name, address))
	}
	for name, want := range map[string]string{
		"one": "10.9.0.7:22", "six": "[fd00::7]:22", "rests": "", "silent": "", "nobody": "",
		"loopback": "", "metadata": "", "anywhere": "", "many": "",
	} {
		t.Run(name, func(t *testing.T) {
			to, reached := dialling(rights, "10.9.0.9")
			connection, err := to.open(t.Context(), Target{"org-a", name})
			if *reached != want || (want == "") != errors.Is(err, errUnreachable) || (want == "") != (connection == nil) {
				t.Errorf("reached %q: %v", *reached, err)
			}
		})
	}
	to, reached := dialling(rights)
	if _, err := to.open(t.Context(), Target{"org-b", "one"}); !errors.Is(err, errUnreachable) || *reached != "" {
		t.Errorf("another organisation's: %v", err)
	}
}

func TestAnAddressFollowsTheRun(t *testing.T) {
	rights := NewRights()
	to, reached := dialling(rights)
	for _, address := range []string{"10.9.0.7", "", "10.9.0.8"} {
		rights.Set(instanceAt(t, "one", address))
		*reached = ""
		_, _ = to.open(t.Context(), Target{"org-a", "one"})
		if want := map[bool]string{true: address + ":22"}[address != ""]; *reached != want {
			t.Errorf("at %q it was found at %q", address, *reached)
		}
	}
	rights.Remove(Target{Namespace: "org-a", Name: "one"})
	if _, err := to.open(t.Context(), Target{"org-a", "one"}); !errors.Is(err, errUnreachable) {
		t.Errorf("a released one: %v", err)
	}
}

func TestWhatTakesNoConnectionsIsGivenUpSoon(t *testing.T) {
	// 192.0.2.0/24 is nobody's: packets to it are lost, or refused by the way.
	rights := NewRights()
	rights.Set(instanceAt(t, "one", "192.0.2.1"))
	ctx, cancel := context.WithTimeout(t.Context(), 10*reachableWithin)
	defer cancel()
	if _, err := newReach(rights, quiet).open(ctx, Target{"org-a", "one"}); !errors.Is(err, errUnreachable) {
		t.Errorf("192.0.2.1 takes connections, or was not given up: %v", err)
	}
}

func TestManyQuestionsForOneSilentInstanceAreOneDial(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rights := NewRights()
		rights.Set(instanceAt(t, "silent", "10.9.0.9"))
		to := newReach(rights, quiet)
		var dials atomic.Int32
		to.dial = func(ctx context.Context, _ netip.AddrPort) (net.Conn, error) {
			dials.Add(1)
			<-ctx.Done()
			return nil, ctx.Err()
		}
		isFound := func() bool {
			_, err := to.open(t.Context(), Target{"org-a", "silent"})
			return err == nil
		}
		var asked sync.WaitGroup
		for range 1000 {
			asked.Go(func() {
				if isFound() {
					t.Error("a silent one was found")
				}
			})
		}
		asked.Wait()
		if isFound() || dials.Load() != 1 {
			t.Errorf("%d dials for questions within a second", dials.Load())
		}
		time.Sleep(answerHolds)
		synctest.Wait()
		if isFound() || dials.Load() != 2 {
			t.Errorf("%d dials once the answer is old", dials.Load())
		}
		time.Sleep(answerHolds)
	})
}

// A dial that panics is an answer, like one that finds nobody: those who wait hear it, and the instance is dialled again.
func TestAnInstanceIsReachedAfterADialThatPanics(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rights := NewRights()
		rights.Set(instanceAt(t, "one", "10.9.0.7"))
		to, reached := dialling(rights)
		dial := to.dial
		to.dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
			time.Sleep(time.Second)
			panic("a fault")
		}
		one := Target{"org-a", "one"}
		var asked sync.WaitGroup
		asked.Go(func() {
			defer func() {
				if recover() == nil {
					t.Error("the guard of the connection does not hear of the panic")
				}
			}()
			_, _ = to.open(t.Context(), one)
		})
		synctest.Wait()
		waits, stop := context.WithTimeout(t.Context(), time.Minute)
		defer stop()
		if _, err := to.open(waits, one); !errors.Is(err, errUnreachable) {
			t.Errorf("one that waits hears %v", err)
		}
		asked.Wait()
		to.dial = dial
		time.Sleep(answerHolds)
		synctest.Wait()
		if _, err := to.open(waits, one); err != nil || *reached != "10.9.0.7:22" || to.dials.taken() != 0 {
			t.Errorf("it is not reached any more: %v, %d dials", err, to.dials.taken())
		}
		time.Sleep(answerHolds)
	})
}

func TestOneOrganisationDoesNotKeepOthersFromTheirAnswers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rights := NewRights()
		to := newReach(rights, quiet)
		to.dial = func(ctx context.Context, at netip.AddrPort) (net.Conn, error) {
			if at.Addr() == netip.MustParseAddr("10.8.0.1") {
				near, _ := net.Pipe()
				return near, nil
			}
			<-ctx.Done()
			return nil, ctx.Err()
		}
		other := instanceAt(t, "one", "10.8.0.1")
		other.Namespace = "org-b"
		rights.Set(other)
		var asked sync.WaitGroup
		for index := range 2 * mostDials {
			name := fmt.Sprintf("s%d", index)
			rights.Set(instanceAt(t, name, fmt.Sprintf("10.9.%d.%d", index/250, 1+index%250)))
			asked.Go(func() { _, _ = to.open(t.Context(), Target{"org-a", name}) })
		}
		synctest.Wait()
		if held := to.dials.taken(); held != mostPerOrganisation {
			t.Errorf("%d dials for one organisation", held)
		}
		if _, err := to.open(t.Context(), Target{"org-b", "one"}); err != nil {
			t.Errorf("another organisation's instance was not found: %v", err)
		}
		asked.Wait()
		if held := to.dials.taken(); held != 0 {
			t.Errorf("%d dials are still counted", held)
		}
		time.Sleep(answerHolds)
	})
}

// A playbook that opens very many instances which all answer waits a moment, and is refused nothing.
func TestMoreInstancesThanDialsAllAnswer(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rights := NewRights()
		to := newReach(rights, quiet)
		to.dial = func(context.Context, netip.AddrPort) (net.Conn, error) {
			time.Sleep(10 * time.Millisecond)
			near, _ := net.Pipe()
			return near, nil
		}
		var asked sync.WaitGroup
		for index := range 10 * mostPerOrganisation {
			name := fmt.Sprintf("s%d", index)
			rights.Set(instanceAt(t, name, fmt.Sprintf("10.9.0.%d", 1+index)))
			asked.Go(func() {
				if _, err := to.open(t.Context(), Target{"org-a", name}); err != nil {
					t.Errorf("%s: %v", name, err)
				}
			})
		}
		asked.Wait()
		time.Sleep(answerHolds)
	})
}
