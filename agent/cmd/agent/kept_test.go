package main

import (
	"bufio"
	"encoding/binary"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
)

// A kept shell outlives who attached to it, and a stopping instance does not wait for it.
func TestKeptShellOutlivesItsConnection(t *testing.T) {
	i := startInstance(t, image{})
	attach := func(more ...string) (io.WriteCloser, *bufio.Reader, func()) {
		command := i.client("ssh", append([]string{"dev", os.Args[0], "shell", "--session", "one"}, more...)...)
		input, err := command.StdinPipe()
		i.must(err)
		output, err := command.StdoutPipe()
		i.must(err)
		i.must(command.Start())
		return input, bufio.NewReader(output), func() { _ = command.Process.Kill(); _ = command.Wait() }
	}
	shows := func(from *bufio.Reader, text string) {
		t.Helper()
		shown := ""
		for !strings.Contains(shown, text) {
			line, err := from.ReadString('\n')
			if shown += line; err != nil {
				t.Fatalf("%v: %q", err, shown)
			}
		}
	}
	types := func(to io.Writer, line string) {
		t.Helper()
		_, err := to.Write(append(binary.BigEndian.AppendUint32([]byte{0}, uint32(len(line)+1)), line+"\n"...))
		i.must(err)
	}
	input, output, leave := attach("--keep", "1h")
	types(input, "echo be''fore; sleep 3301; echo af''ter")
	shows(output, "before")
	i.eventually("the shell to be busy", func() bool { return i.isRunning("sleep", "3301") })
	leave()
	i.killAll("sleep", "3301")
	_, output, leave = attach()
	shows(output, "before")
	shows(output, "after")
	leave()
	_ = i.process.Process.Signal(syscall.SIGTERM)
	if got, want := i.exitCode(), 128+int(syscall.SIGTERM); got != want {
		t.Errorf("process 1 ended with %d, want %d", got, want)
	}
}
