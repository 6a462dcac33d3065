package sshd

import (
	"bytes"
	"encoding/base64"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/crypto/ssh"
)

// Larger than any list of keys that the platform writes.
const maxKeysBytes = 1 << 20

// How old the cached content of the file may be when it is used.
const keysFreshFor = time.Second

var (
	errUnknownKey = errors.New("this key is not in the list")
	errExpiredKey = errors.New("this key has expired")
)

// listedKey is one that may log in.
type listedKey struct {
	// Zero: never.
	expires time.Time
	remark  string
}

// parseKeys reads authorized_keys. Keys are found by their wire form. A line that gives a key conditions other than an expiry is
// skipped, because accepting it would grant more than it says; each skipped line is a remark.
func parseKeys(text []byte) (keys map[string]listedKey, remarks []string) {
	keys = map[string]listedKey{}
	number := 0
	for line := range bytes.Lines(text) {
		number++
		line = bytes.TrimSpace(line)
		if len(line) == 0 || line[0] == '#' {
			continue
		}
		public, remark, options, _, err := ssh.ParseAuthorizedKey(line)
		if err != nil || !saysItsKind(line, public) {
			remarks = append(remarks, fmt.Sprintf("line %d is no public key; it is left out", number))
			continue
		}
		expires, err := expiryOf(options)
		if err != nil {
			remarks = append(remarks, fmt.Sprintf("line %d: %v; it is left out", number, err))
			continue
		}
		wire := string(public.Marshal())
		// As with OpenSSH, any line that lets a key in is enough.
		if before, found := keys[wire]; found && !lastsLonger(expires, before.expires) {
			continue
		}
		keys[wire] = listedKey{expires, remark}
	}
	return keys, remarks
}

// saysItsKind is whether the word before the key is what the key itself says it is.
func saysItsKind(line []byte, public ssh.PublicKey) bool {
	words := strings.Fields(string(line))
	at := slices.Index(words, base64.StdEncoding.EncodeToString(public.Marshal()))
	return at > 0 && words[at-1] == public.Type()
}

func lastsLonger(a, b time.Time) bool {
	return !b.IsZero() && (a.IsZero() || a.After(b))
}

func expiryOf(options []string) (expires time.Time, err error) {
	for _, option := range options {
		name, value, _ := strings.Cut(option, "=")
		if !strings.EqualFold(name, "expiry-time") {
			return expires, fmt.Errorf("the option %q is not known here", name)
		}
		at, err := parseExpiry(strings.Trim(value, `"`))
		if err != nil {
			return expires, err
		}
		// The earliest of several, as with OpenSSH.
		if expires.IsZero() || at.Before(expires) {
			expires = at
		}
	}
	return expires, nil
}

// parseExpiry reads OpenSSH's YYYYMMDD[HHMM[SS]][Z]. Always as UTC: a tenant's TZ shall not lengthen a key's life.
func parseExpiry(text string) (time.Time, error) {
	text = strings.TrimSuffix(text, "Z")
	for _, layout := range []string{"20060102150405", "200601021504", "20060102"} {
		if len(text) == len(layout) {
			if at, err := time.ParseInLocation(layout, text, time.UTC); err == nil {
				return at, nil
			}
		}
	}
	return time.Time{}, errors.New("expiry-time is not YYYYMMDD[HHMM[SS]][Z]")
}

// keyring is the file of keys, read when it is asked about and at most every second.
type keyring struct {
	path string
	log  func(format string, args ...any)

	mu     sync.Mutex
	readAt time.Time
	text   []byte
	keys   map[string]listedKey
	// The fault of the file; the keys are then those of the last good reading.
	fault error
}

// mayLogIn is nil for a key that is listed and has not expired. Nobody can log in while the file cannot be read.
func (k *keyring) mayLogIn(wire string) (listedKey, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refresh()
	if k.fault != nil {
		return listedKey{}, k.fault
	}
	return k.check(wire)
}

// mayStay is mayLogIn for open connections: a file that is missing for a moment ends nobody's work.
func (k *keyring) mayStay(wire string) error {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.refresh()
	_, err := k.check(wire)
	return err
}

func (k *keyring) check(wire string) (listedKey, error) {
	key, found := k.keys[wire]
	switch {
	case !found:
		return key, errUnknownKey
	case !key.expires.IsZero() && !time.Now().Before(key.expires):
		return key, errExpiredKey
	}
	return key, nil
}

func (k *keyring) refresh() {
	if !k.readAt.IsZero() && time.Since(k.readAt) < keysFreshFor {
		return
	}
	k.readAt = time.Now()
	text, err := readKeys(k.path)
	if err != nil {
		if k.fault == nil || k.fault.Error() != err.Error() {
			k.log("%v; nobody can log in until it can be read", err)
		}
		k.fault = err
		return
	}
	isSame := k.keys != nil && bytes.Equal(text, k.text)
	if isSame && k.fault == nil {
		return
	}
	k.fault = nil
	if isSame {
		k.log("the list of keys can be read again")
		return
	}
	var remarks []string
	k.text = text
	k.keys, remarks = parseKeys(text)
	for _, remark := range remarks {
		k.log("%s: %s", k.path, remark)
	}
	k.log("keys that may log in: %d", len(k.keys))
}

func readKeys(path string) ([]byte, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("the list of keys %s is not there", path)
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	text, err := io.ReadAll(io.LimitReader(file, maxKeysBytes+1))
	if err == nil && len(text) > maxKeysBytes {
		err = fmt.Errorf("the list of keys %s is larger than %d bytes", path, maxKeysBytes)
	}
	return text, err
}
