package sshd

import (
	"bytes"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/crypto/ssh"
)

// Public keys of nobody.
const (
	anna = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIHUoy0mWnXhT4fkZhtN0qyiH5BIuZSItgSU8RzjOpdHh"
	bert = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIGZpZmYgYnl0ZXMgdGhhdCBhcmUgbm8gcG9pbnQgeWV0"
)

func TestParseKeys(t *testing.T) {
	never := time.Time{}
	in2030 := time.Date(2030, 1, 2, 3, 4, 5, 0, time.UTC)
	cases := map[string]struct {
		text    string
		want    map[string]time.Time // by the key's text
		remarks int
	}{
		"nothing":                                  {"", nil, 0},
		"remarks and empty lines":                  {"# anna\n\n   \n\t# bert", nil, 0},
		"a key with a remark":                      {anna + " anna's notebook\n", map[string]time.Time{anna: never}, 0},
		"a last line without its end":              {anna, map[string]time.Time{anna: never}, 0},
		"lines of Windows":                         {anna + "\r\n" + bert + "\r\n", map[string]time.Time{anna: never, bert: never}, 0},
		"an expiry in UTC":                         {`expiry-time="20300102030405Z" ` + anna, map[string]time.Time{anna: in2030}, 0},
		"an expiry without Z is UTC too":           {`expiry-time="20300102030405" ` + anna, map[string]time.Time{anna: in2030}, 0},
		"an expiry by the minute":                  {`expiry-time="203001020304Z" ` + anna, map[string]time.Time{anna: in2030.Truncate(time.Minute)}, 0},
		"an expiry by the day":                     {`expiry-time="20300102" ` + anna, map[string]time.Time{anna: time.Date(2030, 1, 2, 0, 0, 0, 0, time.UTC)}, 0},
		"the name in capitals":                     {`Expiry-Time="20300102030405Z" ` + anna, map[string]time.Time{anna: in2030}, 0},
		"two expiries: the earlier":                {`expiry-time="20400101",expiry-time="20300102030405Z" ` + anna, map[string]time.Time{anna: in2030}, 0},
		"a key twice: the longer":                  {`expiry-time="20300102030405Z" ` + anna + "\n" + anna, map[string]time.Time{anna: never}, 0},
		"a key twice, the other way round":         {anna + "\n" + `expiry-time="20300102030405Z" ` + anna, map[string]time.Time{anna: never}, 0},
		"an expiry that is no time lets nobody in": {`expiry-time="20301402030405Z" ` + anna + "\n" + bert, map[string]time.Time{bert: never}, 1},
		"an empty expiry too":                      {`expiry-time="" ` + anna, nil, 1},
		"a condition that is not kept":             {`from="10.0.0.0/8" ` + anna + "\nrestrict " + bert, nil, 2},
		"a condition beside an expiry":             {`expiry-time="20300102030405Z",no-pty ` + anna, nil, 1},
		"an authority is no key":                   {"cert-authority " + anna, nil, 1},
		"junk does not hide what follows":          {"junk\nssh-ed25519 AAAA\nssh-ed25519\n" + anna, map[string]time.Time{anna: never}, 3},
		"a key of another kind than it says":       {strings.Replace(anna, "ssh-ed25519", "ssh-rsa", 1), nil, 1},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			keys, remarks := parseKeys([]byte(c.text))
			if len(keys) != len(c.want) || len(remarks) != c.remarks {
				t.Fatalf("%d keys, remarks %q", len(keys), remarks)
			}
			for text, expires := range c.want {
				wire, _ := base64.StdEncoding.DecodeString(strings.Fields(text)[1])
				if got, found := keys[string(wire)]; !found || !got.expires.Equal(expires) {
					t.Errorf("%s: found %v, expires %v, want %v", text, found, got.expires, expires)
				}
			}
			for _, remark := range remarks {
				if strings.Contains(remark, "AAAA") {
					t.Errorf("the remark shows the line: %s", remark)
				}
			}
		})
	}
}

func FuzzParseKeys(f *testing.F) {
	for _, seed := range []string{
		anna, `expiry-time="20300102030405Z" ` + anna + " anna\n" + bert, `a="\"",expiry-time="x ` + anna, "\x00\n" + anna, `command="x" ` + anna,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		keys, remarks := parseKeys(text)
		lines := bytes.Count(text, []byte("\n")) + 1
		if len(keys)+len(remarks) > lines {
			t.Fatalf("%d keys and %d remarks from %d lines", len(keys), len(remarks), lines)
		}
		for wire, key := range keys {
			public, err := ssh.ParsePublicKey([]byte(wire))
			if err != nil {
				t.Fatal(err)
			}
			// It stands there as it is, in a line without any condition but an expiry.
			stands := false
			for line := range bytes.Lines(text) {
				again, _, options, _, err := ssh.ParseAuthorizedKey(line)
				if err != nil || !bytes.Equal(again.Marshal(), public.Marshal()) {
					continue
				}
				others := false
				for _, option := range options {
					others = others || !strings.HasPrefix(strings.ToLower(option), "expiry-time")
				}
				stands = stands || (!others && (len(options) > 0 || key.expires.IsZero()))
			}
			if !stands {
				t.Fatalf("a key from nowhere, expires %v", key.expires)
			}
		}
	})
}

func TestKeyring(t *testing.T) {
	path := filepath.Join(t.TempDir(), "keys")
	var said []string
	ring := &keyring{path: path, log: func(format string, _ ...any) { said = append(said, format) }}
	wire, _ := base64.StdEncoding.DecodeString(strings.Fields(anna)[1])
	mayLogIn := func() error {
		ring.readAt = time.Time{} // a second later
		_, err := ring.mayLogIn(string(wire))
		return err
	}
	for range 3 {
		if err := mayLogIn(); err == nil || !strings.Contains(err.Error(), "is not there") {
			t.Error(err)
		}
	}
	if len(said) != 1 {
		t.Errorf("said %d times that the file is not there", len(said))
	}
	write := func(text string) {
		t.Helper()
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write(anna)
	if err := mayLogIn(); err != nil {
		t.Error(err)
	}
	// Content counts, not the time of change: the same size, at the same time.
	info, _ := os.Stat(path)
	write(strings.Replace(anna, "AAAAIH", "AAAAIG", 1))
	_ = os.Chtimes(path, info.ModTime(), info.ModTime())
	if err := mayLogIn(); err != errUnknownKey {
		t.Error(err)
	}
	write(`expiry-time="20200101" ` + anna)
	if err := mayLogIn(); err != errExpiredKey {
		t.Error(err)
	}
	write(anna + "\n" + strings.Repeat("#", maxKeysBytes))
	if err := mayLogIn(); err == nil || !strings.Contains(err.Error(), "is larger than") {
		t.Error(err)
	}
	if err := ring.mayStay(string(wire)); err != errExpiredKey {
		t.Errorf("while it cannot be read, the last good list counts: %v", err)
	}
	// Within a second nothing is read again.
	write(anna)
	if _, err := ring.mayLogIn(string(wire)); err == nil {
		t.Error("read twice within a second")
	}
}
