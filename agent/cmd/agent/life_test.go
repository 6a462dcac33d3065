package main

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"gantry.dev/agent/proctest"
	"golang.org/x/crypto/ssh"
)

// exitCode waits for process 1 to end.
func (i *instance) exitCode() int {
	i.Helper()
	i.eventually("process 1 to end", func() bool {
		select {
		case <-i.ended:
			return true
		default:
			return false
		}
	})
	return i.process.ProcessState.ExitCode()
}

// hold starts a line in a session and waits until it says that it runs.
func (i *instance) hold(client *ssh.Client, hasTerminal bool, line string) *ssh.Session {
	i.Helper()
	session := i.session(client)
	if hasTerminal {
		i.must(session.RequestPty("vt100", 24, 80, ssh.TerminalModes{}))
	}
	output, err := session.StdoutPipe()
	i.must(err)
	i.must(session.Start("echo runs; " + line))
	text, err := bufio.NewReader(output).ReadString('\n')
	if err != nil || strings.TrimSpace(text) != "runs" {
		i.Fatalf("%s: %q %v", line, text, err)
	}
	go func() { _, _ = io.Copy(io.Discard, output) }()
	return session
}

// The server of this instance, as the machine sees it.
func (i *instance) server() int {
	pids := i.pidsOf("--listen", i.address, "--keys", i.path("keys"), "--host-key", i.path("host/ssh_host_ed25519_key"), "--sessions", "3")
	if len(pids) != 1 {
		return 0
	}
	return pids[0]
}

func TestSessionsLeaveNothing(t *testing.T) {
	i := startInstance(t, image{})
	for name, hasTerminal := range map[string]bool{"with a terminal": true, "without one": false} {
		t.Run(name, func(t *testing.T) {
			defer i.killAll("sleep", "3003")
			client := i.connect()
			// A child of the shell, one that goes on after a hang-up, and one that asked to survive it.
			stubborn := []string{"bash", "-c", "trap : HUP; while :; do sleep 3002; done"}
			i.hold(client, hasTerminal, `sleep 3001 & bash -c '`+stubborn[2]+`' 2> /dev/null & nohup sleep 3003 > /dev/null 2>&1 & wait`)
			i.eventually("all of them", func() bool {
				return i.isRunning("sleep", "3001") && i.isRunning("sleep", "3002") && i.isRunning("sleep", "3003")
			})
			_ = client.Close()
			i.eventually("the session's children to end", func() bool { return !i.isRunning("sleep", "3001") && !i.isRunning(stubborn...) })
			if !i.isRunning("sleep", "3003") {
				t.Error("nohup did not help")
			}
		})
	}
	// Logging out leaves background jobs alone, as with OpenSSH.
	defer i.killAll("sleep", "3004")
	i.output("dev", "sleep 3004 > /dev/null 2>&1 < /dev/null &")
	i.eventually("the background job", func() bool { return i.isRunning("sleep", "3004") })
	// One session's end is not another one's.
	client := i.connect()
	kept := i.hold(client, false, "exec sleep 3005")
	_ = i.hold(client, false, "exec sleep 3006").Close()
	i.eventually("the closed session to end", func() bool { return !i.isRunning("sleep", "3006") })
	if !i.isRunning("sleep", "3005") {
		t.Error("the other session went along")
	}
	_ = kept.Close()
	i.eventually("the other session to end", func() bool { return !i.isRunning("sleep", "3005") })
}

