package main

import (
	"bytes"
	"crypto/ed25519"
	"encoding/pem"
	"errors"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// The test binary is the agent too: as process 1, as the SSH server that process 1 starts, and as the latter's sftp.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 && os.Args[1] == "container" {
		fmt.Fprintln(os.Stderr, contain(os.Args[2], os.Args[3:]))
		os.Exit(1)
	}
	if len(os.Args) > 1 && slices.ContainsFunc(commands(), func(row command) bool { return row.name == os.Args[1] }) {
		os.Exit(run(os.Args[1:]))
	}
	os.Exit(m.Run())
}

// contain becomes a container's first process: with its own namespaces (from the caller), a /proc that shows them, and a root
// folder, which may be the machine's.
func contain(root string, argv []string) error {
	if err := syscall.Mount("", "/", "", syscall.MS_REC|syscall.MS_PRIVATE, ""); err != nil {
		return err
	}
	if err := syscall.Mount("proc", filepath.Join(root, "proc"), "proc", 0, ""); err != nil {
		return fmt.Errorf("mount /proc: %w", err)
	}
	if root == "/" {
		// Root's home is empty, so that nothing depends on what this machine's shells read there.
		if err := syscall.Mount("tmpfs", "/root", "tmpfs", 0, ""); err != nil {
			return fmt.Errorf("mount /root: %w", err)
		}
	} else {
		if err := syscall.Mount("/dev", filepath.Join(root, "dev"), "", syscall.MS_BIND|syscall.MS_REC, ""); err != nil {
			return fmt.Errorf("mount /dev: %w", err)
		}
		if err := syscall.Chroot(root); err != nil {
			return err
		}
		if err := os.Chdir("/"); err != nil {
			return err
		}
	}
	return syscall.Exec(argv[0], argv, os.Environ())
}

// instance is the agent as process 1 with an SSH server, and a client's files to reach it.
type instance struct {
	*testing.T
	folder, address, port string
	// The namespace of its processes.
	namespace string
	process   *exec.Cmd
	log       *journal
	ended     chan struct{}
}

type journal struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (j *journal) Write(p []byte) (int, error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.Write(p)
}

func (j *journal) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.text.String()
}

type image struct {
	// The machine's own root, if empty.
	root string
	// The binary that runs as the agent; the test binary, if empty.
	agent   string
	command []string
	env     []string
	// Not waited for: the server cannot come up yet.
	isBlocked bool
	address   string
}

func needs(t *testing.T, programs ...string) {
	t.Helper()
	for _, program := range programs {
		if _, err := exec.LookPath(program); err != nil {
			t.Fatalf("this test needs the program %s, which is not installed here (see hack/debian-packages.ts)", program)
		}
	}
}

func startInstance(t *testing.T, from image) *instance {
	t.Helper()
	if os.Geteuid() != 0 {
		t.Skip("a process namespace needs root")
	}
	needs(t, "ssh")
	i := &instance{T: t, folder: t.TempDir(), log: &journal{}, ended: make(chan struct{}), address: from.address}
	if from.root == "" {
		from.root = "/"
	}
	if i.address == "" {
		i.address = freeAddress(t)
	}
	_, i.port, _ = net.SplitHostPort(i.address)
	i.newKey("id")
	i.write("keys", i.public("id"))
	// In another root the server's files must be below it.
	inside := i.folder
	if from.root != "/" {
		inside = "/gantry"
		i.must(os.MkdirAll(filepath.Join(from.root, inside), 0o755))
		i.must(os.WriteFile(filepath.Join(from.root, inside, "keys"), []byte(i.public("id")), 0o644))
	}
	if from.agent == "" {
		from.agent = os.Args[0]
	}
	argv := []string{
		from.agent, "init", "--ssh", i.address, "--ssh-keys", inside + "/keys", "--ssh-host-key", inside + "/host/ssh_host_ed25519_key",
	}
	if len(from.command) > 0 {
		argv = append(append(argv, "--"), from.command...)
	}
	i.process = exec.Command(os.Args[0], append([]string{"container", from.root}, argv...)...)
	i.process.SysProcAttr = &syscall.SysProcAttr{
		Cloneflags: syscall.CLONE_NEWPID | syscall.CLONE_NEWNS, Pdeathsig: syscall.SIGKILL,
	}
	i.process.Env = append(os.Environ(), from.env...)
	i.process.Stdout, i.process.Stderr = i.log, i.log
	i.write("config", fmt.Sprintf(`Host dev
  HostName 127.0.0.1
  Port %s
  User root
Host *
  IdentityFile %s/id
  IdentitiesOnly yes
  IdentityAgent none
  UserKnownHostsFile %s/known
  StrictHostKeyChecking accept-new
  BatchMode yes
  LogLevel ERROR
`, i.port, i.folder, i.folder))
	i.must(i.process.Start())
	namespace, err := os.Readlink(fmt.Sprintf("/proc/%d/ns/pid", i.process.Process.Pid))
	i.must(err)
	i.namespace = namespace
	go func() {
		_ = i.process.Wait()
		close(i.ended)
	}()
	t.Cleanup(func() {
		_ = i.process.Process.Kill()
		<-i.ended
		if t.Failed() {
			lines := slices.DeleteFunc(strings.Split(i.log.String(), "\n"), func(line string) bool {
				return strings.Contains(line, "logged in from")
			})
			t.Logf("what the instance said, logins left out:\n%s", strings.Join(lines, "\n"))
		}
	})
	if !from.isBlocked {
		i.awaitLog("listening on")
	}
	return i
}

