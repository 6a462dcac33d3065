package registry

import (
	"encoding/json"
	"os"
	"time"
)

// remembered is what a sweep leaves to the next process.
type remembered struct {
	// The time of the last look at what is needed. Nobody watched between that and the next one.
	LookedAt    time.Time  `json:"lookedAt"`
	CollectedAt time.Time  `json:"collectedAt"`
	Tags        []unneeded `json:"tags"`
}

type unneeded struct {
	Repository string    `json:"repository"`
	Name       string    `json:"name"`
	Since      time.Time `json:"since"`
}

// remember goes on from what the process before this one left.
func (s *Sweeper) remember() {
	if s.memoryFile == "" {
		return
	}
	content, err := os.ReadFile(s.memoryFile)
	if os.IsNotExist(err) {
		return
	}
	var known remembered
	if err == nil {
		err = json.Unmarshal(content, &known)
	}
	now := s.now()
	if err != nil || known.LookedAt.After(now) {
		s.log.Warn("what the last sweep knew cannot be read, or is of the future: the age of every tag begins anew", "file", s.memoryFile, "error", err)
		return
	}
	s.memory = Memory{}
	for _, one := range known.Tags {
		s.memory[tag{one.Repository, one.Name}] = one.Since
	}
	s.lookedBefore = known.LookedAt
	if known.CollectedAt.Before(now) {
		s.collectedAt = known.CollectedAt
	}
}

// resume is the first look after a restart: the time since the last one does not count towards the age of a tag.
func (s *Sweeper) resume(now time.Time) {
	if s.lookedBefore.IsZero() {
		return
	}
	for one, since := range s.memory {
		s.memory[one] = since.Add(now.Sub(s.lookedBefore))
	}
	s.lookedBefore = time.Time{}
}

// writeDown leaves it to the next process. What cannot be written costs that one an hour, and nobody an image.
func (s *Sweeper) writeDown() {
	if s.memoryFile == "" || s.lookedAt.IsZero() {
		return
	}
	left := remembered{LookedAt: s.lookedAt, CollectedAt: s.collectedAt, Tags: []unneeded{}}
	for one, since := range s.memory {
		left.Tags = append(left.Tags, unneeded{one.repository, one.name, since})
	}
	content, err := json.Marshal(left)
	if err == nil {
		err = os.WriteFile(s.memoryFile+".new", content, 0o600)
	}
	if err == nil {
		err = os.Rename(s.memoryFile+".new", s.memoryFile)
	}
	if err != nil {
		s.log.Warn("what the sweep knows could not be written down", "file", s.memoryFile, "error", err.Error())
	}
}
