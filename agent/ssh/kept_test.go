package sshd

import (
	"bytes"
	"encoding/binary"
	"io"
	"net"
	"os"
	"strings"
	"testing"
	"time"
)

// keeper is a kept shell under test.
type keeper struct {
	t       *testing.T
	options KeptOptions
	idle    chan time.Time
	looks   chan time.Time
	over    chan error
}

func keep(t *testing.T) (*keeper, *gateway) {
	t.Helper()
	return keepFor(t, func(conn net.Conn) net.Conn { return conn })
}

// keepFor is for a first connection that is not as reliable as a pipe.
func keepFor(t *testing.T, through func(net.Conn) net.Conn) (*keeper, *gateway) {
	t.Helper()
	k := &keeper{t: t, idle: make(chan time.Time), looks: make(chan time.Time), over: make(chan error, 1)}
	k.options = KeptOptions{
		ShellOptions: ShellOptions{Columns: 91, Rows: 17, looks: k.looks}, Session: strings.ReplaceAll(mark(), ".", "-"),
		idles: func() <-chan time.Time { return k.idle },
	}
	who := account{name: "root", home: t.TempDir(), shell: "/bin/bash"}
	ours, theirs := net.Pipe()
	go func() { k.over <- keepShell(who, through(theirs), k.options, func() {}) }()
	first := k.gateway(ours)
	first.send(frameResize, []byte{0, 91, 0, 17})
	if before := first.frame(frameHello); binary.BigEndian.Uint32(before) != 0 {
		t.Errorf("a new shell shows %d bytes", before)
	}
	return k, first
}

func (k *keeper) gateway(conn net.Conn) *gateway {
	k.t.Cleanup(func() { _ = conn.Close() })
	return &gateway{t: k.t, input: conn, out: &bytes.Buffer{}, from: conn, looks: k.looks}
}

// attaches connects once more.
func (k *keeper) attaches() *gateway {
	k.t.Helper()
	conn, err := connectKept(k.options)
	if err != nil {
		k.t.Fatal(err)
	}
	g := k.gateway(conn)
	g.send(frameResize, []byte{0, 100, 0, 30})
	return g
}

func (k *keeper) isOver() {
	k.t.Helper()
	select {
	case err := <-k.over:
		if err != nil {
			k.t.Error(err)
		}
	case <-time.After(30 * time.Second):
		k.t.Fatal("the kept shell does not end")
	}
	if _, err := connectKept(k.options); err == nil {
		k.t.Error("somebody can still attach")
	}
}

func TestReattachedShellGoesOn(t *testing.T) {
	k, one := keep(t)
	fifo := t.TempDir() + "/go"
	one.types("mkfifo " + fifo + "; echo be''fore; read x < " + fifo + "; echo un''seen")
	one.shows("before")
	_ = one.input.Close()
	if err := os.WriteFile(fifo, []byte("on\n"), 0); err != nil {
		t.Fatal(err)
	}
	two := k.attaches()
	two.shows("unseen")
	if !strings.Contains(two.out.String(), "before") {
		t.Errorf("it was shown %q", two.out)
	}
	two.types("stty size; exit 7")
	two.shows("30 100")
	if code := binary.BigEndian.Uint32(two.frame(frameExit)); code != 7 {
		t.Errorf("it ended with %d", code)
	}
	k.isOver()
}

func TestOneAtATimeIsAttached(t *testing.T) {
	k, one := keep(t)
	two := k.attaches()
	one.frame(frameMoved)
	two.types("echo st''ill")
	two.shows("still")
	two.types("exit")
	two.frame(frameExit)
	k.isOver()
}

func TestShellThatEndedAloneSaysItsCodeLater(t *testing.T) {
	k, one := keep(t)
	fifo := t.TempDir() + "/go"
	one.types("mkfifo " + fifo + "; echo re''ady; read x < " + fifo + "; echo la''st; exit 5")
	one.shows("ready")
	_ = one.input.Close()
	if err := os.WriteFile(fifo, []byte("on\n"), 0); err != nil {
		t.Fatal(err)
	}
	two := k.attaches()
	if code := binary.BigEndian.Uint32(two.frame(frameExit)); code != 5 || !strings.Contains(two.out.String(), "last") {
		t.Errorf("it ended with %d and showed %q", code, two.out)
	}
	k.isOver()
}

func TestShellThatNobodyReattachesEnds(t *testing.T) {
	for name, leave := range map[string]func(*gateway){
		"the connection ends": func(g *gateway) { _ = g.input.Close() },
		"nothing is heard":    func(g *gateway) { close(g.looks) },
	} {
		t.Run(name, func(t *testing.T) {
			k, one := keep(t)
			number := mark()
			one.types("echo re''ady; sleep " + number)
			one.shows("ready")
			leave(one)
			k.idle <- time.Time{}
			k.isOver()
			if isRunning(number) {
				t.Error("something runs on")
			}
		})
	}
}

func TestKeptShellEndsWhenAsked(t *testing.T) {
	t.Run("by who is attached", func(t *testing.T) {
		k, one := keep(t)
		one.send(frameEnd, nil)
		one.frame(frameExit)
		k.isOver()
	})
	t.Run("while nobody is attached, and when it has ended alone", func(t *testing.T) {
		for _, line := range []string{"echo re''ady; sleep 100", "echo re''ady; exit"} {
			k, one := keep(t)
			one.types(line)
			one.shows("ready")
			_ = one.input.Close()
			options := k.options
			options.End = true
			if code := ServeKeptShell(nil, nil, options); code != 0 {
				t.Errorf("it ended with %d", code)
			}
			k.isOver()
		}
	})
	t.Run("by a connection of its own", func(t *testing.T) {
		k, one := keep(t)
		options := k.options
		options.End = true
		done := make(chan int)
		go func() { done <- ServeKeptShell(nil, nil, options) }()
		one.frame(frameExit)
		k.isOver()
		<-done
	})
}

// exitless is a connection that breaks before the last frame.
type exitless struct{ net.Conn }

func (c exitless) Write(frame []byte) (int, error) {
	if frame[0] == frameExit {
		return 0, net.ErrClosed
	}
	return c.Conn.Write(frame)
}

func TestShellThatIsAskedToEndIsNotKeptForACodeThatCannotBeSent(t *testing.T) {
	k, one := keepFor(t, func(conn net.Conn) net.Conn { return exitless{conn} })
	one.send(frameEnd, nil)
	go func() { _, _ = io.Copy(io.Discard, one.from) }()
	k.isOver()
}

func TestOutputWithoutAnybodyIsBounded(t *testing.T) {
	var r recent
	r.add([]byte("first\n"))
	if got := string(r.last()); got != "first\n" {
		t.Errorf("%q", got)
	}
	line := []byte(strings.Repeat("x", 99) + "\n")
	for range 10 * maxRecent / len(line) {
		r.add(line)
		if len(r.bytes) > 2*maxRecent+len(line) {
			t.Fatalf("%d bytes are held", len(r.bytes))
		}
	}
	last := r.last()
	if len(last) > maxRecent || len(last) < maxRecent-2*len(line) || last[0] != 'x' || len(last)%len(line) != 0 {
		t.Errorf("%d bytes, from %q", len(last), last[:10])
	}
}

func TestNoShellOfThatName(t *testing.T) {
	if code := ServeKeptShell(nil, nil, KeptOptions{Session: "nobody"}); code != exitNoSession {
		t.Errorf("it ended with %d", code)
	}
}
