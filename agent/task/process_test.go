package task

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
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

// The test binary is process 1 and the worker too. A worker's folder is the task's root; what it prints goes to its log.
var workers map[string]func(args []string) int

// In a function, because some workers start others.
func init() {
	say := func(text string) {
		if _, err := io.WriteString(os.NewFile(3, "journal"), text); err != nil {
			os.Exit(99)
		}
	}
	make := func(path, content string) {
		must(fatal{}, os.WriteFile(path+".new", []byte(content), 0o644))
		must(fatal{}, os.Rename(path+".new", path))
		say(fmt.Sprintf(`{"type":"output","path":%q,"name":"x","sha256":%q,"bytes":%d}`+"\n", path, digest(content), len(content)))
	}
	other := func(name string, args ...string) *exec.Cmd {
		command := exec.Command(os.Args[0], append([]string{"-worker", name}, args...)...)
		command.ExtraFiles = []*os.File{os.NewFile(3, "journal")}
		return command
	}
	workers = map[string]func(args []string) int{
		"exit": func(args []string) int { return whole(args[0]) },
		"die": func(args []string) int {
			say(point(1))
			_ = syscall.Kill(os.Getpid(), syscall.Signal(whole(args[0])))
			return sleeps()
		},
		"whole": func([]string) int {
			say(`{"type":"plan","units":1,"kept":0}` + "\n")
			make("out/parts/1", "12345")
			say(`{"type":"done","rows":1,"rejected":0}` + "\n")
			return 0
		},
		// Says what it has made once it is told to end, as fine-tuning does at a checkpoint.
		"checkpoint": func(args []string) int {
			told := heard(syscall.SIGTERM)
			say(point(1))
			<-told
			make("out/checkpoint", "12345")
			return whole(args[0])
		},
		"deaf": func([]string) int {
			signal.Ignore(syscall.SIGTERM)
			say(point(1))
			return sleeps()
		},
		"endless": func([]string) int {
			for n := 1; ; n++ {
				say(long(n))
			}
		},
		"silent": func([]string) int {
			_ = syscall.Close(3)
			return 5
		},
		// Leaves a process behind that is in no group of the worker's, holds the pipe, and writes all the time.
		"daemon": func([]string) int {
			child := other("stray")
			child.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
			ready, err := child.StdoutPipe()
			must(fatal{}, err)
			must(fatal{}, child.Start())
			_, _ = bufio.NewReader(ready).ReadString('\n')
			say(`{"type":"done","rows":1,"rejected":0}` + "\n")
			return 0
		},
		"stray": func([]string) int {
			signal.Ignore(syscall.SIGTERM, syscall.SIGHUP, syscall.SIGINT)
			must(fatal{}, os.WriteFile("out/stray", []byte(strconv.Itoa(os.Getpid())), 0o644))
			fmt.Println("ready")
			for n := 1; ; n++ {
				say(long(n))
			}
		},
		// Children say lines, and leave orphans for process 1.
		"forks": func([]string) int {
			for range 8 {
				if err := other("forked").Run(); err != nil {
					return 1
				}
			}
			say(`{"type":"done","rows":8,"rejected":0}` + "\n")
			<-heard(syscall.SIGTERM)
			return 0
		},
		"forked": func([]string) int {
			_ = other("exit", "0").Start()
			say(point(1))
			return 0
		},
		"descriptors": func([]string) int {
			entries, err := os.ReadDir("/proc/self/fd")
			must(fatal{}, err)
			journal, err := os.Readlink("/proc/self/fd/3")
			must(fatal{}, err)
			here, err := os.Getwd()
			must(fatal{}, err)
			for _, entry := range entries {
				to, _ := os.Readlink("/proc/self/fd/" + entry.Name())
				// Others are this Go program's own, or of whoever runs the tests.
				if entry.Name() != "3" && (to == journal || strings.HasPrefix(to, "socket:") || strings.HasPrefix(to, here)) {
					say(fmt.Sprintf(`{"type":"leak","n":%s,"to":%q}`+"\n", entry.Name(), to))
				}
			}
			return 0
		},
		"spy": func([]string) int {
			for _, name := range []string{"mem", "environ", "fd"} {
				file, err := os.Open(fmt.Sprintf("/proc/%d/%s", os.Getppid(), name))
				say(fmt.Sprintf(`{"type":"spy","name":%q,"open":%t}`+"\n", name, err == nil && file != nil))
			}
			return 0
		},
		"ask": func([]string) int {
			address := ""
			for ; address == ""; time.Sleep(time.Millisecond) {
				text, _ := os.ReadFile("in/ask")
				address = string(text)
			}
			got := send("POST", "http://"+address+chat, "", `{}`)
			say(fmt.Sprintf(`{"type":"asked","status":%d,"body":%q}`+"\n", got.status, got.body))
			return 0
		},
	}
}

