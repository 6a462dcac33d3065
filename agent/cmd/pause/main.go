// The container that holds a Pod's namespaces open. It is `agent init` without a command, apart from it to stay small:
// every Pod's memory pays for one.
package main

import (
	"os"

	pidone "gantry.dev/agent/init"
)

func main() {
	os.Exit(pidone.Run(nil, nil))
}