func freeAddress(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	return listener.Addr().String()
}

func (i *instance) must(err error) {
	i.Helper()
	if err != nil {
		i.Fatal(err)
	}
}

func (i *instance) path(name string) string { return filepath.Join(i.folder, name) }

// write replaces a file whole, as a volume of Kubernetes does.
func (i *instance) write(name, text string) {
	i.Helper()
	i.must(os.WriteFile(i.path(name)+".new", []byte(text), 0o600))
	i.must(os.Rename(i.path(name)+".new", i.path(name)))
}

func (i *instance) newKey(name string) {
	i.Helper()
	public, private, err := ed25519.GenerateKey(nil)
	i.must(err)
	block, err := ssh.MarshalPrivateKey(private, "")
	i.must(err)
	i.write(name, string(pem.EncodeToMemory(block)))
	wire, err := ssh.NewPublicKey(public)
	i.must(err)
	i.write(name+".pub", string(ssh.MarshalAuthorizedKey(wire)))
}

func (i *instance) public(name string) string {
	i.Helper()
	text, err := os.ReadFile(i.path(name + ".pub"))
	i.must(err)
	return string(text)
}

func (i *instance) awaitLog(text string) {
	i.Helper()
	i.eventually("the log to say "+text, func() bool { return strings.Contains(i.log.String(), text) })
}

func (i *instance) eventually(what string, look func() bool) {
	i.Helper()
	for deadline := time.Now().Add(20 * time.Second); !look(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			i.Fatalf("waited 20 s for %s", what)
		}
	}
}

// client is a command of OpenSSH that knows the instance as `dev`.
func (i *instance) client(program string, args ...string) *exec.Cmd {
	command := exec.Command(program, append([]string{"-F", i.path("config")}, args...)...)
	command.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	return command
}

type result struct {
	out, err string
	code     int
}

func (i *instance) run(command *exec.Cmd, input string) result {
	i.Helper()
	var out, err bytes.Buffer
	command.Stdin, command.Stdout, command.Stderr = strings.NewReader(input), &out, &err
	late := time.AfterFunc(time.Minute, func() { _ = command.Process.Kill() })
	ended := command.Run()
	if !late.Stop() {
		i.Fatalf("%v did not end within a minute: %s%s", command.Args, &out, &err)
	}
	var exit *exec.ExitError
	if ended != nil && !errors.As(ended, &exit) {
		i.Fatal(ended)
	}
	return result{out.String(), err.String(), command.ProcessState.ExitCode()}
}

// ssh runs a line in the instance.
func (i *instance) ssh(args ...string) result {
	i.Helper()
	return i.run(i.client("ssh", args...), "")
}

// sshWith logs in with another key than the listed one, and with that alone.
func (i *instance) sshWith(key, line string) result {
	i.Helper()
	text, err := os.ReadFile(i.path("config"))
	i.must(err)
	i.write("config of "+key, strings.Replace(string(text), i.path("id"), i.path(key), 1))
	return i.run(exec.Command("ssh", "-F", i.path("config of "+key), "dev", line), "")
}

// output is what a line prints; anything but success fails the test.
func (i *instance) output(args ...string) string {
	i.Helper()
	got := i.ssh(args...)
	if got.code != 0 {
		i.Fatalf("%v ended with %d: %s%s", args, got.code, got.out, got.err)
	}
	return strings.TrimSpace(got.out)
}

// dial is for what no command of OpenSSH can show.
func (i *instance) dial(user string) (*ssh.Client, error) {
	i.Helper()
	text, err := os.ReadFile(i.path("id"))
	i.must(err)
	signer, err := ssh.ParsePrivateKey(text)
	i.must(err)
	return ssh.Dial("tcp", i.address, &ssh.ClientConfig{
		User: user, Auth: []ssh.AuthMethod{ssh.PublicKeys(signer)}, HostKeyCallback: ssh.InsecureIgnoreHostKey(),
		Timeout: 10 * time.Second,
	})
}

func (i *instance) connect() *ssh.Client {
	i.Helper()
	client, err := i.dial("root")
	i.must(err)
	i.Cleanup(func() { _ = client.Close() })
	return client
}

func (i *instance) session(client *ssh.Client) *ssh.Session {
	i.Helper()
	session, err := client.NewSession()
	i.must(err)
	return session
}