// long is a line of which a pipe holds few: no more than 200 in a second are read out of it.
func long(n int) string {
	return fmt.Sprintf(`{"type":"point","n":%d,"unknown":["%s"]}`+"\n", n, strings.Repeat("z", 4000))
}

// fatal ends a worker where a test would fail.
type fatal struct{ testing.TB }

func (fatal) Helper() {}

func (fatal) Fatal(args ...any) {
	fmt.Fprintln(os.Stderr, args...)
	os.Exit(98)
}

func heard(which syscall.Signal) <-chan os.Signal {
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, which)
	return signals
}

func whole(text string) int {
	value, err := strconv.Atoi(text)
	must(fatal{}, err)
	return value
}

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == "-worker" {
		os.Exit(workers[os.Args[2]](os.Args[3:]))
	}
	if len(os.Args) > 4 && os.Args[1] == "-task" {
		hold, _ := time.ParseDuration(os.Args[3])
		grace, _ := time.ParseDuration(os.Args[4])
		code, err := Run(Options{Root: os.Args[2], Listen: "127.0.0.1:0", Ask: "127.0.0.1:0", Hold: hold, Grace: grace, Argv: os.Args[5:]})
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(code)
	}
	if len(os.Args) > 3 && os.Args[1] == "-track" {
		grace, _ := time.ParseDuration(os.Args[3])
		must(fatal{}, Track(TrackOptions{
			Listen: "127.0.0.1:0", Ask: "127.0.0.1:0", Door: digest(token), Rank: whole(os.Args[2]), Grace: grace,
		}))
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// pod is a task as a process.
type pod struct {
	*testing.T
	root, binary string
	hold, grace  time.Duration
	attributes   *syscall.SysProcAttr
	process      *exec.Cmd
	gateway, ask string
	boot         string
	// All that it has said so far.
	said  told
	ended chan struct{}
}

func newPod(t *testing.T) *pod {
	return &pod{T: t, root: newRoot(t), binary: os.Args[0], hold: time.Minute, grace: time.Minute, ended: make(chan struct{})}
}

// as runs a test once as process 1 of a namespace, as in a container, and once as a mere subreaper.
func as(t *testing.T, test func(p *pod)) {
	t.Run("process 1", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("a process namespace needs root")
		}
		p := newPod(t)
		p.attributes = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWPID, Unshareflags: syscall.CLONE_NEWNS}
		test(p)
	})
	t.Run("subreaper", func(t *testing.T) { test(newPod(t)) })
}

// runs starts the task with a worker of this binary.
func (p *pod) runs(worker ...string) {
	p.Helper()
	p.executes(append([]string{p.binary, "-worker"}, worker...)...)
}

func (p *pod) executes(argv ...string) {
	p.Helper()
	task := append([]string{p.binary, "-task", p.root, p.hold.String(), p.grace.String()}, argv...)
	if p.attributes != nil && p.attributes.Cloneflags != 0 {
		// It needs the /proc of its namespace, as containers have.
		task = append([]string{"sh", "-c", `mount -t proc proc /proc && exec "$@"`, "sh"}, task...)
	}
	p.begins(task)
}

