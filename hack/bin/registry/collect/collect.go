package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"strings"
	"syscall"
	"time"

	storagedriver "github.com/distribution/distribution/v3/registry/storage/driver"
)

// Where distribution keeps things, and where we keep ours beside it.
const (
	root         = "/docker/registry/v2"
	repositories = root + "/repositories"
	blobs        = root + "/blobs"
	own          = "/gantry"
	ledgerFile   = own + "/collect.json"
	// Data that nothing names lies here before it goes: nobody pulls it or pushes onto it, and it can come back.
	hidden = own + "/hidden"
)

// A pass that comes late counts as so much at most: neither a stopped collector nor a clock that jumps makes anything old.
const longestStep = time.Hour

// ledger is what one pass leaves to the next, on the storage itself: whichever process runs it goes on from there.
type ledger struct {
	At time.Time `json:"at"`
	// For how long passes have seen each path unneeded.
	Ages map[string]time.Duration `json:"ages"`
}

type collector struct {
	driver storagedriver.StorageDriver
	age    time.Duration
	step   time.Duration
	before map[string]time.Duration
	after  map[string]time.Duration
}

// collect makes one pass. Each step can be taken back until data is deleted, and data is deleted only after it has been hidden for
// age, in which every request that still saw it has ended:
//
//	untagged manifest --age--> gone --> its links go: a push is told "upload it" --age--> data hidden --age--> data deleted
//
// A pass that died anywhere is continued by the next one, which first restores whatever is named.
func collect(ctx context.Context, driver storagedriver.StorageDriver, now time.Time, age time.Duration) error {
	before, err := readLedger(ctx, driver)
	if err != nil {
		return err
	}
	step := min(max(now.Sub(before.At), 0), longestStep)
	if before.At.IsZero() {
		step = 0
	}
	c := &collector{driver, age, step, before.Ages, map[string]time.Duration{}}
	if err := c.pass(ctx); err != nil {
		return err
	}
	text, err := json.Marshal(ledger{now, c.after})
	if err != nil {
		return err
	}
	return driver.PutContent(ctx, ledgerFile, text)
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
		// Half written: every age begins anew.
		return ledger{}, nil
	}
	return known, nil
}

// isRipe counts one more step in which this was not needed.
func (c *collector) isRipe(what string) bool {
	age, known := c.before[what]
	if known {
		age += c.step
	}
	c.after[what] = age
	return known && age >= c.age
}

func (c *collector) pass(ctx context.Context) error {
	seen, err := c.look(ctx)
	if err != nil {
		return err
	}
	if err := c.restore(ctx, seen); err != nil {
		return err
	}
	// Manifests without a tag, and then what no manifest of its repository names.
	for _, repository := range seen.repositories {
		for digest := range repository.untagged {
			link := repository.manifestLink(digest)
			if !c.isRipe(link) {
				continue
			}
			// It may have got a tag meanwhile.
			again, err := c.lookAt(ctx, repository.name)
			if err != nil {
				return err
			}
			if again.untagged[digest] {
				if err := c.remove(ctx, path.Dir(link)); err != nil {
					return err
				}
			}
		}
		for digest := range repository.layers {
			if !repository.names[digest] && c.isRipe(repository.layerLink(digest)) {
				if err := c.remove(ctx, path.Dir(repository.layerLink(digest))); err != nil {
					return err
				}
			}
		}
	}
	return c.hideAndDelete(ctx, seen)
}

func (c *collector) hideAndDelete(ctx context.Context, seen *seen) error {
	data, err := c.digestsUnder(ctx, blobs, true)
	if err != nil {
		return err
	}
	var hiding []string
	for digest := range data {
		if !seen.needs(digest) && c.isRipe(dataOf(digest)) {
			hiding = append(hiding, digest)
		}
	}
	for _, digest := range hiding {
		if err := c.driver.Move(ctx, dataOf(digest), hiddenOf(digest)); err != nil && !isMissing(err) {
			return err
		}
	}
	// Links and manifests that came while this pass ran: what it took away from them comes back at once.
	now, err := c.look(ctx)
	if err != nil {
		return err
	}
	if err := c.restore(ctx, now); err != nil {
		return err
	}
	away, err := c.digestsUnder(ctx, hidden, false)
	if err != nil {
		return err
	}
	for digest := range away {
		if !now.needs(digest) && c.isRipe(hiddenOf(digest)) {
			if err := c.remove(ctx, hiddenOf(digest)); err != nil {
				return err
			}
		}
	}
	return nil
}

// restore gives back links and data that something names and that an earlier step took away.
func (c *collector) restore(ctx context.Context, seen *seen) error {
	away, err := c.digestsUnder(ctx, hidden, false)
	if err != nil {
		return err
	}
	for digest := range away {
		if !seen.needs(digest) {
			continue
		}
		if _, err := c.driver.Stat(ctx, dataOf(digest)); err == nil {
			// Uploaded anew.
			err = c.remove(ctx, hiddenOf(digest))
			if err != nil {
				return err
			}
			continue
		} else if !isMissing(err) {
			return err
		}
		if err := c.driver.Move(ctx, hiddenOf(digest), dataOf(digest)); err != nil && !isMissing(err) {
			return err
		}
	}
	for _, repository := range seen.repositories {
		for digest := range repository.names {
			if repository.layers[digest] || repository.manifests[digest] {
				continue
			}
			if _, err := c.driver.Stat(ctx, dataOf(digest)); isMissing(err) {
				// A layer that is fetched from elsewhere, or an index without all its images.
				continue
			} else if err != nil {
				return err
			}
			if err := c.driver.PutContent(ctx, repository.layerLink(digest), []byte(digest)); err != nil {
				return err
			}
		}
	}
	return nil
}

func (c *collector) remove(ctx context.Context, what string) error {
	err := c.driver.Delete(ctx, what)
	// A link was written there meanwhile.
	if err != nil && strings.HasSuffix(err.Error(), syscall.ENOTEMPTY.Error()) {
		return nil
	}
	if err != nil && !isMissing(err) {
		return err
	}
	return nil
}

func isMissing(err error) bool {
	var missing storagedriver.PathNotFoundError
	return errors.As(err, &missing)
}

func dataOf(digest string) string {
	algorithm, hex, _ := strings.Cut(digest, ":")
	return fmt.Sprintf("%s/%s/%s/%s/data", blobs, algorithm, hex[:2], hex)
}

func hiddenOf(digest string) string { return hidden + "/" + strings.Replace(digest, ":", "/", 1) }
