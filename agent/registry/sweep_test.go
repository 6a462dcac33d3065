package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
)

const (
	digestA = "sha256:aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
	digestB = "sha256:bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"
	digestC = "sha256:cccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccccc"
)

func referencesOf(images ...string) References {
	found := newReferences()
	for _, image := range images {
		found.add(image)
	}
	return found
}

func TestWhichTagsGo(t *testing.T) {
	start := time.Now()
	for name, row := range map[string]struct {
		tag    tag
		needed []string
		known  time.Duration
		goes   bool
	}{
		"needed by nobody for an hour":          {tag{"org-a/x", "1"}, nil, time.Hour, true},
		"not for an hour yet":                   {tag{"org-a/x", "1"}, nil, 59 * time.Minute, false},
		"needed by name":                        {tag{"org-a/x", "1"}, []string{"org-a/x:1"}, time.Hour, false},
		"needed by name and digest":             {tag{"org-a/x", "1"}, []string{"org-a/x:1@" + digestA}, time.Hour, false},
		"another tag is needed":                 {tag{"org-a/x", "1"}, []string{"org-a/x:2"}, time.Hour, true},
		"the same tag elsewhere is needed":      {tag{"org-a/x", "1"}, []string{"org-b/x:1"}, time.Hour, true},
		"needed without a tag":                  {tag{"org-a/x", "latest"}, []string{"org-a/x"}, time.Hour, false},
		"the platform's":                        {tag{"official/x", "1"}, nil, time.Hour, false},
		"a repository that only begins so":      {tag{"organic/x", "1"}, nil, time.Hour, false},
		"our mark on what nobody needs":         {tag{"official/x", keptTagOf(digestA)}, nil, time.Hour, true},
		"our mark on what is needed":            {tag{"official/x", keptTagOf(digestA)}, []string{"official/x@" + digestA}, time.Hour, false},
		"our mark on what is needed of another": {tag{"org-a/x", keptTagOf(digestA)}, []string{"org-b/x@" + digestA}, time.Hour, true},
		"a tenant's tag that looks like a mark": {tag{"org-a/x", keptTag + "mine"}, []string{"org-a/x:" + keptTag + "mine"}, time.Hour, false},
	} {
		t.Run(name, func(t *testing.T) {
			_, memory := sweepable([]tag{row.tag}, referencesOf(row.needed...), nil, start, time.Hour)
			ripe, _ := sweepable([]tag{row.tag}, referencesOf(row.needed...), memory, start.Add(row.known), time.Hour)
			if slices.Contains(ripe, row.tag) != row.goes {
				t.Errorf("goes: %v", !row.goes)
			}
		})
	}
}

func TestTheHourBeginsAnewWhenATagWasNeeded(t *testing.T) {
	start, one := time.Now(), tag{"org-a/x", "1"}
	all := []tag{one}
	_, memory := sweepable(all, newReferences(), nil, start, time.Hour)
	_, memory = sweepable(all, referencesOf("org-a/x:1"), memory, start.Add(50*time.Minute), time.Hour)
	ripe, memory := sweepable(all, newReferences(), memory, start.Add(90*time.Minute), time.Hour)
	if len(ripe) != 0 {
		t.Error("it went 40 minutes after it was needed")
	}
	if ripe, _ = sweepable(all, newReferences(), memory, start.Add(150*time.Minute), time.Hour); len(ripe) != 1 {
		t.Error("it never goes")
	}
	// Gone and pushed again: another one.
	_, memory = sweepable(nil, newReferences(), memory, start.Add(151*time.Minute), time.Hour)
	if ripe, _ = sweepable(all, newReferences(), memory, start.Add(152*time.Minute), time.Hour); len(ripe) != 0 {
		t.Error("it is as old as the one before it")
	}
}

