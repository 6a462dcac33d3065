package collect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	storagedriver "github.com/distribution/distribution/v3/registry/storage/driver"
)

// seen is what a pass found.
type seen struct {
	// Data and links at their places.
	there map[string]bool
	// The same, of what a tag leads to.
	needed map[string]bool
	// Hidden copies, by where they were.
	copies map[string][]string
	// Left over from a write of a registry that died.
	writing []string
}

// A file of a repository, as it follows its name.
var (
	layerLink    = regexp.MustCompile(`^_layers/(sha256|sha512)/([0-9a-f]+)/link$`)
	manifestLink = regexp.MustCompile(`^_manifests/revisions/(sha256|sha512)/([0-9a-f]+)/link$`)
	tagLink      = regexp.MustCompile(`^_manifests/tags/[^/]+/current/link$`)
	// Folders to skip, because nothing in them can be needed: the history of tags, and uploads, which distribution purges.
	aside = regexp.MustCompile(`/(_uploads|_manifests/tags/[^/]+/index)$`)
)

// look reads all of it, or fails: with half of it too much would go. The hidden copies come first, because what is deleted of them
// must have been there before the tags were read.
func (c *collector) look(ctx context.Context) (*seen, error) {
	found := &seen{there: map[string]bool{}, needed: map[string]bool{}, copies: map[string][]string{}}
	if err := c.files(ctx, hidden, func(file string) {
		found.copies[originOf(file)] = append(found.copies[originOf(file)], file)
	}); err != nil {
		return nil, err
	}
	if err := c.files(ctx, writing, func(file string) { found.writing = append(found.writing, file) }); err != nil {
		return nil, err
	}
	tags := map[string][]string{}
	manifests := map[string]bool{}
	if err := c.files(ctx, repositories, func(file string) {
		name, rest, _ := strings.Cut(strings.TrimPrefix(file, repositories+"/"), "/_")
		switch rest = "_" + rest; {
		case tagLink.MatchString(rest):
			tags[name] = append(tags[name], file)
		case manifestLink.MatchString(rest):
			found.there[file], manifests[file] = true, true
		case layerLink.MatchString(rest):
			found.there[file] = true
		}
	}); err != nil {
		return nil, err
	}
	for origin := range found.copies {
		manifests[origin] = true
	}
	if err := c.files(ctx, blobs, func(file string) {
		if collectable.MatchString(file) {
			found.there[file] = true
		}
	}); err != nil {
		return nil, err
	}
	for name, links := range tags {
		for _, link := range links {
			text, err := c.driver.GetContent(ctx, link)
			if isMissing(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			// A link that holds no digest leads nowhere.
			if isDigest.Match(text) {
				if err := c.follow(ctx, found, manifests, name, string(text)); err != nil {
					return nil, err
				}
			}
		}
	}
	return found, nil
}

// follow marks a manifest of a repository, and what it names, as needed.
func (c *collector) follow(ctx context.Context, found *seen, manifests map[string]bool, repository, digest string) error {
	link := manifestLinkOf(repository, digest)
	if found.needed[link] {
		return nil
	}
	found.needed[link], found.needed[dataOf(digest)] = true, true
	named, err := c.namedBy(ctx, digest)
	if err != nil {
		return err
	}
	for _, one := range named {
		found.needed[layerLinkOf(repository, one)], found.needed[dataOf(one)] = true, true
		// Only what the registry took for a manifest is read as one: the rest is of any size.
		if manifests[manifestLinkOf(repository, one)] {
			if err := c.follow(ctx, found, manifests, repository, one); err != nil {
				return err
			}
		}
	}
	return nil
}

// namedBy are the digests in a manifest or an index. One digest is read once in a pass: its content never changes.
func (c *collector) namedBy(ctx context.Context, digest string) ([]string, error) {
	if known, ok := c.named[digest]; ok {
		return known, nil
	}
	text, err := through(ctx, c.driver, true, dataOf(digest), func(at string) ([]byte, error) {
		return c.driver.GetContent(ctx, at)
	})
	if err != nil && !isMissing(err) {
		return nil, err
	}
	type descriptor struct {
		Digest string `json:"digest"`
	}
	var manifest struct {
		Config    descriptor   `json:"config"`
		Subject   descriptor   `json:"subject"`
		Layers    []descriptor `json:"layers"`
		Manifests []descriptor `json:"manifests"`
	}
	if err == nil {
		err = json.Unmarshal(text, &manifest)
	}
	if err != nil {
		// Nobody can pull it, and it stops no pass.
		slog.Warn("a manifest that a tag names cannot be read", "digest", digest, "error", err.Error())
	}
	var digests []string
	for _, one := range append(append(manifest.Layers, manifest.Manifests...), manifest.Config, manifest.Subject) {
		if isDigest.MatchString(one.Digest) {
			digests = append(digests, one.Digest)
		}
	}
	c.named[digest] = digests
	return digests, nil
}

var isDigest = regexp.MustCompile(`^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$`)

// files visits all below a folder, in no order. What comes or goes meanwhile is visited or not.
func (c *collector) files(ctx context.Context, folder string, visit func(file string)) error {
	if c.folder != "" {
		return filepath.WalkDir(filepath.Join(c.folder, folder), func(at string, entry fs.DirEntry, err error) error {
			file := strings.TrimPrefix(at, filepath.Clean(c.folder))
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil:
				return err
			case aside.MatchString(file):
				return fs.SkipDir
			case !entry.IsDir():
				visit(file)
			}
			return nil
		})
	}
	err := c.driver.Walk(ctx, folder, func(info storagedriver.FileInfo) error {
		if aside.MatchString(info.Path()) {
			return storagedriver.ErrSkipDir
		}
		if !info.IsDir() {
			visit(info.Path())
		}
		return nil
	})
	if isMissing(err) {
		return nil
	}
	return err
}

func layerLinkOf(repository, digest string) string {
	return path.Join(repositories, repository, "_layers", strings.Replace(digest, ":", "/", 1), "link")
}

func manifestLinkOf(repository, digest string) string {
	return path.Join(repositories, repository, "_manifests/revisions", strings.Replace(digest, ":", "/", 1), "link")
}

func dataOf(digest string) string {
	algorithm, hex, _ := strings.Cut(digest, ":")
	return fmt.Sprintf("%s/%s/%s/%s/data", blobs, algorithm, hex[:2], hex)
}