// begins reads from the first line of the agent where it listens.
func (p *pod) begins(agent []string) {
	p.Helper()
	p.process = exec.Command(agent[0], agent[1:]...)
	p.process.Dir, p.process.SysProcAttr = p.root, p.attributes
	p.process.Stdout = os.Stderr
	says, err := p.process.StderrPipe()
	must(p, err)
	must(p, p.process.Start())
	p.Cleanup(func() {
		_ = p.process.Process.Kill()
		<-p.ended
	})
	log := bufio.NewReader(says)
	line, err := log.ReadString('\n')
	go func() {
		_, _ = io.Copy(io.Discard, log)
		_ = p.process.Wait()
		close(p.ended)
	}()
	must(p, err)
	_, addresses, _ := strings.Cut(strings.TrimSpace(line), "the gateway is served at ")
	gateway, ask, isFound := strings.Cut(addresses, ", the worker at ")
	if !isFound {
		p.Fatalf("it said %q", line)
	}
	p.gateway, p.ask = "http://"+gateway, ask
}

func (p *pod) call(method, path, body string, params ...string) reply {
	query := url.Values{}
	if p.boot != "" {
		query.Set("boot", p.boot)
	}
	for at := 0; at < len(params); at += 2 {
		query.Set(params[at], params[at+1])
	}
	return send(method, p.gateway+path+"?"+query.Encode(), "Bearer "+token, body)
}

// reads takes lines in, and keeps those of before, until the worker has ended or enough says so.
func (p *pod) reads(enough func(told) bool) told {
	p.Helper()
	for deadline := time.Now().Add(60 * time.Second); p.said.Over == nil && !enough(p.said); {
		if time.Now().After(deadline) {
			p.Fatalf("it has said %+v", p.said)
		}
		page := understood[told](p, p.call("GET", "/journal", "", "after", strconv.Itoa(len(p.said.Lines))))
		p.boot, p.said.Refused, p.said.Over = page.Boot, page.Refused, page.Over
		for _, line := range page.Lines {
			if p.said.Lines = append(p.said.Lines, line); line.Seq != int64(len(p.said.Lines)) {
				p.Fatalf("line %d has number %d", len(p.said.Lines), line.Seq)
			}
		}
	}
	return p.said
}

func never(told) bool { return false }

// As long as nobody ends it: without cgo, Go ends a program that only waits for itself.
func sleeps() int {
	time.Sleep(time.Hour)
	return 0
}

func says(kind string) func(told) bool {
	return func(all told) bool {
		for _, line := range all.Lines {
			if line.Line["type"] == kind {
				return true
			}
		}
		return false
	}
}

// fetches keeps a file, and everything up to a line.
func (p *pod) fetches(path, want string) {
	p.Helper()
	if got := p.call("GET", "/file", "", "path", path); got.status != 200 || got.body != want {
		p.Errorf("%s: %+v", path, got)
	}
	if got := p.call("POST", "/kept", "", "path", path); got.status != 204 {
		p.Errorf("%s is kept: %+v", path, got)
	}
}

func (p *pod) leaves() {
	p.Helper()
	if got := p.call("POST", "/over", ""); got.status != 204 {
		p.Errorf("over: %+v", got)
	}
}

func (p *pod) endsWith(code int) {
	p.Helper()
	late := time.NewTimer(60 * time.Second)
	defer late.Stop()
	select {
	case <-p.ended:
	case <-late.C:
		p.Fatal("it has not ended within a minute")
	}
	if got := p.process.ProcessState.ExitCode(); got != code {
		p.Errorf("exit code %d, want %d", got, code)
	}
}

func TestAWholeTask(t *testing.T) {
	as(t, func(p *pod) {
		p.runs("whole")
		all := p.reads(never)
		if len(all.Lines) != 3 || *all.Over != (end{}) || all.Refused != 0 {
			p.Fatalf("it said %+v", all)
		}
		p.fetches("out/parts/1", "12345")
		p.leaves()
		p.endsWith(0)
	})
}

func TestTheCodeIsTheWorkers(t *testing.T) {
	for name, row := range map[string]struct {
		worker []string
		over   end
		code   int
	}{
		"zero":                          {[]string{"exit", "0"}, end{}, 0},
		"a failure":                     {[]string{"exit", "1"}, end{Code: 1}, 1},
		"128+n when a signal killed it": {[]string{"die", "9"}, end{137, "SIGKILL"}, 137},
		"another signal":                {[]string{"die", "1"}, end{129, "SIGHUP"}, 129},
		"a worker that says nothing":    {[]string{"silent"}, end{Code: 5}, 5},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPod(t)
			p.runs(row.worker...)
			if all := p.reads(never); *all.Over != row.over {
				t.Errorf("it ended with %+v, want %+v", *all.Over, row.over)
			}
			p.leaves()
			p.endsWith(row.code)
		})
	}
}

