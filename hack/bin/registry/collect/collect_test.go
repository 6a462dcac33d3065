package collect

import (
	"context"
	"errors"
	"fmt"
	"math/rand"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// In the tests a pass is an hour, and no push takes so many.
const age = 12 * time.Hour

// enough is how many passes after it lost its tag an image is gone for good.
const enough = 2 + int(settles/time.Hour) + int(age/time.Hour)

func TestWhatNoTagLeadsToGoes(t *testing.T) {
	onEach(t, func(s *stage) {
		now := time.Now()
		kept, gone := imageOf("org-a/x", "1", "config", "shared"), imageOf("org-a/x", "2", "config", "only in this one")
		elsewhere := imageOf("org-b/y", "1", "config of b", "shared")
		for _, one := range []image{kept, gone, elsewhere} {
			if !s.push(one, "") {
				t.Fatal("a push failed")
			}
		}
		s.passes(&now, enough, s.driver)
		before := len(s.files())
		s.untag(gone)
		s.passes(&now, enough, s.driver)
		s.isWhole(kept)
		s.isWhole(elsewhere)
		for _, where := range []string{"/v2/org-a/x/manifests/" + digestOf(gone.manifest), s.blob(gone, gone.contents[1])} {
			if status, _, _ := s.call("GET", where, "", nil); status != 404 {
				t.Errorf("%s answers %d", where, status)
			}
		}
		// Its tag with its history, its manifest and its layer, each with a link.
		if left := len(s.files()); before-left != 6 {
			t.Errorf("of %d files %d are left: %s", before, left, strings.Join(s.files(), "\n"))
		}
		s.untag(kept)
		s.untag(elsewhere)
		s.passes(&now, enough, s.driver)
		if left := s.files(); len(left) != 0 {
			t.Errorf("of nothing these are left: %s", strings.Join(left, "\n"))
		}
		if s.folder == "" {
			return
		}
		// A digest is one folder: they would come to gigabytes.
		_ = filepath.WalkDir(s.folder, func(path string, _ os.DirEntry, _ error) error {
			if len(filepath.Base(path)) == 64 || filepath.Base(path) == "data" {
				t.Errorf("an empty folder is left: %s", path)
			}
			return nil
		})
	})
}

// The registry has looked for the blobs of a manifest, and then they are hidden, before it writes that manifest down.
func TestAManifestThatIsBeingTakenWhileItsBlobsGoMissesNone(t *testing.T) {
	onEach(t, func(s *stage) {
		now := time.Now()
		one := imageOf("org-a/x", "1", "config", "layer")
		s.upload(one, "")
		s.paused.stopAt(func(path string) bool { return strings.Contains(path, "/_manifests/revisions/") })
		done := make(chan int)
		go func() {
			status, _ := s.put(one)
			done <- status
		}()
		<-s.paused.stopped
		s.passes(&now, 3, s.driver)
		link, data := layerLinkOf(one.repository, digestOf(one.contents[1])), dataOf(digestOf(one.contents[1]))
		if s.isThere(link) || s.isThere(data) {
			t.Error("nothing was hidden: this test shows nothing")
		}
		s.paused.stopAt(nil)
		s.paused.goOn <- struct{}{}
		if status := <-done; status != 201 {
			t.Fatalf("the manifest is answered with %d", status)
		}
		s.isWhole(one)
		s.passes(&now, 1, s.driver)
		if !s.isThere(link) || !s.isThere(data) {
			t.Error("the next pass has not brought back what a tag leads to")
		}
		s.passes(&now, 3*enough, s.driver)
		s.isWhole(one)
		// The second copies have gone too.
		for _, file := range s.files() {
			if strings.HasPrefix(file, hidden) {
				t.Errorf("left: %s", file)
			}
		}
	})
}

func TestWhoOnlyReadsKeepsNothingAlive(t *testing.T) {
	onEach(t, func(s *stage) {
		now := time.Now()
		one := imageOf("org-a/x", "1", "config", "layer")
		s.push(one, "")
		s.untag(one)
		for range 2 * enough {
			s.passes(&now, 1, s.driver)
			s.call("GET", s.blob(one, one.contents[1]), "", nil)
			s.call("HEAD", s.blob(one, one.contents[1]), "", nil)
			s.call("GET", "/v2/org-a/x/manifests/"+digestOf(one.manifest), "", nil)
		}
		if left := s.files(); len(left) != 0 {
			t.Errorf("left: %s", strings.Join(left, "\n"))
		}
	})
}

func TestAPushBringsBackWhatIsHidden(t *testing.T) {
	onEach(t, func(s *stage) {
		for name, again := range map[string]func(one image) bool{
			"a tag alone": func(one image) bool { status, _ := s.put(one); return status == 201 },
			"a push":      func(one image) bool { return s.push(one, "") },
			"a push from the start": func(one image) bool {
				for _, content := range one.contents {
					_, where, _ := s.call("POST", "/v2/"+one.repository+"/blobs/uploads/", "", nil)
					if status, _, _ := s.call("PUT", where+"&digest="+digestOf(content), "application/octet-stream", content); status != 201 {
						return false
					}
				}
				status, _ := s.put(one)
				return status == 201
			},
		} {
			now := time.Now()
			one := imageOf("org-a/x", "1", "config "+name, "layer "+name)
			s.push(one, "")
			s.untag(one)
			s.passes(&now, 4, s.driver)
			if s.isThere(dataOf(digestOf(one.contents[1]))) {
				t.Errorf("%s: nothing was hidden", name)
			}
			if !again(one) {
				t.Errorf("%s: failed", name)
			}
			s.isWhole(one)
			if !s.isThere(dataOf(digestOf(one.contents[1]))) {
				t.Errorf("%s: it is where it was hidden", name)
			}
			s.passes(&now, 2*enough, s.driver)
			s.isWhole(one)
		}
	})
}

// Wherever a pass ends, the next one goes on from there.
func TestAPassMayDieAnywhere(t *testing.T) {
	onEach(t, func(s *stage) {
		now := time.Now()
		kept := imageOf("org-a/x", "kept", "config", "shared")
		s.push(kept, "")
		for at, died := 0, true; died; at++ {
			died = false
			gone := imageOf("org-a/x", "gone", "config", "shared", fmt.Sprintf("layer %d", at))
			s.push(gone, "")
			s.untag(gone)
			for range enough {
				now = now.Add(time.Hour)
				err := collect(context.Background(), &dying{s.driver, at, s.folder != ""}, s.folder, now, age)
				if err != nil && !errors.Is(err, errDied) {
					t.Error(err)
				}
				died = died || err != nil
				s.isWhole(kept)
			}
			if at > 20 {
				t.Fatal("it dies for ever")
			}
		}
		s.passes(&now, 2*enough, s.driver)
		s.isWhole(kept)
		if left := s.files(); len(left) != 8 {
			t.Errorf("left: %s", strings.Join(left, "\n"))
		}
	})
}

func TestWhatCannotBeReadStopsNoPass(t *testing.T) {
	s := set(t, places["disk"])
	now := time.Now()
	broken, gone, kept := imageOf("org-a/x", "1", "config", "a"), imageOf("org-a/x", "2", "config", "b"), imageOf("org-b/x", "3", "config", "c")
	for _, one := range []image{broken, gone, kept} {
		s.push(one, "")
	}
	if err := s.driver.PutContent(context.Background(), dataOf(digestOf(broken.manifest)), []byte("{")); err != nil {
		t.Fatal(err)
	}
	if err := s.driver.PutContent(context.Background(), ledgerFile, []byte("{")); err != nil {
		t.Fatal(err)
	}
	s.untag(gone)
	s.passes(&now, enough, s.driver)
	s.isWhole(kept)
	if s.isThere(dataOf(digestOf([]byte("b")))) {
		t.Error("nothing was collected")
	}
}

func TestAClockThatJumpsMakesNothingOld(t *testing.T) {
	s := set(t, places["disk"])
	now := time.Now()
	one := imageOf("org-a/x", "1", "config", "layer")
	s.push(one, "")
	s.untag(one)
	s.passes(&now, 3, s.driver)
	for _, jump := range []time.Duration{1000 * time.Hour, -2000 * time.Hour, 1000 * time.Hour} {
		now = now.Add(jump)
		s.passes(&now, 1, s.driver)
	}
	if status, _ := s.put(one); status != 201 {
		t.Errorf("after six passes and some jumps it is gone: %d", status)
	}
	s.isWhole(one)
}

func TestAnIndexKeepsItsImages(t *testing.T) {
	s := set(t, places["disk"])
	now := time.Now()
	const index = "application/vnd.oci.image.index.v1+json"
	one := imageOf("org-a/x", "", "config", "layer")
	one.tag = digestOf(one.manifest)
	s.push(one, "")
	body := fmt.Appendf(nil, `{"schemaVersion":2,"mediaType":%q,"manifests":[{"mediaType":%q,"digest":%q,"size":%d}]}`,
		index, kind, one.tag, len(one.manifest))
	if status, _, text := s.call("PUT", "/v2/org-a/x/manifests/all", index, body); status != 201 {
		t.Fatalf("%d %s", status, text)
	}
	s.passes(&now, 2*enough, s.driver)
	s.isWhole(one)
	s.untag(image{repository: "org-a/x", tag: "all"})
	s.passes(&now, enough, s.driver)
	if left := s.files(); len(left) != 0 {
		t.Errorf("left: %s", strings.Join(left, "\n"))
	}
}

// calendar is the collectors' clock. It stands still while the next step would make a push longer than it may be.
type calendar struct {
	mutex sync.Mutex
	now   time.Time
	begun map[int]time.Time
}

func (c *calendar) begin(worker int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	c.begun[worker] = c.now
}

func (c *calendar) end(worker int) {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	delete(c.begun, worker)
}

func (c *calendar) step() time.Time {
	c.mutex.Lock()
	defer c.mutex.Unlock()
	for _, begun := range c.begun {
		if c.now.Sub(begun) >= age-2*time.Hour {
			return c.now
		}
	}
	c.now = c.now.Add(time.Hour)
	return c.now
}

// Random pushes, mounts, tags and deletions, and two collectors that die now and then, against each other: what a finished push named
// is there, at every moment.
func TestNoFinishedPushMissesABlob(t *testing.T) {
	const workers = 4
	onEach(t, func(s *stage) {
		rounds := 40
		switch {
		case os.Getenv("GANTRY_SOAK") != "":
			rounds = 150
		case s.folder == "":
			// A bucket answers more slowly.
			rounds = 15
		}
		calendar := &calendar{now: time.Now(), begun: map[int]time.Time{}}
		var pushing sync.WaitGroup
		finished, refused := make([]int, workers), make([]int, workers)
		for worker := range workers {
			pushing.Add(1)
			go func() {
				defer pushing.Done()
				random := rand.New(rand.NewSource(int64(worker)))
				var held, lost []image
				for round := range rounds {
					one := imageOf(pick(random, "org-r%d/x", 3), fmt.Sprintf("t%d-%d", worker, round),
						pick(random, `{"config":%d}`, 6), pick(random, "layer %d", 6), pick(random, "layer %d", 6))
					calendar.begin(worker)
					// Now and then a tag alone: for an image that nothing named for a while.
					isTagged := len(lost) > 0 && random.Intn(4) == 0
					var ok bool
					if isTagged {
						tag := one.tag
						one = lost[random.Intn(len(lost))]
						one.tag = tag
						status, _ := s.put(one)
						ok = status == 201
					} else {
						// A client may have been told of a blob that then went, and tries again.
						from := pick(random, "org-r%d/x", 3)
						ok = s.push(one, from) || s.push(one, from)
					}
					calendar.end(worker)
					if ok {
						finished[worker]++
						held = append(held, one)
						s.isWhole(one)
					} else if !isTagged {
						refused[worker]++
					}
					if len(held) > 0 {
						s.isWhole(held[random.Intn(len(held))])
					}
					for len(held) > random.Intn(4) {
						at := random.Intn(len(held))
						s.isWhole(held[at])
						s.untag(held[at])
						lost = append(lost, held[at])
						held = slices.Delete(held, at, at+1)
					}
				}
				for _, one := range held {
					s.isWhole(one)
					s.untag(one)
				}
			}()
		}
		done := make(chan struct{})
		go func() { pushing.Wait(); close(done) }()
		var collecting sync.WaitGroup
		passes, deaths := make([]int, 2), make([]int, 2)
		for collector := range passes {
			collecting.Add(1)
			go func() {
				defer collecting.Done()
				random := rand.New(rand.NewSource(int64(100 + collector)))
				for {
					select {
					case <-done:
						return
					default:
					}
					driver := s.driver
					if random.Intn(4) == 0 {
						driver = &dying{s.driver, random.Intn(20), s.folder != ""}
					}
					err := collect(context.Background(), driver, s.folder, calendar.step(), age)
					passes[collector]++
					// A store in a bucket may fail one of two collectors that delete one object, and its pass with it.
					if errors.Is(err, errDied) || err != nil && s.folder == "" {
						deaths[collector]++
					} else if err != nil {
						t.Errorf("a pass: %v", err)
					}
				}
			}()
		}
		collecting.Wait()
		now := calendar.step()
		s.passes(&now, 2*enough, s.driver)
		if left := s.files(); len(left) != 0 {
			t.Errorf("nothing names them, and they stay: %s", strings.Join(left, "\n"))
		}
		t.Logf("finished pushes %v, refused %v, passes %v, of which died %v", finished, refused, passes, deaths)
		for collector := range passes {
			if deaths[collector] > passes[collector]/2 {
				t.Error("most passes died")
			}
		}
		for worker := range workers {
			if finished[worker] < rounds/2 || refused[worker] > 0 {
				t.Error("a worker's pushes failed")
			}
		}
	})
}
