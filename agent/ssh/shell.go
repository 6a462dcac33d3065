package sshd

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"gantry.dev/agent/ssh/ledger"
	"golang.org/x/sys/unix"
)

// ShellOptions say how a shell for the gateway begins.
type ShellOptions struct {
	Columns, Rows uint
	// How long the other side may say nothing, not even that it is there.
	Patience time.Duration
	// When it is looked whether the other side was heard since; every tenth of Patience unless a test says when.
	looks <-chan time.Time
}

// Both ways a frame is its kind (one byte), its length (four, the highest first) and so many bytes.
const (
	frameData   = 0 // either way
	frameResize = 1 // in: columns and rows, two bytes each
	frameAlive  = 2 // in: nothing; the other side is there
	frameTaken  = 3 // out: so many bytes of input (four bytes) have reached the terminal
	frameExit   = 4 // out: the shell's exit code (four bytes); the last frame

	frameHeader = 5
	maxFrame    = 64 << 10
	// So much input may be under way. It is always read, so that the other side's end is noticed whatever the shell does.
	inputWindow = 256 << 10
	// Acknowledged in batches: a single key needs no answer.
	takenLump = 16 << 10
)

// As if a hang-up had ended it.
const exitHungUp = 128 + int(syscall.SIGHUP)

// So often it is looked for the other side before it is given up.
const looksPerPatience = 10

var errTooMuch = errors.New("more input than was asked for")

// ServeShell runs the user's shell at its own terminal until it ends, and returns its exit code. When the input ends or falls
// silent, what runs at the terminal is hung up: a runtime leaves executed processes behind.
func ServeShell(in io.Reader, out io.Writer, options ShellOptions) int {
	who, _ := accountOf("root")
	return serveShell(who, in, out, options)
}

func serveShell(who account, in io.Reader, out io.Writer, options ShellOptions) int {
	// Output that nobody reads any more is an error to deal with, and not the end of this process before its shell's.
	broken := make(chan os.Signal, 1)
	signal.Notify(broken, syscall.SIGPIPE)
	defer signal.Stop(broken)
	to := &frameWriter{out: out}
	command, terminal, err := startShell(who, options)
	if err != nil {
		return refuseShell(to, err)
	}
	defer terminal.master.Close()

	ended, gone := make(chan struct{}), make(chan struct{})
	shown := make(chan struct{})
	go func() {
		defer close(shown)
		terminal.copyTo(to)
	}()
	go func() {
		defer close(gone)
		_ = follow(in, to, terminal, options)
	}()
	go func() {
		_ = command.Wait()
		close(ended)
	}()
	select {
	case <-ended:
	case <-gone:
		// Not reported: the other side may not even read.
		ledger.EndSession(command.Process.Pid, ended)
		<-ended
		return exitHungUp
	}
	terminal.hurry()
	told := make(chan struct{})
	code := shellCode(command.ProcessState.Sys().(syscall.WaitStatus))
	go func() {
		defer close(told)
		<-shown
		_ = to.write(frameExit, binary.BigEndian.AppendUint32(nil, uint32(code)))
	}()
	select {
	case <-told:
	case <-gone:
	}
	return code
}

// refuseShell says why there is no shell, and how that ends.
func refuseShell(to *frameWriter, why error) int {
	code := exitNotExecutable
	if errors.Is(why, errNoShell) {
		code = exitNotFound
	}
	_ = to.write(frameData, fmt.Appendf(nil, "gantry: %v\r\n", why))
	_ = to.write(frameExit, binary.BigEndian.AppendUint32(nil, uint32(code)))
	return code
}

// As a shell says it.
func shellCode(status syscall.WaitStatus) int {
	if status.Signaled() {
		return 128 + int(status.Signal())
	}
	return status.ExitStatus()
}

func startShell(who account, options ShellOptions) (*exec.Cmd, *terminal, error) {
	path, name, found := shellOf(who)
	if !found {
		return nil, nil, errNoShell
	}
	terminal, err := openTerminal(who, winsize(uint32(options.Columns), uint32(options.Rows), 0, 0), nil)
	if err != nil {
		return nil, nil, err
	}
	facts := []string{
		"HOME=" + homeOf(who), "USER=" + who.name, "LOGNAME=" + who.name, "SHELL=" + path,
		"TERM=xterm-256color", "COLORTERM=truecolor",
	}
	command := &exec.Cmd{
		// No login shell, as over SSH.
		Path: path, Args: []string{name}, Dir: homeOf(who), Env: environment(os.Environ(), nil, facts),
		Stdin: terminal.slave, Stdout: terminal.slave, Stderr: terminal.slave,
		SysProcAttr: &syscall.SysProcAttr{Setsid: true, Setctty: true},
	}
	err = command.Start()
	_ = terminal.slave.Close()
	if err != nil {
		_ = terminal.master.Close()
		return nil, nil, err
	}
	return command, terminal, nil
}

