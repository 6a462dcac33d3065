package registry

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// keptTag marks a manifest that somebody needs by its digest while it has no tag of its own: without any tag it would be
// collected.
const keptTag = "gantry-kept-"

// Longer would be no tag.
const keptDigits = 64

func keptTagOf(digest string) string {
	return keptTag + strings.TrimPrefix(digest, "sha256:")
}

// Memory says since when each tag has been needed by nobody. The file of remember.go preserves it over a restart.
type Memory map[tag]time.Time

// sweepable returns which tags of organisations nobody has needed for age, and what to remember until the next look. needed
// decides by the name alone; before deleting, the digest is checked too (neededByDigest).
func sweepable(tags []tag, needed References, memory Memory, now time.Time, age time.Duration) ([]tag, Memory) {
	next := Memory{}
	var ripe []tag
	for _, one := range tags {
		if !isSwept(one) || isNeeded(one, needed) {
			continue
		}
		since, known := memory[one]
		if !known {
			since = now
		}
		next[one] = since
		if now.Sub(since) >= age {
			ripe = append(ripe, one)
		}
	}
	return ripe, next
}

// The platform manages everything that is not an organisation's; but our marks go wherever they are.
func isSwept(one tag) bool {
	return strings.HasPrefix(one.repository, "org-") || strings.HasPrefix(one.name, keptTag)
}

func isNeeded(one tag, needed References) bool {
	if digits, ok := strings.CutPrefix(one.name, keptTag); ok && len(digits) == keptDigits {
		return needed.digests[manifest{one.repository, "sha256:" + digits}]
	}
	return needed.tags[one]
}

// unmarked returns which manifests are needed by digest in repositories where no tag holds them. held are the digests of all tags
// in those repositories.
func unmarked(needed References, held map[manifest]bool) []manifest {
	bare := slices.DeleteFunc(slices.Collect(maps.Keys(needed.digests)), func(one manifest) bool { return held[one] })
	slices.SortFunc(bare, func(a, b manifest) int { return strings.Compare(a.repository+a.digest, b.repository+b.digest) })
	return bare
}
