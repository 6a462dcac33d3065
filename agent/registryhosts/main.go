// Package registryhosts tells a node's containerd where the platform's registry is, by a file that containerd reads at every pull
// (its config_path): no restart, and the node's own configuration stays as it is.
package registryhosts

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"strings"

	"gantry.dev/agent/snapshot/host"
)

// Main writes <dir>/<name>/hosts.toml below the node's root, and ends.
func Main(_ context.Context, args []string) error {
	flags := flag.NewFlagSet("node-agent registry-hosts", flag.ContinueOnError)
	hostRoot := flags.String("host-root", host.OfParent, "the node's root folder; \"parent\" is that of the process that started this one")
	dir := flags.String("dir", "/etc/containerd/certs.d", "containerd's config_path")
	name := flags.String("name", "registry.gantry.internal", "what images of the registry are called")
	address := flags.String("url", "", "where nodes reach it, such as http://10.96.7.7:5000")
	if err := flags.Parse(args); err != nil {
		return err
	}
	parsed, err := url.Parse(*address)
	if err != nil || parsed.Host == "" || (parsed.Scheme != "http" && parsed.Scheme != "https") {
		return fmt.Errorf("-url: %q is no address such as http://10.96.7.7:5000", *address)
	}
	if *name == "" || strings.ContainsAny(*name, "/\\") || strings.HasPrefix(*name, ".") {
		return fmt.Errorf("-name: %q is no name of a registry", *name)
	}
	if !filepath.IsAbs(*dir) {
		return errors.New("-dir: must be an absolute path")
	}
	root := *hostRoot
	if root == host.OfParent {
		root = fmt.Sprintf("/proc/%d/root", os.Getppid())
	}
	return write(root, filepath.Join(*dir, *name), content(parsed.String()))
}

func content(address string) string {
	return fmt.Sprintf("# Written by Gantry's agent.\nserver = %q\n\n[host.%q]\n  capabilities = [\"pull\", \"resolve\"]\n", address, address)
}

// write resolves links below the node's root, not below ours, and replaces the file whole.
func write(path, folder, text string) error {
	root, err := os.OpenRoot(path)
	if err != nil {
		return fmt.Errorf("-host-root: %w", err)
	}
	defer root.Close()
	relative := strings.TrimPrefix(filepath.Clean(folder), "/")
	file := filepath.Join(relative, "hosts.toml")
	if before, err := root.ReadFile(file); err == nil && string(before) == text {
		return nil
	}
	if err := root.MkdirAll(relative, 0o755); err != nil {
		return fmt.Errorf("-dir: %w", err)
	}
	if err := root.WriteFile(file+".new", []byte(text), 0o644); err != nil {
		return fmt.Errorf("-dir: %w", err)
	}
	return root.Rename(file+".new", file)
}
