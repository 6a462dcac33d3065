package main

import (
	"bufio"
	"bytes"
	"crypto/ed25519"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gantry.dev/agent/proctest"
	"golang.org/x/crypto/ssh"
	"golang.org/x/crypto/ssh/agent"
)

// One instance for all that changes nothing in it.
func TestWithRealClients(t *testing.T) {
	needs(t, "scp", "sftp", "rsync", "bash", "ssh-add")
	shared := startInstance(t, image{env: []string{"TENANT=of the image's environment"}})
	for name, test := range map[string]func(*instance){
		"a command's exit code is the client's":            exitCodes,
		"streams are apart and whole":                      streams,
		"the environment is the container's and the login": environmentOfLogin,
		"a terminal is one":                                terminals,
		"scp carries files by both protocols":              copies,
		"sftp does what it can do":                         filesBySftp,
		"rsync carries trees":                              trees,
		"forwarding reaches the instance":                  forwards,
		"forwarding reaches nothing else":                  forwardsElsewhere,
		"an editor's remote handshake works":               editor,
		"who is not listed does not get in":                strangers,
		"keepalives are answered":                          keepalives,
		"what is not served is refused without a fuss":     refusals,
		"the client's agent answers inside":                forwardsAgent,
		"algorithms are modern":                            algorithms,
		"nonsense harms nobody":                            nonsense,
	} {
		t.Run(name, func(t *testing.T) {
			inner := *shared
			inner.T = t
			test(&inner)
		})
	}
}

func exitCodes(i *instance) {
	for line, want := range map[string]int{
		"true": 0, "exit 3": 3, "no-such-program": 127, "sh -c 'kill -9 $$'; exit $?": 128 + 9,
		// Killed itself: the signal is reported as such, and OpenSSH's client has one code for all of them.
		"kill -TERM $$": 255,
	} {
		if got := i.ssh("dev", line); got.code != want {
			i.Errorf("%s: %d, want %d (%s)", line, got.code, want, got.err)
		}
	}
	var exit *ssh.ExitError
	if err := i.session(i.connect()).Run("kill -KILL $$"); !errors.As(err, &exit) || exit.Signal() != "KILL" {
		i.Errorf("the client heard %v of a KILL", err)
	}
	session := i.session(i.connect())
	i.must(session.Start("trap 'exit 9' USR1; echo ready; while :; do sleep 0.01; done"))
	i.eventually("the signal to be taken", func() bool { return session.Signal(ssh.SIGUSR1) == nil })
	if err := session.Wait(); !errors.As(err, &exit) || (exit.ExitStatus() != 9 && exit.Signal() != "USR1") {
		i.Errorf("after USR1: %v", err)
	}
}

func streams(i *instance) {
	got := i.run(i.client("ssh", "dev", "cat; echo to the error stream >&2"), "in and out\n")
	if got.out != "in and out\n" || got.err != "to the error stream\n" {
		i.Errorf("out %q, error %q", got.out, got.err)
	}
	// More than every buffer on the way, and the last byte before the exit code.
	blob, sum := randomBytes(i, 16<<20)
	got = i.run(i.client("ssh", "dev", "sha256sum"), string(blob))
	if !strings.HasPrefix(got.out, sum) {
		i.Errorf("sent %s, arrived %s", sum, got.out)
	}
	i.must(os.WriteFile(i.path("blob"), blob, 0o600))
	got = i.ssh("dev", "cat "+i.path("blob"))
	if back := sumOf([]byte(got.out)); back != sum {
		i.Errorf("sent %s, came back %s (%d bytes)", sum, back, len(got.out))
	}
	// A client that closes its input early is not waited for.
	if got := i.run(i.client("ssh", "dev", "head -c 5"), string(blob)); got.out != string(blob[:5]) || got.code != 0 {
		i.Errorf("head: %d bytes, code %d", len(got.out), got.code)
	}
}

