package diskserver

import (
	"bufio"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// The test binary is the server too, so that it can be killed.
func TestMain(m *testing.M) {
	if args := os.Getenv("DISK_SERVER_ARGS"); args != "" {
		of := strings.Split(args, "\n")
		serve := func() error { return ServePipe(of[0]) }
		if len(of) > 1 {
			serve = func() error { return Serve(of[0], of[1], of[2]) }
		}
		if err := serve(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// start runs the server as a process on this disk and points the disk's address at it.
func (d *disk) start() *exec.Cmd {
	d.t.Helper()
	server := exec.Command(os.Args[0])
	tokenFile := filepath.Join(filepath.Dir(d.root), "token")
	server.Env = append(os.Environ(), "DISK_SERVER_ARGS="+strings.Join([]string{d.root, "127.0.0.1:0", tokenFile}, "\n"))
	says, err := server.StderrPipe()
	must(d.t, err)
	must(d.t, server.Start())
	d.t.Cleanup(func() { _ = server.Process.Kill() })
	line, err := bufio.NewReader(says).ReadString('\n')
	must(d.t, err)
	go func() { _, _ = io.Copy(io.Discard, says) }()
	_, address, found := strings.Cut(strings.TrimSpace(line), " is served at ")
	if !found {
		d.t.Fatalf("the server said %q", line)
	}
	d.address = "http://" + address
	return server
}

type piped struct {
	command *exec.Cmd
	input   io.WriteCloser
	output  *bufio.Reader
}

// pipe runs the server as a process that serves this disk on its input and output. A call is answered with status and body.
func (d *disk) pipe() (server piped, ask func(call string) string) {
	d.t.Helper()
	command := exec.Command(os.Args[0])
	command.Env = append(os.Environ(), "DISK_SERVER_ARGS="+d.root)
	command.Stderr = os.Stderr
	input, err := command.StdinPipe()
	must(d.t, err)
	output, err := command.StdoutPipe()
	must(d.t, err)
	must(d.t, command.Start())
	d.t.Cleanup(func() { _ = command.Process.Kill() })
	server = piped{command, input, bufio.NewReader(output)}
	return server, func(call string) string {
		d.t.Helper()
		_, err := fmt.Fprintf(input, "%s HTTP/1.1\r\nHost: files\r\n\r\n", call)
		must(d.t, err)
		method, _, _ := strings.Cut(call, " ")
		response, err := http.ReadResponse(server.output, &http.Request{Method: method})
		must(d.t, err)
		defer response.Body.Close()
		body, err := io.ReadAll(response.Body)
		must(d.t, err)
		return fmt.Sprintf("%d %s", response.StatusCode, body)
	}
}

func TestAnUploadSurvivesKill9(t *testing.T) {
	d := newDisk(t)
	whole := strings.Repeat("0123456789abcdef", 1<<18)
	target, state := "/file"+at("/file", "upload", "the-upload"), "/upload"+at("/file", "upload", "the-upload")

	server := d.start()
	body, sender := io.Pipe()
	request, err := http.NewRequest("PUT", d.address+target, body)
	must(t, err)
	request.Header.Set("Authorization", "Bearer "+token)
	request.Header.Set("Content-Range", "bytes 0-4194303/4194304")
	request.ContentLength = 4 << 20
	cut := make(chan error, 1)
	go func() {
		_, err := http.DefaultClient.Do(request)
		cut <- err
	}()
	_, err = sender.Write([]byte(whole[:1<<20]))
	must(t, err)
	d.wait("a mebibyte arrives", func() bool { return d.ask("HEAD", state, nil).header.Get("Upload-Offset") == "1048576" })
	must(t, server.Process.Signal(syscall.SIGKILL))
	_ = server.Wait()
	_ = sender.CloseWithError(io.ErrUnexpectedEOF)
	if <-cut == nil {
		t.Error("the cut call succeeded")
	}
	if left := names(d.listOfFolder()); !strings.HasSuffix(left, partSuffix) {
		t.Errorf("after the kill: %s", left)
	}

	d.start()
	if got := d.ask("HEAD", state, nil); got.header.Get("Upload-Offset") != "1048576" {
		t.Errorf("offset: %v", got.header)
	}
	d.expect(201, "", "PUT", target, strings.NewReader(whole[1<<20:]), "Content-Range", "bytes 1048576-4194303/4194304")
	if d.content("file") != whole {
		t.Error("the content differs")
	}
	if left := names(d.list("/dir")); left != "file" {
		t.Errorf("left: %s", left)
	}
}

func (d *disk) listOfFolder() listing {
	entries, err := os.ReadDir(d.root)
	must(d.t, err)
	var all listing
	for _, one := range entries {
		all.Entries = append(all.Entries, entry{Name: one.Name()})
	}
	return all
}

func TestSIGTERMLetsATransferEnd(t *testing.T) {
	d := newDisk(t)
	server := d.start()
	body, sender := io.Pipe()
	ended := make(chan answer, 1)
	target := "/file" + at("/file", "upload", "the-upload")
	go func() {
		got, _ := d.try("PUT", target, body, "Content-Range", "bytes 0-9/10")
		ended <- got
	}()
	_, err := sender.Write([]byte("01234"))
	must(t, err)
	d.wait("5 bytes arrive", func() bool {
		return d.ask("HEAD", "/upload"+at("/file", "upload", "the-upload"), nil).header.Get("Upload-Offset") == "5"
	})
	http.DefaultClient.CloseIdleConnections()
	must(t, server.Process.Signal(syscall.SIGTERM))
	d.wait("nothing new is accepted", func() bool {
		connection, err := net.Dial("tcp", strings.TrimPrefix(d.address, "http://"))
		if err == nil {
			_ = connection.Close()
		}
		return err != nil
	})
	_, err = sender.Write([]byte("56789"))
	must(t, err)
	_ = sender.Close()
	if got := <-ended; got.status != 201 || d.content("file") != "0123456789" {
		t.Errorf("the transfer: %+v", got)
	}
	if err := server.Wait(); err != nil {
		t.Errorf("the server: %v", err)
	}
}

func TestWhatCanNotBeServedIsRefusedAtTheStart(t *testing.T) {
	base := t.TempDir()
	empty, full := filepath.Join(base, "empty"), filepath.Join(base, "full")
	must(t, os.WriteFile(empty, nil, 0o600))
	must(t, os.WriteFile(full, []byte("token"), 0o600))
	for _, row := range []struct{ names, root, listen, tokenFile string }{
		{"--token-file", base, "127.0.0.1:0", empty},
		{"--token-file", base, "127.0.0.1:0", base + "/nothing"},
		{"--root", base + "/nothing", "127.0.0.1:0", full},
		{"--root", full, "127.0.0.1:0", full},
		{"--listen", base, "nowhere", full},
	} {
		if err := Serve(row.root, row.listen, row.tokenFile); err == nil || !strings.HasPrefix(err.Error(), row.names+": ") {
			t.Errorf("%+v: %v", row, err)
		}
	}
}

func TestAnAbandonedAnswerEndsTheServer(t *testing.T) {
	d := newDisk(t)
	must(t, os.WriteFile(filepath.Join(d.root, "large"), make([]byte, 8<<20), 0o644))
	server, _ := d.pipe()
	_, err := io.WriteString(server.input, "GET /file?path=/large HTTP/1.1\r\nHost: files\r\n\r\n")
	must(t, err)
	_, err = server.output.Peek(1)
	must(t, err)
	must(t, server.input.Close())
	ended := make(chan error, 1)
	go func() { _, err := server.command.Process.Wait(); ended <- err }()
	select {
	case err := <-ended:
		must(t, err)
	case <-time.After(idle / 2):
		t.Fatal("the server still waits for a reader")
	}
}
