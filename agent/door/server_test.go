package door

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/netip"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

func TestTheDoorLeadsNowhereElse(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann), object(t, "org-a", "two"))
	client := d.login(key)
	for _, target := range []string{twoHost + ":22", oneHost + ":23", "10.9.0.1:22", "127.0.0.1:8080", "kubernetes.default.svc:443", "one.instances.org-b.svc:22"} {
		_, err := client.Dial("tcp", target)
		var refused *ssh.OpenChannelError
		if !errors.As(err, &refused) || refused.Reason != ssh.Prohibited || refused.Message != "open failed" {
			t.Errorf("%s: %v", target, err)
		}
	}
	if said := d.audit.String(); strings.Count(said, `"event":"denied"`) != 6 || !strings.Contains(said, `"target":"kubernetes.default.svc:443"`) {
		t.Errorf("the log lacks what was denied:\n%s", said)
	}
	if _, err := client.Listen("tcp", "127.0.0.1:0"); err == nil {
		t.Error("a remote forward is taken")
	}
	if _, err := client.ListenUnix("/tmp/x"); err == nil {
		t.Error("a remote forward of a socket is taken")
	}
	for _, kind := range []string{"direct-streamlocal@openssh.com", "tun@openssh.com", "forwarded-tcpip", "x11", "auth-agent@openssh.com", ""} {
		if _, _, err := client.OpenChannel(kind, nil); err == nil {
			t.Errorf("a channel %q is opened", kind)
		}
	}
	for _, kind := range []string{"pty-req", "env", "subsystem", "x11-req", "auth-agent-req@openssh.com", "window-change", ""} {
		session, err := client.NewSession()
		d.must(err)
		if ok, err := session.SendRequest(kind, true, ssh.Marshal(struct{ Name string }{"sftp"})); ok || err != nil {
			t.Errorf("%s: %v %v", kind, ok, err)
		}
		_ = session.Close()
	}
	if !d.opens(client, oneHost) {
		t.Error("after all that the instance is not reached")
	}
}

func TestAnInstanceThatDoesNotAnswer(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	d.reach.dial = func(context.Context, netip.AddrPort) (net.Conn, error) { return nil, errors.New("refused") }
	_, err := d.login(key).Dial("tcp", oneHost+":22")
	var refused *ssh.OpenChannelError
	if !errors.As(err, &refused) || refused.Reason != ssh.ConnectionFailed || refused.Message != "Name or service not known" {
		t.Errorf("%v", err)
	}
}

func TestNoShell(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	client := d.login(key)
	for name, start := range map[string]func(*ssh.Session) error{
		"a shell":   (*ssh.Session).Shell,
		"a program": func(s *ssh.Session) error { return s.Start("id") },
	} {
		session, err := client.NewSession()
		d.must(err)
		var said, complained bytes.Buffer
		session.Stdout, session.Stderr = &said, &complained
		d.must(start(session))
		var exit *ssh.ExitError
		if err := session.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 1 || said.Len() > 0 || complained.String() != greeting {
			t.Errorf("%s: %v %q %q", name, err, said.String(), complained.String())
		}
	}
}

func TestLimitsOfAConnection(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	client := d.login(key)
	for range mostSessions {
		_, err := client.NewSession()
		d.must(err)
	}
	if _, err := client.NewSession(); err == nil || !strings.Contains(err.Error(), "not more than 4 at a time") {
		t.Errorf("one more session: %v", err)
	}
	var ways []net.Conn
	for range mostChannels {
		way, err := client.Dial("tcp", oneHost+":22")
		d.must(err)
		ways = append(ways, way)
	}
	if _, err := client.Dial("tcp", oneHost+":22"); err == nil || !strings.Contains(err.Error(), "not more than 128 at a time") {
		t.Errorf("one more way: %v", err)
	}
	_ = ways[0].Close()
	soon(t, "there is room again", func() bool { return d.opens(client, oneHost) })
}

