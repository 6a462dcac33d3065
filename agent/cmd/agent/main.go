// The one binary that Gantry runs where a Node program cannot: inside any image, and on nodes.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"math"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"time"

	"gantry.dev/agent/askmodel"
	"gantry.dev/agent/diskserver"
	"gantry.dev/agent/imagesize"
	pidone "gantry.dev/agent/init"
	"gantry.dev/agent/install"
	"gantry.dev/agent/receive"
	"gantry.dev/agent/restore"
	sshd "gantry.dev/agent/ssh"
	"gantry.dev/agent/ssh/ledger"
	"gantry.dev/agent/task"
)

// Set by the linker for a release.
var version = "development"

// command is a row of the usage: what follows the name is its own to read.
type command struct {
	name, arguments, does string
	// Ends with exit code 0 when it returns nil, with the code of an exit, 2 and the usage for errUsage, else 1 and a sentence.
	run func(args []string) error
}

// A function, because a row may name the others.
func commands() []command {
	return []command{
		{"install", "<dir> [<mountpoint>…]", "make these folders and copy this binary to <dir>/agent", installed},
		{"init", "[--ssh <address> --ssh-keys <file> --ssh-host-key <file>] [-- command args…]",
			"be process 1: run the command, or idle; reap all children; with --ssh keep an SSH server beside it", initial},
		{"ssh-server", "--listen <address> --keys <file> --host-key <file>",
			"serve SSH to the keys of the file, outside process 1 (init starts it)", sshServer},
		{"shell", "--columns <n> --rows <n> [--patience <duration>] [--session <name> [--keep <duration> | --end]]",
			"run a shell at a terminal for the gateway, in frames on input and output; hang it up when the gateway goes. " +
				"With a name, attach to the shell of that name (--keep starts it, and keeps it for so long while nobody is attached)", shell},
		{sshd.KeeperCommand, "", "hold a named shell (shell --keep starts it)", keepShell},
		{sshd.FilesCommand, "", "serve sftp on input and output (ssh-server starts it)", files},
		{"disk-server", "--root <folder> (--listen <address> --token-file <file> | --pipe)",
			"serve the files of a disk over HTTP to who has the token, or on input and output for the gateway", diskServer},
		{"restore", "<from> <to> --mark <digest>",
			"empty the folder <to> and fill it with what <from> holds, unless it carries the digest's mark", restored},
		{"image-size", "--most-gi <n> [--inner <host[:port]>]… [--proxy <url>] <image>",
			"end with 3 where the image is larger, with 4 where nobody builds such an image, and with 0 if the registry does not say", sized},
		{"receive", "--manifest <sha256> --bytes <n> --listen <address> <folder>",
			"take in the files of a model, as the list with this digest names them, and end once all are there", received},
		{"task", "--root <folder> --listen <address> --ask <address> [--hold <duration>] [--grace <duration>] -- command args…",
			"be process 1 of a data task: run the worker, pass on what it says and makes, relay its calls, " +
				"and end with 75 if nobody fetched its results in time", taskRun},
		{"track", "--listen <address> --ask <address> --door <sha256> [--rank <n>] [--grace <duration>]",
			"take MLflow's calls of a program in the same Pod, and give them to the gateway until SIGTERM", tracked},
		{"ask-model", "--url <url> --model <name> --task Generate|Embed|Rerank [--timeout <duration>]",
			"end with 0 if the engine answers a request", modelAsked},
		{"version", "", "say which version this is", versionSaid},
	}
}

var errUsage = errors.New("these are not the arguments that it takes")

// exit is an exit code that is no failure of ours to explain.
type exit int

func (code exit) Error() string { return fmt.Sprintf("exit code %d", int(code)) }

func main() {
	os.Exit(run(os.Args[1:]))
}

func run(args []string) int {
	if len(args) == 0 {
		return usage()
	}
	for _, row := range commands() {
		if row.name != args[0] {
			continue
		}
		err := row.run(args[1:])
		var code exit
		switch {
		case err == nil:
			return 0
		case errors.As(err, &code):
			return int(code)
		case errors.Is(err, errUsage):
			return usage()
		}
		fmt.Fprintf(os.Stderr, "agent %s: %v\n", row.name, err)
		return 1
	}
	return usage()
}

func usage() int {
	fmt.Fprintln(os.Stderr, "usage:")
	for _, row := range commands() {
		fmt.Fprintf(os.Stderr, "  agent %s\n        %s\n", row.name+" "+row.arguments, row.does)
	}
	return 2
}

func installed(args []string) error {
	if len(args) == 0 {
		return errUsage
	}
	return install.Into(args[0], args[1:]...)
}

