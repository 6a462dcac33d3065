// The program that a bundle carries beside its images: it brings them into a registry.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/signal"
	"syscall"

	"gantry.dev/agent/load"
)

func main() {
	os.Exit(run(os.Args[1:]))
}

// Exit code 2: unknown arguments; 1: it failed, and said why.
func run(args []string) int {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGTERM, syscall.SIGINT)
	defer stop()
	if len(args) == 0 || args[0] != "load" {
		fmt.Fprintln(os.Stderr, "usage: gantry load --registry=HOST[:PORT]/PATH [--plain-http] [--public-key=FILE]")
		return 2
	}
	err := load.Main(ctx, args[1:])
	switch {
	case err == nil:
		return 0
	case errors.Is(err, flag.ErrHelp):
		return 2
	}
	fmt.Fprintf(os.Stderr, "gantry load: %v\n", err)
	return 1
}