// Sessions, orphans and exit codes at the same time: none takes another one's.
func TestProcessOneBesideSessions(t *testing.T) {
	i := startInstance(t, image{command: []string{"sh", "-c", "trap 'exit 7' TERM; while :; do sleep 0.05; done"}})
	client := i.connect()
	for n := range 40 {
		session := i.session(client)
		// Each leaves an orphan behind that ends after it, for process 1.
		err := session.Run(fmt.Sprintf("(sleep 0.0%d &) > /dev/null 2>&1; exit %d", n%9+1, n))
		code := 0
		if exit, ok := err.(*ssh.ExitError); ok {
			code = exit.ExitStatus()
		} else {
			i.must(err)
		}
		if code != n {
			t.Fatalf("exit code %d, want %d", code, n)
		}
	}
	i.eventually("every orphan to be reaped", func() bool { return i.zombies() == 0 })
	i.hold(client, true, "exec sleep 3101")
	_ = i.process.Process.Signal(syscall.SIGTERM)
	if got := i.exitCode(); got != 7 {
		t.Errorf("process 1 ended with %d, want the command's 7", got)
	}
	i.eventually("the session to end with the instance", func() bool { return !i.isRunning("sleep", "3101") })
}

// zombies are the dead children of process 1 that nobody waited for.
func (i *instance) zombies() (count int) {
	for _, pid := range proctest.Children(i.process.Process.Pid) {
		stat, _ := os.ReadFile("/proc/" + pid + "/stat")
		if strings.Contains(string(stat), ") Z ") {
			count++
		}
	}
	return count
}

// An instance without a command is told to stop: busy processes save their work first.
func TestIdleInstanceStopsAsAMachineDoes(t *testing.T) {
	i := startInstance(t, image{})
	save := func(name string) string {
		return fmt.Sprintf(`bash -c "trap 'sleep 0.3; echo saved > %s; exit' TERM; touch %[1]s; while :; do sleep 0.05; done"`, i.path(name))
	}
	names := []string{"in-front", "without-a-terminal", "after-logout"}
	client := i.connect()
	i.hold(client, true, save(names[0]))
	i.hold(client, false, save(names[1]))
	i.hold(client, false, "(nohup "+save(names[2])+" > /dev/null 2>&1 &); true")
	// Shells at a terminal ignore SIGTERM; nobody waits for them.
	shell := i.session(client)
	i.must(shell.RequestPty("vt100", 24, 80, ssh.TerminalModes{}))
	i.must(shell.Shell())
	// A file says that the trap is set.
	i.eventually("all of them", func() bool {
		return len(proctest.Children(i.server())) == 3 && !slices.ContainsFunc(names, func(name string) bool {
			_, err := os.Stat(i.path(name))
			return err != nil
		})
	})
	_ = i.process.Process.Signal(syscall.SIGTERM)
	if got, want := i.exitCode(), 128+int(syscall.SIGTERM); got != want {
		t.Errorf("process 1 ended with %d, want %d", got, want)
	}
	for _, name := range names {
		if text, err := os.ReadFile(i.path(name)); err != nil || string(text) != "saved\n" {
			t.Errorf("%s: %q %v", name, text, err)
		}
	}
}

func TestServerKilled(t *testing.T) {
	i := startInstance(t, image{command: []string{"sh", "-c", "sleep 3200; exit 4"}})
	fingerprint := i.hostKey()
	i.hold(i.connect(), true, "sleep 3201; true")
	i.hold(i.connect(), false, "sleep 3202; true")
	before := i.server()
	if before == 0 {
		t.Fatal("there is no server")
	}
	i.must(syscall.Kill(before, syscall.SIGKILL))
	i.eventually("another server", func() bool { return i.server() != 0 && i.server() != before })
	i.eventually("the sessions of the dead one to end", func() bool { return !i.isRunning("sleep", "3201") && !i.isRunning("sleep", "3202") })
	i.eventually("a login", func() bool { return i.ssh("dev", "true").code == 0 }) // knows the host key
	if i.hostKey() != fingerprint {
		t.Error("the host key is another one")
	}
	i.awaitLog("ssh-server ended (exit code 137)")
	for _, path := range []string{"host", "host/ssh_host_ed25519_key"} {
		info, err := os.Stat(i.path(path))
		i.must(err)
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s: %v", path, info.Mode())
		}
	}
	// The command noticed nothing, and its end is the instance's.
	i.killAll("sleep", "3200")
	if got := i.exitCode(); got != 4 {
		t.Errorf("process 1 ended with %d, want 4", got)
	}
}

