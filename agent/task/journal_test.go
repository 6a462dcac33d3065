package task

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"
)

func noPause(time.Duration) {}

// hear reads a text as the worker's, and returns what there is of it.
func hear(t testing.TB, j *journal, said string) {
	t.Helper()
	j.read(strings.NewReader(said), noPause, time.Now)
}

// seqs are the numbers of the lines in an answer.
func seqs(t testing.TB, page page) (all []int64) {
	t.Helper()
	for _, text := range page.lines {
		var one struct{ Seq int64 }
		must(t, json.Unmarshal(text, &one))
		all = append(all, one.Seq)
	}
	return all
}

func must(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func eventually(t testing.TB, what string, look func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); !look(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("waited 20 s for %s", what)
		}
	}
}

func point(n int) string { return fmt.Sprintf(`{"type":"point","n":%d}`+"\n", n) }

func points(n int) string {
	var all strings.Builder
	for at := range n {
		all.WriteString(point(at))
	}
	return all.String()
}

func TestWhatIsNoLineIsCountedAndNothingElse(t *testing.T) {
	j := newJournal()
	exact := `{"type":"x","z":"` + strings.Repeat("a", mostText) + `"` + strings.Repeat(" ", mostLine)
	exact = exact[:mostLine-1] + "}"
	hear(t, j, strings.Join([]string{
		point(1)[:len(point(1))-1], exact, exact + " ", strings.Repeat("x", 5*mostLine), "", "NaN", point(2)[:len(point(2))-1], `{"type":"x"}`,
	}, "\n"))
	page := j.page()
	if got := fmt.Sprint(seqs(t, page)); got != "[1 2 3]" || page.refused != 5 {
		t.Errorf("lines %s, %d refused: %s", got, page.refused, page.lines)
	}
}

func TestALineComesOnceItIsKept(t *testing.T) {
	j := newJournal()
	hear(t, j, points(1200))
	first := j.page()
	if all := seqs(t, first); len(all) != mostLines || all[0] != 1 || all[len(all)-1] != mostLines {
		t.Errorf("the first answer: %v", all)
	}
	keep(t, j, 400, true)
	// A gateway that is behind says nothing new, and gets what is not kept.
	keep(t, j, 7, false)
	if all := seqs(t, j.page()); all[0] != 401 || len(all) != mostLines {
		t.Errorf("after 400: %v", all)
	}
	j.finish(end{Code: 3})
	if j.page().over != nil {
		t.Error("over comes before the last line")
	}
	keep(t, j, 900, true)
	if last := j.page(); len(last.lines) != 300 || last.over == nil || last.over.Code != 3 {
		t.Errorf("the last answer: %d lines, %v", len(last.lines), last.over)
	}
	if _, isFetched, _ := j.state(); isFetched {
		t.Error("all is fetched before it is kept")
	}
	keep(t, j, 1200, true)
	if last := j.page(); len(last.lines) != 0 || last.over == nil {
		t.Errorf("after the last: %v", last)
	}
	if _, isFetched, _ := j.state(); !isFetched {
		t.Error("all is kept, and something is left")
	}
	if _, err := j.keep(1201); !errors.Is(err, errAhead) {
		t.Errorf("a line that there is not: %v", err)
	}
}

func keep(t *testing.T, j *journal, after int64, isNews bool) {
	t.Helper()
	if got, err := j.keep(after); err != nil || got != isNews {
		t.Errorf("keep %d: %t %v", after, got, err)
	}
}

func TestAnAnswerIsAtMostOneMebibyte(t *testing.T) {
	j := newJournal()
	long := `{"type":"x"`
	for n := range 12 {
		long += fmt.Sprintf(`,"f%d":"%s"`, n, strings.Repeat("a", 1000))
	}
	hear(t, j, strings.Repeat(long+"}\n", 200))
	total := 0
	for _, text := range j.page().lines {
		total += len(text)
	}
	if total > mostLinesBytes || total < mostLinesBytes-mostLine {
		t.Errorf("%d bytes", total)
	}
}

// full reads without end until the journal has no room for one more.
func full(t *testing.T, j *journal, said func(n int) string) (done chan struct{}) {
	t.Helper()
	from, to := io.Pipe()
	done = make(chan struct{})
	go func() {
		defer close(done)
		j.read(from, noPause, time.Now)
	}()
	go func() {
		for n := 0; ; n++ {
			if _, err := io.WriteString(to, said(n)); err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		j.close()
		_ = from.Close()
	})
	next, err := readLine([]byte(strings.TrimSpace(said(1 << 20))))
	must(t, err)
	eventually(t, "the journal to be full", func() bool {
		j.mu.Lock()
		defer j.mu.Unlock()
		return !j.hasRoom(next)
	})
	return done
}

