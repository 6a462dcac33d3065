package collect

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand"
	"net"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/handlers"
	storagedriver "github.com/distribution/distribution/v3/registry/storage/driver"
	"github.com/distribution/distribution/v3/registry/storage/driver/factory"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/filesystem"
	storagemiddleware "github.com/distribution/distribution/v3/registry/storage/driver/middleware"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/s3-aws"
	"github.com/sirupsen/logrus"
)

const kind = "application/vnd.oci.image.manifest.v1+json"

// stage is a registry over storage of its own, as `hack/registry.ts` and the chart configure it.
type stage struct {
	*testing.T
	driver storagedriver.StorageDriver
	folder string
	url    string
	paused *pausing
	client *http.Client
}

// pausing is storage that may stop a write until it is told to go on.
type pausing struct {
	storagedriver.StorageDriver
	mutex   sync.Mutex
	stops   func(path string) bool
	stopped chan struct{}
	goOn    chan struct{}
}

func (p *pausing) PutContent(ctx context.Context, path string, content []byte) error {
	p.pause(path)
	return p.StorageDriver.PutContent(ctx, path, content)
}

// On a disk a content is written aside first.
func (p *pausing) Move(ctx context.Context, from, to string) error {
	p.pause(to)
	return p.StorageDriver.Move(ctx, from, to)
}

func (p *pausing) pause(path string) {
	p.mutex.Lock()
	stops := p.stops != nil && p.stops(path)
	p.mutex.Unlock()
	if stops {
		p.stopped <- struct{}{}
		<-p.goOn
	}
}

func (p *pausing) stopAt(stops func(path string) bool) {
	p.mutex.Lock()
	defer p.mutex.Unlock()
	p.stops = stops
}

var everyPausing sync.Map

func init() {
	logrus.SetOutput(io.Discard)
	_ = storagemiddleware.Register("pausing", func(_ context.Context, inner storagedriver.StorageDriver, options map[string]any) (storagedriver.StorageDriver, error) {
		found, _ := everyPausing.Load(options["of"])
		found.(*pausing).StorageDriver = inner
		return found.(*pausing), nil
	})
}

// places are what storage may be: each gives its configuration, and its folder if it is a disk.
var places = map[string]func(t *testing.T) (kind string, parameters configuration.Parameters, folder string){
	"disk": func(t *testing.T) (string, configuration.Parameters, string) {
		folder := t.TempDir()
		return "filesystem", configuration.Parameters{"rootdirectory": folder}, folder
	},
	"bucket": func(t *testing.T) (string, configuration.Parameters, string) {
		return "s3", configuration.Parameters{
			"bucket": "images", "region": "us-east-1", "regionendpoint": bucketServer(t), "forcepathstyle": true,
			"accesskey": "GANTRYTEST", "secretkey": "a-secret-of-this-test-alone",
			"secure": false,
		}, ""
	},
}

func onEach(t *testing.T, test func(s *stage)) {
	for place, storage := range places {
		t.Run(place, func(t *testing.T) { test(set(t, storage)) })
	}
}

func set(t *testing.T, storage func(t *testing.T) (string, configuration.Parameters, string)) *stage {
	t.Helper()
	kind, parameters, folder := storage(t)
	s := &stage{T: t, folder: folder, paused: &pausing{stopped: make(chan struct{}), goOn: make(chan struct{})}, client: &http.Client{}}
	everyPausing.Store(t.Name(), s.paused)
	config := &configuration.Configuration{
		Storage: configuration.Storage{
			kind: parameters, "delete": configuration.Parameters{"enabled": true},
			"maintenance": configuration.Parameters{"uploadpurging": map[any]any{"enabled": false}},
		},
		Middleware: map[string][]configuration.Middleware{"storage": {
			{Name: "pausing", Options: configuration.Parameters{"of": t.Name()}}, {Name: Middleware},
		}},
	}
	config.Log.Level = "fatal"
	config.Log.AccessLog.Disabled = true
	config.HTTP.Secret = "of the test"
	server := httptest.NewServer(handlers.NewApp(context.Background(), config))
	t.Cleanup(server.Close)
	s.url = server.URL
	s.client.Transport = server.Client().Transport
	var err error
	if s.driver, err = factory.Create(context.Background(), kind, parameters); err != nil {
		t.Fatal(err)
	}
	return s
}