// follow does what the other side says until it ends, breaks off, says nothing for too long or asks for the shell's end.
func follow(in io.Reader, to *frameWriter, at *terminal, options ShellOptions) error {
	looks := options.looks
	if looks == nil {
		ticker := time.NewTicker(options.Patience / looksPerPatience)
		defer ticker.Stop()
		looks = ticker.C
	}
	var silent atomic.Int32
	typed := newInput()
	defer typed.close()
	go typed.pour(at.master, to)
	failed := make(chan error, 1)
	go func() {
		failed <- readFrames(in, func(kind byte, payload []byte) error {
			silent.Store(0)
			switch {
			case kind == frameData:
				return typed.add(payload)
			case kind == frameResize && len(payload) == 4:
				at.resize(unix.Winsize{Col: binary.BigEndian.Uint16(payload), Row: binary.BigEndian.Uint16(payload[2:])})
			case kind == frameEnd:
				return errEndAsked
			}
			return nil
		})
	}()
	for {
		select {
		case err := <-failed:
			return err
		case <-looks:
			if silent.Add(1) > looksPerPatience {
				return os.ErrDeadlineExceeded
			}
		}
	}
}

// readFrames passes each frame to take; its payload is valid only until take returns.
func readFrames(in io.Reader, take func(kind byte, payload []byte) error) error {
	from, header, payload := bufio.NewReaderSize(in, maxFrame), make([]byte, frameHeader), make([]byte, maxFrame)
	for {
		if _, err := io.ReadFull(from, header); err != nil {
			return err
		}
		length := binary.BigEndian.Uint32(header[1:])
		if length > maxFrame {
			return errTooMuch
		}
		if _, err := io.ReadFull(from, payload[:length]); err != nil {
			return err
		}
		if err := take(header[0], payload[:length]); err != nil {
			return err
		}
	}
}

// input is what was typed and has not reached the terminal yet.
type input struct {
	mu     sync.Mutex
	more   *sync.Cond
	bytes  []byte
	closed bool
}

func newInput() *input {
	i := &input{}
	i.more = sync.NewCond(&i.mu)
	return i
}

func (i *input) add(bytes []byte) error {
	i.mu.Lock()
	defer i.mu.Unlock()
	if len(i.bytes)+len(bytes) > inputWindow {
		return errTooMuch
	}
	i.bytes = append(i.bytes, bytes...)
	i.more.Signal()
	return nil
}

func (i *input) close() {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.closed = true
	i.more.Signal()
}

func (i *input) next(into []byte) int {
	i.mu.Lock()
	defer i.mu.Unlock()
	for len(i.bytes) == 0 && !i.closed {
		i.more.Wait()
	}
	n := copy(into, i.bytes)
	i.bytes = i.bytes[:copy(i.bytes, i.bytes[n:])]
	return n
}

// pour ends when the terminal is closed, or nothing more comes.
func (i *input) pour(terminal io.Writer, to *frameWriter) {
	chunk, taken := make([]byte, 4<<10), 0
	for {
		n := i.next(chunk)
		if n == 0 {
			return
		}
		if _, err := terminal.Write(chunk[:n]); err != nil {
			return
		}
		if taken += n; taken >= takenLump {
			if to.write(frameTaken, binary.BigEndian.AppendUint32(nil, uint32(taken))) != nil {
				return
			}
			taken = 0
		}
	}
}

// frameWriter writes whole frames, for several at once. After a failure it writes nothing more: half a frame may be out.
type frameWriter struct {
	mu     sync.Mutex
	out    io.Writer
	failed error
}

// Write is for what the terminal shows.
func (w *frameWriter) Write(bytes []byte) (int, error) {
	if err := w.write(frameData, bytes); err != nil {
		return 0, err
	}
	return len(bytes), nil
}

func (w *frameWriter) write(kind byte, payload []byte) error {
	frame := binary.BigEndian.AppendUint32([]byte{kind}, uint32(len(payload)))
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.failed == nil {
		_, w.failed = w.out.Write(append(frame, payload...))
	}
	return w.failed
}
