package diskserver

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// ServePipe serves one connection on the process's input and output, until either ends or nobody asks for two minutes. It asks
// for no token: whoever may execute this process where the folder is mounted may read and write there.
func ServePipe(root string) error {
	// Output that nobody reads any more is an error to deal with: an unfinished copy has to be removed.
	signal.Notify(make(chan os.Signal, 1), syscall.SIGPIPE)
	disk, err := os.OpenRoot(root)
	if err != nil {
		return fmt.Errorf("--root: %w", err)
	}
	defer disk.Close()
	listener := &oneConnection{connection: newPipe(), closed: make(chan struct{})}
	err = newWeb(disk, "").Serve(listener)
	if errors.Is(err, net.ErrClosed) {
		return nil
	}
	return err
}

// A pipe is the process's input and output as a connection.
type pipe struct {
	in, out *os.File
	once    sync.Once
	closed  func()

	mutex sync.Mutex
	// Zero while the asker is there.
	writableUntil time.Time
}

// After the end of the input nobody may be reading the output, which would keep a writer for as long as its deadline is renewed.
const afterInput = 5 * time.Second

// With files that do not block a read can have a deadline, and a close ends it.
func newPipe() *pipe {
	for _, fd := range []int{0, 1} {
		_ = unix.SetNonblock(fd, true)
	}
	return &pipe{in: os.NewFile(0, "input"), out: os.NewFile(1, "output")}
}

func (p *pipe) Read(into []byte) (int, error) {
	n, err := p.in.Read(into)
	if errors.Is(err, io.EOF) {
		p.endOutput()
	}
	return n, asNetError(err)
}
func (p *pipe) endOutput() {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if p.writableUntil.IsZero() {
		p.writableUntil = time.Now().Add(afterInput)
		_ = p.out.SetWriteDeadline(p.writableUntil)
	}
}
func (p *pipe) Write(from []byte) (int, error) {
	n, err := p.out.Write(from)
	return n, asNetError(err)
}

// asNetError: net/http ends its reading ahead with a deadline, and takes any other error for the end of the connection.
func asNetError(err error) error {
	if errors.Is(err, os.ErrDeadlineExceeded) {
		return os.ErrDeadlineExceeded
	}
	return err
}
func (p *pipe) LocalAddr() net.Addr                { return pipeAddress{} }
func (p *pipe) RemoteAddr() net.Addr               { return pipeAddress{} }
func (p *pipe) SetReadDeadline(at time.Time) error { return p.in.SetReadDeadline(at) }
func (p *pipe) SetWriteDeadline(at time.Time) error {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	if until := p.writableUntil; !until.IsZero() && (at.IsZero() || at.After(until)) {
		at = until
	}
	return p.out.SetWriteDeadline(at)
}
func (p *pipe) SetDeadline(at time.Time) error {
	return errors.Join(p.SetReadDeadline(at), p.SetWriteDeadline(at))
}
func (p *pipe) Close() error {
	p.once.Do(func() {
		_, _ = p.in.Close(), p.out.Close()
		p.closed()
	})
	return nil
}

type pipeAddress struct{}

func (pipeAddress) Network() string { return "pipe" }
func (pipeAddress) String() string  { return "pipe" }

// A listener that accepts one connection, and closes with it.
type oneConnection struct {
	connection *pipe
	isAccepted bool
	once       sync.Once
	closed     chan struct{}
}

func (l *oneConnection) Accept() (net.Conn, error) {
	if l.isAccepted {
		<-l.closed
		return nil, net.ErrClosed
	}
	l.isAccepted = true
	l.connection.closed = func() { l.once.Do(func() { close(l.closed) }) }
	return l.connection, nil
}
func (l *oneConnection) Close() error {
	l.once.Do(func() { close(l.closed) })
	return nil
}
func (l *oneConnection) Addr() net.Addr { return pipeAddress{} }