func TestTheWorkerWaitsAtAFullJournal(t *testing.T) {
	for name, row := range map[string]struct {
		said func(n int) string
		most int
		free func(j *journal)
	}{
		"lines": {point, mostHeld, func(j *journal) { _, _ = j.keep(1) }},
		"bytes": {
			func(int) string {
				return `{"type":"x","a":"` + strings.Repeat("a", 1000) + `","b":"` + strings.Repeat("b", 1000) + `","c":"` + strings.Repeat("c", 1000) + "\"}\n"
			},
			1400, func(j *journal) { _, _ = j.keep(100) },
		},
		"files": {
			func(n int) string { return fmt.Sprintf(`{"type":"x","path":"out/%d",%s}`+"\n", n, of) }, mostNamed,
			func(j *journal) { j.forget("out/0") },
		},
	} {
		t.Run(name, func(t *testing.T) {
			j := newJournal()
			if name == "files" {
				// Lines are kept as they come, files are not.
				go func() {
					for !j.isClosed() {
						j.mu.Lock()
						last := j.last
						j.mu.Unlock()
						_, _ = j.keep(last)
						time.Sleep(time.Millisecond)
					}
				}()
			}
			full(t, j, row.said)
			j.mu.Lock()
			held, before, named := j.bytes, j.last, len(j.named)
			j.mu.Unlock()
			if before > int64(row.most) || before < int64(row.most)*9/10 || held > mostHeldBytes+2*mostLine || named > mostNamed {
				t.Errorf("%d lines, %d bytes, %d files held", before, held, named)
			}
			row.free(j)
			eventually(t, "the worker to go on", func() bool {
				j.mu.Lock()
				defer j.mu.Unlock()
				return j.last > before
			})
		})
	}
}

func TestAFullJournalLetsGoAtTheEnd(t *testing.T) {
	j := newJournal()
	done := full(t, j, point)
	j.close()
	eventually(t, "lines to be taken in and dropped", func() bool {
		select {
		case <-done:
			return true
		default:
			j.mu.Lock()
			defer j.mu.Unlock()
			return j.last == mostHeld
		}
	})
}

func TestAFileIsNamedOnce(t *testing.T) {
	j := newJournal()
	named := `{"type":"output","path":"out/a","name":"a",` + of + "}\n"
	hear(t, j, named+named+strings.Replace(named, `"bytes":5`, `"bytes":6`, 1)+strings.Replace(named, "9f86", "0000", 1))
	if page := j.page(); len(page.lines) != 2 || page.refused != 2 {
		t.Errorf("%d lines, %d refused", len(page.lines), page.refused)
	}
	if of, _ := j.fileAt("out/a"); of != (file{"out/a", hash, 5}) {
		t.Errorf("the file: %+v", of)
	}
	j.forget("out/a")
	if _, isNamed := j.fileAt("out/a"); isNamed {
		t.Error("a kept file is still named")
	}
}

// A process that has the pipe still writes while the worker is dead.
func TestWhatIsWrittenAfterTheEndIsNotRead(t *testing.T) {
	from, to, err := pipe()
	must(t, err)
	defer from.Close()
	defer to.Close()
	j, source := newJournal(), &remains{pipe: from}
	// The reader waits at an empty pipe, then stands at its first line while the rest is written.
	standing, goOn, done := make(chan struct{}), make(chan struct{}), make(chan struct{})
	go func() {
		defer close(done)
		count := 0
		j.read(source, func(time.Duration) {
			if count++; count == 1 {
				close(standing)
				<-goOn
			}
		}, time.Now)
	}()
	_, err = io.WriteString(to, point(0))
	must(t, err)
	<-standing
	_, err = io.WriteString(to, points(3000)[:50_000])
	must(t, err)
	source.cut()
	close(goOn)
	stop := make(chan struct{})
	stray := make(chan error, 1)
	go func() {
		for {
			select {
			case <-stop:
				stray <- nil
				return
			default:
				if _, err := io.WriteString(to, point(9)); err != nil {
					stray <- err
					return
				}
			}
		}
	}()
	eventually(t, "the pipe to end for the reader", func() bool {
		select {
		case <-done:
			return true
		default:
			// The journal is emptied, or the reader would stand.
			j.mu.Lock()
			last := j.last
			j.mu.Unlock()
			_, _ = j.keep(last)
			return false
		}
	})
	close(stop)
	// Frees a writer at a full pipe.
	must(t, from.Close())
	if err := <-stray; err != nil && !errors.Is(err, syscall.EPIPE) {
		t.Error(err)
	}
	whole := int64(strings.Count(points(3000)[:50_000], "\n"))
	if j.last < whole || j.last > whole+1+int64(1<<16/len(point(9))) {
		t.Errorf("%d lines were read, of %d that the worker wrote", j.last, whole)
	}
}

func TestTheWorkersEndOfThePipeBlocks(t *testing.T) {
	from, to, err := pipe()
	must(t, err)
	defer from.Close()
	defer to.Close()
	flags := func(file *os.File) int {
		raw, err := file.SyscallConn()
		must(t, err)
		got := uintptr(0)
		must(t, raw.Control(func(fd uintptr) { got, _, _ = syscall.Syscall(syscall.SYS_FCNTL, fd, syscall.F_GETFL, 0) }))
		return int(got)
	}
	if flags(to)&syscall.O_NONBLOCK != 0 || flags(from)&syscall.O_NONBLOCK == 0 {
		t.Errorf("flags: %#x of the worker's end, %#x of ours", flags(to), flags(from))
	}
}
