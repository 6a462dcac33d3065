package main

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// repository is one repository as a pass saw it.
type repository struct {
	name                        string
	manifests, layers, untagged map[string]bool
	// What its manifests name, themselves included.
	names map[string]bool
}

type seen struct{ repositories []*repository }

// needs says whether a manifest or a link of any repository leads to this data.
func (s *seen) needs(digest string) bool {
	for _, one := range s.repositories {
		if one.names[digest] || one.layers[digest] || one.manifests[digest] {
			return true
		}
	}
	return false
}

func (r *repository) layerLink(digest string) string {
	return path.Join(repositories, r.name, "_layers", strings.Replace(digest, ":", "/", 1), "link")
}

func (r *repository) manifestLink(digest string) string {
	return path.Join(repositories, r.name, "_manifests/revisions", strings.Replace(digest, ":", "/", 1), "link")
}

// look reads every repository, or fails: with half of them too much would go.
func (c *collector) look(ctx context.Context) (*seen, error) {
	found := &seen{}
	var visit func(folder string) error
	visit = func(folder string) error {
		children, err := c.list(ctx, folder)
		if err != nil {
			return err
		}
		isOne := false
		for _, child := range children {
			if strings.HasPrefix(path.Base(child), "_") {
				isOne = true
			} else if err := visit(child); err != nil {
				return err
			}
		}
		if !isOne {
			return nil
		}
		one, err := c.lookAt(ctx, strings.TrimPrefix(folder, repositories+"/"))
		found.repositories = append(found.repositories, one)
		return err
	}
	return found, visit(repositories)
}

// lookAt reads the layers first: a manifest that is pushed meanwhile names only layers that were there before it.
func (c *collector) lookAt(ctx context.Context, name string) (*repository, error) {
	r := &repository{name: name, untagged: map[string]bool{}, names: map[string]bool{}}
	folder := path.Join(repositories, name)
	var err error
	if r.layers, err = c.digestsUnder(ctx, folder+"/_layers", false); err != nil {
		return nil, err
	}
	if r.manifests, err = c.digestsUnder(ctx, folder+"/_manifests/revisions", false); err != nil {
		return nil, err
	}
	tagged, err := c.tagged(ctx, folder)
	if err != nil {
		return nil, err
	}
	for digest := range tagged {
		// Its tag came after the list of manifests.
		r.manifests[digest] = true
	}
	inAnother := map[string]bool{}
	for digest := range r.manifests {
		r.names[digest] = true
		named, err := c.namedBy(ctx, digest)
		if err != nil {
			return nil, err
		}
		for _, one := range named {
			r.names[one], inAnother[one] = true, true
		}
	}
	for digest := range r.manifests {
		if !tagged[digest] && !inAnother[digest] {
			r.untagged[digest] = true
		}
	}
	return r, nil
}

func (c *collector) tagged(ctx context.Context, folder string) (map[string]bool, error) {
	tags, err := c.list(ctx, folder+"/_manifests/tags")
	if err != nil {
		return nil, err
	}
	held := map[string]bool{}
	for _, tag := range tags {
		text, err := c.driver.GetContent(ctx, tag+"/current/link")
		if isMissing(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		// Half written, the tag is being pushed: its manifest is too young to go.
		if isDigest.Match(text) {
			held[string(text)] = true
		}
	}
	return held, nil
}

// namedBy are the digests in a manifest or an index.
func (c *collector) namedBy(ctx context.Context, digest string) ([]string, error) {
	text, err := c.driver.GetContent(ctx, dataOf(digest))
	if isMissing(err) {
		text, err = c.driver.GetContent(ctx, hiddenOf(digest))
	}
	if isMissing(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	type descriptor struct {
		Digest string `json:"digest"`
	}
	var manifest struct {
		Config    *descriptor  `json:"config"`
		Subject   *descriptor  `json:"subject"`
		Layers    []descriptor `json:"layers"`
		Manifests []descriptor `json:"manifests"`
	}
	if err := json.Unmarshal(text, &manifest); err != nil {
		return nil, fmt.Errorf("manifest %s: %w", digest, err)
	}
	all := append(manifest.Layers, manifest.Manifests...)
	for _, one := range []*descriptor{manifest.Config, manifest.Subject} {
		if one != nil {
			all = append(all, *one)
		}
	}
	var digests []string
	for _, one := range all {
		if isDigest.MatchString(one.Digest) {
			digests = append(digests, one.Digest)
		}
	}
	return digests, nil
}

var isDigest = regexp.MustCompile(`^(sha256:[0-9a-f]{64}|sha512:[0-9a-f]{128})$`)

// digestsUnder lists <folder>/<algorithm>/<hex>, or <folder>/<algorithm>/<two digits>/<hex>.
func (c *collector) digestsUnder(ctx context.Context, folder string, isSplit bool) (map[string]bool, error) {
	found := map[string]bool{}
	algorithms, err := c.list(ctx, folder)
	if err != nil {
		return nil, err
	}
	for _, algorithm := range algorithms {
		folders := []string{algorithm}
		if isSplit {
			if folders, err = c.list(ctx, algorithm); err != nil {
				return nil, err
			}
		}
		for _, each := range folders {
			names, err := c.list(ctx, each)
			if err != nil {
				return nil, err
			}
			for _, name := range names {
				if digest := path.Base(algorithm) + ":" + path.Base(name); isDigest.MatchString(digest) {
					found[digest] = true
				}
			}
		}
	}
	return found, nil
}

func (c *collector) list(ctx context.Context, folder string) ([]string, error) {
	children, err := c.driver.List(ctx, folder)
	if isMissing(err) {
		return nil, nil
	}
	return children, err
}
