package registry

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"os/exec"
	"runtime"
	"strings"
	"syscall"
	"time"
)

// Sweeper deletes the tags that nobody needs, and has the collector give back what no tag leads to any more.
type Sweeper struct {
	images interface {
		repositories(ctx context.Context) ([]string, error)
		tags(ctx context.Context, repository string) ([]string, error)
		digestOf(ctx context.Context, repository, reference string) (string, error)
		untag(ctx context.Context, repository, tag string) error
		keep(ctx context.Context, repository, digest, tag string) error
	}
	cluster interface {
		references(ctx context.Context, host string) (References, error)
	}
	log     *slog.Logger
	metrics *metrics
	now     func() time.Time
	// The registry's name in images.
	host                     string
	every, age, collectEvery time.Duration
	// Without it nothing is collected.
	collector []string

	// Outlives a restart; "" for none.
	memoryFile string

	memory   Memory
	lookedAt time.Time
	// The last look of the process before this one, until this one looks.
	lookedBefore time.Time
	collectedAt  time.Time
}

// run sweeps now and then, and when asked; it ends with ctx.
func (s *Sweeper) run(ctx context.Context, asked <-chan struct{}) {
	s.collectedAt = s.now()
	s.remember()
	timer := time.NewTicker(s.every)
	defer timer.Stop()
	for {
		isAsked := false
		select {
		case <-ctx.Done():
			return
		case <-timer.C:
		case <-asked:
			isAsked = true
		}
		if err := s.sweep(ctx, isAsked); err != nil && ctx.Err() == nil {
			s.log.Error("the sweep failed; nothing more is deleted until the next", "error", err.Error())
		}
	}
}

func (s *Sweeper) sweep(ctx context.Context, asked bool) error {
	start := s.now()
	defer s.writeDown()
	deleted, err := s.deleteTags(ctx)
	if err != nil {
		return err
	}
	var collected bool
	if len(s.collector) > 0 && (asked || s.now().Sub(s.collectedAt) >= s.collectEvery) {
		if err := s.collect(ctx); err != nil {
			s.metrics.collections.WithLabelValues("failed").Inc()
			return err
		}
		s.metrics.collections.WithLabelValues("done").Inc()
		s.collectedAt, collected = s.now(), true
	}
	took := s.now().Sub(start)
	s.metrics.sweepSeconds.Observe(took.Seconds())
	if deleted > 0 || collected || asked {
		s.log.Info("swept", "tags", deleted, "collected", collected, "seconds", took.Seconds())
	}
	return nil
}

func (s *Sweeper) deleteTags(ctx context.Context) (int, error) {
	tags, err := s.allTags(ctx)
	if err != nil {
		return 0, fmt.Errorf("listing tags: %w", err)
	}
	// After the tags: whatever is named by then was pushed before.
	needed, err := s.cluster.references(ctx, s.host)
	if err != nil {
		return 0, fmt.Errorf("finding what is needed: %w", err)
	}
	s.lookedAt = s.now()
	s.resume(s.lookedAt)
	ripe, memory := sweepable(tags, needed, s.memory, s.lookedAt, s.age)
	s.memory = memory
	digests := map[tag]string{}
	for _, one := range ripe {
		if digests[one], err = s.images.digestOf(ctx, one.repository, one.name); err != nil {
			return 0, err
		}
	}
	// Listing took time: tags requested meanwhile are noticed, and a tag pushed again meanwhile is another image.
	if len(ripe) > 0 {
		if needed, err = s.cluster.references(ctx, s.host); err != nil {
			return 0, fmt.Errorf("finding what is needed: %w", err)
		}
	}
	count := 0
	for _, one := range ripe {
		if isNeeded(one, needed) || needed.digests[manifest{one.repository, digests[one]}] {
			continue
		}
		digest, err := s.images.digestOf(ctx, one.repository, one.name)
		if err != nil {
			return count, err
		}
		if digest != digests[one] {
			continue
		}
		if err := s.images.untag(ctx, one.repository, one.name); err != nil {
			return count, err
		}
		s.log.Info("a tag that nobody needs was deleted", "repository", one.repository, "tag", one.name, "digest", digest)
		s.metrics.sweptTags.Inc()
		count++
	}
	return count, nil
}

func (s *Sweeper) allTags(ctx context.Context) ([]tag, error) {
	repositories, err := s.images.repositories(ctx)
	if err != nil {
		return nil, err
	}
	var all []tag
	for _, repository := range repositories {
		names, err := s.images.tags(ctx, repository)
		if err != nil {
			return nil, err
		}
		for _, name := range names {
			all = append(all, tag{repository, name})
		}
	}
	return all, nil
}

// collect runs one pass of the collector, while everybody pushes and pulls.
func (s *Sweeper) collect(ctx context.Context) error {
	if err := s.mark(ctx); err != nil {
		return fmt.Errorf("marking what is needed by digest: %w", err)
	}
	return runCollector(ctx, s.collector)
}

// mark gives a tag to manifests that are needed and have none.
func (s *Sweeper) mark(ctx context.Context) error {
	needed, err := s.cluster.references(ctx, s.host)
	if err != nil {
		return err
	}
	held := map[manifest]bool{}
	known := map[string]bool{}
	for one := range needed.digests {
		if known[one.repository] {
			continue
		}
		known[one.repository] = true
		names, err := s.images.tags(ctx, one.repository)
		if err != nil {
			return err
		}
		for _, name := range names {
			digest, err := s.images.digestOf(ctx, one.repository, name)
			if err != nil {
				return err
			}
			held[manifest{one.repository, digest}] = true
		}
	}
	for _, one := range unmarked(needed, held) {
		// Named and not there: nothing to keep.
		if found, err := s.images.digestOf(ctx, one.repository, one.digest); err != nil {
			return err
		} else if found == "" {
			continue
		}
		if err := s.images.keep(ctx, one.repository, one.digest, keptTagOf(one.digest)); err != nil {
			return err
		}
	}
	return nil
}

// The most of its last words that are logged.
const lastWords = 500

// A collector that takes longer hangs. Wherever it is ended, the next one goes on from there.
const collectWithin = time.Hour

// runCollector runs it to its end, and not beyond our own: two would only do the same work.
func runCollector(ctx context.Context, command []string) error {
	// The kernel ends the child with the thread that started it.
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	ctx, cancel := context.WithTimeout(ctx, collectWithin)
	defer cancel()
	var said bytes.Buffer
	run := exec.CommandContext(ctx, command[0], command[1:]...)
	run.Stdout, run.Stderr = &said, &said
	run.SysProcAttr = &syscall.SysProcAttr{Pdeathsig: syscall.SIGKILL}
	if err := run.Run(); err != nil {
		text := strings.TrimSpace(said.String())
		return errors.Join(fmt.Errorf("the collector failed: %w", err), errors.New(text[max(0, len(text)-lastWords):]))
	}
	return nil
}