// The door is full: an organisation with few connections gets in, at the cost of the oldest of the one that has most; whoever names
// others' keys in its instances ends none of theirs.
func TestAFullDoor(t *testing.T) {
	ann, anns := newSigner(t)
	bob, bobs := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", anns), object(t, "org-b", "bobs", bobs, anns))
	d.connections.most = 4
	enters := func(key ssh.Signer, host string) *ssh.Client {
		t.Helper()
		client, err := d.tryLogin(user, key)
		d.must(err)
		if host != "" && !d.opens(client, host) {
			t.Fatalf("%s is not reached:\n%s", host, d.audit)
		}
		return client
	}
	first := enters(ann, oneHost)
	hostile := []*ssh.Client{enters(bob, bobsHost), enters(bob, bobsHost), enters(bob, bobsHost)}
	second := enters(ann, oneHost)
	_ = hostile[0].Wait()
	for range 5 {
		hostile = append(hostile, enters(bob, bobsHost))
	}
	for _, gone := range hostile[:len(hostile)-2] {
		_ = gone.Wait()
	}
	for name, client := range map[string]*ssh.Client{"first": first, "second": second} {
		if !d.opens(client, oneHost) {
			t.Errorf("the %s of the other organisation ended too:\n%s", name, d.audit)
		}
	}
	soon(t, "those that ended are forgotten", func() bool { return d.connections.Live() == 4 })
}

// Those that open nothing are together one organisation: with a key each they are many, and all the same.
func TestIdlersGiveWay(t *testing.T) {
	ann, anns := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", anns))
	d.connections.most = 5
	works := []*ssh.Client{d.login(ann), d.login(ann)}
	for _, client := range works {
		if !d.opens(client, oneHost) {
			t.Fatal(d.audit)
		}
	}
	for n := range 8 {
		key, public := newSigner(t)
		d.set(object(t, "org-b", fmt.Sprint("n", n), public))
		_, err := d.tryLogin(user, key)
		d.must(err)
	}
	soon(t, "five of eight have ended", func() bool { return strings.Count(d.audit.String(), `"event":"ended"`) == 5 })
	for _, client := range works {
		if !d.opens(client, oneHost) {
			t.Errorf("one that works ended:\n%s", d.audit)
		}
	}
}

// A panic while one client is served ends that client's connection, and no other's.
func TestAPanicEndsOneConnection(t *testing.T) {
	ann, anns := newSigner(t)
	for name, breaks := range map[string]func(*opened) net.Conn{
		"while the instance is dialled": func(*opened) net.Conn { panic("a fault") },
		"while data is relayed":         func(*opened) net.Conn { return faulty{} },
	} {
		t.Run(name, func(t *testing.T) {
			d := openDoor(t, echo, object(t, "org-a", "one", anns))
			other := d.login(ann)
			way, err := other.Dial("tcp", oneHost+":22")
			d.must(err)
			d.reach.dial = func(context.Context, netip.AddrPort) (net.Conn, error) { return breaks(d), nil }
			client := d.login(ann)
			_, _ = client.Dial("tcp", oneHost+":22")
			_ = client.Wait()
			soon(t, "it is forgotten, and the log says why", func() bool {
				return d.connections.Live() == 1 && strings.Contains(d.audit.String(), `"event":"panic"`)
			})
			if !isThrough(way) {
				t.Error("another connection ended too")
			}
		})
	}
}

// faulty is an instance whose connection panics.
type faulty struct{ net.Conn }

func (faulty) Read([]byte) (int, error) { panic("a fault") }
func (faulty) Close() error             { return nil }

// Before it has logged in nobody is listened to for long, however fast they talk.
func TestAStrangerThatTalks(t *testing.T) {
	d := openDoor(t, echo)
	conn, err := net.Dial("tcp", d.address)
	d.must(err)
	defer conn.Close()
	// The version, and then packets that a server ignores: length, padding, "ignore", nothing.
	_, _ = conn.Write([]byte("SSH-2.0-x\r\n"))
	ignored := bytes.Repeat(append([]byte{0, 0, 0, 12, 10, 2}, make([]byte, 10)...), 4096)
	for range 1024 {
		if _, err = conn.Write(ignored); err != nil {
			return
		}
	}
	t.Error("64 MiB were taken in")
}

