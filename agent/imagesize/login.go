package imagesize

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/google/go-containerregistry/pkg/authn"
	"github.com/google/go-containerregistry/pkg/name"
)

// loginFor finds the login as the kubelet does: keys are a host, with * within its labels, and perhaps the beginning of a path. The
// longest of those that match counts, and the first by name of those that are as long.
func loginFor(secret string, repository name.Repository) authn.Authenticator {
	var config struct {
		Auths map[string]authn.AuthConfig `json:"auths"`
	}
	// A secret that nobody can read logs nobody in; the pull says so.
	_ = json.Unmarshal([]byte(secret), &config)
	longest, login := "", authn.Anonymous
	for key, found := range config.Auths {
		isBetter := len(key) > len(longest) || (len(key) == len(longest) && key < longest)
		if isBetter && matches(key, repository) {
			longest, login = key, authn.FromConfig(found)
		}
	}
	return login
}

func matches(key string, repository name.Repository) bool {
	bare := strings.TrimPrefix(strings.TrimPrefix(key, "https://"), "http://")
	host, below, _ := strings.Cut(bare, "/")
	below = strings.Trim(below, "/")
	// Docker's own key has the version of the API behind it.
	if below == "v1" || below == "v2" {
		below = ""
	}
	if !strings.HasPrefix(repository.RepositoryStr()+"/", strings.TrimPrefix(below+"/", "/")) {
		return false
	}
	for _, called := range namesOf(repository.RegistryStr()) {
		if isHost(host, called) {
			return true
		}
	}
	return false
}

// isHost compares label by label: a * stands for no dot, and never for every host.
func isHost(pattern, host string) bool {
	patterns, labels := strings.Split(pattern, "."), strings.Split(host, ".")
	if len(patterns) != len(labels) {
		return false
	}
	for at, label := range labels {
		if is, err := path.Match(patterns[at], label); err != nil || !is {
			return false
		}
	}
	return true
}

func namesOf(registry string) []string {
	if registry == name.DefaultRegistry {
		return []string{name.DefaultRegistry, "docker.io", "registry-1.docker.io"}
	}
	return []string{registry}
}
