// The one binary that Gantry runs where a Node program can not: inside any image, and on nodes.
package main

import (
	"fmt"
	"os"

	pidone "gantry.dev/agent/init"
	"gantry.dev/agent/install"
)

const usage = `usage:
  agent install <dir>            copy this binary to <dir>/agent
  agent init [-- command args…]  be process 1: run the command, or idle; reap all children
  agent version                  say which version this is
`

// Set by the linker for a release.
var version = "development"

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	switch {
	case len(args) == 2 && args[0] == "install":
		if err := install.Into(args[1]); err != nil {
			fmt.Fprintln(os.Stderr, "agent install:", err)
			return 1
		}
		return 0
	case len(args) == 1 && args[0] == "version":
		fmt.Println(version)
		return 0
	case len(args) == 1 && args[0] == "init":
		return pidone.Run(nil)
	case len(args) >= 2 && args[0] == "init" && args[1] == "--":
		return pidone.Run(args[2:])
	default:
		fmt.Fprint(os.Stderr, usage)
		return 2
	}
}