func TestAWorkerThatThereIsNotHoldsNothing(t *testing.T) {
	plain := filepath.Join(t.TempDir(), "plain")
	must(t, os.WriteFile(plain, []byte("no program"), 0o644))
	for code, argv := range map[int][]string{127: {"no-such-program"}, 126: {plain}} {
		p := newPod(t)
		p.executes(argv...)
		p.endsWith(code)
	}
}

func TestResultsThatNobodyFetches(t *testing.T) {
	p := newPod(t)
	p.hold = 300 * time.Millisecond
	p.runs("whole")
	p.endsWith(NotFetched)
}

func TestACheckpointIsFetchedAfterSIGTERM(t *testing.T) {
	as(t, func(p *pod) {
		p.runs("checkpoint", "0")
		p.reads(says("point"))
		must(p, p.process.Process.Signal(syscall.SIGTERM))
		all := p.reads(never)
		if last := all.Lines[len(all.Lines)-1]; last.Line["path"] != "out/checkpoint" || *all.Over != (end{}) {
			p.Fatalf("it said %+v", all)
		}
		p.fetches("out/checkpoint", "12345")
		// All lines are kept and all files: that is enough, without POST /over. An end that was asked for is none of its own accord.
		p.call("GET", "/journal", "", "after", strconv.Itoa(len(all.Lines)))
		p.endsWith(143)
	})
}

func TestACheckpointThatNobodyFetchesEndsWithTheGrace(t *testing.T) {
	p := newPod(t)
	p.grace = time.Second
	p.runs("checkpoint", "3")
	p.reads(says("point"))
	must(t, p.process.Process.Signal(syscall.SIGTERM))
	p.endsWith(NotFetched)
}

func TestWhatIsRefusedEndsAtOnce(t *testing.T) {
	for name, row := range map[string]struct {
		worker string
		enough func(told) bool
	}{
		"while it works":            {"endless", says("point")},
		"once the worker has ended": {"whole", never},
	} {
		t.Run(name, func(t *testing.T) {
			p := newPod(t)
			p.runs(row.worker)
			p.reads(row.enough)
			for code, status := range map[string]int{"0": 400, "126": 400, "x": 400} {
				if got := p.call("POST", "/refuse", "", "code", code); got.status != status {
					p.Errorf("code %s: %+v", code, got)
				}
			}
			if got := p.call("POST", "/refuse", "", "code", "73"); got.status != 204 {
				p.Errorf("refuse: %+v", got)
			}
			p.endsWith(73)
		})
	}
}

func TestSIGTERMWhileResultsWait(t *testing.T) {
	p := newPod(t)
	p.grace = 300 * time.Millisecond
	p.runs("whole")
	all := p.reads(never)
	must(t, p.process.Process.Signal(syscall.SIGTERM))
	p.endsWith(NotFetched)
	if len(all.Lines) != 3 {
		t.Errorf("it said %+v", all)
	}
}

func TestAWorkerThatIgnoresSIGTERMIsKilled(t *testing.T) {
	as(t, func(p *pod) {
		p.grace = 2 * time.Second
		p.runs("deaf")
		p.reads(says("point"))
		must(p, p.process.Process.Signal(syscall.SIGTERM))
		all := p.reads(never)
		if *all.Over != (end{137, "SIGKILL"}) {
			p.Errorf("it ended with %+v", *all.Over)
		}
		p.call("GET", "/journal", "", "after", strconv.Itoa(len(all.Lines)))
		p.endsWith(137)
	})
}

func TestADaemonThatHoldsThePipe(t *testing.T) {
	as(t, func(p *pod) {
		p.runs("daemon")
		all := p.reads(never)
		if *all.Over != (end{}) || !says("done")(all) {
			p.Errorf("it ended with %+v", *all.Over)
		}
		eventually(p, "the daemon to end", func() bool { return len(proctest.Children(p.process.Process.Pid)) == 0 })
		p.leaves()
		p.endsWith(0)
	})
}

