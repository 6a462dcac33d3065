package sshd

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"os/signal"
	"regexp"
	"sync"
	"syscall"
	"time"

	"gantry.dev/agent/ssh/ledger"
	"golang.org/x/sys/unix"
)

// KeeperCommand is the command of this binary that holds one kept shell, in a process of its own.
const KeeperCommand = "keep-shell"

// KeptOptions name a shell that outlives the connections to it.
type KeptOptions struct {
	ShellOptions
	Session string
	// Keep is how long the shell stays while nobody is attached; zero attaches to one that is there.
	Keep time.Duration
	// End ends it instead.
	End bool
	// Fires once nobody has been attached for long enough; a timer of Keep unless a test says when.
	idles func() <-chan time.Time
}

// Besides the frames of a plain shell.
const (
	frameHello = 5 // out: the first frame: so many bytes (four bytes) of what was shown before follow as data
	frameEnd   = 6 // in: nothing; end the shell
	frameMoved = 7 // out: nothing; somebody else attached; the last frame

	// The output that a reattached terminal shows again.
	maxRecent = 256 << 10
	// A connection that says nothing is not waited for.
	firstFrameWithin = 10 * time.Second
	// Nor is one that does not take its last frame.
	lastFrameWithin = time.Second

	// Without a hello before it, this exit code of the attaching process says that there is no such shell. The gateway knows it.
	exitNoSession = 69
)

var errEndAsked = errors.New("the shell is to end")

// IsSessionName is whether a kept shell may be called so.
var IsSessionName = regexp.MustCompile(`^[a-z0-9_-]{1,64}$`).MatchString

// In the network namespace of the instance: nothing of the image's files is needed.
func keptAddress(session string) string { return "@gantry/shell/" + session }

// ServeKeptShell connects input and output to a kept shell, and starts it if options.Keep says so. The end of the input leaves
// the shell alone.
func ServeKeptShell(in io.Reader, out io.Writer, options KeptOptions) int {
	conn, err := connectKept(options)
	if err != nil {
		fmt.Fprintln(os.Stderr, "agent shell:", err)
		return exitNoSession
	}
	defer conn.Close()
	to := &frameWriter{out: conn}
	if options.End {
		if to.write(frameEnd, nil) == nil {
			_, _ = io.Copy(io.Discard, conn)
		}
		return 0
	}
	size := binary.BigEndian.AppendUint16(binary.BigEndian.AppendUint16(nil, uint16(options.Columns)), uint16(options.Rows))
	if to.write(frameResize, size) == nil {
		go func() {
			defer conn.Close()
			_, _ = io.Copy(conn, in)
		}()
		_, _ = io.Copy(out, conn)
	}
	return 0
}

func connectKept(options KeptOptions) (net.Conn, error) {
	if options.Keep == 0 {
		return net.Dial("unix", keptAddress(options.Session))
	}
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	ours, theirs := os.NewFile(uintptr(pair[0]), "keeper"), os.NewFile(uintptr(pair[1]), "keeper")
	defer ours.Close()
	defer theirs.Close()
	// Its own session, and none of our files: the runtime waits until nobody has them.
	keeper := &exec.Cmd{
		Path: "/proc/self/exe",
		Args: []string{
			"agent", KeeperCommand, "--session", options.Session, "--keep", options.Keep.String(), "--patience", options.Patience.String(),
			"--columns", fmt.Sprint(options.Columns), "--rows", fmt.Sprint(options.Rows),
		},
		ExtraFiles:  []*os.File{theirs},
		SysProcAttr: &syscall.SysProcAttr{Setsid: true},
	}
	if err := keeper.Start(); err != nil {
		return nil, err
	}
	return net.FileConn(ours)
}

