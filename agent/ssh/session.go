package sshd

import (
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"

	"gantry.dev/agent/ssh/ledger"
	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

const (
	maxVariables     = 128
	maxVariableBytes = 32 << 10

	exitNotFound      = 127
	exitNotExecutable = 126
)

// FilesCommand is the command of this binary that serves sftp on its input and output, as a separate process: it then accesses
// files, and uses CPU time, as the user.
const FilesCommand = "sftp-server"

// session is one channel of a client: a shell, a command or sftp.
type session struct {
	*connection
	channel ssh.Channel

	// Only the goroutine that serves the requests touches these.
	variables     []string
	variableBytes int
	wantsTerminal bool
	term          string
	modes         []byte
	size          unix.Winsize
	// Address of the client's SSH agent, once the client offered it.
	agent   *agentSocket
	process *process
}

// process is what a session runs.
type process struct {
	command  *exec.Cmd
	terminal *terminal
	// Our ends of the pipes, without a terminal.
	input   *os.File
	outputs []*os.File
	ended   chan struct{}
}

func (c *connection) session(channel ssh.Channel, requests <-chan *ssh.Request) {
	s := &session{connection: c, channel: channel}
	for request := range requests {
		ok := s.answer(request.Type, request.Payload)
		if request.WantReply {
			_ = request.Reply(ok, nil)
		}
	}
	// The channel is closed: by us after the end, by the client before it, or the connection is gone.
	if s.process != nil {
		s.process.end()
	}
	s.agent.close()
	c.forget(channel)
}

func (s *session) answer(kind string, payload []byte) bool {
	switch kind {
	case "env":
		return s.setVariable(payload)
	case "pty-req":
		return s.askTerminal(payload)
	case "window-change":
		var asked struct{ Columns, Rows, Width, Height uint32 }
		if ssh.Unmarshal(payload, &asked) != nil {
			return false
		}
		s.size = winsize(asked.Columns, asked.Rows, asked.Width, asked.Height)
		if s.process != nil && s.process.terminal != nil {
			s.process.terminal.resize(s.size)
		}
		return true
	case "signal":
		var asked struct{ Name string }
		return ssh.Unmarshal(payload, &asked) == nil && s.signal(asked.Name)
	case "shell":
		return s.start(payload, s.shell)
	case "exec":
		return s.start(payload, s.execute)
	case "subsystem":
		return s.start(payload, s.subsystem)
	case "auth-agent-req@openssh.com":
		return s.offerAgent()
	}
	// X11 forwarding among others: clients take a refusal and go on.
	return false
}

var variableName = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

func (s *session) setVariable(payload []byte) bool {
	var asked struct{ Name, Value string }
	if ssh.Unmarshal(payload, &asked) != nil || !variableName.MatchString(asked.Name) || strings.Contains(asked.Value, "\x00") {
		return false
	}
	s.variableBytes += len(asked.Name) + len(asked.Value)
	if len(s.variables) >= maxVariables || s.variableBytes > maxVariableBytes {
		return false
	}
	s.variables = append(s.variables, asked.Name+"="+asked.Value)
	return true
}

func (s *session) askTerminal(payload []byte) bool {
	var asked struct {
		Term                         string
		Columns, Rows, Width, Height uint32
		Modes                        string
	}
	if s.process != nil || ssh.Unmarshal(payload, &asked) != nil || strings.Contains(asked.Term, "\x00") {
		return false
	}
	s.wantsTerminal, s.term, s.modes = true, asked.Term, []byte(asked.Modes)
	s.size = winsize(asked.Columns, asked.Rows, asked.Width, asked.Height)
	return true
}

func winsize(columns, rows, width, height uint32) unix.Winsize {
	return unix.Winsize{Col: uint16(columns), Row: uint16(rows), Xpixel: uint16(width), Ypixel: uint16(height)}
}

// Names as in RFC 4254, section 6.10.
var signals = map[string]syscall.Signal{
	"ABRT": syscall.SIGABRT, "ALRM": syscall.SIGALRM, "FPE": syscall.SIGFPE, "HUP": syscall.SIGHUP, "ILL": syscall.SIGILL,
	"INT": syscall.SIGINT, "KILL": syscall.SIGKILL, "PIPE": syscall.SIGPIPE, "QUIT": syscall.SIGQUIT,
	"SEGV": syscall.SIGSEGV, "TERM": syscall.SIGTERM, "USR1": syscall.SIGUSR1, "USR2": syscall.SIGUSR2,
}

func (s *session) signal(name string) bool {
	number, known := signals[name]
	if !known || s.process == nil {
		return false
	}
	select {
	case <-s.process.ended:
		return false
	default:
		return syscall.Kill(-s.process.command.Process.Pid, number) == nil
	}
}

// start runs what build makes of the request. A session that cannot start says why on its own error stream and ends with the code
// of a shell.
func (s *session) start(payload []byte, build func(argument string) (*exec.Cmd, error)) bool {
	var asked struct{ Argument string }
	if len(payload) > 0 && ssh.Unmarshal(payload, &asked) != nil {
		return false
	}
	if s.process != nil {
		return false
	}
	command, err := build(asked.Argument)
	if errors.Is(err, errNoSubsystem) {
		return false
	}
	if err == nil {
		err = s.run(command)
	}
	if err != nil {
		s.guard.Go(func() { s.fail(err) })
	}
	return true
}

var (
	errNoShell     = errors.New("this image has no shell (none of /bin/bash, /bin/sh, /bin/busybox); sftp and port forwarding work")
	errNoSubsystem = errors.New("no such subsystem")
)

func (s *session) shell(string) (*exec.Cmd, error) {
	path, name, found := shellOf(s.account)
	if !found {
		return nil, errNoShell
	}
	// No login shell: the /etc/profile of most distributions would replace the PATH of the image.
	return &exec.Cmd{Path: path, Args: []string{name}}, nil
}

func (s *session) execute(line string) (*exec.Cmd, error) {
	path, name, found := shellOf(s.account)
	if !found {
		return nil, errNoShell
	}
	return &exec.Cmd{Path: path, Args: []string{name, "-c", line}}, nil
}

func (s *session) subsystem(name string) (*exec.Cmd, error) {
	if name != "sftp" {
		return nil, errNoSubsystem
	}
	return &exec.Cmd{Path: "/proc/self/exe", Args: []string{"agent", FilesCommand}}, nil
}

func (s *session) fail(err error) {
	code := uint32(exitNotExecutable)
	if errors.Is(err, errNoShell) {
		code = exitNotFound
	}
	_, _ = fmt.Fprintf(s.channel.Stderr(), "gantry: %v\r\n", err)
	s.finish("exit-status", ssh.Marshal(struct{ Code uint32 }{code}))
}

func (s *session) finish(kind string, payload []byte) {
	_, _ = s.channel.SendRequest(kind, false, payload)
	_ = s.channel.CloseWrite()
	_ = s.channel.Close()
}

func (s *session) run(command *exec.Cmd) error {
	p := &process{command: command, ended: make(chan struct{})}
	// A separate session, so that a terminal can be its terminal and signals reach only its children.
	command.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
	// Root stays as the container has it: becoming somebody takes rights that a container may lack.
	if s.account.uid != uint32(os.Geteuid()) {
		command.SysProcAttr.Credential = &syscall.Credential{Uid: s.account.uid, Gid: s.account.gid, Groups: s.account.groups}
	}
	facts := append(s.facts(command), s.agent.facts()...)
	var theirs []*os.File
	if s.wantsTerminal {
		terminal, err := openTerminal(s.account, s.size, s.modes)
		if err != nil {
			return err
		}
		p.terminal = terminal
		theirs = []*os.File{terminal.slave}
		command.Stdin, command.Stdout, command.Stderr = terminal.slave, terminal.slave, terminal.slave
		command.SysProcAttr.Setctty = true
		facts = append(facts, "TERM="+s.term, "SSH_TTY="+terminal.name)
	} else {
		var err error
		if theirs, err = p.openPipes(); err != nil {
			return err
		}
	}
	command.Env = environment(os.Environ(), s.variables, facts)
	command.Dir = homeOf(s.account)
	err := command.Start()
	if errors.Is(err, os.ErrPermission) && command.Dir != "/" {
		// A home that its user may not enter.
		again := &exec.Cmd{
			Path: command.Path, Args: command.Args, Env: command.Env, Dir: "/", SysProcAttr: command.SysProcAttr,
			Stdin: command.Stdin, Stdout: command.Stdout, Stderr: command.Stderr,
		}
		p.command = again
		err = again.Start()
	}
	for _, file := range theirs {
		_ = file.Close()
	}
	if err != nil {
		p.close()
		return err
	}
	s.process = p
	remove := s.ledger.Add(p.command.Process.Pid)
	if p.terminal != nil {
		s.remember(s.channel)
	}
	s.guard.Go(func() { s.carry(p, remove) })
	return nil
}

// facts are who logged in, and from where.
func (s *session) facts(command *exec.Cmd) []string {
	shell := command.Path
	if path, _, found := shellOf(s.account); found {
		shell = path
	}
	home := s.account.home
	if home == "" {
		home = "/"
	}
	client, clientPort, _ := net.SplitHostPort(s.ssh.RemoteAddr().String())
	server, serverPort, _ := net.SplitHostPort(s.ssh.LocalAddr().String())
	return []string{
		"HOME=" + home, "USER=" + s.account.name, "LOGNAME=" + s.account.name, "SHELL=" + shell,
		fmt.Sprintf("SSH_CLIENT=%s %s %s", client, clientPort, serverPort),
		fmt.Sprintf("SSH_CONNECTION=%s %s %s %s", client, clientPort, server, serverPort),
	}
}

func (p *process) openPipes() (theirs []*os.File, err error) {
	var read, write [3]*os.File
	for i := range 3 {
		if read[i], write[i], err = os.Pipe(); err != nil {
			for j := range i {
				_, _ = read[j].Close(), write[j].Close()
			}
			return nil, err
		}
	}
	p.input, p.outputs = write[0], []*os.File{read[1], read[2]}
	p.command.Stdin, p.command.Stdout, p.command.Stderr = read[0], write[1], write[2]
	return []*os.File{read[0], write[1], write[2]}, nil
}

// carry copies input and output, and reports the end once all output is sent.
func (s *session) carry(p *process, remove func()) {
	var out sync.WaitGroup
	if p.terminal != nil {
		out.Add(1)
		s.guard.Go(func() {
			defer out.Done()
			p.terminal.copyTo(s.channel)
		})
		s.guard.Go(func() { _, _ = io.Copy(p.terminal.master, s.channel) })
	} else {
		out.Add(2)
		for i, to := range []io.Writer{s.channel, s.channel.Stderr()} {
			s.guard.Go(func() {
				defer out.Done()
				_, _ = io.Copy(to, p.outputs[i])
				// Processes that still write should notice that nobody reads.
				_ = p.outputs[i].Close()
			})
		}
		s.guard.Go(func() { s.feed(p.input) })
	}
	_ = p.command.Wait()
	close(p.ended)
	remove()
	if p.terminal != nil {
		p.terminal.hurry()
	}
	// Without a terminal, as with OpenSSH, the session lasts until every background job has let go of its output.
	out.Wait()
	p.close()
	status := p.command.ProcessState.Sys().(syscall.WaitStatus)
	if status.Signaled() {
		s.finish("exit-signal", ssh.Marshal(struct {
			Name      string
			HasDumped bool
			Message   string
			Language  string
		}{signalName(status.Signal()), status.CoreDump(), status.Signal().String(), ""}))
		return
	}
	s.finish("exit-status", ssh.Marshal(struct{ Code uint32 }{uint32(status.ExitStatus())}))
}

// feed copies the client's input. After the process has closed its own, the client is notified, and further input is dropped.
func (s *session) feed(input *os.File) {
	_, err := io.Copy(input, s.channel)
	_ = input.Close()
	if errors.Is(err, syscall.EPIPE) {
		_, _ = s.channel.SendRequest("eow@openssh.com", false, nil)
		_, _ = io.Copy(io.Discard, s.channel)
	}
}

func signalName(number syscall.Signal) string {
	for name, each := range signals {
		if each == number {
			return name
		}
	}
	return strings.TrimPrefix(unix.SignalName(number), "SIG") + "@gantry.dev"
}

// end is for a session whose channel is closed. A process that has ended leaves its background jobs alone; one that
// still runs loses its input and output, or its terminal, and then more.
func (p *process) end() {
	defer p.close()
	select {
	case <-p.ended:
		return
	default:
	}
	groups := []int{p.command.Process.Pid}
	if p.terminal == nil {
		ledger.End(groups)
		return
	}
	if group := p.terminal.foreground(); group > 1 {
		groups = append(groups, group)
	}
	ledger.EndNow(groups)
}

func (p *process) close() {
	if p.terminal != nil {
		_ = p.terminal.master.Close()
		return
	}
	_ = p.input.Close()
	for _, output := range p.outputs {
		_ = output.Close()
	}
}

func (c *connection) remember(terminal ssh.Channel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.terminals = append(c.terminals, terminal)
}

func (c *connection) forget(terminal ssh.Channel) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.terminals = slices.DeleteFunc(c.terminals, func(each ssh.Channel) bool { return each == terminal })
}