// Thirty of one network that say nothing, and the next is turned away; with their end there is room again.
func TestACrowdOfStrangers(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	var crowd []net.Conn
	dial := func() (isTaken bool) {
		conn, err := net.Dial("tcp", d.address)
		d.must(err)
		crowd = append(crowd, conn)
		_, err = conn.Read(make([]byte, 4))
		return err == nil
	}
	for n := range mostPerNetwork {
		if !dial() {
			t.Fatalf("stranger %d is turned away", n+1)
		}
	}
	if dial() {
		t.Error("one more is taken in")
	}
	for _, conn := range crowd {
		_ = conn.Close()
	}
	soon(t, "there is room again", func() bool {
		client, err := d.tryLogin(user, key)
		return err == nil && d.opens(client, oneHost)
	})
}

func TestChanceTurnsAwayMoreAndMore(t *testing.T) {
	for strangers, want := range map[int]int{0: 0, 199: 0, 200: 30, 400: 65, 600: 100} {
		got := 0
		for chance := range 100 {
			if isTurnedAway(strangers, chance) {
				got++
			}
		}
		if got != want {
			t.Errorf("of %d strangers %d %% are turned away", strangers, got)
		}
	}
}

func TestNetworks(t *testing.T) {
	for remote, want := range map[string]string{
		"192.0.2.7:4000":           "192.0.2.7/32",
		"[::ffff:192.0.2.7]:4000":  "192.0.2.7/32",
		"[2001:db8:1:2:3::4]:4000": "2001:db8:1:2::/64",
		"[fe80::1%eth0]:4000":      "fe80::/64",
		"@":                        "invalid Prefix",
	} {
		if got := networkOf(fakeAddr(remote)).String(); got != want {
			t.Errorf("%s: %s", remote, got)
		}
	}
}

type fakeAddr string

func (fakeAddr) Network() string  { return "tcp" }
func (a fakeAddr) String() string { return string(a) }

// Bytes that a client sends and its instance does not take stay in memory. Of two such clients, the one that holds more ends, and no other.
func TestMemoryIsTakenFromWhoHoldsMost(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	d.reach.dial = toNobody
	quiet, little, much := d.login(key), d.login(key), d.login(key)
	fill := func(client *ssh.Client, ways int) {
		for range ways {
			way, err := client.Dial("tcp", oneHost+":22")
			d.must(err)
			go func() { _, _ = io.Copy(way, endless{}) }()
		}
	}
	_, err := quiet.Dial("tcp", oneHost+":22")
	d.must(err)
	fill(little, 1)
	fill(much, 4)
	holds := func() (all []int) {
		for _, one := range d.connections.all() {
			all = append(all, one.meter.holds())
		}
		return all
	}
	count := func(least int) (n int) {
		for _, held := range holds() {
			if held > least {
				n++
			}
		}
		return n
	}
	soon(t, "both have filled what they may", func() bool { return count(1<<20) == 2 && count(6<<20) == 1 })
	d.connections.Relieve(being(tooMuchLive-1), 1)
	if d.connections.Live() != 3 {
		t.Errorf("one ended while there is memory:\n%s", d.audit)
	}
	d.connections.Relieve(being(tooMuchLive), 1)
	_ = much.Wait()
	soon(t, "it is forgotten", func() bool { return d.connections.Live() == 2 })
	d.connections.Relieve(being(tooMuchLive), enoughFreed)
	_ = little.Wait()
	soon(t, "the other is forgotten", func() bool { return d.connections.Live() == 1 })
	d.connections.Relieve(being(tooMuchLive), enoughFreed)
	if _, _, err := quiet.SendRequest("keepalive@openssh.com", true, nil); err != nil {
		t.Errorf("one that holds nothing ended too: %v", err)
	}
}

// Ways hold memory before anything is sent on them.
func TestManyWaysAreMemoryToo(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	few, many := d.login(key), d.login(key)
	for client, ways := range map[*ssh.Client]int{few: 2, many: 16} {
		for range ways {
			_, err := client.Dial("tcp", oneHost+":22")
			d.must(err)
		}
	}
	d.connections.Relieve(being(tooMuchLive), enoughFreed)
	_ = many.Wait()
	if !d.opens(few, oneHost) {
		t.Errorf("one with two ways ended too:\n%s", d.audit)
	}
}

