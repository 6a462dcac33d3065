package collect

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"io"
	"io/fs"
	"net/http"
	"path"
	"regexp"
	"strings"

	storagedriver "github.com/distribution/distribution/v3/registry/storage/driver"
	storagemiddleware "github.com/distribution/distribution/v3/registry/storage/driver/middleware"
)

// The folders in which distribution keeps its files, and in which we keep ours beside them.
const (
	root         = "/docker/registry/v2"
	repositories = root + "/repositories"
	blobs        = root + "/blobs"
	own          = "/gantry"
	ledgerFile   = own + "/collect.json"
	hidden       = own + "/hidden"
	// Contents that are being written, on a disk.
	writing = own + "/writing"
)

// Middleware is its name in the registry's configuration (middleware.storage).
const Middleware = "gantry"

func init() {
	register := func(_ context.Context, inner storagedriver.StorageDriver, _ map[string]any) (storagedriver.StorageDriver, error) {
		return &Driver{inner}, nil
	}
	if err := storagemiddleware.Register(Middleware, register); err != nil {
		panic(err)
	}
}

// Driver is the storage as the registry sees it: what the collector has hidden is still there. A request that only reads is
// served from where it lies; any other, which may be part of a push, first has it brought back.
type Driver struct{ storagedriver.StorageDriver }

// The files that can be hidden: data, and the links of layers and manifests. Their content is the same whenever they are written.
var collectable = regexp.MustCompile(`^` + root + `/(blobs/.+/data|repositories/.+/_(layers|manifests/revisions)/.+/link)$`)

func (d *Driver) GetContent(ctx context.Context, path string) ([]byte, error) {
	return through(ctx, d.StorageDriver, readsOnly(ctx), path, func(at string) ([]byte, error) { return d.StorageDriver.GetContent(ctx, at) })
}

func (d *Driver) Reader(ctx context.Context, path string, offset int64) (io.ReadCloser, error) {
	return through(ctx, d.StorageDriver, readsOnly(ctx), path, func(at string) (io.ReadCloser, error) { return d.StorageDriver.Reader(ctx, at, offset) })
}

func (d *Driver) Stat(ctx context.Context, path string) (storagedriver.FileInfo, error) {
	return through(ctx, d.StorageDriver, readsOnly(ctx), path, func(at string) (storagedriver.FileInfo, error) { return d.StorageDriver.Stat(ctx, at) })
}

// RedirectURL sends nobody to the bucket: what a client is sent to may be hidden or brought back before it gets there.
func (d *Driver) RedirectURL(*http.Request, string) (string, error) { return "", nil }

// PutContent writes all or nothing. A disk would show a link without its content to whoever looks meanwhile; a bucket does not.
func (d *Driver) PutContent(ctx context.Context, to string, content []byte) error {
	if d.Name() != "filesystem" {
		return d.StorageDriver.PutContent(ctx, to, content)
	}
	name, err := unique()
	if err != nil {
		return err
	}
	from := path.Join(writing, name)
	if err := d.StorageDriver.PutContent(ctx, from, content); err != nil {
		return err
	}
	return d.StorageDriver.Move(ctx, from, to)
}

// unique is a name that nobody else takes.
func unique() (string, error) {
	random := make([]byte, 8)
	_, err := rand.Read(random)
	return hex.EncodeToString(random), err
}

// through calls with the path, or with that to which it was hidden.
func through[T any](
	ctx context.Context, inner storagedriver.StorageDriver, readsOnly bool, path string, call func(at string) (T, error),
) (T, error) {
	found, err := call(path)
	if !isMissing(err) || !collectable.MatchString(path) {
		return found, err
	}
	// A second look at the path: it may have come back since the first.
	copies, err := inner.List(ctx, hiddenFolder(path))
	if isMissing(err) || err == nil && len(copies) == 0 {
		return call(path)
	}
	if err != nil {
		return found, err
	}
	if readsOnly {
		if found, err := call(copies[0]); !isMissing(err) {
			return found, err
		}
		return call(path)
	}
	moved := move(ctx, inner, copies[0], path)
	found, err = call(path)
	if isMissing(err) && moved != nil {
		return found, moved
	}
	return found, err
}

func readsOnly(ctx context.Context) bool {
	method, _ := ctx.Value("http.request.method").(string)
	return method == http.MethodGet || method == http.MethodHead
}

// hiddenFolder is where the copies of a path lie. Each hiding makes a copy of its own: nobody but a later pass deletes it, whatever
// other collectors do.
func hiddenFolder(origin string) string { return hidden + strings.TrimPrefix(origin, root) }

func originOf(copy string) string { return root + strings.TrimPrefix(path.Dir(copy), hidden) }

// move succeeds where the source is gone: another request or pass has moved it.
func move(ctx context.Context, driver storagedriver.StorageDriver, from, to string) error {
	err := driver.Move(ctx, from, to)
	var wrapped storagedriver.Error
	if isMissing(err) || errors.As(err, &wrapped) && errors.Is(wrapped.Detail, fs.ErrNotExist) {
		return nil
	}
	return err
}

func isMissing(err error) bool {
	var missing storagedriver.PathNotFoundError
	return errors.As(err, &missing)
}