func (i *instance) hostKey() (fingerprint string) {
	i.Helper()
	client, err := ssh.Dial("tcp", i.address, &ssh.ClientConfig{
		HostKeyCallback: func(_ string, _ net.Addr, key ssh.PublicKey) error {
			fingerprint = ssh.FingerprintSHA256(key)
			return nil
		},
	})
	if err == nil {
		_ = client.Close()
		i.Fatal("logged in without a key")
	}
	return fingerprint
}

func TestWhatIsInTheWayIsSaid(t *testing.T) {
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	i := startInstance(t, image{
		command: []string{"sh", "-c", "trap 'exit 3' TERM; echo the command runs; while :; do sleep 0.05; done"},
		address: taken.Addr().String(), isBlocked: true,
	})
	i.awaitLog("the command runs")
	i.awaitLog("address already in use; trying again")
	i.must(os.Remove(i.path("keys")))
	_ = taken.Close()
	i.awaitLog("listening on")
	if got := i.ssh("dev", "true"); got.code != 255 {
		t.Errorf("without a list of keys: %d", got.code)
	}
	i.awaitLog("is not there; nobody can log in until it can be read")
	i.write("keys", i.public("id"))
	i.eventually("a login", func() bool { return i.ssh("dev", "true").code == 0 })
	// A server that cannot even start is retried, and the command continues.
	i.must(os.RemoveAll(i.path("host")))
	i.must(os.WriteFile(i.path("host"), nil, 0o600))
	i.must(syscall.Kill(i.server(), syscall.SIGKILL))
	i.awaitLog("until it can be kept, the host key is another one after every start")
	_ = i.process.Process.Signal(syscall.SIGTERM)
	if got := i.exitCode(); got != 3 {
		t.Errorf("process 1 ended with %d, want 3", got)
	}
}

// A root folder that contains only what the test puts there; and the shipped agent, which needs no library.
func bareImage(t *testing.T) image {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("another root folder needs root")
	}
	root := t.TempDir()
	for _, folder := range []string{"proc", "dev", "gantry/bin"} {
		if err := os.MkdirAll(filepath.Join(root, folder), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	// Users other than root shall get in.
	for folder := root; folder != "/"; folder = filepath.Dir(folder) {
		if info, err := os.Stat(folder); err == nil && info.Mode().Perm()&0o055 != 0o055 {
			if err := os.Chmod(folder, 0o755); err != nil {
				t.Fatal(err)
			}
		}
	}
	build := exec.Command("go", "build", "-o", filepath.Join(root, "gantry/bin/agent"), ".")
	build.Env = append(os.Environ(), "CGO_ENABLED=0")
	if text, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, text)
	}
	return image{root: root, agent: "/gantry/bin/agent"}
}

func TestImageWithNothing(t *testing.T) {
	needs(t, "sftp")
	from := bareImage(t)
	i := startInstance(t, from)
	if got := i.ssh("dev", "true"); got.code != 127 || !strings.Contains(got.err, "this image has no shell") {
		t.Errorf("a command: %d %s", got.code, got.err)
	}
	if got := i.run(i.client("ssh", "-tt", "dev"), ""); got.code != 127 || !strings.Contains(got.out+got.err, "this image has no shell") {
		t.Errorf("a shell: %d %s%s", got.code, got.out, got.err)
	}
	got := i.run(i.client("sftp", "-b", "-", "dev"), "put "+i.path("config")+" /carried\nls -l /")
	if got.code != 0 || !strings.Contains(got.out, "carried") {
		t.Errorf("sftp: %d %s%s", got.code, got.out, got.err)
	}
	local := freeAddress(t)
	i.tunnel("-L", local+":"+i.echo("tcp", "127.0.0.1:0"))
	i.eventually("the way in", func() bool { return i.hears(local) })
	if got := i.ssh("-l", "daemon", "dev", "true"); got.code != 255 {
		t.Errorf("a user of an image that has no users: %d", got.code)
	}
}

