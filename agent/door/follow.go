package door

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/netip"
	"regexp"
	"sync"
	"sync/atomic"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/runtime/serializer"
	utilnet "k8s.io/apimachinery/pkg/util/net"
	"k8s.io/apimachinery/pkg/util/wait"
	"k8s.io/apimachinery/pkg/watch"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/cache"
)

const (
	resource = "gpuinstances"
	pageSize = 500
	// Between two looks for an API server that does not answer; up to twice that.
	retryAfter = time.Second
)

var groupVersion = schema.GroupVersion{Group: "gantry.dev", Version: "v1alpha1"}

// gpuInstance is the decoded part of a GpuInstance; everything else is skipped while it is read.
type gpuInstance struct {
	metav1.TypeMeta   `json:",inline"`
	metav1.ObjectMeta `json:"metadata"`
	Spec              doorSpec `json:"spec"`
	// The operator's to write, and nobody else's: a tenant who could would choose where the door leads.
	Status doorStatus `json:"status"`
}

type doorStatus struct{ address netip.Addr }

// UnmarshalJSON never fails.
func (s *doorStatus) UnmarshalJSON(text []byte) error {
	*s = doorStatus{}
	var parts struct {
		PodIP json.RawMessage `json:"podIP"`
	}
	if json.Unmarshal(text, &parts) == nil {
		s.address, _ = netip.ParseAddr(textOf(parts.PodIP))
	}
	return nil
}

// doorSpec is decoded piece by piece: one error anywhere would fail the whole list and watch, and with them every tenant's
// keys. What cannot be read is left out, and opens nothing.
type doorSpec struct {
	keys []KeyUntil
}

// UnmarshalJSON never fails.
func (s *doorSpec) UnmarshalJSON(text []byte) error {
	*s = doorSpec{}
	var parts struct {
		SSHKeys json.RawMessage `json:"sshKeys"`
	}
	if json.Unmarshal(text, &parts) != nil {
		return nil
	}
	var keys []json.RawMessage
	if json.Unmarshal(parts.SSHKeys, &keys) != nil {
		return nil
	}
	for _, given := range keys {
		if key, ok := readKey(given); ok {
			s.keys = append(s.keys, key)
		}
	}
	return nil
}

func readKey(given []byte) (KeyUntil, bool) {
	var parts map[string]json.RawMessage
	if json.Unmarshal(given, &parts) != nil {
		return KeyUntil{}, false
	}
	key, err := ParsePublicKey(textOf(parts["publicKey"]))
	if err != nil {
		return KeyUntil{}, false
	}
	made := KeyUntil{Fingerprint: key}
	if expiry, expires := parts["expiresAt"]; expires {
		at, isTime := readTime(textOf(expiry))
		if !isTime {
			return KeyUntil{}, false
		}
		made.Until = at
	}
	return made, true
}

// textOf is "" for anything but a string.
func textOf(value []byte) string {
	var text string
	if json.Unmarshal(value, &text) != nil {
		return ""
	}
	return text
}

// The format that the schema admits and all other readers accept, a subset of what time.Parse does. Without the years before 2000
// no time is Go's zero time or the epoch, which stand for a key without an expiry.
var dateTime = regexp.MustCompile(`^2[0-9]{3}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}([.][0-9]{1,9})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])$`)

func readTime(text string) (time.Time, bool) {
	if !dateTime.MatchString(text) {
		return time.Time{}, false
	}
	at, err := time.Parse(time.RFC3339, text)
	return at, err == nil
}

type gpuInstanceList struct {
	metav1.TypeMeta `json:",inline"`
	metav1.ListMeta `json:"metadata"`
	Items           []gpuInstance `json:"items"`
}

// Nobody changes a decoded object, so nobody needs a copy.
func (g *gpuInstance) DeepCopyObject() runtime.Object     { return g }
func (l *gpuInstanceList) DeepCopyObject() runtime.Object { return l }

// instance is what the door keeps of it. Keys that do not parse are left out: the instance's own condition names them.
func (g *gpuInstance) instance() Instance {
	made := Instance{Target: Target{Namespace: g.Namespace, Name: g.Name}}
	if g.DeletionTimestamp == nil {
		made.Keys, made.Address = g.Spec.keys, g.Status.address
	}
	return made
}

// follower keeps the rights in line with the cluster's instances; without an API server, with their last known state.
type follower struct {
	rights *Rights
	client rest.Interface
	synced atomic.Bool
	// Unix nanoseconds at which the API server was last heard; 0 while it is being listened to.
	silentSince atomic.Int64
}