// bucketServer is a bucket of an object store of the test's own.
func bucketServer(t *testing.T) string {
	t.Helper()
	program := os.Getenv("GANTRY_VERSITYGW")
	if program == "" {
		program = filepath.Join(t.TempDir(), "versitygw")
		build := exec.Command("go", "build", "-o", program, "github.com/versity/versitygw/cmd/versitygw")
		build.Dir = "../../versitygw"
		if said, err := build.CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, said)
		}
	}
	data, attributes := t.TempDir(), t.TempDir()
	if err := os.Mkdir(filepath.Join(data, "images"), 0o700); err != nil {
		t.Fatal(err)
	}
	free, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := free.Addr().String()
	free.Close()
	run := exec.Command(program, "--port", address, "--health", "/healthz", "--quiet", "posix", "--sidecar", attributes, data)
	run.Env = append(os.Environ(), "ROOT_ACCESS_KEY_ID=GANTRYTEST", "ROOT_SECRET_ACCESS_KEY=a-secret-of-this-test-alone")
	if err := run.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = run.Process.Kill(); _ = run.Wait() })
	for limit := time.Now().Add(time.Minute); ; {
		answer, err := http.Get("http://" + address + "/healthz")
		if err == nil {
			answer.Body.Close()
			return "http://" + address
		}
		if time.Now().After(limit) {
			t.Fatal(err)
		}
	}
}

func digestOf(text []byte) string { return fmt.Sprintf("sha256:%x", sha256.Sum256(text)) }

func (s *stage) call(method, where, contentType string, body []byte) (status int, location, text string) {
	if !strings.HasPrefix(where, "http") {
		where = s.url + where
	}
	request, _ := http.NewRequest(method, where, strings.NewReader(string(body)))
	request.Header.Set("Accept", kind)
	if contentType != "" {
		request.Header.Set("Content-Type", contentType)
	}
	answer, err := s.client.Do(request)
	if err != nil {
		s.Error(err)
		return 0, "", ""
	}
	defer answer.Body.Close()
	content, _ := io.ReadAll(answer.Body)
	return answer.StatusCode, answer.Header.Get("Location"), string(content)
}

type image struct {
	repository, tag string
	contents        [][]byte
	manifest        []byte
}

func imageOf(repository, tag string, contents ...string) image {
	one := image{repository: repository, tag: tag}
	var described []map[string]any
	for _, content := range contents {
		one.contents = append(one.contents, []byte(content))
		described = append(described, map[string]any{
			"mediaType": "application/octet-stream", "digest": digestOf([]byte(content)), "size": len(content),
		})
	}
	one.manifest, _ = json.Marshal(map[string]any{
		"schemaVersion": 2, "mediaType": kind, "config": described[0], "layers": described[1:],
	})
	return one
}

func (s *stage) blob(one image, content []byte) string {
	return "/v2/" + one.repository + "/blobs/" + digestOf(content)
}

// upload skips what the registry says it has, and mounts what another repository has.
func (s *stage) upload(one image, from string) bool {
	for _, content := range one.contents {
		if status, _, _ := s.call("HEAD", s.blob(one, content), "", nil); status == 200 {
			continue
		}
		start := "/v2/" + one.repository + "/blobs/uploads/"
		if from != "" {
			start += "?mount=" + digestOf(content) + "&from=" + from
		}
		status, where, text := s.call("POST", start, "", nil)
		if status == 201 {
			continue
		}
		separator := "?"
		if strings.Contains(where, "?") {
			separator = "&"
		}
		if status, _, text = s.call("PUT", where+separator+"digest="+digestOf(content), "application/octet-stream", content); status != 201 {
			s.Errorf("an upload ends with %d: %s", status, text)
			return false
		}
	}
	return true
}

