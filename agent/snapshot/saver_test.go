package snapshot

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"gantry.dev/agent/snapshot/cluster"
	"gantry.dev/agent/snapshot/containerd"
	"gantry.dev/agent/snapshot/image"
	"gantry.dev/agent/snapshot/layer"
	"gantry.dev/agent/snapshot/push"
)

func TestOnlyTargetsOfTheOwnNamespaceArePushed(t *testing.T) {
	rows := map[string]struct{ target, repository, tag, refused string }{
		"its own":               {"registry.gantry.internal/org-a/dev.root:3", "org-a/dev.root", "3", ""},
		"another's":             {"registry.gantry.internal/org-b/dev.root:3", "", "", "not of the namespace org-a"},
		"a longer name":         {"registry.gantry.internal/org-ab/dev.root:3", "", "", "not of the namespace org-a"},
		"the platform's":        {"registry.gantry.internal/official/busybox:1", "", "", "not of the namespace org-a"},
		"of another registry":   {"docker.io/org-a/dev.root:3", "", "", "is not registry.gantry.internal/"},
		"without a tag":         {"registry.gantry.internal/org-a/dev.root", "", "", "is not registry.gantry.internal/"},
		"a digest":              {"registry.gantry.internal/org-a/dev@sha256:00", "", "", "is not registry.gantry.internal/"},
		"out of the namespace":  {"registry.gantry.internal/../org-a/dev:3", "", "", "not of the namespace org-a"},
		"the namespace's alone": {"registry.gantry.internal/org-a:3", "org-a", "3", ""},
	}
	for name, row := range rows {
		one := &save{saver: &saver{registryName: "registry.gantry.internal"}, snapshot: &cluster.Snapshot{}}
		one.snapshot.Metadata.Namespace, one.snapshot.Spec.Target = "org-a", row.target
		repository, tag, err := one.target()
		if row.refused == "" {
			if err != nil || repository != row.repository || tag != row.tag {
				t.Errorf("%s: %q %q %v", name, repository, tag, err)
			}
			continue
		}
		var ends *final
		if !errors.As(err, &ends) || ends.reason != reasonRefused || !strings.Contains(ends.detail, row.refused) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func TestBackOffDoublesToAMinuteUnlessTheRegistryNamesATime(t *testing.T) {
	var waits []time.Duration
	for attempt := 1; attempt <= 8; attempt++ {
		waits = append(waits, backOff(attempt, errors.New("x"))/time.Second)
	}
	if !slices.Equal(waits, []time.Duration{1, 2, 4, 8, 16, 32, 60, 60}) {
		t.Error(waits)
	}
	if wait := backOff(1, &push.Error{RetryAfter: 30 * time.Second}); wait != 30*time.Second {
		t.Error(wait)
	}
	if wait := backOff(1, &push.Error{RetryAfter: time.Hour}); wait != longestAsked {
		t.Error(wait)
	}
	if wait := backOff(1, &push.Error{IsFull: true, RetryAfter: time.Second}); wait != fullOff {
		t.Error(wait)
	}
	if wait := backOff(1000, errors.New("x")); wait != time.Minute {
		t.Error(wait)
	}
}

func TestTheQueueIsFairOverNamespaces(t *testing.T) {
	queue := newQueue(3)
	for _, key := range []string{"a/1", "a/2", "a/3", "b/1"} {
		namespace, _, _ := strings.Cut(key, "/")
		queue.add(namespace, key)
	}
	queue.add("a", "a/1")
	var taken []string
	for range 4 {
		key, more := queue.next(context.Background())
		if !more {
			t.Fatal("nothing to do")
		}
		taken = append(taken, key)
	}
	if !slices.Equal(taken, []string{"a/1", "b/1", "a/2", "a/3"}) {
		t.Fatal(taken)
	}
	// A key added while it is worked on is done again, once; a failed one waits its time.
	queue.add("a", "a/1")
	queue.add("a", "a/2")
	queue.done("a/1", time.Time{})
	queue.done("a/2", time.Now().Add(time.Hour))
	queue.done("a/3", time.Time{})
	queue.add("a", "a/2")
	if key, _ := queue.next(context.Background()); key != "a/1" {
		t.Fatal(key)
	}
	ended, cancel := context.WithCancel(context.Background())
	cancel()
	if key, more := queue.next(ended); more {
		t.Fatal(key)
	}
}

func TestNoNamespaceHasAllWorkers(t *testing.T) {
	queue := newQueue(2)
	for _, key := range []string{"a/1", "a/2", "a/3"} {
		queue.add("a", key)
	}
	take := func() string {
		key, _, _ := queue.take(time.Now())
		return key
	}
	if one, two, three := take(), take(), take(); one != "a/1" || two != "a/2" || three != "" {
		t.Fatalf("taken: %q %q %q", one, two, three)
	}
	queue.add("b", "b/1")
	if key := take(); key != "b/1" {
		t.Fatalf("the worker that is left took %q", key)
	}
	_, _, changed := queue.take(time.Now())
	queue.done("a/1", time.Time{})
	select {
	case <-changed:
	default:
		t.Error("nobody was told that a place is free")
	}
	if key := take(); key != "a/3" {
		t.Fatalf("the place that came free: %q", key)
	}
}

func TestAHomeThatAnImageCanNotHoldIsNotTriedAgain(t *testing.T) {
	home := t.TempDir()
	if err := os.Mkdir(home+"/.wh.models", 0o755); err != nil {
		t.Fatal(err)
	}
	root, err := os.Open(home)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	_, err = layer.WriteFolder(context.Background(), io.Discard, root, homeName, 0)
	var ends *final
	if err := fmt.Errorf("read the files: %w", unsupported(err)); !errors.As(err, &ends) || ends.reason != reasonNotSaveable || !strings.Contains(err.Error(), `".wh.models": its name begins with .wh.`) {
		t.Fatal(err)
	}
}

func TestADiskIsSaidAgainWhenItMovedOrTheFigureIsOld(t *testing.T) {
	last := cluster.Usage{TotalBytes: 1000, UsedBytes: 500, At: now()}
	rows := map[string]struct {
		usage cluster.Usage
		age   time.Duration
		said  bool
	}{
		"nothing moved":             {cluster.Usage{TotalBytes: 1000, UsedBytes: 505}, 0, false},
		"a hundredth":               {cluster.Usage{TotalBytes: 1000, UsedBytes: 490}, 0, true},
		"it grew":                   {cluster.Usage{TotalBytes: 2000, UsedBytes: 500}, 0, true},
		"an old figure":             {cluster.Usage{TotalBytes: 1000, UsedBytes: 500}, 6 * time.Minute, true},
		"a MiB, at once":            {cluster.Usage{TotalBytes: 1000 << 20, UsedBytes: 500 + 1<<20}, 30 * time.Second, false},
		"a MiB, soon":               {cluster.Usage{TotalBytes: 1000 << 20, UsedBytes: 500 + 1<<20}, time.Minute, true},
		"its own part is known now": {cluster.Usage{TotalBytes: 1000, UsedBytes: 500, OwnBytes: new(int64)}, 0, true},
		"an empty volume":           {cluster.Usage{TotalBytes: 1000, UsedBytes: 500}, 0, false},
	}
	for name, row := range rows {
		from := last
		if row.usage.TotalBytes > 2000 {
			from.TotalBytes = row.usage.TotalBytes
		}
		from.At = time.Now().Add(-row.age).UTC().Format(time.RFC3339)
		if said := worthSaying(from, row.usage); said != row.said {
			t.Errorf("%s: %v", name, said)
		}
	}
}

func TestASnapshotThatMaySucceedKeepsWhatItNeedsFromAWipe(t *testing.T) {
	snapshot := func(of, namespace string, phase string) *cluster.Snapshot {
		one := &cluster.Snapshot{}
		one.Spec.Of, one.Metadata.Namespace, one.Status.Phase = of, namespace, phase
		return one
	}
	rows := map[string]struct {
		snapshot *cluster.Snapshot
		awaits   bool
	}{
		"not begun":      {snapshot("Root", "org-a", ""), true},
		"tried again":    {snapshot("Root", "org-a", "processing"), true},
		"not read back":  {snapshot("Root", "org-a", cluster.Success), true},
		"saved":          {snapshot("Root", "org-a", cluster.Ready), false},
		"given up":       {snapshot("Root", "org-a", cluster.Failed), false},
		"of a home":      {snapshot("Home", "org-a", "processing"), false},
		"of another one": {snapshot("Root", "org-b", "processing"), false},
	}
	for name, row := range rows {
		if awaits := awaitsSave(containerd.Kept{Namespace: "org-a"}, []*cluster.Snapshot{row.snapshot}); awaits != row.awaits {
			t.Errorf("%s: %v", name, awaits)
		}
	}
}

func TestWhatNobodyCanMendEndsASave(t *testing.T) {
	lacking := fmt.Errorf("layer x %w", errNoBase)
	rows := map[string]struct {
		err     error
		after   time.Duration
		isFinal bool
	}{
		"a file that overlayfs alone reads":     {fmt.Errorf("read the files: moved: %w", layer.ErrForm), 0, true},
		"a form that overlayfs alone reads":     {fmt.Errorf("%w: redirect_dir", containerd.ErrForm), 0, true},
		"another image":                         {fmt.Errorf("index: %w", fmt.Errorf("image x %w", image.ErrOther)), 0, true},
		"an image that can be pulled again":     {fmt.Errorf("image x %w", containerd.ErrNoImage), 59 * time.Minute, false},
		"an image that nobody has pulled again": {fmt.Errorf("image x %w", containerd.ErrNoImage), time.Hour, true},
		"a layer that is nowhere":               {lacking, 59 * time.Minute, false},
		"a layer that stays nowhere":            {lacking, time.Hour, true},
		"a config that was collected":           {fmt.Errorf("content x: %w", containerd.ErrNotFound), time.Hour, true},
		"a registry that is down":               {&push.Error{Status: 503, Sentence: "x"}, 24 * time.Hour, false},
		"whatever else":                         {errors.New("x"), 24 * time.Hour, false},
	}
	for name, row := range rows {
		known := &memory{}
		began := time.Now()
		_ = known.judged(row.err, began)
		var ends *final
		judged := known.judged(row.err, began.Add(row.after))
		if errors.As(judged, &ends) != row.isFinal || row.isFinal && (ends.reason != reasonNotSaveable || !strings.Contains(judged.Error(), "cannot be saved")) {
			t.Errorf("%s: %v", name, judged)
		}
	}
}

func TestADeadVolumeHoldsUpNoOther(t *testing.T) {
	hanging, dead := &hanging{}, make(chan struct{})
	for _, says := range []string{"has not answered", "has not come back"} {
		_, err := hanging.within(time.Millisecond, "org-a/dead", func() (bool, error) { <-dead; return true, nil })
		if err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%v", err)
		}
	}
	if measured, err := hanging.within(time.Minute, "org-a/alive", func() (bool, error) { return true, nil }); !measured || err != nil {
		t.Errorf("%v %v", measured, err)
	}
	close(dead)
}

func TestAPanicIsAFailureOfOneSave(t *testing.T) {
	one := &save{saver: &saver{registryName: "registry.gantry.internal"}, snapshot: &cluster.Snapshot{}}
	one.snapshot.Metadata.Namespace, one.snapshot.Spec.Target = "org-a", "registry.gantry.internal/org-a/dev.root:3"
	// There is no cluster to ask.
	if err := one.once(context.Background()); err == nil || !strings.Contains(err.Error(), "panic: ") {
		t.Errorf("%v", err)
	}
	if err := caught(func() error { panic("a file nobody thought of") }); err == nil || err.Error() != "panic: a file nobody thought of" {
		t.Errorf("%v", err)
	}
}

func TestWhenTheRoomOfAnInstanceIsSaid(t *testing.T) {
	of := func(total, used, root int64) cluster.Room {
		return cluster.Room{Home: &cluster.HomeRoom{TotalBytes: total, UsedBytes: used, AvailableBytes: total - used}, RootBytes: &root}
	}
	last := of(1000, 500, 0)
	for name, row := range map[string]struct {
		next cluster.Room
		said bool
	}{
		"nothing moved":                  {of(1000, 509, rootStep-1), false},
		"a hundredth of the home":        {of(1000, 490, 0), true},
		"the home grew":                  {of(2000, 500, 0), true},
		"a step of the root":             {of(1000, 500, rootStep), true},
		"a root that is measured now":    {cluster.Room{Home: last.Home}, true},
		"a home that is not there (yet)": {cluster.Room{RootBytes: last.RootBytes}, true},
	} {
		if said := hasMoved(last, row.next); said != row.said {
			t.Errorf("%s: %v", name, said)
		}
	}
	if hasMoved(of(0, 0, 0), of(0, 0, 0)) {
		t.Error("a volume of no size is said again and again")
	}
}

func TestAContainerThatCouldNotBeKeptIsTriedAgain(t *testing.T) {
	waits := []time.Duration{0, 0, 0}
	tried := 0
	repeated(t.Context(), waits, func() bool { tried++; return tried == 2 })
	if tried != 2 {
		t.Errorf("tried %d times, want 2: it is kept then", tried)
	}
	repeated(t.Context(), waits, func() bool { tried++; return false })
	if tried != 5 {
		t.Errorf("tried %d times, want 3 more", tried)
	}
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	repeated(gone, waits, func() bool { t.Error("tried after the end"); return false })
}
