// Package containerd is what the node's agent asks of containerd, over its socket and in Kubernetes' namespace.
// It uses containerd's generated calls only: the same ones work from 1.6 to 2.x.
package containerd

import (
	"context"
	"errors"
	"fmt"
	"io"
	"time"

	eventapi "github.com/containerd/containerd/api/events"
	containersapi "github.com/containerd/containerd/api/services/containers/v1"
	contentapi "github.com/containerd/containerd/api/services/content/v1"
	eventsapi "github.com/containerd/containerd/api/services/events/v1"
	imagesapi "github.com/containerd/containerd/api/services/images/v1"
	leasesapi "github.com/containerd/containerd/api/services/leases/v1"
	snapshotsapi "github.com/containerd/containerd/api/services/snapshots/v1"
	tasksapi "github.com/containerd/containerd/api/services/tasks/v1"
	"google.golang.org/grpc"
	"google.golang.org/grpc/backoff"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"gantry.dev/agent/snapshot/host"
)

// Namespace is where the kubelet's containers are.
const Namespace = "k8s.io"

// A call that takes longer than this hangs: containerd answers from its database.
const callLimit = 30 * time.Second

// Client speaks to one containerd. Lost connections come back by themselves; calls in between fail.
type Client struct {
	root       *host.Root
	conn       *grpc.ClientConn
	containers containersapi.ContainersClient
	content    contentapi.ContentClient
	events     eventsapi.EventsClient
	images     imagesapi.ImagesClient
	leases     leasesapi.LeasesClient
	snapshots  snapshotsapi.SnapshotsClient
	tasks      tasksapi.TasksClient
}

// Open does not wait for containerd to be there.
func Open(root *host.Root, socket string) (*Client, error) {
	conn, err := grpc.NewClient("passthrough:///"+socket,
		grpc.WithContextDialer(root.Dial),
		grpc.WithTransportCredentials(insecure.NewCredentials()),
		grpc.WithConnectParams(grpc.ConnectParams{Backoff: backoff.Config{BaseDelay: 100 * time.Millisecond, Multiplier: 1.6, Jitter: 0.2, MaxDelay: 3 * time.Second}}),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(64<<20)),
	)
	if err != nil {
		return nil, err
	}
	return &Client{
		root:       root,
		conn:       conn,
		containers: containersapi.NewContainersClient(conn),
		content:    contentapi.NewContentClient(conn),
		events:     eventsapi.NewEventsClient(conn),
		images:     imagesapi.NewImagesClient(conn),
		leases:     leasesapi.NewLeasesClient(conn),
		snapshots:  snapshotsapi.NewSnapshotsClient(conn),
		tasks:      tasksapi.NewTasksClient(conn),
	}, nil
}

// Close ends the connection.
func (c *Client) Close() error { return c.conn.Close() }

func inNamespace(ctx context.Context) context.Context {
	return metadata.AppendToOutgoingContext(ctx, "containerd-namespace", Namespace)
}

func call(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithTimeout(inNamespace(ctx), callLimit)
}

// ErrNotFound: containerd has no such thing.
var ErrNotFound = errors.New("not found in containerd")

// said makes one sentence of a call's error, and distinguishes absence from failure.
func said(what string, err error) error {
	switch status.Code(err) {
	case codes.OK:
		return nil
	case codes.NotFound:
		return fmt.Errorf("%s: %w", what, ErrNotFound)
	case codes.Unavailable:
		return fmt.Errorf("containerd does not answer (%s): %s", what, status.Convert(err).Message())
	}
	return fmt.Errorf("%s: %s", what, status.Convert(err).Message())
}

func exists(err error) bool { return status.Code(err) == codes.AlreadyExists }
func absent(err error) bool { return status.Code(err) == codes.NotFound }

// Events of containers: the first process of one starts, the first process of one ends, the record of one is removed.
type Events struct {
	Started, Ended func(container string)
	Removed        func()
}