// being is memory in use that stays as it is.
func being(live int) func() int { return func() int { return live } }

// What a connection held counts as live until the connection is over and collected. Until then no other ends for it.
func TestMemoryIsMeasuredAnewBeforeAnotherEnds(t *testing.T) {
	connections := NewConnections(NewRights(), quiet)
	var entered []*connection
	for range 3 {
		near, _ := net.Pipe()
		entered = append(entered, connections.Enter(Fingerprint{}, &meter{Conn: near, channels: mostChannels}, nil))
	}
	live := tooMuchLive
	relieve := func() int {
		// Counting takes the lock: memory is measured outside it.
		connections.Relieve(func() int { connections.Live(); return live }, 1)
		return connections.Counters().Ended
	}
	if relieve() != 1 || relieve() != 1 {
		t.Fatalf("%d ended while the first is not over", connections.Counters().Ended)
	}
	connections.Leave(entered[0])
	if relieve() != 2 || relieve() != 2 {
		t.Fatalf("%d ended while memory is short, and the first is over", connections.Counters().Ended)
	}
	connections.Leave(entered[1])
	live = tooMuchLive - 1
	if relieve() != 2 {
		t.Error("one ended though there is memory again")
	}
	live = tooMuchLive
	if connections.Relieve(func() int { defer func() { live = tooMuchLive - 1 }(); return live }, 1); connections.Counters().Ended != 2 {
		t.Error("one ended though collecting was enough")
	}
}

// toNobody reaches an instance that takes no data.
func toNobody(context.Context, netip.AddrPort) (net.Conn, error) {
	near, _ := net.Pipe()
	return near, nil
}

type endless struct{}

func (endless) Read(into []byte) (int, error) { return len(into), nil }

// Whoever has taken in all of it holds nothing, however much it was.
func TestWhatWasReadIsNotHeld(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	way, err := d.login(key).Dial("tcp", oneHost+":22")
	d.must(err)
	sent := bytes.Repeat([]byte("x"), 16<<20)
	go func() { _, _ = way.Write(sent) }()
	back := make([]byte, len(sent))
	if _, err := io.ReadFull(way, back); err != nil || !bytes.Equal(back, sent) {
		t.Fatalf("16 MiB did not come back: %v", err)
	}
	if !isThrough(way) {
		t.Fatal("nothing goes through any more")
	}
	if holds := d.connections.all()[0].meter.holds(); holds > littleIsFine {
		t.Errorf("%d bytes are held", holds)
	}
}

