package door

import (
	"crypto/ed25519"
	"crypto/rand"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"os/exec"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

var (
	noon  = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	both  = []string{"", ".cluster.local"}
	alone = []string{""}
)

func newKey(t testing.TB) string {
	t.Helper()
	public, _, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	wire, err := ssh.NewPublicKey(public)
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(ssh.MarshalAuthorizedKey(wire)))
}

// object is a GpuInstance as the API server sends it; each key is "text" or "text|expiry".
func object(t testing.TB, namespace, name string, keys ...string) *gpuInstance {
	t.Helper()
	sshKeys := []map[string]string{}
	for _, key := range keys {
		text, expiry, _ := strings.Cut(key, "|")
		given := map[string]string{"remark": "laptop", "publicKey": text}
		if expiry != "" {
			given["expiresAt"] = expiry
		}
		sshKeys = append(sshKeys, given)
	}
	body, err := json.Marshal(map[string]any{
		"metadata": map[string]any{"namespace": namespace, "name": name},
		"spec":     map[string]any{"power": "Running", "sshKeys": sshKeys},
	})
	if err != nil {
		t.Fatal(err)
	}
	var made gpuInstance
	if err := json.Unmarshal(body, &made); err != nil {
		t.Fatal(err)
	}
	return &made
}

// answerFor is sshd's answer about a key, without the key itself; empty when it is refused.
func answerFor(rights *Rights, key string, now time.Time, domains []string) string {
	connections := NewConnections(rights, domains, quiet)
	connections.now = func() time.Time { return now }
	parsed, err := ParsePublicKey(key)
	if err != nil {
		return ""
	}
	text := connections.Answer(1, parsed)
	return strings.TrimSuffix(strings.TrimSuffix(text, parsed.String()+"\n"), " ")
}

func TestWhatSshdIsTold(t *testing.T) {
	ann, bob := newKey(t), newKey(t)
	tests := []struct {
		name      string
		instances []*gpuInstance
		asks      string
		domains   []string
		want      string
	}{
		{"a key opens its instance", []*gpuInstance{object(t, "org-a", "dev", ann)}, ann, alone,
			`restrict,port-forwarding,permitopen="dev.instances.org-a.svc:22"`},
		{"by its whole name, too", []*gpuInstance{object(t, "org-a", "dev", ann)}, ann, both,
			`restrict,port-forwarding,permitopen="dev.instances.org-a.svc:22",permitopen="dev.instances.org-a.svc.cluster.local:22"`},
		{"one line names all its instances, in the order of their names",
			[]*gpuInstance{object(t, "org-b", "dev", ann), object(t, "org-a", "two", ann, bob), object(t, "org-a", "one", ann)}, ann, alone,
			`restrict,port-forwarding,permitopen="one.instances.org-a.svc:22",permitopen="two.instances.org-a.svc:22",permitopen="dev.instances.org-b.svc:22"`},
		{"another's key opens nothing", []*gpuInstance{object(t, "org-a", "dev", ann)}, bob, alone, ``},
		{"until it expires", []*gpuInstance{object(t, "org-a", "dev", ann+"|2026-11-21T12:00:01Z")}, ann, alone,
			`restrict,port-forwarding,expiry-time="20261121120001Z",permitopen="dev.instances.org-a.svc:22"`},
		{"an expiry of another zone is said in UTC", []*gpuInstance{object(t, "org-a", "dev", ann+"|2026-11-21T21:00:01+09:00")}, ann, alone,
			`restrict,port-forwarding,expiry-time="20261121120001Z",permitopen="dev.instances.org-a.svc:22"`},
		{"not when it has expired", []*gpuInstance{object(t, "org-a", "dev", ann+"|2026-11-21T12:00:00Z")}, ann, alone, ``},
		{"expired for one instance, not for the other, whose expiry counts",
			[]*gpuInstance{object(t, "org-a", "one", ann+"|2026-11-21T11:00:00Z"), object(t, "org-a", "two", ann+"|2026-11-21T13:00:00Z")}, ann, alone,
			`restrict,port-forwarding,expiry-time="20261121130000Z",permitopen="two.instances.org-a.svc:22"`},
		{"the latest expiry of several",
			[]*gpuInstance{object(t, "org-a", "one", ann+"|2026-11-21T14:00:00Z"), object(t, "org-a", "two", ann+"|2026-11-21T13:00:00Z")}, ann, alone,
			`restrict,port-forwarding,expiry-time="20261121140000Z",permitopen="one.instances.org-a.svc:22",permitopen="two.instances.org-a.svc:22"`},
		{"none, when one of several has none",
			[]*gpuInstance{object(t, "org-a", "one", ann), object(t, "org-a", "two", ann+"|2026-11-21T13:00:00Z")}, ann, alone,
			`restrict,port-forwarding,permitopen="one.instances.org-a.svc:22",permitopen="two.instances.org-a.svc:22"`},
		{"a key named twice is one, as long as either lasts",
			[]*gpuInstance{object(t, "org-a", "dev", ann+" home|2026-11-21T11:00:00Z", ann+" work|2026-11-21T13:00:00Z")}, ann, alone,
			`restrict,port-forwarding,expiry-time="20261121130000Z",permitopen="dev.instances.org-a.svc:22"`},
		{"a remark of the key's own text is dropped",
			[]*gpuInstance{object(t, "org-a", "dev", ann+` x"`+"\n"+`command="evil" `+bob)}, ann, alone,
			`restrict,port-forwarding,permitopen="dev.instances.org-a.svc:22"`},
		{"and what it says of another key is nothing",
			[]*gpuInstance{object(t, "org-a", "dev", ann+"\n"+bob)}, bob, alone, ``},
		{"a name that is none is left out", []*gpuInstance{object(t, "org-a", `x",permitopen="*:*`, ann)}, ann, alone, ``},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rights := NewRights()
			objects := []any{}
			for _, one := range test.instances {
				objects = append(objects, one)
			}
			// The first list, and the same instances one by one: both ways lead to the same rights.
			listed := store{&follower{rights: rights}}
			if err := listed.Replace(objects, "1"); err != nil {
				t.Fatal(err)
			}
			if got := answerFor(rights, test.asks, noon, test.domains); got != test.want {
				t.Errorf("listed:\n got %s\nwant %s", got, test.want)
			}
			rights = NewRights()
			watched := store{&follower{rights: rights}}
			for range 2 {
				for _, one := range objects {
					if err := watched.Add(one); err != nil {
						t.Fatal(err)
					}
				}
			}
			if got := answerFor(rights, test.asks, noon, test.domains); got != test.want {
				t.Errorf("watched:\n got %s\nwant %s", got, test.want)
			}
		})
	}
}