// Watch reports events until the stream breaks, which is the error. They are hints: the next look finds what was missed.
func (c *Client) Watch(ctx context.Context, events Events) error {
	var filters []string
	for _, topic := range []string{topicStart, topicExit, topicDelete} {
		filters = append(filters, fmt.Sprintf("namespace==%s,topic==%q", Namespace, topic))
	}
	stream, err := c.events.Subscribe(inNamespace(ctx), &eventsapi.SubscribeRequest{Filters: filters})
	if err != nil {
		return said("events", err)
	}
	for {
		envelope, err := stream.Recv()
		if err != nil {
			return said("events", err)
		}
		switch envelope.GetTopic() {
		case topicDelete:
			events.Removed()
		case topicExit:
			var event eventapi.TaskExit
			// A process added by exec has its own id.
			if proto.Unmarshal(envelope.GetEvent().GetValue(), &event) == nil && event.GetID() == event.GetContainerID() {
				events.Ended(event.GetContainerID())
			}
		case topicStart:
			var event eventapi.TaskStart
			if proto.Unmarshal(envelope.GetEvent().GetValue(), &event) == nil {
				events.Started(event.GetContainerID())
			}
		}
	}
}

const (
	topicStart  = "/tasks/start"
	topicExit   = "/tasks/exit"
	topicDelete = "/containers/delete"
)

// Read streams the bytes of a blob of the content store.
func (c *Client) Read(ctx context.Context, digest string) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(inNamespace(ctx))
	stream, err := c.content.Read(ctx, &contentapi.ReadContentRequest{Digest: digest})
	if err != nil {
		cancel()
		return nil, said("content "+digest, err)
	}
	return &contentReader{stream: stream, cancel: cancel, digest: digest}, nil
}

type contentReader struct {
	stream contentapi.Content_ReadClient
	cancel context.CancelFunc
	digest string
	rest   []byte
}

func (r *contentReader) Read(into []byte) (int, error) {
	for len(r.rest) == 0 {
		answer, err := r.stream.Recv()
		if errors.Is(err, io.EOF) {
			return 0, io.EOF
		}
		if err != nil {
			return 0, said("content "+r.digest, err)
		}
		r.rest = answer.GetData()
	}
	n := copy(into, r.rest)
	r.rest = r.rest[n:]
	return n, nil
}

func (r *contentReader) Close() error {
	r.cancel()
	return nil
}

// The largest manifest or config that registries accept is 4 MiB.
const documentLimit = 8 << 20

// Document reads a manifest or a config.
func (c *Client) Document(ctx context.Context, digest string) ([]byte, error) {
	reader, err := c.Read(ctx, digest)
	if err != nil {
		return nil, err
	}
	defer reader.Close()
	raw, err := io.ReadAll(io.LimitReader(reader, documentLimit+1))
	if err == nil && len(raw) > documentLimit {
		err = fmt.Errorf("content %s: larger than a manifest or config may be", digest)
	}
	return raw, err
}

// Labels of a blob say among others which repositories it came from.
func (c *Client) Labels(ctx context.Context, digest string) (map[string]string, error) {
	ctx, cancel := call(ctx)
	defer cancel()
	answer, err := c.content.Info(ctx, &contentapi.InfoRequest{Digest: digest})
	if err != nil {
		return nil, said("content "+digest, err)
	}
	return answer.GetInfo().GetLabels(), nil
}

// RemoveImages forgets every image whose reference `matches`, and says how many there were. What nothing else holds goes with them.
func (c *Client) RemoveImages(ctx context.Context, matches func(reference string) bool) (int, error) {
	listing, cancel := call(ctx)
	defer cancel()
	answer, err := c.images.List(listing, &imagesapi.ListImagesRequest{})
	if err != nil {
		return 0, said("images", err)
	}
	doomed := map[string]bool{}
	targets := map[string]bool{}
	for _, image := range answer.GetImages() {
		if matches(image.GetName()) {
			doomed[image.GetName()] = true
			targets[image.GetTarget().GetDigest()] = true
		}
	}
	// The kubelet's runtime also stores the same image under its config's digest.
	named := map[string]bool{}
	for _, image := range answer.GetImages() {
		if !doomed[image.GetName()] && !isDigest(image.GetName()) {
			named[image.GetTarget().GetDigest()] = true
		}
	}
	for _, image := range answer.GetImages() {
		target := image.GetTarget().GetDigest()
		if isDigest(image.GetName()) && targets[target] && !named[target] {
			doomed[image.GetName()] = true
		}
	}
	for name := range doomed {
		deleting, cancel := call(ctx)
		_, err := c.images.Delete(deleting, &imagesapi.DeleteImageRequest{Name: name, Sync: true})
		cancel()
		if err != nil && !absent(err) {
			return 0, said("image "+name, err)
		}
	}
	return len(doomed), nil
}

func isDigest(name string) bool { return len(name) > 7 && name[:7] == "sha256:" }
