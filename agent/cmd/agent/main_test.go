package main

import "testing"

func TestArgumentsThatMakeNoSense(t *testing.T) {
	for name, args := range map[string][]string{
		"none":                           {},
		"an unknown command":             {"unknown"},
		"install without a folder":       {"install"},
		"install with two":               {"install", "a", "b"},
		"a version of something":         {"version", "x"},
		"init with a command but no --":  {"init", "sh"},
		"init with half of SSH":          {"init", "--ssh", ":22", "--", "sh"},
		"init with a flag of others":     {"init", "--listen", ":22"},
		"an SSH server without keys":     {"ssh-server", "--listen", ":22", "--host-key", "x"},
		"an SSH server with more":        {"ssh-server", "--listen", ":22", "--host-key", "x", "--keys", "y", "z"},
		"an sftp server with an address": {"sftp-server", ":22"},
	} {
		if got := run(args); got != 2 {
			t.Errorf("%s: exit code %d, want 2", name, got)
		}
	}
	if got := run([]string{"version"}); got != 0 {
		t.Errorf("version: exit code %d", got)
	}
}
