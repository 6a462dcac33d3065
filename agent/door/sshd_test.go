package door

import (
	"bufio"
	"os"
	"os/exec"
	"strings"
	"syscall"
	"testing"
)

// The supervisor reaps every child of its process: here it has its own process.
const supervising = "GANTRY_TEST_SUPERVISES"

func TestMain(m *testing.M) {
	if shell := os.Getenv(supervising); shell != "" {
		s := supervise([]string{"/bin/sh", "-c", shell}, quiet)
		_, _ = os.Stdin.Read(make([]byte, 1))
		s.stop()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

type supervised struct {
	command *exec.Cmd
	lines   *bufio.Scanner
	close   func() error
}

func startSupervised(t *testing.T, shell string) supervised {
	t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), supervising+"="+shell)
	output, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	input, err := command.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = command.Process.Kill() })
	return supervised{command, bufio.NewScanner(output), input.Close}
}

func (s supervised) line(t *testing.T) string {
	t.Helper()
	if !s.lines.Scan() {
		t.Fatal("it said nothing more")
	}
	return s.lines.Text()
}

func TestSshdIsStartedAgain(t *testing.T) {
	s := startSupervised(t, "echo started; exit 3")
	for range 3 {
		if got := s.line(t); got != "started" {
			t.Fatal(got)
		}
	}
}

// Live connections outlive sshd, and the door waits for them.
func TestStoppingLeavesConnections(t *testing.T) {
	s := startSupervised(t, `trap 'echo ends; exit' TERM; setsid sh -c 'echo connection $$; exec sleep 60' & while :; do sleep 0.05; done`)
	pid := strings.TrimPrefix(s.line(t), "connection ")
	process, err := os.FindProcess(number(t, pid))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = process.Kill() })
	if err := s.close(); err != nil {
		t.Fatal(err)
	}
	if got := s.line(t); got != "ends" {
		t.Fatal(got)
	}
	if err := process.Signal(syscall.Signal(0)); err != nil {
		t.Errorf("the connection ended, too: %v", err)
	}
}

func number(t *testing.T, text string) (value int) {
	t.Helper()
	for _, digit := range text {
		if digit < '0' || digit > '9' {
			t.Fatalf("%q is no number", text)
		}
		value = 10*value + int(digit-'0')
	}
	return value
}

func TestConfigClosesWhatItDoesNotNeed(t *testing.T) {
	config := sshdConfig(2222, []string{"/run/door/key"}, "/porter", "/run/door/keys.sock")
	for _, line := range []string{
		"AllowUsers gantry", "AuthenticationMethods publickey", "PasswordAuthentication no", "AuthorizedKeysFile none",
		"PermitTTY no", "AllowTcpForwarding local", "PermitListen none", "AllowStreamLocalForwarding no",
		"AllowAgentForwarding no", "X11Forwarding no", "PermitTunnel no", "LoginGraceTime 30",
		"KexAlgorithms -diffie-hellman-*,ecdh-sha2-*", "Ciphers -*-cbc,*-cbc@*,arcfour*,3des*", "MACs -*sha1*,*md5*,umac-64*",
		"HostKey /run/door/key", "AuthorizedKeysCommand /porter keys /run/door/keys.sock %t %k",
	} {
		if !strings.Contains("\n"+config, "\n"+line+"\n") {
			t.Errorf("%q is not in it", line)
		}
	}
}
