package registry

import (
	"regexp"
	"slices"
	"strings"
)

// Kind is the kind of caller; it decides what they may do.
type Kind string

const (
	// Anonymous gave neither name nor password.
	Anonymous Kind = "anonymous"
	// Organisation is known by the name of its namespace.
	Organisation Kind = "organisation"
	// Service is an account of the platform's own: the node agent, and this very process.
	Service Kind = "service"
	// Staff is the account that the platform's staff read kept logs by.
	Staff Kind = "staff"
	// Platform is the operator of the installation.
	Platform Kind = "platform"
)

// Identity is whom a caller was found to be.
type Identity struct {
	Kind Kind
	// The namespace, the account or "platform"; empty for Anonymous.
	Name string
}

// Access is one resource and the permitted actions, as scopes and tokens spell it.
type Access struct {
	Type    string   `json:"type"`
	Name    string   `json:"name"`
	Actions []string `json:"actions"`
}

const (
	actionPull   = "pull"
	actionPush   = "push"
	actionDelete = "delete"
	typeRepo     = "repository"
	typeRegistry = "registry"
)

// The grammar of the distribution specification: other strings cannot be repositories, so that no name is understood differently
// here and by the registry.
var repository = regexp.MustCompile(`^[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*(/[a-z0-9]+((\.|_|__|-+)[a-z0-9]+)*)+$`)

// As Kubernetes has it, and as an Organization names its own.
var organisationNamespace = regexp.MustCompile(`^org-[a-z0-9]([-a-z0-9]*[a-z0-9])?$`)

const longestNamespace = 63

func isOrganisation(user string) bool {
	return len(user) <= longestNamespace && organisationNamespace.MatchString(user)
}

// parseScopes reads "repository:org-acme/work:pull,push"; several are joined by spaces or repeated. What is no scope is left out.
func parseScopes(texts []string) []Access {
	var scopes []Access
	for _, text := range texts {
		for _, word := range strings.Fields(text) {
			kind, rest, _ := strings.Cut(word, ":")
			// A name may hold a colon, actions never do.
			last := strings.LastIndex(rest, ":")
			if kind == "" || last < 1 {
				continue
			}
			scopes = append(scopes, Access{Type: kind, Name: rest[:last], Actions: strings.Split(rest[last+1:], ",")})
		}
	}
	return scopes
}

// grant reduces each requested scope to what this caller may do: a caller that may not see a repository gets the same answer
// whether or not it exists.
func grant(who Identity, wanted []Access) []Access {
	granted := []Access{}
	for _, scope := range wanted {
		var actions []string
		for _, action := range scope.Actions {
			if may(who, scope, action) && !slices.Contains(actions, action) {
				actions = append(actions, action)
			}
		}
		if len(actions) > 0 {
			granted = append(granted, Access{Type: scope.Type, Name: scope.Name, Actions: actions})
		}
	}
	return granted
}

// The name of a repository in which the node agent keeps logs ends so.
const logSuffix = ".log"

// In everybody's sight: what instances start from, and what nodes need before they know anybody.
var open = []string{"official", "gantry"}

func may(who Identity, scope Access, action string) bool {
	if scope.Type == typeRegistry {
		return who.Kind == Platform && scope.Name == "catalog" && action == "*"
	}
	if scope.Type != typeRepo || !repository.MatchString(scope.Name) {
		return false
	}
	first, _, _ := strings.Cut(scope.Name, "/")
	isOpen := slices.Contains(open, first)
	switch who.Kind {
	case Platform:
		return action == actionPull || action == actionPush || action == actionDelete
	case Service:
		return action == actionPull || action == actionPush
	case Staff:
		return action == actionPull && first != scope.Name && isOrganisation(first) && strings.HasSuffix(scope.Name, logSuffix)
	case Organisation:
		return action == actionPull && (isOpen || first == who.Name)
	case Anonymous:
		return action == actionPull && isOpen
	}
	return false
}
