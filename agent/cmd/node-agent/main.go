// The platform's own Pods and processes, in a binary apart from the one that every instance carries.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"gantry.dev/agent/door"
	"gantry.dev/agent/registry"
	"gantry.dev/agent/registryhosts"
	"gantry.dev/agent/snapshot"
)

// command is a row of the usage; what follows the name is its own to read.
type command struct {
	name, does string
	// Runs until it is done or ctx is, which the first SIGTERM or SIGINT ends. Logs go to stderr as lines of JSON.
	run func(ctx context.Context, args []string) error
}

func commands() []command {
	return []command{
		{"run", "on a node: save what containers changed, measure disks, wipe nodes that are given back", snapshot.Main},
		{"registry", "in front of the registry: say who may pull and push, remove what nobody needs, make copies", registry.Main},
		{"registry-trust", "before the registry starts: write which key it trusts", registry.TrustMain},
		{"registry-hosts", "on a node: tell containerd where the registry is", registryhosts.Main},
		{"door", "the SSH door: let in keys of instances, lead them there, and end whoever may no longer", door.Main},
	}
}

func main() {
	os.Exit(run(os.Args[1:]))
}

// Exit code 2: unknown arguments; 1: it failed, and said why.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	for _, row := range commands() {
		if len(args) == 0 || row.name != args[0] {
			continue
		}
		err := row.run(ctx, args[1:])
		switch {
		case err == nil:
			return 0
		case errors.Is(err, flag.ErrHelp):
			return 2
		}
		fmt.Fprintf(os.Stderr, "node-agent %s: %v\n", row.name, err)
		return 1
	}
	fmt.Fprintln(os.Stderr, "usage:")
	for _, row := range commands() {
		fmt.Fprintf(os.Stderr, "  node-agent %s [flags]\n        %s\n", row.name, row.does)
	}
	return 2
}