func TestForksSpeakAndAreReaped(t *testing.T) {
	as(t, func(p *pod) {
		p.runs("forks")
		all := p.reads(says("done"))
		if len(all.Lines) != 9 {
			p.Errorf("it said %+v", all)
		}
		eventually(p, "orphans to be reaped", func() bool { return len(proctest.Children(p.process.Process.Pid)) == 1 })
		must(p, p.process.Process.Signal(syscall.SIGTERM))
		// Nothing is left to fetch: it does not wait for POST /over.
		if all := p.reads(never); *all.Over != (end{}) {
			p.Errorf("it ended with %+v", *all.Over)
		}
		p.endsWith(143)
	})
}

// Each round kills it at another line: what was said in full has arrived, and nothing else.
func TestTheWorkerIsKilledAtAnyMoment(t *testing.T) {
	for _, lines := range []int{1, 2, 3, 5, 40, 190, 230} {
		t.Run(strconv.Itoa(lines), func(t *testing.T) {
			p := newPod(t)
			p.runs("endless")
			p.reads(func(all told) bool { return len(all.Lines) >= lines })
			worker := proctest.Children(p.process.Process.Pid)
			if len(worker) != 1 {
				t.Fatalf("workers: %v", worker)
			}
			must(t, syscall.Kill(whole(worker[0]), syscall.SIGKILL))
			all := p.reads(never)
			for _, line := range all.Lines {
				if line.Line["n"] != float64(line.Seq) {
					t.Fatalf("line %d says %v", line.Seq, line.Line)
				}
			}
			if (*all.Over != end{137, "SIGKILL"}) || all.Refused > 1 {
				t.Errorf("it ended with %+v, %d refused", all.Over, all.Refused)
			}
			p.leaves()
			p.endsWith(137)
		})
	}
}

func TestTheWorkerInheritsNothing(t *testing.T) {
	p := newPod(t)
	p.runs("descriptors")
	if all := p.reads(never); len(all.Lines) != 0 || *all.Over != (end{}) {
		t.Errorf("it has %+v", all)
	}
	p.leaves()
	p.endsWith(0)
}

// A worker that runs as the same user reads neither memory nor files of process 1, which knows the gateway's token.
func TestTheWorkerCannotReadProcess1(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("another user needs root")
	}
	p := newPod(t)
	folder, err := os.MkdirTemp("", "task-")
	must(t, err)
	t.Cleanup(func() { _ = os.RemoveAll(folder) })
	p.root, p.binary = filepath.Join(folder, "root"), filepath.Join(folder, "binary")
	must(t, errors.Join(os.Chmod(folder, 0o755), os.MkdirAll(p.root+"/in", 0o755), os.WriteFile(p.root+"/in/door", []byte(digest(token)), 0o444)))
	program, err := os.ReadFile(os.Args[0])
	must(t, err)
	must(t, os.WriteFile(p.binary, program, 0o755))
	p.attributes = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 65534, Gid: 65534}}
	p.runs("spy")
	all := p.reads(never)
	if len(all.Lines) != 3 {
		t.Fatalf("it said %+v", all)
	}
	for _, line := range all.Lines {
		if line.Line["open"] != false {
			t.Errorf("it reads %v", line.Line["name"])
		}
	}
}

func TestTheWorkerAsks(t *testing.T) {
	as(t, func(p *pod) {
		p.runs("ask")
		p.reads(func(told) bool { return p.boot != "" })
		must(p, os.WriteFile(p.root+"/in/ask.new", []byte(p.ask), 0o644))
		must(p, os.Rename(p.root+"/in/ask.new", p.root+"/in/ask"))
		asks := understood[asked](p, p.call("GET", "/ask", "")).Asks
		if len(asks) != 1 {
			p.Fatalf("it asks %+v", asks)
		}
		if got := p.call("PUT", "/answer", `{"a":1}`, "id", "1", "status", "200"); got.status != http.StatusNoContent {
			p.Errorf("the answer: %+v", got)
		}
		all := p.reads(never)
		if len(all.Lines) != 1 || all.Lines[0].Line["status"] != 200.0 || all.Lines[0].Line["body"] != `{"a":1}` {
			p.Errorf("it said %+v", all)
		}
		p.leaves()
		p.endsWith(0)
	})
}