func TestImageWithAShellAndUsers(t *testing.T) {
	needs(t, "busybox", "sftp")
	from := bareImage(t)
	put := func(name, text string, mode os.FileMode) {
		t.Helper()
		path := filepath.Join(from.root, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
	}
	busybox, err := os.ReadFile("/bin/busybox")
	if err != nil {
		t.Fatal(err)
	}
	put("bin/busybox", string(busybox), 0o755)
	i := startInstance(t, from)
	// Nothing defines root's home or which shell there is.
	if got := i.output("dev", "echo $HOME $SHELL $0; busybox pwd; busybox id -u"); got != "/root /bin/busybox sh\n/\n0" {
		t.Errorf("with busybox alone: %q", got)
	}
	put("etc/passwd", "root:x:0:0:root:/home/root:/bin/absent\nworker:x:1000:1001:Worker,,:/home/worker:/bin/sh\nhomeless:x:1002:1002::/secret:\n", 0o644)
	put("etc/group", "root:x:0:\nworker:x:1001:\nvideo:x:44:root,worker\n", 0o644)
	put("home/root/.keep", "", 0o644)
	put("home/worker/.keep", "", 0o644)
	put("secret/.keep", "", 0o644)
	i.must(os.Symlink("busybox", filepath.Join(from.root, "bin/sh")))
	i.must(os.Chown(filepath.Join(from.root, "home/worker"), 1000, 1001))
	i.must(os.Chmod(filepath.Join(from.root, "secret"), 0o700))
	if got := i.output("dev", "echo $HOME $SHELL; busybox id -G"); got != "/home/root /bin/sh\n0" {
		t.Errorf("root: %q", got)
	}
	if got := i.output("-l", "worker", "dev", "echo $HOME $USER $SHELL; busybox id -u; busybox id -G; busybox pwd"); got != "/home/worker worker /bin/sh\n1000\n1001 44\n/home/worker" {
		t.Errorf("worker: %q", got)
	}
	if got := i.output("-tt", "-l", "worker", "dev", "busybox stat -c '%u %a' $(busybox tty)"); !strings.HasPrefix(got, "1000 600") {
		t.Errorf("worker's terminal: %q", got)
	}
	if got := i.output("-l", "homeless", "dev", "busybox pwd"); got != "/" {
		t.Errorf("homeless: %q", got)
	}
	// Files over sftp belong to the user, who gets no access to others.
	got := i.run(i.client("sftp", "-b", "-", "worker@dev"), "put "+i.path("config")+" mine\npwd")
	info, err := os.Stat(filepath.Join(from.root, "home/worker/mine"))
	if got.code != 0 || err != nil || info.Sys().(*syscall.Stat_t).Uid != 1000 || !strings.Contains(got.out, "/home/worker") {
		t.Errorf("sftp as worker: %d %s%s %v", got.code, got.out, got.err, err)
	}
	if got := i.run(i.client("sftp", "-b", "-", "worker@dev"), "get /gantry/host/ssh_host_ed25519_key "+i.path("stolen")); got.code == 0 {
		t.Error("a user read the host's key")
	}
	// Nor by a socket that only root may use.
	socket := filepath.Join(from.root, "secret/socket")
	i.echo("unix", socket)
	for user, mayReach := range map[string]bool{"root": true, "worker": false} {
		client, err := i.dial(user)
		i.must(err)
		if _, err := client.Dial("unix", "/secret/socket"); (err == nil) != mayReach {
			t.Errorf("root's socket, reached by %s: %v", user, err)
		}
		_ = client.Close()
	}
}
