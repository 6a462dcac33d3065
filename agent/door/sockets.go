package door

import (
	"bufio"
	"context"
	"errors"
	"io"
	"io/fs"
	"net"
	"os"
	"regexp"
	"time"

	"golang.org/x/sys/unix"
)

const (
	// A key of 16,384 bits is 2.8 KiB in base64.
	longestQuestion = 16 << 10
	longestLogLine  = 16 << 10
	answersWithin   = 5 * time.Second
	// Out of files, say: what fails now fails again at once.
	brokenPause = 100 * time.Millisecond
)

// listenKeys answers sshd's questions about keys. Only the user that sshd asks as gets an answer; the answer is recorded for the
// monitor that started the asking process.
func listenKeys(ctx context.Context, path string, asker uint32, connections *Connections) error {
	if err := removeSocket(path); err != nil {
		return err
	}
	listener, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return err
	}
	// The peer is checked below; changing a file's group would need one more capability.
	if err := os.Chmod(path, 0o666); err != nil {
		return err
	}
	context.AfterFunc(ctx, func() { _ = listener.Close() })
	go func() {
		for {
			connection, err := listener.AcceptUnix()
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				time.Sleep(brokenPause)
				continue
			}
			go answer(connection, asker, connections)
		}
	}()
	return nil
}

func answer(connection *net.UnixConn, asker uint32, connections *Connections) {
	defer connection.Close()
	_ = connection.SetDeadline(time.Now().Add(answersWithin))
	peer, err := peerOf(connection)
	if err != nil || peer.Uid != asker {
		return
	}
	question, err := bufio.NewReader(io.LimitReader(connection, longestQuestion)).ReadString('\n')
	if err != nil {
		return
	}
	key, err := ParsePublicKey(question[:len(question)-1])
	if err != nil {
		return
	}
	_, _ = io.WriteString(connection, connections.Answer(parentOf(int(peer.Pid)), key))
}

func peerOf(connection *net.UnixConn) (*unix.Ucred, error) {
	raw, err := connection.SyscallConn()
	if err != nil {
		return nil, err
	}
	var peer *unix.Ucred
	var failed error
	if err := raw.Control(func(fd uintptr) {
		peer, failed = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET, unix.SO_PEERCRED)
	}); err != nil {
		return nil, err
	}
	return peer, failed
}

// The prefix that syslog(3) puts before a line: priority, time, name and pid.
var syslogHead = regexp.MustCompile(`^<\d+>\w{3} [ \d]\d \d\d:\d\d:\d\d [^ ]+\[\d+\]: `)

// listenLog takes the place of a syslog daemon for sshd, whose lines come as datagrams with their writer's true pid.
func listenLog(ctx context.Context, path string, connections *Connections) error {
	if err := removeSocket(path); err != nil {
		return err
	}
	log, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: path, Net: "unixgram"})
	if err != nil {
		return err
	}
	if err := os.Chmod(path, 0o666); err != nil {
		return err
	}
	raw, err := log.SyscallConn()
	if err != nil {
		return err
	}
	var failed error
	if err := raw.Control(func(fd uintptr) {
		failed = unix.SetsockoptInt(int(fd), unix.SOL_SOCKET, unix.SO_PASSCRED, 1)
	}); err != nil || failed != nil {
		return errors.Join(err, failed)
	}
	context.AfterFunc(ctx, func() { _ = log.Close() })
	go func() {
		text, extra := make([]byte, longestLogLine), make([]byte, unix.CmsgSpace(unix.SizeofUcred))
		for {
			length, extraLength, _, _, err := log.ReadMsgUnix(text, extra)
			if errors.Is(err, net.ErrClosed) {
				return
			}
			if err != nil {
				time.Sleep(brokenPause)
				continue
			}
			messages, err := unix.ParseSocketControlMessage(extra[:extraLength])
			if err != nil || len(messages) == 0 {
				continue
			}
			writer, err := unix.ParseUnixCredentials(&messages[0])
			if err != nil {
				continue
			}
			line := syslogHead.ReplaceAllString(string(text[:length]), "")
			connections.Logged(int(writer.Pid), writer.Uid, line)
		}
	}()
	return nil
}

// removeSocket removes what an earlier process of this container left.
func removeSocket(path string) error {
	if err := os.Remove(path); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	return nil
}
