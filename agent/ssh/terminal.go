package sshd

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"golang.org/x/sys/unix"
)

// terminal is a pseudo terminal of the instance. The user's side is closed here once a process has it.
type terminal struct {
	master, slave *os.File
	name          string
}

// openTerminal makes a terminal with the client's modes, that belongs to the user.
func openTerminal(who account, size unix.Winsize, modes []byte) (*terminal, error) {
	fd, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	if errors.Is(err, unix.ENOENT) {
		fd, err = unix.Open("/dev/pts/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC|unix.O_NONBLOCK, 0)
	}
	if err != nil {
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	t := &terminal{master: os.NewFile(uintptr(fd), "/dev/ptmx")}
	if err := t.prepare(fd, who, size, modes); err != nil {
		_ = t.master.Close()
		return nil, fmt.Errorf("open a terminal: %w", err)
	}
	return t, nil
}

func (t *terminal) prepare(fd int, who account, size unix.Winsize, modes []byte) error {
	number, err := unix.IoctlGetInt(fd, unix.TIOCGPTN)
	if err != nil {
		return err
	}
	t.name = fmt.Sprintf("/dev/pts/%d", number)
	if err := unix.IoctlSetPointerInt(fd, unix.TIOCSPTLCK, 0); err != nil {
		return err
	}
	slave, err := unix.Open(t.name, unix.O_RDWR|unix.O_NOCTTY|unix.O_CLOEXEC, 0)
	if err != nil {
		return err
	}
	t.slave = os.NewFile(uintptr(slave), t.name)
	// As login does; 0620 would want the group tty, which an image may lack.
	_ = unix.Fchown(slave, int(who.uid), int(who.gid))
	_ = unix.Fchmod(slave, 0o600)
	if termios, err := unix.IoctlGetTermios(slave, unix.TCGETS); err == nil {
		applyModes(termios, modes)
		_ = unix.IoctlSetTermios(slave, unix.TCSETS, termios)
	}
	t.resize(size)
	return nil
}

func (t *terminal) resize(size unix.Winsize) {
	_ = t.control(func(fd int) { _ = unix.IoctlSetWinsize(fd, unix.TIOCSWINSZ, &size) })
}

// foreground is the process group that the terminal's keys reach; 0 if there is none.
func (t *terminal) foreground() (group int) {
	_ = t.control(func(fd int) { group, _ = unix.IoctlGetInt(fd, unix.TIOCGPGRP) })
	return group
}

// control lends the descriptor while the file is certainly open; Fd would make it blocking.
func (t *terminal) control(use func(fd int)) error {
	raw, err := t.master.SyscallConn()
	if err != nil {
		return err
	}
	return raw.Control(func(fd uintptr) { use(int(fd)) })
}

// How long the terminal of an ended session may stay silent before nothing more is expected. A background job may hold it open
// forever.
const lastWords = 50 * time.Millisecond

// copyTo copies what the terminal shows until it is closed, or until hurry was called and nothing is left.
func (t *terminal) copyTo(out io.Writer) {
	buffer := make([]byte, 32<<10)
	for {
		n, err := t.master.Read(buffer)
		if n > 0 {
			if _, err := out.Write(buffer[:n]); err != nil {
				return
			}
		}
		if errors.Is(err, os.ErrDeadlineExceeded) {
			t.copyRest(out, buffer)
			return
		}
		if err != nil {
			return
		}
	}
}

// copyRest reads without waiting: a deadline that has passed keeps Read from looking at all.
func (t *terminal) copyRest(out io.Writer, buffer []byte) {
	for {
		n := 0
		_ = t.control(func(fd int) { n, _ = unix.Read(fd, buffer) })
		if n <= 0 {
			return
		}
		if _, err := out.Write(buffer[:n]); err != nil {
			return
		}
	}
}

func (t *terminal) hurry() { _ = t.master.SetReadDeadline(time.Now().Add(lastWords)) }

// The modes of RFC 4254, section 8, and OpenSSH's IUTF8. Speeds mean nothing here.
const (
	modesEnd    = 0
	lastOpcode  = 159 // above it, operands have other sizes
	controlByte = 0xff
)

var characterModes = map[byte]int{
	1: unix.VINTR, 2: unix.VQUIT, 3: unix.VERASE, 4: unix.VKILL, 5: unix.VEOF, 6: unix.VEOL, 7: unix.VEOL2,
	8: unix.VSTART, 9: unix.VSTOP, 10: unix.VSUSP, 12: unix.VREPRINT, 13: unix.VWERASE, 14: unix.VLNEXT, 18: unix.VDISCARD,
}

var inputModes = map[byte]uint32{
	30: unix.IGNPAR, 31: unix.PARMRK, 32: unix.INPCK, 33: unix.ISTRIP, 34: unix.INLCR, 35: unix.IGNCR, 36: unix.ICRNL,
	37: unix.IUCLC, 38: unix.IXON, 39: unix.IXANY, 40: unix.IXOFF, 41: unix.IMAXBEL, 42: unix.IUTF8,
}

var localModes = map[byte]uint32{
	50: unix.ISIG, 51: unix.ICANON, 52: unix.XCASE, 53: unix.ECHO, 54: unix.ECHOE, 55: unix.ECHOK, 56: unix.ECHONL,
	57: unix.NOFLSH, 58: unix.TOSTOP, 59: unix.IEXTEN, 60: unix.ECHOCTL, 61: unix.ECHOKE, 62: unix.PENDIN,
}

var outputModes = map[byte]uint32{
	70: unix.OPOST, 71: unix.OLCUC, 72: unix.ONLCR, 73: unix.OCRNL, 74: unix.ONOCR, 75: unix.ONLRET,
}

var controlModes = map[byte]uint32{92: unix.PARENB, 93: unix.PARODD}

func applyModes(termios *unix.Termios, modes []byte) {
	for ; len(modes) >= 5 && modes[0] != modesEnd && modes[0] <= lastOpcode; modes = modes[5:] {
		opcode, value := modes[0], binary.BigEndian.Uint32(modes[1:5])
		if index, found := characterModes[opcode]; found {
			// 255 says "none", which Linux writes as 0.
			termios.Cc[index] = byte(value)
			if value == controlByte {
				termios.Cc[index] = 0
			}
			continue
		}
		for _, group := range []struct {
			bits map[byte]uint32
			word *uint32
		}{{inputModes, &termios.Iflag}, {localModes, &termios.Lflag}, {outputModes, &termios.Oflag}, {controlModes, &termios.Cflag}} {
			if bit, found := group.bits[opcode]; found && value != 0 {
				*group.word |= bit
			} else if found {
				*group.word &^= bit
			}
		}
		switch {
		case opcode == 90 && value != 0: // CS7
			termios.Cflag = termios.Cflag&^unix.CSIZE | unix.CS7
		case opcode == 91 && value != 0: // CS8
			termios.Cflag = termios.Cflag&^unix.CSIZE | unix.CS8
		}
	}
}