func TestRightsEnd(t *testing.T) {
	ann := newKey(t)
	one, two := object(t, "org-a", "one", ann), object(t, "org-a", "two", ann)
	going := object(t, "org-a", "two", ann)
	if err := json.Unmarshal([]byte(`{"metadata":{"namespace":"org-a","name":"two","deletionTimestamp":"2026-11-21T12:00:00Z"}}`), going); err != nil {
		t.Fatal(err)
	}
	onlyOne := `restrict,port-forwarding,permitopen="one.instances.org-a.svc:22"`
	for name, end := range map[string]func(store) error{
		"the key is taken away": func(s store) error { return s.Update(object(t, "org-a", "two")) },
		"the instance is gone":  func(s store) error { return s.Delete(two) },
		"the instance goes":     func(s store) error { return s.Update(going) },
		"a later list lacks it": func(s store) error { return s.Replace([]any{one}, "2") },
	} {
		t.Run(name, func(t *testing.T) {
			rights := NewRights()
			s := store{&follower{rights: rights}}
			if err := s.Replace([]any{one, two}, "1"); err != nil {
				t.Fatal(err)
			}
			if err := end(s); err != nil {
				t.Fatal(err)
			}
			if got := answerFor(rights, ann, noon, alone); got != onlyOne {
				t.Errorf("got %s", got)
			}
			if err := s.Replace(nil, "3"); err != nil {
				t.Fatal(err)
			}
			if instances, keys := rights.Counts(); instances != 0 || keys != 0 {
				t.Errorf("%d instances and %d keys are left of nothing", instances, keys)
			}
		})
	}
}

func TestKeysThatAreNone(t *testing.T) {
	key := newKey(t)
	encoded := strings.Fields(key)[1]
	dsa := binary.BigEndian.AppendUint32(nil, 7)
	dsa = append(dsa, "ssh-dss"...)
	for name, text := range map[string]string{
		"nothing":                  "",
		"an algorithm alone":       "ssh-ed25519",
		"another algorithm's name": "ssh-rsa " + encoded,
		"DSA":                      "ssh-dss " + base64.StdEncoding.EncodeToString(dsa),
		"not base64":               "ssh-ed25519 ###",
		"a line end inside":        "ssh-ed25519 " + encoded[:20] + "\n" + encoded[20:],
		"a line end before":        "ssh-ed25519 \n" + encoded,
		"options before":           `command="x" ` + key,
		"half a key":               "ssh-ed25519 " + encoded[:40],
		"more than a key":          "ssh-ed25519 " + base64.StdEncoding.EncodeToString(append(mustDecode(t, encoded), 'x')),
		"a quote in the algorithm": `ssh-ed25519"x ` + encoded,
	} {
		t.Run(name, func(t *testing.T) {
			if parsed, err := ParsePublicKey(text); err == nil {
				t.Errorf("%q is taken for %s", text, parsed)
			}
		})
	}
}

