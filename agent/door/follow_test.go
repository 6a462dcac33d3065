package door

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
	"k8s.io/client-go/rest"
)

func soon(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(20 * time.Second); time.Now().Before(deadline); time.Sleep(5 * time.Millisecond) {
		if is() {
			return
		}
	}
	t.Fatalf("not within 20 s: %s", what)
}

func instanceJSON(name, version, key string) string {
	return fmt.Sprintf(`{"apiVersion":"gantry.dev/v1alpha1","kind":"GpuInstance","metadata":{"name":%q,"namespace":"org-a","resourceVersion":%q,"managedFields":[{"manager":"x"}]},"spec":{"power":"Running","image":"a/b:1","sshKeys":[{"remark":"r","publicKey":%q,"expiresAt":"2030-01-01T00:00:00Z"}]}}`, name, version, key)
}

// An API server that lists two pages, tells of one more instance, and then falls silent.
func TestFollowing(t *testing.T) {
	ann, bob, eve := newKey(t), newKey(t), newKey(t)
	var away, isBack atomic.Bool
	hangUp := make(chan struct{})
	const path = "/apis/gantry.dev/v1alpha1/gpuinstances"
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, question *http.Request) {
		answer.Header().Set("Content-Type", "application/json")
		query := question.URL.Query()
		list := `{"apiVersion":"gantry.dev/v1alpha1","kind":"GpuInstanceList","metadata":{"resourceVersion":"9","continue":%q},"items":[%s]}`
		switch {
		case away.Load() || question.URL.Path != path:
			http.Error(answer, "away", http.StatusServiceUnavailable)
		case query.Get("watch") != "":
			fmt.Fprintf(answer, `{"type":"ADDED","object":%s}`, instanceJSON("three", "10", eve))
			answer.(http.Flusher).Flush()
			if !isBack.Load() {
				<-hangUp
			} else {
				<-question.Context().Done()
			}
		case query.Get("continue") == "":
			fmt.Fprintf(answer, list, "more", instanceJSON("one", "1", ann))
		default:
			fmt.Fprintf(answer, list, "", instanceJSON("two", "2", bob))
		}
	}))
	t.Cleanup(server.Close)
	rights := NewRights()
	followed, err := newFollower(&rest.Config{Host: server.URL}, rights)
	if err != nil {
		t.Fatal(err)
	}
	ctx, end := context.WithCancel(t.Context())
	t.Cleanup(end)
	health := &health{follower: followed}
	if status, _ := health.ready(); status != http.StatusServiceUnavailable {
		t.Errorf("ready before anything is known: %d", status)
	}
	go followed.run(ctx, quiet)
	if err := followed.firstList(ctx); err != nil {
		t.Fatal(err)
	}
	for name, key := range map[string]string{"one": ann, "two": bob} {
		if said := opens(rights, key, noon); said != "org-a/"+name {
			t.Errorf("%s: %q", name, said)
		}
		if said := opens(rights, key, time.Date(2030, 1, 1, 0, 0, 0, 0, time.UTC)); said != "" {
			t.Errorf("expired: %q", said)
		}
	}
	soon(t, "what is new is known", func() bool { return opens(rights, eve, noon) != "" })
	if silence := followed.silence(); silence != 0 {
		t.Errorf("silent for %v", silence)
	}

	away.Store(true)
	close(hangUp)
	soon(t, "the silence is noticed", func() bool { return followed.silence() > 0 })
	if instances, keys := rights.Counts(); instances != 3 || keys != 3 {
		t.Errorf("%d instances and %d keys go on", instances, keys)
	}
	health.isOpen.Store(true)
	followed.silentSince.Store(time.Now().Add(-2 * staleAfter).UnixNano())
	if status, said := health.ready(); status != http.StatusOK || !strings.Contains(said, "stale: the API server has not been heard for 120 s") {
		t.Errorf("%d %s", status, said)
	}

	isBack.Store(true)
	away.Store(false)
	soon(t, "it listens again", func() bool { return followed.silentSince.Load() == 0 })
}

// Two replicas start at once: the one whose keys were refused takes the other's.
func TestHostKeysAreMadeOnce(t *testing.T) {
	stored := secret{APIVersion: "v1", Kind: "Secret", Metadata: map[string]any{"name": "keys", "resourceVersion": "1"}}
	others := map[string][]byte{}
	for file, make := range hostKeyMakers {
		text, err := privateKey(make)
		if err != nil {
			t.Fatal(err)
		}
		others[file] = text
	}
	var puts int
	var conflict bool
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, question *http.Request) {
		answer.Header().Set("Content-Type", "application/json")
		switch {
		case question.URL.Path != "/api/v1/namespaces/gantry-system/secrets/keys":
			http.Error(answer, "no such thing", http.StatusNotFound)
			return
		case question.Method == http.MethodPut && conflict:
			puts++
			stored.Data = others
			answer.WriteHeader(http.StatusConflict)
			_, _ = answer.Write([]byte(`{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Conflict","code":409}`))
			return
		case question.Method == http.MethodPut:
			puts++
			if err := json.NewDecoder(question.Body).Decode(&stored); err != nil {
				t.Error(err)
			}
		}
		_ = json.NewEncoder(answer).Encode(stored)
	}))
	t.Cleanup(server.Close)
	followed, err := newFollower(&rest.Config{Host: server.URL}, NewRights())
	if err != nil {
		t.Fatal(err)
	}
	// By the type of the key.
	read := func() map[string]string {
		t.Helper()
		keys, err := hostKeys(t.Context(), followed.client, "gantry-system", "keys")
		if err != nil {
			t.Fatal(err)
		}
		found := map[string]string{}
		for _, key := range keys {
			found[key.PublicKey().Type()] = fingerprintOf(key.PublicKey()).String()
		}
		return found
	}

	first := read()
	if first["ssh-ed25519"] == "" || first["ecdsa-sha2-nistp256"] == "" {
		t.Errorf("%v", first)
	}
	if again := read(); !maps.Equal(again, first) || len(again) != 2 || puts != 1 {
		t.Errorf("made %d times: %v", puts, again)
	}
	stored.Data, conflict = nil, true
	late := read()
	for file, text := range others {
		theirs, err := ssh.ParsePrivateKey(text)
		if err != nil {
			t.Fatal(err)
		}
		if late[theirs.PublicKey().Type()] != fingerprintOf(theirs.PublicKey()).String() || puts != 2 {
			t.Errorf("%s made %d times: %v", file, puts, late)
		}
	}
	stored.Data["ssh_host_ecdsa_key"] = []byte("no key")
	if _, err := hostKeys(t.Context(), followed.client, "gantry-system", "keys"); err == nil || !strings.Contains(err.Error(), "the host key ssh_host_ecdsa_key") {
		t.Errorf("with a key that is none: %v", err)
	}
	if _, err := hostKeys(t.Context(), followed.client, "gantry-system", "none"); err == nil || !strings.Contains(err.Error(), "Secret gantry-system/none, which holds the host keys") {
		t.Errorf("without the Secret: %v", err)
	}
}