func TestWhatObjectsName(t *testing.T) {
	found := newReferences()
	found.addObject("registry.test", map[string]any{
		"spec": map[string]any{
			"source":     "registry.test/org-a/own:3",
			"containers": []any{map[string]any{"image": "registry.test/official/agent:1@" + digestA}},
			"other":      "docker.io/library/busybox:1",
			"looks":      "registry.test.evil/org-a/x:1",
		},
		"status": map[string]any{
			"digest": digestB, "root": map[string]any{"image": "registry.test/org-a/dev.root:7@" + digestC}, "n": int64(1),
			"runs": []any{map[string]any{"seq": int64(7), "log": map[string]any{"image": "registry.test/org-a/dev.log:7"}}},
		},
	})
	tags := map[tag]bool{{"org-a/own", "3"}: true, {"official/agent", "1"}: true, {"org-a/dev.root", "7"}: true, {"org-a/dev.log", "7"}: true}
	digests := map[manifest]bool{
		{"official/agent", digestA}: true, {"org-a/own", digestB}: true, {"org-a/dev.root", digestC}: true,
	}
	if !reflect.DeepEqual(found.digests, digests) {
		t.Errorf("digests %v", found.digests)
	}
	if !reflect.DeepEqual(found.tags, tags) {
		t.Errorf("tags %v", found.tags)
	}
}

// A registry in memory: repository → tag → digest; without tags a manifest is still there.
type shelf struct {
	tagged    map[tag]string
	manifests map[manifest]bool
	needed    References
	broken    string
	// Happens when the references were asked for so many times.
	meanwhile map[int]func()
	asked     int
}

func (s *shelf) fails(what string) error {
	if s.broken == what {
		return errors.New(what + " fails")
	}
	return nil
}

func (s *shelf) repositories(context.Context) ([]string, error) {
	var all []string
	for one := range s.manifests {
		if !slices.Contains(all, one.repository) {
			all = append(all, one.repository)
		}
	}
	return all, s.fails("repositories")
}

func (s *shelf) tags(_ context.Context, repository string) ([]string, error) {
	var all []string
	for one := range s.tagged {
		if one.repository == repository {
			all = append(all, one.name)
		}
	}
	return all, s.fails("tags")
}

func (s *shelf) digestOf(_ context.Context, repository, reference string) (string, error) {
	if strings.HasPrefix(reference, "sha256:") {
		if s.manifests[manifest{repository, reference}] {
			return reference, s.fails("digest")
		}
		return "", s.fails("digest")
	}
	return s.tagged[tag{repository, reference}], s.fails("digest")
}

func (s *shelf) untag(_ context.Context, repository, name string) error {
	delete(s.tagged, tag{repository, name})
	return s.fails("untag")
}

func (s *shelf) keep(_ context.Context, repository, digest, name string) error {
	s.tagged[tag{repository, name}] = digest
	return s.fails("keep")
}

func (s *shelf) references(context.Context, string) (References, error) {
	s.asked++
	answer := s.needed
	if happens := s.meanwhile[s.asked]; happens != nil {
		happens()
	}
	return answer, s.fails("references")
}

func sweeping(t *testing.T, s *shelf, collector ...string) (*Sweeper, *clock) {
	t.Helper()
	clock := &clock{at: time.Now()}
	return &Sweeper{
		images: s, cluster: s, log: slog.New(slog.NewJSONHandler(&bytes.Buffer{}, nil)), metrics: newMetrics(),
		now: clock.now, host: "registry.test", collector: collector, collectedAt: clock.now(),
		collectEvery: 30 * time.Minute,
	}, clock
}

func shelved() *shelf {
	return &shelf{
		tagged: map[tag]string{{"org-a/x", "1"}: digestA, {"org-a/x", "2"}: digestB, {"org-a/y", "1"}: digestA},
		manifests: map[manifest]bool{
			{"org-a/x", digestA}: true, {"org-a/x", digestB}: true, {"org-a/x", digestC}: true, {"org-a/y", digestA}: true,
		},
		needed: newReferences(),
	}
}