func environmentOfLogin(i *instance) {
	// As the shell got it; this machine's .bashrc may have changed it since.
	got := strings.Split(i.output("-o", "SetEnv=LC_CLIENT=asked", "dev", `tr '\0' '\n' < /proc/$$/environ; echo "PWD=$(pwd)"`), "\n")
	for _, want := range []string{
		"TENANT=of the image's environment", "PATH=" + os.Getenv("PATH"), "LC_CLIENT=asked", "HOME=/root", "USER=root",
		"LOGNAME=root", "SHELL=/bin/bash", "PWD=/root",
	} {
		if !slices.Contains(got, want) {
			i.Errorf("no %s in %s", want, got)
		}
	}
	if text := strings.Join(got, "\n"); !strings.Contains(text, "SSH_CONNECTION=127.0.0.1 ") || !strings.Contains(text, " 127.0.0.1 "+i.port) {
		i.Errorf("no SSH_CONNECTION in %s", got)
	}
}

func terminals(i *instance) {
	got := i.run(i.client("ssh", "-tt", "dev", "tty; stty -a; echo $TERM; exit 5"), "")
	if got.code != 5 || !strings.HasPrefix(got.out, "/dev/pts/") {
		i.Errorf("code %d: %s", got.code, got.out)
	}
	client := i.connect()
	session := i.session(client)
	i.must(session.RequestPty("xterm-256color", 24, 80, ssh.TerminalModes{ssh.ECHO: 0, ssh.VERASE: 8, 42: 1}))
	input, err := session.StdinPipe()
	i.must(err)
	output, err := session.StdoutPipe()
	i.must(err)
	i.must(session.Shell())
	lines := bufio.NewReader(output)
	ask := func(line, want string) {
		i.Helper()
		late := time.AfterFunc(20*time.Second, func() { _ = client.Close() })
		defer late.Stop()
		_, err := fmt.Fprintln(input, line)
		i.must(err)
		for {
			text, err := lines.ReadString('\n')
			if err != nil {
				i.Fatalf("%s: %v before %q", line, err, want)
			}
			if strings.Contains(text, want) {
				return
			}
		}
	}
	// Quotes in the question, so that an echo of it is not taken for the answer.
	ask("stty size; echo si''ze", "24 80")
	ask("echo $TERM", "xterm-256color")
	ask("stty -a", "erase = ^H")
	ask("stty -a", "iutf8")
	i.must(session.WindowChange(50, 132))
	ask("stty size", "50 132")
	// A key signals the foreground process, and the shell continues.
	_, err = fmt.Fprintln(input, "echo run''ning; sleep 1000")
	i.must(err)
	ask("", "running")
	i.eventually("it to run", func() bool { return i.isRunning("sleep", "1000") })
	i.eventually("^C to interrupt", func() bool {
		_, _ = io.WriteString(input, "\x03")
		return !i.isRunning("sleep", "1000")
	})
	// Shells discard what they have read when a signal comes: the last ^C may be late.
	nudge := time.NewTicker(time.Second)
	stopped := make(chan struct{})
	go func() {
		for {
			select {
			case <-nudge.C:
				_, _ = fmt.Fprintln(input, "echo still he''re")
			case <-stopped:
				return
			}
		}
	}()
	ask("echo still he''re", "still here")
	nudge.Stop()
	close(stopped)
	// A background job that holds the terminal does not hold the session.
	ask("sleep 1001 & echo sta''rted", "started")
	_, err = fmt.Fprintln(input, "exit 6")
	i.must(err)
	late := time.AfterFunc(20*time.Second, func() { _ = client.Close() })
	defer late.Stop()
	var exit *ssh.ExitError
	if err := session.Wait(); !errors.As(err, &exit) || exit.ExitStatus() != 6 {
		i.Errorf("the shell ended with %v, want 6", err)
	}
	i.killAll("sleep", "1001")
}

func copies(i *instance) {
	blob, sum := randomBytes(i, 16<<20)
	i.must(os.WriteFile(i.path("scp-blob"), blob, 0o640))
	for name, flags := range map[string][]string{"by-sftp": {"-p"}, "by-scp": {"-p", "-O"}} {
		up, down := i.path("up-"+name), i.path("down-"+name)
		for _, pair := range [][2]string{{i.path("scp-blob"), "dev:" + up}, {"dev:" + up, down}} {
			if got := i.run(i.client("scp", append(flags, pair[0], pair[1])...), ""); got.code != 0 {
				i.Fatalf("%s: %d %s", name, got.code, got.err)
			}
		}
		i.checkFile(up, sum, 0o640)
		i.checkFile(down, sum, 0o640)
	}
}