// What the meter says is what is buffered, whatever else goes through the same connection: it comes in encrypted, among answers to
// what the client downloads.
func TestWhatIsHeldIsWhatIsBuffered(t *testing.T) {
	const download = 64 << 20
	type ways struct{ drained, halfClosed, stuck, left int }
	for name, test := range map[string]ways{
		"one way that downloads":                             {drained: 1},
		"several ways that download":                         {drained: 4},
		"ways that download after the end of what they send": {drained: 1, halfClosed: 2},
		"a way that is stuck, alone":                         {stuck: 1},
		"a way that is stuck beside downloads":               {drained: 3, stuck: 1},
		"several that are stuck beside downloads":            {drained: 2, halfClosed: 1, stuck: 5},
		"after ways that were stuck have ended":              {drained: 2, left: 3},
		"everything at once":                                 {drained: 2, halfClosed: 2, stuck: 3, left: 2},
	} {
		t.Run(name, func(t *testing.T) {
			key, ann := newSigner(t)
			d := openDoor(t, func(conn net.Conn) {
				defer conn.Close()
				_, _ = io.CopyN(conn, endless{}, download)
				_, _ = io.Copy(conn, conn)
			}, object(t, "org-a", "one", ann))
			client := d.login(key)
			downloads := d.reach.dial
			opens := func(dial func(context.Context, netip.AddrPort) (net.Conn, error), count int, uses func(net.Conn)) {
				t.Helper()
				d.reach.dial = dial
				for range count {
					way, err := client.Dial("tcp", oneHost+":22")
					d.must(err)
					uses(way)
				}
			}
			// A way that is stuck takes its whole window, less the one read whose bytes the instance does not take.
			const window, taken = 2 << 20, mostOfPacket + 1
			fills := func(way net.Conn) {
				_, err := way.Write(make([]byte, window))
				d.must(err)
			}
			opens(toNobody, test.left, func(way net.Conn) {
				fills(way)
				d.must(way.Close())
			})
			soon(t, "those that end are forgotten", func() bool { return len(d.connections.all()[0].channels) == 0 })
			opens(toNobody, test.stuck, fills)
			opens(downloads, test.drained, func(way net.Conn) {
				_, err := io.CopyN(io.Discard, way, download)
				d.must(err)
				if !isThrough(way) {
					t.Fatal("nothing goes through any more")
				}
			})
			opens(downloads, test.halfClosed, func(way net.Conn) {
				d.must(way.(interface{ CloseWrite() error }).CloseWrite())
				_, err := io.Copy(io.Discard, way)
				d.must(err)
			})
			buffered := test.stuck*(window-taken) + (test.stuck+test.drained)*wayHolds
			soon(t, "those that end are forgotten", func() bool { return len(d.connections.all()[0].channels) == test.stuck+test.drained })
			// A packet's overhead counts, and what a client answers to what it downloads is known to within half a hundredth of that.
			overhead, answers := 65*packetOverhead*test.stuck, min(test.stuck, 1)*(test.drained+test.halfClosed)*download/256
			offBy := func() int { return d.connections.all()[0].meter.holds() - buffered }
			isRight := func(off int) bool { return off >= -answers && off <= overhead+answers }
			soon(t, "all of it is counted", func() bool { return isRight(offBy()) })
			if off := offBy(); !isRight(off) {
				t.Errorf("%d bytes are buffered, and %d counted, which is off by %d", buffered, buffered+off, off)
			}
		})
	}
}

// A client may end what it sends and wait for the answer.
func TestHalfClosed(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, func(conn net.Conn) {
		defer conn.Close()
		all, _ := io.ReadAll(conn)
		_, _ = fmt.Fprintf(conn, "%d bytes", len(all))
	}, object(t, "org-a", "one", ann))
	way, err := d.login(key).Dial("tcp", oneHost+":22")
	d.must(err)
	_, _ = way.Write(make([]byte, 3<<20))
	d.must(way.(interface{ CloseWrite() error }).CloseWrite())
	if said, err := io.ReadAll(way); err != nil || string(said) != "3145728 bytes" {
		t.Errorf("%q %v", said, err)
	}
}

// Whatever a client does before it is gone, nothing of it stays.
func TestNothingStaysOfAConnection(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	d.reach.dial = toNobody
	before := runtime.NumGoroutine()
	client := d.login(key)
	for range mostSessions {
		// Opened and left alone, and one with a window of nothing.
		_, _, err := client.OpenChannel("session", nil)
		d.must(err)
	}
	for range 16 {
		way, err := client.Dial("tcp", oneHost+":22")
		d.must(err)
		go func() { _, _ = io.Copy(way, endless{}) }()
	}
	d.connections.EndAll("enough")
	_ = client.Wait()
	soon(t, "the connection is forgotten", func() bool { return d.connections.Live() == 0 })
	soon(t, "its goroutines end", func() bool { return runtime.NumGoroutine() <= before })
}

