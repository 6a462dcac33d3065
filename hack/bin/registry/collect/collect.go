// Package collect gives back the room of what no tag leads to, while everybody pushes and pulls. It works on the registry's own
// storage, a disk or a bucket.
package collect

import (
	"context"
	"encoding/json"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/distribution/distribution/v3/configuration"
	storagedriver "github.com/distribution/distribution/v3/registry/storage/driver"
	"github.com/distribution/distribution/v3/registry/storage/driver/factory"
)

const (
	// LongestPush is how old uploads are when the registry purges them.
	LongestPush = 12 * time.Hour
	// So long a pass leaves alone what no tag leads to: it is probably being pushed. Hiding it would do no harm.
	settles = time.Hour
	// A pass that comes late counts as so much at most: neither a stopped collector nor a clock that jumps makes anything old.
	longestStep = time.Hour
)

// ledger is what one pass leaves to the next, on the storage itself: whichever process runs it goes on from there.
type ledger struct {
	At time.Time `json:"at"`
	// For how long passes have seen each path unneeded.
	Ages map[string]time.Duration `json:"ages"`
}

type collector struct {
	driver storagedriver.StorageDriver
	// On a disk, where storage is; empty on a bucket, which has no folders.
	folder string
	age    time.Duration
	step   time.Duration
	before map[string]time.Duration
	after  map[string]time.Duration
	named  map[string][]string
}

// Run makes one pass over the storage of a registry's configuration.
func Run(ctx context.Context, config *configuration.Configuration, now time.Time, age time.Duration) error {
	driver, err := factory.Create(ctx, config.Storage.Type(), config.Storage.Parameters())
	if err != nil {
		return err
	}
	folder := ""
	if config.Storage.Type() == "filesystem" {
		folder, _ = config.Storage.Parameters()["rootdirectory"].(string)
	}
	return collect(ctx, driver, folder, now, age)
}

// collect makes one pass: what no tag leads to is hidden, and deleted once it has been hidden for age.
//
// No finished push misses anything, without a lock: hidden things are still served (Driver), and a push that meets one brings it
// back. So a push that saw a blob at its place before that was hidden finds it wherever it is, and ends within age; then a tag leads
// to it, and the next pass brings it back. A pass that dies anywhere leaves nothing that the next one does not see.
func collect(ctx context.Context, driver storagedriver.StorageDriver, folder string, now time.Time, age time.Duration) error {
	before, err := readLedger(ctx, driver)
	if err != nil {
		return err
	}
	step := min(max(now.Sub(before.At), 0), longestStep)
	if before.At.IsZero() {
		step = 0
	}
	c := &collector{driver, folder, age, step, before.Ages, map[string]time.Duration{}, map[string][]string{}}
	if err := c.pass(ctx); err != nil {
		return err
	}
	text, err := json.Marshal(ledger{now, c.after})
	if err != nil {
		return err
	}
	return (&Driver{driver}).PutContent(ctx, ledgerFile, text)
}

func readLedger(ctx context.Context, driver storagedriver.StorageDriver) (ledger, error) {
	text, err := driver.GetContent(ctx, ledgerFile)
	if isMissing(err) {
		return ledger{}, nil
	}
	if err != nil {
		return ledger{}, err
	}
	var known ledger
	if json.Unmarshal(text, &known) != nil {
		// Not ours: every age begins anew.
		return ledger{}, nil
	}
	return known, nil
}

// isRipe counts one more step in which this was not needed.
func (c *collector) isRipe(what string, age time.Duration) bool {
	known, isKnown := c.before[what]
	if isKnown {
		known += c.step
	}
	c.after[what] = known
	return known >= age
}

func (c *collector) pass(ctx context.Context) error {
	seen, err := c.look(ctx)
	if err != nil {
		return err
	}
	for origin, copies := range seen.copies {
		if seen.needed[origin] && !seen.there[origin] {
			if err := c.restore(ctx, copies[0], origin); err != nil {
				return err
			}
			copies = copies[1:]
		}
		for _, copy := range copies {
			if c.isRipe(copy, c.age) {
				if err := c.remove(ctx, copy); err != nil {
					return err
				}
			}
		}
	}
	for _, file := range seen.writing {
		if c.isRipe(file, c.age) {
			if err := c.driver.Delete(ctx, file); err != nil && !isMissing(err) {
				return err
			}
		}
	}
	name, err := unique()
	if err != nil {
		return err
	}
	for origin := range seen.there {
		if !seen.needed[origin] && c.isRipe(origin, min(settles, c.age)) {
			if err := move(ctx, c.driver, origin, path.Join(hiddenFolder(origin), name)); err != nil {
				return err
			}
			// Brought back, it begins anew.
			delete(c.after, origin)
		}
	}
	return nil
}

// restore brings a copy back, unless somebody did so or pushed it again meanwhile.
func (c *collector) restore(ctx context.Context, copy, origin string) error {
	if _, err := c.driver.Stat(ctx, origin); !isMissing(err) {
		return err
	}
	return move(ctx, c.driver, copy, origin)
}

// remove deletes a copy for good, and the folders that it leaves empty.
func (c *collector) remove(ctx context.Context, copy string) error {
	if err := c.driver.Delete(ctx, copy); err != nil && !isMissing(err) {
		return err
	}
	if c.folder == "" {
		return nil
	}
	// Fails where something is in it.
	empty := func(folder string) bool { return os.Remove(filepath.Join(c.folder, folder)) == nil }
	empty(path.Dir(originOf(copy)))
	for folder := path.Dir(copy); folder != own && empty(folder); {
		folder = path.Dir(folder)
	}
	return nil
}