func (i *instance) checkFile(path, sum string, mode os.FileMode) {
	i.Helper()
	text, err := os.ReadFile(path)
	i.must(err)
	info, err := os.Stat(path)
	i.must(err)
	if got := sumOf(text); got != sum || info.Mode() != mode {
		i.Errorf("%s: %s %v, want %s %v", path, got, info.Mode(), sum, mode)
	}
}

func filesBySftp(i *instance) {
	blob, sum := randomBytes(i, 16<<20)
	i.must(os.WriteFile(i.path("sftp-blob"), blob, 0o600))
	there := i.path("sftp")
	batch := strings.Join([]string{
		"mkdir " + there, "cd " + there, "put " + i.path("sftp-blob") + " blob", "chmod 640 blob", "rename blob renamed",
		"ln -s renamed link", "mkdir empty", "rmdir empty", "ls -l", "get renamed " + i.path("back"), "df",
	}, "\n")
	got := i.run(i.client("sftp", "-b", "-", "dev"), batch)
	if got.code != 0 {
		i.Fatalf("%d %s%s", got.code, got.out, got.err)
	}
	i.checkFile(filepath.Join(there, "renamed"), sum, 0o640)
	i.checkFile(i.path("back"), sum, 0o640)
	if to, err := os.Readlink(filepath.Join(there, "link")); err != nil || to != "renamed" {
		i.Errorf("link to %q (%v)", to, err)
	}
	if _, err := os.Stat(filepath.Join(there, "empty")); err == nil {
		i.Error("the removed folder is there")
	}
	// A broken transfer resumes where it stopped.
	i.must(os.Truncate(i.path("back"), 5<<20))
	if got := i.run(i.client("sftp", "-b", "-", "dev"), "reget "+there+"/renamed "+i.path("back")); got.code != 0 {
		i.Fatalf("reget: %s", got.err)
	}
	i.checkFile(i.path("back"), sum, 0o640)
	if got := i.run(i.client("sftp", "-b", "-", "dev"), "get /no/such/file"); got.code == 0 || !strings.Contains(got.err, "not found") {
		i.Errorf("a file that is not there: %d %s", got.code, got.err)
	}
}

func trees(i *instance) {
	from := i.path("tree")
	i.must(os.MkdirAll(filepath.Join(from, "folder"), 0o750))
	blob, sum := randomBytes(i, 16<<20)
	i.must(os.WriteFile(filepath.Join(from, "folder/blob"), blob, 0o640))
	i.must(os.Symlink("folder/blob", filepath.Join(from, "link")))
	i.must(os.Link(filepath.Join(from, "folder/blob"), filepath.Join(from, "same")))
	shell := "ssh -F " + i.path("config")
	for _, pair := range [][2]string{{from + "/", "dev:" + i.path("up") + "/"}, {"dev:" + i.path("up") + "/", i.path("down") + "/"}} {
		if got := i.run(exec.Command("rsync", "-aH", "-e", shell, pair[0], pair[1]), ""); got.code != 0 {
			i.Fatalf("%d %s", got.code, got.err)
		}
	}
	i.checkFile(i.path("down/folder/blob"), sum, 0o640)
	i.checkFile(i.path("down/same"), sum, 0o640)
	if to, err := os.Readlink(i.path("down/link")); err != nil || to != "folder/blob" {
		i.Errorf("link to %q (%v)", to, err)
	}
}

// echo is something that listens in the instance.
func (i *instance) echo(network, address string) string {
	i.Helper()
	listener, err := net.Listen(network, address)
	i.must(err)
	i.Cleanup(func() { _ = listener.Close() })
	go func() {
		for {
			conn, err := listener.Accept()
			if err != nil {
				return
			}
			go func() {
				_, _ = io.Copy(conn, conn)
				_ = conn.Close()
			}()
		}
	}()
	return listener.Addr().String()
}