func mustDecode(t *testing.T, text string) []byte {
	t.Helper()
	decoded, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		t.Fatal(err)
	}
	return decoded
}

// Whatever a key's text contains, sshd reads one line that begins with our options and ends with the key.
func FuzzNothingTypedReachesSshd(f *testing.F) {
	key := newKey(f)
	f.Add(key)
	f.Add(key + " remark")
	f.Add(key + "\n" + key)
	f.Add("ssh-ed25519\n" + key)
	f.Fuzz(func(t *testing.T, text string) {
		parsed, err := ParsePublicKey(text)
		if err != nil {
			return
		}
		said := line(parsed, []Target{{"org-a", "dev"}}, time.Time{}, alone)
		if strings.Count(said, "\n") != 1 || strings.Count(said, `"`) != 2 || len(strings.Fields(said)) != 3 {
			t.Errorf("%q became %q", text, said)
		}
	})
}

// OpenSSH refuses a line of more: better the first four thousand than none.
func TestAKeyOfVeryManyInstances(t *testing.T) {
	ann := newKey(t)
	rights := NewRights()
	all := []Instance{}
	key, err := ParsePublicKey(ann)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 5000 {
		target := Target{Namespace: "org-a", Name: fmt.Sprintf("i%04d", i)}
		all = append(all, Instance{Target: target, Running: i >= 4000, Keys: []KeyUntil{{Fingerprint: key.Fingerprint()}}})
	}
	rights.Replace(all)
	said := answerFor(rights, ann, noon, both)
	if got := strings.Count(said, "permitopen="); got != mostPermits {
		t.Errorf("%d targets", got)
	}
	for _, running := range []string{"i4000.", "i4999."} {
		if !strings.Contains(said, `"`+running) {
			t.Errorf("%s runs and is left out", running)
		}
	}
}

func TestTargetsAreReadAsTheyAreWritten(t *testing.T) {
	for host, want := range map[string]string{
		"dev.instances.org-a.svc":               "org-a/dev",
		"dev.instances.org-a.svc.cluster.local": "org-a/dev",
		"dev.instances.org-a.svc.":              "",
		"dev.services.org-a.svc":                "",
		"dev.instances.org-a":                   "",
		"a.dev.instances.org-a.svc":             "",
		"dev.instances.org-a.svc.other.domain":  "",
		"kubernetes.default.svc":                "",
	} {
		target, ok := targetOf(host, both)
		if got := target.String(); ok != (want != "") || ok && got != want {
			t.Errorf("%s is %q, %v", host, got, ok)
		}
	}
}

func TestTenThousandInstances(t *testing.T) {
	const instances, keysEach = 10_000, 3
	rights := NewRights()
	var last string
	before := heap()
	objects := make([]any, instances)
	for i := range objects {
		keys := make([]string, keysEach)
		for j := range keys {
			keys[j] = newKey(t)
		}
		last = keys[0]
		objects[i] = object(t, fmt.Sprintf("org-%03d", i%100), fmt.Sprintf("dev-%05d", i), keys...)
	}
	started := time.Now()
	if err := (store{&follower{rights: rights}}).Replace(objects, "1"); err != nil {
		t.Fatal(err)
	}
	replaced := time.Since(started)
	objects = nil
	used := heap() - before
	started = time.Now()
	said := answerFor(rights, last, noon, both)
	t.Logf("%d instances with %d keys: rights made in %v, one answer in %v, %.1f MiB", instances, keysEach, replaced, time.Since(started), float64(used)/(1<<20))
	if !strings.Contains(said, "dev-09999.instances.org-099.svc:22") {
		t.Errorf("the last instance's key is told %q", said)
	}
	if _, keys := rights.Counts(); keys != instances*keysEach {
		t.Errorf("%d keys", keys)
	}
	// A bound against keeping whole objects, which are a hundred times as much.
	if used > 32<<20 {
		t.Errorf("%d bytes", used)
	}
}

func heap() int64 {
	var stats runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&stats)
	return int64(stats.HeapAlloc)
}

// The options are OpenSSH's own: a client's tools read the line as sshd will.
func TestOpenSSHReadsTheLine(t *testing.T) {
	keygen, err := exec.LookPath("ssh-keygen")
	if err != nil {
		t.Skip("no ssh-keygen on this machine")
	}
	ann := newKey(t)
	parsed, err := ParsePublicKey(ann)
	if err != nil {
		t.Fatal(err)
	}
	command := exec.Command(keygen, "-l", "-f", "-")
	command.Stdin = strings.NewReader(line(parsed, []Target{{"org-a", "dev"}}, noon, both))
	said, err := command.CombinedOutput()
	if err != nil || !strings.Contains(string(said), parsed.Fingerprint().String()) {
		t.Errorf("%v: %s", err, said)
	}
}
