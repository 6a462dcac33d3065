package registry

import (
	"context"
	"crypto/subtle"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"time"
)

const (
	platformUser = "platform"
	serviceUser  = "serviceaccount"
	// A login that was right stays trusted not to be a guess for so long; whether it still is right is found out each time.
	trustedFor = 7 * 24 * time.Hour
)

// errDenied is the same for a user who does not exist and for a wrong password.
var errDenied = errors.New("unknown user or wrong password")

// errTooMany says when to try again.
type errTooMany struct{ after time.Duration }

func (e errTooMany) Error() string {
	return fmt.Sprintf("too many failed logins; try again in %d s", int(e.after.Seconds())+1)
}

// Logins finds out who a caller is.
type Logins struct {
	passwords *Passwords
	reviews   *Reviews
	failures  *Failures
	// Holds the platform user's password; read at each login, so that it can be replaced.
	platformFile string
	now          func() time.Time
	mutex        sync.Mutex
	trusted      map[digest]time.Time
}

// identify returns errDenied, errTooMany, or the error that prevented it from finding out.
func (l *Logins) identify(ctx context.Context, user, password, address string) (Identity, error) {
	login := digestOf(user + "\x00" + password)
	// The platform's accounts share their node's address with everything on the node.
	_, claims := claimed(password)
	isAccount := claims.Kind == Service && user == serviceUser
	if after := l.failures.wait(address, user, isAccount); after > 0 && !l.isTrusted(login) {
		return Identity{}, errTooMany{after}
	}
	who, ok, err := l.find(ctx, user, password)
	switch {
	case err != nil:
		return Identity{}, err
	case !ok:
		l.failures.note(address, user)
		return Identity{}, errDenied
	}
	l.trust(login)
	return who, nil
}

func (l *Logins) find(ctx context.Context, user, password string) (Identity, bool, error) {
	switch {
	case user == serviceUser:
		return l.reviews.identify(ctx, password)
	case user == platformUser:
		ok, err := l.isPlatforms(password)
		return Identity{Platform, platformUser}, ok, err
	case isOrganisation(user):
		ok, err := l.passwords.matches(ctx, user, password)
		return Identity{Organisation, user}, ok, err
	}
	return Identity{}, false, nil
}

func (l *Logins) isPlatforms(password string) (bool, error) {
	if l.platformFile == "" {
		return false, nil
	}
	text, err := os.ReadFile(l.platformFile)
	if err != nil {
		return false, err
	}
	// An empty file is no password.
	wanted, given := digestOf(strings.TrimSpace(string(text))), digestOf(password)
	return subtle.ConstantTimeCompare(wanted[:], given[:]) == 1 && password != "", nil
}

func (l *Logins) isTrusted(login digest) bool {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	at, ok := l.trusted[login]
	return ok && l.now().Sub(at) < trustedFor
}

func (l *Logins) trust(login digest) {
	l.mutex.Lock()
	defer l.mutex.Unlock()
	if len(l.trusted) >= mostKept {
		clear(l.trusted)
	}
	l.trusted[login] = l.now()
}
