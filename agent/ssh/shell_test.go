package sshd

import (
	"bytes"
	"encoding/binary"
	"io"
	"os/exec"
	"strings"
	"sync"
	"testing"
	"time"
)

// gateway is the other side of a shell.
type gateway struct {
	t     *testing.T
	input io.WriteCloser
	out   *bytes.Buffer
	from  io.ReadCloser
	code  chan int
	looks chan time.Time
	taken int
}

func shellFor(t *testing.T) *gateway {
	t.Helper()
	in, input := io.Pipe()
	from, out := io.Pipe()
	// The shell start-up files of the person who runs the tests do not matter: they may wait for something.
	who := account{name: "root", home: t.TempDir(), shell: "/bin/bash"}
	g := &gateway{t: t, input: input, out: &bytes.Buffer{}, from: from, code: make(chan int, 1), looks: make(chan time.Time)}
	go func() {
		g.code <- serveShell(who, in, out, ShellOptions{Columns: 91, Rows: 17, looks: g.looks})
		_ = out.Close()
	}()
	t.Cleanup(func() { _ = input.Close(); _ = from.Close() })
	return g
}

func (g *gateway) send(kind byte, payload []byte) {
	g.t.Helper()
	frame := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	if _, err := g.input.Write(append(frame, payload...)); err != nil {
		g.t.Fatal(err)
	}
}

func (g *gateway) types(line string) { g.send(frameData, []byte(line+"\n")) }

// frame reads until one of this kind; output before it is kept.
func (g *gateway) frame(wanted byte) []byte {
	g.t.Helper()
	for {
		header := make([]byte, frameHeader)
		if _, err := io.ReadFull(g.from, header); err != nil {
			g.t.Fatalf("no frame %d: %v; it showed %q", wanted, err, g.out)
		}
		payload := make([]byte, binary.BigEndian.Uint32(header[1:]))
		if _, err := io.ReadFull(g.from, payload); err != nil {
			g.t.Fatal(err)
		}
		switch header[0] {
		case frameData:
			g.out.Write(payload)
		case frameTaken:
			g.taken += int(binary.BigEndian.Uint32(payload))
		}
		if header[0] == wanted {
			return payload
		}
	}
}

func (g *gateway) shows(text string) {
	g.t.Helper()
	for !strings.Contains(g.out.String(), text) {
		g.frame(frameData)
	}
}

// passes so many times at which the other side is looked for.
func (g *gateway) passes(looks int) {
	g.t.Helper()
	for range looks {
		select {
		case g.looks <- time.Time{}:
		case <-time.After(30 * time.Second):
			g.t.Fatal("nobody looks any more")
		}
	}
}

func (g *gateway) ends() int {
	g.t.Helper()
	go func() { _, _ = io.Copy(io.Discard, g.from) }()
	select {
	case code := <-g.code:
		return code
	case <-time.After(30 * time.Second):
		g.t.Fatal("the shell does not end")
		return 0
	}
}

// mark is a number that only one command line has.
func mark() string { return "7" + time.Now().Format("150405.000000000") }

func isRunning(mark string) bool {
	found, _ := exec.Command("pgrep", "-f", "^sleep "+mark).Output()
	return len(found) > 0
}

func TestShellSaysItsCodeAndSize(t *testing.T) {
	g := shellFor(t)
	g.types("stty size; tty >/dev/null && echo at-$((40+2))")
	g.shows("17 91")
	g.shows("at-42")
	g.send(frameResize, []byte{0, 100, 0, 30})
	g.types("stty size")
	g.shows("30 100")
	g.types("exit 7")
	if code := binary.BigEndian.Uint32(g.frame(frameExit)); code != 7 {
		t.Errorf("the last frame says %d", code)
	}
	if code := g.ends(); code != 7 {
		t.Errorf("it ended with %d", code)
	}
}

func TestShellTakesMoreThanAWindow(t *testing.T) {
	g := shellFor(t)
	g.types("stty raw -echo; echo re''ady; head -c 1000000 | cksum; exit")
	g.shows("ready")
	block := make([]byte, 50_000)
	for i := range block {
		block[i] = byte(i * 7)
	}
	for sent := 0; sent < 1_000_000; sent += len(block) {
		for sent+len(block)-g.taken > inputWindow {
			g.frame(frameTaken)
		}
		g.send(frameData, block)
	}
	g.frame(frameExit)
	sum := exec.Command("cksum")
	sum.Stdin = bytes.NewReader(bytes.Repeat(block, 20))
	want, _ := sum.Output()
	if !strings.Contains(g.out.String(), strings.TrimSpace(string(want))) {
		t.Errorf("it showed %q, not %q", g.out, want)
	}
}

func TestShellThatIsLeftIsHungUp(t *testing.T) {
	for name, leave := range map[string]func(*gateway){
		"the input ends": func(g *gateway) { _ = g.input.Close() },
		"nothing is heard": func(g *gateway) {
			for range 3 {
				// A tick counts a moment after it was taken: one may lag behind the next event.
				g.passes(looksPerPatience - 1)
				g.send(frameAlive, nil)
				// The second is read once the first was heard.
				g.send(frameAlive, nil)
			}
			close(g.looks)
		},
		"it breaks off with input that nobody reads": func(g *gateway) {
			g.send(frameData, make([]byte, 60_000))
			g.send(frameData, make([]byte, 60_000))
			_ = g.input.Close()
		},
		"more comes than was asked for": func(g *gateway) {
			for range 5 {
				frame := binary.BigEndian.AppendUint32([]byte{frameData}, 60_000)
				_, _ = g.input.Write(append(frame, make([]byte, 60_000)...))
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			g, one, two := shellFor(t), mark(), mark()+"1"
			g.types("stty raw -echo; sleep " + one + " & echo re''ady; sleep " + two)
			g.shows("ready")
			leave(g)
			if code := g.ends(); code != exitHungUp {
				t.Errorf("it ended with %d", code)
			}
			if isRunning(one) || isRunning(two) {
				t.Error("something runs on")
			}
		})
	}
}

// unread reads nothing of what is written until the test is over.
type unread struct {
	once    sync.Once
	written chan struct{}
	over    <-chan struct{}
}

func (u *unread) Write([]byte) (int, error) {
	u.once.Do(func() { close(u.written) })
	<-u.over
	return 0, io.ErrClosedPipe
}

func TestShellEndsThoughNobodyReads(t *testing.T) {
	in, input := io.Pipe()
	out := &unread{written: make(chan struct{}), over: t.Context().Done()}
	code := make(chan int, 1)
	go func() { code <- ServeShell(in, out, ShellOptions{Columns: 80, Rows: 24, Patience: time.Minute}) }()
	frame := binary.BigEndian.AppendUint32([]byte{frameData}, 4)
	if _, err := input.Write(append(frame, "yes\n"...)); err != nil {
		t.Fatal(err)
	}
	<-out.written
	_ = input.Close()
	select {
	case <-code:
	case <-time.After(15 * time.Second):
		t.Fatal("the shell does not end")
	}
}
