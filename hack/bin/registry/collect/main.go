// Command collect gives back the room of what nobody names any more, while everybody pushes and pulls. It reads and writes the
// registry's own storage, a disk or a bucket, by distribution's drivers.
package main

import (
	"context"
	"fmt"
	"os"
	"time"

	"github.com/distribution/distribution/v3/configuration"
	"github.com/distribution/distribution/v3/registry/storage/driver/factory"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/filesystem"
	_ "github.com/distribution/distribution/v3/registry/storage/driver/s3-aws"
)

const usage = "usage: collect CONFIGURATION [AGE]: AGE is how long nothing must have named a blob, such as 12h"

// Longer than any push lives: uploads of that age are purged.
const longestPush = 12 * time.Hour

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if len(args) < 1 || len(args) > 2 {
		return fmt.Errorf("%s", usage)
	}
	age := longestPush
	if len(args) == 2 {
		var err error
		if age, err = time.ParseDuration(args[1]); err != nil || age < 0 {
			return fmt.Errorf("AGE: %q is no length of time such as 12h", args[1])
		}
	}
	file, err := os.Open(args[0])
	if err != nil {
		return err
	}
	defer file.Close()
	config, err := configuration.Parse(file)
	if err != nil {
		return fmt.Errorf("%s: %w", args[0], err)
	}
	driver, err := factory.Create(ctx, config.Storage.Type(), config.Storage.Parameters())
	if err != nil {
		return err
	}
	return collect(ctx, driver, time.Now(), age)
}
