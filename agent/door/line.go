package door

import (
	"slices"
	"strings"
	"time"
)

// OpenSSH's SSH_AUTHOPT_PERMIT_MAX: with one more, it refuses the whole line.
const mostPermits = 4096

// line is what sshd reads about one key: its targets, and a prohibition of everything else that a connection can be used for. One
// line names all targets, because sshd takes the first line that matches the key. `domains` are the suffixes a client may append
// to the address; the empty one is the address itself.
func line(key PublicKey, targets []Target, until time.Time, domains []string) string {
	var text strings.Builder
	text.WriteString("restrict,port-forwarding")
	if !until.IsZero() {
		text.WriteString(`,expiry-time="` + until.UTC().Format("20060102150405") + `Z"`)
	}
	for _, target := range withinLimit(targets, domains) {
		for _, domain := range domains {
			text.WriteString(`,permitopen="` + target.Host() + domain + `:22"`)
		}
	}
	return text.String() + " " + key.String() + "\n"
}

// withinLimit are the targets that fit on a line.
func withinLimit(targets []Target, domains []string) []Target {
	return targets[:min(len(targets), mostPermits/len(domains))]
}

// targetOf reads the name that a client asked for; ok is false for one that no instance has.
func targetOf(host string, domains []string) (target Target, ok bool) {
	for _, domain := range domains {
		parts := strings.Split(strings.TrimSuffix(host, domain), ".")
		if strings.HasSuffix(host, domain) && len(parts) == 4 && slices.Equal([]string{parts[1], parts[3]}, []string{"instances", "svc"}) {
			return Target{Namespace: parts[2], Name: parts[0]}, true
		}
	}
	return Target{}, false
}