// KeepShell runs the user's shell at its own terminal and holds it for whoever connects, one at a time. It returns once the shell
// has ended and somebody was told, or nobody has been attached for options.Keep; the shell is hung up then. The first connection
// is inherited.
func KeepShell(first int, options KeptOptions) error {
	file := os.NewFile(uintptr(first), "first")
	conn, err := net.FileConn(file)
	_ = file.Close()
	if err != nil {
		return err
	}
	who, _ := accountOf("root")
	// Once the shell is there, which would inherit it. A stopping instance then does not wait for us, and those who save their
	// work keep their terminal.
	return keepShell(who, conn, options, func() { signal.Ignore(syscall.SIGTERM, syscall.SIGINT, syscall.SIGHUP) })
}

// attachment is one connection to a kept shell.
type attachment struct {
	frameWriter
	conn net.Conn
	from *bufio.Reader
}

func newAttachment(conn net.Conn) *attachment {
	return &attachment{frameWriter: frameWriter{out: conn}, conn: conn, from: bufio.NewReaderSize(conn, maxFrame)}
}

// departure is why an attachment is over.
type departure struct {
	from *attachment
	why  error
}

type keptShell struct {
	options  KeptOptions
	terminal *terminal
	command  *exec.Cmd
	left     chan departure

	// Held while something is shown, so that what was shown before comes before what is shown next.
	mu     sync.Mutex
	recent recent
	to     *attachment
}

func keepShell(who account, first net.Conn, options KeptOptions, started func()) error {
	listener, err := net.Listen("unix", keptAddress(options.Session))
	if err != nil {
		_ = first.Close()
		return err
	}
	defer listener.Close()
	opening := newAttachment(first)
	defer opening.conn.Close()
	if _, err := opening.firstFrame(); err != nil {
		return err
	}
	command, terminal, err := startShell(who, options.ShellOptions)
	if err != nil {
		_ = opening.write(frameHello, make([]byte, 4))
		refuseShell(&opening.frameWriter, err)
		return nil
	}
	defer terminal.master.Close()
	started()
	k := &keptShell{options: options, terminal: terminal, command: command, left: make(chan departure)}
	ended, shown := make(chan struct{}), make(chan struct{})
	arrivals, asked := make(chan *attachment), make(chan struct{})
	over := make(chan struct{})
	defer close(over)
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	go func() {
		defer close(shown)
		terminal.copyTo(k)
	}()
	go accept(listener, arrivals, asked, over)
	k.run(opening, arrivals, asked, ended, shown)
	return nil
}

// run returns when nobody is left who could be told anything.
func (k *keptShell) run(current *attachment, arrivals <-chan *attachment, asked, ended, shown <-chan struct{}) {
	var idle <-chan time.Time
	var exit []byte
	allShown, hasEnded := shown, ended
	// Asked about once the shell has ended.
	shown = nil
	wait := k.options.idles
	if wait == nil {
		wait = func() <-chan time.Time { return time.After(k.options.Keep) }
	}
	leader, isAsked := k.command.Process.Pid, false
	// Once the leader was waited for, its number may be another's.
	finish := func() {
		if isAsked = true; ended != nil {
			go ledger.EndSession(leader, hasEnded)
		}
	}
	k.attach(current)
	for {
		select {
		case arrival := <-arrivals:
			if current != nil {
				_ = current.conn.SetWriteDeadline(time.Now().Add(lastFrameWithin))
				_ = current.write(frameMoved, nil)
				_ = current.conn.Close()
			}
			current, idle = arrival, nil
			k.attach(current)
			k.redraw()
		case departed := <-k.left:
			if errors.Is(departed.why, errEndAsked) {
				finish()
			} else if departed.from == current {
				current, idle = nil, wait()
			}
		case <-asked:
			finish()
		case <-idle:
			if ended != nil {
				ledger.EndSession(leader, hasEnded)
			}
			return
		case <-ended:
			ended, shown = nil, allShown
			k.terminal.hurry()
		case <-shown:
			shown = nil
			exit = binary.BigEndian.AppendUint32(nil, uint32(shellCode(k.command.ProcessState.Sys().(syscall.WaitStatus))))
		}
		if exit != nil && current != nil {
			if current.write(frameExit, exit) == nil {
				_ = current.conn.Close()
				return
			}
			_ = current.conn.Close()
			current, idle = nil, wait()
		}
		if exit != nil && current == nil && isAsked {
			return
		}
	}
}