// hears sends through an address, half closes, and reads what comes back to the end.
func (i *instance) hears(address string) bool {
	i.Helper()
	conn, err := net.Dial("tcp", address)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	_, _ = io.WriteString(conn, "there and back")
	_ = conn.(*net.TCPConn).CloseWrite()
	text, _ := io.ReadAll(conn)
	return string(text) == "there and back"
}

// tunnel keeps `ssh -N` running with such flags.
func (i *instance) tunnel(flags ...string) (errors *journal) {
	i.Helper()
	errors = &journal{}
	command := i.client("ssh", append(flags, "-N", "-o", "ExitOnForwardFailure=yes", "dev")...)
	command.Stderr = errors
	i.must(command.Start())
	i.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	return errors
}

func forwards(i *instance) {
	_, port, _ := net.SplitHostPort(i.echo("tcp", ":0"))
	hostname, err := os.Hostname()
	i.must(err)
	targets := []string{"localhost", "127.0.0.1", "127.1.2.3", "[::1]"}
	if found, err := net.LookupHost(hostname); err == nil && len(found) > 0 {
		targets = append(targets, hostname)
	}
	for _, address := range ownAddresses(i) {
		targets = append(targets, address)
	}
	for _, target := range targets {
		if strings.Contains(target, "::") && !hasIPv6() {
			continue
		}
		local := freeAddress(i.T)
		i.tunnel("-L", local+":"+target+":"+port)
		i.eventually("the way to "+target, func() bool { return i.hears(local) })
	}
	socket := i.echo("unix", i.path("socket"))
	local := freeAddress(i.T)
	i.tunnel("-L", local+":"+socket)
	i.eventually("the way to a socket", func() bool { return i.hears(local) })

	remote := freeAddress(i.T)
	i.tunnel("-R", remote+":127.0.0.1:"+port)
	i.eventually("the way back", func() bool { return i.hears(remote) })
	// Through one instance into another one: itself, the only one it may reach.
	if got := i.output("-J", "dev", "-o", "HostKeyAlias=dev", "root@localhost", "-p", i.port, "echo through"); got != "through" {
		i.Error(got)
	}
}

func ownAddresses(i *instance) (all []string) {
	interfaces, err := net.InterfaceAddrs()
	i.must(err)
	for _, each := range interfaces {
		if prefix, ok := each.(*net.IPNet); ok && prefix.IP.To4() != nil && !prefix.IP.IsLoopback() {
			all = append(all, prefix.IP.String())
		}
	}
	return all
}

func hasIPv6() bool {
	listener, err := net.Listen("tcp", "[::1]:0")
	if err == nil {
		_ = listener.Close()
	}
	return err == nil
}

func forwardsElsewhere(i *instance) {
	for _, target := range []string{
		"192.0.2.1:22", "169.254.169.254:80", "example.com:80", "localhost.example.com:80", "[::ffff:192.0.2.1]:22", "10.0.0.1:443",
	} {
		// -W asks for one forwarded connection and nothing else.
		got := i.ssh("-o", "LogLevel=INFO", "-W", target, "dev")
		if got.code == 0 || !strings.Contains(got.err, "this instance only") {
			i.Errorf("%s: %d %s", target, got.code, got.err)
		}
	}
	if got := i.ssh("-o", "LogLevel=INFO", "-W", "127.0.0.1:1", "dev"); got.code == 0 || !strings.Contains(got.err, "connection refused") {
		i.Errorf("a port where nobody listens: %d %s", got.code, got.err)
	}
	for _, address := range []string{"0.0.0.0", "*", "192.0.2.1"} {
		got := i.ssh("-o", "ExitOnForwardFailure=yes", "-R", address+":0:127.0.0.1:1", "dev", "true")
		if got.code == 0 {
			i.Errorf("listens on %s", address)
		}
	}
}

