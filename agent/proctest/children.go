// Package proctest is what tests of process 1 see of other processes.
package proctest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Children are the ids of a process's children. Zombies count: they stay on the list until somebody waits for them.
func Children(pid int) (all []string) {
	lists, _ := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/children", pid))
	for _, list := range lists {
		text, _ := os.ReadFile(list)
		all = append(all, strings.Fields(string(text))...)
	}
	return all
}
