package load

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-containerregistry/pkg/name"
	inmemory "github.com/google/go-containerregistry/pkg/registry"
	"github.com/google/go-containerregistry/pkg/v1/empty"
	"github.com/google/go-containerregistry/pkg/v1/layout"
	"github.com/google/go-containerregistry/pkg/v1/random"
	"github.com/google/go-containerregistry/pkg/v1/remote"
)

// bundle has two images; its sums are those of its files.
func bundle(t *testing.T) string {
	t.Helper()
	folder := t.TempDir()
	images, err := layout.Write(filepath.Join(folder, "images"), empty.Index)
	if err != nil {
		t.Fatal(err)
	}
	for _, called := range []string{"gateway:1.1.5", "busybox:1.36"} {
		image, err := random.Image(1024, 2)
		if err != nil {
			t.Fatal(err)
		}
		if err := images.AppendImage(image, layout.WithAnnotations(map[string]string{imageName: called})); err != nil {
			t.Fatal(err)
		}
	}
	write(t, folder, "chart/Chart.yaml", "name: gantry\n")
	var lines strings.Builder
	if err := filepath.WalkDir(folder, func(path string, entry os.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		sum, err := sumOf(path)
		short, _ := filepath.Rel(folder, path)
		fmt.Fprintf(&lines, "%s  %s\n", sum, short)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	write(t, folder, sums, lines.String())
	return folder
}

func write(t *testing.T, folder, path, text string) {
	t.Helper()
	full := filepath.Join(folder, path)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func registry(t *testing.T, wrap func(http.Handler) http.Handler) string {
	t.Helper()
	server := httptest.NewServer(wrap(inmemory.New(inmemory.Logger(log.New(io.Discard, "", 0)))))
	t.Cleanup(server.Close)
	return strings.TrimPrefix(server.URL, "http://") + "/inner/gantry"
}

func asIs(handler http.Handler) http.Handler { return handler }

func TestImagesAreThereUnderTheirNamesAndHelmIsToldWhere(t *testing.T) {
	folder, target := bundle(t), registry(t, asIs)
	var said bytes.Buffer
	for range 2 {
		// The second time everything is there already, values.yaml too.
		if err := (Bundle{Folder: folder, Said: &said}).Into(context.Background(), target, true); err != nil {
			t.Fatal(err)
		}
	}
	written, err := os.ReadFile(filepath.Join(folder, values))
	if err != nil {
		t.Fatal(err)
	}
	for _, called := range []string{"gateway:1.1.5", "busybox:1.36"} {
		reference, err := name.ParseReference(target+"/"+called, name.Insecure)
		if err != nil {
			t.Fatal(err)
		}
		there, err := remote.Head(reference)
		if err != nil {
			t.Fatal(err)
		}
		for where, text := range map[string]string{values: string(written), "what was said": said.String()} {
			if !strings.Contains(text, there.Digest.String()) {
				t.Errorf("%s lacks the digest of %s: %s", where, called, text)
			}
		}
	}
	if !strings.Contains(string(written), `"registry": "`+target+`"`) {
		t.Errorf("values.yaml does not say where: %s", written)
	}
}

func TestABundleThatIsNotWhatWasPackedIsNotPushed(t *testing.T) {
	for want, change := range map[string]func(t *testing.T, folder string){
		"chart/Chart.yaml is not as it was packed": func(t *testing.T, folder string) {
			write(t, folder, "chart/Chart.yaml", "name: other\n")
		},
		"chart/Chart.yaml is missing from the bundle": func(t *testing.T, folder string) {
			if err := os.Remove(filepath.Join(folder, "chart/Chart.yaml")); err != nil {
				t.Fatal(err)
			}
		},
		"chart/templates/more.yaml is not of this bundle": func(t *testing.T, folder string) {
			write(t, folder, "chart/templates/more.yaml", "kind: Pod\n")
		},
		"this is no bundle": func(t *testing.T, folder string) {
			if err := os.Remove(filepath.Join(folder, sums)); err != nil {
				t.Fatal(err)
			}
		},
		"a line that is none of sha256sum": func(t *testing.T, folder string) {
			write(t, folder, sums, strings.Repeat("0", 64)+"  ../elsewhere\n")
		},
	} {
		t.Run(want, func(t *testing.T) {
			folder, isAsked := bundle(t), false
			target := registry(t, func(handler http.Handler) http.Handler {
				return http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
					isAsked = true
					handler.ServeHTTP(answer, request)
				})
			})
			change(t, folder)
			err := (Bundle{Folder: folder, Said: io.Discard}).Into(context.Background(), target, true)
			if err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("got %v", err)
			}
			if isAsked {
				t.Error("the registry was asked")
			}
		})
	}
}

func TestARegistryThatKeepsSomethingElseIsFoundOut(t *testing.T) {
	target := registry(t, func(handler http.Handler) http.Handler {
		return http.HandlerFunc(func(answer http.ResponseWriter, request *http.Request) {
			if request.Method == http.MethodGet && strings.Contains(request.URL.Path, "/blobs/") {
				_, _ = answer.Write([]byte("something else"))
				return
			}
			handler.ServeHTTP(answer, request)
		})
	})
	err := (Bundle{Folder: bundle(t), Said: io.Discard}).Into(context.Background(), target, true)
	if err == nil || !strings.Contains(err.Error(), "was pushed and is not the same") {
		t.Errorf("got %v", err)
	}
}

func TestARegistryHasToBeNamed(t *testing.T) {
	for want, args := range map[string][]string{
		"--registry: must say where to":            {},
		`--registry: "UPPER case" is no place for`: {"--registry=UPPER case", "--bundle=" + bundle(t)},
	} {
		if err := Main(context.Background(), args); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: got %v", args, err)
		}
	}
}

// As a script passes it on whose variable is not set.
func TestAnEmptyKeyIsRefused(t *testing.T) {
	err := Main(t.Context(), []string{"--registry=r.test/g", "--public-key=", "--bundle=" + bundle(t)})
	if err == nil || err.Error() != "--public-key: must name a file" {
		t.Error(err)
	}
}
