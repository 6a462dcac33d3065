package registry

import (
	"reflect"
	"testing"
)

var (
	nobody   = Identity{Kind: Anonymous}
	acme     = Identity{Organisation, "org-acme"}
	agent    = Identity{Service, "gantry-agent"}
	readers  = Identity{Staff, "gantry-staff"}
	platform = Identity{Platform, platformUser}
)

func TestWhoMayDoWhat(t *testing.T) {
	all := "pull,push,delete"
	for _, row := range []struct {
		who    Identity
		wanted string
		gets   string
	}{
		{nobody, "repository:official/busybox:" + all, "repository:official/busybox:pull"},
		{nobody, "repository:gantry/pause:" + all, "repository:gantry/pause:pull"},
		{nobody, "repository:org-acme/work:" + all, ""},
		{nobody, "registry:catalog:*", ""},
		{acme, "repository:org-acme/work:" + all, "repository:org-acme/work:pull"},
		{acme, "repository:org-acme/dev.root:pull", "repository:org-acme/dev.root:pull"},
		{acme, "repository:org-acme/a/b/c:pull", "repository:org-acme/a/b/c:pull"},
		{acme, "repository:official/busybox:pull,push", "repository:official/busybox:pull"},
		{acme, "repository:gantry/pause:pull", "repository:gantry/pause:pull"},
		{acme, "repository:org-other/work:" + all, ""},
		// Beginnings of names are not names.
		{acme, "repository:org-acme-2/work:pull", ""},
		{acme, "repository:org-acm/work:pull", ""},
		{acme, "repository:org-acme:pull", ""},
		{acme, "repository:official:pull", ""},
		// Scopes that the registry might read differently.
		{acme, "repository:org-acme/../org-other/work:pull", ""},
		{acme, "repository:org-acme//work:pull", ""},
		{acme, "repository:/org-acme/work:pull", ""},
		{acme, "repository:org-acme/work/:pull", ""},
		{acme, "repository:Org-acme/work:pull", ""},
		{acme, "repository:org-acme/%2e%2e/x:pull", ""},
		{acme, "repository(plugin):org-acme/work:pull", ""},
		{acme, "repository:org-acme/work:*", ""},
		{acme, "registry:catalog:*", ""},
		{agent, "repository:org-acme/dev.root:" + all, "repository:org-acme/dev.root:pull,push"},
		{agent, "repository:official/busybox:pull", "repository:official/busybox:pull"},
		{agent, "registry:catalog:*", ""},
		{readers, "repository:org-acme/dev.log:" + all, "repository:org-acme/dev.log:pull"},
		{readers, "repository:org-acme/dev.root:pull repository:org-acme/log:pull repository:official/busybox:pull", ""},
		{readers, "repository:gantry/agent.log:pull", ""},
		{platform, "repository:official/busybox:" + all, "repository:official/busybox:" + all},
		{platform, "repository:org-acme/work:push", "repository:org-acme/work:push"},
		{platform, "registry:catalog:*", "registry:catalog:*"},
		// Several at once: each separately.
		{
			acme, "repository:org-acme/work:pull repository:org-other/work:pull repository:official/busybox:pull",
			"repository:org-acme/work:pull repository:official/busybox:pull",
		},
		{platform, "repository:org-acme/work:push,push,pull", "repository:org-acme/work:push,pull"},
		// Invalid scopes.
		{platform, "", ""},
		{platform, "repository", ""},
		{platform, "repository:org-acme/work", ""},
		{platform, "::", ""},
		{platform, "repository::pull", ""},
		{platform, "repository:org-acme/work:", ""},
	} {
		if gets := spell(grant(row.who, parseScopes([]string{row.wanted}))); gets != row.gets {
			t.Errorf("%s %s asks for %q and gets %q, not %q", row.who.Kind, row.who.Name, row.wanted, gets, row.gets)
		}
	}
}

func TestScopesAreRepeatedOrJoined(t *testing.T) {
	got := parseScopes([]string{"repository:a/b:pull", "repository:c/d:pull,push  repository:host:5000/e:pull"})
	want := []Access{
		{typeRepo, "a/b", []string{"pull"}}, {typeRepo, "c/d", []string{"pull", "push"}}, {typeRepo, "host:5000/e", []string{"pull"}},
	}
	if !reflect.DeepEqual(got, want) {
		t.Errorf("read %v", got)
	}
}

func TestAnOrganisationIsKnownByItsNamespace(t *testing.T) {
	for name, want := range map[string]bool{
		"org-acme": true, "org-a": true, "org-a-b-2": true,
		"": false, "org-": false, "acme": false, "org-Acme": false, "org-a-": false, "org-a/b": false, "org-a.b": false,
		"kube-system": false, "xorg-acme": false, "org-" + string(make([]byte, 70)): false,
	} {
		if isOrganisation(name) != want {
			t.Errorf("%q: %v", name, !want)
		}
	}
}
