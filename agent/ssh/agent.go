package sshd

import (
	"net"
	"os"
	"path/filepath"

	"gantry.dev/agent/ssh/wire"
)

// agentSocket is what `ssh -A` asks for: a socket that leads to the client's SSH agent. It lives as long as its session, in a
// folder that only the session's user may enter.
type agentSocket struct {
	folder   string
	listener net.Listener
}

const (
	agentChannel = "auth-agent@openssh.com"
	agentFolder  = "gantry-ssh-"
)

// Folders to try: an image need not have a /tmp, and a socket's path is at most 107 bytes long.
var agentFolders = []string{"/tmp", "/run", "/dev/shm"}

// offerAgent is refused after the process started, a second time, and where no folder can be written. It says why in the log; the
// client's own warning says the rest.
func (s *session) offerAgent() bool {
	if s.process != nil || s.agent != nil || !s.forwardSlots.Take() {
		return false
	}
	socket, err := listenForAgent(s.account)
	if err != nil {
		s.forwardSlots.Free()
		logLine("the SSH agent of %s is not forwarded: %v", s.account.name, err)
		return false
	}
	s.agent = socket
	s.guard.Go(func() {
		defer s.forwardSlots.Free()
		for {
			from, err := socket.listener.Accept()
			if err != nil {
				return
			}
			s.guard.Go(func() { s.toAgent(from) })
		}
	})
	return true
}

func listenForAgent(who account) (socket *agentSocket, err error) {
	for _, parent := range agentFolders {
		if socket, err = listenIn(parent, who); err == nil {
			return socket, nil
		}
	}
	return nil, err
}

func listenIn(parent string, who account) (*agentSocket, error) {
	folder, err := os.MkdirTemp(parent, agentFolder)
	if err != nil {
		return nil, err
	}
	path := filepath.Join(folder, "agent")
	listener, err := net.Listen("unix", path)
	if err == nil && int(who.uid) != os.Geteuid() {
		// The socket first: once the folder is theirs, its names are, too.
		if err = os.Lchown(path, int(who.uid), int(who.gid)); err == nil {
			err = os.Lchown(folder, int(who.uid), int(who.gid))
		}
	}
	if err != nil {
		if listener != nil {
			_ = listener.Close()
		}
		_ = os.RemoveAll(folder)
		return nil, err
	}
	// Closing must not unlink by name: the folder is the user's, and goes as a whole.
	listener.(*net.UnixListener).SetUnlinkOnClose(false)
	return &agentSocket{folder, listener}, nil
}

func (s *session) toAgent(from net.Conn) {
	defer from.Close()
	if !s.forwardSlots.Take() {
		return
	}
	defer s.forwardSlots.Free()
	channel, requests, err := s.ssh.OpenChannel(agentChannel, nil)
	if err != nil {
		return
	}
	wire.Relay(s.guard, channel, requests, from)
}

func (a *agentSocket) facts() []string {
	if a == nil {
		return nil
	}
	return []string{"SSH_AUTH_SOCK=" + a.listener.Addr().String()}
}

func (a *agentSocket) close() {
	if a == nil {
		return
	}
	_ = a.listener.Close()
	_ = os.RemoveAll(a.folder)
}
