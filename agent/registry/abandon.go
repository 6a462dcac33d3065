package registry

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"regexp"
	"time"
)

// Abandon frees the space of a broken upload. Distribution requires the delete permission for that, which would also cover every
// image of the repository: so accounts that push lack it, and ask here.
type Abandon struct {
	logins *Logins
	images interface {
		abandon(ctx context.Context, repository, upload string) error
	}
	log *slog.Logger
}

const (
	// Shorter than an answer of ours may take.
	abandonWithin = 15 * time.Second
	abandonPause  = 200 * time.Millisecond
)

var uploadPath = regexp.MustCompile(`^/v2/(.+)/blobs/uploads/([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})$`)

func (a *Abandon) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Cache-Control", "no-store")
	user, password, _ := r.BasicAuth()
	address, _, _ := net.SplitHostPort(r.RemoteAddr)
	who, err := a.logins.identify(r.Context(), user, password, address)
	if err != nil || who.Kind != Service && who.Kind != Platform {
		a.log.Warn("an upload was not given up: who asks may not", "user", printable(user), "address", address)
		refuse(w, http.StatusForbidden, "DENIED", "only the platform's own accounts may give an upload up", 0)
		return
	}
	r.Body = http.MaxBytesReader(w, r.Body, mostBytes)
	upload := uploadPath.FindStringSubmatch(r.PostFormValue("upload"))
	if upload == nil || !repository.MatchString(upload[1]) {
		refuse(w, http.StatusBadRequest, unsupported, "upload: must be /v2/<repository>/blobs/uploads/<id>", 0)
		return
	}
	ctx, cancel := context.WithTimeout(r.Context(), abandonWithin)
	defer cancel()
	if err := a.images.abandon(ctx, upload[1], upload[2]); err != nil {
		a.log.Error("an upload could not be given up", "repository", upload[1], "upload", upload[2], "error", err.Error())
		refuse(w, http.StatusBadGateway, unavailable, "the registry did not give the upload up", 0)
		return
	}
	a.log.Info("an upload was given up", "repository", upload[1], "upload", upload[2])
	w.WriteHeader(http.StatusNoContent)
}

// abandon asks for the upload's offset, and deletes it there: distribution refuses an outdated offset. Bytes in flight may move
// it in between; then it asks again.
func (i *Images) abandon(ctx context.Context, repository, upload string) error {
	at := &url.URL{Scheme: i.registry.Scheme(), Host: i.registry.RegistryStr(), Path: "/v2/" + repository + "/blobs/uploads/" + upload}
	for {
		answer, err := i.bare(ctx, http.MethodGet, at)
		if err != nil {
			return err
		}
		if answer.StatusCode == http.StatusNotFound {
			return nil
		}
		where, err := at.Parse(answer.Header.Get("Location"))
		if err != nil || where.Host != at.Host || where.Path != at.Path {
			return fmt.Errorf("upload %s: the registry answers %d and names %q", upload, answer.StatusCode, answer.Header.Get("Location"))
		}
		if answer, err = i.bare(ctx, http.MethodDelete, where); err != nil {
			return err
		}
		if answer.StatusCode == http.StatusNoContent || answer.StatusCode == http.StatusNotFound {
			return nil
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("upload %s: the registry answers %d", upload, answer.StatusCode)
		case <-time.After(abandonPause):
		}
	}
}

// bare makes a call of whose answer nobody needs the body.
func (i *Images) bare(ctx context.Context, method string, where *url.URL) (*http.Response, error) {
	request, err := http.NewRequestWithContext(ctx, method, where.String(), nil)
	if err != nil {
		return nil, err
	}
	answer, err := i.round.RoundTrip(request)
	if err == nil {
		answer.Body.Close()
	}
	return answer, err
}
