package pidone

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"gantry.dev/agent/proctest"
)

// The test binary plays every part: `init` is the process under test, the others are programs that a tenant might run.
var parts map[string]func(args []string) int

// In a function, because some parts start others.
func init() {
	parts = map[string]func(args []string) int{
		"init": func(args []string) int { return Run(args, nil) },
		"exit": func(args []string) int { return number(args[0]) },
		"die": func(args []string) int {
			_ = syscall.Kill(os.Getpid(), syscall.Signal(number(args[0])))
			// Without cgo, Go ends a program that only waits for itself.
			time.Sleep(time.Hour)
			return 0
		},
		// Prints its name once it listens, then ends with a specific code on the expected signal.
		"trap": func(args []string) int {
			received := make(chan os.Signal, 1)
			signal.Notify(received, syscall.Signal(number(args[0])))
			fmt.Println("listening")
			<-received
			return number(args[1])
		},
		// Passes nothing on, as a shell in front of a pipeline does.
		"deaf-parent": func(args []string) int {
			signal.Ignore(syscall.SIGTERM)
			command := part("trap", args...)
			command.Stdout = os.Stdout
			if err := command.Run(); err != nil {
				return command.ProcessState.ExitCode()
			}
			return 0
		},
		// Leaves n children behind that end after it did.
		"orphans": func(args []string) int {
			for range number(args[0]) {
				read, write, _ := os.Pipe()
				child := part("wait-for-parent")
				child.Stdin = read
				if err := child.Start(); err != nil {
					return 1
				}
				defer write.Close()
			}
			fmt.Println("left behind")
			return 0
		},
		"wait-for-parent": func([]string) int {
			_, _ = io.Copy(io.Discard, os.Stdin)
			return 0
		},
		// Makes orphans one after the other through a child, then waits for a signal.
		"nursery": func(args []string) int {
			_ = part("orphans", args[0]).Run()
			return parts["trap"]([]string{"15", "0"})
		},
	}
}

func part(name string, args ...string) *exec.Cmd {
	return exec.Command(os.Args[0], append([]string{"-as", name}, args...)...)
}

func number(text string) int {
	value, err := strconv.Atoi(text)
	if err != nil {
		panic(err)
	}
	return value
}

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-as" {
		os.Exit(parts[os.Args[2]](os.Args[3:]))
	}
	os.Exit(m.Run())
}

// as runs a test once as process 1 of a namespace, as in a container, and once as a mere subreaper.
func as(t *testing.T, test func(t *testing.T, initial func(args ...string) *exec.Cmd)) {
	t.Run("process 1", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("a process namespace needs root")
		}
		test(t, func(args ...string) *exec.Cmd {
			command := part("init", args...)
			command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
			return command
		})
	})
	t.Run("subreaper", func(t *testing.T) {
		test(t, func(args ...string) *exec.Cmd { return part("init", args...) })
	})
}

func tenant(name string, args ...string) []string {
	return append([]string{os.Args[0], "-as", name}, args...)
}

func code(t *testing.T, err error) int {
	t.Helper()
	var exit *exec.ExitError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return exit.ExitCode()
	}
	t.Fatal(err)
	return -1
}

// within ends the process when it outlives the limit: a hang is a failure, not a hung test.
func within(t *testing.T, limit time.Duration, command *exec.Cmd) int {
	t.Helper()
	late := time.AfterFunc(limit, func() { _ = command.Process.Kill() })
	got := code(t, command.Wait())
	if !late.Stop() {
		t.Fatalf("still running after %s", limit)
	}
	return got
}

// startAndHear starts the process and waits for the first line that it or a child prints.
func startAndHear(t *testing.T, command *exec.Cmd, pipe func() (io.ReadCloser, error), want string) {
	t.Helper()
	out, err := pipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(out).ReadString('\n')
	if err != nil || strings.TrimSpace(line) != want {
		t.Fatalf("heard %q (%v), want %q", line, err, want)
	}
}

