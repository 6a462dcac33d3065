package door

import (
	"context"
	"net"
	"net/netip"
	"slices"
	"testing"

	"golang.org/x/net/dns/dnsmessage"
)

// namesOf listens on loopback, where every address but the silent ones accepts connections, and returns a resolver that asks it.
func namesOf(t *testing.T, rights *Rights, silent ...string) *net.Resolver {
	t.Helper()
	names := NewNames(rights, []string{"", ".cluster.local"}, quiet)
	names.answers = func(_ context.Context, at netip.Addr) bool { return !slices.Contains(silent, at.String()) }
	address, err := names.serve(t.Context(), "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", address)
	}}
}

func instanceAt(t *testing.T, name, address string) Instance {
	t.Helper()
	made := Instance{Target: Target{Namespace: "org-a", Name: name}, Running: true, Keys: []KeyUntil{{Fingerprint: Fingerprint{1}}}}
	made.Address, _ = netip.ParseAddr(address)
	return made
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
	resolver := namesOf(t, rights, "10.9.0.9")
	for name, want := range map[string]string{
		"one.instances.org-a.svc.":               "10.9.0.7",
		"one.instances.org-a.svc.cluster.local.": "10.9.0.7",
		"ONE.instances.ORG-A.svc.":               "10.9.0.7",
		"six.instances.org-a.svc.":               "fd00::7",
		"rests.instances.org-a.svc.":             "",
		"silent.instances.org-a.svc.":            "",
		"nobody.instances.org-a.svc.":            "",
		"one.instances.org-b.svc.":               "",
		"kubernetes.default.svc.":                "",
		"example.com.":                           "",
		"loopback.instances.org-a.svc.":          "",
		"metadata.instances.org-a.svc.":          "",
		"anywhere.instances.org-a.svc.":          "",
		"many.instances.org-a.svc.":              "",
	} {
		t.Run(name, func(t *testing.T) {
			found, err := resolver.LookupHost(t.Context(), name)
			if want == "" {
				if lookup, isLookup := err.(*net.DNSError); !isLookup || !lookup.IsNotFound {
					t.Errorf("%v %v", found, err)
				}
				return
			}
			if err != nil || !slices.Equal(found, []string{want}) {
				t.Errorf("%v %v", found, err)
			}
		})
	}
}

func TestAnAddressFollowsTheRun(t *testing.T) {
	rights := NewRights()
	resolver := namesOf(t, rights)
	const name = "one.instances.org-a.svc."
	for _, address := range []string{"10.9.0.7", "", "10.9.0.8"} {
		rights.Set(instanceAt(t, "one", address))
		found, _ := resolver.LookupHost(t.Context(), name)
		if want := slices.DeleteFunc([]string{address}, func(one string) bool { return one == "" }); !slices.Equal(found, want) {
			t.Errorf("at %q it was found at %v", address, found)
		}
	}
	rights.Remove(Target{Namespace: "org-a", Name: "one"})
	if found, err := resolver.LookupHost(t.Context(), name); err == nil {
		t.Errorf("a released one is at %v", found)
	}
}

func TestWhatTakesNoConnectionsIsGivenUpSoon(t *testing.T) {
	// 192.0.2.0/24 is nobody's: packets to it are lost, or refused by the way.
	ctx, cancel := context.WithTimeout(t.Context(), 10*reachableWithin)
	defer cancel()
	if takesConnections(ctx, netip.MustParseAddr("192.0.2.1")) {
		t.Error("192.0.2.1 takes connections")
	}
	if ctx.Err() != nil {
		t.Error("it was not given up")
	}
}

func FuzzQuestions(f *testing.F) {
	builder := dnsmessage.NewBuilder(nil, dnsmessage.Header{ID: 7})
	_ = builder.StartQuestions()
	_ = builder.Question(dnsmessage.Question{Name: dnsmessage.MustNewName("one.instances.org-a.svc."), Type: dnsmessage.TypeA, Class: dnsmessage.ClassINET})
	question, _ := builder.Finish()
	f.Add(question)
	f.Add([]byte{})
	f.Add(question[:13])
	rights := NewRights()
	names := NewNames(rights, []string{""}, quiet)
	names.answers = func(context.Context, netip.Addr) bool { return true }
	f.Fuzz(func(t *testing.T, packet []byte) {
		if answer := names.answer(t.Context(), packet); len(answer) > 0 && answer[2]&0x80 == 0 {
			t.Error("an answer that says it is a question")
		}
	})
}