// Plays the Remote-SSH extension of VS Code: a script on bash's input that starts a server on a local port of the instance and
// prints the port, then every connection of the editor through the one dynamic forward.
func editor(i *instance) {
	proxy := freeAddress(i.T)
	_, proxyPort, _ := net.SplitHostPort(proxy)
	command := i.client("ssh", "-v", "-T", "-D", proxyPort, "-o", "ConnectTimeout=15", "-o", "LogLevel=ERROR", "dev", "bash")
	input, err := command.StdinPipe()
	i.must(err)
	output, err := command.StdoutPipe()
	i.must(err)
	i.must(command.Start())
	i.Cleanup(func() {
		_ = command.Process.Kill()
		_ = command.Wait()
	})
	self, err := os.Executable()
	i.must(err)
	_, err = fmt.Fprintf(input, `unset DISPLAY
set -o pipefail
echo "8a1f: start"; uname -rsmv; echo "$HOME" "$SHELL"
EDITOR_SERVER=1 %s -test.run '^TestEditorServer$' > '%s/editor.log' 2>&1 < /dev/null &
until grep -q listeningOn '%s/editor.log'; do sleep 0.05; done
cat '%s/editor.log'
echo "8a1f: end"
`, self, i.folder, i.folder, i.folder)
	i.must(err)
	heard, port := []string{}, ""
	for lines := bufio.NewScanner(output); lines.Scan(); {
		heard = append(heard, lines.Text())
		if found, ok := strings.CutPrefix(lines.Text(), "listeningOn=="); ok {
			port = strings.TrimSuffix(found, "==")
		}
		if lines.Text() == "8a1f: end" {
			break
		}
	}
	if port == "" {
		i.Fatalf("no port in %q", heard)
	}
	// Several, as an editor has them; each through SOCKS.
	for range 8 {
		i.eventually("the editor's server", func() bool { return i.hearsThrough(proxy, port) })
	}
	// The line breaks, and the editor comes back to the same server by another one.
	_ = command.Process.Kill()
	_ = command.Wait()
	i.eventually("the first shell to notice", func() bool { return len(proctest.Children(i.server())) == 0 })
	local := freeAddress(i.T)
	i.tunnel("-L", local+":localhost:"+port)
	i.eventually("the same server again", func() bool { return i.hears(local) })
	i.killAll(self, "-test.run", "^TestEditorServer$")
}