func TestExitCodeIsTheCommands(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, []byte("not a program"), 0o644); err != nil {
		t.Fatal(err)
	}
	broken := filepath.Join(t.TempDir(), "broken")
	if err := os.WriteFile(broken, []byte("not a program"), 0o755); err != nil {
		t.Fatal(err)
	}
	cases := map[string]struct {
		argv []string
		want int
	}{
		"zero":                          {tenant("exit", "0"), 0},
		"any other":                     {tenant("exit", "42"), 42},
		"128+n when a signal killed it": {tenant("die", "9"), 137},
		"127 when there is no such":     {[]string{"no-such-program"}, 127},
		"126 when it may not run":       {[]string{plain}, 126},
		"126 when it cannot run":        {[]string{broken}, 126},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			as(t, func(t *testing.T, initial func(...string) *exec.Cmd) {
				command := initial(c.argv...)
				if err := command.Start(); err != nil {
					t.Fatal(err)
				}
				if got := within(t, 10*time.Second, command); got != c.want {
					t.Errorf("exit code %d, want %d", got, c.want)
				}
			})
		})
	}
}

func TestSignalReachesTheCommand(t *testing.T) {
	cases := map[string]struct {
		send syscall.Signal
		argv []string
		want int
	}{
		"TERM ends it with its own code":            {syscall.SIGTERM, tenant("trap", "15", "7"), 7},
		"an end on TERM is none of its own accord":  {syscall.SIGTERM, tenant("trap", "15", "0"), 143},
		"so does a STOPSIGNAL of the image":         {syscall.SIGQUIT, tenant("trap", "3", "8"), 8},
		"TERM reaches its whole group":              {syscall.SIGTERM, tenant("deaf-parent", "15", "9"), 9},
		"one it does not catch kills it with 128+n": {syscall.SIGHUP, tenant("trap", "15", "0"), 129},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			as(t, func(t *testing.T, initial func(...string) *exec.Cmd) {
				command := initial(c.argv...)
				startAndHear(t, command, command.StdoutPipe, "listening")
				_ = command.Process.Signal(c.send)
				if got := within(t, 10*time.Second, command); got != c.want {
					t.Errorf("exit code %d, want %d", got, c.want)
				}
			})
		})
	}
}

func TestIdleEndsOnAnySignal(t *testing.T) {
	for _, sent := range []syscall.Signal{syscall.SIGTERM, syscall.SIGINT, syscall.SIGQUIT, syscall.SIGWINCH} {
		t.Run(sent.String(), func(t *testing.T) {
			as(t, func(t *testing.T, initial func(...string) *exec.Cmd) {
				command := initial()
				startAndHear(t, command, command.StderrPipe, idling)
				_ = command.Process.Signal(sent)
				if got, want := within(t, 10*time.Second, command), exitSignalled+int(sent); got != want {
					t.Errorf("exit code %d, want %d", got, want)
				}
			})
		})
	}
}

func TestOrphansAreReaped(t *testing.T) {
	as(t, func(t *testing.T, initial func(...string) *exec.Cmd) {
		command := initial(tenant("nursery", "50")...)
		startAndHear(t, command, command.StdoutPipe, "listening")
		// All fifty came to process 1, and only the command itself is left.
		eventually(t, "orphans to be reaped", func() bool { return len(proctest.Children(command.Process.Pid)) == 1 })
		_ = command.Process.Signal(syscall.SIGTERM)
		if got := within(t, 10*time.Second, command); got != 143 {
			t.Errorf("exit code %d, want 143", got)
		}
	})
}

func TestIdleReapsWhatOthersLeave(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("entering a process namespace needs root")
	}
	command := part("init")
	command.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID}
	startAndHear(t, command, command.StderrPipe, idling)
	pid := command.Process.Pid
	// As `kubectl exec` does: a process enters the namespace and leaves orphans there.
	enter := exec.Command("nsenter", append([]string{"--target", strconv.Itoa(pid), "--pid"}, tenant("orphans", "20")...)...)
	if out, err := enter.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	eventually(t, "orphans to be reaped", func() bool { return len(proctest.Children(pid)) == 0 })
	_ = command.Process.Signal(syscall.SIGTERM)
	if got := within(t, 10*time.Second, command); got != 143 {
		t.Errorf("exit code %d, want 143", got)
	}
}

func eventually(t *testing.T, what string, look func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !look(); time.Sleep(2 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited 10 s for %s", what)
		}
	}
}