func newFollower(config *rest.Config, rights *Rights) (*follower, error) {
	scheme := runtime.NewScheme()
	scheme.AddKnownTypes(groupVersion, &gpuInstance{}, &gpuInstanceList{})
	scheme.AddKnownTypeWithName(groupVersion.WithKind("GpuInstance"), &gpuInstance{})
	scheme.AddKnownTypeWithName(groupVersion.WithKind("GpuInstanceList"), &gpuInstanceList{})
	metav1.AddToGroupVersion(scheme, groupVersion)
	made := rest.CopyConfig(config)
	made.GroupVersion = &groupVersion
	made.APIPath = "/apis"
	made.NegotiatedSerializer = serializer.NewCodecFactory(scheme).WithoutConversion()
	client, err := rest.RESTClientFor(made)
	if err != nil {
		return nil, err
	}
	f := &follower{rights: rights, client: client}
	f.silentSince.Store(time.Now().UnixNano())
	return f, nil
}

func (f *follower) run(ctx context.Context, log *slog.Logger) {
	lists := &cache.ListWatch{
		ListWithContextFunc:  f.list,
		WatchFuncWithContext: f.watch,
		DisableChunking:      true,
	}
	options := cache.ReflectorOptions{Name: "instances", TypeDescription: "GpuInstance"}
	said := ""
	for ctx.Err() == nil {
		// A new one each time, and never its own loop: its pause grows to half a minute, in which a revoked key would go on.
		reflector := cache.NewReflectorWithOptions(lists, &gpuInstance{}, store{f}, options)
		if err := reflector.ListAndWatchWithContext(ctx); err != nil && err.Error() != said {
			said = err.Error()
			log.Warn(said, "event", "follower")
		}
		select {
		case <-ctx.Done():
		case <-time.After(wait.Jitter(retryAfter, 1)):
		}
	}
}

// list reads page by page, so that at no time all objects are there as the API server sent them.
func (f *follower) list(ctx context.Context, options metav1.ListOptions) (runtime.Object, error) {
	all := &gpuInstanceList{}
	options.Limit = pageSize
	// The API server's cache does not support pages.
	options.ResourceVersion, options.ResourceVersionMatch = "", ""
	for {
		page := &gpuInstanceList{}
		err := f.client.Get().Resource(resource).SpecificallyVersionedParams(&options, metav1.ParameterCodec, metav1.SchemeGroupVersion).Do(ctx).Into(page)
		if err != nil {
			return nil, err
		}
		for _, item := range page.Items {
			item.ManagedFields, item.Annotations, item.Labels = nil, nil, nil
			all.Items = append(all.Items, item)
		}
		all.ResourceVersion = page.ResourceVersion
		if options.Continue = page.Continue; options.Continue == "" {
			return all, nil
		}
	}
}

func (f *follower) watch(ctx context.Context, options metav1.ListOptions) (watch.Interface, error) {
	options.Watch = true
	events, err := f.client.Get().Resource(resource).SpecificallyVersionedParams(&options, metav1.ParameterCodec, metav1.SchemeGroupVersion).Watch(ctx)
	if utilnet.IsConnectionRefused(err) {
		// With that error type the reflector would wait on its own.
		return nil, errors.New(err.Error())
	}
	if err != nil {
		return nil, err
	}
	f.silentSince.Store(0)
	return f.listening(events), nil
}

// listening notes when the watch ends: until then the API server speaks, if only in bookmarks, and the transport asks
// after a silent connection.
func (f *follower) listening(events watch.Interface) watch.Interface {
	out, stopped := make(chan watch.Event), make(chan struct{})
	go func() {
		defer close(out)
		defer func() { f.silentSince.Store(time.Now().UnixNano()) }()
		for event := range events.ResultChan() {
			select {
			case out <- event:
			case <-stopped:
				return
			}
		}
	}()
	stop := sync.OnceFunc(func() {
		close(stopped)
		events.Stop()
	})
	return relayed{out, stop}
}

type relayed struct {
	out  chan watch.Event
	stop func()
}

func (r relayed) Stop()                          { r.stop() }
func (r relayed) ResultChan() <-chan watch.Event { return r.out }

// firstList waits until the instances are known, or ctx ends.
func (f *follower) firstList(ctx context.Context) error {
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !f.synced.Load() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	return nil
}

// silence says for how long the API server has not been heard.
func (f *follower) silence() time.Duration {
	since := f.silentSince.Load()
	if since == 0 {
		return 0
	}
	return time.Since(time.Unix(0, since))
}

// store hands the reflector's objects on to the rights and keeps none.
type store struct{ *follower }

func (s store) Add(object any) error { return s.Update(object) }

func (s store) Update(object any) error {
	if seen, ok := object.(*gpuInstance); ok {
		s.rights.Set(seen.instance())
	}
	return nil
}

func (s store) Delete(object any) error {
	if seen, ok := object.(*gpuInstance); ok {
		s.rights.Remove(Target{Namespace: seen.Namespace, Name: seen.Name})
	}
	return nil
}

func (s store) Replace(objects []any, _ string) error {
	all := make([]Instance, 0, len(objects))
	for _, object := range objects {
		if seen, ok := object.(*gpuInstance); ok {
			all = append(all, seen.instance())
		}
	}
	s.rights.Replace(all)
	s.synced.Store(true)
	return nil
}

func (s store) Resync() error { return nil }