func (s *stage) put(one image) (status int, text string) {
	status, _, text = s.call("PUT", "/v2/"+one.repository+"/manifests/"+one.tag, kind, one.manifest)
	return status, text
}

func (s *stage) push(one image, from string) bool {
	if !s.upload(one, from) {
		return false
	}
	status, _ := s.put(one)
	return status == 201
}

func (s *stage) untag(one image) {
	if status, _, text := s.call("DELETE", "/v2/"+one.repository+"/manifests/"+one.tag, "", nil); status != 202 {
		s.Errorf("%s:%s is not deleted: %d %s", one.repository, one.tag, status, text)
	}
}

// isWhole pulls it: by its tag, by its digest, and each blob, with and without its content.
func (s *stage) isWhole(one image) bool {
	whole := true
	pull := func(where string, want []byte) {
		if status, _, text := s.call("GET", where, "", nil); status != 200 || text != string(want) {
			s.Errorf("%s:%s: GET %s answers %d %s", one.repository, one.tag, where, status, text)
			whole = false
		}
		if status, _, _ := s.call("HEAD", where, "", nil); status != 200 {
			s.Errorf("%s:%s: HEAD %s answers %d", one.repository, one.tag, where, status)
			whole = false
		}
	}
	pull("/v2/"+one.repository+"/manifests/"+one.tag, one.manifest)
	pull("/v2/"+one.repository+"/manifests/"+digestOf(one.manifest), one.manifest)
	for _, content := range one.contents {
		pull(s.blob(one, content), content)
	}
	return whole
}

// passes steps the clock by an hour before each; age is that of the tests.
func (s *stage) passes(now *time.Time, count int, driver storagedriver.StorageDriver) {
	s.Helper()
	for range count {
		*now = now.Add(time.Hour)
		if err := collect(context.Background(), driver, s.folder, *now, age); err != nil {
			s.Error(err)
		}
	}
}

func (s *stage) isThere(path string) bool {
	s.Helper()
	_, err := s.driver.Stat(context.Background(), path)
	if err != nil && !isMissing(err) {
		s.Error(err)
	}
	return err == nil
}

// files are all that is in storage, but the ledger.
func (s *stage) files() []string {
	s.Helper()
	var all []string
	err := s.driver.Walk(context.Background(), "/", func(info storagedriver.FileInfo) error {
		if !info.IsDir() && info.Path() != ledgerFile && !strings.HasPrefix(info.Path(), writing) {
			all = append(all, info.Path())
		}
		return nil
	})
	if err != nil && !isMissing(err) {
		s.Error(err)
	}
	return all
}

var errDied = errors.New("the collector died")

// dying is a collector's storage that fails after so many changes; a bucket's move may have copied by then.
type dying struct {
	storagedriver.StorageDriver
	left   int
	isDisk bool
}

func (d *dying) dies() bool { d.left--; return d.left < 0 }

func (d *dying) Move(ctx context.Context, from, to string) error {
	if !d.dies() {
		return d.StorageDriver.Move(ctx, from, to)
	}
	if !d.isDisk {
		content, err := d.StorageDriver.GetContent(ctx, from)
		if err == nil {
			err = d.StorageDriver.PutContent(ctx, to, content)
		}
		if err != nil {
			return err
		}
	}
	return errDied
}

func (d *dying) Delete(ctx context.Context, path string) error {
	if d.dies() {
		return errDied
	}
	return d.StorageDriver.Delete(ctx, path)
}

func (d *dying) PutContent(ctx context.Context, path string, content []byte) error {
	if d.dies() {
		// Half written.
		_ = d.StorageDriver.PutContent(ctx, path, content[:len(content)/2])
		return errDied
	}
	return d.StorageDriver.PutContent(ctx, path, content)
}

func pick(random *rand.Rand, format string, of int) string {
	return fmt.Sprintf(format, random.Intn(of))
}