func versionSaid(args []string) error {
	if len(args) != 0 {
		return errUsage
	}
	fmt.Println(version)
	return nil
}

func initial(args []string) error {
	var command []string
	if at := slices.Index(args, "--"); at >= 0 {
		args, command = args[:at], args[at+1:]
	}
	if err := inPlace(); err != nil {
		return err
	}
	flags, options := sshFlags("ssh", "ssh-keys", "ssh-host-key")
	switch {
	case flags.Parse(args) != nil || flags.NArg() > 0:
		return errUsage
	case len(args) == 0:
		return exit(pidone.Run(command, nil))
	case !isComplete(options):
		return errUsage
	}
	return exit(pidone.Run(command, []string{
		"ssh-server", "--listen", options.Address, "--keys", options.KeysFile, "--host-key", options.HostKeyFile,
	}))
}

// An image may have a link where the agent's volume is mounted; who runs in the container could then lead it elsewhere, and what
// the gateway executes later would no longer be this program.
func inPlace() error {
	called := os.Args[0]
	is, err := os.Executable()
	if err != nil || !filepath.IsAbs(called) || filepath.Clean(called) == is {
		return err
	}
	return fmt.Errorf("%s is %s in this image: none of its folders may be a link", called, is)
}

func sshServer(args []string) error {
	flags, options := sshFlags("listen", "keys", "host-key")
	sessions := flags.Int("sessions", 0, "")
	if flags.Parse(args) != nil || flags.NArg() > 0 || !isComplete(options) {
		return errUsage
	}
	if *sessions > 0 {
		list, err := ledger.Open(*sessions)
		if err != nil {
			return err
		}
		options.Sessions = list
	}
	return sshd.Run(*options)
}

func sshFlags(address, keys, hostKey string) (*flag.FlagSet, *sshd.Options) {
	flags, options := flag.NewFlagSet("", flag.ContinueOnError), &sshd.Options{}
	flags.SetOutput(io.Discard)
	flags.StringVar(&options.Address, address, "", "")
	flags.StringVar(&options.KeysFile, keys, "", "")
	flags.StringVar(&options.HostKeyFile, hostKey, "", "")
	return flags, options
}

func isComplete(options *sshd.Options) bool {
	return options.Address != "" && options.KeysFile != "" && options.HostKeyFile != ""
}

func files(args []string) error {
	if len(args) != 0 {
		return errUsage
	}
	return sshd.ServeFiles()
}

func shell(args []string) error {
	options, err := shellOptions(args)
	switch {
	case err != nil:
		return err
	case options.Session == "":
		return exit(sshd.ServeShell(os.Stdin, os.Stdout, options.ShellOptions))
	}
	return exit(sshd.ServeKeptShell(os.Stdin, os.Stdout, options))
}

// The connection of who started it is the first file after the usual three.
const keepersFirst = 3

func keepShell(args []string) error {
	options, err := shellOptions(args)
	if err != nil || options.Keep == 0 {
		return errUsage
	}
	return sshd.KeepShell(keepersFirst, options)
}

func shellOptions(args []string) (options sshd.KeptOptions, err error) {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.UintVar(&options.Columns, "columns", 80, "")
	flags.UintVar(&options.Rows, "rows", 24, "")
	flags.DurationVar(&options.Patience, "patience", 45*time.Second, "")
	flags.StringVar(&options.Session, "session", "", "")
	flags.DurationVar(&options.Keep, "keep", 0, "")
	flags.BoolVar(&options.End, "end", false, "")
	if flags.Parse(args) != nil || flags.NArg() > 0 || options.Patience <= 0 || options.Keep < 0 || options.End && options.Keep > 0 {
		return options, errUsage
	}
	if isKept := options.Keep > 0 || options.End; isKept && options.Session == "" || options.Session != "" && !sshd.IsSessionName(options.Session) {
		return options, errUsage
	}
	return options, nil
}

func diskServer(args []string) error {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	root, listen, tokenFile := flags.String("root", "", ""), flags.String("listen", "", ""), flags.String("token-file", "", "")
	pipe := flags.Bool("pipe", false, "")
	switch {
	case flags.Parse(args) != nil || flags.NArg() > 0 || *root == "":
		return errUsage
	case *pipe && *listen == "" && *tokenFile == "":
		return diskserver.ServePipe(*root)
	case *pipe || *listen == "" || *tokenFile == "":
		return errUsage
	}
	return diskserver.Serve(*root, *listen, *tokenFile)
}

// The exit codes of image-size; the operator's checks of images know them.
const (
	tooLarge exit = 3
	absurd   exit = 4
)

