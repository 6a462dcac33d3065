package door

import (
	"crypto/ed25519"
	"crypto/rand"
	"crypto/rsa"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

var (
	noon = time.Date(2026, 11, 21, 12, 0, 0, 0, time.UTC)
	both = []string{"", ".cluster.local"}
)

func newKey(t testing.TB) string {
	t.Helper()
	_, text := newSigner(t)
	return text
}

func newSigner(t testing.TB) (ssh.Signer, string) {
	t.Helper()
	_, private, err := ed25519.GenerateKey(rand.Reader)
	if err != nil {
		t.Fatal(err)
	}
	signer, err := ssh.NewSignerFromKey(private)
	if err != nil {
		t.Fatal(err)
	}
	return signer, strings.TrimSpace(string(ssh.MarshalAuthorizedKey(signer.PublicKey())))
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
		"status":   map[string]any{"podIP": "10.9.0.1"},
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

// opens are the instances that a key opens, with blanks between.
func opens(rights *Rights, key string, now time.Time) string {
	parsed, err := ParsePublicKey(key)
	if err != nil {
		return ""
	}
	names := []string{}
	for _, target := range rights.Of(parsed, now) {
		if !rights.May(parsed, target, now) {
			return target.String() + " is named and not opened"
		}
		names = append(names, target.String())
	}
	if rights.MayAny(parsed, now) != (len(names) > 0) {
		return "a login that leads nowhere, or none that leads somewhere"
	}
	return strings.Join(names, " ")
}

func TestWhatAKeyOpens(t *testing.T) {
	ann, bob := newKey(t), newKey(t)
	tests := []struct {
		name      string
		instances []*gpuInstance
		asks      string
		// At noon, and one second and one hour later.
		want, second, hour string
	}{
		{"a key opens its instance", []*gpuInstance{object(t, "org-a", "dev", ann)}, ann, "org-a/dev", "org-a/dev", "org-a/dev"},
		{"all its instances, in the order of their names",
			[]*gpuInstance{object(t, "org-b", "dev", ann), object(t, "org-a", "two", ann, bob), object(t, "org-a", "one", ann)}, ann,
			"org-a/one org-a/two org-b/dev", "org-a/one org-a/two org-b/dev", "org-a/one org-a/two org-b/dev"},
		{"another's key opens nothing", []*gpuInstance{object(t, "org-a", "dev", ann)}, bob, "", "", ""},
		{"until it expires", []*gpuInstance{object(t, "org-a", "dev", ann+"|2026-11-21T12:00:01Z")}, ann, "org-a/dev", "", ""},
		{"an expiry of another zone", []*gpuInstance{object(t, "org-a", "dev", ann+"|2026-11-21T21:00:01+09:00")}, ann, "org-a/dev", "", ""},
		{"not when it has expired", []*gpuInstance{object(t, "org-a", "dev", ann+"|2026-11-21T12:00:00Z")}, ann, "", "", ""},
		{"expired for one instance, not for the other",
			[]*gpuInstance{object(t, "org-a", "one", ann+"|2026-11-21T11:00:00Z"), object(t, "org-a", "two", ann+"|2026-11-21T13:00:00Z")}, ann,
			"org-a/two", "org-a/two", ""},
		{"each of several until its own expiry",
			[]*gpuInstance{object(t, "org-a", "one", ann+"|2026-11-21T14:00:00Z"), object(t, "org-a", "two", ann+"|2026-11-21T13:00:00Z")}, ann,
			"org-a/one org-a/two", "org-a/one org-a/two", "org-a/one"},
		{"for good, where one of several has no expiry",
			[]*gpuInstance{object(t, "org-a", "one", ann), object(t, "org-a", "two", ann+"|2026-11-21T13:00:00Z")}, ann,
			"org-a/one org-a/two", "org-a/one org-a/two", "org-a/one"},
		{"a key named twice is one, as long as either lasts",
			[]*gpuInstance{object(t, "org-a", "dev", ann+" home|2026-11-21T11:00:00Z", ann+" work|2026-11-21T13:00:00Z")}, ann,
			"org-a/dev", "org-a/dev", ""},
		{"a remark of the key's own text is dropped",
			[]*gpuInstance{object(t, "org-a", "dev", ann+` x"`+"\n"+`command="evil" `+bob)}, ann, "org-a/dev", "org-a/dev", "org-a/dev"},
		{"and what it says of another key is nothing", []*gpuInstance{object(t, "org-a", "dev", ann+"\n"+bob)}, bob, "", "", ""},
		{"a name that is none is left out", []*gpuInstance{object(t, "org-a", `x",permitopen="*:*`, ann)}, ann, "", "", ""},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			rights := NewRights()
			objects := []any{}
			for _, one := range test.instances {
				objects = append(objects, one)
			}
			isRight := func(how string) {
				t.Helper()
				for after, want := range map[time.Duration]string{0: test.want, time.Second: test.second, time.Hour: test.hour} {
					if got := opens(rights, test.asks, noon.Add(after)); got != want {
						t.Errorf("%s, after %v:\n got %s\nwant %s", how, after, got, want)
					}
				}
			}
			// The first list, and the same instances one by one: both ways lead to the same rights.
			listed := store{&follower{rights: rights}}
			if err := listed.Replace(objects, "1"); err != nil {
				t.Fatal(err)
			}
			isRight("listed")
			rights = NewRights()
			watched := store{&follower{rights: rights}}
			for range 2 {
				for _, one := range objects {
					if err := watched.Add(one); err != nil {
						t.Fatal(err)
					}
				}
			}
			isRight("watched")
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
			if got := opens(rights, ann, noon); got != "org-a/one" {
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
	short, err := rsa.GenerateKey(rand.Reader, 1024)
	if err != nil {
		t.Fatal(err)
	}
	shortKey, err := ssh.NewPublicKey(&short.PublicKey)
	if err != nil {
		t.Fatal(err)
	}
	dsa := binary.BigEndian.AppendUint32(nil, 7)
	dsa = append(dsa, "ssh-dss"...)
	for name, text := range map[string]string{
		"nothing":                  "",
		"an algorithm alone":       "ssh-ed25519",
		"another algorithm's name": "ssh-rsa " + encoded,
		"DSA":                      "ssh-dss " + base64.StdEncoding.EncodeToString(dsa),
		"RSA of 1024 bits":         string(ssh.MarshalAuthorizedKey(shortKey)),
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

// Whatever a tenant writes as a key, it is none, or one key, and no more of the text counts.
func FuzzPublicKeys(f *testing.F) {
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
		words := strings.SplitN(text, " ", 3)
		if again, err := ParsePublicKey(words[0] + " " + words[1]); err != nil || again != parsed {
			t.Errorf("%q is %s, and without its remark %s: %v", text, parsed, again, err)
		}
		read, _, _, _, err := ssh.ParseAuthorizedKey([]byte(words[0] + " " + words[1]))
		if err != nil || fingerprintOf(read) != parsed {
			t.Errorf("%q is another key to the SSH library: %v", text, err)
		}
	})
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
	said := opens(rights, last, noon)
	t.Logf("%d instances with %d keys: rights made in %v, one answer in %v, %.1f MiB", instances, keysEach, replaced, time.Since(started), float64(used)/(1<<20))
	if !strings.Contains(said, "org-099/dev-09999") {
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
