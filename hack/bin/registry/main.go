// Command registry is distribution's, for a disk or a bucket, with a collector that works while everybody pushes and pulls.
package main

import (
	"fmt"
	"os"
	"time"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry"
	_ "github.com/distribution/distribution/v3/registry/auth/token"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/filesystem"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/s3-aws"
	"github.com/spf13/cobra"

	"gantry.dev/hack/bin/registry/collect"
)

func main() {
	age := collect.LongestPush
	collector := &cobra.Command{
		Use:           "collect <config>",
		Short:         "one pass of the collector: hides what no tag leads to, and deletes what was hidden for long enough",
		Args:          cobra.ExactArgs(1),
		SilenceUsage:  true,
		SilenceErrors: true,
		RunE: func(command *cobra.Command, args []string) error {
			file, err := os.Open(args[0])
			if err != nil {
				return err
			}
			defer file.Close()
			config, err := configuration.Parse(file)
			if err != nil {
				return fmt.Errorf("%s: %w", args[0], err)
			}
			return collect.Run(command.Context(), config, time.Now(), age)
		},
	}
	collector.Flags().DurationVar(&age, "age", age, "how long hidden data stays: longer than any push takes")
	registry.RootCmd.AddCommand(collector)
	// It deletes what a push has not named yet.
	registry.RootCmd.RemoveCommand(registry.GCCmd)
	if err := registry.RootCmd.Execute(); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
