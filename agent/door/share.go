package door

import (
	"context"
	"sync"
)

// share limits how much one holder has of something that all share: so many each, so many in all.
type share[K comparable] struct {
	each, all int

	mu    sync.Mutex
	held  map[K]int
	total int
	// Closed when something is given back.
	freed chan struct{}
}

func newShare[K comparable](each, all int) *share[K] {
	return &share[K]{each: each, all: all, held: map[K]int{}, freed: make(chan struct{})}
}

// take is false when the holder, or all of them together, have what they may have.
func (s *share[K]) take(of K) bool {
	isTaken, _ := s.try(of)
	return isTaken
}

// await takes as soon as there is room; it is false when ctx ends before.
func (s *share[K]) await(ctx context.Context, of K) bool {
	for {
		isTaken, freed := s.try(of)
		if isTaken {
			return true
		}
		select {
		case <-freed:
		case <-ctx.Done():
			return false
		}
	}
}

func (s *share[K]) try(of K) (isTaken bool, freed <-chan struct{}) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.total >= s.all || s.held[of] >= s.each {
		return false, s.freed
	}
	s.total++
	s.held[of]++
	return true, nil
}

func (s *share[K]) free(of K) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.total--
	if s.held[of]--; s.held[of] == 0 {
		delete(s.held, of)
	}
	close(s.freed)
	s.freed = make(chan struct{})
}

func (s *share[K]) taken() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.total
}