func sized(args []string) (err error) {
	flags, asked := flag.NewFlagSet("", flag.ContinueOnError), imagesize.Question{Architecture: runtime.GOARCH}
	flags.SetOutput(io.Discard)
	mostGi := flags.Int64("most-gi", 0, "")
	flags.Func("inner", "", func(host string) error { asked.Inner = append(asked.Inner, host); return nil })
	flags.Func("proxy", "", func(address string) (err error) { asked.Proxy, err = url.Parse(address); return err })
	if flags.Parse(args) != nil || flags.NArg() != 1 || *mostGi < 1 || *mostGi > math.MaxInt64>>30 {
		return errUsage
	}
	asked.Source, asked.PullSecret = flags.Arg(0), os.Getenv("PULL_SECRET")
	defer func() {
		if recover() != nil {
			err = nil
		}
	}()
	found, unknown := imagesize.Of(context.Background(), asked)
	var refusal imagesize.Refusal
	switch {
	case errors.As(unknown, &refusal):
		fmt.Println(refusal)
		return absurd
	case found.Bytes > *mostGi<<30:
		// Its whole GiB are the last line of the log, which the kubelet makes the container's message.
		fmt.Println((found.Bytes-1)>>30 + 1)
		return tooLarge
	case unknown != nil:
		// The error's own text may contain what was sent, so it is not printed. The pull will report the reason.
		fmt.Println("The registry does not say how large the image is.")
	}
	return tell(found.Needs)
}

// The kubelet makes this file the container's message. It is absent outside a Pod, where nobody reads it.
const message = "/dev/termination-log"

func tell(needs imagesize.Needs) error {
	if text, err := json.Marshal(needs); err == nil && needs != (imagesize.Needs{}) {
		_ = os.WriteFile(message, text, 0o644)
	}
	return nil
}

func restored(args []string) error {
	if len(args) != 4 || args[2] != "--mark" {
		return errUsage
	}
	return restore.Run(args[0], args[1], args[3], os.Stderr)
}

func received(args []string) error {
	flags, options := flag.NewFlagSet("", flag.ContinueOnError), receive.Options{}
	flags.SetOutput(io.Discard)
	flags.StringVar(&options.Manifest, "manifest", "", "")
	flags.StringVar(&options.Listen, "listen", "", "")
	flags.Int64Var(&options.Bytes, "bytes", 0, "")
	if flags.Parse(args) != nil || flags.NArg() != 1 || options.Manifest == "" || options.Listen == "" || options.Bytes < 1 {
		return errUsage
	}
	options.Root = flags.Arg(0)
	return receive.Run(options)
}

func taskRun(args []string) error {
	options := task.Options{}
	if at := slices.Index(args, "--"); at >= 0 {
		args, options.Argv = args[:at], args[at+1:]
	}
	if err := inPlace(); err != nil {
		return err
	}
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&options.Root, "root", "", "")
	flags.StringVar(&options.Listen, "listen", "", "")
	flags.StringVar(&options.Ask, "ask", "", "")
	flags.DurationVar(&options.Hold, "hold", 15*time.Minute, "")
	flags.DurationVar(&options.Grace, "grace", 110*time.Second, "")
	if flags.Parse(args) != nil || flags.NArg() > 0 || options.Root == "" || options.Listen == "" || options.Ask == "" ||
		options.Hold <= 0 || options.Grace <= 0 || len(options.Argv) == 0 {
		return errUsage
	}
	code, err := task.Run(options)
	if err != nil {
		return err
	}
	return exit(code)
}

func tracked(args []string) error {
	flags, options := flag.NewFlagSet("", flag.ContinueOnError), task.TrackOptions{}
	flags.SetOutput(io.Discard)
	flags.StringVar(&options.Listen, "listen", "", "")
	flags.StringVar(&options.Ask, "ask", "", "")
	flags.StringVar(&options.Door, "door", "", "")
	flags.IntVar(&options.Rank, "rank", 0, "")
	flags.DurationVar(&options.Grace, "grace", 20*time.Second, "")
	if flags.Parse(args) != nil || flags.NArg() > 0 || options.Listen == "" || options.Ask == "" || options.Door == "" ||
		options.Rank < 0 || options.Grace <= 0 {
		return errUsage
	}
	return task.Track(options)
}

func modelAsked(args []string) error {
	flags := flag.NewFlagSet("", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	url, model, task := flags.String("url", "", ""), flags.String("model", "", ""), flags.String("task", "", "")
	within := flags.Duration("timeout", 30*time.Second, "")
	if flags.Parse(args) != nil || flags.NArg() > 0 || *url == "" || *model == "" || *task == "" || *within <= 0 {
		return errUsage
	}
	return askmodel.Once(*url, *model, *task, *within)
}