// While an instance does not answer, clients that are gone leave one dial behind, whatever they asked for.
func TestClientsThatLeaveDuringADialLeaveOneBehind(t *testing.T) {
	key, ann := newSigner(t)
	d := openDoor(t, echo, object(t, "org-a", "one", ann))
	dial := d.reach.dial
	dials, answers := make(chan struct{}, mostChannels), make(chan struct{})
	d.reach.dial = func(ctx context.Context, at netip.AddrPort) (net.Conn, error) {
		dials <- struct{}{}
		<-answers
		return dial(context.WithoutCancel(ctx), at)
	}
	before := runtime.NumGoroutine()
	for range 2 {
		client := d.login(key)
		for range mostChannels {
			go func() { _, _ = client.Dial("tcp", oneHost+":22") }()
		}
		soon(t, "the connection has all its ways", func() bool { return len(d.connections.all()[0].channels) == mostChannels })
		_ = client.Close()
		soon(t, "the connection is forgotten", func() bool { return d.connections.Live() == 0 })
	}
	soon(t, "the goroutines end, but for that of the dial", func() bool { return runtime.NumGoroutine() <= before+1 })
	if len(dials) != 1 {
		t.Errorf("%d dials", len(dials))
	}
	// Who comes next shares that dial, and what it finds is not lost with the client that asked first.
	next := make(chan bool)
	client := d.login(key)
	go func() { next <- d.opens(client, oneHost) }()
	soon(t, "it waits for the dial", func() bool { return len(d.connections.all()[0].channels) == 1 })
	close(answers)
	if !<-next {
		t.Errorf("the instance is not reached:\n%s", d.audit)
	}
}

// OpenSSH's own client, as people use it. test/stories/door.test.ts has scp, sftp and rsync with real instances.
func TestOpenSSH(t *testing.T) {
	folder := t.TempDir()
	run := func(input string, program string, args ...string) (int, string, string) {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), 30*time.Second)
		defer stop()
		command := exec.CommandContext(ctx, program, args...)
		var said, complained bytes.Buffer
		command.Stdin, command.Stdout, command.Stderr = strings.NewReader(input), &said, &complained
		if err := command.Run(); command.ProcessState == nil {
			t.Fatal(err)
		}
		return command.ProcessState.ExitCode(), said.String(), complained.String()
	}
	for _, kind := range []string{"ed25519", "ecdsa", "rsa"} {
		t.Run(kind, func(t *testing.T) {
			file := filepath.Join(folder, kind)
			if code, _, err := run("", "ssh-keygen", "-q", "-t", kind, "-N", "", "-f", file); code != 0 {
				t.Fatal(err)
			}
			public, err := os.ReadFile(file + ".pub")
			if err != nil {
				t.Fatal(err)
			}
			d := openDoor(t, echo, object(t, "org-a", "one", string(public)))
			host, port, _ := net.SplitHostPort(d.address)
			ssh := func(input string, args ...string) (int, string, string) {
				always := []string{"-F", "none", "-p", port, "-i", file, "-o", "IdentitiesOnly=yes", "-o", "BatchMode=yes",
					"-o", "StrictHostKeyChecking=accept-new", "-o", "UserKnownHostsFile=" + filepath.Join(folder, kind+".known")}
				return run(input, "ssh", append(always, args...)...)
			}
			in := user + "@" + host
			if code, said, complained := ssh("hello\n", "-W", oneHost+":22", in); code != 0 || said != "hello\n" {
				t.Errorf("-W: %d %q %s", code, said, complained)
			}
			for name, test := range map[string]struct {
				args []string
				code int
				says string
			}{
				"nowhere else":      {[]string{"-W", twoHost + ":22", in}, 255, "administratively prohibited: open failed"},
				"no shell":          {[]string{in}, 1, "This door leads to instances only."},
				"no program":        {[]string{in, "id"}, 1, "This door leads to instances only."},
				"no terminal":       {[]string{"-tt", in}, 255, "PTY allocation request failed"},
				"no subsystem":      {[]string{"-s", in, "sftp"}, 255, "subsystem request failed"},
				"no remote forward": {[]string{"-N", "-o", "ExitOnForwardFailure=yes", "-R", "0:localhost:22", in}, 255, "remote port forwarding failed"},
				"no other user":     {[]string{"root@" + host}, 255, "Permission denied (publickey)."},
			} {
				if code, said, complained := ssh("", test.args...); code != test.code || said != "" || !strings.Contains(complained, test.says) {
					t.Errorf("%s: %d %q %s", name, code, said, complained)
				}
			}
		})
	}
}
