package snapshot

import (
	"bufio"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"strconv"
	"sync/atomic"

	"github.com/klauspost/compress/gzip"

	"gantry.dev/agent/snapshot/image"
	"gantry.dev/agent/snapshot/layer"
	"gantry.dev/agent/snapshot/push"
)

// tarball writes a layer's uncompressed stream.
type tarball func(ctx context.Context, into io.Writer) (layer.Counts, error)

// counted tells how far a save is.
type counted struct{ read, sent atomic.Int64 }

// upload writes, compresses, hashes and sends a layer in one pass: its bytes are stored nowhere. Each variant has a different
// digest, and the same files.
func upload(ctx context.Context, to *push.Repository, write tarball, variant int, progress *counted) (image.Layer, layer.Counts, error) {
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	from, into := io.Pipe()
	sums := &sums{compressed: sha256.New(), plain: sha256.New(), variant: variant, progress: progress}
	written := make(chan struct{})
	var counts layer.Counts
	var writeErr error
	go func() {
		defer close(written)
		writeErr = caught(func() (err error) {
			counts, err = sums.write(ctx, into, write)
			return err
		})
		into.CloseWithError(writeErr)
	}()
	err := to.Upload(ctx, from, func() string { return digestOf(sums.compressed) })
	// Unblocks the writer.
	from.CloseWithError(errors.New("the upload ended"))
	cancel()
	<-written
	if err != nil {
		// The first of two errors is the cause: an unreadable file also ends the upload.
		if writeErr != nil && !errors.Is(writeErr, context.Canceled) && sums.failed {
			return image.Layer{}, counts, writeErr
		}
		return image.Layer{}, counts, err
	}
	return image.Layer{Digest: digestOf(sums.compressed), DiffID: digestOf(sums.plain), Size: sums.size}, counts, nil
}

type sums struct {
	compressed, plain hash.Hash
	size              int64
	variant           int
	progress          *counted
	// The files could not be read, as opposed to not sent.
	failed bool
}

func (s *sums) write(ctx context.Context, into io.Writer, write tarball) (layer.Counts, error) {
	out := &sink{into: into}
	sent := bufio.NewWriterSize(writerFunc(func(some []byte) (int, error) {
		s.compressed.Write(some)
		s.size += int64(len(some))
		s.progress.sent.Add(int64(len(some)))
		return out.Write(some)
	}), 128<<10)
	// The fastest level: a node's cores belong to its tenants.
	packed, err := gzip.NewWriterLevel(sent, gzip.BestSpeed)
	if err != nil {
		return layer.Counts{}, err
	}
	if s.variant > 0 {
		packed.Comment = strconv.Itoa(s.variant)
	}
	plain := bufio.NewWriterSize(writerFunc(func(some []byte) (int, error) {
		s.plain.Write(some)
		s.progress.read.Add(int64(len(some)))
		return packed.Write(some)
	}), 256<<10)
	counts, err := write(ctx, plain)
	if err != nil {
		s.failed = out.err == nil
		return counts, fmt.Errorf("read the files: %w", err)
	}
	for _, last := range []func() error{plain.Flush, packed.Close, sent.Flush} {
		if err := last(); err != nil {
			return counts, err
		}
	}
	return counts, nil
}

// sink remembers that it was the one to fail.
type sink struct {
	into io.Writer
	err  error
}

func (s *sink) Write(some []byte) (int, error) {
	n, err := s.into.Write(some)
	if err != nil {
		s.err = err
	}
	return n, err
}

type writerFunc func(some []byte) (int, error)

func (f writerFunc) Write(some []byte) (int, error) { return f(some) }

func digestOf(sum hash.Hash) string { return "sha256:" + hex.EncodeToString(sum.Sum(nil)) }

// caught makes a panic an error: what one tenant's files are too much for must not end the saves of the whole node.
func caught(do func() error) (err error) {
	defer func() {
		if found := recover(); found != nil {
			err = fmt.Errorf("panic: %v", found)
		}
	}()
	return do()
}
