package door

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
	"time"

	"k8s.io/client-go/rest"
)

type hostileValues struct {
	Dates struct {
		Unreadable, Readable []string
	}
	WrongTypes []json.RawMessage
}

func hostile(t *testing.T) (values hostileValues) {
	t.Helper()
	text, err := os.ReadFile("../../test/support/hostile-values.json")
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(text, &values); err != nil {
		t.Fatal(err)
	}
	return values
}

func TestReadableTimesAreReadAndNoOthers(t *testing.T) {
	values := hostile(t)
	for _, text := range values.Dates.Readable {
		if _, ok := readTime(text); !ok {
			t.Errorf("%q is not read", text)
		}
	}
	for _, text := range values.Dates.Unreadable {
		if at, ok := readTime(text); ok {
			t.Errorf("%q is read as %v", text, at)
		}
	}
}

// Whatever one tenant's instance says, the others' keys are known, and what cannot be read opens nothing.
func TestOneHostileInstanceStopsNoOther(t *testing.T) {
	good, bad := newKey(t), newKey(t)
	values := hostile(t)
	key := func(publicKey, expiresAt string) string {
		return fmt.Sprintf(`{"remark":"r","publicKey":%q,"expiresAt":%s}`, publicKey, expiresAt)
	}
	var specs []string
	for _, text := range values.Dates.Unreadable {
		quoted, _ := json.Marshal(text)
		specs = append(specs, fmt.Sprintf(`{"power":"Running","sshKeys":[%s]}`, key(bad, string(quoted))))
	}
	for _, wrong := range values.WrongTypes {
		specs = append(specs,
			fmt.Sprintf(`{"power":"Running","sshKeys":[%s]}`, key(bad, string(wrong))),
			fmt.Sprintf(`{"power":%s,"sshKeys":%s}`, wrong, wrong),
			fmt.Sprintf(`{"power":"Running","sshKeys":[%s]}`, wrong),
			fmt.Sprintf(`{"power":"Running","sshKeys":[{"publicKey":%s}]}`, wrong),
		)
		if string(wrong) != "null" {
			specs = append(specs, string(wrong))
		}
	}
	instance := func(name, spec string) string {
		return fmt.Sprintf(`{"apiVersion":"gantry.dev/v1alpha1","kind":"GpuInstance","metadata":{"name":%q,"namespace":"org-a","resourceVersion":"5"},"spec":%s,"status":7}`, name, spec)
	}
	var listed []string
	for i, spec := range specs {
		listed = append(listed, instance(fmt.Sprintf("bad-%d", i), spec))
	}
	// Beside a bad key a good one goes on, in the same instance.
	listed = append(listed, instance("mixed", fmt.Sprintf(`{"power":"Running","sshKeys":[%s,{"remark":"g","publicKey":%q}]}`, key(bad, `"2099-11-23T02:00:00+99:99"`), good)))
	listed = append(listed, instance("sound", fmt.Sprintf(`{"power":"Running","sshKeys":[%s]}`, key(good, `"2030-01-01T00:00:00Z"`))))
	server := httptest.NewServer(http.HandlerFunc(func(answer http.ResponseWriter, question *http.Request) {
		answer.Header().Set("Content-Type", "application/json")
		if question.URL.Query().Get("watch") == "" {
			fmt.Fprintf(answer, `{"apiVersion":"gantry.dev/v1alpha1","kind":"GpuInstanceList","metadata":{"resourceVersion":"9"},"items":[%s]}`, strings.Join(listed, ","))
			return
		}
		for i, spec := range specs {
			fmt.Fprintf(answer, `{"type":"ADDED","object":%s}`, instance(fmt.Sprintf("late-bad-%d", i), spec))
		}
		fmt.Fprintf(answer, `{"type":"ADDED","object":%s}`, instance("late", fmt.Sprintf(`{"power":"Running","sshKeys":[%s]}`, key(good, `"2030-01-01T00:00:00Z"`))))
		answer.(http.Flusher).Flush()
		<-question.Context().Done()
	}))
	t.Cleanup(server.Close)
	rights := NewRights()
	followed, err := newFollower(&rest.Config{Host: server.URL}, rights)
	if err != nil {
		t.Fatal(err)
	}
	go followed.run(t.Context(), quiet)

	soon(t, "what comes after hostile events is known", func() bool { return strings.Contains(opens(rights, good, noon), "org-a/late") })
	if names := opens(rights, good, noon); names != "org-a/late org-a/mixed org-a/sound" {
		t.Errorf("the good key opens %v", names)
	}
	if said := opens(rights, bad, noon); said != "" {
		t.Errorf("a key whose expiry cannot be read opens %s", said)
	}
	if said := opens(rights, bad, time.Unix(0, 0)); said != "" {
		t.Errorf("a key whose expiry cannot be read opened %s", said)
	}
}