// TestEditorServer is the server in the instance that the editor's script starts; it is not a test.
func TestEditorServer(t *testing.T) {
	if os.Getenv("EDITOR_SERVER") == "" {
		return
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	fmt.Printf("listeningOn==%d==\n", listener.Addr().(*net.TCPAddr).Port)
	for {
		conn, err := listener.Accept()
		if err != nil {
			t.Fatal(err)
		}
		_, _ = io.Copy(conn, conn)
		_ = conn.Close()
	}
}

// hearsThrough speaks SOCKS 5 to the proxy: no authentication, connect to 127.0.0.1.
func (i *instance) hearsThrough(proxy, port string) bool {
	conn, err := net.Dial("tcp", proxy)
	if err != nil {
		return false
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(10 * time.Second))
	number, _ := strconv.Atoi(port)
	_, _ = conn.Write([]byte{5, 1, 0})
	_, _ = conn.Write([]byte{5, 1, 0, 1, 127, 0, 0, 1, byte(number >> 8), byte(number)})
	if _, err := io.ReadFull(conn, make([]byte, 2+10)); err != nil {
		return false
	}
	_, _ = io.WriteString(conn, "through")
	_ = conn.(*net.TCPConn).CloseWrite()
	text, _ := io.ReadAll(conn)
	return string(text) == "through"
}

func strangers(i *instance) {
	i.newKey("stranger")
	if got := i.sshWith("stranger", "true"); got.code != 255 || !strings.Contains(got.err, "Permission denied (publickey)") {
		i.Errorf("a key that is not listed: %d %s", got.code, got.err)
	}
	for name, flags := range map[string][]string{
		"a user the image has not":  {"-l", "nobody-of-this-image", "dev"},
		"a password":                {"-o", "PubkeyAuthentication=no", "-o", "PreferredAuthentications=password,keyboard-interactive", "dev"},
		"none at all":               {"-o", "PubkeyAuthentication=no", "dev"},
		"a host key of another one": {"-o", "UserKnownHostsFile=" + i.path("wrong"), "-o", "StrictHostKeyChecking=yes", "dev"},
	} {
		i.write("wrong", fmt.Sprintf("[127.0.0.1]:%s %s", i.port, i.public("stranger")))
		got := i.ssh(append(flags, "true")...)
		if got.code != 255 {
			i.Errorf("%s: %d %s", name, got.code, got.err)
		}
		if name != "a host key of another one" && !strings.Contains(got.err, "Permission denied (publickey)") {
			i.Errorf("%s: %s", name, got.err)
		}
	}
	i.awaitLog("this key is not in the list")
	i.awaitLog(`the image has no user "nobody-of-this-image"`)
}

func keepalives(i *instance) {
	client := i.connect()
	if _, _, err := client.SendRequest("keepalive@openssh.com", true, nil); err != nil {
		i.Error(err)
	}
	session := i.session(client)
	// On the channel as well, as OpenSSH's ServerAliveInterval does it.
	if _, err := session.SendRequest("keepalive@openssh.com", true, nil); err != nil {
		i.Error(err)
	}
}

// The client's agent has keys; what asks the socket inside gets to know them, as the user, until the session ends.
func forwardsAgent(i *instance) {
	keyring := agent.NewKeyring()
	_, key, err := ed25519.GenerateKey(nil)
	i.must(err)
	i.must(keyring.Add(agent.AddedKey{PrivateKey: key, Comment: "of-the-notebook"}))
	client := i.connect()
	i.must(agent.ForwardToAgent(client, keyring))
	session := i.session(client)
	i.must(agent.RequestAgentForwarding(session))
	if err := agent.RequestAgentForwarding(session); err == nil {
		i.Error("a session got two agents")
	}
	said, err := session.CombinedOutput(`ssh-add -l; stat -c %a "$(dirname "$SSH_AUTH_SOCK")"; echo "$SSH_AUTH_SOCK"`)
	i.must(err)
	lines := strings.Split(strings.TrimSpace(string(said)), "\n")
	if len(lines) != 3 || !strings.Contains(lines[0], "of-the-notebook") || lines[1] != "700" {
		i.Fatalf("%q", said)
	}
	i.eventually("the socket is gone", func() bool {
		return strings.Contains(i.ssh("dev", "ls "+lines[2]+" || true").err, "No such file")
	})
}

// algorithms checks the server's offer, read from its first message: nothing that is broken, and something post-quantum first.
func algorithms(i *instance) {
	for _, refused := range []ssh.Config{
		{KeyExchanges: []string{ssh.KeyExchangeDH14SHA256}},
		{KeyExchanges: []string{ssh.InsecureKeyExchangeDH14SHA1}},
		{Ciphers: []string{ssh.CipherAES128CTR}, MACs: []string{ssh.HMACSHA1}},
		{Ciphers: []string{ssh.InsecureCipherAES128CBC}},
	} {
		_, err := ssh.Dial("tcp", i.address, &ssh.ClientConfig{Config: refused, HostKeyCallback: ssh.InsecureIgnoreHostKey()})
		var none *ssh.AlgorithmNegotiationError
		if !errors.As(err, &none) {
			i.Fatalf("%v: %v", refused, err)
		}
		offered := none.RequestedAlgorithms
		if none.What == "key exchange" && (len(offered) == 0 || offered[0] != ssh.KeyExchangeMLKEM768X25519) {
			i.Errorf("%v", offered)
		}
	}
}

func refusals(i *instance) {
	// X11 forwarding, and an agent that the client does not have: refused, and the command runs all the same.
	if got := i.ssh("-A", "-X", "dev", "echo $SSH_AUTH_SOCK$DISPLAY-"); got.code != 0 || got.out != "-\n" {
		i.Errorf("%d %q %s", got.code, got.out, got.err)
	}
	if got := i.ssh("-s", "dev", "netconf"); got.code == 0 || !strings.Contains(got.err, "subsystem request failed") {
		i.Errorf("a subsystem that is not there: %d %s", got.code, got.err)
	}
	if _, _, err := i.connect().OpenChannel("tun@openssh.com", nil); err == nil {
		i.Error("a tunnel was opened")
	}
}

// A logged-in user can send anything; the server, which also serves others, survives.
func nonsense(i *instance) {
	server := i.server()
	client := i.connect()
	payloads := [][]byte{nil, {0}, {0, 0, 0, 9, 'x'}, {255, 255, 255, 255}, bytes.Repeat([]byte{255}, 64), ssh.Marshal(struct{ Text string }{"a\x00b"})}
	for _, payload := range payloads {
		for _, kind := range []string{"tcpip-forward", "cancel-tcpip-forward", "keepalive@openssh.com", ""} {
			if ok, _, err := client.SendRequest(kind, true, payload); ok || err != nil {
				i.Errorf("%s %v: %v %v", kind, payload, ok, err)
			}
		}
		for _, kind := range []string{"direct-tcpip", "direct-streamlocal@openssh.com", "forwarded-tcpip", ""} {
			if _, _, err := client.OpenChannel(kind, payload); err == nil {
				i.Errorf("a channel %s was opened with %v", kind, payload)
			}
		}
		for _, kind := range []string{"pty-req", "env", "window-change", "signal", "subsystem", "x11-req", ""} {
			channel, requests, err := client.OpenChannel("session", payload)
			i.must(err)
			go ssh.DiscardRequests(requests)
			if ok, err := channel.SendRequest(kind, true, payload); ok && kind != "window-change" || err != nil {
				i.Errorf("%s %v: %v %v", kind, payload, ok, err)
			}
			_ = channel.Close()
		}
	}
	if i.server() != server {
		i.Error("the server is another one now")
	}
}

func TestLimits(t *testing.T) {
	i := startInstance(t, image{})
	client := i.connect()
	for n := range 16 {
		if _, err := client.NewSession(); err != nil {
			t.Fatalf("session %d: %v", n+1, err)
		}
	}
	if _, err := client.NewSession(); err == nil || !strings.Contains(err.Error(), "not more than 16") {
		t.Errorf("session 17: %v", err)
	}
	target := i.echo("tcp", "127.0.0.1:0")
	for n := range 128 {
		if _, err := client.Dial("tcp", target); err != nil {
			t.Fatalf("forward %d: %v", n+1, err)
		}
	}
	if _, err := client.Dial("tcp", target); err == nil || !strings.Contains(err.Error(), "not more than 128") {
		t.Errorf("forward 129: %v", err)
	}
	// Another connection has its own limits.
	if got := i.output("dev", "echo room"); got != "room" {
		t.Error(got)
	}

	// Sixteen that say nothing, and a seventeenth is turned away. With their end there is room again.
	var silent []net.Conn
	for range 16 {
		conn, err := net.Dial("tcp", i.address)
		i.must(err)
		_, err = bufio.NewReader(conn).ReadString('\n') // the server's version: it has been taken in
		i.must(err)
		silent = append(silent, conn)
	}
	if got := i.ssh("dev", "true"); got.code != 255 {
		t.Errorf("more than 16 that have not logged in: %d %s", got.code, got.err)
	}
	for _, conn := range silent {
		_ = conn.Close()
	}
	i.eventually("room", func() bool { return i.ssh("dev", "true").code == 0 })

	others := []*ssh.Client{}
	for range 63 {
		// Earlier sessions may still be ending.
		i.eventually("room for one more", func() bool {
			client, err := i.dial("root")
			if err == nil {
				i.Cleanup(func() { _ = client.Close() })
				others = append(others, client)
			}
			return err == nil
		})
	}
	if got := i.ssh("dev", "true"); got.code != 255 {
		t.Errorf("connection 65: %d %s", got.code, got.err)
	}
	i.awaitLog("more than 64 connections")
	_ = others[0].Close()
	i.eventually("room", func() bool { return i.ssh("dev", "true").code == 0 })
}

func TestKeysThatGo(t *testing.T) {
	i := startInstance(t, image{})
	first := i.public("id")
	i.newKey("second")
	// Lines that mean nothing here, among others one that would restrict and therefore must not grant.
	other := i.public("second")
	i.write("keys", "# remark\n\nnonsense\ncommand=\"/bin/true\" "+other+first)
	// The list is read when somebody comes.
	i.eventually("the list to be read", func() bool {
		return i.ssh("dev", "true").code == 0 && strings.Contains(i.log.String(), "line 3 is no public key")
	})
	i.awaitLog(`line 4: the option "command" is not known here`)
	if got := i.sshWith("second", "true"); got.code != 255 {
		t.Errorf("a restricted key was let in: %d", got.code)
	}

	hangs := func(name string) (gone func() bool) {
		t.Helper()
		session := i.session(i.connect())
		i.must(session.RequestPty("vt100", 24, 80, ssh.TerminalModes{}))
		output, err := session.StdoutPipe()
		i.must(err)
		i.must(session.Start("echo started; exec sleep " + name))
		_, err = bufio.NewReader(output).ReadString('\n')
		i.must(err)
		ended := make(chan error, 1)
		go func() { ended <- session.Wait() }()
		return func() bool { return len(ended) > 0 && !i.isRunning("sleep", name) }
	}
	gone := hangs("2001")
	i.write("keys", "")
	i.eventually("the revoked key's session to end", gone)
	i.awaitLog("is disconnected: this key is not in the list")
	if got := i.ssh("dev", "true"); got.code != 255 {
		t.Errorf("a revoked key: %d", got.code)
	}

	i.write("keys", first)
	i.eventually("the key to be back", func() bool { return i.ssh("dev", "true").code == 0 })
	gone = hangs("2002")
	soon := time.Now().Add(3 * time.Second).UTC().Truncate(time.Second)
	i.write("keys", fmt.Sprintf("expiry-time=%q %s", soon.Format("20060102150405Z"), first))
	i.eventually("the expired key's session to end", gone)
	if time.Now().Before(soon) {
		t.Error("it ended before its time")
	}
	i.awaitLog("is disconnected: this key has expired")
	if got := i.ssh("dev", "true"); got.code != 255 {
		t.Errorf("an expired key: %d", got.code)
	}

	// Nobody can log in without a list, but open sessions stay.
	i.write("keys", first)
	i.eventually("the key to be back", func() bool { return i.ssh("dev", "true").code == 0 })
	gone = hangs("2003")
	i.must(os.Remove(i.path("keys")))
	i.awaitLog("is not there; nobody can log in")
	if got := i.ssh("dev", "true"); got.code != 255 || gone() {
		t.Errorf("without a list: login %d, session gone %v", got.code, gone())
	}
	i.write("keys", first)
	i.eventually("the list to be back", func() bool { return i.ssh("dev", "true").code == 0 })
	for _, secret := range []string{strings.Fields(first)[1], strings.Fields(other)[1]} {
		if strings.Contains(i.log.String(), secret) {
			t.Error("the log has a key in full")
		}
	}
}

func randomBytes(i *instance, size int) (blob []byte, sum string) {
	i.Helper()
	blob = make([]byte, size)
	_, err := rand.Read(blob)
	i.must(err)
	return blob, sumOf(blob)
}

func sumOf(blob []byte) string {
	sum := sha256.Sum256(blob)
	return hex.EncodeToString(sum[:])
}

// pidsOf finds the instance's processes by the end of their command line; their numbers are the machine's.
func (i *instance) pidsOf(argv ...string) (pids []int) {
	want := []byte(strings.Join(argv, "\x00") + "\x00")
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, line := range lines {
		folder := filepath.Dir(line)
		if got, _ := os.ReadFile(line); !bytes.HasSuffix(got, want) {
			continue
		}
		if namespace, _ := os.Readlink(filepath.Join(folder, "ns/pid")); namespace == i.namespace {
			pid, _ := strconv.Atoi(filepath.Base(folder))
			pids = append(pids, pid)
		}
	}
	return pids
}

func (i *instance) isRunning(argv ...string) bool { return len(i.pidsOf(argv...)) > 0 }

func (i *instance) killAll(argv ...string) {
	for _, pid := range i.pidsOf(argv...) {
		_ = syscall.Kill(pid, syscall.SIGKILL)
	}
}