func TestASweep(t *testing.T) {
	s := shelved()
	// One by its name, one by a digest that a tag has, one by a digest that none has, one that is not there at all.
	s.needed = referencesOf("org-a/x:2", "org-a/y@"+digestA, "org-a/x@"+digestC, "org-a/absent@"+digestC)
	sweeper, _ := sweeping(t, s, "true")
	if err := sweeper.sweep(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	want := map[tag]string{
		{"org-a/x", "2"}: digestB, {"org-a/y", "1"}: digestA, {"org-a/x", keptTagOf(digestC)}: digestC,
	}
	if !reflect.DeepEqual(s.tagged, want) {
		t.Errorf("left %v", s.tagged)
	}
}

func TestHalfAnAnswerDeletesNothing(t *testing.T) {
	for _, broken := range []string{"repositories", "tags", "references", "digest"} {
		t.Run(broken, func(t *testing.T) {
			s := shelved()
			s.broken = broken
			sweeper, _ := sweeping(t, s, "true")
			if err := sweeper.sweep(context.Background(), true); err == nil {
				t.Error("it says that all was well")
			}
			if len(s.tagged) != 3 {
				t.Errorf("left %v", s.tagged)
			}
		})
	}
}

func TestACollectorThatFailsIsRunAgain(t *testing.T) {
	s := shelved()
	sweeper, _ := sweeping(t, s, "false")
	for range 2 {
		sweeper.collectedAt = sweeper.now().Add(-sweeper.collectEvery)
		if err := sweeper.sweep(context.Background(), false); err == nil || !strings.Contains(err.Error(), "the collector failed") {
			t.Errorf("%v", err)
		}
	}
}

// A pass sees what is unneeded for how long: so it runs whether or not a tag has just gone.
func TestCollectionsKeepTheirPace(t *testing.T) {
	s := shelved()
	marker := filepath.Join(t.TempDir(), "passes")
	sweeper, clock := sweeping(t, s, "sh", "-c", "echo pass >> "+marker)
	passes := func() int {
		text, _ := os.ReadFile(marker)
		return strings.Count(string(text), "pass")
	}
	for _, row := range []struct {
		step  time.Duration
		asked bool
		want  int
	}{
		{29 * time.Minute, false, 0}, {time.Minute, false, 1}, {29 * time.Minute, false, 1}, {0, true, 2},
		{29 * time.Minute, false, 2}, {time.Minute, false, 3},
	} {
		clock.step(row.step)
		if err := sweeper.sweep(context.Background(), row.asked); err != nil || passes() != row.want {
			t.Errorf("%+v: %v, %d", row, err, passes())
		}
	}
	// A restart in between is no reason to begin anew.
	sweeper.memoryFile = filepath.Join(t.TempDir(), "memory")
	clock.step(20 * time.Minute)
	if err := sweeper.sweep(context.Background(), false); err != nil {
		t.Fatal(err)
	}
	sweeper = restarted(t, sweeper, s, sweeper.collector...)
	clock.step(10 * time.Minute)
	if err := sweeper.sweep(context.Background(), false); err != nil || passes() != 4 {
		t.Errorf("%v, %d", err, passes())
	}
}

func TestACollectorIsRunToItsEnd(t *testing.T) {
	err := runCollector(context.Background(), []string{"sh", "-c", "echo its last words; exit 3"})
	if err == nil || !strings.Contains(err.Error(), "its last words") || !strings.Contains(fmt.Sprint(err), "3") {
		t.Errorf("%v", err)
	}
}

// Between the list of tags and the deletion lies time, in which somebody asks for a tag that nobody needed, and pushes it.
func TestWhatIsAskedForOrPushedDuringASweepStays(t *testing.T) {
	s := shelved()
	s.meanwhile = map[int]func(){
		1: func() { s.needed = referencesOf("org-a/x:1") },
		2: func() { s.tagged[tag{"org-a/x", "2"}] = digestC },
	}
	sweeper, _ := sweeping(t, s)
	if err := sweeper.sweep(context.Background(), true); err != nil {
		t.Fatal(err)
	}
	if want := (map[tag]string{{"org-a/x", "1"}: digestA, {"org-a/x", "2"}: digestC}); !reflect.DeepEqual(s.tagged, want) {
		t.Errorf("left %v", s.tagged)
	}
}

func TestWhatASnapshotSavedIsNeededByItsDigest(t *testing.T) {
	found := newReferences()
	found.addObject("registry.test", map[string]any{
		"spec": map[string]any{"target": "registry.test/org-a/dev.root:1"}, "status": map[string]any{"digest": digestA},
	})
	if !found.digests[manifest{"org-a/dev.root", digestA}] || !found.tags[tag{"org-a/dev.root", "1"}] {
		t.Errorf("%v", found)
	}
}

// restarted is the same registry's next process, which knows nothing but the file.
func restarted(t *testing.T, before *Sweeper, s *shelf, collector ...string) *Sweeper {
	t.Helper()
	after, _ := sweeping(t, s, collector...)
	after.now, after.age, after.memoryFile = before.now, before.age, before.memoryFile
	after.remember()
	return after
}

func TestTheHourGoesOnAfterARestart(t *testing.T) {
	s := shelved()
	sweeper, clock := sweeping(t, s)
	sweeper.age, sweeper.memoryFile = time.Hour, filepath.Join(t.TempDir(), "memory")
	look := func() {
		t.Helper()
		if err := sweeper.sweep(context.Background(), false); err != nil {
			t.Fatal(err)
		}
	}
	look()
	clock.step(50 * time.Minute)
	look()
	sweeper = restarted(t, sweeper, s)
	clock.step(9 * time.Minute)
	look()
	if len(s.tagged) != 3 {
		t.Fatalf("after 50 minutes and a restart %v is left", s.tagged)
	}
	// The time until the first look after a restart does not count: nobody saw who needed what.
	clock.step(9 * time.Minute)
	look()
	if len(s.tagged) != 3 {
		t.Fatalf("the time in which nobody looked counts: %v is left", s.tagged)
	}
	clock.step(time.Minute)
	look()
	if len(s.tagged) != 0 {
		t.Errorf("an hour of looking, and %v is left", s.tagged)
	}
}

func TestWhatWasNeededBeforeARestartBeginsAnew(t *testing.T) {
	s := shelved()
	sweeper, clock := sweeping(t, s)
	sweeper.age, sweeper.memoryFile = time.Hour, filepath.Join(t.TempDir(), "memory")
	for _, needed := range []References{newReferences(), referencesOf("org-a/x:1")} {
		s.needed = needed
		if err := sweeper.sweep(context.Background(), false); err != nil {
			t.Fatal(err)
		}
		clock.step(59 * time.Minute)
	}
	s.needed = newReferences()
	sweeper = restarted(t, sweeper, s)
	for range 2 {
		if err := sweeper.sweep(context.Background(), false); err != nil {
			t.Fatal(err)
		}
		clock.step(2 * time.Minute)
	}
	if _, isLeft := s.tagged[tag{"org-a/x", "1"}]; !isLeft || len(s.tagged) != 1 {
		t.Errorf("left %v", s.tagged)
	}
}

func TestAMemoryThatCannotBeBelievedIsForgotten(t *testing.T) {
	for name, content := range map[string]string{
		"no file": "", "no JSON": "{", "another form": `[1]`, "from the future": `{"lookedAt":"2999-01-01T00:00:00Z","tags":[{"repository":"org-a/x","name":"1","since":"2001-01-01T00:00:00Z"}]}`,
		"no moment": `{"lookedAt":"soon","tags":[]}`,
	} {
		t.Run(name, func(t *testing.T) {
			s := shelved()
			sweeper, _ := sweeping(t, s)
			sweeper.age, sweeper.memoryFile = time.Hour, filepath.Join(t.TempDir(), "memory")
			if content != "" {
				if err := os.WriteFile(sweeper.memoryFile, []byte(content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			sweeper.remember()
			if err := sweeper.sweep(context.Background(), false); err != nil {
				t.Fatal(err)
			}
			if len(s.tagged) != 3 {
				t.Errorf("left %v", s.tagged)
			}
		})
	}
}
