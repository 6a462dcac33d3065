package sshd

import (
	"context"
	"errors"
	"net/netip"
	"os"
	"path/filepath"
	"testing"

	"golang.org/x/crypto/ssh"
	"golang.org/x/sys/unix"
)

func TestHostKeyIsMadeOnceAndWhole(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "home", "keys")
	path := filepath.Join(folder, "host")
	first, err := hostKey(path)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]os.FileMode{folder: 0o700 | os.ModeDir, path: 0o600} {
		info, err := os.Stat(name)
		if err != nil || info.Mode() != want {
			t.Errorf("%s: %v %v", name, info.Mode(), err)
		}
	}
	if entries, _ := os.ReadDir(folder); len(entries) != 1 {
		t.Errorf("left behind: %v", entries)
	}
	// Closes what a copy may have opened up.
	_ = os.Chmod(path, 0o644)
	second, err := hostKey(path)
	if err != nil || ssh.FingerprintSHA256(second.PublicKey()) != ssh.FingerprintSHA256(first.PublicKey()) {
		t.Errorf("another key: %v", err)
	}
	if info, _ := os.Stat(path); info.Mode() != 0o600 {
		t.Errorf("mode %v", info.Mode())
	}
	// Two that start at once have one key.
	if err := writeHostKey(path, []byte("another")); !errors.Is(err, os.ErrExist) {
		t.Errorf("replaced: %v", err)
	}
}

func TestHostKeyThatCanNotBeKept(t *testing.T) {
	folder := t.TempDir()
	broken := filepath.Join(folder, "broken")
	if err := os.WriteFile(broken, []byte("no key"), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, path := range map[string]string{"no key in the file": broken, "no folder possible": filepath.Join(broken, "below", "host")} {
		signer, err := hostKey(path)
		if signer == nil || err == nil {
			t.Errorf("%s: signer %v, error %v", name, signer, err)
		}
	}
	if text, _ := os.ReadFile(broken); string(text) != "no key" {
		t.Error("somebody's file was replaced")
	}
}

func TestOwnAddresses(t *testing.T) {
	self, err := os.Hostname()
	if err != nil {
		t.Fatal(err)
	}
	for host, want := range map[string]string{
		"localhost": "127.0.0.1", "LocalHost": "127.0.0.1", "127.0.0.1": "127.0.0.1", "127.9.8.7": "127.9.8.7", "::1": "::1",
		"::ffff:127.0.0.1": "127.0.0.1", "0.0.0.0": "127.0.0.1", "::": "127.0.0.1",
	} {
		got, err := ownAddresses(context.Background(), host)
		if err != nil || got[0] != netip.MustParseAddr(want) {
			t.Errorf("%s: %v %v", host, got, err)
		}
	}
	for _, host := range []string{
		"", ".", "192.0.2.1", "::ffff:192.0.2.1", "2001:db8::1", "169.254.169.254", "10.96.0.1", "fe80::1%lo", "0x7f000001", "2130706433",
		"127.1", "localhost.", "localhost.example.com", "x" + self, self + "x", "kubernetes.default.svc", "127.0.0.1.example.com",
	} {
		if got, err := ownAddresses(context.Background(), host); err == nil {
			t.Errorf("%s is taken for %v", host, got)
		}
	}
}

func TestApplyModes(t *testing.T) {
	termios := &unix.Termios{Iflag: unix.IXON, Lflag: unix.ECHO | unix.ISIG, Cflag: unix.CS7}
	termios.Cc[unix.VQUIT] = 28
	applyModes(termios, []byte{
		3, 0, 0, 0, 8, // VERASE ^H
		2, 0, 0, 0, 255, // VQUIT none
		42, 0, 0, 0, 1, 38, 0, 0, 0, 0, // IUTF8 on, IXON off
		53, 0, 0, 0, 0, 91, 0, 0, 0, 1, // ECHO off, CS8
		200, 1, 2, 3, 4, // above 159 nothing is known
		50, 0, 0, 0, 0, // so that this is not read
	})
	if termios.Cc[unix.VERASE] != 8 || termios.Cc[unix.VQUIT] != 0 || termios.Iflag != unix.IUTF8 || termios.Lflag != unix.ISIG || termios.Cflag&unix.CSIZE != unix.CS8 {
		t.Errorf("%+v", termios)
	}
	// Cut off in the middle of an operand, and an operand that claims to be longer.
	applyModes(termios, []byte{3, 0, 0})
	applyModes(termios, nil)
}

func TestEnvironment(t *testing.T) {
	got := environment([]string{"PATH=/opt/bin", "PWD=/", "TOKEN=x"}, []string{"LANG=C"}, []string{"HOME=/root"})
	want := []string{"PATH=" + defaultPath, "PATH=/opt/bin", "TOKEN=x", "LANG=C", "HOME=/root"}
	if len(got) != len(want) {
		t.Fatalf("%q", got)
	}
	for n := range want {
		if got[n] != want[n] {
			t.Errorf("%q, want %q", got[n], want[n])
		}
	}
}