// attach shows what was shown before, and then what comes.
func (k *keptShell) attach(to *attachment) {
	go func() {
		why := follow(to.from, &to.frameWriter, k.terminal, k.options.ShellOptions)
		if !errors.Is(why, errEndAsked) {
			// Before anything else: somebody may wait for it to take what is shown.
			_ = to.conn.Close()
		}
		k.left <- departure{to, why}
	}()
	k.mu.Lock()
	defer k.mu.Unlock()
	before := k.recent.last()
	_ = to.write(frameHello, binary.BigEndian.AppendUint32(nil, uint32(len(before))))
	for ; len(before) > 0; before = before[min(len(before), maxFrame):] {
		_ = to.write(frameData, before[:min(len(before), maxFrame)])
	}
	k.to = to
}

// redraw asks a program that has the screen to draw it again. A shell's line is among what was shown.
func (k *keptShell) redraw() {
	if group := k.terminal.foreground(); group > 1 && group != k.command.Process.Pid {
		_ = syscall.Kill(-group, syscall.SIGWINCH)
	}
}

// Write is for what the terminal shows. An attachment that takes none of it holds it back; without one it is only remembered.
func (k *keptShell) Write(shown []byte) (int, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.recent.add(shown)
	if k.to != nil && k.to.write(frameData, shown) != nil {
		k.to = nil
	}
	return len(shown), nil
}

// accept passes on who wants to attach, and who asks for the shell's end: that connection is open until all is over.
func accept(listener net.Listener, arrivals chan<- *attachment, asked chan<- struct{}, over <-chan struct{}) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go func() {
			arrival := newAttachment(conn)
			kind, err := arrival.firstFrame()
			switch {
			case err != nil || !isSameUser(conn):
				_ = conn.Close()
			case kind == frameEnd:
				select {
				case asked <- struct{}{}:
				case <-over:
				}
				<-over
				_ = conn.Close()
			default:
				select {
				case arrivals <- arrival:
				case <-over:
					_ = conn.Close()
				}
			}
		}()
	}
}

// The first frame says what somebody wants: to attach, with their size, or the shell's end.
func (a *attachment) firstFrame() (kind byte, err error) {
	_ = a.conn.SetReadDeadline(time.Now().Add(firstFrameWithin))
	defer func() { _ = a.conn.SetReadDeadline(time.Time{}) }()
	header, err := a.from.Peek(frameHeader)
	if err != nil {
		return 0, err
	}
	if kind = header[0]; kind != frameEnd && kind != frameResize {
		return 0, fmt.Errorf("%w: frame %d comes first", os.ErrInvalid, kind)
	}
	return kind, nil
}

// isSameUser is whether the other side is the user that we run as: other users of the instance reach the address too.
func isSameUser(conn net.Conn) bool {
	raw, err := conn.(syscall.Conn).SyscallConn()
	if err != nil {
		return false
	}
	own := false
	_ = raw.Control(func(fd uintptr) {
		peer, err := unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
		own = err == nil && int(peer.Uid) == os.Geteuid()
	})
	return own
}

// recent is the end of what was shown.
type recent struct {
	bytes []byte
	isCut bool
}

func (r *recent) add(shown []byte) {
	r.bytes = append(r.bytes, shown...)
	if excess := len(r.bytes) - maxRecent; excess > maxRecent {
		r.bytes = r.bytes[:copy(r.bytes, r.bytes[excess:])]
		r.isCut = true
	}
}

// last begins with a whole line where the beginning is gone: half a sequence would be shown as text.
func (r *recent) last() []byte {
	last := r.bytes
	if excess := len(last) - maxRecent; excess > 0 {
		last = last[excess:]
	} else if !r.isCut {
		return bytes.Clone(last)
	}
	return bytes.Clone(last[bytes.IndexByte(last, '\n')+1:])
}
